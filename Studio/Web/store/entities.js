// The entities of a store, as a tree by inheritance, with the numbers of their objects as they come.
import { html, useEffect, useMemo, useRef, useState } from "../lib/preact.js";
import { Icon } from "../shell/icons.js";

/**
 * @typedef {{name: string, parent: string|null, isAbstract: boolean, title: string|null, properties: any[]}} Entity
 * @typedef {Record<string, {own: number, all: number}>} Counts
 */

/** Lists entities below their parents. @param {Entity[]} entities @returns {{entity: Entity, depth: number}[]} */
export function tree(entities) {
    /** @type {{entity: Entity, depth: number}[]} */
    const rows = [];
    const add = (parent, depth) => {
        for (const entity of entities.filter(each => each.parent === parent)) {
            rows.push({ entity, depth });
            add(entity.name, depth + 1);
        }
    };
    add(null, 0);
    return rows;
}

/** @param {{entities: Entity[], counts: Counts, current: string, onOpen: (name: string) => void}} props */
export function EntityList({ entities, counts, current, onOpen }) {
    const [filter, setFilter] = useState("");
    const list = useRef(null);
    const rows = useMemo(() => tree(entities), [entities]);
    const shown = filter === "" ? rows
        : rows.filter(({ entity }) => entity.name.toLowerCase().includes(filter.toLowerCase()));
    useEffect(() => {
        list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
    }, [current]);
    const pressed = event => {
        const index = shown.findIndex(({ entity }) => entity.name === current);
        const places = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: shown.length - 1 };
        const next = shown[places[event.key] ?? -1];
        if (event.key === "Enter") document.querySelector(".grid")?.focus();
        else if (event.altKey || next === undefined) return;
        else onOpen(next.entity.name);
        event.preventDefault();
    };
    const clicked = name => {
        // One who clicks goes on among the rows; one who walks by keys goes on here.
        list.current?.blur();
        onOpen(name);
    };
    return html`
        <div class="store-entities">
            <label class="filter"><${Icon} name="filter" />
                <input type="search" placeholder="Filter entities" aria-label="Filter entities" value=${filter}
                    onInput=${event => setFilter(event.target.value)} /></label>
            <div class="store-tree" role="tree" aria-label="Entities" tabindex="0" ref=${list} onKeyDown=${pressed}>
                ${shown.map(({ entity, depth }) => html`
                    <div key=${entity.name} role="treeitem" aria-level=${depth + 1} class="store-entity" data-name=${entity.name}
                        aria-selected=${entity.name === current} style=${{ paddingLeft: `${8 + depth * 14}px` }}
                        onClick=${() => clicked(entity.name)}>
                        <${Icon} name="entity" />
                        <span class=${"store-entity-name" + (entity.isAbstract ? " abstract" : "")}>${entity.name}</span>
                        <span class="note">${countText(counts[entity.name])}</span>
                    </div>`)}
            </div>
        </div>`;
}

/** @param {{own: number, all: number}|undefined} count */
function countText(count) {
    return count === undefined ? "" : count.all.toLocaleString("en-US").replaceAll(",", "\u202f");
}

// The outline of a model: a tree of its entities by inheritance, and of what else it has.
import { html, useLayoutEffect, useMemo, useRef, useState } from "../lib/preact.js";
import { Icon, IconButton } from "../shell/icons.js";
import { ancestorsOf, entityNamed, kinds, topOf, valueOf } from "./elements.js";

/** @import { Kind, ModelElement, ModelState } from "./client.js" */

/**
 * @typedef {object} Line
 * @property {string} key
 * @property {number} level
 * @property {string} title
 * @property {string} icon
 * @property {ModelElement} [element]
 * @property {string} [version]
 * @property {string} [detail]
 * @property {boolean} hasChildren
 * @property {Kind} [adds] what the plus of a heading adds
 */

const sections = /** @type {Kind[]} */(["entity", "fetchRequest", "configuration", "composite"]);

/**
 * @param {{state: ModelState, selected: number[], isFlat: boolean, onSelect: (ids: number[]) => void, onVersion: (name: string) => void,
 *   onAdd: (kind: Kind) => void, onAddVersion: () => void, onRemove: (elements: ModelElement[]) => void,
 *   onDuplicate: (elements: ModelElement[]) => void, isVersionsShown: boolean}} props
 */
export function Outline(props) {
    const { state, selected } = props;
    const [filter, setFilter] = useState("");
    const [closed, setClosed] = useState(/** @type {Set<string>} */(new Set()));
    const [focus, setFocus] = useState("");
    const tree = useRef(null);
    const wantsFocus = useRef(false);
    const badges = useMemo(() => problemCounts(state), [state]);
    const lines = useMemo(() => linesOf(state, filter.trim().toLowerCase(), closed, props.isFlat), [state, filter, closed, props.isFlat]);
    const current = lines.find(line => line.key === focus)
        ?? lines.find(line => line.element !== undefined && selected.includes(line.element.id)) ?? lines[0];

    useLayoutEffect(() => {
        if (!wantsFocus.current) return;
        wantsFocus.current = false;
        const item = tree.current?.querySelector('[tabindex="0"]');
        if (item instanceof HTMLElement) item.focus();
    });

    const toggle = line => {
        const next = new Set(closed);
        if (!next.delete(line.key)) next.add(line.key);
        setClosed(next);
    };
    const choose = (line, adds) => {
        setFocus(line.key);
        if (line.version !== undefined) return props.onVersion(line.version);
        if (line.element === undefined) return;
        const { id } = line.element;
        if (!adds) return props.onSelect([id]);
        props.onSelect(selected.includes(id) ? selected.filter(each => each !== id) : [...selected, id]);
    };
    const go = (index, adds) => {
        const line = lines[Math.max(0, Math.min(lines.length - 1, index))];
        wantsFocus.current = true;
        setFocus(line.key);
        if (line.element !== undefined) choose(line, adds);
    };
    const keyed = event => {
        const index = lines.indexOf(current);
        const chosen = selected.map(id => state.elements.get(id)).filter(each => each !== undefined);
        if (current === undefined || event.altKey) return;
        if (event.ctrlKey || event.metaKey) {
            if (event.key.toLowerCase() !== "d" || chosen.length === 0 || state.isReadOnly) return;
            props.onDuplicate(chosen);
        } else if (event.key === "ArrowDown") go(index + 1, event.shiftKey);
        else if (event.key === "ArrowUp") go(index - 1, event.shiftKey);
        else if (event.key === "Home") go(0, false);
        else if (event.key === "End") go(lines.length - 1, false);
        else if (event.key === "ArrowRight" && current.hasChildren) {
            if (closed.has(current.key)) toggle(current);
            else go(index + 1, false);
        } else if (event.key === "ArrowLeft") {
            if (current.hasChildren && !closed.has(current.key)) toggle(current);
            else go(lines.findLastIndex((each, at) => at < index && each.level < current.level), false);
        } else if (event.key === "Enter" || event.key === " ") choose(current, event.key === " " && event.shiftKey);
        else if (event.key === "Delete" && chosen.length > 0 && !state.isReadOnly) props.onRemove(chosen);
        else if (event.key === "Insert" && !state.isReadOnly) props.onAdd(current.adds ?? current.element?.kind ?? "entity");
        else return;
        event.preventDefault();
    };
    return html`
        <aside class="outline" aria-label="Outline">
            <label class="filter outline-filter"><${Icon} name="filter" />
                <input type="search" id="model-filter" placeholder="Filter" aria-label="Filter the outline" value=${filter}
                    onInput=${event => setFilter(event.target.value)}
                    onKeyDown=${event => {
                        if (event.key !== "Escape" && event.key !== "ArrowDown") return;
                        event.preventDefault();
                        if (event.key === "Escape") setFilter("");
                        else go(0, false);
                    }} /></label>
            <ul role="tree" aria-label="Elements of the model" aria-multiselectable="true" ref=${tree} onKeyDown=${keyed}>
                ${lines.map(line => html`
                    <li key=${line.key} role="treeitem" aria-level=${line.level + 1} tabindex=${line === current ? 0 : -1}
                        aria-expanded=${line.hasChildren ? !closed.has(line.key) : undefined} style=${{ "--level": line.level }}
                        aria-selected=${line.element !== undefined && selected.includes(line.element.id) || props.isVersionsShown && line.version === state.version}
                        class=${line.level === 0 ? "outline-heading note" : "outline-item"} data-name=${line.title}
                        onClick=${event => choose(line, event.ctrlKey || event.metaKey || event.shiftKey)}>
                        <span class="outline-twist" onClick=${event => {
                            event.stopPropagation();
                            toggle(line);
                        }}>${line.hasChildren && html`<${Icon} name=${closed.has(line.key) ? "chevron" : "down"} />`}</span>
                        ${line.level > 0 && html`<${Icon} name=${line.icon} />`}
                        <span class="cut">${line.title}</span>
                        ${line.detail && html`<span class="note">${line.detail}</span>`}
                        <${Badge} counts=${line.element === undefined ? versionCounts(state, line.version) : badges.get(line.element.id)} />
                        ${line.level === 0 && !state.isReadOnly && (line.adds !== undefined || state.isVersioned) && html`
                            <${IconButton} name="plus" className="outline-add" tabindex="-1"
                                title=${`Add ${line.adds === undefined ? "version" : kinds[line.adds].title.toLowerCase()}`}
                                onClick=${event => {
                                    event.stopPropagation();
                                    if (line.adds === undefined) props.onAddVersion();
                                    else props.onAdd(line.adds);
                                }} />`}
                    </li>`)}
            </ul>
        </aside>`;
}

/** @typedef {{errors: number, warnings: number}} Counts */

/** @param {{counts: Counts|undefined}} props */
function Badge({ counts }) {
    if (counts === undefined || counts.errors + counts.warnings === 0) return null;
    const isError = counts.errors > 0;
    const count = isError ? counts.errors : counts.warnings;
    const word = (isError ? "error" : "warning") + (count === 1 ? "" : "s");
    return html`<span class=${isError ? "error" : "warning"}><span class="badge" title="${count} ${word}" aria-label="${count} ${word}">${count}</span></span>`;
}

/** Counts the problems of elements at the top, those of their members included. @param {ModelState} state @returns {Map<number, Counts>} */
function problemCounts(state) {
    const counts = new Map();
    for (const problem of state.diagnostics) {
        const element = state.elements.get(problem.element ?? -1);
        if (element === undefined || element.owner === null) continue;
        const top = element.owner === state.model ? element.id : element.owner;
        const count = counts.get(top) ?? { errors: 0, warnings: 0 };
        count[problem.severity === "error" ? "errors" : "warnings"] += 1;
        counts.set(top, count);
    }
    return counts;
}

/** @param {ModelState} state @param {string|undefined} name @returns {Counts|undefined} */
const versionCounts = (state, name) => state.versions.find(each => each.name === name && name !== state.version);

/** @param {ModelState} state @param {string} filter @param {Set<string>} closed @param {boolean} isFlat @returns {Line[]} */
function linesOf(state, filter, closed, isFlat) {
    /** @type {Line[]} */
    const lines = [];
    const heading = (title, adds, hasChildren) =>
        lines.push({ key: `heading ${title}`, level: 0, title, icon: "", hasChildren, adds });
    for (const kind of sections) {
        const all = topOf(state, kind);
        const found = filter === "" ? all : all.filter(each => matches(state, each, filter));
        heading(kinds[kind].plural, kind, found.length > 0);
        if (closed.has(`heading ${kinds[kind].plural}`)) continue;
        if (kind === "entity" && !isFlat && filter === "") lines.push(...entityLines(state, all, closed));
        else lines.push(...found.map(each => lineOf(each, 1, false)));
    }
    if (state.isVersioned) {
        heading("Versions", undefined, true);
        if (!closed.has("heading Versions")) {
            lines.push(...state.versions.map(version => ({
                key: `version ${version.name}`, level: 1, title: version.name, icon: version.isCurrent ? "check" : "version",
                version: version.name, hasChildren: false,
                detail: [version.isCurrent && "current", version.isUnsaved && "unsaved"].filter(Boolean).join(", "),
            })));
        }
    }
    return lines;
}

/** @param {ModelElement} element @param {number} level @param {boolean} hasChildren @returns {Line} */
const lineOf = (element, level, hasChildren) =>
    ({ key: `element ${element.id}`, level, title: element.name, icon: kinds[element.kind].icon, element, hasChildren });

/**
 * Whether an element, or a member of it, has a text in its name.
 * @param {ModelState} state
 * @param {ModelElement} element
 * @param {string} text
 */
const matches = (state, element, text) => element.name.toLowerCase().includes(text)
    || Object.values(element.members ?? {}).flat().some(id => state.elements.get(id)?.name.toLowerCase().includes(text));

/** @param {ModelState} state @param {ModelElement[]} all @param {Set<string>} closed */
function entityLines(state, all, closed) {
    /** @type {Map<ModelElement|undefined, ModelElement[]>} */
    const children = new Map();
    for (const entity of all) {
        const parent = entityNamed(state, valueOf(state, entity, "parent"));
        const key = parent === entity ? undefined : parent;
        children.set(key, [...children.get(key) ?? [], entity]);
    }
    /** @type {Line[]} */
    const lines = [];
    /** @type {Set<ModelElement>} */
    const shown = new Set();
    const show = (entity, level) => {
        if (shown.has(entity)) return;
        shown.add(entity);
        const below = children.get(entity) ?? [];
        lines.push(lineOf(entity, level, below.length > 0));
        if (closed.has(`element ${entity.id}`)) below.forEach(each => shown.add(each));
        else for (const each of sorted(below)) show(each, level + 1);
    };
    for (const entity of sorted(children.get(undefined) ?? [])) show(entity, 1);
    // Entities that are their own ancestors have no top.
    for (const entity of all) if (!shown.has(entity) && !isHidden(state, entity, closed)) show(entity, 1);
    return lines;
}

/** @param {ModelState} state @param {ModelElement} entity @param {Set<string>} closed */
const isHidden = (state, entity, closed) => ancestorsOf(state, entity).some(each => closed.has(`element ${each.id}`));

/** @param {ModelElement[]} elements */
const sorted = elements => [...elements].sort((one, other) => one.name.localeCompare(other.name));

// The tools above the graph: detail, scope, search, zoom, arrange.
import { html } from "../lib/preact.js";
import { Icon } from "../shell/icons.js";
import { keyLabel } from "../shell/keynames.js";

/** @typedef {import("./page.js").Scope} Scope */

const details = /** @type {const} */([["names", "Names", "1"], ["keys", "Keys", "2"], ["all", "All", "3"]]);

/** @param {{name: string, title: string, keys?: string, onClick: () => void}} props */
const Tool = ({ name, title, keys, onClick }) => html`
    <button type="button" class="icon-button" title=${keys ? `${title} (${keyLabel(keys)})` : title} aria-label=${title}
        onClick=${onClick}><${Icon} name=${name} /></button>`;

/**
 * @param {{
 *   state: import("../model/client.js").ModelState, selected: number[], scope: Scope, onScope: (scope: Scope) => void,
 *   scale: number, mayEdit: boolean, names: string[], onFit: () => void, onZoom: (factor: number) => void,
 *   onArrange: () => void, onFind: (name: string) => void
 * }} props
 */
export function Tools({ state, selected, scope, onScope, scale, mayEdit, names, onFit, onZoom, onArrange, onFind }) {
    const configurations = [...state.elements.values()].filter(each => each.kind === "configuration");
    const entity = selected.length === 1 ? state.elements.get(selected[0]) : undefined;
    const centre = scope.entity ?? entity?.name;
    const value = scope.entity !== undefined ? `around ${scope.steps ?? 1}`
        : scope.configuration !== undefined ? `in ${scope.configuration}` : "";
    const choose = (/** @type {string} */ chosen) => {
        const { detail } = scope;
        if (chosen.startsWith("around ")) onScope({ detail, entity: centre, steps: Number(chosen.slice(7)) });
        else if (chosen.startsWith("in ")) onScope({ detail, configuration: chosen.slice(3) });
        else onScope({ detail });
    };
    const find = (/** @type {any} */ event) => {
        const text = event.target.value.trim().toLowerCase();
        const name = names.find(each => each.toLowerCase() === text)
            ?? names.find(each => each.toLowerCase().startsWith(text)) ?? names.find(each => each.toLowerCase().includes(text));
        if (text !== "" && name !== undefined) onFind(name);
    };
    return html`
        <div class="graph-tools" role="toolbar" aria-label="Graph">
            <div class="segments" role="group" aria-label="Detail">${details.map(([detail, title, key]) => html`
                <button type="button" aria-pressed=${scope.detail === detail} title=${`${title} (${key})`}
                    onClick=${() => onScope({ ...scope, detail })}>${title}</button>`)}</div>
            <select aria-label="What is drawn" value=${value} onChange=${(/** @type {any} */ event) => choose(event.target.value)}>
                <option value="">All entities</option>
                ${configurations.map(each => html`<option value=${`in ${each.name}`}>Configuration ${each.name}</option>`)}
                ${centre !== undefined && [1, 2, 3].map(steps => html`
                    <option value=${`around ${steps}`}>${centre} and ${steps === 1 ? "its neighbours" : `${steps} steps around`}</option>`)}
            </select>
            <label class="filter"><${Icon} name="search" /><input type="search" placeholder="Find entity" aria-label="Find entity"
                list="graph-names" spellcheck=${false} onChange=${find} /></label>
            <datalist id="graph-names">${names.map(name => html`<option value=${name}></option>`)}</datalist>
            <span class="graph-space"></span>
            ${mayEdit && html`<${Tool} name="arrange" title="Arrange" keys="L" onClick=${onArrange} />`}
            <${Tool} name="fit" title="Show the whole" keys="0" onClick=${onFit} />
            <${Tool} name="minus" title="Smaller" keys="-" onClick=${() => onZoom(0.8)} />
            <output class="graph-scale" aria-label="Zoom">${Math.round(scale * 100)} %</output>
            <${Tool} name="plus" title="Larger" keys="+" onClick=${() => onZoom(1.25)} />
        </div>`;
}

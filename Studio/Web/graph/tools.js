// The tools above the graph: detail, scope, search, zoom, arrange.
import { html } from "../lib/preact.js";
import { topOf } from "../model/elements.js";
import { Icon, IconButton } from "../shell/icons.js";
import { alignments } from "./align.js";
import { ColourChoice } from "./colours.js";

/** @import { Scope } from "./page.js" */

/** How much of an entity is drawn: as the studio is asked for it, on a button, and in words. */
export const details = [["names", "Names", "Names only"], ["keys", "Keys", "Keys and relationships"], ["all", "All", "All properties"]];

/**
 * @param {{
 *   state: import("../model/client.js").ModelState, selected: number[], scope: Scope, onScope: (scope: Scope) => void,
 *   scale: number, mayEdit: boolean, names: string[], onFit: () => void, onZoom: (factor: number) => void,
 *   onArrange: () => void, onFind: (name: string) => void, by: string, onColour: (by: string) => void,
 *   canvas: import("./canvas.js").GraphCanvas|null
 * }} props
 */
export function Tools({ state, selected, scope, onScope, scale, mayEdit, names, onFit, onZoom, onArrange, onFind, by, onColour, canvas }) {
    const configurations = topOf(state, "configuration");
    const entity = selected.length === 1 ? state.elements.get(selected[0]) : undefined;
    const centre = scope.entity ?? entity?.name;
    const value = scope.entity !== undefined ? `around ${scope.steps ?? 1}`
        : scope.configuration !== undefined ? `in ${scope.configuration}` : "";
    const choose = chosen => {
        const { detail } = scope;
        if (chosen.startsWith("around ")) onScope({ detail, entity: centre, steps: Number(chosen.slice(7)) });
        else if (chosen.startsWith("in ")) onScope({ detail, configuration: chosen.slice(3) });
        else onScope({ detail });
    };
    const find = event => {
        const text = event.target.value.trim().toLowerCase();
        const name = names.find(each => each.toLowerCase() === text)
            ?? names.find(each => each.toLowerCase().startsWith(text)) ?? names.find(each => each.toLowerCase().includes(text));
        if (text !== "" && name !== undefined) onFind(name);
    };
    return html`
        <div class="graph-tools" role="toolbar" aria-label="Graph">
            <div class="segments" role="group" aria-label="Detail">${details.map(([detail, title, words], index) => html`
                <button aria-pressed=${scope.detail === detail} title=${`${words} (${index + 1})`}
                    onClick=${() => onScope({ ...scope, detail })}>${title}</button>`)}</div>
            <select aria-label="What is drawn" value=${value} onChange=${event => choose(event.target.value)}>
                <option value="">All entities</option>
                ${configurations.map(each => html`<option value=${`in ${each.name}`}>Configuration ${each.name}</option>`)}
                ${centre !== undefined && [1, 2, 3].map(steps => html`
                    <option value=${`around ${steps}`}>${centre} and ${steps === 1 ? "its neighbours" : `${steps} steps around`}</option>`)}
            </select>
            <${ColourChoice} state=${state} by=${by} onChoose=${onColour} />
            <label class="filter"><${Icon} name="search" /><input type="search" placeholder="Find entity" aria-label="Find entity"
                list="graph-names" spellcheck=${false} onChange=${find} /></label>
            <datalist id="graph-names">${names.map(name => html`<option value=${name}></option>`)}</datalist>
            <span class="graph-space"></span>
            ${mayEdit && html`<${IconButton} name="arrange" title="Arrange" keys="L" onClick=${onArrange} />`}
            <${IconButton} name="fit" title="Show the whole" keys="0" onClick=${onFit} />
            <${IconButton} name="minus" title="Smaller" keys="-" onClick=${() => onZoom(0.8)} />
            <output class="graph-scale" aria-label="Zoom">${Math.round(scale * 100)} %</output>
            <${IconButton} name="plus" title="Larger" keys="+" onClick=${() => onZoom(1.25)} />
            ${mayEdit && selected.length > 1 && html`<div class="align-tools" role="toolbar" aria-label="Selected entities">
                ${alignments.filter(each => selected.length >= each.least).map(each => html`
                    <${IconButton} name=${each.name} title=${each.title} onClick=${() => canvas?.arrange(each)} />`)}</div>`}
        </div>`;
}

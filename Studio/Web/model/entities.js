// What stands in the middle for one selected element: its head, and the tables of its members if it has some.
import { html } from "../lib/preact.js";
import { Icon } from "../shell/icons.js";
import { entityNames, kinds, textOf, topOf, valueOf } from "./elements.js";
import { MemberTables } from "./tables.js";

/** @import { ModelClient, ModelElement, ModelState } from "./client.js" */

/**
 * @param {{client: ModelClient, state: ModelState, owner: ModelElement, isOnly: boolean,
 *   selection: number[], onSelect: (ids: number[]) => void, onOpen: (name: string) => void}} props
 */
export function EntityMembers({ client, state, owner, selection, onSelect, onOpen }) {
    const hasMembers = owner.kind === "entity" || owner.kind === "composite";
    const children = owner.kind === "entity" ? topOf(state, "entity").filter(each => valueOf(state, each, "parent") === owner.name) : [];
    const parent = owner.kind === "entity" ? valueOf(state, owner, "parent") : null;
    const link = name => html`<button class="plain chip-link" key=${name} onClick=${() => onOpen(name)}>${name}</button>`;
    return html`<article class="element" aria-label=${owner.name}>
        <header class="element-head" onClick=${() => onSelect([])}><${Icon} name=${kinds[owner.kind].icon} /><h1>${owner.name}</h1>
            ${valueOf(state, owner, "abstract") === true && html`<span class="chip">abstract</span>`}
            ${parent && html`<span class="quiet">a kind of ${link(parent)}</span>`}
            ${children.length > 0 && html`<span class="quiet">parent of ${children.map(each => link(each.name))}</span>`}</header>
        ${hasMembers ? html`<${MemberTables} client=${client} state=${state} owner=${owner} selection=${selection} onSelect=${onSelect}
                onOpen=${onOpen} onFollow=${() => {}} />`
            : html`<${Summary} state=${state} owner=${owner} link=${link} />`}
    </article>`;
}

/** What a fetch request or a configuration says, in a few lines; the inspector edits it. @param {any} props */
function Summary({ state, owner, link }) {
    if (owner.kind === "configuration") {
        const names = /** @type {string[]} */(valueOf(state, owner, "members"));
        return html`<p class="summary-text">${names.length} of ${entityNames(state).length} entities: ${names.map(link)}</p>`;
    }
    const entity = valueOf(state, owner, "entity");
    const predicate = valueOf(state, owner, "predicate");
    return html`<p class="summary-text">Fetches ${entity === null ? html`<span class="field-problem">no entity</span>` : link(entity)}
        ${predicate && html` where <code>${textOf(predicate)}</code>`}</p>`;
}

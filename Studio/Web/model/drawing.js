// A small drawing of a relationship: both entities, the way there and the way back.
import { html } from "../lib/preact.js";
import { entityNamed, ownerOf, propertiesOf, valueOf } from "./elements.js";

/** @import { ModelElement, ModelState } from "./client.js" */

/** @param {{state: ModelState, element: ModelElement}} props */
export function RelationshipDrawing({ state, element }) {
    const owner = ownerOf(state, element);
    const name = valueOf(state, element, "destination");
    const inverseName = valueOf(state, element, "inverse");
    const inverse = propertiesOf(state, entityNamed(state, name), "relationship").find(each => each.name === inverseName);
    const way = each => [
        valueOf(state, each, "toMany") ? "to many" : "to one", valueOf(state, each, "optional") ? "optional" : "required",
        `on delete ${valueOf(state, each, "deleteRule")}`,
    ].join(", ");
    return html`
        <figure class="both-ends" aria-label="Both ends">
            <span class="relationship-end">${owner?.name}</span>
            <span class="relationship-ways">
                <span><b>${element.name}</b> ${valueOf(state, element, "toMany") ? "⇉" : "→"}<br /><span class="quiet">${way(element)}</span></span>
                ${inverse === undefined ? html`<span class="quiet">${inverseName ? `no inverse ${inverseName}` : "no inverse"}</span>`
                    : html`<span>${valueOf(state, inverse, "toMany") ? "⇇" : "←"} <b>${inverse.name}</b><br /><span class="quiet">${way(inverse)}</span></span>`}
            </span>
            <span class=${"relationship-end" + (entityNamed(state, name) === undefined ? " unknown" : "")}>${name ?? "nothing"}</span>
        </figure>`;
}

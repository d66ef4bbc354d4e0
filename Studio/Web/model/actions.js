// What one does to elements: each is one or more commands, sent as one step.
import { ask } from "../shell/dialogs.js";
import { html } from "../lib/preact.js";
import { announce, notify, notifyError } from "../shell/notices.js";
import { entityNamed, kinds, membersOf, ownerOf, propertiesOf, valueOf } from "./elements.js";

/** @import { Kind, ModelClient, ModelElement, ModelState } from "./client.js" */

/**
 * Adds an element, and returns it.
 * @param {ModelClient} client
 * @param {Kind} kind
 * @param {ModelElement|undefined} owner
 * @param {Record<string, any>} [facets]
 * @returns {Promise<ModelElement|undefined>}
 */
export async function add(client, kind, owner, facets = {}) {
    const element = { kind, set: { ...usual(kind, owner), ...facets } };
    const known = new Set(client.state.value?.elements.keys());
    const answer = await client.perform({ command: "add", element, to: owner?.id ?? "" });
    const added = answer?.elements.find(each => each.kind === kind && !known.has(each.id));
    if (added !== undefined) announce(`${kinds[kind].title} ${added.name} added`);
    return added;
}

/** Returns what a new element needs so as not to begin with an error. @param {Kind} kind @param {ModelElement|undefined} owner */
function usual(kind, owner) {
    if (kind === "attribute") return { type: "String" };
    if (kind === "fetchedProperty") return { entity: owner?.name };
    return {};
}

/**
 * Removes elements; asks first if that breaks others.
 * @param {ModelClient} client
 * @param {ModelElement[]} elements
 * @returns {Promise<boolean>}
 */
export async function removeAll(client, elements) {
    if (elements.length === 0) return false;
    const command = { command: "remove", elements: elements.map(each => each.id) };
    const what = elements.length === 1 ? elements[0].name : `${elements.length} elements`;
    try {
        const problems = await client.preview([command]);
        if (problems.length > 0) {
            const shown = problems.slice(0, 12);
            const answer = await ask({
                title: `Delete ${what}?`,
                text: html`<p>This breaks ${problems.length === 1 ? "one place" : `${problems.length} places`}:</p>
                    <ul class="breaks">${shown.map(each => html`<li><b>${each.path}</b> ${each.message}</li>`)}</ul>
                    ${problems.length > shown.length && html`<p class="quiet">and ${problems.length - shown.length} more</p>`}`,
                choices: [{ title: "Delete", value: "delete", kind: "danger" }],
            });
            if (answer !== "delete") return false;
        }
    } catch (error) {
        notifyError(error);
        return false;
    }
    if (await client.perform(command) === undefined) return false;
    notify({ title: `Deleted ${what}`, action: { title: "Undo", run: () => client.undo() } });
    return true;
}

/** @param {ModelClient} client @param {ModelElement[]} elements */
export const duplicate = (client, elements) =>
    client.perform({ command: "duplicate", elements: elements.map(each => each.id) });

/**
 * Sets a setting of some elements. An inverse is set at both ends.
 * @param {ModelClient} client
 * @param {ModelElement[]} elements
 * @param {string} facet
 * @param {any} value
 * @param {{key?: string, quietly?: boolean}} [options]
 */
export function set(client, elements, facet, value, options) {
    const state = client.state.value;
    if (facet === "inverse" && elements.length === 1) {
        const [element] = elements;
        if (value === null || value === "") return client.perform({ command: "setInverse", element: element.id, inverse: null }, options);
        const destination = entityNamed(state, valueOf(state, element, "destination"));
        const inverse = propertiesOf(state, destination, "relationship").find(each => each.name === value);
        if (inverse !== undefined) return client.perform({ command: "setInverse", element: element.id, inverse: inverse.id }, options);
    }
    return client.perform({ command: "set", elements: elements.map(each => each.id), set: { [facet]: value } }, options);
}

/** Moves an element among those of its kind. @param {ModelClient} client @param {ModelElement} element @param {1|-1} step */
export function moveBy(client, element, step) {
    const state = client.state.value;
    const owner = ownerOf(state, element);
    const list = owner?.members?.[element.kind] ?? [];
    const index = list.indexOf(element.id) + step;
    if (index < 0 || index >= list.length) return;
    return client.perform({ command: "move", element: element.id, at: index }, { key: `move ${element.id}` });
}

/** Describes elements as commands do, for the clipboard. @param {ModelState} state @param {ModelElement} element @returns {any} */
export const draftOf = (state, element) => ({
    kind: element.kind, name: element.name, set: element.facets,
    elements: Object.keys(element.members ?? {}).flatMap(kind =>
        membersOf(state, element, kind).map(each => draftOf(state, each))),
});

/**
 * Pastes what was copied, into an element or the model.
 * @param {ModelClient} client
 * @param {string} text
 * @param {ModelElement|undefined} owner
 */
export async function paste(client, text, owner) {
    let drafts;
    try {
        drafts = JSON.parse(text);
    } catch {
        return;
    }
    if (!Array.isArray(drafts) || drafts.some(each => typeof each?.kind !== "string")) return;
    const isTop = drafts.every(each => ["entity", "fetchRequest", "configuration", "composite"].includes(each.kind));
    await client.perform({ command: "paste", elements: drafts, to: isTop ? "" : owner?.id ?? "" });
}

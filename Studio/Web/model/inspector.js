// The inspector: every setting of the selected elements. What differs among them shows as "mixed", and is set for all.
import { html, useMemo, useState } from "../lib/preact.js";
import { useAnswer } from "../asking.js";
import { Icon } from "../shell/icons.js";
import { set } from "./actions.js";
import { Field, TextField } from "./fields.js";
import { RelationshipDrawing } from "./drawing.js";
import { appliesTo, facetOf, kinds, problemOfName, problemsOf, valueOf } from "./elements.js";

/** @import { Facet, ModelClient, ModelElement, ModelState, Problem } from "./client.js" */

/** The groups of settings that are not the first one, by name of the setting. @type {Record<string, string>} */
const groups = {
    externalStorage: "Storage", spotlight: "Storage", externalRecord: "Storage", preservedOnDeletion: "Storage",
    cloudEncryption: "Storage", indexed: "Storage", scalar: "Code", customClass: "Code", class: "Code", codegen: "Code",
    renamingIdentifier: "Versioning", hashModifier: "Versioning", versionIdentifier: "Versioning",
    userInfo: "User info", syncable: "Editor", usedWithCloudKit: "Editor", usedWithSwiftData: "Editor",
    sourceLanguage: "Editor", minimumToolsVersion: "Editor",
    batchSize: "Fetching", offset: "Fetching", resultType: "Fetching", includesSubentities: "Fetching", includesPropertyValues: "Fetching",
    includesPendingChanges: "Fetching", returnsObjectsAsFaults: "Fetching", returnsDistinctResults: "Fetching",
};
const order = ["", "Fetching", "Storage", "Code", "Versioning", "User info", "Editor"];

/** The labels of settings whose title makes sense in a sentence only. @type {Record<string, string>} */
const labels = { members: "Entities", elements: "Properties", userInfo: "User info" };

/** Settings that the middle of the page edits. */
const elsewhere = ["constraints"];

/** @param {{client: ModelClient, state: ModelState, elements: ModelElement[]}} props */
export function Inspector({ client, state, elements }) {
    const sections = useMemo(() => sectionsOf(state, elements), [state, elements.map(each => each.id).join()]);
    if (elements.length === 0) {
        return html`<aside class="inspector" aria-label="Inspector"><p class="empty">Nothing is selected.</p></aside>`;
    }
    const [first] = elements;
    const isOne = elements.length === 1;
    const sameKind = elements.every(each => each.kind === first.kind);
    const title = isOne ? first.name || state.name : `${elements.length} ${sameKind ? kinds[first.kind].plural.toLowerCase() : "elements"}`;
    return html`
        <aside class="inspector" aria-label="Inspector">
            <header class="inspector-head"><${Icon} name=${kinds[first.kind].icon} />
                <h2 class="cut">${title}</h2><span class="quiet">${isOne ? kinds[first.kind].title : ""}</span></header>
            ${isOne && first.kind === "relationship" && html`<${RelationshipDrawing} state=${state} element=${first} />`}
            ${isOne && first.kind !== "model" && html`<${NameField} key=${first.id} client=${client} state=${state} element=${first} />`}
            ${sections.map(([name, facets]) => html`
                <section key=${name} class="inspector-section" aria-label=${name || "Settings"}>${name && html`<h3 class="note">${name}</h3>`}
                    ${facets.map(facet => html`<${Setting} key=${`${facet.name} ${elements.map(each => each.id).join()}`}
                        client=${client} state=${state} elements=${elements} facet=${facet} />`)}
                    ${name === "Versioning" && isOne && first.kind === "entity" && html`
                        <${Hashes} client=${client} state=${state} name=${first.name} />`}</section>`)}
        </aside>`;
}

/**
 * Returns the settings that all elements have, in groups.
 * @param {ModelState} state
 * @param {ModelElement[]} elements
 * @returns {[string, Facet[]][]}
 */
function sectionsOf(state, elements) {
    if (elements.length === 0) return [];
    const [first, ...rest] = elements;
    const shared = state.facets[first.kind].filter(facet => !elsewhere.includes(facet.name)
        && elements.some(each => appliesTo(state, each, facet))
        && rest.every(each => facetOf(state, each.kind, facet.name)?.type === facet.type));
    // Older models have them; newer ones use indexes.
    const shown = shared.filter(facet => facet.name !== "compoundIndexes" || elements.some(each => facet.name in each.facets));
    return order.map(name => /** @type {[string, Facet[]]} */([name, shown.filter(facet => (groups[facet.name] ?? "") === name)]))
        .filter(([, facets]) => facets.length > 0);
}

/**
 * Sends what is put into a field. Returns why it was refused, as long as the model is the one that it was refused for, and what
 * sends it.
 * @param {ModelClient} client @param {ModelState} state @param {(value: any) => Promise<any>} send
 * @returns {[string, (value: any) => Promise<void>]}
 */
function useChange(client, state, send) {
    const [refused, setRefused] = useState({ text: "", revision: 0 });
    return [refused.revision === state.revision ? refused.text : "", async value => {
        let text = "";
        try {
            await send(value);
        } catch (error) {
            text = error.message;
        }
        setRefused({ text, revision: client.state.value.revision });
    }];
}

/** @param {{client: ModelClient, state: ModelState, element: ModelElement}} props */
function NameField({ client, state, element }) {
    const [refused, rename] = useChange(client, state, text =>
        client.perform({ command: "rename", element: element.id, to: text ?? "" }, { quietly: true }));
    const id = `field-name-${element.id}`;
    return html`<div class="setting wide"><label class="note" for=${id}>Name</label>
        <div class="setting-field"><${TextField} id=${id} value=${element.name} isReadOnly=${state.isReadOnly} isInvalid=${refused !== ""}
            check=${text => problemOfName(state, element, text)} onChange=${rename} />
            <${Problems} state=${state} elements=${[element]} facet="name" client=${client} refused=${refused} /></div></div>`;
}

/** @param {{client: ModelClient, state: ModelState, elements: ModelElement[], facet: Facet}} props */
function Setting({ client, state, elements, facet }) {
    const [refused, change] = useChange(client, state, next => set(client, elements, facet.name, next, { quietly: true }));
    const values = elements.map(each => valueOf(state, each, facet.name));
    const texts = new Set(values.map(value => JSON.stringify(value)));
    const value = texts.size === 1 ? values[0] : undefined;
    const id = `field-${facet.name}`;
    const isWide = ["names", "lists", "entries", "indexElements"].includes(facet.type) || ["predicate", "derivation"].includes(facet.name);
    const isInvalid = refused !== "" || elements.some(each => problemsOf(state, each).some(problem =>
        problem.facet === facet.name && problem.severity === "error"));
    const title = labels[facet.name] ?? facet.title[0].toUpperCase() + facet.title.slice(1);
    return html`<div class=${`setting ${isWide ? "wide" : ""} ${facet.type}`}>
        ${facet.name === "userInfo" ? html`<span></span>` : html`<label class="note" for=${id}>${title}</label>`}
        <div class="setting-field">
            <${Field} state=${state} elements=${elements} facet=${facet} id=${id} value=${value} isReadOnly=${state.isReadOnly}
                isInvalid=${isInvalid} onChange=${change}
                ask=${facet.name === "predicate" && elements.length === 1 ? client.completing(elements[0]) : undefined} />
            <${Problems} state=${state} elements=${elements} facet=${facet.name} client=${client} refused=${refused} />
        </div></div>`;
}

/** The version hash of an entity as it was and as it is. @param {{client: ModelClient, state: ModelState, name: string}} props */
function Hashes({ client, state, name }) {
    const { answer } = useAnswer(
        signal => client.ask("hashes", { entity: name }, signal), [state.revision, state.version, state.unsaved.length, name]);
    const { after, before, since, needsMigration } = answer ?? {};
    const former = since !== undefined && [
        [`Hash (${since})`, before ?? "none"], ["Migration needed", needsMigration ? "yes" : "no"],
    ];
    return answer && [["Hash", after], ...former || []].map(([title, text]) => html`
        <div class="setting"><label class="note" for=${"of-" + title}>${title}</label>
        <output class="cut" id=${"of-" + title} title=${text}>${text}</output></div>`);
}

/**
 * Why a setting was refused, and its problems, each with what can be done about it.
 * @param {{client: ModelClient, state: ModelState, elements: ModelElement[], facet: string, refused: string}} props
 */
function Problems({ client, state, elements, facet, refused }) {
    const problems = elements.length !== 1 ? [] : problemsOf(state, elements[0]).filter(problem => problem.facet === facet);
    return html`${refused && html`<p class="field-problem" role="alert">${refused}</p>`}${problems.map(problem => html`
        <p key=${problem.message} class=${problem.severity === "error" ? "field-problem" : "field-warning"}>
            <${Icon} name=${problem.severity} />${problem.message}
            ${!state.isReadOnly && html`<${Fixes} client=${client} problem=${problem} revision=${state.revision} />`}</p>`)}`;
}

/**
 * Buttons for the fixes of a problem, which are asked for when they are shown.
 * @param {{client: ModelClient, problem: Problem, revision: number}} props
 */
export function Fixes({ client, problem, revision }) {
    const { answer } = useAnswer(
        signal => problem.element === null ? null : client.ask("fixes", { element: problem.element }, signal),
        [revision, problem.element, problem.message]);
    /** @type {{name: string, title: string}[]} */
    const fixes = answer?.problems.find(each => each.message === problem.message)?.fixes ?? [];
    return html`<span class="fixes">${fixes.map(fix => html`
        <button key=${fix.title} class="fix" onClick=${event => {
            event.stopPropagation();
            client.perform({ command: "applyFix", fix: fix.name, element: problem.element });
        }}>${fix.title}</button>`)}</span>`;
}

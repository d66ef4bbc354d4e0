// The inspector: every setting of the selected elements. What differs among them shows as "mixed", and is set for all.
import { html, useEffect, useMemo, useState } from "../lib/preact.js";
import { Icon } from "../shell/icons.js";
import { set } from "./actions.js";
import { Field, TextField } from "./fields.js";
import { RelationshipDrawing } from "./drawing.js";
import { appliesTo, facetOf, kinds, problemOfName, problemsOf, valueOf } from "./elements.js";

/**
 * @typedef {import("./client.js").ModelClient} ModelClient
 * @typedef {import("./client.js").ModelState} ModelState
 * @typedef {import("./client.js").ModelElement} ModelElement
 * @typedef {import("./client.js").Facet} Facet
 */

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
                <h2>${title}</h2><span class="quiet">${isOne ? kinds[first.kind].title : ""}</span></header>
            ${isOne && first.kind === "relationship" && html`<${RelationshipDrawing} state=${state} element=${first} />`}
            ${isOne && first.kind !== "model" && html`<${NameField} key=${first.id} client=${client} state=${state} element=${first} />`}
            ${sections.map(([name, facets]) => html`
                <section key=${name} class="inspector-section" aria-label=${name || "Settings"}>${name && html`<h3>${name}</h3>`}
                    ${facets.map(facet => html`<${Setting} key=${`${facet.name} ${elements.map(each => each.id).join()}`}
                        client=${client} state=${state} elements=${elements} facet=${facet} />`)}</section>`)}
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

/** @param {{client: ModelClient, state: ModelState, element: ModelElement}} props */
function NameField({ client, state, element }) {
    const [refused, setRefused] = useState("");
    useEffect(() => setRefused(""), [element.name]);
    const id = `field-name-${element.id}`;
    const rename = async text => {
        try {
            await client.perform({ command: "rename", element: element.id, to: text ?? "" }, { quietly: true });
            setRefused("");
        } catch (error) {
            setRefused(error.message);
        }
    };
    return html`<div class="setting wide"><label for=${id}>Name</label>
        <div class="setting-field"><${TextField} id=${id} value=${element.name} isReadOnly=${state.isReadOnly} isInvalid=${refused !== ""}
            check=${text => problemOfName(state, element, text)} onChange=${rename} />
            ${refused && html`<p class="field-problem" role="alert">${refused}</p>`}
            <${Problems} state=${state} elements=${[element]} facet="name" client=${client} /></div></div>`;
}

/** @param {{client: ModelClient, state: ModelState, elements: ModelElement[], facet: Facet}} props */
function Setting({ client, state, elements, facet }) {
    const [refused, setRefused] = useState("");
    const values = elements.map(each => valueOf(state, each, facet.name));
    const texts = new Set(values.map(value => JSON.stringify(value)));
    const value = texts.size === 1 ? values[0] : undefined;
    useEffect(() => setRefused(""), [state.revision]);
    const id = `field-${facet.name}`;
    const change = async next => {
        try {
            setRefused("");
            await set(client, elements, facet.name, next, { quietly: true });
        } catch (error) {
            setRefused(error.message);
        }
    };
    const isWide = ["names", "lists", "entries", "indexElements"].includes(facet.type) || ["predicate", "derivation"].includes(facet.name);
    const isInvalid = refused !== "" || elements.some(each => problemsOf(state, each).some(problem =>
        problem.facet === facet.name && problem.severity === "error"));
    const title = labels[facet.name] ?? facet.title[0].toUpperCase() + facet.title.slice(1);
    return html`<div class=${`setting ${isWide ? "wide" : ""} ${facet.type}`}>
        ${facet.name === "userInfo" ? html`<span></span>` : html`<label for=${id}>${title}</label>`}
        <div class="setting-field">
            <${Field} state=${state} elements=${elements} facet=${facet} id=${id} value=${value} isReadOnly=${state.isReadOnly}
                isInvalid=${isInvalid} onChange=${change}
                ask=${facet.name === "predicate" && elements.length === 1 ? client.completing(elements[0]) : undefined} />
            ${refused && html`<p class="field-problem" role="alert">${refused}</p>`}
            <${Problems} state=${state} elements=${elements} facet=${facet.name} client=${client} />
        </div></div>`;
}

/**
 * The problems of a setting, each with what can be done about it.
 * @param {{client: ModelClient, state: ModelState, elements: ModelElement[], facet: string}} props
 */
function Problems({ client, state, elements, facet }) {
    if (elements.length !== 1) return null;
    const problems = problemsOf(state, elements[0]).filter(problem => problem.facet === facet);
    return problems.map(problem => html`
        <p key=${problem.message} class=${problem.severity === "error" ? "field-problem" : "field-warning"}>
            <${Icon} name=${problem.severity} />${problem.message}
            ${!state.isReadOnly && html`<${Fixes} client=${client} problem=${problem} revision=${state.revision} />`}</p>`);
}

/**
 * Buttons for the fixes of a problem, which are asked for when they are shown.
 * @param {{client: ModelClient, problem: import("./client.js").Problem, revision: number}} props
 */
export function Fixes({ client, problem, revision }) {
    const [fixes, setFixes] = useState(/** @type {{name: string, title: string}[]} */([]));
    useEffect(() => {
        let isCurrent = true;
        if (problem.element === null) return;
        client.ask("fixes", { element: problem.element }).then(answer => {
            const found = answer.problems.find(each => each.message === problem.message);
            if (isCurrent) setFixes(found?.fixes ?? []);
        }, () => {});
        return () => { isCurrent = false; };
    }, [revision, problem.element, problem.message]);
    return html`<span class="fixes">${fixes.map(fix => html`
        <button type="button" key=${fix.title} class="fix" onClick=${event => {
            event.stopPropagation();
            client.perform({ command: "applyFix", fix: fix.name, element: problem.element });
        }}>${fix.title}</button>`)}</span>`;
}

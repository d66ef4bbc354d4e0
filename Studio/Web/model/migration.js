// The panel of a migration: what became of each entity, what stands in the way, the mapping and the SQL.
import { html, useState } from "../lib/preact.js";
import { pathOf, post } from "../api.js";
import { useAnswer } from "../asking.js";
import { Icon } from "../shell/icons.js";
import { useDocuments } from "../shell/documents.js";

/** @import { ModelClient, ModelState } from "./client.js" */

/** @param {{client: ModelClient, state: ModelState}} props */
export function MigrationPanel({ client, state }) {
    const { stores } = useDocuments();
    const others = state.versions.filter(each => each.name !== state.version);
    const usual = state.versions.find(each => each.name === state.version)?.predecessor ?? others[0]?.name;
    const [chosen, setChosen] = useState(null);
    const [store, setStore] = useState("");
    const from = chosen !== null && others.some(each => each.name === chosen) ? chosen : usual;

    const isAlone = from === undefined || from === null;
    const { answer: found, error } = useAnswer(
        signal => isAlone ? null : post(pathOf("models", client.id, "migration"), { version: state.version, from, store: store || null }, { signal }),
        [state.revision, state.version, from, store]);
    const answer = error === "" ? found : null;

    if (isAlone) {
        return html`<p class="empty">There is one version only: add another to see how stores would be migrated.</p>`;
    }
    return html`<div class="migration">
        <div class="panel-head">
            <label>From <select value=${from} onChange=${event => setChosen(event.target.value)}>
                ${others.map(each => html`<option key=${each.name} value=${each.name}>${each.name}</option>`)}</select></label>
            <span>to <b>${state.version}</b></span>
            <label>for <select aria-label="Store" value=${store} onChange=${event => setStore(event.target.value)}>
                <option value="">a store without objects</option>
                ${stores.map(each => html`<option key=${each.id} value=${each.id}>${each.name}</option>`)}</select></label>
            ${answer !== null && html`<${Method} plan=${answer.plan} />`}
        </div>
        ${error && html`<p class="field-problem panel-text"><${Icon} name="error" />${error}</p>`}
        ${answer !== null && html`<${Plan} answer=${answer} />`}
    </div>`;
}

/** What each method of a migration means. @type {Record<string, [string, string]>} */
const methods = {
    "none needed": ["good", "Stores can be opened as they are"],
    "in place": ["good", "Migrated in place"],
    copying: ["warning", "Migrated by copying"],
    impossible: ["danger", "No mapping can be inferred"],
};

/** @param {{plan: any}} props */
function Method({ plan }) {
    const [tone, text] = plan.violations.length > 0 ? ["danger", "Refused, as its objects are"] : methods[plan.method] ?? ["", plan.method];
    return html`<span class=${`method ${tone}`}>${text}${plan.reason ? `: ${plan.reason}` : ""}</span>
        ${plan.objects > 0 && html`<span class="quiet migration-counts">${plan.objects.toLocaleString("en-US")} objects, about ${plan.estimatedRows.toLocaleString("en-US")} rows written</span>`}`;
}

/** @param {{answer: any}} props */
function Plan({ answer }) {
    const { entities, mapping, plan } = answer;
    const inTheWay = [...answer.obstacles, ...plan.violations];
    const changed = entities.filter(each => each.entity === null || each.was === null || each.was !== each.entity
        || each.properties.length > 0 || each.removed.length > 0);
    return html`
        ${inTheWay.length > 0 && html`<ul class="obstacles" aria-label="Obstacles">
            ${inTheWay.map((each, index) => html`<li key=${index} class="field-problem"><${Icon} name="error" />
                <b>${each.entity}${each.property && `.${each.property}`}</b>${" "}
                ${each.reason}${each.objects !== undefined && `: ${each.objects.toLocaleString("en-US")} objects`}</li>`)}</ul>`}
        <div class="migration-columns">
            <section aria-label="Changes"><h3>What becomes of entities</h3>
                ${changed.length === 0 ? html`<p class="quiet">All stay as they are.</p>` : html`<ul class="words">${changed.map(each => entityLine(each, plan))}</ul>`}</section>
            <section aria-label="Mapping"><h3>Mapping</h3><ul class="words">${mapping.map(each => html`
                <li key=${each.name}><details><summary>${each.from ?? "new"} → ${each.to ?? "removed"} <span class="quiet">${each.kind}</span></summary>
                    <dl class="mapping">${each.properties.map(one => html`<div key=${one.property}><dt>${one.property}</dt><dd class="code">${one.value ?? "default"}</dd></div>`)}</dl></details></li>`)}</ul></section>
            <section aria-label="Statements"><h3>Statements <span class="quiet">${plan.statements.length || ""}</span></h3>
                <ol class="statements">${plan.statements.map((each, index) => html`<li key=${index}><span class="quiet">${each.title}</span><code>${each.sql}</code></li>`)}</ol></section>
        </div>`;
}

function entityLine(each, plan) {
    const count = plan.entities.find(one => one.entity === (each.entity ?? each.was))?.objects ?? 0;
    const details = [
        ...(each.properties ?? []).map(one => one.was === null ? `${one.property} is new` : `${one.property} was ${one.was}`),
        ...(each.removed ?? []).map(name => `${name} goes`),
    ].join(", ");
    if (each.entity === null) return html`<li key=${each.was} class="removed"><span class="sign">-</span><b>${each.was}</b></li>`;
    const tone = each.was === null ? "added" : each.was === each.entity ? "modified" : "renamed";
    const sign = { added: "+", modified: "~", renamed: ">" }[tone];
    return html`<li key=${each.entity} class=${tone}><span class="sign">${sign}</span><b>${each.entity}</b>
        ${tone === "renamed" && ` was ${each.was}`}${details && html` <span class="quiet">${details}</span>`}
        ${count > 0 && html`<span class="note">${count.toLocaleString("en-US")}</span>`}</li>`;
}

// The panels below a model: problems, changes, migration, classes, XML.
import { html, useState } from "../lib/preact.js";
import { bytes } from "../api.js";
import { useAnswer } from "../asking.js";
import { Icon } from "../shell/icons.js";
import { Fixes } from "./inspector.js";
import { MigrationPanel } from "./migration.js";

/** @import { ModelClient, ModelState } from "./client.js" */

/**
 * @param {ModelClient} client @param {ModelState} state
 * @param {{problem: number, showProblem: (index: number) => void, entity: string|undefined}} view
 * @returns {import("../shell/frame.js").Panel[]}
 */
export function panelsOf(client, state, view) {
    const errors = state.diagnostics.filter(each => each.severity === "error").length;
    const count = state.diagnostics.length;
    return [
        {
            id: "problems", title: "Problems", badge: count || undefined,
            tone: errors > 0 ? "error" : count > 0 ? "warning" : "quiet",
            render: () => html`<${ProblemsPanel} client=${client} state=${state} view=${view} />`,
        },
        {
            id: "changes", title: "Changes", badge: state.unsaved.length || undefined, tone: state.unsaved.length > 0 ? "changed" : "quiet",
            render: () => html`<${ChangesPanel} client=${client} state=${state} />`,
        },
        { id: "migration", title: "Migration", render: () => html`<${MigrationPanel} client=${client} state=${state} />` },
        { id: "classes", title: "Classes", render: () => html`<${ClassesPanel} client=${client} state=${state} entity=${view.entity} />` },
        { id: "xml", title: "XML", render: () => html`<${TextOf} client=${client} name="contents" revision=${state.revision} label="XML of the version" />` },
    ];
}

function ProblemsPanel({ client, state, view }) {
    const problems = state.diagnostics;
    if (problems.length === 0) return html`<p class="empty">No problems.</p>`;
    return html`<ul class="problems" aria-label="Problems">${problems.map((problem, index) => html`
        <li key=${index} class=${problem.severity} aria-current=${index === view.problem ? "true" : undefined}>
            <button class="problem" onClick=${() => view.showProblem(index)}>
                <${Icon} name=${problem.severity} title=${problem.severity} />
                <b>${problem.path || "Model"}</b><span>${problem.message}</span></button>
            ${index === view.problem && !state.isReadOnly && html`<${Fixes} client=${client} problem=${problem} revision=${state.revision} />`}
        </li>`)}</ul>`;
}

/** @param {{client: ModelClient, state: ModelState}} props */
function ChangesPanel({ client, state }) {
    const [against, setAgainst] = useState("saved");
    const [form, setForm] = useState("words");
    const { answer, error } = useAnswer(signal => client.ask("changes", { against }, signal),
        [state.revision, state.unsaved.length, state.version, against]);
    const others = state.versions.filter(each => each.name !== state.version);
    const lines = answer === null ? [] : against === "saved" ? answer.all : answer.lines;
    return html`<div class="changes">
        <div class="panel-head"><label>Compared with <select value=${against} onChange=${event => setAgainst(event.target.value)}>
                <option value="saved">what is saved</option>
                ${others.map(each => html`<option key=${each.name} value=${each.name}>version ${each.name}</option>`)}</select></label>
            <div class="segments" role="group" aria-label="Form">
                <button aria-pressed=${form === "words"} onClick=${() => setForm("words")}>Words</button>
                <button aria-pressed=${form === "xml"} onClick=${() => setForm("xml")}>XML</button></div>
            ${answer !== null && answer.incompatibleEntities.length > 0 && html`<span class="field-warning">
                <${Icon} name="warning" />Stores have to be migrated: ${answer.incompatibleEntities.join(", ")}</span>`}
        </div>
        ${error && html`<p class="field-problem">${error}</p>`}
        ${answer !== null && (form === "words" ? html`<${Words} lines=${lines} />` : html`<${LineDiff} hunks=${answer.xml} />`)}
    </div>`;
}

/** The class of a change by its first character. @type {Record<string, string>} */
const tones = { "+": "added", "-": "removed", "~": "modified", ">": "renamed" };

/** @param {{lines: string[]}} props */
export const Words = ({ lines }) => lines.length === 0 ? html`<p class="empty">No changes.</p>` : html`
    <ul class="words">${lines.map((line, index) => {
        const at = line.search(/[+\-~>] /);
        return html`<li key=${index} class=${tones[line[at]] ?? ""}><span class="sign">${line[at]}</span>${line.slice(0, at)}${line.slice(at + 2)}</li>`;
    })}</ul>`;

/** @param {{hunks: {kind: string, old: number|null, new: number|null, text: string}[][]}} props */
const LineDiff = ({ hunks }) => hunks.length === 0 ? html`<p class="empty">No changes.</p>` : html`
    <table class="diff code" aria-label="Changed lines">${hunks.map((hunk, index) => html`
        <tbody key=${index}>${hunk.map((line, at) => html`
            <tr key=${at} class=${line.kind}><td class="number">${line.old}</td><td class="number">${line.new}</td>
                <td class="sign">${line.kind === "added" ? "+" : line.kind === "removed" ? "−" : ""}</td><td class="line">${line.text}</td></tr>`)}</tbody>`)}
    </table>`;

/** @param {{client: ModelClient, state: ModelState, entity: string|undefined}} props */
function ClassesPanel({ client, state, entity }) {
    const [style, setStyle] = useState("");
    const [isAll, setAll] = useState(false);
    const one = isAll ? undefined : entity;
    return html`<div class="panel-head"><label>Style <select value=${style} onChange=${event => setStyle(event.target.value)}>
            <option value="">as the model says</option><option value="class">class</option><option value="category">category</option></select></label>
            ${entity !== undefined && html`<label><input type="checkbox" checked=${isAll} onChange=${event => setAll(event.target.checked)} /> all entities</label>`}
        </div>
        <${TextOf} client=${client} name="classes" revision=${state.revision} fields=${{ entity: one, style: style || undefined }} label="Generated classes" />`;
}

/**
 * A text that the studio makes of the model.
 * @param {{client: ModelClient, name: string, revision: number, fields?: Record<string, any>, label: string}} props
 */
function TextOf({ client, name, revision, fields = {}, label }) {
    const { answer, error } = useAnswer(async signal => (await bytes(client.address(name, fields), { signal })).text(),
        [revision, client.version, name, JSON.stringify(fields)]);
    const text = answer ?? "";
    if (error) return html`<p class="field-problem panel-text">${error}</p>`;
    return html`<div class="panel-text"><button class="copy" onClick=${() => navigator.clipboard?.writeText(text)}>Copy</button>
        <pre tabindex="0" aria-label=${label}>${text}</pre></div>`;
}

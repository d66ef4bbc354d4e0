// The tabs of a store beside its rows: statement, history, check, metadata, export.
import { html, useEffect, useRef, useState } from "../lib/preact.js";
import { change, download, get, onEvent, pathOf, post, remove } from "../api.js";
import { useAnswer, Waiting } from "../asking.js";
import { urlOf } from "../router.js";
import { Icon } from "../shell/icons.js";
import { notifyError } from "../shell/notices.js";
import { dateText } from "./cells.js";
import { objectUrl } from "./members.js";

/** @typedef {{store: any, entity: any, route: any}} TabProps */

const queryOf = (route, entity) => ({
    entity: entity.name, filter: route.query.filter ?? "",
    sort: (route.query.sort ?? "").split(",").filter(each => each !== ""),
});

/** @param {TabProps} props */
export function StatementTab({ store, entity, route }) {
    const { answer, error } = useAnswer(
        signal => post(pathOf("stores", store.id, "statement"), queryOf(route, entity), { signal }), [route.url, entity.name]);
    if (error !== "" || answer === null) return html`<${Waiting} className="tab-page" error=${error} />`;
    if (answer.sql === null) return html`<div class="tab-page"><p>${answer.note}</p></div>`;
    return html`
        <div class="tab-page">
            <p class="quiet">The statement of the rows of ${entity.name}${route.query.filter ? " with the filter" : ""}:
                the first ${answer.rows} rows in ${answer.milliseconds.toFixed(1)} ms.</p>
            <h3>SQL</h3><pre class="statement">${answer.text.split("\n\n")[0]}</pre>
            ${answer.bindings.length > 0 && html`<h3>Values</h3><table class="plain-table"><tbody>${answer.bindings.map((each, index) => html`
                <tr><td class="quiet">?${index + 1}</td><td class="code">${typeof each === "string" ? `"${each}"` : JSON.stringify(each)}</td></tr>`)}</tbody></table>`}
            <h3>Plan</h3><ol class="plan">${answer.plan.map(each => html`
                <li class=${each.isScan ? "scan" : ""}><span class="code">${each.text}</span>${each.isScan && html`
                    <span class="scan-note"><${Icon} name="warning" /> reads the whole table</span>`}</li>`)}</ol>
        </div>`;
}

const historyPage = 300;
const mostHistory = 5000;

/** @param {TabProps} props */
export function HistoryTab({ store, entity }) {
    const [author, setAuthor] = useState("");
    const [isOfEntity, setOfEntity] = useState(false);
    const [count, setCount] = useState(historyPage);
    const [authors, setAuthors] = useState([]);
    const [round, setRound] = useState(0);
    useEffect(() => onEvent("store", data => { if (data.store === store.id) setRound(before => before + 1); }), [store.id]);
    const { answer, error } = useAnswer(async signal => {
        const fields = new URLSearchParams({ count: String(count), ...(author === "" ? {} : { author }), ...(isOfEntity ? { entity: entity.name } : {}) });
        return { transactions: await get(`${pathOf("stores", store.id, "history")}?${fields}`, { signal }) };
    }, [store.id, author, isOfEntity, entity.name, count, round]);
    const transactions = answer?.transactions;
    useEffect(() => {
        const names = (transactions ?? []).map(each => each.author).filter(Boolean);
        setAuthors(before => [...new Set([...before, ...names])].sort());
    }, [transactions]);
    if (error !== "" || transactions === undefined) return html`<${Waiting} className="tab-page" error=${error} />`;
    if (transactions === null) return html`<div class="tab-page"><p>This store keeps no history. An app turns it on with the option
        <code> NSPersistentHistoryTrackingKey</code>.</p></div>`;
    return html`
        <div class="tab-page">
            <div class="tab-tools">
                <label>Author <select value=${author} onChange=${event => setAuthor(event.target.value)}>
                    <option value="">all</option>${authors.map(each => html`<option value=${each}>${each}</option>`)}</select></label>
                <label><input type="checkbox" checked=${isOfEntity} onChange=${() => setOfEntity(!isOfEntity)} /> only ${entity.name}</label>
                <span class="quiet">${transactions.length} ${transactions.length === 1 ? "transaction" : "transactions"}, newest first</span>
            </div>
            <ol class="history">${[...transactions].reverse().map(each => html`
                <li key=${each.number}><details open=${each.changes.length <= 3}>
                    <summary><${Icon} name="chevron" /><b>${each.number}</b> <time>${dateText(each.date)}</time> ${each.author !== null && html`<span class="chip">${each.author}</span>`}
                        <span class="quiet">${[each.context, each.process].filter(Boolean).join(" · ")}</span>
                        <span class="badge">${each.changes.length}</span></summary>
                    <ul>${each.changes.slice(0, 500).map(change => html`
                        <li><span class=${"pending-kind " + change.kind}>${change.kind}</span>
                            <a href=${objectUrl(store.id, change.object)}>${change.object}</a>
                            <span class="quiet">${change.properties.join(", ")}</span>
                            ${Object.keys(change.tombstone).length > 0 && html`<span class="code">${JSON.stringify(change.tombstone)}</span>`}</li>`)}
                        ${each.changes.length > 500 && html`<li class="quiet">and ${(each.changes.length - 500).toLocaleString("en-US")} more</li>`}</ul>
                </details></li>`)}</ol>
            ${transactions.length === count && count < mostHistory && html`<p><button class="plain"
                onClick=${() => setCount(Math.min(mostHistory, count + historyPage))}>Older transactions</button></p>`}
        </div>`;
}

/** Runs a task, and follows it. @param {string} store */
function useTask(store) {
    const [task, setTask] = useState(null);
    // Those of a short task come before the answer that names it.
    const news = useRef(new Map());
    useEffect(() => onEvent("progress", data => {
        if (data.task === undefined) return;
        news.current.set(data.task, data);
        setTask(before => before?.task === data.task ? { ...before, ...data } : before);
    }), []);
    const start = async body => {
        try {
            const { task: id } = await change(pathOf("stores", store, "tasks"), body);
            setTask({ task: id, state: "running", done: 0, total: 0, ...news.current.get(id) });
        } catch (error) {
            notifyError(error);
        }
    };
    const cancel = () => task !== null && remove(pathOf("tasks", task.task)).catch(notifyError);
    return { task, start, cancel };
}

/** @param {{task: any, cancel: () => void}} props */
function TaskState({ task, cancel }) {
    if (task === null) return null;
    if (task.state === "running") {
        return html`<div class="task"><progress max=${task.total || undefined} value=${task.total ? task.done : undefined}></progress>
            <span class="quiet">${task.total > 0 ? `${task.done} of ${task.total}` : "begins"}</span>
            <button onClick=${cancel}>Cancel</button></div>`;
    }
    if (task.state === "failed") return html`<p class="field-problem">${task.message}</p>`;
    return task.state === "cancelled" ? html`<p class="quiet">cancelled</p>` : null;
}

/** @param {TabProps} props */
export function CheckTab({ store }) {
    const { task, start, cancel } = useTask(store.id);
    const isDone = task?.state === "done";
    const { copy, repaired = [], left = task?.result } = isDone ? task.result : {};
    return html`
        <div class="tab-page">
            <p>Reads every table and relationship of the store, and looks for damage: broken pages, missing objects, wrong counters, files without rows.</p>
            <div class="tab-tools"><button class="main" onClick=${() => start({ kind: "check" })}>Check all</button>
                <button onClick=${() => start({ kind: "check", quick: true })}>Quick check</button></div>
            <${TaskState} task=${task} cancel=${cancel} />
            ${copy !== undefined && html`<p>The repaired copy is <code>${copy}</code>; the store itself stays as it is.</p>
                <ul class="findings repaired">${repaired.map(each => html`<li><${Icon} name="check" />${each}</li>`)}</ul>`}
            ${isDone && (left.length === 0 ? html`<p class="check-good"><${Icon} name="check" /> ${
                copy === undefined ? "Nothing was found: the store is sound." : "Nothing is left: the copy is sound."}</p>`
                : html`${copy !== undefined && html`<h3>Left in the copy</h3>`}<ul class="findings">${left.map(each => html`
                    <li><${Icon} name="warning" /><div><b>${each.text}</b>${each.repair === null
                        ? html`<span class="quiet">Only a person who knows the app can decide what is right.</span>`
                        : html`<span class="quiet">A repair would ${each.repair}.</span>`}</div></li>`)}</ul>`)}
            ${isDone && copy === undefined && left.some(each => each.repair !== null) && html`<div class="tab-tools">
                <button class="main" onClick=${() => start({ kind: "repair" })}>Repair a copy</button></div>`}
        </div>`;
}

/** @param {TabProps & {counts: any}} props */
export function MetadataTab({ store, counts }) {
    const { metadata, differences } = store;
    const rows = [
        ["Place", store.path], ["Type", metadata.type], ["UUID", metadata.uuid], ["Model", metadata.model],
        ["Model identifiers", metadata.versionIdentifiers.join(", ")], ["Checksum", metadata.checksum ?? ""],
        ["Written by framework", metadata.framework ?? ""],
        ["Opened", store.mayEdit ? "for editing" : store.isCopy ? "as a copy, since its log belongs to no process" : "for reading only"],
        ...Object.entries(metadata.others),
    ];
    return html`
        <div class="tab-page">
            <table class="plain-table"><tbody>${rows.filter(([, value]) => value !== "").map(([name, value]) => html`
                <tr><th scope="row">${name}</th><td class="code">${value}</td></tr>`)}</tbody></table>
            ${differences.length > 0 && html`<p class="field-warning">Another version of the model has ${differences.join(", ")}.</p>`}
            <h3>Entities</h3>
            <table class="plain-table"><thead><tr><th>Name</th><th>Parent</th><th class="right">Objects</th><th class="right">Attributes</th><th class="right">Relationships</th></tr></thead>
                <tbody>${store.entities.map(each => html`<tr><td><a href=${urlOf(["stores", store.id, "rows", each.name])}>${each.name}</a></td>
                    <td>${each.parent ?? ""}</td><td class="right">${counts[each.name]?.own ?? ""}</td>
                    <td class="right">${each.properties.filter(one => one.kind === "attribute").length}</td>
                    <td class="right">${each.properties.filter(one => one.kind.startsWith("to")).length}</td></tr>`)}</tbody></table>
            <p class="quiet">Classes of the app are not run here: transformable values are shown as their bytes, and only the model's rules are checked.</p>
        </div>`;
}

/** @param {TabProps} props */
export function ExportTab({ store, entity, route }) {
    const { task, start, cancel } = useTask(store.id);
    useEffect(() => {
        if (task?.state === "done" && task.file) download("/" + task.file).catch(notifyError);
    }, [task?.state]);
    return html`
        <div class="tab-page">
            <h3>The rows of this list</h3>
            <p class="quiet">${entity.name}${route.query.filter ? html` where <code>${route.query.filter}</code>` : ""}, as a table with the columns of the grid.</p>
            <div class="tab-tools"><button class="main" onClick=${() => start({ kind: "export", format: "csv", ...queryOf(route, entity) })}>
                <${Icon} name="download" /> Save as CSV</button></div>
            <h3>Objects with their relationships</h3>
            <p class="quiet">Lines of JSON, from which <code>coredata import</code> makes a store again.</p>
            <div class="tab-tools"><button onClick=${() => start({ kind: "export" })}><${Icon} name="download" /> The whole store</button>
                <button onClick=${() => start({ kind: "export", entities: [entity.name] })}><${Icon} name="download" /> ${entity.name} only</button></div>
            <${TaskState} task=${task} cancel=${cancel} />
            ${task?.state === "done" && html`<p class="check-good"><${Icon} name="check" /> Ready.</p>`}
        </div>`;
}

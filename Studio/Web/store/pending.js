// What is changed and not saved: the list below the page, and the choice after a conflict.
import { html, useState } from "../lib/preact.js";
import { useObservable } from "../observable.js";
import { Dialog } from "../shell/dialogs.js";
import { IconButton } from "../shell/icons.js";
import { byteText, cellText } from "./cells.js";

/** @import { Conflict, Edits } from "./edits.js" */

export const changeWords = { insert: "new", update: "changed", delete: "deleted" };

/** @param {any} store @param {string} entity @param {string} key */
const columnOf = (store, entity, key) =>
    store.entities.find(each => each.name === entity)?.properties.find(each => each.name === key)
    ?? { name: key, kind: "attribute" };

/** @param {{edits: Edits, store: any, onOpen: (change: any) => void}} props */
export function PendingList({ edits, store, onOpen }) {
    const { changes, problems } = useObservable(edits.pending);
    if (changes.length === 0) return html`<p class="pending-none quiet">Nothing is changed. Edits wait here until they are saved.</p>`;
    return html`
        <table class="pending"><thead><tr><th>Object</th><th>Change</th><th></th></tr></thead><tbody>${changes.map(change => html`
            <tr key=${change.id} class=${change.kind}>
                <td><button class="record-link" onClick=${() => onOpen(change)}>${change.title ?? change.id}
                    <span class="quiet">${change.id}</span></button> <span class=${"pending-kind " + change.kind}>${changeWords[change.kind]}</span></td>
                <td>${Object.entries(change.values).filter(([, { from, to }]) => change.kind === "update" || to !== null).map(([key, { from, to }]) => {
                    const column = columnOf(store, change.entity, key);
                    return html`<div class="pending-value"><b>${key}</b> ${change.kind === "update" && html`<del>${shown(from, column)}</del> → `}<ins>${shown(to, column)}</ins></div>`;
                })}
                ${problems.filter(each => each.object === change.id).map(each => html`
                    <p class="field-problem">${each.key !== null && html`<b>${each.key}</b>: `}${each.message}</p>`)}</td>
                <td><${IconButton} name="undo" title="Discard" label=${`Discard the changes of ${change.id}`}
                    onClick=${() => edits.discard(change.id)} /></td>
            </tr>`)}</tbody></table>`;
}

const shown = (value, column) => value === null ? "null" : cellText(value, column).text;

/** Shows, after a save that was refused, what others changed: theirs and mine. @param {{edits: Edits, store: any}} props */
export function ConflictDialog({ edits, store }) {
    const conflicts = useObservable(edits.conflicts);
    if (conflicts.length === 0) return null;
    return html`<${Choices} key=${JSON.stringify(conflicts)} edits=${edits} store=${store} conflicts=${conflicts} />`;
}

/** @param {{edits: Edits, store: any, conflicts: Conflict[]}} props */
function Choices({ edits, store, conflicts }) {
    const [keep, setKeep] = useState(() => conflicts.map(each => String(each.kind === "deleted" ? "theirs" : "")));
    const text = (each, value) => {
        const column = columnOf(store, each.object.split("/")[0], each.key ?? "");
        if (value === null) return "null";
        if (column.type === "binary") return byteText(Math.floor(value.replaceAll("=", "").length * 3 / 4));
        return column.kind === "attribute" ? cellText(value, column).text : String(value);
    };
    const all = which => setKeep(conflicts.map((each, index) => each.kind === "deleted" ? keep[index] : which));
    const titleOf = id => {
        const title = edits.pending.value.changes.find(each => each.id === id)?.title;
        return html`${title ?? id}${title && html` <span class="quiet">${id}</span>`}`;
    };
    const choose = (index, which) =>
        setKeep(keep.map((each, position) => position === index ? which : each));
    const option = (index, which, title, value) => html`
        <label class="conflict-choice"><input type="radio" name=${`conflict-${index}`} checked=${keep[index] === which}
            onChange=${() => choose(index, which)} /><b>${title}</b> <span class="code">${value}</span></label>`;
    const save = () => edits.save(conflicts.map((each, index) => ({ object: each.object, ...(each.key === undefined ? {} : { key: each.key }), keep: keep[index] })));
    return html`
        <${Dialog} title="Changed meanwhile" className="conflicts" onClose=${() => edits.conflicts.set([])}>
            <p>Another program has written what you are about to save. Choose what is kept.</p>
            ${conflicts.length > 1 && html`<div class="conflict-all"><button class="plain" onClick=${() => all("theirs")}>Take all of theirs</button>
                <button class="plain" onClick=${() => all("mine")}>Keep all of mine</button></div>`}
            ${conflicts.map((each, index) => html`
                <fieldset><legend>${titleOf(each.object)}${each.key !== undefined && html` · <b>${each.key}</b>`}</legend>
                    ${each.kind === "value" && html`<div class="quiet">It was <span class="code">${text(each, each.base)}</span>.</div>
                        ${option(index, "theirs", "Theirs", text(each, each.theirs))}${option(index, "mine", "Mine", text(each, each.mine))}`}
                    ${each.kind === "changed" && html`${option(index, "theirs", "Keep it", "as they changed it")}${option(index, "mine", "Delete it", "all the same")}`}
                    ${each.kind === "deleted" && html`<p>They deleted this object. Your changes of it are given up.</p>`}
                </fieldset>`)}
            <div class="dialog-buttons"><button onClick=${() => edits.conflicts.set([])}>Not now</button>
                <button class="main" disabled=${keep.includes("")} onClick=${save}>Save</button></div>
        <//>`;
}

// The editor of data: it is replaced by a file, or typed as text if it is text.
import { html, useState } from "../lib/preact.js";
import { bytes, download } from "../api.js";
import { notify, notifyError } from "../shell/notices.js";
import { byteText } from "./cells.js";
import { editorKeys } from "./editorkeys.js";
import { dataPath } from "./values.js";

/** A request has at most 8 MB, of which Base64 takes a third. */
const mostBytes = 6_000_000;
const longestText = 100_000;

/** Writes bytes as Base64. @param {Blob} blob @returns {Promise<string>} */
const base64 = blob => new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(",")[1] ?? "");
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
});

export function DataEditor({ store, record, column, value, edits, editing, onEditing }) {
    const [text, setText] = useState(null);
    const isEditing = editing === column.name;
    const length = value?.length ?? 0;
    const path = dataPath(store, record.id, column.name);
    const set = async blob => {
        if (blob !== null && blob.size > mostBytes) {
            return void notify({ title: `${byteText(blob.size)} are too much`, detail: `The page can store ${byteText(mostBytes)} in a value.`, tone: "error" });
        }
        const next = blob === null ? null : await base64(blob);
        if (!await edits.set(record.id, column.name, next)) return;
        setText(null);
        onEditing("");
    };
    const editText = async () => {
        try {
            const content = length === 0 ? new ArrayBuffer(0) : await (await bytes(path)).arrayBuffer();
            setText(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content));
        } catch (error) {
            if (error instanceof TypeError) notify({ title: "These bytes are no text", detail: "They can be replaced by a file." });
            else notifyError(error);
        }
    };
    if (text !== null) {
        return html`<textarea rows="8" class="code" aria-label=${column.name} value=${text}
                onKeyDown=${editorKeys({ isLong: true, keep: () => set(new Blob([text])), revert: () => setText(null) })}
                ref=${field => field?.focus()}
                onInput=${event => setText(event.target.value)}></textarea>
            <span class="quiet record-hint"><kbd>Ctrl+Enter</kbd> keeps, <kbd>Esc</kbd> reverts</span>`;
    }
    return html`
        <div class="data-tools">
            <label class="data-file"><input type="file" class="visually-hidden" aria-label=${`Replace ${column.name} by a file`}
                ref=${field => isEditing && field?.focus()}
                onChange=${event => event.target.files[0] && void set(event.target.files[0])} />
                <span>${value === null ? "From a file…" : "Replace…"}</span></label>
            ${length <= longestText && html`<button class="plain" onClick=${editText}>Edit as text</button>`}
            ${value !== null && html`<button class="plain" onClick=${() => download(path).catch(notifyError)}>Save as…</button>
                <button class="plain" onClick=${() => set(null)}>Set null</button>`}
        </div>`;
}

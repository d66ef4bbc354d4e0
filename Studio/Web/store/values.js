// Values that need room: pictures, property lists, bytes and long texts.
import { html, useEffect, useState } from "../lib/preact.js";
import { bytes, pathOf } from "../api.js";
import { useAnswer } from "../asking.js";
import { byteText } from "./cells.js";
import { parsePropertyList } from "./plist.js";

const pictures = new Set(["png", "jpeg", "gif", "webp"]);
const mostBytes = 4096;
const largestPicture = 64_000_000;

/** @param {string} store @param {string} object @param {string} key */
export const dataPath = (store, object, key) => pathOf("stores", store, "objects", ...object.split("/"), key, "data");

/**
 * Shows data as a picture, a tree, text or bytes.
 * @param {{store: string, object: string, name: string, value: {bytes: string, length: number, kind: string|null}, version: number}} props
 */
export function DataValue({ store, object, name, value, version }) {
    const isPicture = pictures.has(value.kind ?? "") && value.length <= largestPicture;
    const isList = value.kind === "property list" || value.kind === "xml";
    const forms = [...(isPicture ? ["picture"] : []), ...(isList ? ["tree"] : []), "bytes", "text"];
    const [chosen, setForm] = useState(forms[0]);
    const form = forms.includes(chosen) ? chosen : forms[0];
    return html`
        <div class="data-value">
            <div class="data-head">
                <span>${byteText(value.length)}${value.kind !== null && ` · ${value.kind}`}</span>
                <div class="segments" role="group" aria-label="Shown as">${forms.map(each => html`
                    <button aria-pressed=${each === form} onClick=${() => setForm(each)}>${each}</button>`)}</div>
            </div>
            ${form === "picture" ? html`<${Picture} path=${dataPath(store, object, name)} name=${name} version=${version} />`
            : html`<${Bytes} key=${form} path=${dataPath(store, object, name)} length=${value.length} form=${form} version=${version} />`}
        </div>`;
}

/** @param {{path: string, name: string, version: number}} props */
function Picture({ path, name, version }) {
    const { answer, error } = useAnswer(signal => bytes(path, { signal }), [path, version]);
    // Only the types that the studio has checked are shown: anything else is bytes.
    const isPicture = answer?.type.startsWith("image/");
    const [{ url, isDamaged }, setShown] = useState({ url: "", isDamaged: false });
    useEffect(() => {
        if (!isPicture) return;
        const made = URL.createObjectURL(answer);
        setShown({ url: made, isDamaged: false });
        return () => URL.revokeObjectURL(made);
    }, [answer]);
    const problem = error || isPicture === false && "This is no picture." || isDamaged && "The picture is damaged.";
    if (problem) return html`<p class="field-problem">${problem}</p>`;
    return url === "" ? html`<p class="quiet">reading…</p>`
        : html`<img class="data-picture" src=${url} alt=${name} onError=${() => setShown({ url, isDamaged: true })} />`;
}

/** @param {{path: string, length: number, form: string, version: number}} props */
function Bytes({ path, length, form, version }) {
    const [count, setCount] = useState(form === "tree" ? Math.min(length, 4_000_000) : mostBytes);
    const { answer: content, error } = useAnswer(
        async signal => new Uint8Array(await (await bytes(`${path}?from=0&count=${Math.min(count, length)}`, { signal })).arrayBuffer()),
        [path, count, length, version]);
    if (error !== "") return html`<p class="field-problem">${error}</p>`;
    if (content === null) return html`<p class="quiet">reading…</p>`;
    const more = content.length < length && html`
        <button class="plain" onClick=${() => setCount(count * 8)}>more of ${byteText(length)}</button>`;
    if (form === "tree") return html`<${PropertyList} content=${content} />`;
    const text = form === "text" ? new TextDecoder().decode(content) : hexadecimal(content);
    return html`<pre class=${"data-text " + form} tabindex="0">${text}</pre>${more}`;
}

/** Writes bytes as sixteen a line, with their characters. @param {Uint8Array} content */
function hexadecimal(content) {
    const lines = [];
    for (let start = 0; start < content.length; start += 16) {
        const part = [...content.subarray(start, start + 16)];
        const digits = part.map(byte => byte.toString(16).padStart(2, "0")).join(" ");
        const letters = part.map(byte => byte > 31 && byte < 127 ? String.fromCharCode(byte) : "·").join("");
        lines.push(`${start.toString(16).padStart(6, "0")}  ${digits.padEnd(47)}  ${letters}`);
    }
    return lines.join("\n");
}

/** @param {{content: Uint8Array}} props */
function PropertyList({ content }) {
    let value;
    try {
        value = parsePropertyList(content);
    } catch (error) {
        return html`<p class="quiet">${`Not shown as a tree: ${error.message}`}</p>`;
    }
    return html`<div class="plist"><${PlistNode} name="" value=${value} depth=${0} /></div>`;
}

/** @param {{name: string, value: any, depth: number}} props @returns {any} */
function PlistNode({ name, value, depth }) {
    const label = name === "" ? "" : html`<span class="plist-key">${name}</span>`;
    if (Array.isArray(value) || value?.constructor === Object) {
        const entries = Object.entries(value);
        return html`<details open=${depth < 2}><summary>${label}<span class="quiet">${
            Array.isArray(value) ? `array of ${entries.length}` : `dictionary of ${entries.length}`}</span></summary>
            ${depth < 40 && entries.slice(0, 500).map(([key, part]) => html`<${PlistNode} name=${key} value=${part} depth=${depth + 1} />`)}
        </details>`;
    }
    const text = value instanceof Date ? value.toISOString()
        : value instanceof Uint8Array ? `data, ${byteText(value.length)}` : String(value);
    return html`<div class="plist-leaf">${label}<span>${text}</span></div>`;
}

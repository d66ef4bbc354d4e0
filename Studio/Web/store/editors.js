// The editors of the record: one for plain values, one for composites.
import { html, useEffect, useRef, useState } from "../lib/preact.js";
import { dateText, typeText } from "./cells.js";
import { editorKeys } from "./editorkeys.js";
import { editText, parsed } from "./edits.js";

/** @typedef {import("./cells.js").Column} Column */

/** Edits a value of one attribute. */
export function ValueEditor({ record, column, value, edits, onEditing }) {
    const [before] = useState(() => editText(value, column, dateText));
    const [text, setText] = useState(before);
    const [wrong, setWrong] = useState("");
    const field = useRef(null);
    const isDone = useRef(false);
    const isLong = column.type === "string";
    useEffect(() => {
        field.current?.focus();
        field.current?.select();
    }, []);
    const finish = async () => {
        if (isDone.current) return;
        let next;
        try {
            next = parsed(text, column);
        } catch (error) {
            setWrong(error.message);
            return;
        }
        isDone.current = true;
        if (text !== before) await edits.perform([{ kind: "set", object: record.id, key: column.name, value: next }]);
        onEditing("");
    };
    const revert = () => {
        isDone.current = true;
        onEditing("");
    };
    const shared = {
        ref: field, value: text, "aria-label": column.name, "aria-invalid": wrong !== "", onKeyDown: editorKeys({ keep: finish, revert, isLong }), onBlur: finish,
        onInput: event => { setText(event.target.value); setWrong(""); },
    };
    return html`${isLong ? html`<textarea rows=${Math.min(12, 2 + text.split("\n").length)} ...${shared}></textarea>
            <span class="quiet record-hint"><kbd>Ctrl+Enter</kbd> keeps, <kbd>Esc</kbd> reverts</span>`
        : html`<input ...${shared} />`}${wrong !== "" && html`<p class="field-problem">${wrong}</p>`}`;
}

/** The texts of the elements, also of nested ones. @param {Column[]} elements @param {any} value @returns {any} */
const textsOf = (elements, value) => Object.fromEntries(elements.map(each => [each.name, each.type === "composite"
    ? textsOf(each.elements ?? [], value?.[each.name]) : editText(value?.[each.name], each, dateText)]));

/** Returns the composite value of the texts: null if no element has any. @param {Column[]} elements @param {any} texts @returns {any} */
function valueOf(elements, texts) {
    const values = elements.map(each => {
        if (each.type === "composite") return [each.name, valueOf(each.elements ?? [], texts[each.name])];
        try {
            return [each.name, texts[each.name] === "" ? null : parsed(texts[each.name], each)];
        } catch (error) {
            throw new Error(`${each.name}: ${error.message}`);
        }
    }).filter(([, value]) => value !== null);
    return values.length === 0 ? null : Object.fromEntries(values);
}

/** Edits a composite element by element. */
export function CompositeEditor({ record, column, value, edits, onEditing }) {
    const elements = /** @type {Column[]} */(column.elements ?? []);
    const [before] = useState(() => textsOf(elements, value));
    const [texts, setTexts] = useState(before);
    const [wrong, setWrong] = useState("");
    const box = useRef(null);
    const isDone = useRef(false);
    useEffect(() => box.current?.querySelector("input")?.focus(), []);
    const finish = async () => {
        if (isDone.current) return;
        try {
            const next = valueOf(elements, texts);
            isDone.current = true;
            if (JSON.stringify(texts) !== JSON.stringify(before)) {
                await edits.perform([{ kind: "set", object: record.id, key: column.name, value: next }]);
            }
            onEditing("");
        } catch (error) {
            setWrong(error.message);
        }
    };
    const revert = () => {
        isDone.current = true;
        onEditing("");
    };
    const fields = (list, part, change) => list.map(each => html`
        <label key=${each.name}><span title=${typeText(each)}>${each.name}</span>${each.type === "composite"
            ? html`<div class="composite-editor">${fields(each.elements ?? [], part[each.name], next => change({ ...part, [each.name]: next }))}</div>`
            : html`<input value=${part[each.name]} placeholder=${typeText(each)} onInput=${event => {
                change({ ...part, [each.name]: event.target.value });
                setWrong("");
            }} />`}</label>`);
    return html`
        <div class="composite-editor" ref=${box} onKeyDown=${editorKeys({ keep: finish, revert })} onFocusOut=${event => {
            if (!(event.relatedTarget instanceof Node && box.current?.contains(event.relatedTarget))) void finish();
        }}>${fields(elements, texts, setTexts)}</div>
        <span class="quiet record-hint"><kbd>Enter</kbd> keeps, <kbd>Esc</kbd> reverts, empty is null</span>
        ${wrong !== "" && html`<p class="field-problem">${wrong}</p>`}`;
}

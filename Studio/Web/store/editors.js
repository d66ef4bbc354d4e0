// The editors of the record: one for plain values, one for composites.
import { html, useEffect, useRef, useState } from "../lib/preact.js";
import { typeText } from "./cells.js";
import { editorKeys } from "./editorkeys.js";
import { editText, parsed } from "./edits.js";

/** @import { Column } from "./cells.js" */

/**
 * Ends an editor: what it has is kept once, if it is another value. What is wrong or refused can be mended.
 * @param {any} props those of the editor @param {() => boolean} isSame @param {() => any} read throws what is wrong
 */
function useEnd({ record, column, edits, onEditing }, isSame, read) {
    const [wrong, setWrong] = useState("");
    const isDone = useRef(false);
    const revert = () => {
        isDone.current = true;
        onEditing("");
    };
    const keep = async () => {
        if (isDone.current) return;
        isDone.current = true;
        try {
            const next = read();
            if (isSame() || await edits.set(record.id, column.name, next)) return revert();
        } catch (error) {
            setWrong(error.message);
        }
        isDone.current = false;
    };
    return { wrong, setWrong, keep, revert };
}

/** Edits a value of one attribute. */
export function ValueEditor(props) {
    const { column, value } = props;
    const [before] = useState(() => editText(value, column));
    const [text, setText] = useState(before);
    const { wrong, setWrong, keep, revert } = useEnd(props, () => text === before, () => parsed(text, column));
    const field = useRef(null);
    const isLong = column.type === "string";
    useEffect(() => {
        field.current?.focus();
        field.current?.select();
    }, []);
    const shared = {
        ref: field, value: text, "aria-label": column.name, "aria-invalid": wrong !== "", onKeyDown: editorKeys({ keep, revert, isLong }), onBlur: keep,
        onInput: event => { setText(event.target.value); setWrong(""); },
    };
    return html`${isLong ? html`<textarea rows=${Math.min(12, 2 + text.split("\n").length)} ...${shared}></textarea>
            <span class="quiet record-hint"><kbd>Ctrl+Enter</kbd> keeps, <kbd>Esc</kbd> reverts</span>`
        : html`<input ...${shared} />`}${wrong !== "" && html`<p class="field-problem">${wrong}</p>`}`;
}

/** The texts of the elements, also of nested ones. @param {Column[]} elements @param {any} value @returns {any} */
const textsOf = (elements, value) => Object.fromEntries(elements.map(each => [each.name, each.type === "composite"
    ? textsOf(each.elements ?? [], value?.[each.name]) : editText(value?.[each.name], each)]));

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
export function CompositeEditor(props) {
    const { column, value } = props;
    const elements = /** @type {Column[]} */(column.elements ?? []);
    const [before] = useState(() => textsOf(elements, value));
    const [texts, setTexts] = useState(before);
    const { wrong, setWrong, keep, revert } = useEnd(
        props, () => JSON.stringify(texts) === JSON.stringify(before), () => valueOf(elements, texts));
    const box = useRef(null);
    useEffect(() => box.current?.querySelector("input")?.focus(), []);
    const fields = (list, part, change) => list.map(each => html`
        <label key=${each.name}><span class="cut note" title=${typeText(each)}>${each.name}</span>${each.type === "composite"
            ? html`<div class="composite-editor">${fields(each.elements ?? [], part[each.name], next => change({ ...part, [each.name]: next }))}</div>`
            : html`<input value=${part[each.name]} placeholder=${typeText(each)} onInput=${event => {
                change({ ...part, [each.name]: event.target.value });
                setWrong("");
            }} />`}</label>`);
    return html`
        <div class="composite-editor" ref=${box} onKeyDown=${editorKeys({ keep, revert })} onFocusOut=${event => {
            if (!(event.relatedTarget instanceof Node && box.current?.contains(event.relatedTarget))) void keep();
        }}>${fields(elements, texts, setTexts)}</div>
        <span class="quiet record-hint"><kbd>Enter</kbd> keeps, <kbd>Esc</kbd> reverts, empty is null</span>
        ${wrong !== "" && html`<p class="field-problem">${wrong}</p>`}`;
}

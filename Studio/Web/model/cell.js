// The editor in a cell of a table: a field or a list of choices. Enter keeps, Esc reverts, Tab keeps and moves on.
import { html, useLayoutEffect, useRef, useState } from "../lib/preact.js";
import { CompletionList, Underlined, useCompletion } from "../predicates/completion.js";
import { textOf } from "./elements.js";

/** @import { Column, Row } from "./grid.js" */

/**
 * @param {{column: Column, row: Row, typed?: string,
 *   check?: (row: Row, column: Column, text: string) => string|undefined,
 *   onKeep: (value: any) => any, onEnd: (staysHere: boolean) => void, onNext: (step: number) => void}} props
 */
export function CellEditor({ column, row, typed, check, onKeep, onEnd, onNext }) {
    const before = textOf(row.values[column.key]);
    const [text, setText] = useState(typed && column.kind === "text" ? typed : before);
    const field = useRef(null);
    const isDone = useRef(false);
    // The letters by which one of the choices was found.
    const word = useRef(typed ?? "");
    const completion = useCompletion({
        id: "cell", text, onText: setText, ask: column.ask?.(row) ?? null, field: field,
    });
    const problem = column.kind === "text" ? check?.(row, column, text) : undefined;

    useLayoutEffect(() => {
        const element = field.current;
        element?.focus();
        if (element instanceof HTMLInputElement && !typed) element.select();
        if (element instanceof HTMLSelectElement) openChoices(element, typed);
    }, []);

    /** @param {string} value @returns {boolean} whether the value could be kept */
    const keep = value => {
        if (isDone.current) return true;
        if (column.kind === "text" && check?.(row, column, value) !== undefined) return false;
        isDone.current = true;
        if (value !== before) onKeep(value);
        return true;
    };
    const keyed = event => {
        const value = field.current?.value ?? "";
        if (completion.pressed(event)) { /* taken */ }
        else if (event.key === "Escape") {
            isDone.current = true;
            onEnd(true);
        } else if (event.key === "Enter") {
            if (keep(value)) onEnd(true);
        } else if (event.key === "Tab") {
            if (keep(value)) onNext(event.shiftKey ? -1 : 1);
        } else if (column.kind === "choice" && event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
            && (event.key !== " " || word.current !== "")) {
            if (find(field.current, word.current + event.key)) word.current += event.key;
        } else {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    };
    const left = () => {
        // A text that cannot be kept is dropped when the field is left, as by Esc.
        if (!keep(field.current?.value ?? "")) isDone.current = true;
        onEnd(false);
    };
    const label = `${column.title} of ${row.values.name}`;
    if (column.kind === "choice") {
        const choices = column.choices?.(row) ?? [];
        return html`<select ref=${field} aria-label=${label} onKeyDown=${keyed} onBlur=${left}
            onChange=${event => {
                if (keep(event.target.value)) onEnd(true);
            }}>
            ${!choices.includes(before) && html`<option value=${before} selected>${before || "none"}</option>`}
            ${choices.map(each => html`<option key=${each} value=${each} selected=${each === before}>${each || "none"}</option>`)}
        </select>`;
    }
    const completing = column.ask === undefined ? {} : completion.attributes;
    return html`<input ref=${field} value=${text} spellcheck=${false} autocomplete="off" ...${completing} aria-label=${label}
            aria-invalid=${problem !== undefined} onKeyDown=${keyed} onBlur=${left}
            onInput=${event => completion.typed(event.target.value)} />
        <${Underlined} of=${completion} /><${CompletionList} of=${completion} />
        ${problem !== undefined && html`<div class="cell-problem" role="alert">${problem}</div>`}`;
}

/**
 * Chooses what begins with a word. A browser would forget the word after a moment, and keep what it finds at each letter.
 * @param {HTMLSelectElement} element @param {string} word @returns {boolean} whether there is such a choice
 */
function find(element, word) {
    const found = [...element.options].find(each => each.text.toLowerCase().startsWith(word.toLowerCase()));
    if (found !== undefined) element.value = found.value;
    return found !== undefined;
}

/** Shows the choices at once, unless one is being typed. @param {HTMLSelectElement} element @param {string|undefined} typed */
function openChoices(element, typed) {
    if (typed) return void find(element, typed);
    try {
        element.showPicker();
    } catch {
        // Browsers show it only after a key or a click; the field works without.
    }
}

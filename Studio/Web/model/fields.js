// The fields of the inspector: one for each type of setting, for one element or for many with differing values.
import { html, useEffect, useRef, useState } from "../lib/preact.js";
import { CompletionList, Underlined, useCompletion } from "../predicates/completion.js";
import { Icon } from "../shell/icons.js";
import { EntriesField, IndexElementsField, ListsField, NamesField } from "./listfields.js";
import { referencesOf } from "./elements.js";

/** @import { Facet, ModelElement, ModelState } from "./client.js" */

/**
 * @typedef {object} FieldProps
 * @property {ModelState} state
 * @property {ModelElement[]} elements
 * @property {Facet} facet
 * @property {string} id
 * @property {any} value that of all elements; undefined if they differ
 * @property {boolean} isReadOnly
 * @property {boolean} isInvalid
 * @property {(value: any) => void} onChange
 * @property {Ask} [ask] completes the text
 *
 * @typedef {(text: string, caret: number) => Promise<any>} Ask
 */

/** @param {FieldProps} props */
export function Field(props) {
    const { state, elements, facet } = props;
    const references = elements.length === 1 || facet.name !== "inverse" ? referencesOf(state, elements[0], facet.name) : undefined;
    if (references !== undefined) return html`<${ChoiceField} ...${props} choices=${references} hasNone />`;
    if (facet.type === "flag") return html`<${FlagField} ...${props} />`;
    if (props.value === undefined && ["names", "lists", "entries", "indexElements"].includes(facet.type)) {
        return html`<span class="mixed" id=${props.id}>mixed</span>`;
    }
    switch (facet.type) {
        case "choice": return html`<${ChoiceField} ...${props} choices=${facet.choices ?? []} />`;
        case "names": return html`<${NamesField} ...${props} />`;
        case "lists": return html`<${ListsField} ...${props} />`;
        case "entries": return html`<${EntriesField} ...${props} />`;
        case "indexElements": return html`<${IndexElementsField} ...${props} />`;
        default: return html`<${TextField} ...${props} isNumber=${facet.type === "number"}
            isLong=${["predicate", "derivation", "displayName"].includes(facet.name)} />`;
    }
}

/** @param {FieldProps} props */
function FlagField({ id, value, isReadOnly, onChange }) {
    const box = useRef(null);
    useEffect(() => {
        if (box.current !== null) box.current.indeterminate = value === undefined;
    });
    return html`<input type="checkbox" id=${id} ref=${box} checked=${value === true} disabled=${isReadOnly}
            aria-checked=${value === undefined ? "mixed" : undefined}
            onChange=${event => onChange(event.target.checked)} />
        ${value === undefined && html`<span class="mixed">mixed</span>`}`;
}

/** @param {FieldProps & {choices: string[], hasNone?: boolean}} props */
function ChoiceField({ id, value, choices, hasNone = false, isReadOnly, isInvalid, onChange }) {
    const current = value === undefined ? "mixed" : value ?? "";
    const isUnknown = current !== "" && current !== "mixed" && !choices.includes(current);
    return html`<select id=${id} value=${current} disabled=${isReadOnly} aria-invalid=${isInvalid}
        onChange=${event => onChange(event.target.value === "" ? null : event.target.value)}>
        ${value === undefined && html`<option value="mixed" disabled>mixed</option>`}
        ${(hasNone || current === "") && html`<option value="">none</option>`}
        ${isUnknown && html`<option value=${current}>${current} (unknown)</option>`}
        ${choices.map(each => html`<option key=${each} value=${each}>${each}</option>`)}
    </select>`;
}

/**
 * A text that is kept by Enter or by leaving the field, and reverted by Esc.
 * @param {{id: string, value: any, placeholder?: string, isReadOnly: boolean, isInvalid: boolean, isNumber?: boolean, isLong?: boolean, ask?: Ask,
 *   check?: (text: string) => string|undefined, onChange: (value: any) => void}} props
 */
export function TextField({ id, value, placeholder, isReadOnly, isInvalid, isNumber = false, isLong = false, ask, check, onChange }) {
    const before = value === null || value === undefined ? "" : String(value);
    const [text, setText] = useState(null);
    useEffect(() => setText(null), [before]);
    const shown = text ?? before;
    const numberProblem = isNumber && shown !== "" && !/^-?\d+$/.test(shown) ? "a whole number" : undefined;
    const problem = text === null ? undefined : numberProblem ?? check?.(shown);

    const sent = useRef(null);
    const keep = () => {
        if (text === null || text === before || text === sent.current || problem !== undefined) return;
        // Enter keeps a text, and so does leaving the field: it is sent once.
        sent.current = text;
        onChange(isNumber ? Number(text || 0) : text === "" ? null : text);
    };
    const field = useRef(null);
    const completion = useCompletion({ id, text: shown, onText: setText, field, ask: ask ?? null });
    const keyed = event => {
        if (completion.pressed(event)) { /* taken */ }
        else if (event.key === "Enter" && !event.shiftKey) keep();
        else if (event.key === "Escape") {
            sent.current = text;
            setText(null);
            event.target.blur();
        } else return;
        event.preventDefault();
        event.stopPropagation();
    };
    const common = {
        id, value: shown, disabled: isReadOnly, spellcheck: false, autocomplete: "off",
        placeholder: value === undefined ? "mixed" : placeholder,
        "aria-invalid": isInvalid || problem !== undefined, "aria-describedby": problem === undefined ? undefined : `${id}-problem`,
        onInput: event => {
            sent.current = null;
            completion.typed(event.target.value);
        },
        onBlur: () => { completion.close(); keep(); }, onKeyDown: keyed,
    };
    return html`
        ${ask !== undefined ? html`<div class="completed"><textarea ref=${field} ...${common} ...${completion.attributes} rows="2" class="code"></textarea>
                <${Underlined} of=${completion} /><${CompletionList} of=${completion} /></div>
            ${text !== null && completion.wrong !== null && html`<p class="field-problem" role="status"><${Icon} name="error" />${completion.wrong.message}</p>`}`
        : isLong ? html`<textarea ...${common} rows="2" class="code"></textarea>` : html`<input ...${common} inputmode=${isNumber ? "numeric" : undefined} />`}
        ${problem !== undefined && html`<p class="field-problem" id=${`${id}-problem`} role="alert"><${Icon} name="error" />${problem}</p>`}`;
}

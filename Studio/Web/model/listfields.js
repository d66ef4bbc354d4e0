// Fields whose values are lists: members of a configuration, constraints, user info, the parts of an index.
import { html, useState } from "../lib/preact.js";
import { Icon, IconButton } from "../shell/icons.js";
import { entityNames, freeName, ownerOf, propertiesOf, textOf } from "./elements.js";

/** @import { FieldProps } from "./fields.js" */

/** A check list of entities. @param {FieldProps} props */
export function NamesField({ state, value, id, isReadOnly, onChange }) {
    const names = [...new Set([...entityNames(state), ...value])];
    return html`<ul class="check-list" id=${id}>${names.map(name => html`
        <li key=${name}><label><input type="checkbox" checked=${value.includes(name)} disabled=${isReadOnly}
            onChange=${event => onChange(event.target.checked
                ? [...value, name] : value.filter(each => each !== name))} />${name}</label></li>`)}</ul>`;
}

/** Lists of names, one a line. @param {FieldProps} props */
export function ListsField({ value, id, isReadOnly, onChange }) {
    const [text, setText] = useState(null);
    const before = value.map(names => names.join(", ")).join("\n");
    const keep = () => {
        if (text === null || text === before) return;
        onChange(text.split("\n").map(line => line.split(",").map(each => each.trim()).filter(Boolean)).filter(names => names.length > 0));
        setText(null);
    };
    return html`<textarea id=${id} rows=${Math.max(1, value.length)} value=${text ?? before} disabled=${isReadOnly} spellcheck=${false}
        placeholder="name, name" onInput=${event => setText(event.target.value)} onBlur=${keep}></textarea>`;
}

/** Keys and texts. @param {FieldProps} props */
export function EntriesField({ value, id, isReadOnly, onChange }) {
    const entries = /** @type {[string, string][]} */(Object.entries(value));
    const change = (index, entry) => {
        const next = [...entries];
        if (entry === null) next.splice(index, 1);
        else next[index] = entry;
        onChange(Object.fromEntries(next));
    };
    return html`<div class="entries" id=${id}>
        ${entries.map(([key, text], index) => html`<div class="entry" key=${index}>
            <${Kept} label=${`Key ${index + 1}`} value=${key} isReadOnly=${isReadOnly}
                isTaken=${name => name !== key && name in value} onKeep=${name => change(index, name === "" ? null : [name, text])} />
            <${Kept} label=${`Value of ${key}`} value=${text} isReadOnly=${isReadOnly} onKeep=${kept => change(index, [key, kept])} />
            ${!isReadOnly && html`<${IconButton} name="minus" title="Remove" label=${`Remove ${key}`} onClick=${() => change(index, null)} />`}
        </div>`)}
        ${!isReadOnly && html`<button class="plain" onClick=${() => onChange({ ...value, [freeName("key", name => name in value)]: "" })}><${Icon} name="plus" />Add entry</button>`}
    </div>`;
}

/** @param {{label: string, value: string, isReadOnly: boolean, isTaken?: (text: string) => boolean, onKeep: (text: string) => void}} props */
function Kept({ label, value, isReadOnly, isTaken, onKeep }) {
    const [text, setText] = useState(null);
    const isInvalid = text !== null && (isTaken?.(text) ?? false);
    const keep = () => {
        if (text !== null && text !== value && !isInvalid) onKeep(text);
        setText(null);
    };
    return html`<input aria-label=${label} value=${text ?? value} disabled=${isReadOnly} aria-invalid=${isInvalid} spellcheck=${false}
        title=${isInvalid ? "there is such a key already" : undefined} onInput=${event => setText(event.target.value)} onBlur=${keep}
        onKeyDown=${event => {
            if (event.key === "Enter") keep();
            if (event.key === "Escape") setText(null);
        }} />`;
}

/** The ordered parts of an index. @param {FieldProps} props */
export function IndexElementsField({ state, elements, value, id, isReadOnly, onChange }) {
    const owner = ownerOf(state, elements[0]);
    const names = propertiesOf(state, owner, "attribute", "relationship").map(each => each.name);
    const change = (index, part) => {
        const next = [...value];
        if (part === null) next.splice(index, 1);
        else next[index] = part;
        onChange(next);
    };
    const swap = index => {
        const next = [...value];
        [next[index - 1], next[index]] = [next[index], next[index - 1]];
        onChange(next);
    };
    return html`<ol class="parts" id=${id}>
        ${value.map((part, index) => {
            const whole = typeof part === "string" ? { property: part } : part;
            const isKnown = whole.property === undefined || names.includes(whole.property);
            return html`<li key=${index} class="part">
                ${whole.expression !== undefined ? html`<code>${whole.expression}</code>` : html`
                    <select aria-label=${`Property ${index + 1}`} value=${whole.property} disabled=${isReadOnly} aria-invalid=${!isKnown}
                        onChange=${event => change(index, { ...whole, property: event.target.value })}>
                        ${!isKnown && html`<option value=${whole.property}>${whole.property} (unknown)</option>`}
                        ${names.map(name => html`<option key=${name} value=${name}>${name}</option>`)}</select>`}
                <${IconButton} disabled=${isReadOnly} aria-pressed=${whole.descending === true} title="Descending" label=${`${textOf(part)} descending`}
                    onClick=${() => change(index, { ...whole, descending: !whole.descending })}>${whole.descending ? "↓" : "↑"}<//>
                ${!isReadOnly && html`
                    <${IconButton} disabled=${index === 0} title="Move up" label=${`Move ${textOf(part)} up`} onClick=${() => swap(index)}>⇡<//>
                    <${IconButton} name="minus" title="Remove" label=${`Remove ${textOf(part)}`} onClick=${() => change(index, null)} />`}
            </li>`;
        })}
        ${!isReadOnly && html`<button class="plain" disabled=${names.length === 0}
            onClick=${() => onChange([...value, names.find(name => !value.some(part => textOf(part) === name)) ?? names[0]])}><${Icon} name="plus" />Add property</button>`}
    </ol>`;
}

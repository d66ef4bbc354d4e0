// The record: one object beside the list, with all its values, and editors for them.
import { html, useEffect, useRef, useState } from "../lib/preact.js";
import { get, pathOf } from "../api.js";
import { Icon } from "../shell/icons.js";
import { notifyError } from "../shell/notices.js";
import { cellText, dateText, typeText } from "./cells.js";
import { DataValue } from "./values.js";
import { editText, parsed } from "./edits.js";

/**
 * @typedef {import("./cells.js").Column} Column
 * @typedef {import("./edits.js").Edits} Edits
 * @typedef {{store: string, id: string, entities: any[], edits: Edits, change: any, problems: any[], version: number,
 *   editing: string, onEditing: (key: string) => void, onFollow: (id: string) => void}} RecordProps
 */

const objectPath = (/** @type {string} */ store, /** @type {string} */ id) =>
    pathOf("stores", store, "objects", ...id.split("/"));

/** @param {RecordProps} props */
export function RecordPanel(props) {
    const { store, id, entities, edits, change, problems, version } = props;
    const [record, setRecord] = useState(/** @type {any} */(null));
    const [problem, setProblem] = useState("");
    useEffect(() => {
        const wanted = new AbortController();
        get(objectPath(store, id), { signal: wanted.signal }).then(found => {
            setRecord(found);
            setProblem("");
        }, error => error.name !== "AbortError" && setProblem(error.message));
        return () => wanted.abort();
    }, [store, id, version]);
    if (problem !== "") return html`<aside class="record" aria-label="Record"><p class="record-problem">${problem}</p></aside>`;
    if (record === null) return html`<aside class="record" aria-label="Record" aria-busy="true"></aside>`;
    const entity = entities.find(each => each.name === record.entity);
    /** @type {Column[]} */
    const properties = (entity?.properties ?? []).filter((/** @type {Column} */ each) => record.values[each.name] !== undefined);
    const attributes = properties.filter(each => each.kind === "attribute");
    const links = properties.filter(each => each.kind !== "attribute");
    const row = (/** @type {Column} */ column) => html`
        <${Property} key=${record.id + column.name} ...${props} record=${record} column=${column}
            value=${record.values[column.name]} isEdited=${change?.values?.[column.name] !== undefined}
            problem=${problems.find(each => each.key === column.name)?.message} />`;
    return html`
        <aside class=${"record " + (change?.kind ?? "")} aria-label="Record">
            <header class="record-head">
                <div><h2>${record.title ?? record.id}</h2><span class="quiet">${record.id}${change && html` · <b class="record-kind">${
                    { insert: "new", update: "changed", delete: "deleted" }[/** @type {"insert"} */(change.kind)]}</b>`}</span></div>
                ${change && html`<button type="button" title="Discard the changes of this object"
                    onClick=${() => edits.discard(id)}>Discard</button>`}
                ${edits.mayEdit && change?.kind !== "delete" && html`<button type="button" class="icon-button" title="Delete (Delete)"
                    aria-label="Delete" onClick=${() => edits.perform([{ kind: "delete", object: id }])}><${Icon} name="trash" /></button>`}
            </header>
            <dl class="record-values">${attributes.map(row)}</dl>
            <dl class="record-values record-links">${links.map(row)}</dl>
        </aside>`;
}

/** @param {RecordProps & {record: any, column: Column, value: any, isEdited: boolean, problem: string|undefined}} props */
function Property(props) {
    const { column, value, isEdited, problem, edits, editing, onEditing, record } = props;
    const mayEdit = edits.mayEdit && !column.isDerived && !column.isTransient && column.type !== "transformable";
    const isEditing = editing === column.name && mayEdit;
    const isWide = column.kind === "toMany" || value?.bytes !== undefined || value?.text !== undefined
        || typeof value === "string" && column.type === "string" && (value.length > 60 || isEditing);
    const begin = () => mayEdit ? onEditing(column.name) : !edits.mayEdit && edits.refuse();
    const clear = (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== "Backspace" || !(event.ctrlKey || event.metaKey) || !mayEdit || column.kind === "toMany") return;
        event.preventDefault();
        event.stopPropagation();
        void edits.perform([{ kind: "set", object: record.id, key: column.name, value: null }]);
    };
    return html`
        <div class=${"record-row" + (isWide ? " wide" : "") + (isEdited ? " edited" : "") + (problem !== undefined ? " wrong" : "")} onKeyDown=${clear}>
            <dt title=${`${column.name}: ${typeText(column)}`}>${column.name}${!column.isOptional && html`<span class="record-needed" title="must have a value">*</span>`}</dt>
            <dd>${column.kind === "toMany" ? html`<${Members} ...${props} mayEdit=${mayEdit} />`
                : isEditing && column.kind === "toOne" ? html`<${LinkEditor} ...${props} />`
                : isEditing ? html`<${ValueEditor} ...${props} />`
                : html`<${Value} ...${props} mayEdit=${mayEdit} onBegin=${begin} />`}
                ${problem !== undefined && html`<p class="field-problem">${problem}</p>`}
            </dd>
        </div>`;
}

/** @param {any} props */
function Value({ store, record, column, value, mayEdit, onBegin, onFollow }) {
    const edit = mayEdit && column.type !== "binary" && value?.text === undefined && html`
        <button type="button" class="icon-button record-edit" aria-label=${`Edit ${column.name}`} title="Edit"
            onClick=${onBegin}>✎</button>`;
    if (value?.bytes !== undefined) {
        return html`<${DataValue} store=${store} object=${record.id} name=${column.name} value=${value} />`;
    }
    if (value?.id !== undefined) {
        return html`<${LinkButton} link=${value} onFollow=${onFollow} />${edit}`;
    }
    if (value === null) return html`<span class="null-value" onDblClick=${onBegin}>null</span>${edit}`;
    if (column.type === "string" && (typeof value === "string" || value.text !== undefined)) {
        const text = value.text ?? value;
        return html`<div class=${"record-text" + (text === "" ? " null-value" : "")} tabindex="0" onDblClick=${onBegin}>${
            text === "" ? "empty" : text}${value.text !== undefined && html`<span class="quiet">… ${value.length} characters</span>`}</div>${edit}`;
    }
    const { text, kind } = cellText(value, column);
    return html`<span class=${"record-plain " + kind} onDblClick=${onBegin}>${text}</span>${edit}`;
}

/** @param {{link: any, onFollow: (id: string) => void}} props */
function LinkButton({ link, onFollow }) {
    return html`<button type="button" class="record-link" title=${link.id} onClick=${() => onFollow(link.id)}>
        ${link.title ?? link.id}<span class="quiet">${link.title !== null && link.id}</span></button>`;
}

/** @param {any} props */
function ValueEditor({ record, column, value, edits, onEditing }) {
    const [text, setText] = useState(() => editText(value, column, dateText));
    const [wrong, setWrong] = useState("");
    const field = useRef(/** @type {any} */(null));
    const isDone = useRef(false);
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
        if (text !== editText(value, column, dateText)) {
            await edits.perform([{ kind: "set", object: record.id, key: column.name, value: next }]);
        }
        onEditing("");
    };
    const pressed = (/** @type {KeyboardEvent} */ event) => {
        event.stopPropagation();
        if (event.key === "Escape") {
            isDone.current = true;
            onEditing("");
        } else if (event.key === "Enter" && (!isLong || event.ctrlKey)) void finish();
        else return;
        event.preventDefault();
    };
    const isLong = column.type === "string";
    const shared = {
        ref: field, value: text, "aria-label": column.name, "aria-invalid": wrong !== "", onKeyDown: pressed, onBlur: finish,
        onInput: (/** @type {any} */ event) => { setText(event.target.value); setWrong(""); },
    };
    return html`${isLong ? html`<textarea rows=${Math.min(12, 2 + text.split("\n").length)} ...${shared}></textarea>
            <span class="quiet record-hint"><kbd>Ctrl+Enter</kbd> keeps, <kbd>Esc</kbd> reverts</span>`
        : html`<input ...${shared} />`}${wrong !== "" && html`<p class="field-problem">${wrong}</p>`}`;
}

/**
 * Finds an object by a part of its title.
 * @param {{store: string, object: string, name: string, label: string, onTake: (id: string|null) => void, onClose: () => void, mayBeNull: boolean}} props
 */
function ObjectSearch({ store, object, name, label, onTake, onClose, mayBeNull }) {
    const [text, setText] = useState("");
    const [found, setFound] = useState(/** @type {any[]} */([]));
    const [chosen, setChosen] = useState(0);
    const field = useRef(/** @type {HTMLInputElement|null} */(null));
    useEffect(() => field.current?.focus(), []);
    useEffect(() => {
        const wanted = new AbortController();
        const path = `${objectPath(store, object)}/${encodeURIComponent(name)}?search=${encodeURIComponent(text)}&count=20`;
        get(path, { signal: wanted.signal }).then(answer => {
            setFound(answer.members);
            setChosen(0);
        }, notifyError);
        return () => wanted.abort();
    }, [text]);
    const pressed = (/** @type {KeyboardEvent} */ event) => {
        event.stopPropagation();
        const move = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
        if (move !== 0) setChosen(Math.max(0, Math.min(found.length - 1, chosen + move)));
        else if (event.key === "Enter" && found[chosen]) onTake(found[chosen].id);
        else if (event.key === "Escape") onClose();
        else return;
        event.preventDefault();
    };
    return html`
        <div class="object-search" onFocusOut=${(/** @type {FocusEvent} */ event) => {
            const inside = event.relatedTarget instanceof Node && /** @type {HTMLElement} */(event.currentTarget).contains(event.relatedTarget);
            if (!inside) onClose();
        }}>
            <input ref=${field} type="search" placeholder=${`Find ${label}`} aria-label=${`Find ${label}`} value=${text}
                onInput=${(/** @type {any} */ event) => setText(event.target.value)} onKeyDown=${pressed} />
            <ul role="listbox" aria-label=${label}>${found.map((each, index) => html`
                <li key=${each.id} role="option" aria-selected=${index === chosen}
                    onMouseDown=${(/** @type {Event} */ event) => { event.preventDefault(); onTake(each.id); }}>
                    ${each.title ?? each.id} <span class="quiet">${each.title !== null && each.id}</span></li>`)}
                ${found.length === 0 && html`<li class="quiet">nothing found</li>`}
            </ul>
            ${mayBeNull && html`<button type="button" onMouseDown=${(/** @type {Event} */ event) => { event.preventDefault(); onTake(null); }}>No object</button>`}
        </div>`;
}

/** @param {any} props */
function LinkEditor({ store, record, column, edits, onEditing, value }) {
    const take = async (/** @type {string|null} */ id) => {
        await edits.perform([{ kind: "set", object: record.id, key: column.name, value: id }]);
        onEditing("");
    };
    // A new object is in no store yet: objects for it are found by those of its entity.
    return html`<${ObjectSearch} store=${store} object=${record.id} name=${column.name} label=${column.destination}
        onTake=${take} onClose=${() => onEditing("")} mayBeNull=${value !== null} />`;
}

/** @param {any} props */
function Members({ store, record, column, value, edits, mayEdit, editing, onEditing, onFollow }) {
    const [more, setMore] = useState(/** @type {any[]} */([]));
    useEffect(() => setMore([]), [record]);
    const shown = [...value.members, ...more];
    const load = () => get(`${objectPath(store, record.id)}/${encodeURIComponent(column.name)}?from=${shown.length}&count=100`)
        .then(answer => setMore([...more, ...answer.members]), notifyError);
    const unlink = (/** @type {string} */ member) =>
        edits.perform([{ kind: "unlink", object: record.id, key: column.name, member }]);
    const link = async (/** @type {string|null} */ member) => {
        if (member !== null) await edits.perform([{ kind: "link", object: record.id, key: column.name, member }]);
        onEditing("");
    };
    return html`
        <div class="record-members"><span class="quiet">${value.count === 1 ? "1 object" : `${value.count} objects`}</span>
            <ul>${shown.map(each => html`<li key=${each.id}><${LinkButton} link=${each} onFollow=${onFollow} />
                ${mayEdit && html`<button type="button" class="icon-button" title="Take out" aria-label=${`Take ${each.title ?? each.id} out`}
                    onClick=${() => unlink(each.id)}><${Icon} name="close" /></button>`}</li>`)}</ul>
            ${shown.length < value.count && record.isPending !== true && html`<button type="button" class="plain" onClick=${load}>${
                `${Math.min(100, value.count - shown.length)} more`}</button>`}
            ${mayEdit && (editing === column.name
                ? html`<${ObjectSearch} store=${store} object=${record.id} name=${column.name} label=${column.destination}
                    onTake=${link} onClose=${() => onEditing("")} mayBeNull=${false} />`
                : html`<button type="button" class="plain" onClick=${() => onEditing(column.name)}>Add…</button>`)}
        </div>`;
}

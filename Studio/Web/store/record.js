// The record: one object beside the list, with all its values, and editors for them.
import { html, useEffect } from "../lib/preact.js";
import { get } from "../api.js";
import { useAnswer } from "../asking.js";
import { IconButton } from "../shell/icons.js";
import { cellText, typeText } from "./cells.js";
import { DataEditor } from "./data.js";
import { isControlled } from "./editorkeys.js";
import { CompositeEditor, ValueEditor } from "./editors.js";
import { ObjectLink, LinkEditor, Members, objectPath } from "./members.js";
import { changeWords } from "./pending.js";
import { DataValue } from "./values.js";

/** @import { Column } from "./cells.js" */

/**
 * @typedef {{store: string, id: string, entities: any[], edits: import("./edits.js").Edits, change: any, problems: any[], version: number,
 *   editing: string, onRename: (id: string) => void, onEditing: (key: string) => void}} RecordProps
 */

/** @param {RecordProps} props */
export function RecordPanel(props) {
    const { store, id, entities, edits, version, onRename } = props;
    const { answer, error } = useAnswer(
        async signal => ({ asked: id, record: await get(objectPath(store, id), { signal }) }), [store, id, version]);
    const { asked, record } = answer ?? {};
    // A new object has another name once it is saved.
    useEffect(() => {
        if (asked === id && record.id !== id) onRename(record.id);
    }, [record]);
    if (error !== "" || record === undefined) {
        return html`<aside class="record" aria-label="Record" aria-busy=${error === ""}>${error && html`<p class="record-problem">${error}</p>`}</aside>`;
    }
    // The former object is shown while one is read, but takes no edits.
    const isFormer = asked !== id && record.id !== id;
    const shared = isFormer ? { ...props, editing: "", change: undefined, problems: [] } : props;
    const { change, problems } = shared;
    const entity = entities.find(each => each.name === record.entity);
    /** @type {Column[]} */
    const properties = (entity?.properties ?? []).filter(each => record.values[each.name] !== undefined);
    // The title is first, as in the list.
    const attributes = properties.filter(each => each.kind === "attribute")
        .sort((one, other) => Number(other.name === entity.title) - Number(one.name === entity.title));
    const links = properties.filter(each => each.kind !== "attribute");
    const row = column => html`
        <${Property} key=${record.id + column.name} ...${shared} record=${record} column=${column}
            value=${record.values[column.name]} isEdited=${change?.values?.[column.name] !== undefined}
            problem=${problems.find(each => each.key === column.name)?.message} />`;
    return html`
        <aside class=${"record " + (change?.kind ?? "")} aria-label="Record" inert=${isFormer} aria-busy=${isFormer}>
            <header class="record-head">
                <div><h2 class="cut">${record.title ?? record.id}</h2><span class="quiet">${record.id}${change && html` · <b class="record-kind">${changeWords[change.kind]}</b>`}</span></div>
                ${change && html`<button title="Discard the changes of this object"
                    onClick=${() => edits.discard(id)}>Discard</button>`}
                ${edits.mayEdit && change?.kind !== "delete" && html`<${IconButton} name="trash" title="Delete" keys="Delete"
                    onClick=${() => edits.perform([{ kind: "delete", object: id }])} />`}
            </header>
            <dl class="record-values">${attributes.map(row)}</dl>
            <dl class="record-values record-links">${links.map(row)}</dl>
        </aside>`;
}

/** @param {RecordProps & {record: any, column: Column, value: any, isEdited: boolean, problem: string|undefined}} props */
function Property(props) {
    const { change, column, value, isEdited, problem, edits, editing, onEditing, record } = props;
    const mayEdit = edits.mayEdit && change?.kind !== "delete" && !column.isDerived && !column.isTransient && column.type !== "transformable";
    const isEditing = editing === column.name && mayEdit;
    const isData = column.type === "binary";
    const isComposite = column.type === "composite";
    const isWide = column.kind === "toMany" || isComposite && (value !== null || isEditing)
        || !isComposite && (value?.bytes !== undefined || value?.text !== undefined)
        || typeof value === "string" && column.type === "string" && (value.length > 60 || isEditing);
    const begin = () => mayEdit ? onEditing(column.name) : !edits.mayEdit && edits.refuse();
    const clear = event => {
        if (event.key !== "Backspace" || !isControlled(event) || !mayEdit || column.kind === "toMany") return;
        event.preventDefault();
        event.stopPropagation();
        void edits.set(record.id, column.name, null);
    };
    return html`
        <div class=${"record-row" + (isWide ? " wide" : "") + (isEdited ? " edited" : "") + (problem !== undefined ? " wrong" : "")} onKeyDown=${clear}>
            <dt class="cut note" title=${`${column.name}: ${typeText(column)}`}>${column.name}${!column.isOptional && html`<span class="record-needed" title="must have a value">*</span>`}</dt>
            <dd>${column.kind === "toMany" ? html`<${Members} ...${props} mayEdit=${mayEdit} />`
                : isEditing && column.kind === "toOne" ? html`<${LinkEditor} ...${props} />`
                : isEditing && isComposite ? html`<${CompositeEditor} ...${props} />`
                : isEditing && !isData ? html`<${ValueEditor} ...${props} />`
                : html`<${Value} ...${props} mayEdit=${mayEdit} onBegin=${begin} />`}
                ${isData && mayEdit && html`<${DataEditor} ...${props} />`}
                ${problem !== undefined && html`<p class="field-problem">${problem}</p>`}
            </dd>
        </div>`;
}

function Value({ store, record, column, value, version, mayEdit, onBegin }) {
    const edit = mayEdit && column.type !== "binary" && (column.type === "composite" || value?.text === undefined) && html`
        <${IconButton} className="record-edit" title="Edit" label=${`Edit ${column.name}`} onClick=${onBegin}>✎<//>`;
    if (value === null) return html`<span class="null-value" onDblClick=${onBegin}>null</span>${edit}`;
    if (column.type === "composite") {
        return html`<dl class="record-parts" onDblClick=${onBegin}>${column.elements.map(each => html`
            <dt>${each.name}</dt><dd>${value[each.name] === null || value[each.name] === undefined
                ? html`<span class="null-value">null</span>` : cellText(value[each.name], each).text}</dd>`)}</dl>${edit}`;
    }
    if (value.bytes !== undefined) {
        return html`<${DataValue} store=${store} object=${record.id} name=${column.name} value=${value} version=${version} />`;
    }
    if (value.id !== undefined) return html`<${ObjectLink} store=${store} link=${value} />${edit}`;
    if (column.type === "string" && (typeof value === "string" || value.text !== undefined)) {
        const text = value.text ?? value;
        return html`<div class=${"record-text" + (text === "" ? " null-value" : "")} tabindex="0" onDblClick=${onBegin}>${
            text === "" ? "empty" : text}${value.text !== undefined && html`<span class="quiet">… ${value.length} characters</span>`}</div>${edit}`;
    }
    const { text, kind } = cellText(value, column);
    return html`<span class=${"record-plain " + kind} onDblClick=${onBegin}>${text}</span>${edit}`;
}

// A table of elements that is edited in place: one Tab stop, arrows move, Enter or typing edits.
import { html, useEffect, useLayoutEffect, useRef, useState } from "../lib/preact.js";
import { Icon } from "../shell/icons.js";
import { CellEditor } from "./cell.js";
import { textOf } from "./elements.js";

/**
 * @typedef {object} Column
 * @property {string} key the name of a setting, or "name"
 * @property {string} title
 * @property {"text"|"flag"|"choice"} kind
 * @property {(row: Row) => string[]} [choices]
 * @property {(row: Row) => boolean} [applies] whether the row has the setting
 * @property {(row: Row) => import("./fields.js").Ask} [ask] completes what is typed
 *
 * @typedef {object} Row
 * @property {number|string} key
 * @property {import("./client.js").ModelElement} element
 * @property {Record<string, any>} values by key of the column
 * @property {string} [from] the entity that it is inherited from; such a row is not edited
 * @property {"error"|"warning"} [problem]
 *
 * @typedef {object} GridProps
 * @property {string} label
 * @property {Column[]} columns
 * @property {Row[]} rows
 * @property {(number|string)[]} selection the keys of selected rows
 * @property {(keys: (number|string)[]) => void} onSelect
 * @property {(row: Row, column: Column, value: any) => Promise<any>} onChange undefined if the value is refused
 * @property {(row: Row, column: Column, text: string) => string|undefined} [check] what is wrong with a text that is being typed
 * @property {() => void} [onAdd]
 * @property {string} [addTitle]
 * @property {(rows: Row[]) => void} [onRemove]
 * @property {(rows: Row[]) => void} [onDuplicate]
 * @property {(row: Row, step: 1|-1) => void} [onMove]
 * @property {(row: Row) => void} [onFollow] follows the link of the row
 * @property {() => void} [onEnd] called when editing a cell has ended, whether or not a value was kept
 * @property {boolean} isReadOnly
 * @property {number|string|null} [editing] the key of a row whose name is edited at once
 */

/** @param {GridProps} props */
export function Grid(props) {
    const { columns, rows, selection, isReadOnly } = props;
    const [place, setPlace] = useState({ row: 0, column: 0 });
    const [edit, setEdit] = useState(/** @type {{key: number|string, column: number, text?: string}|null} */(null));
    const table = useRef(null);
    const wantsFocus = useRef(false);
    const row = Math.min(place.row, Math.max(0, rows.length - 1));

    const focusCell = () => {
        wantsFocus.current = false;
        const cell = table.current?.querySelector(`[data-cell="${row} ${place.column}"]`);
        if (cell instanceof HTMLElement) cell.focus();
    };
    useLayoutEffect(() => {
        if (wantsFocus.current && edit === null) focusCell();
    });
    useEffect(() => {
        if (props.editing === null || props.editing === undefined) return;
        const index = rows.findIndex(each => each.key === props.editing);
        if (index < 0) return;
        setPlace({ row: index, column: 0 });
        setEdit({ key: props.editing, column: 0 });
    }, [props.editing]);

    /** @param {number} newRow @param {number} newColumn @param {boolean} [extends_] */
    const go = (newRow, newColumn, extends_ = false) => {
        const to = Math.max(0, Math.min(rows.length - 1, newRow));
        setPlace({ row: to, column: Math.max(0, Math.min(columns.length - 1, newColumn)) });
        wantsFocus.current = true;
        if (rows[to] === undefined) return;
        const key = rows[to].key;
        if (!extends_) props.onSelect([key]);
        else props.onSelect(selection.includes(key) && selection.length > 1 && to !== row
            ? selection.filter(each => each !== rows[row].key) : [...new Set([...selection, key])]);
    };
    const mayEdit = (each, column) =>
        each !== undefined && !isReadOnly && each.from === undefined && (column.applies?.(each) ?? true);
    const begin = (at, column, text) => {
        const each = rows[at];
        if (!mayEdit(each, columns[column])) return;
        if (columns[column].kind === "flag") return props.onChange(each, columns[column], !each.values[columns[column].key]);
        setEdit({ key: each.key, column, text });
    };
    const end = staysHere => {
        setEdit(null);
        props.onEnd?.();
        if (staysHere) wantsFocus.current = true;
    };

    // A refused text can be mended, unless one edits something else.
    const keep = async (each, column, index, value) => {
        if (await props.onChange(each, column, value) !== undefined || column.kind !== "text") return;
        setEdit(now => now ?? { key: each.key, column: index, text: value });
    };

    const keyed = event => {
        if (edit !== null || event.defaultPrevented) return;
        const control = event.ctrlKey || event.metaKey;
        const chosen = rows.filter(each => selection.includes(each.key) && each.from === undefined);
        const column = columns[place.column];
        const done = action(event, control, chosen, column);
        if (done) event.preventDefault();
    };
    /** @returns {boolean} whether the key was taken */
    const action = (event, control, chosen, column) => {
        const { key, altKey, shiftKey } = event;
        if (altKey && (key === "ArrowUp" || key === "ArrowDown")) {
            if (chosen.length !== 1 || isReadOnly) return false;
            const step = key === "ArrowUp" ? -1 : 1;
            props.onMove?.(chosen[0], step);
            setPlace({ row: Math.max(0, Math.min(rows.length - 1, row + step)), column: place.column });
            wantsFocus.current = true;
            return true;
        }
        if (altKey && key === " " || control && key === "Enter") return props.onFollow?.(rows[row]), true;
        if (altKey) return false;
        if (control && key.toLowerCase() === "d") return !isReadOnly && chosen.length > 0 && (props.onDuplicate?.(chosen), true);
        if (control && key.toLowerCase() === "a") return props.onSelect(rows.filter(each => each.from === undefined).map(each => each.key)), true;
        switch (key) {
            case "ArrowUp": return go(row - 1, place.column, shiftKey), true;
            case "ArrowDown": return go(row + 1, place.column, shiftKey), true;
            case "ArrowLeft": return go(row, place.column - 1, shiftKey), true;
            case "ArrowRight": return go(row, place.column + 1, shiftKey), true;
            case "Home": return go(control ? 0 : row, 0), true;
            case "End": return go(control ? rows.length - 1 : row, columns.length - 1), true;
            case "PageUp": return go(row - 10, place.column), true;
            case "PageDown": return go(row + 10, place.column), true;
            case "Enter": case "F2": return begin(row, place.column, ""), true;
            case "Insert": return !isReadOnly && (props.onAdd?.(), true);
            case "Delete": return !isReadOnly && chosen.length > 0 && (props.onRemove?.(chosen), true);
            case " ": return column?.kind === "flag" && (begin(row, place.column, ""), true);
            default: break;
        }
        if (control || key.length !== 1 || key === "?" || column?.kind === "flag") return false;
        begin(row, place.column, key);
        return true;
    };

    const pressed = (event, at, column) => {
        const key = rows[at].key;
        setPlace({ row: at, column });
        wantsFocus.current = true;
        if (event.ctrlKey || event.metaKey) {
            props.onSelect(selection.includes(key) ? selection.filter(each => each !== key) : [...selection, key]);
        } else if (event.shiftKey) {
            const [first, last] = [Math.min(at, row), Math.max(at, row)];
            props.onSelect(rows.slice(first, last + 1).filter(each => each.from === undefined).map(each => each.key));
        } else {
            props.onSelect([key]);
        }
    };
    const cell = (each, at, column, index) => {
        const isHere = at === row && index === place.column;
        const value = each.values[column.key];
        const applies = column.applies?.(each) ?? true;
        if (edit !== null && edit.key === each.key && edit.column === index) {
            return html`<td key=${column.key} role="gridcell" class="edited"><${CellEditor} column=${column} row=${each}
                typed=${edit.text} check=${props.check} onKeep=${kept => void keep(each, column, index, kept)}
                onEnd=${end} onNext=${step => {
                    setEdit(null);
                    go(at, index + step);
                }} /></td>`;
        }
        return html`<td key=${column.key} role="gridcell" data-cell="${at} ${index}" tabindex=${isHere ? 0 : -1}
            aria-colindex=${index + 1} class=${column.kind + (applies ? "" : " none")}
            aria-readonly=${mayEdit(each, column) ? undefined : "true"}
            onMouseDown=${event => pressed(event, at, index)}
            onDblClick=${() => begin(at, index, "")}>
            ${!applies ? "" : column.kind === "flag"
                ? html`<input type="checkbox" tabindex="-1" checked=${value === true} disabled=${!mayEdit(each, column)}
                    aria-label="${column.title} of ${each.values.name}"
                    onChange=${() => props.onChange(each, column, value !== true)} />`
                : html`<span class="cell-text">${textOf(value)}</span>`}
            ${index === 0 && each.problem && html`<${Icon} name=${each.problem} title=${each.problem} />`}</td>`;
    };
    return html`
        <table class="member-grid" role="grid" ref=${table} aria-label=${props.label} aria-multiselectable="true"
            aria-rowcount=${rows.length + 1} aria-readonly=${isReadOnly ? "true" : undefined} onKeyDown=${keyed}>
            <thead><tr role="row" aria-rowindex="1">${columns.map((column, index) => html`
                <th key=${column.key} role="columnheader" scope="col" class=${column.kind} aria-colindex=${index + 1}>${column.title}</th>`)}</tr></thead>
            <tbody>${rows.map((each, at) => html`
                <tr key=${each.key} role="row" aria-rowindex=${at + 2} aria-selected=${selection.includes(each.key)}
                    class=${(each.from === undefined ? "" : "inherited ") + (each.problem ?? "")}
                    title=${each.from === undefined ? undefined : `inherited from ${each.from}`}>
                    ${columns.map((column, index) => cell(each, at, column, index))}</tr>`)}
                ${props.onAdd !== undefined && !isReadOnly && html`
                    <tr key="add" role="presentation" class="add"><td colspan=${columns.length} role="presentation">
                        <button class="plain" tabindex=${rows.length === 0 ? 0 : -1} onClick=${() => props.onAdd?.()}><${Icon} name="plus" />${props.addTitle}</button></td></tr>`}
            </tbody>
        </table>`;
}

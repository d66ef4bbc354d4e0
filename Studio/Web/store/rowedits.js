// Edits rows: in the cell, in the record, and by keys.
import { notify, notifyError } from "../shell/notices.js";
import { editCell } from "./celleditor.js";
import { isControlled } from "./editorkeys.js";

/** @import { Edits } from "./edits.js" */

/**
 * What the keys work on.
 * @typedef {{grid: import("./grid.js").Grid|null, rows: import("./rows.js").Rows|null, edits: Edits,
 *   onEditing: (key: string) => void}} Editing onEditing: edits a value in the record
 */

/** @param {Editing} editing @param {KeyboardEvent} event @param {number} row @param {number} column @returns {boolean} whether the key is taken */
export function rowKey({ grid, rows, edits, onEditing }, event, row, column) {
    const object = rows?.at(row)?.[0];
    const shown = rows?.columns[column];
    const control = isControlled(event);
    if (object === undefined || shown === undefined) return false;
    if (event.key === "Delete") {
        void edits.perform([{ kind: "delete", object }]);
    } else if (event.key === "Backspace" && control && shown.kind !== "toMany") {
        void edits.set(object, shown.name, null);
    } else if (event.key === "Enter" && event.shiftKey) {
        onEditing(shown.name);
    } else if (event.key.toLowerCase() === "c" && control) {
        const cell = grid?.cellBox();
        if (cell) navigator.clipboard?.writeText(cell.textContent ?? "").catch(notifyError);
    } else if (event.key === "Escape") {
        onEditing("");
    } else {
        return false;
    }
    return true;
}

/** Edits a cell in its place, or in the record if it has no room for it. @param {Editing} editing @param {number} row @param {number} index @param {string|null} typed */
export function beginEdit({ grid, rows, edits, onEditing }, row, index, typed) {
    const line = rows?.at(row);
    const column = rows?.columns[index];
    if (line === undefined || column === undefined) return;
    if (!edits.mayEdit) return edits.refuse();
    if (column.isDerived || column.type === "transformable") {
        return notify({
            title: `${column.name} cannot be edited`,
            detail: column.isDerived ? "The store derives it from other values." : "Only the app can make its values.",
        });
    }
    const change = grid?.changes.get(line[0]);
    if (change?.kind === "delete") return;
    const value = change?.values?.[column.name] !== undefined ? change.values[column.name].to : line[index + 1];
    // Long values are edited in the record, and so is a text of which only the beginning is here.
    const isLarge = column.type === "binary" || column.type === "composite" || value?.text !== undefined;
    if (column.kind !== "attribute" || isLarge || String(value ?? "").includes("\n")) return onEditing(column.name);
    editCell(grid, line[0], column, value, typed, edits);
}

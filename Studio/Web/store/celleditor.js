// The editor of a cell, in the place of the cell.
import { element } from "./dom.js";
import { editorKeys, isControlled } from "./editorkeys.js";
import { editText, parsed } from "./edits.js";

/** @import { Edits } from "./edits.js" */

/**
 * Edits a cell in its place. Enter and Tab keep, Esc reverts.
 * @param {import("./grid.js").Grid|null} grid @param {string} object @param {any} column @param {any} value @param {string|null} typed
 * @param {Edits} edits
 */
export function editCell(grid, object, column, value, typed, edits) {
    const cell = grid?.cellBox();
    if (!grid || !cell) return;
    const input = element("input", "grid-editor", { "aria-label": column.name });
    const before = editText(value, column);
    input.value = typed ?? before;
    const box = cell.getBoundingClientRect();
    const host = grid.host.getBoundingClientRect();
    input.style.left = `${box.left - host.left}px`;
    input.style.top = `${box.top - host.top}px`;
    input.style.width = `${Math.max(80, box.width)}px`;
    input.style.height = `${box.height}px`;
    grid.host.append(input);
    input.focus();
    if (typed === null) input.select();
    const [row, place] = [grid.row, grid.column];
    let isDone = false;
    const end = () => {
        isDone = true;
        input.remove();
        grid.focus();
    };
    const keep = () => {
        if (isDone) return true;
        if (input.value === before) return end(), true;
        try {
            const next = parsed(input.value, column);
            const text = input.value;
            end();
            void edits.set(object, column.name, next).then(isTaken => {
                // What is refused can be mended, unless one edits something else.
                if (isTaken || grid.source?.at(row)?.[0] !== object || grid.host.querySelector(".grid-editor") !== null) return;
                grid.select(row, place);
                editCell(grid, object, column, value, text, edits);
            });
            return true;
        } catch (error) {
            input.setCustomValidity(error.message);
            input.setAttribute("aria-invalid", "true");
            input.reportValidity();
            return false;
        }
    };
    input.addEventListener("input", () => {
        input.setCustomValidity("");
        input.removeAttribute("aria-invalid");
    });
    input.addEventListener("keydown", editorKeys({
        revert: end, keep: () => keep() && grid.select(grid.row + 1, grid.column),
        others: event => {
            if (event.key === "Tab") {
                if (keep()) grid.select(grid.row, grid.column + (event.shiftKey ? -1 : 1));
            } else if (event.key === "Backspace" && isControlled(event) && input.value === "") {
                end();
                void edits.set(object, column.name, null);
            } else return false;
            return true;
        },
    }));
    input.addEventListener("blur", () => { if (!keep()) end(); });
}

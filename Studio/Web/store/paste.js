// Pasting: cells as other programs copy them become edits of the selected cell and of those to its right and below.
import { notify, notifyError } from "../shell/notices.js";
import { parsed } from "./edits.js";

/** How many refused values a notice lists. */
const mostListed = 8;

/** Reads cells between tabs, line by line. One with a tab or a line break in it is quoted. @param {string} text */
export function cellsOf(text) {
    /** @type {string[][]} */
    const lines = [[]];
    for (const [, quoted, plain, end] of text.replace(/\r?\n$/, "").matchAll(/(?:"((?:[^"]|"")*)"|([^\t\r\n]*))(\t|\r?\n|\r|$)/g)) {
        lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
        if (end === "") break;
        if (end !== "\t") lines.push([]);
    }
    return lines;
}

/** @param {any} column @param {string} text */
function valueFor(column, text) {
    if (column === undefined) throw new Error("there is no column");
    if (column.kind !== "attribute" || column.isDerived || /binary|composite|transformable/.test(column.type)) throw new Error("it takes no text");
    return parsed(text, column);
}

/** Pastes as one step what can be, and tells what cannot. @param {import("./rowedits.js").Editing} editing @param {string} text */
export async function paste({ grid, rows, edits }, text) {
    if (!edits.mayEdit) return edits.refuse();
    const [top, left, lines, taken, wrong] = [grid.row, grid.column, cellsOf(text), [], []];
    const refuse = ({ row, column }, why) => wrong.push({ row, column, text: `row ${row + 1}, ${rows.columns[column]?.name ?? `column ${column + 1}`}: ${why}` });
    await rows.ready;
    for (const [down, line] of lines.entries()) {
        const row = top + down;
        if (row < rows.total) await rows.reach(row);
        const object = rows.at(row)?.[0];
        for (const [right, cell] of line.entries()) {
            const place = { row, column: left + right };
            const column = rows.columns[place.column];
            try {
                if (object === undefined) throw new Error("there is no row");
                taken.push({ place, edit: { kind: "set", object, key: column?.name, value: valueFor(column, cell) } });
            } catch (error) {
                refuse(place, error.message);
            }
        }
    }
    try {
        if (taken.length > 0) {
            const { refused } = await edits.change([], () => ({ edits: taken.map(each => each.edit), title: "Paste", skipsRefused: true }));
            for (const { index, error } of refused) refuse(taken[index].place, error);
        }
    } catch (error) {
        return notifyError(error);
    }
    const texts = wrong.sort((a, b) => a.row - b.row || a.column - b.column).map(each => each.text);
    const count = lines.flat().length;
    if (texts.length > mostListed) texts.splice(mostListed, Infinity, `and ${texts.length - mostListed} more`);
    notify({ title: `Pasted ${count - wrong.length} of ${count} values`, tone: wrong.length > 0 ? "error" : "good", detail: texts.join("\n") });
}

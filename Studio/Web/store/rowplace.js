// Where one is in a list: kept when the list is read again, and found again on the way back.

/** @import { Grid } from "./grid.js" */
/** @import { Rows } from "./rows.js" */

/** @typedef {{row: number, column: number, top: number}} Place */

/** Where one was in each entry of the history. @type {Map<string, Place>} */
const places = new Map();

/** @param {string} entry @param {Grid|null} grid */
export function keepPlace(entry, grid) {
    const { row = 0, column = 0, top = 0 } = grid ?? {};
    places.set(entry, { row, column, top });
}

/** @param {string} entry */
export const placeOf = entry => places.get(entry);

/**
 * Keeps the row on top in its place when others came or went above it, and the selected row selected.
 * @param {Grid} grid @param {Rows} opened the list as it is now @param {Rows|null} before
 */
export async function stay(grid, opened, before) {
    const find = async index => {
        const name = before?.at(index)?.[0];
        return name === undefined ? null : opened.position(name).catch(() => null);
    };
    const [top, row] = await Promise.all([find(Math.floor(grid.top)), find(grid.row)]);
    const moved = top === null ? 0 : top - Math.floor(grid.top);
    grid.row = row ?? grid.row + moved;
    if (moved === 0) grid.schedule();
    else grid.scrollTo(grid.top + moved);
}

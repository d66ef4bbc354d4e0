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
 * Returns what puts the grid, once it shows a list that was read again, where it was: the row on top stays in its place when
 * others came or went above it, and the selected row selected. Where one goes while that is asked counts.
 * @param {Grid} grid @param {Rows} opened the list as it is now @param {Rows} before
 */
export async function placing(grid, opened, before) {
    const find = async index => {
        const name = before.at(index)?.[0];
        return name === undefined ? null : opened.position(name).catch(() => null);
    };
    for (;;) {
        const [first, selected] = [Math.floor(grid.top), grid.row];
        const [top, row] = await Promise.all([find(first), find(selected)]);
        if (first !== Math.floor(grid.top) || selected !== grid.row) continue;
        const moved = top === null ? 0 : top - first;
        const place = grid.top + moved;
        return () => {
            grid.row = row ?? selected + moved;
            if (moved !== 0) grid.scrollTo(place);
        };
    }
}

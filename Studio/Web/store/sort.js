// The order of rows, as it stands in the address: "title,pages:desc".

/** @typedef {{key: string, isAscending: boolean}} Sort */

/** @param {string} text @returns {Sort[]} */
export const sortOf = text => text.split(",").filter(part => part !== "").map(part => {
    const [key, order] = part.split(":");
    return { key, isAscending: order !== "desc" };
});

/** @param {Sort} sort */
export const partText = sort => sort.key + (sort.isAscending ? "" : ":desc");

/**
 * Returns the key by which a column sorts: of a to-one relationship the title of where it leads; null if rows cannot
 * be sorted by it.
 * @param {import("./cells.js").Column} column @param {any[]} entities
 */
export function sortKey(column, entities) {
    if (column.kind === "toMany" || column.type === "binary" || column.type === "transformable") return null;
    if (column.kind === "attribute") return column.name;
    const title = entities.find(each => each.name === column.destination)?.title ?? null;
    return title === null ? null : `${column.name}.${title}`;
}

/**
 * Returns the order after a column was chosen: up, then down, then not by it.
 * @param {string} text @param {string} key @param {boolean} adds whether others stay
 */
export function sortedBy(text, key, adds) {
    const all = sortOf(text);
    const found = all.find(each => each.key === key);
    const next = found === undefined ? [{ key, isAscending: true }] : found.isAscending ? [{ key, isAscending: false }] : [];
    return [...(adds ? all.filter(each => each.key !== key) : []), ...next].map(partText).join(",");
}

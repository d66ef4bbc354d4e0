// How cells look: the text and the class of a value by the type of its column.
import { clockText } from "./zones.js";

/** @typedef {{name: string, kind: "attribute"|"toOne"|"toMany", type?: string, destination?: string,
 *   isOptional: boolean, isOrdered?: boolean, isDerived?: boolean, isTransient?: boolean, elements?: Column[]}} Column */

const sizes = ["bytes", "KB", "MB", "GB"];

/** Writes a number of bytes for people. @param {number} count */
export function byteText(count) {
    let [value, unit] = [count, 0];
    while (value >= 1000 && unit < sizes.length - 1) [value, unit] = [value / 1000, unit + 1];
    const digits = unit === 0 || value >= 100 ? 0 : 1;
    return `${value.toFixed(digits)} ${count === 1 ? "byte" : sizes[unit]}`;
}

/** Writes a date. @param {string|number} value as the studio sends it */
export function dateText(value) {
    if (typeof value === "number") return `${value} s after 2001`;
    const date = new Date(value);
    return Number.isNaN(date.getTime()) ? value : clockText(date);
}

/** @param {Column} column */
export const isNumber = column => /^(integer|double|float|decimal)/.test(column.type ?? "");

/** Whether the cells of a column end at the same place, as numbers do. @param {Column} column */
export const isOnTheRight = column => isNumber(column) || column.kind === "toMany";

/**
 * Returns the text of a cell and the class that tells its kind.
 * @param {any} value
 * @param {Column} column
 * @returns {{text: string, kind: string}}
 */
export function cellText(value, column) {
    if (value === null || value === undefined) return { text: "", kind: "null" };
    if (typeof value === "object") return objectText(value, column);
    if (value === "") return { text: "empty", kind: "blank" };
    switch (column.type) {
    case "boolean": return { text: value ? "yes" : "no", kind: "flag" };
    case "date": return { text: dateText(value), kind: "date" };
    case "uuid": return { text: String(value), kind: "code" };
    case "string": case "uri": return { text: oneLine(String(value)), kind: "text" };
    default: return { text: String(value), kind: isNumber(column) ? "number" : "text" };
    }
}

/** @param {Record<string, any>} value @param {Column} column */
function objectText(value, column) {
    if (column.type === "composite") return { text: partsText(value, column), kind: "text" };
    if (value.id !== undefined) return { text: value.title ?? value.id, kind: "link" };
    if (value.count !== undefined) return { text: String(value.count), kind: value.count === 0 ? "none" : "members" };
    if (value.text !== undefined) return { text: oneLine(value.text) + "…", kind: "text" };
    if (value.unreadable !== undefined) return { text: "unreadable", kind: "unreadable" };
    if (value.bytes !== undefined) {
        const kind = value.kind === null ? "" : " " + (value.kind.length < 5 ? value.kind.toUpperCase() : value.kind);
        return { text: byteText(value.length) + kind, kind: "data" };
    }
    return { text: JSON.stringify(value), kind: "text" };
}

/** @param {Record<string, any>} value @param {Column} column @returns {string} */
function partsText(value, column) {
    return Object.entries(value).filter(([, part]) => part !== null).map(([key, part]) => {
        const element = column.elements?.find(each => each.name === key) ?? { name: key, kind: /** @type {"attribute"} */("attribute"), isOptional: true };
        return `${key} ${cellText(part, element).text}`;
    }).join(", ");
}

/** Shows line breaks as a sign, since a row has one line. @param {string} text */
const oneLine = text => text.replace(/\s*[\r\n]+\s*/g, " ⏎ ");

/** The short name of a type, for headers and forms. @param {Column} column */
export function typeText(column) {
    if (column.kind === "toOne") return column.destination ?? "";
    if (column.kind === "toMany") return `${column.isOrdered ? "ordered " : ""}${column.destination}s`;
    const known = { integer16: "Int16", integer32: "Int32", integer64: "Int64", uuid: "UUID", uri: "URI", binary: "data" };
    return known[column.type ?? ""] ?? column.type ?? "";
}

// How boxes and lines are drawn, as SVG elements.
import { halves, pathText, pointsOf, triangle } from "./geometry.js";

/** @import { Path, Point } from "./geometry.js" */

/** @typedef {{element: number|null, kind: string, name: string, type: string, flags: string[]}} Row */
/** @typedef {{element: number, name: string, parent: string|null, isAbstract: boolean, isPlaced: boolean, summary: string, frame: number[], rows: Row[]}} Node */
/** @typedef {{element: number|null, row: number|null, name: string, isToMany: boolean, isOptional: boolean, deleteRule: string}} End */
/** @typedef {{kind: "link"|"inheritance", from: number, to: number, summary?: string, there?: End|null, back?: End|null, path: Path}} Line */
/** @typedef {{header: number, row: number, footer: number, margin: number}} Metrics */
/** @typedef {{nodes: Node[], lines: Line[], bounds: number[], metrics: Metrics}} Graph */

/**
 * Makes an SVG element.
 * @param {string} name
 * @param {Record<string, string|number|undefined>} [attributes]
 * @param {(Node|Element|string)[]} [children]
 * @returns {SVGElement}
 */
export function svg(name, attributes = {}, children = []) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) {
        if (value !== undefined) element.setAttribute(key, String(value));
    }
    element.append(...children);
    return element;
}

const measuring = document.createElement("canvas").getContext("2d");
/** @type {Map<string, string>} */
const shortened = new Map();

/** Cuts a text that is wider than its room. @param {string} text @param {number} room @param {string} font */
function fit(text, room, font) {
    const key = `${font} ${Math.round(room)} ${text}`;
    const known = shortened.get(key);
    if (known !== undefined) return known;
    if (measuring === null) return text;
    measuring.font = font;
    let result = text;
    while (result.length > 1 && measuring.measureText(result).width > room) {
        result = result.slice(0, result.endsWith("…") ? -2 : -1) + "…";
    }
    shortened.set(key, result);
    return result;
}

/** @param {Node} node @param {Metrics} metrics @param {number} index @param {import("./colours.js").Look} look @returns {SVGElement} */
export function drawNode(node, metrics, index, look) {
    const [x, y, width, height] = node.frame;
    const family = getComputedStyle(document.body).fontFamily;
    const rows = node.rows.map((row, number) => drawRow(row, metrics, number, width, family));
    return svg("g", {
        class: `node ${look.tint}${node.isAbstract ? " abstract" : ""}`, transform: `translate(${x} ${y})`, tabindex: index === 0 ? 0 : -1,
        role: "group", "aria-label": node.summary, "data-id": node.element, "data-name": node.name,
    }, [
        svg("rect", { class: "box", width, height, rx: 7 }),
        svg("path", { class: "head-fill", d: header(width, height, metrics.header, rows.length === 0) }),
        svg("text", { class: "name", x: width / 2, y: metrics.header / 2 + 5 },
            [fit(look.sign + node.name, width - 2 * metrics.margin, `600 14px ${family}`)]),
        svg("g", { class: "rows" }, rows),
        svg("circle", { class: "port", cx: width, cy: metrics.header / 2, r: 6 },
            [svg("title", {}, ["Drag to another entity to relate them"])]),
    ]);
}

/** @param {number} width @param {number} height @param {number} header @param {boolean} isAlone */
function header(width, height, header, isAlone) {
    const top = `M0 7A7 7 0 0 1 7 0H${width - 7}A7 7 0 0 1 ${width} 7`;
    return top + (isAlone ? `V${height - 7}A7 7 0 0 1 ${width - 7} ${height}H7A7 7 0 0 1 0 ${height - 7}Z` : `V${header}H0Z`);
}

/** @param {Row} row @param {Metrics} metrics @param {number} number @param {number} width @param {string} family */
function drawRow(row, metrics, number, width, family) {
    const y = metrics.header + (number + 0.5) * metrics.row + 4.2;
    const font = `12px ${family}`;
    const flags = row.flags.join(" ");
    const room = width - 2 * metrics.margin - 8;
    const type = fit(row.type, room * 0.5, font);
    const name = fit(row.name, room * 0.62, font);
    const children = [
        svg("text", { class: "row-name", x: metrics.margin, y }, [name,
            ...(flags === "" ? [] : [svg("tspan", { class: "flags", dx: 5 }, [flags])])]),
        svg("text", { class: "row-type", x: width - metrics.margin, y }, [type]),
    ];
    return svg("g", { class: `row ${row.kind}`, "data-row": row.element ?? undefined }, children);
}

/**
 * Draws a line, each half dashed if the relationship on its side may be empty, with a head at each end.
 * @param {Line} line
 * @param {Path} path
 * @param {number} index
 * @param {string} tint that of the entity where it begins
 * @returns {SVGElement}
 */
export function drawLine(line, path, index, tint) {
    const points = pointsOf(path);
    const text = pathText(path);
    const [start, second, beforeLast, end] = [points[0], points[1], points[points.length - 2], points[points.length - 1]];
    if (line.kind === "inheritance") {
        return svg("g", { class: "line inheritance", "data-line": index }, [
            svg("path", { class: "stroke", d: text }),
            svg("path", { class: "hollow", d: triangle(end, beforeLast, 12, 7) }),
        ]);
    }
    const [there, back] = [line.there ?? null, line.back ?? null];
    const isOptional = [(there ?? back)?.isOptional ?? false, (back ?? there)?.isOptional ?? false];
    const strokes = isOptional[0] === isOptional[1] || path.kind !== "curve"
        ? [svg("path", { class: isOptional[0] ? "stroke optional" : "stroke", d: text })]
        : halves(path).map((half, side) =>
            svg("path", { class: isOptional[side] ? "stroke optional" : "stroke", d: pathText(half) }));
    return svg("g", { class: `line link ${tint}`, "data-line": index, role: "img", "aria-label": line.summary }, [
        svg("path", { class: "near", d: text }, [svg("title", {}, [line.summary ?? ""])]),
        ...strokes,
        ...heads(there, end, beforeLast), ...heads(back, start, second),
    ]);
}

/** One head for to-one, two for to-many, a dot where no relationship leads. @param {End|null} relationship @param {Point} tip @param {Point} from */
function heads(relationship, tip, from) {
    if (relationship === null) return [svg("circle", { class: "head", cx: tip.x, cy: tip.y, r: 3 })];
    const first = svg("path", { class: "head", d: triangle(tip, from, 9, 4.5) });
    if (!relationship.isToMany) return [first];
    const distance = Math.hypot(from.x - tip.x, from.y - tip.y) || 1;
    const behind = { x: tip.x + (from.x - tip.x) / distance * 8, y: tip.y + (from.y - tip.y) / distance * 8 };
    return [first, svg("path", { class: "head", d: triangle(behind, from, 9, 4.5) })];
}

/** Returns the height, below the top of its box, at which a line ends. @param {End|null|undefined} end @param {Metrics} metrics */
export const portHeight = (end, metrics) => end === null || end === undefined || end.row === null
    ? metrics.header / 2 : metrics.header + (end.row + 0.5) * metrics.row;

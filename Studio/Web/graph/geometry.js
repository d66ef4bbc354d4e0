// Points, boxes and lines of the graph: pure, in the coordinates of the drawing.

/** @typedef {{x: number, y: number}} Point */
/** @typedef {{x: number, y: number, width: number, height: number}} Box */
/** @typedef {{x: number, y: number, scale: number}} View where the drawing's origin is on the screen, and its scale */

const leastScale = 0.05;
const greatestScale = 4;

export const bounded = scale => Math.max(leastScale, Math.min(greatestScale, scale));

/** @param {Box[]} boxes @returns {Box} the box around all of them */
export function around(boxes) {
    if (boxes.length === 0) return { x: 0, y: 0, width: 1, height: 1 };
    const left = Math.min(...boxes.map(box => box.x));
    const top = Math.min(...boxes.map(box => box.y));
    return {
        x: left, y: top, width: Math.max(...boxes.map(box => box.x + box.width)) - left,
        height: Math.max(...boxes.map(box => box.y + box.height)) - top,
    };
}

/** @param {Box} one @param {Box} other */
export const touch = (one, other) => one.x < other.x + other.width && other.x < one.x + one.width
    && one.y < other.y + other.height && other.y < one.y + one.height;

/** @param {Point} one @param {Point} other @returns {Box} the box of which they are opposite corners */
export const between = (one, other) => ({
    x: Math.min(one.x, other.x), y: Math.min(one.y, other.y),
    width: Math.abs(one.x - other.x), height: Math.abs(one.y - other.y),
});

/** @param {Box} box @returns {Point} */
export const middle = box => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 });

/** Shows all of a box in a window, not larger than it is. @param {Box} box @param {{width: number, height: number}} size @param {number} [margin] @returns {View} */
export function fitted(box, size, margin = 40) {
    const scale = bounded(Math.min(1, (size.width - 2 * margin) / box.width, (size.height - 2 * margin) / box.height));
    const centre = middle(box);
    return { x: size.width / 2 - centre.x * scale, y: size.height / 2 - centre.y * scale, scale };
}

/** Changes the scale while a point of the screen stays. @param {View} view @param {number} factor @param {Point} point @returns {View} */
export function zoomed(view, factor, point) {
    const scale = bounded(view.scale * factor);
    const ratio = scale / view.scale;
    return { x: point.x - (point.x - view.x) * ratio, y: point.y - (point.y - view.y) * ratio, scale };
}

/** @param {View} view @param {Point} point of the screen @returns {Point} of the drawing */
export const fromScreen = (view, point) => ({ x: (point.x - view.x) / view.scale, y: (point.y - view.y) / view.scale });

/** @param {View} view @param {{width: number, height: number}} size @returns {Box} the part of the drawing that is seen */
export const seen = (view, size) => ({
    x: -view.x / view.scale, y: -view.y / view.scale, width: size.width / view.scale, height: size.height / view.scale,
});

/**
 * The points of a line: of a curve its start, then two controls and an end for each piece.
 * @typedef {{kind: "curve"|"straight", points: number[]}} Path
 */

/** Writes a path as SVG. @param {Path} path */
export function pathText({ kind, points }) {
    const start = `M${points[0]} ${points[1]}`;
    if (kind === "straight") return start + "L" + points.slice(2).join(" ");
    return start + "C" + points.slice(2).join(" ");
}

/** Returns the point in the middle of two. @param {Point} one @param {Point} other @returns {Point} */
const mean = (one, other) => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });

/** Splits a curve into two of as many pieces. @param {Path} path @returns {[Path, Path]} */
export function halves(path) {
    const points = pointsOf(path);
    const pieces = (points.length - 1) / 3;
    const at = Math.floor(pieces / 2) * 3;
    if (pieces % 2 === 0) return [curve(points.slice(0, at + 1)), curve(points.slice(at))];
    const [a, b, c, d] = points.slice(at, at + 4);
    const [ab, bc, cd] = [mean(a, b), mean(b, c), mean(c, d)];
    const [abc, bcd] = [mean(ab, bc), mean(bc, cd)];
    const centre = mean(abc, bcd);
    return [curve([...points.slice(0, at + 1), ab, abc, centre]), curve([centre, bcd, cd, ...points.slice(at + 3)])];
}

/** @param {Path} path @returns {Point[]} */
export function pointsOf({ points }) {
    const all = [];
    for (let index = 0; index < points.length; index += 2) all.push({ x: points[index], y: points[index + 1] });
    return all;
}

/** @param {Point[]} points @returns {Path} */
const curve = points => ({ kind: "curve", points: points.flatMap(point => [point.x, point.y]) });

/**
 * Draws a line between two boxes while one of them is dragged: from the nearer sides, at the heights of its ends.
 * @param {Box} from @param {number} fromHeight below the top of the box
 * @param {Box} to @param {number} toHeight
 * @returns {Path}
 */
export function directLine(from, fromHeight, to, toHeight) {
    if (from === to) {
        const [x, reach] = [from.x + from.width, from.x + from.width + 40];
        return curve([{ x, y: from.y + fromHeight }, { x: reach, y: from.y + fromHeight },
            { x: reach, y: to.y + toHeight }, { x, y: to.y + toHeight }]);
    }
    const isRightward = middle(to).x >= middle(from).x;
    const overlaps = from.x < to.x + to.width && to.x < from.x + from.width;
    const start = { x: isRightward ? from.x + from.width : from.x, y: from.y + fromHeight };
    const end = { x: isRightward === overlaps ? to.x + to.width : to.x, y: to.y + toHeight };
    const reach = Math.max(30, Math.abs(end.x - start.x) / 2);
    const leaving = isRightward ? reach : -reach;
    const arriving = isRightward === overlaps ? reach : -reach;
    return curve([start, { x: start.x + leaving, y: start.y }, { x: end.x + arriving, y: end.y }, end]);
}

/** Returns a triangle whose tip is at a point, for a line that comes from another. @param {Point} tip @param {Point} from @param {number} length @param {number} half */
export function triangle(tip, from, length, half) {
    const distance = Math.hypot(tip.x - from.x, tip.y - from.y) || 1;
    const [x, y] = [(from.x - tip.x) / distance, (from.y - tip.y) / distance];
    const [baseX, baseY] = [tip.x + x * length, tip.y + y * length];
    return `M${tip.x} ${tip.y}L${baseX - y * half} ${baseY + x * half} ${baseX + y * half} ${baseY - x * half}Z`;
}

/**
 * Returns the nearest box in a direction, for keys.
 * @template {{box: Box}} T
 * @param {T} start @param {T[]} all @param {-1|0|1} x @param {-1|0|1} y
 * @returns {T|undefined}
 */
export function nearest(start, all, x, y) {
    const own = middle(start.box);
    let best;
    let least = Infinity;
    for (const other of all) {
        if (other === start) continue;
        const point = middle(other.box);
        const along = (point.x - own.x) * x + (point.y - own.y) * y;
        const across = Math.abs((point.x - own.x) * y) + Math.abs((point.y - own.y) * x);
        if (along <= 0 || along + across * 2 >= least) continue;
        [best, least] = [other, along + across * 2];
    }
    return best;
}

/** Returns the box around the points of a line, with room for heads. @param {number[]} points @returns {Box} */
export function boxOf(points) {
    const xs = points.filter((_, index) => index % 2 === 0);
    const ys = points.filter((_, index) => index % 2 === 1);
    const [left, top] = [Math.min(...xs) - 8, Math.min(...ys) - 8];
    return { x: left, y: top, width: Math.max(...xs) + 8 - left, height: Math.max(...ys) + 8 - top };
}

// Boxes put on one line, or at equal distances: pure.
import { around } from "./geometry.js";

/** @import { Box } from "./geometry.js" */

/** @typedef {{name: string, title: string, least: number, place: (boxes: Box[]) => Box[]}} Alignment least: the number of boxes it makes sense for */

/** @param {string} name @param {string} title @param {(box: Box, all: Box) => Partial<Box>} place @returns {Alignment} */
const aligning = (name, title, place) => ({
    name, title, least: 2, place: boxes => {
        const all = around(boxes);
        return boxes.map(box => ({ ...box, ...place(box, all) }));
    },
});

/**
 * Makes the room between neighbours equal. The first and the last stay, unless there is no room between them: then
 * boxes follow each other at a little distance.
 * @param {Box[]} boxes @param {"x"|"y"} edge @param {"width"|"height"} side
 */
function distributed(boxes, edge, side) {
    const order = boxes.map((_, index) => index).sort((one, other) => boxes[one][edge] - boxes[other][edge]);
    const filled = boxes.reduce((sum, box) => sum + box[side], 0);
    const gap = Math.max(16, (around(boxes)[side] - filled) / (boxes.length - 1));
    const placed = [...boxes];
    let next = around(boxes)[edge];
    for (const index of order) {
        placed[index] = { ...boxes[index], [edge]: next };
        next += boxes[index][side] + gap;
    }
    return placed;
}

/** @type {Alignment[]} */
export const alignments = [
    aligning("alignLeft", "Align left edges", (_, all) => ({ x: all.x })),
    aligning("alignCentre", "Align centres", (box, all) => ({ x: all.x + (all.width - box.width) / 2 })),
    aligning("alignRight", "Align right edges", (box, all) => ({ x: all.x + all.width - box.width })),
    aligning("alignTop", "Align top edges", (_, all) => ({ y: all.y })),
    aligning("alignMiddle", "Align middles", (box, all) => ({ y: all.y + (all.height - box.height) / 2 })),
    aligning("alignBottom", "Align bottom edges", (box, all) => ({ y: all.y + all.height - box.height })),
    { name: "distributeAcross", title: "Equal distances across", least: 3, place: boxes => distributed(boxes, "x", "width") },
    { name: "distributeDown", title: "Equal distances down", least: 3, place: boxes => distributed(boxes, "y", "height") },
];

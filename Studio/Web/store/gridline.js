// A line of the grid: an element that shows one row, and another one when the rows have moved on.
import { cellText, isOnTheRight } from "./cells.js";
import { element } from "./dom.js";

export class GridLine {
    /** @param {import("./cells.js").Column[]} columns @param {number[]} widths */
    constructor(columns, widths) {
        this.columns = columns;
        this.index = -1;
        this.place = NaN;
        this.mark = "";
        /** @type {any[]|undefined|null} */
        this.row = null;
        /** @type {any} */
        this.change = undefined;
        this.root = element("div", "grid-row", { role: "row" });
        this.cells = columns.map((_, index) => element("div", "grid-cell", { role: "gridcell", "aria-colindex": String(index + 1) }));
        this.root.append(...this.cells);
        this.size(widths);
    }

    /** @param {number[]} widths */
    size(widths) {
        widths.forEach((width, index) => { this.cells[index].style.width = `${width}px`; });
    }

    /**
     * Shows a row at a place. What is there already is not written again.
     * @param {number} index @param {number} place in pixels @param {any[]|undefined} row
     * @param {any} change what is pending of it @param {boolean} isFlashing
     */
    show(index, place, row, change, isFlashing) {
        if (this.place !== place) {
            this.place = place;
            this.root.style.transform = `translateY(${place}px)`;
        }
        if (this.index !== index) {
            this.index = index;
            this.root.setAttribute("aria-rowindex", String(index + 2));
            this.row = null;
        }
        const mark = row === undefined ? "waits" : (change?.kind ?? "") + (isFlashing ? " flash" : "");
        if (this.mark !== mark) {
            this.mark = mark;
            this.root.className = "grid-row " + mark;
        }
        if (this.row === row && this.change === change) return;
        [this.row, this.change] = [row, change];
        this.columns.forEach((column, at) => {
            const cell = this.cells[at];
            const edited = change?.values?.[column.name];
            const value = edited !== undefined ? edited.to : row?.[at + 1];
            const { text, kind } = row === undefined ? { text: "", kind: "waits" } : cellText(value, column);
            if (cell.textContent !== text) cell.textContent = text;
            if (value?.id === undefined) delete cell.dataset.link;
            else cell.dataset.link = value.id;
            cell.className = `grid-cell ${kind}${isOnTheRight(column) ? " right" : ""}${edited !== undefined ? " edited" : ""}`;
        });
    }
}

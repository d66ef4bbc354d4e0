// The head of the grid: the names of columns, how rows are sorted, how wide columns are.
import { isOnTheRight, typeText } from "./cells.js";
import { element } from "./dom.js";

/** @import { Column } from "./cells.js" */

export class GridHead {
    /** @param {{onSort: (column: Column, adds: boolean) => void, onResize: () => void}} handlers */
    constructor(handlers) {
        this.handlers = handlers;
        this.root = element("div", "grid-head", { role: "row", "aria-rowindex": "1" });
        /** @type {Column[]} */
        this.columns = [];
        /** @type {{key: string, isAscending: boolean}[]} */
        this.sort = [];
        /** @type {number[]} */
        this.widths = [];
    }

    get width() { return this.leftOf(this.widths.length); }

    leftOf(column) { return this.widths.slice(0, column).reduce((sum, each) => sum + each, 0); }

    /** Returns whether the columns are others than before. @param {Column[]} columns @param {{key: string, isAscending: boolean}[]} sort */
    show(columns, sort) {
        const isSame = columns.map(each => each.name).join() === this.columns.map(each => each.name).join();
        [this.columns, this.sort] = [columns, sort];
        if (!isSame) this.widths = columns.map(usualWidth);
        this.draw();
        return !isSame;
    }

    draw() {
        this.root.replaceChildren(...this.columns.map((column, index) => this.cell(column, index)));
        this.root.style.width = `${this.width}px`;
    }

    /** @param {Column} column @param {number} index */
    cell(column, index) {
        const cell = element("div", "grid-header" + (isOnTheRight(column) ? " right" : ""), {
            role: "columnheader", "aria-colindex": String(index + 1), title: `${column.name}: ${typeText(column)}`,
        });
        // A to-one relationship is sorted by the title of where it leads.
        const position = this.sort.findIndex(each => each.key.split(".")[0] === column.name);
        cell.setAttribute("aria-sort", position !== 0 ? "none" : this.sort[0].isAscending ? "ascending" : "descending");
        const texts = [["grid-header-name", column.name], ["grid-header-type", typeText(column)]];
        if (position >= 0) {
            const sign = this.sort[position].isAscending ? "▲" : "▼";
            texts.push(["grid-sort", sign + (this.sort.length > 1 ? position + 1 : "")]);
        }
        for (const [name, text] of texts) cell.append(Object.assign(element("span", name), { textContent: text }));
        cell.addEventListener("click", event => this.handlers.onSort(column, event.shiftKey));
        cell.append(this.edge(index));
        cell.style.width = `${this.widths[index]}px`;
        return cell;
    }

    /** The edge by which a column is made wider. @param {number} index */
    edge(index) {
        const edge = element("span", "grid-edge");
        edge.addEventListener("click", event => event.stopPropagation());
        edge.addEventListener("pointerdown", event => {
            event.preventDefault();
            const [start, width] = [event.clientX, this.widths[index]];
            edge.setPointerCapture(event.pointerId);
            edge.onpointermove = move => {
                this.widths[index] = Math.max(40, width + move.clientX - start);
                // The edge keeps the pointer, and so it has to stay: its head is sized, not drawn anew.
                [...this.root.children].forEach((cell, at) => { cell.style.width = `${this.widths[at]}px`; });
                this.root.style.width = `${this.width}px`;
                this.handlers.onResize();
            };
            edge.onpointerup = () => { edge.onpointermove = null; };
        });
        return edge;
    }
}

/** @param {Column} column */
function usualWidth(column) {
    const named = 46 + 7.5 * column.name.length + 6 * typeText(column).length;
    const types = { string: 220, date: 165, uuid: 150, uri: 200, boolean: 70, binary: 150, transformable: 150 };
    const typed = column.kind === "toOne" ? 160 : types[column.type ?? ""] ?? 90;
    const letters = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
    return Math.round(Math.min(320, Math.max(named, typed)) * letters);
}

// The grid: a million rows in a window of some dozens of lines, which are used again while one scrolls.
import { element } from "./dom.js";
import { isControlled } from "./editorkeys.js";
import { GridHead } from "./gridhead.js";
import { GridLine } from "./gridline.js";
import { RowScroll } from "./rowscroll.js";

/** @import { Column } from "./cells.js" */

/** Lines that are drawn above and below what is seen. */
const extra = 8;

/**
 * @typedef {object} GridSource
 * @property {number} total
 * @property {boolean} isExact
 * @property {(index: number) => any[]|undefined} at
 * @property {(from: number, to: number) => void} need
 *
 * @typedef {object} GridHandlers
 * @property {(index: number, column: number) => void} onSelect
 * @property {(id: string) => void} onFollow a link of a cell
 * @property {(column: Column, adds: boolean) => void} onSort
 * @property {(index: number, column: number, text: string|null) => void} onEdit text: what was typed
 * @property {(event: KeyboardEvent, index: number, column: number) => boolean} onKey
 * @property {(text: string) => void} onPaste
 */

export class Grid {
    /** @param {HTMLElement} host @param {GridHandlers} handlers */
    constructor(host, handlers) {
        this.host = host;
        this.handlers = handlers;
        /** @type {GridSource|null} */
        this.source = null;
        /** @type {Map<string, any>} */
        this.changes = new Map();
        /** @type {Set<string>} */
        this.flashing = new Set();
        this.row = 0;
        this.column = 0;
        this.isScheduled = false;
        /** Whether the last row is wanted, which is not known yet. */
        this.seeksEnd = false;
        /** @type {GridLine[]} */
        this.lines = [];
        this.root = element("div", "grid", { role: "grid", "aria-label": "Rows", tabindex: "0" });
        this.head = new GridHead({ onSort: handlers.onSort, onResize: () => this.sized() });
        this.scroller = element("div", "grid-scroller", { role: "presentation" });
        this.spacer = element("div", "grid-spacer", { role: "presentation" });
        this.body = element("div", "grid-body", { role: "rowgroup" });
        this.scroll = new RowScroll(this.scroller, this.spacer);
        this.scroller.append(this.spacer, this.body);
        this.root.append(this.head.root, this.scroller);
        this.host.append(this.root);
        this.scroller.addEventListener("scroll", () => {
            this.head.root.style.transform = `translateX(${-this.scroller.scrollLeft}px)`;
            if (this.scroll.follow()) this.schedule();
        }, { passive: true });
        this.root.addEventListener("keydown", event => this.pressed(event));
        this.root.addEventListener("paste", event => handlers.onPaste(event.clipboardData?.getData("text/plain") ?? ""));
        this.body.addEventListener("mousedown", event => this.clicked(event));
        this.body.addEventListener("dblclick", () => this.handlers.onEdit(this.row, this.column, null));
        this.observer = new ResizeObserver(() => this.changed());
        this.observer.observe(this.scroller);
        this.changed();
    }

    destroy() {
        this.observer.disconnect();
        this.root.remove();
    }

    get top() { return this.scroll.top; }
    get shownRows() { return this.scroll.shownRows; }
    get columns() { return this.head.columns; }

    // Content

    /** @param {GridSource} source @param {Column[]} columns @param {{key: string, isAscending: boolean}[]} sort */
    show(source, columns, sort) {
        if (source !== this.source) this.seeksEnd = false;
        this.source = source;
        if (this.head.show(columns, sort)) {
            this.column = Math.min(this.column, Math.max(0, columns.length - 1));
            this.lines.forEach(line => line.root.remove());
            this.lines = [];
        }
        this.sized();
        this.changed();
    }

    sized() {
        for (const part of [this.body, this.spacer]) part.style.width = `${this.head.width}px`;
        this.lines.forEach(line => line.size(this.head.widths));
    }

    /** Shows what has come since. */
    changed() {
        const total = this.source?.total ?? 0;
        this.row = Math.max(0, Math.min(this.row, total - 1));
        this.root.setAttribute("aria-rowcount", this.source?.isExact === false ? "-1" : String(total + 1));
        this.root.setAttribute("aria-colcount", String(this.columns.length));
        const height = Math.round(1.625 * parseFloat(getComputedStyle(document.documentElement).fontSize));
        this.root.style.setProperty("--grid-row", `${height}px`);
        this.scroll.size(total, height);
        this.schedule();
        if (!this.seeksEnd) return;
        if (this.row < total - 1) this.goToEnd(this.column);
        else this.seeksEnd = this.source?.isExact === false;
    }

    /** Writes all cells anew. */
    redraw() {
        this.lines.forEach(line => { line.row = null; });
        this.schedule();
    }

    /** @param {number} top */
    scrollTo(top) {
        this.scroll.go(top);
        this.schedule();
    }

    schedule() {
        if (this.isScheduled) return;
        this.isScheduled = true;
        requestAnimationFrame(() => {
            this.isScheduled = false;
            this.draw();
        });
    }

    draw() {
        const { source, scroll: { top, rowHeight } } = this;
        if (source === null || !this.root.isConnected) return;
        const first = Math.max(0, Math.floor(top) - extra);
        const last = Math.min(source.total, Math.ceil(top) + this.shownRows + extra + 1);
        source.need(first, last);
        const count = Math.max(0, last - first);
        while (this.lines.length < count) {
            const line = new GridLine(this.columns, this.head.widths);
            this.lines.push(line);
            this.body.append(line.root);
        }
        while (this.lines.length > count) this.lines.pop()?.root.remove();
        // Places are counted from a row nearby, since a browser's are exact to some millions only.
        const base = Math.floor(first / 1000) * 1000;
        // A row keeps its line while it is shown, so that only rows that come are written.
        for (let index = first; index < last; index++) {
            const row = source.at(index);
            this.lines[index % count].show(index, (index - base) * rowHeight, row,
                row === undefined ? undefined : this.changes.get(row[0]), row !== undefined && this.flashing.has(row[0]));
        }
        this.body.style.transform = `translateY(${this.scroller.scrollTop - (top - base) * rowHeight}px)`;
        this.showFocus();
    }

    /** Shows rows that another program changed. @param {string[]} ids */
    flash(ids) {
        this.flashing = new Set(ids);
        this.schedule();
        setTimeout(() => {
            this.flashing = new Set();
            this.schedule();
        }, 1600);
    }

    // Focus

    focus() { this.root.focus({ preventScroll: true }); }

    showFocus() {
        this.root.querySelector(".focused")?.classList.remove("focused");
        this.root.querySelector("[aria-selected=true]")?.removeAttribute("aria-selected");
        const line = this.lines.find(each => each.index === this.row);
        const cell = line?.cells[this.column];
        if (line === undefined || cell === undefined) return this.root.removeAttribute("aria-activedescendant");
        line.root.setAttribute("aria-selected", "true");
        cell.classList.add("focused");
        this.root.querySelectorAll("#grid-focus").forEach(each => { if (each !== cell) each.removeAttribute("id"); });
        cell.id = "grid-focus";
        this.root.setAttribute("aria-activedescendant", "grid-focus");
        // A cell is told of when its row has come.
        const told = `${this.row} ${this.column} ${cell.dataset.link}`;
        if (told === this.told || document.activeElement !== this.root) return;
        this.told = told;
        cell.dispatchEvent(new Event("cellfocus", { bubbles: true }));
    }

    /** Selects a cell, and scrolls it into view. @param {number} row @param {number} column */
    select(row, column, tells = true) {
        this.seeksEnd = false;
        this.row = Math.max(0, Math.min(row, (this.source?.total ?? 0) - 1));
        this.column = Math.max(0, Math.min(column, this.columns.length - 1));
        this.scroll.show(this.row);
        this.showColumn();
        this.schedule();
        if (tells) this.handlers.onSelect(this.row, this.column);
    }

    /** Selects the last row. While rows are still counted, it is the last one that is known. @param {number} column */
    goToEnd(column) {
        this.select((this.source?.total ?? 0) - 1, column);
        this.seeksEnd = this.source?.isExact === false;
    }

    showColumn() {
        const left = this.head.leftOf(this.column);
        const right = this.head.leftOf(this.column + 1);
        const view = this.scroller;
        if (left < view.scrollLeft) view.scrollLeft = left;
        else if (right > view.scrollLeft + view.clientWidth) view.scrollLeft = right - view.clientWidth;
    }

    /** The box of the selected cell, for an editor; null while it is not shown. */
    cellBox() {
        this.draw();
        return this.lines.find(each => each.index === this.row)?.cells[this.column] ?? null;
    }

    clicked(event) {
        const cell = event.target.closest(".grid-cell");
        const line = this.lines.find(each => each.root === cell?.parentElement);
        if (cell === null || line === undefined || event.button !== 0) return;
        event.preventDefault();
        this.focus();
        this.select(line.index, [...line.root.children].indexOf(cell));
        if (isControlled(event)) this.follow();
    }

    /** Follows the link of the selected cell; of another cell, the row itself. */
    follow() {
        const row = this.source?.at(this.row);
        if (row === undefined) return;
        this.handlers.onFollow(row[this.column + 1]?.id ?? row[0]);
    }

    pressed(event) {
        if (event.target !== this.root || event.defaultPrevented) return;
        const jump = isControlled(event);
        const [last, lastColumn] = [(this.source?.total ?? 0) - 1, this.columns.length - 1];
        /** @type {Record<string, [number, number]>} */
        const places = {
            ArrowUp: [jump ? 0 : this.row - 1, this.column], ArrowDown: [jump ? last : this.row + 1, this.column],
            ArrowLeft: [this.row, jump ? 0 : this.column - 1], ArrowRight: [this.row, jump ? lastColumn : this.column + 1],
            Home: [jump ? 0 : this.row, 0], End: [jump ? last : this.row, lastColumn],
            PageUp: [this.row - this.shownRows, this.column], PageDown: [this.row + this.shownRows, this.column],
        };
        const place = event.altKey ? undefined : places[event.key];
        if (place !== undefined && jump && ["ArrowDown", "End"].includes(event.key)) this.goToEnd(place[1]);
        else if (place !== undefined) this.select(...place);
        else if (event.key === "Enter" && jump || event.key === " " && event.altKey) this.follow();
        else if (event.key === "F2" || event.key === "Enter" && !event.shiftKey) this.handlers.onEdit(this.row, this.column, null);
        else if (event.altKey && event.code === "KeyS") this.handlers.onSort(this.columns[this.column], event.shiftKey);
        else if (this.handlers.onKey(event, this.row, this.column)) { /* taken */ }
        else if (event.key.length === 1 && !jump && !event.altKey && event.key !== "?") this.handlers.onEdit(this.row, this.column, event.key);
        else return;
        event.preventDefault();
        event.stopPropagation();
    }
}

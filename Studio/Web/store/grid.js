// The grid: a million rows in a window of some dozens of elements, which are used again while one scrolls.
//
// Browsers end a box at some ten million pixels. The scrolled box therefore has at most 8 million, and the place
// of the scroll bar is mapped to rows; small steps of the wheel and of keys move by rows all the same.
import { cellText, isNumber, typeText } from "./cells.js";

const tallest = 8_000_000;
const extra = 8;

/**
 * @typedef {import("./cells.js").Column} Column
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
 */

/** @param {string} tag @param {string} className @param {Record<string, string>} attributes */
function element(tag, className, attributes = {}) {
    const made = document.createElement(tag);
    made.className = className;
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
}

export class Grid {
    /** @param {HTMLElement} host @param {GridHandlers} handlers */
    constructor(host, handlers) {
        this.host = host;
        this.handlers = handlers;
        /** @type {GridSource|null} */
        this.source = null;
        /** @type {Column[]} */
        this.columns = [];
        /** @type {{key: string, isAscending: boolean}[]} */
        this.sort = [];
        /** @type {number[]} */
        this.widths = [];
        /** @type {Map<string, any>} */
        this.changes = new Map();
        /** @type {Set<string>} */
        this.flashing = new Set();
        this.row = 0;
        this.column = 0;
        this.top = 0;
        this.base = 0;
        this.rowHeight = 26;
        this.isScheduled = false;
        this.height = 0;
        this.ownScroll = 0;
        /** @type {HTMLElement[]} */
        this.lines = [];
        this.root = element("div", "grid", { role: "grid", "aria-label": "Rows", tabindex: "0" });
        this.head = element("div", "grid-head", { role: "row", "aria-rowindex": "1" });
        this.scroller = element("div", "grid-scroller", { role: "presentation" });
        this.spacer = element("div", "grid-spacer", { role: "presentation" });
        this.body = element("div", "grid-body", { role: "rowgroup" });
        this.scroller.append(this.spacer, this.body);
        this.root.append(this.head, this.scroller);
        this.host.append(this.root);
        this.scroller.addEventListener("scroll", () => this.scrolled(), { passive: true });
        this.root.addEventListener("keydown", event => this.pressed(event));
        this.body.addEventListener("mousedown", event => this.clicked(event));
        this.body.addEventListener("dblclick", () => this.handlers.onEdit(this.row, this.column, null));
        this.observer = new ResizeObserver(() => this.resized());
        this.observer.observe(this.scroller);
        this.resized();
    }

    destroy() {
        this.observer.disconnect();
        this.root.remove();
    }

    // Content

    /** @param {GridSource} source @param {Column[]} columns @param {{key: string, isAscending: boolean}[]} sort */
    show(source, columns, sort) {
        const isSame = columns.map(each => each.name).join() === this.columns.map(each => each.name).join();
        [this.source, this.columns, this.sort] = [source, columns, sort];
        if (!isSame) {
            this.widths = columns.map(usualWidth);
            this.column = Math.min(this.column, Math.max(0, columns.length - 1));
            this.lines.forEach(line => line.remove());
            this.lines = [];
        }
        this.showHead();
        this.changed();
    }

    /** Shows what has come since. */
    changed() {
        const total = this.source?.total ?? 0;
        this.row = Math.max(0, Math.min(this.row, total - 1));
        this.root.setAttribute("aria-rowcount", this.source?.isExact === false ? "-1" : String(total + 1));
        this.root.setAttribute("aria-colcount", String(this.columns.length));
        this.height = Math.min(tallest, total * this.rowHeight);
        this.spacer.style.height = `${this.height}px`;
        this.schedule();
    }

    showHead() {
        this.head.replaceChildren(...this.columns.map((column, index) => {
            const cell = element("div", "grid-header" + (isNumber(column) || column.kind === "toMany" ? " right" : ""), {
                role: "columnheader", "aria-colindex": String(index + 1), title: `${column.name}: ${typeText(column)}`,
            });
            // A to-one relationship is sorted by the title of where it leads.
            const position = this.sort.findIndex(each => each.key.split(".")[0] === column.name);
            cell.setAttribute("aria-sort", position !== 0 ? "none" : this.sort[0].isAscending ? "ascending" : "descending");
            const name = element("span", "grid-header-name");
            name.textContent = column.name;
            const type = element("span", "grid-header-type");
            type.textContent = typeText(column);
            cell.append(name, type);
            if (position >= 0) {
                const sign = element("span", "grid-sort");
                sign.textContent = (this.sort[position].isAscending ? "▲" : "▼") + (this.sort.length > 1 ? position + 1 : "");
                cell.append(sign);
            }
            cell.addEventListener("click", event => this.handlers.onSort(column, event.shiftKey));
            cell.append(this.handle(index));
            cell.style.width = `${this.widths[index]}px`;
            return cell;
        }));
        this.head.style.width = `${this.width}px`;
        this.body.style.width = `${this.width}px`;
        this.spacer.style.width = `${this.width}px`;
    }

    get width() { return this.widths.reduce((sum, each) => sum + each, 0); }

    /** The edge by which a column is made wider. @param {number} index */
    handle(index) {
        const edge = element("span", "grid-edge");
        edge.addEventListener("click", event => event.stopPropagation());
        edge.addEventListener("pointerdown", event => {
            event.preventDefault();
            const [start, width] = [event.clientX, this.widths[index]];
            edge.setPointerCapture(event.pointerId);
            edge.onpointermove = move => {
                this.widths[index] = Math.max(40, width + move.clientX - start);
                this.showHead();
                this.lines.forEach(line => this.sizeCells(line));
            };
            edge.onpointerup = () => { edge.onpointermove = null; };
        });
        return edge;
    }

    // Scrolling

    get shownRows() { return Math.max(1, Math.floor(this.scroller.clientHeight / this.rowHeight)); }
    get lastTop() { return Math.max(0, (this.source?.total ?? 0) - this.shownRows); }
    get isMapped() { return (this.source?.total ?? 0) * this.rowHeight > tallest; }

    resized() {
        this.rowHeight = Math.round(1.625 * parseFloat(getComputedStyle(document.documentElement).fontSize));
        this.root.style.setProperty("--grid-row", `${this.rowHeight}px`);
        this.changed();
    }

    scrolled() {
        this.head.style.transform = `translateX(${-this.scroller.scrollLeft}px)`;
        const place = this.scroller.scrollTop;
        if (this.ownScroll === place) return;
        const before = this.ownScroll;
        const step = place - before;
        this.ownScroll = place;
        if (!this.isMapped) {
            this.top = place / this.rowHeight;
        } else if (Math.abs(step) < this.scroller.clientHeight) {
            // A small step moves by what one sees, however few pixels stand for all rows.
            this.top = Math.max(0, Math.min(this.lastTop, this.top + step / this.rowHeight));
            if (place <= 0) this.top = 0;
            if (place >= this.height - this.scroller.clientHeight - 1) this.top = this.lastTop;
        } else {
            this.top = place / Math.max(1, this.height - this.scroller.clientHeight) * this.lastTop;
        }
        this.schedule();
    }

    /** Scrolls so that a row is the first one. @param {number} top */
    scrollTo(top) {
        this.top = Math.max(0, Math.min(this.lastTop, top));
        const share = this.lastTop === 0 ? 0 : this.top / this.lastTop;
        const place = this.isMapped ? share * (this.height - this.scroller.clientHeight) : this.top * this.rowHeight;
        this.scroller.scrollTop = place;
        this.ownScroll = this.scroller.scrollTop;
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
        if (this.source === null || !this.root.isConnected) return;
        const first = Math.max(0, Math.floor(this.top) - extra);
        const last = Math.min(this.source.total, Math.ceil(this.top) + this.shownRows + extra + 1);
        this.source.need(first, last);
        const count = Math.max(0, last - first);
        while (this.lines.length < count) this.lines.push(this.makeLine());
        while (this.lines.length > count) this.lines.pop()?.remove();
        // Places are counted from a row nearby, since a browser's are exact to some millions only.
        this.base = Math.floor(first / 1000) * 1000;
        // A row keeps its element while it is shown, so that only rows that come are written.
        for (let index = first; index < last; index++) {
            const line = this.lines[index % count];
            this.fill(line, index, this.source.at(index));
        }
        const offset = this.scroller.scrollTop - (this.top - this.base) * this.rowHeight;
        this.body.style.transform = `translateY(${offset}px)`;
        this.showFocus();
    }

    makeLine() {
        const line = element("div", "grid-row", { role: "row" });
        this.columns.forEach((column, index) => {
            const cell = element("div", "grid-cell", { role: "gridcell", "aria-colindex": String(index + 1) });
            if (isNumber(column) || column.kind === "toMany") cell.classList.add("right");
            line.append(cell);
        });
        this.sizeCells(line);
        this.body.append(line);
        return line;
    }

    /** @param {HTMLElement} line */
    sizeCells(line) {
        this.widths.forEach((width, index) => {
            /** @type {HTMLElement} */(line.children[index]).style.width = `${width}px`;
        });
    }

    /** @param {any} line @param {number} index @param {any[]|undefined} row */
    fill(line, index, row) {
        const place = (index - this.base) * this.rowHeight;
        if (line.place !== place) {
            line.place = place;
            line.style.transform = `translateY(${place}px)`;
        }
        if (line.index !== index) {
            line.index = index;
            line.setAttribute("aria-rowindex", String(index + 2));
            line.row = null;
        }
        const change = row === undefined ? undefined : this.changes.get(row[0]);
        const mark = row === undefined ? "waits" : (change?.kind ?? "") + (this.flashing.has(row[0]) ? " flash" : "");
        if (line.mark !== mark) {
            line.mark = mark;
            line.className = "grid-row " + mark;
        }
        if (line.row === row && line.change === change) return;
        [line.row, line.change] = [row, change];
        for (let column = 0; column < this.columns.length; column++) {
            const cell = line.children[column];
            const edited = change?.values?.[this.columns[column].name];
            const value = edited !== undefined ? edited.to : row?.[column + 1];
            const { text, kind } = row === undefined ? { text: "", kind: "waits" } : cellText(value, this.columns[column]);
            if (cell.textContent !== text) cell.textContent = text;
            const right = isNumber(this.columns[column]) || this.columns[column].kind === "toMany" ? " right" : "";
            cell.className = `grid-cell ${kind}${right}${edited !== undefined ? " edited" : ""}`;
        }
    }

    /** Shows rows that another program changed. @param {string[]} ids */
    flash(ids) {
        this.flashing = new Set(ids);
        this.lines.forEach(line => { /** @type {any} */(line).mark = null; });
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
        const line = this.lines.find(each => /** @type {any} */(each).index === this.row);
        const cell = line?.children[this.column];
        if (line === undefined || cell === undefined) return this.root.removeAttribute("aria-activedescendant");
        line.setAttribute("aria-selected", "true");
        cell.classList.add("focused");
        cell.id = "grid-focus";
        this.root.querySelectorAll("#grid-focus").forEach(each => { if (each !== cell) each.removeAttribute("id"); });
        this.root.setAttribute("aria-activedescendant", "grid-focus");
    }

    /** Selects a cell, and scrolls it into view. @param {number} row @param {number} column */
    select(row, column, tells = true) {
        const total = this.source?.total ?? 0;
        this.row = Math.max(0, Math.min(row, total - 1));
        this.column = Math.max(0, Math.min(column, this.columns.length - 1));
        if (this.row < this.top) this.scrollTo(this.row);
        else if (this.row > this.top + this.shownRows - 1) this.scrollTo(this.row - this.shownRows + 1);
        this.showColumn();
        this.schedule();
        if (tells) this.handlers.onSelect(this.row, this.column);
    }

    showColumn() {
        const left = this.widths.slice(0, this.column).reduce((sum, each) => sum + each, 0);
        const right = left + this.widths[this.column];
        const view = this.scroller;
        if (left < view.scrollLeft) view.scrollLeft = left;
        else if (right > view.scrollLeft + view.clientWidth) view.scrollLeft = right - view.clientWidth;
    }

    /** The box of the selected cell, for an editor; null while it is not shown. */
    cellBox() {
        this.draw();
        const line = this.lines.find(each => /** @type {any} */(each).index === this.row);
        return line === undefined ? null : /** @type {HTMLElement} */(line.children[this.column]);
    }

    /** @param {MouseEvent} event */
    clicked(event) {
        const cell = /** @type {HTMLElement} */(event.target).closest(".grid-cell");
        const line = /** @type {any} */(cell?.parentElement);
        if (cell === null || line === null || event.button !== 0) return;
        event.preventDefault();
        this.focus();
        const column = [...line.children].indexOf(cell);
        this.select(line.index, column);
        if (event.ctrlKey || event.metaKey) this.follow();
    }

    /** Follows the link of the selected cell; of another cell, the row itself. */
    follow() {
        const row = this.source?.at(this.row);
        if (row === undefined) return;
        const value = row[this.column + 1];
        this.handlers.onFollow(value?.id ?? row[0]);
    }

    /** @param {KeyboardEvent} event */
    pressed(event) {
        if (event.target !== this.root || event.defaultPrevented) return;
        const jump = event.ctrlKey || event.metaKey;
        const total = this.source?.total ?? 0;
        /** @type {Record<string, () => void>} */
        const moves = {
            ArrowUp: () => this.select(jump ? 0 : this.row - 1, this.column),
            ArrowDown: () => this.select(jump ? total - 1 : this.row + 1, this.column),
            ArrowLeft: () => this.select(this.row, jump ? 0 : this.column - 1),
            ArrowRight: () => this.select(this.row, jump ? this.columns.length - 1 : this.column + 1),
            Home: () => this.select(jump ? 0 : this.row, 0),
            End: () => this.select(jump ? total - 1 : this.row, this.columns.length - 1),
            PageUp: () => this.select(this.row - this.shownRows, this.column),
            PageDown: () => this.select(this.row + this.shownRows, this.column),
        };
        const move = event.altKey ? undefined : moves[event.key];
        if (move !== undefined) move();
        else if (event.key === "Enter" && jump || event.key === " " && event.altKey) this.follow();
        else if (event.key === "F2" || event.key === "Enter") this.handlers.onEdit(this.row, this.column, null);
        else if (this.handlers.onKey(event, this.row, this.column)) { /* taken */ }
        else if (event.key.length === 1 && !jump && !event.altKey && event.key !== "?") this.handlers.onEdit(this.row, this.column, event.key);
        else return;
        event.preventDefault();
        event.stopPropagation();
    }
}

/** @param {Column} column */
function usualWidth(column) {
    const named = 46 + 7.5 * column.name.length + 6 * typeText(column).length;
    const types = { string: 220, date: 150, uuid: 150, uri: 200, boolean: 70, binary: 150, transformable: 150 };
    const typed = column.kind === "toOne" ? 160 : /** @type {Record<string, number>} */(types)[column.type ?? ""] ?? 90;
    return Math.round(Math.min(320, Math.max(named, typed)));
}

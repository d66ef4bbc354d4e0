// Which rows a scrolled box shows.
//
// Browsers end a box at some ten million pixels. The scrolled box therefore has at most 8 million, and the place
// of the scroll bar is mapped to rows; small steps of the wheel and of keys move by rows all the same.

const tallest = 8_000_000;

export class RowScroll {
    /** @param {HTMLElement} view @param {HTMLElement} spacer what makes it as high as all rows */
    constructor(view, spacer) {
        [this.view, this.spacer] = [view, spacer];
        this.rowHeight = 26;
        this.total = 0;
        /** The first row that is seen, with the part of it that is not. */
        this.top = 0;
        this.height = 0;
        this.place = 0;
    }

    get shownRows() { return Math.max(1, Math.floor(this.view.clientHeight / this.rowHeight)); }
    get lastTop() { return Math.max(0, this.total - this.shownRows); }
    get isMapped() { return this.total * this.rowHeight > tallest; }

    /** @param {number} total @param {number} rowHeight */
    size(total, rowHeight) {
        [this.total, this.rowHeight] = [total, rowHeight];
        this.height = Math.min(tallest, total * rowHeight);
        this.spacer.style.height = `${this.height}px`;
    }

    /** Takes what the user scrolled. Returns whether other rows are seen now. */
    follow() {
        const place = this.view.scrollTop;
        const step = place - this.place;
        if (step === 0) return false;
        this.place = place;
        const room = this.height - this.view.clientHeight;
        if (!this.isMapped) this.top = place / this.rowHeight;
        else if (place <= 0) this.top = 0;
        else if (place >= room - 1) this.top = this.lastTop;
        // A small step moves by what one sees, however few pixels stand for all rows.
        else if (Math.abs(step) < this.view.clientHeight) this.top = Math.max(0, Math.min(this.lastTop, this.top + step / this.rowHeight));
        else this.top = place / Math.max(1, room) * this.lastTop;
        return true;
    }

    /** Scrolls so that a row is the first one. @param {number} top */
    go(top) {
        this.top = Math.max(0, Math.min(this.lastTop, top));
        const share = this.lastTop === 0 ? 0 : this.top / this.lastTop;
        this.view.scrollTop = this.isMapped ? share * (this.height - this.view.clientHeight) : this.top * this.rowHeight;
        this.place = this.view.scrollTop;
    }

    /** Scrolls as little as brings a row into view. @param {number} row */
    show(row) {
        const isAbove = row < this.top;
        if (!isAbove && row <= this.top + this.shownRows - 1) return;
        this.go(isAbove ? row : row - this.shownRows + 1);
    }
}

// The rows of a list in the studio: pages come as they are needed, and the ones seen last are kept.
import { get, onEvent, pathOf, post, remove } from "../api.js";

const pageSize = 200;
const mostPages = 60;

/**
 * @typedef {{entity: string, filter: string, sort: string[]}} Query
 * @typedef {(string|any)[]} Row the name of the object, then its cells
 */

/** A list that is open in the studio. */
export class Rows {
    /** @param {string} store @param {any} description what opening it was answered */
    constructor(store, description) {
        this.store = store;
        this.id = description.window;
        this.columns = description.columns;
        this.total = description.total.count;
        this.isExact = description.total.isExact;
        this.failure = "";
        /** @type {Map<number, Row>} */
        this.rows = new Map();
        /** @type {Map<number, Promise<void>>} */
        this.loading = new Map();
        /** @type {number[]} */
        this.pages = [];
        /** @type {() => void} */
        this.onChange = () => {};
        /** @type {() => void} called when the studio no longer has the list */
        this.onLoss = () => {};
        this.firstCount = description.rows.length;
        this.take(0, description.rows);
        const ends = [onEvent("progress", data => this.noteProgress(data)), onEvent("connection", data => data.isOpen && this.loadAgain())];
        this.end = () => ends.forEach(end => end());
        /**
         * Ends when all rows are known. It is a request that waits, since an event may have come before this list.
         * Rows that sort alike may stand in another order among all rows than among the first ones.
         */
        this.ready = this.isExact && this.total === this.firstCount ? Promise.resolve() : this.load(0);
        if (!this.isExact || this.total > this.firstCount) this.loading.set(0, this.ready);
    }

    /** @param {string} store @param {Query} query @param {AbortSignal} [signal] */
    static async open(store, query, signal) {
        const description = await post(pathOf("stores", store, "windows"), query, { signal });
        return new Rows(store, description);
    }

    close() {
        this.end();
        this.onChange = this.onLoss = () => {};
        remove(pathOf("stores", this.store, "windows", this.id)).catch(() => {});
    }

    noteProgress(data) {
        if (data.store !== this.store || data.window !== this.id) return;
        this.total = data.total.count;
        this.isExact = data.total.isExact;
        this.failure = data.failure ?? "";
        this.onChange();
    }

    /** @param {number} from @param {Row[]} rows */
    take(from, rows) {
        rows.forEach((row, index) => this.rows.set(from + index, row));
    }

    /** Returns the row at a place; undefined while it is read. @param {number} index @returns {Row|undefined} */
    at(index) { return this.rows.get(index); }

    /** Has the rows of a range read if they are not there. @param {number} from @param {number} to */
    need(from, to) {
        for (let page = Math.floor(from / pageSize); page <= Math.floor(Math.max(from, to - 1) / pageSize); page++) {
            const start = page * pageSize;
            const end = Math.min(start + pageSize, this.total);
            let isMissing = false;
            for (let index = Math.max(start, from); index < Math.min(end, to); index++) isMissing ||= !this.rows.has(index);
            if (isMissing && !this.loading.has(page)) this.loading.set(page, this.load(page));
        }
    }

    /** Waits until a row is there, and with it the number of all. @param {number} index */
    async reach(index) {
        if (index < this.firstCount) return;
        await this.ready;
        if (!this.rows.has(index)) await this.load(Math.floor(index / pageSize));
    }

    async load(page) {
        try {
            const from = page * pageSize;
            const answer = await get(`${pathOf("stores", this.store, "windows", this.id)}/rows?from=${from}&count=${pageSize}`);
            this.take(from, answer.rows);
            // An answer from before the rows were counted may come after the news of it.
            if (!this.isExact) [this.total, this.isExact] = [answer.total.count, answer.total.isExact];
            this.pages.push(page);
            if (this.pages.length > mostPages) this.forget(this.pages.shift());
            this.loading.delete(page);
            this.failure = "";
            this.onChange();
        } catch (error) {
            // It counts as being loaded: otherwise drawing would ask again and again.
            this.failure = error.message;
            if (error.status === 404) this.onLoss();
            else this.onChange();
        }
    }

    /** Has pages read that could not be read before. */
    loadAgain() {
        if (this.failure === "") return;
        this.failure = "";
        this.loading.clear();
        this.onChange();
    }

    forget(page) {
        if (this.pages.includes(page)) return;
        for (let index = page * pageSize; index < (page + 1) * pageSize; index++) this.rows.delete(index);
    }

    /** Returns the place of an object; null if it is not in the list. @param {string} object */
    async position(object) {
        const path = `${pathOf("stores", this.store, "windows", this.id)}/position?object=${encodeURIComponent(object)}`;
        return (await get(path)).position;
    }
}

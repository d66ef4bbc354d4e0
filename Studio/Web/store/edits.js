// The pending edits of a store: what was changed and not saved yet.
import { change, get, onEvent, pathOf } from "../api.js";
import { Observable } from "../observable.js";
import { Queue } from "../queue.js";
import { announce, notify, notifyError } from "../shell/notices.js";
import { dateText } from "./cells.js";
import { dateOf } from "./zones.js";

/** @import { Column } from "./cells.js" */

/**
 * @typedef {{id: string, entity: string, kind: "insert"|"update"|"delete", title: string|null, values: Record<string, {from: any, to: any}>}} Change
 * @typedef {{object: string, key: string|null, message: string}} Problem
 * @typedef {{revision: number, undo: string|null, redo: string|null, steps: string[], changes: Change[], problems: Problem[], backup: string|null}} Pending
 * @typedef {{object: string, kind: "value"|"deleted"|"changed", key?: string, base?: any, theirs?: any, mine?: any}} Conflict
 */

/** @type {Pending} */
const nothing = { revision: -1, undo: null, redo: null, steps: [], changes: [], problems: [], backup: null };

export class Edits {
    /** @param {string} store @param {boolean} mayEdit */
    constructor(store, mayEdit) {
        this.store = store;
        this.mayEdit = mayEdit;
        this.pending = new Observable(nothing);
        /** @type {Observable<Conflict[]>} */
        this.conflicts = new Observable(/** @type {Conflict[]} */([]));
        /** How often was saved: lists are read again then. */
        this.saves = new Observable(0);
        this.isBusy = false;
        this.queue = new Queue();
    }

    /** Follows what other pages do. @returns {() => void} ends it */
    follow() {
        if (!this.mayEdit) return () => {};
        void this.read();
        const ends = [
            onEvent("edits", data => {
                if (data.store === this.store) void this.read(data.revision);
            }),
            onEvent("reset", () => void this.read()),
        ];
        return () => ends.forEach(end => end());
    }

    /** Reads what is pending, if it is not that of a revision already. @param {number} [revision] */
    read(revision = Infinity) {
        return this.queue.add(async () => {
            if (this.pending.value.revision < revision) this.pending.set(await get(this.path()));
        }).catch(notifyError);
    }

    /** @param {string[]} parts */
    path(...parts) { return pathOf("stores", this.store, "edits", ...parts); }

    /** Says why nothing can be changed. */
    refuse() {
        notify({ title: "This store is open for reading only", detail: "Start coredata studio with --editing to change objects." });
    }

    /** Carries out edits as one step. Returns whether they were taken. @param {Record<string, any>[]} edits @param {string} [title] */
    async perform(edits, title) {
        if (!this.mayEdit) {
            this.refuse();
            return false;
        }
        return this.send([], () => ({ edits, title }));
    }

    /** @param {string} object @param {string} key @param {any} value */
    set(object, key, value) { return this.perform([{ kind: "set", object, key, value }]); }

    /**
     * Sends what changes the pending edits, when all before it is answered.
     * @param {string[]} parts @param {() => any} body @returns {Promise<Pending>}
     */
    change(parts, body) {
        return this.queue.add(async () => {
            const pending = await change(this.path(...parts), body());
            this.pending.set(pending);
            return pending;
        });
    }

    /** Returns whether what is sent was taken. @param {string[]} parts @param {() => any} body */
    async send(parts, body) {
        try {
            const former = this.pending.value;
            await this.change(parts, body);
            if (this.pending.value.problems.length > former.problems.length) {
                announce(this.pending.value.problems[0].message);
            }
            return true;
        } catch (error) {
            notifyError(error);
            void this.read();
            return false;
        }
    }

    // What is taken back has to be the step that is seen, not that of another page.
    undo() { return this.send(["undo"], () => ({ revision: this.pending.value.revision })); }
    redo() { return this.send(["redo"], () => ({ revision: this.pending.value.revision })); }

    /** @param {string} [object] one object's edits; all without it */
    discard(object) { return this.send(["discard"], () => ({ object })); }

    /** Saves all. @param {Record<string, string>[]} [keep] which values are kept after a conflict */
    async save(keep) {
        if (this.isBusy) return;
        this.isBusy = true;
        const count = this.pending.value.changes.length;
        try {
            const hadBackup = this.pending.value.backup !== null;
            const pending = await this.change(["save"], () => ({ keep }));
            this.conflicts.set([]);
            this.saves.set(this.saves.value + 1);
            notify({
                title: `Saved ${count} ${count === 1 ? "change" : "changes"}`, tone: "good",
                detail: !hadBackup && pending.backup ? `The store as it was: ${pending.backup}` : undefined,
            });
        } catch (error) {
            if (error.status === 409) this.conflicts.set(error.details.conflicts ?? []);
            else notifyError(error);
            void this.read();
        }
        this.isBusy = false;
    }
}

/**
 * Reads what was typed as a value of a column. Throws an error that says what was expected.
 * @param {string} text @param {Column} column @returns {any}
 */
export function parsed(text, column) {
    if (column.type === "string") return text;
    const word = text.trim();
    if (word === "") return null;
    switch (column.type) {
    case "boolean":
        if (/^(yes|true|1)$/i.test(word)) return true;
        if (/^(no|false|0)$/i.test(word)) return false;
        throw new Error("yes or no was expected");
    case "integer16": case "integer32": case "integer64":
        if (!/^[+-]?\d+$/.test(word)) throw new Error("a whole number was expected");
        return Number.isSafeInteger(Number(word)) ? Number(word) : word;
    case "double": case "float":
        // JSON has no numbers for these.
        if (/^(-?inf|nan)$/.test(word)) return word;
        if (!Number.isFinite(Number(word))) throw new Error("a number was expected");
        return Number(word);
    case "date": {
        const date = dateOf(word);
        if (Number.isNaN(date.getTime())) throw new Error("a date was expected: 2026-01-31 12:00:00");
        return date.toISOString();
    }
    default: return word;
    }
}

/** The text that an editor begins with. @param {any} value @param {Column} column */
export function editText(value, column) {
    if (value === null || value === undefined) return "";
    if (column.type === "boolean") return value ? "yes" : "no";
    if (column.type === "date") return dateText(value);
    return typeof value === "object" ? value.text ?? "" : String(value);
}

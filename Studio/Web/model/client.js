// One model as this page knows it: its elements, what can be undone, what is unsaved; and what is sent to change it.
import { ApiError, change, get, onEvent, pathOf, post } from "../api.js";
import { Observable } from "../observable.js";
import { Queue } from "../queue.js";
import { announce, notify, notifyError } from "../shell/notices.js";

/**
 * @typedef {"model"|"entity"|"attribute"|"relationship"|"fetchedProperty"|"index"|"configuration"|"composite"|"fetchRequest"} Kind
 *
 * @typedef {object} Facet a setting that all elements of a kind have
 * @property {string} name
 * @property {string} title
 * @property {"flag"|"number"|"text"|"choice"|"value"|"names"|"lists"|"entries"|"indexElements"} type
 * @property {any} default what a new element has
 * @property {string[]} [choices]
 * @property {string[]} [types] the types of attributes that have it
 *
 * @typedef {object} ModelElement
 * @property {number} id
 * @property {Kind} kind
 * @property {string} name
 * @property {string} path
 * @property {number|null} owner
 * @property {Record<string, any>} facets what is not the default
 * @property {Record<string, number[]>} [members]
 *
 * @typedef {{element: number|null, path: string, severity: "error"|"warning", message: string, facet: string|null}} Problem
 * @typedef {{name: string, model: number, isCurrent: boolean, isUnsaved: boolean, predecessor: string|null, errors: number, warnings: number}} Version
 * @typedef {{path: string, setting: string|null, base: string|null, ours: string|null, theirs: string|null, text: string}} Conflict
 *
 * @typedef {object} ModelState
 * @property {number} revision
 * @property {string} version the version that the elements are of
 * @property {number} model the ID of the model element
 * @property {boolean} isReadOnly
 * @property {boolean} isVersioned
 * @property {string} name
 * @property {string} path
 * @property {Version[]} versions
 * @property {string|null} undo
 * @property {string|null} redo
 * @property {string[]} unsaved
 * @property {Problem[]} diagnostics
 * @property {Conflict[]} conflicts
 * @property {string|null} trouble
 * @property {{date: number, changes: string[]}|null} recovery
 * @property {Record<Kind, Facet[]>} facets
 * @property {Map<number, ModelElement>} elements
 *
 * @typedef {Record<string, any> & {command: string}} Command
 */

export class ModelClient {
    constructor(id) {
        this.id = id;
        /** @type {Observable<ModelState|null>} */
        this.state = new Observable(/** @type {ModelState|null} */(null));
        /** The name of the version that is shown; undefined for the current one. @type {string|undefined} */
        this.version = undefined;
        this.isSaving = new Observable(false);
        /** Requests go one after the other, since each needs the revision that the one before it led to. */
        this.queue = new Queue();
        /** The revisions that answers to this page told of, whose events tell nothing new. @type {Set<number>} */
        this.answered = new Set();
    }

    /** Follows what other pages and programs do. @returns {() => void} ends it */
    follow() {
        const ends = [
            onEvent("model", data => {
                if (data.model === this.id) this.queue.add(() => this.catchUp(data.revision));
            }),
            onEvent("reset", () => this.queue.add(() => this.read())),
        ];
        return () => ends.forEach(end => end());
    }

    /** Shows a version. @param {string|undefined} version */
    show(version) {
        this.version = version;
        return this.queue.add(() => this.read());
    }

    /** @param {string} name @param {Record<string, any>} [fields] */
    address(name, fields = {}) {
        const version = this.version === undefined ? {} : { version: this.version };
        const all = Object.entries({ ...version, ...fields }).filter(([, value]) => value !== undefined);
        const query = new URLSearchParams(all.map(([key, value]) => [key, String(value)])).toString();
        return pathOf("models", this.id) + (name === "" ? "" : "/" + name) + (query && "?" + query);
    }

    async read() {
        try {
            this.take(await get(this.address("")));
        } catch (error) {
            if (!(error instanceof ApiError) || error.status !== 404 || this.version === undefined) throw error;
            // The version is gone: another page has removed or renamed it.
            this.version = undefined;
            this.take(await get(this.address("")));
        }
    }

    /** Reads the state if an event tells of another one: a save or a merge changes more than the revision. */
    async catchUp(revision) {
        if (this.state.value === null || this.answered.delete(revision)) return;
        await this.read();
    }

    /** Takes a state, or what differs from the one before. @param {any} answer */
    take(answer) {
        const before = this.state.value;
        const elements = answer.isPartial && before !== null ? new Map(before.elements) : new Map();
        for (const element of answer.elements) elements.set(element.id, element);
        for (const id of answer.removed ?? []) elements.delete(id);
        const { isPartial, removed, written, ...rest } = answer;
        if (this.version !== undefined) this.version = rest.version;
        this.state.set({ ...before, ...rest, elements });
    }

    // Changes

    /**
     * Carries out commands as one step. If another page was faster, they are carried out on what it made of
     * the model.
     * @param {Command|Command[]} commands
     * @param {{key?: string, quietly?: boolean}} [options] key: steps with one key are one step; quietly: the
     *   caller shows what is refused
     * @returns {Promise<any>} the answer; undefined if it was refused
     */
    async perform(commands, { key, quietly = false } = {}) {
        const list = [commands].flat();
        const version = this.state.value?.version;
        const versioned = list.map(each =>
            each.command.endsWith("Version") || version === undefined ? each : { ...each, version });
        try {
            return await this.queue.add(() => this.send("commands", { commands: versioned, mergeKey: key ?? null }));
        } catch (error) {
            if (quietly) throw error;
            notifyError(error);
            return undefined;
        }
    }

    undo() { return this.step("undo"); }
    redo() { return this.step("redo"); }

    /** @param {"undo"|"redo"} name */
    async step(name) {
        const title = this.state.value?.[name];
        try {
            await this.queue.add(() => this.send(name, {}, false));
            announce(`${name === "undo" ? "Undone" : "Redone"}: ${title}`);
        } catch (error) {
            // On top of what another page did, another step would be taken back than the one that was meant.
            if (error.status !== 409) return notifyError(error);
            notify({ title: "The model was changed meanwhile", detail: `It was not ${name === "undo" ? "undone" : "done again"}: ${title}` });
        }
    }

    async save() {
        this.isSaving.set(true);
        try {
            const { written } = await this.queue.add(() => this.send("save", {}, false));
            announce(written.length === 0 ? "Nothing to save" : `Saved ${written.join(", ")}`);
        } catch (error) {
            await this.queue.add(() => this.read()).catch(() => {});
            notifyError(error);
        } finally {
            this.isSaving.set(false);
        }
    }

    /** Sends what is no step of its own: "reload", "conflicts", "recovery". @param {string} name @param {any} [body] */
    request(name, body = {}) {
        return this.queue.add(() => this.send(name, body)).catch(notifyError);
    }

    /**
     * @param {string} name
     * @param {any} body
     * @param {boolean} [retries] whether it is sent again on the state that another page has made
     * @returns {Promise<any>}
     */
    async send(name, body, retries = true) {
        const { revision, version } = this.state.value;
        try {
            const answer = await change(pathOf("models", this.id, name), { ...body, revision, version });
            this.take(answer);
            this.answered.add(answer.revision);
            return answer;
        } catch (error) {
            if (!(error instanceof ApiError) || error.status !== 409 || error.details.state === undefined) throw error;
            this.take(error.details.state);
            if (!retries) throw error;
            const answer = await this.send(name, { ...body, seen: revision }, false);
            notify({ title: "The model was changed meanwhile", detail: "Your change was made on top of it." });
            return answer;
        }
    }

    // Questions

    /** @param {Command[]} commands @returns {Promise<Problem[]>} the problems that they would bring */
    async preview(commands) {
        const version = this.state.value?.version;
        const versioned = commands.map(each => ({ ...each, version }));
        return (await post(pathOf("models", this.id, "preview"), { commands: versioned, version })).problems;
    }

    /** Returns what completes the predicate of an element. @param {ModelElement} element */
    completing(element) {
        return (text, caret) => post(pathOf("models", this.id, "completion"),
            { version: this.state.value?.version, element: element.id, text, caret });
    }

    /** @param {string} name @param {Record<string, any>} [fields] @param {AbortSignal} [signal] @returns {Promise<any>} */
    ask(name, fields, signal) { return get(this.address(name, fields), { signal }); }
}

// The open documents: models, stores and profiles, and whether they may be written.
import { get, onEvent } from "../api.js";
import { Observable, useObservable } from "../observable.js";

/**
 * @typedef {{id: string, name: string, path: string, changes?: number, problems?: number}} StudioDocument
 * @typedef {object} Documents
 * @property {boolean} isReadOnly
 * @property {boolean} mayEditStores
 * @property {string} [root] the folder of new models
 * @property {string[]} [failures] why files that were named could not be opened
 * @property {Record<string, any>} [preferences]
 * @property {StudioDocument[]} models
 * @property {StudioDocument[]} stores
 * @property {StudioDocument[]} profiles
 */

/** The kinds of documents: as parts of an address, as headings, and in a sentence, which is also the name of an icon. */
export const documentKinds = /** @type {const} */([
    ["models", "Models", "model"], ["stores", "Stores", "store"], ["profiles", "Profiles", "profile"],
]);

/** @type {Observable<Documents>} */
export const documents = new Observable(
    /** @type {Documents} */({ isReadOnly: false, mayEditStores: false, models: [], stores: [], profiles: [] }));

/** Reads the list, at the start and when something was opened or saved. */
export async function loadDocuments() {
    const { models = [], stores = [], profiles = [], ...rest } = await get("/documents");
    documents.set({ ...rest, models, stores, profiles });
}

let waiting = 0;
for (const name of ["model", "documents", "reset"]) {
    onEvent(name, () => {
        // Changes follow each other closely while one types.
        clearTimeout(waiting);
        waiting = setTimeout(() => void loadDocuments().catch(() => {}), 200);
    });
}

/** @returns {Documents} */
export const useDocuments = () => useObservable(documents);

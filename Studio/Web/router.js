// Which view is shown: every view has an address behind the `#`, so that links, reload and back work.
import { useEffect, useState } from "./lib/preact.js";

/**
 * @typedef {object} Route
 * @property {string} page "models", "stores", or "" for the start
 * @property {string} document the ID of the model or store
 * @property {string[]} rest the parts behind it, decoded
 * @property {Record<string, string>} query
 * @property {string} url the whole, as it stands in the address
 */

/** Reads an address. @param {string} hash @returns {Route} */
function parseRoute(hash) {
    const url = hash.startsWith("#/") ? hash : "#/";
    const [path, query = ""] = url.slice(2).split("?");
    const [page = "", document = "", ...rest] = path.split("/").filter(part => part !== "").map(decoded);
    return { page, document, rest, query: Object.fromEntries(new URLSearchParams(query)), url };
}

function decoded(part) {
    try {
        return decodeURIComponent(part);
    } catch {
        return part;
    }
}

/**
 * Writes an address: urlOf(["models", id, "entities", "Book"], { tab: "xml" }).
 * @param {(string|number)[]} parts
 * @param {Record<string, string|number|undefined>} [query]
 */
export function urlOf(parts, query = {}) {
    const fields = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
    const search = new URLSearchParams(fields.map(([key, value]) => [key, String(value)])).toString();
    return "#/" + parts.map(part => encodeURIComponent(part)).join("/") + (search && "?" + search);
}

/** @returns {Route} */
const currentRoute = () => parseRoute(location.hash);

/** Shows a view. @param {string} url @param {{replace?: boolean}} [options] replace: back does not lead to the present view */
export function navigate(url, { replace = false } = {}) {
    if (url === location.hash) return;
    if (!replace) {
        location.hash = url;
        return;
    }
    history.replaceState(null, "", url);
    dispatchEvent(new Event("hashchange"));
}

/** Returns the name of the present entry of the browser's history, to which back and forward lead. */
export function historyEntry() {
    if (typeof history.state?.entry !== "string") {
        history.replaceState({ ...history.state, entry: crypto.randomUUID() }, "");
    }
    return history.state.entry;
}

/** Returns the route, and renders again when it changes. @returns {Route} */
export function useRoute() {
    const [route, setRoute] = useState(currentRoute);
    useEffect(() => {
        const follow = () => setRoute(currentRoute());
        addEventListener("hashchange", follow);
        return () => removeEventListener("hashchange", follow);
    }, []);
    return route;
}

// The interface of the studio: requests with the token of this page, and what goes wrong with them.
export { onEvent } from "./events.js";

const tokenKey = "studio.token";

/** A request that was not carried out: `status` 0 means that the server did not answer. */
export class ApiError extends Error {
    /**
     * @param {number} status
     * @param {string} message the reason, for people
     * @param {Record<string, any>} details the other members of the answer: path, position, hint, a state
     */
    constructor(status, message, details = {}) {
        super(message);
        this.status = status;
        this.details = details;
    }
}

/** The one-time code of a link from the terminal, if the address is one. */
const codeInAddress = () => new URLSearchParams(location.hash.slice(1)).get("code");

// A link that is opened in a tab of the studio changes only what is behind the `#`, and loads nothing.
addEventListener("hashchange", () => {
    if (codeInAddress() !== null) location.reload();
});

/** Trades the one-time code in the address for this origin's token. Returns whether there is a token. */
export async function signIn() {
    const code = codeInAddress();
    if (code === null) return localStorage.getItem(tokenKey) !== null;
    try {
        const { token } = await post("/session", { code });
        localStorage.setItem(tokenKey, token);
    } catch (error) {
        if (!(error instanceof ApiError) || error.status === 0) throw error;
    }
    history.replaceState(null, "", location.pathname);
    return localStorage.getItem(tokenKey) !== null;
}

/**
 * What a request may have besides its address: what is sent as JSON, what cancels it, and a key by which it is carried
 * out once, however often it is sent.
 * @typedef {{body?: any, signal?: AbortSignal, key?: string}} Options
 */

/**
 * Sends a request once. A path begins behind `/api`: "/models/m1".
 * @param {string} method @param {string} path @param {Options} [options] @returns {Promise<Response>}
 */
export async function send(method, path, { body, signal, key } = {}) {
    /** @type {Record<string, string>} */
    const headers = {};
    const token = localStorage.getItem(tokenKey);
    if (token !== null) headers.Authorization = `Bearer ${token}`;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    if (key !== undefined) headers["Idempotency-Key"] = key;
    const response = await fetch("/api" + path, {
        method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body),
        // A page that is being left still frees what the studio holds for it.
        keepalive: method === "DELETE", cache: "no-store", credentials: "omit", redirect: "error",
    });
    if (response.ok) return response;
    const { error, ...details } = await response.json().catch(() => ({}));
    if (response.status === 401) document.dispatchEvent(new CustomEvent("studio-signed-out"));
    throw new ApiError(response.status, error ?? `The studio answers ${response.status}.`, details);
}

// How long until a request is sent again whose connection broke. Browsers give up all requests when the machine's
// network changes, also those to the machine itself.
const pauses = [100, 300, 1000, 2000];

/**
 * Sends a request until it is answered, and reads the answer.
 * @param {string} method @param {string} path @param {Options} [options]
 * @param {(response: Response) => Promise<any>} [read]
 */
async function ask(method, path, options, read = response => response.json()) {
    for (const pause of [...pauses, 0]) {
        try {
            return await read(await send(method, path, options));
        } catch (error) {
            if (error instanceof ApiError || error.name === "AbortError") throw error;
        }
        if (pause > 0) await new Promise(resume => setTimeout(resume, pause));
    }
    throw new ApiError(0, "The studio does not answer. Is it still running?");
}

/** @param {string} path @param {{signal?: AbortSignal}} [options] @returns {Promise<any>} */
export const get = (path, options) => ask("GET", path, options);

/** Asks something that changes nothing. @param {string} path @param {any} [body] @param {{signal?: AbortSignal}} [options] @returns {Promise<any>} */
export const post = (path, body = {}, options = {}) => ask("POST", path, { ...options, body });

/** Has something changed, once. @param {string} path @param {any} [body] @returns {Promise<any>} */
export const change = (path, body = {}) => ask("POST", path, { body, key: crypto.randomUUID() });

/** @param {string} path @returns {Promise<any>} */
export const remove = path => ask("DELETE", path);

/**
 * Reads bytes, with their type: `URL.createObjectURL(await bytes(path))` is a picture's address.
 * @param {string} path @param {{signal?: AbortSignal}} [options] @returns {Promise<Blob>}
 */
export const bytes = (path, options) => ask("GET", path, options, response => response.blob());

/** Has the browser save what a GET of the path answers, by an address that is good once. @param {string} path */
export async function download(path) {
    const { url } = await post("/downloads", { path });
    const link = document.createElement("a");
    link.href = url;
    link.download = "";
    link.click();
}

/** Joins parts to a path, each escaped: pathOf("models", id, "commands"). @param {...(string|number)} parts */
export const pathOf = (...parts) => parts.map(part => "/" + encodeURIComponent(part)).join("");

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
    history.replaceState(null, "", location.pathname);
    try {
        const { token } = await (await send("POST", "/session", { code })).json();
        localStorage.setItem(tokenKey, token);
    } catch (error) {
        if (!(error instanceof ApiError) || error.status === 0) throw error;
    }
    return localStorage.getItem(tokenKey) !== null;
}

/**
 * Sends a request. A path begins behind `/api`: "/models/m1".
 * @param {string} method
 * @param {string} path
 * @param {any} [body] what is sent as JSON
 * @param {AbortSignal} [signal]
 * @returns {Promise<Response>}
 */
export async function send(method, path, body, signal) {
    /** @type {Record<string, string>} */
    const headers = {};
    const token = localStorage.getItem(tokenKey);
    if (token !== null) headers.Authorization = `Bearer ${token}`;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    let response;
    try {
        response = await fetch("/api" + path, {
            method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body),
            // A page that is being left still frees what the studio holds for it.
            keepalive: method === "DELETE", cache: "no-store", credentials: "omit", redirect: "error",
        });
    } catch (error) {
        if (error instanceof DOMException && error.name === "AbortError") throw error;
        throw new ApiError(0, "The studio does not answer. Is it still running?");
    }
    if (response.ok) return response;
    const { error, ...details } = await response.json().catch(() => ({}));
    if (response.status === 401) document.dispatchEvent(new CustomEvent("studio-signed-out"));
    throw new ApiError(response.status, error ?? `The studio answers ${response.status}.`, details);
}

/** @param {Response} response */
async function json(response) {
    try {
        return await response.json();
    } catch (error) {
        if (error instanceof DOMException && error.name === "AbortError") throw error;
        throw new ApiError(0, "The answer of the studio broke off.");
    }
}

/** @param {string} path @param {{signal?: AbortSignal}} [options] @returns {Promise<any>} */
export const get = async (path, options = {}) => json(await send("GET", path, undefined, options.signal));

/** @param {string} path @param {any} [body] @param {{signal?: AbortSignal}} [options] @returns {Promise<any>} */
export const post = async (path, body = {}, options = {}) =>
    json(await send("POST", path, body, options.signal));

/** @param {string} path @returns {Promise<any>} */
export const remove = async path => json(await send("DELETE", path));

/**
 * Reads bytes, with their type: `URL.createObjectURL(await bytes(path))` is a picture's address.
 * @param {string} path @param {{signal?: AbortSignal}} [options] @returns {Promise<Blob>}
 */
export const bytes = async (path, options = {}) =>
    (await send("GET", path, undefined, options.signal)).blob();

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

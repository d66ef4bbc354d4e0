// What happens in the studio, told to this page: one stream for all listeners, opened again when it breaks.
import { send, ApiError } from "./api.js";

/** @typedef {"model"|"store"|"edits"|"progress"|"work"|"reset"|"connection"} EventName */

/** @type {Map<string, Set<(data: any) => void>>} */
const listeners = new Map();
let last = 0;
/** @type {AbortController|undefined} */
let stream;
let isConnected = true;

/** How long a hidden page keeps its stream: browsers allow six connections over all pages of the studio. */
const hiddenMilliseconds = 30_000;
/** How long until a stream that broke is opened again, by the number of attempts. */
const pauses = [200, 500, 1000, 2000, 5000];

/**
 * Calls a listener with the data of each event of a name. "reset" says that events were missed and everything
 * has to be read again, "connection" whether the studio can be reached.
 * @param {EventName} name
 * @param {(data: any) => void} listener
 * @returns {() => void} ends it
 */
export function onEvent(name, listener) {
    const all = listeners.get(name) ?? new Set();
    listeners.set(name, all.add(listener));
    return () => all.delete(listener);
}

/** @param {string} name @param {any} data */
function tell(name, data) {
    for (const listener of [...(listeners.get(name) ?? [])]) {
        try {
            listener(data);
        } catch (error) {
            console.error(error);
        }
    }
}

/** Follows the events from now on, while the page can be seen. */
export function startEvents() {
    let timer = 0;
    document.addEventListener("visibilitychange", () => {
        clearTimeout(timer);
        if (!document.hidden) return follow();
        timer = setTimeout(() => stream?.abort(), hiddenMilliseconds);
    });
    // Browsers keep a page that is left, with its connection.
    addEventListener("pagehide", () => stream?.abort());
    addEventListener("pageshow", event => event.persisted && void follow());
    follow();
}

async function follow() {
    if (stream !== undefined && !stream.signal.aborted) return;
    const controller = stream = new AbortController();
    let attempts = 0;
    while (!controller.signal.aborted) {
        try {
            const response = await send("GET", `/events?after=${last}`, { signal: controller.signal });
            attempts = 0;
            connected(true);
            await read(response.body);
        } catch (error) {
            if (controller.signal.aborted) return;
            if (error instanceof ApiError && error.status === 401) return controller.abort();
        }
        // The first break is not told: a retry may do.
        if (attempts > 0) connected(false);
        await new Promise(resume => setTimeout(resume, pauses[Math.min(attempts, pauses.length - 1)]));
        attempts += 1;
    }
}

/** @param {boolean} value */
function connected(value) {
    if (isConnected === value) return;
    isConnected = value;
    tell("connection", { isOpen: value });
}

/** @param {ReadableStream<Uint8Array>} body */
async function read(body) {
    const reader = body.getReader();
    const lines = new LineSplitter();
    for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        for (const line of lines.take(value)) {
            const event = JSON.parse(line);
            if (event.number > 0 || event.name === "reset") last = event.number;
            tell(event.name, event.data);
        }
    }
}

/** The lines of a stream of bytes. */
class LineSplitter {
    decoder = new TextDecoder();
    rest = "";

    /** Returns the lines that end in the next bytes. @param {Uint8Array} bytes */
    take(bytes) {
        const lines = (this.rest + this.decoder.decode(bytes, { stream: true })).split("\n");
        this.rest = lines.pop();
        return lines.filter(line => line !== "");
    }
}

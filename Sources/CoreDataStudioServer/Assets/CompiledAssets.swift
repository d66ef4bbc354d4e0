// Written by Scripts/studio-assets from the files in Studio/Web.
// swift-format-ignore-file
#if Studio
enum CompiledAssets {
    static let files: [(path: String, text: StaticString)] = [
        ("api.js", ###"""
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

"""###),
        ("asking.js", ###"""
// Asks the studio for what a component shows.
import { html, useEffect, useState } from "./lib/preact.js";

/**
 * Asks first, and again when an input is another; gives up what is not wanted any more. Returns the last answer, and
 * why there is no newer one.
 * @template T
 * @param {(signal: AbortSignal) => Promise<T>|null} ask null for nothing to ask
 * @param {any[]} inputs
 * @returns {{answer: T|null, error: string}}
 */
export function useAnswer(ask, inputs) {
    const [state, setState] = useState({ answer: null, error: "" });
    useEffect(() => {
        const wanted = new AbortController();
        const take = next => wanted.signal.aborted || setState(before => ({ ...before, ...next }));
        ask(wanted.signal)?.then(answer => take({ answer, error: "" }), error => take({ error: error.message }));
        return () => wanted.abort();
    }, inputs);
    return state;
}

/** What stands in the place of an answer: that it is waited for, or why there is none. @param {{error: string, className?: string}} props */
export const Waiting = ({ error, className = "page" }) => html`
    <div class=${className} aria-busy=${error === ""}>${error !== "" && html`<p class="field-problem">${error}</p>`}</div>`;

"""###),
        ("controls.css", ###"""
/* Buttons, fields, tabs, badges: the controls that every page uses. */
button, input, select, textarea { font: inherit; color: inherit; letter-spacing: inherit; }

button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: var(--space-1);
    min-height: var(--row);
    padding: 0 var(--space-3);
    border: var(--edge-strong);
    border-radius: var(--radius);
    background: var(--raised);
    white-space: nowrap;
    cursor: default;
}
button:hover:not(:disabled) { background: var(--hover); }
button:active:not(:disabled) { background: var(--pressed); }
button:disabled { color: var(--text-quiet); opacity: 0.55; }

button.main { border-color: transparent; background: var(--accent); color: var(--text-on-accent); }
button.main:hover:not(:disabled) { background: color-mix(in srgb, var(--accent), black 12%); }
button.danger { border-color: var(--danger); background: var(--danger-soft); color: var(--danger); }
button.plain { border-color: transparent; background: transparent; color: var(--accent-text); }

button.icon-button { width: var(--row); padding: 0; border-color: transparent; background: transparent; color: var(--text-quiet); }
button.icon-button:hover:not(:disabled) { color: var(--text); }
button[aria-pressed="true"] { background: var(--pressed); color: var(--text); }

input:not([type="checkbox"], [type="radio"]), select, textarea {
    min-height: var(--row);
    padding: 0 var(--space-2);
    border: var(--edge-strong);
    border-radius: var(--radius);
    background: var(--raised);
}
textarea { padding: var(--space-1) var(--space-2); resize: vertical; }
input:not([type="checkbox"], [type="radio"]):focus-visible, select:focus-visible, textarea:focus-visible {
    outline: 2px solid var(--focus);
    outline-offset: -1px;
    border-color: transparent;
}
input::placeholder, textarea::placeholder { color: var(--text-quiet); opacity: 1; }
input[aria-invalid="true"], select[aria-invalid="true"], textarea[aria-invalid="true"] { border-color: var(--danger); background: var(--danger-soft); }
.cut { flex: 1; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.note { color: var(--text-quiet); font-size: var(--size-small); }
.field-problem { color: var(--danger); font-size: var(--size-small); }
.field-warning { color: var(--warning); font-size: var(--size-small); }

/* A filter field: <label class="filter"><Icon name="filter"/><input type="search"></label> */
.filter { position: relative; display: flex; align-items: center; }
.filter > .icon { position: absolute; left: var(--space-2); color: var(--text-quiet); pointer-events: none; }
.filter > input { flex: 1; min-width: 0; padding-left: 1.75rem; }

/* Buttons side by side of which one is on. */
.segments { display: inline-flex; padding: 2px; border-radius: calc(var(--radius) + 1px); background: var(--pressed); }
.segments > button { min-height: calc(var(--row) - 4px); border-color: transparent; background: transparent; color: var(--text-quiet); }
.segments > button.icon-button { width: calc(var(--row) - 2px); }
.segments > button[aria-pressed="true"], .segments > button[aria-selected="true"] { background: var(--raised); color: var(--text); box-shadow: 0 1px 2px light-dark(#1c212730, #0008); }

/* Tabs: <div class="tabs" role="tablist"><button role="tab" aria-selected="true">. */
.tabs { display: flex; gap: var(--space-1); border-bottom: var(--edge); padding: 0 var(--space-2); }
.tabs > button { min-height: 2rem; border: 0; border-bottom: 2px solid transparent; border-radius: 0; background: transparent; color: var(--text-quiet); }
.tabs > button[aria-selected="true"] { border-bottom-color: var(--accent); color: var(--text); font-weight: 600; }

.badge {
    min-width: 1.25rem;
    padding: 0 0.35rem;
    border-radius: 1rem;
    background: var(--pressed);
    color: var(--text);
    font-size: var(--size-small);
    line-height: 1.2rem;
    text-align: center;
}
.main > .badge { background: #0005; color: inherit; }
.error > .badge { background: var(--danger-soft); color: var(--danger); }
.warning > .badge { background: var(--warning-soft); color: var(--warning); }
.changed > .badge { background: var(--changed-soft); color: var(--changed); }

.chip {
    display: inline-flex;
    align-items: center;
    gap: var(--space-1);
    padding: 0 var(--space-2);
    border-radius: 1rem;
    background: var(--hover);
    color: var(--text-quiet);
    font-size: var(--size-small);
    line-height: 1.4rem;
    white-space: nowrap;
}
.chip > .icon { width: 0.8rem; height: 0.8rem; }

/* A line that can be selected, of a list, a tree or a table. */
:is(.outline-item, .store-entity, .grid-row):hover { background: var(--hover); }
[aria-selected="true"]:not(button, .delete) { background: var(--selection); }

:is(.error, .error td, .error .problem) > .icon { color: var(--danger); }
:is(.warning, .warning td, .warning .problem) > .icon { color: var(--warning); }

.dot { flex: none; width: 0.45rem; height: 0.45rem; border-radius: 50%; background: var(--changed); }

/* A word where there is nothing else to show. */
.empty { display: grid; place-content: center; gap: var(--space-2); height: 100%; color: var(--text-quiet); text-align: center; }

"""###),
        ("events.js", ###"""
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

"""###),
        ("graph/align.js", ###"""
// Boxes put on one line, or at equal distances: pure.
import { around } from "./geometry.js";

/** @import { Box } from "./geometry.js" */

/** @typedef {{name: string, title: string, least: number, place: (boxes: Box[]) => Box[]}} Alignment least: the number of boxes it makes sense for */

/** @param {string} name @param {string} title @param {(box: Box, all: Box) => Partial<Box>} place @returns {Alignment} */
const aligning = (name, title, place) => ({
    name, title, least: 2, place: boxes => {
        const all = around(boxes);
        return boxes.map(box => ({ ...box, ...place(box, all) }));
    },
});

/**
 * Makes the room between neighbours equal. The first and the last stay, unless there is no room between them: then
 * boxes follow each other at a little distance.
 * @param {Box[]} boxes @param {"x"|"y"} edge @param {"width"|"height"} side
 */
function distributed(boxes, edge, side) {
    const order = boxes.map((_, index) => index).sort((one, other) => boxes[one][edge] - boxes[other][edge]);
    const filled = boxes.reduce((sum, box) => sum + box[side], 0);
    const gap = Math.max(16, (around(boxes)[side] - filled) / (boxes.length - 1));
    const placed = [...boxes];
    let next = around(boxes)[edge];
    for (const index of order) {
        placed[index] = { ...boxes[index], [edge]: next };
        next += boxes[index][side] + gap;
    }
    return placed;
}

/** @type {Alignment[]} */
export const alignments = [
    aligning("alignLeft", "Align left edges", (_, all) => ({ x: all.x })),
    aligning("alignCentre", "Align centres", (box, all) => ({ x: all.x + (all.width - box.width) / 2 })),
    aligning("alignRight", "Align right edges", (box, all) => ({ x: all.x + all.width - box.width })),
    aligning("alignTop", "Align top edges", (_, all) => ({ y: all.y })),
    aligning("alignMiddle", "Align middles", (box, all) => ({ y: all.y + (all.height - box.height) / 2 })),
    aligning("alignBottom", "Align bottom edges", (box, all) => ({ y: all.y + all.height - box.height })),
    { name: "distributeAcross", title: "Equal distances across", least: 3, place: boxes => distributed(boxes, "x", "width") },
    { name: "distributeDown", title: "Equal distances down", least: 3, place: boxes => distributed(boxes, "y", "height") },
];

"""###),
        ("graph/canvas.js", ###"""
// The drawing itself: boxes and lines in one SVG, of which only what is seen is shown. It owns its elements; what
// the user does to it is told to `events`.
import { lookOf } from "./colours.js";
import { drawLine, drawNode, portHeight, svg } from "./drawing.js";
import { around, boxOf, directLine, fitted, fromScreen, seen, touch, zoomed } from "./geometry.js";
import { Pointer } from "./pointer.js";

/** @import { Box, Point, View } from "./geometry.js" */
/** @import { Graph, Line } from "./drawing.js" */
/** @import { Colours } from "./colours.js" */

/** @typedef {{id: number, name: string, index: number, box: Box, element: SVGElement, lines: CanvasLine[]}} CanvasNode */
/** @typedef {{line: Line, element: SVGElement, box: Box}} CanvasLine */

/**
 * @typedef {object} CanvasEvents
 * @property {(ids: number[], inner?: number[]) => void} select
 * @property {(nodes: CanvasNode[], title?: string) => void} move boxes were dragged; their `box` is where they are now
 * @property {(from: CanvasNode, to: CanvasNode|null, point: Point) => void} connect
 */

/** Below this scale, the rows of boxes are not drawn. */
const nearScale = 0.5;

export class GraphCanvas {
    /** @param {HTMLElement} host @param {CanvasEvents} events */
    constructor(host, events) {
        this.host = host;
        this.events = events;
        /** @type {View} */
        this.view = { x: 0, y: 0, scale: 1 };
        /** @type {CanvasNode[]} */
        this.nodes = [];
        /** @type {CanvasLine[]} */
        this.lines = [];
        /** @type {Set<number>} */
        this.selected = new Set();
        /** @type {Graph|null} */
        this.graph = null;
        /** @type {Colours|null} */
        this.colours = null;
        this.frame = 0;
        /** What is called when the view has changed. @type {Set<() => void>} */
        this.followers = new Set();
        this.lineLayer = svg("g", { class: "lines" });
        this.nodeLayer = svg("g", { class: "nodes" });
        this.overlay = svg("g", { class: "overlay" });
        this.band = svg("rect", { class: "band", visibility: "hidden" });
        this.world = svg("g", {}, [this.lineLayer, this.nodeLayer]);
        // A drawing of its own, so that dragging does not draw the rest again.
        this.above = svg("g", {}, [this.overlay, this.band]);
        this.root = svg("svg", { class: "graph-canvas", role: "group", "aria-label": "Graph of the model" }, [this.world]);
        this.top = svg("svg", { class: "graph-above", "aria-hidden": "true" }, [this.above]);
        host.append(this.root, this.top);
        this.pointer = new Pointer(this);
        this.size = { width: 1, height: 1 };
        this.resize();
        this.resizing = new ResizeObserver(() => this.resize());
        this.resizing.observe(host);
    }

    /** Fills the host. With a size in percent, all boxes would be laid out whenever anything of the page is. */
    resize() {
        this.size = { width: this.host.clientWidth || 1, height: this.host.clientHeight || 1 };
        for (const each of [this.root, this.top]) {
            for (const [key, value] of Object.entries(this.size)) each.setAttribute(key, String(value));
        }
        this.draw();
    }

    destroy() {
        this.resizing.disconnect();
        this.pointer.destroy();
        cancelAnimationFrame(this.frame);
        this.root.remove();
        this.top.remove();
    }

    get bounds() { return around(this.nodes.map(node => node.box)); }
    get selectedNodes() { return this.nodes.filter(node => this.selected.has(node.id)); }

    node(id) { return this.nodes.find(node => node.id === id); }

    // What is drawn

    /** Draws a graph in place of the one before. @param {Graph} graph @param {Colours|null} [colours] */
    show(graph, colours = this.colours) {
        this.colours = colours;
        const focused = this.nodes.find(node => node.element === document.activeElement)?.id;
        this.pointer.cancel();
        this.graph = graph;
        this.overlay.replaceChildren();
        this.nodes = graph.nodes.map((node, index) => {
            const [x, y, width, height] = node.frame;
            const element = drawNode(node, graph.metrics, index, lookOf(colours, node.name, index));
            return { id: node.element, name: node.name, index, box: { x, y, width, height }, element, lines: [] };
        });
        this.lines = graph.lines.map((line, index) => {
            const drawn = { line, element: drawLine(line, line.path, index, this.tint(line)), box: boxOf(line.path.points) };
            for (const end of new Set([line.from, line.to])) this.nodes[end].lines.push(drawn);
            return drawn;
        });
        this.lineLayer.replaceChildren(...this.lines.map(each => each.element));
        this.nodeLayer.replaceChildren(...this.nodes.map(each => each.element));
        this.markSelection();
        this.draw();
        if (focused !== undefined) this.node(focused)?.element.focus();
    }

    /** Draws at the next frame: the view, and only what is in it. */
    draw() {
        cancelAnimationFrame(this.frame);
        this.frame = requestAnimationFrame(() => this.drawNow());
    }

    drawNow() {
        const { x, y, scale } = this.view;
        const transform = `translate(${x} ${y}) scale(${scale})`;
        this.world.setAttribute("transform", transform);
        this.above.setAttribute("transform", transform);
        this.host.classList.toggle("far", scale < nearScale);
        this.host.style.backgroundSize = `${24 * scale}px ${24 * scale}px`;
        this.host.style.backgroundPosition = `${x}px ${y}px`;
        const visible = seen(this.view, this.size);
        for (const each of [...this.nodes, ...this.lines]) {
            const isSeen = touch(each.box, visible);
            if (each.element.hasAttribute("hidden") === isSeen) each.element.toggleAttribute("hidden", !isSeen);
        }
        for (const follow of this.followers) follow();
    }

    /** @param {Iterable<number>} ids */
    select(ids) {
        this.selected = new Set(ids);
        this.markSelection();
    }

    markSelection() {
        for (const node of this.nodes) node.element.classList.toggle("selected", this.selected.has(node.id));
        for (const { line, element } of this.lines) {
            const ends = [this.nodes[line.from], this.nodes[line.to]];
            element.classList.toggle("selected", ends.some(node => node !== undefined && this.selected.has(node.id)));
        }
    }

    // The view

    /** @param {View} view */
    setView(view) {
        this.view = view;
        this.draw();
    }

    /** Shows the whole, below the tools. */
    fit() {
        const { width, height } = this.size;
        const top = 16 + (this.host.querySelector(".graph-tools")?.clientHeight ?? 0);
        const view = fitted(this.bounds, { width, height: height - top });
        this.setView({ ...view, y: view.y + top });
    }

    /** @param {number} factor @param {Point} [point] */
    zoom(factor, point = { x: this.size.width / 2, y: this.size.height / 2 }) {
        this.setView(zoomed(this.view, factor, point));
    }

    /** Brings a box into view, if it is not there, and has it pulse. @param {number} id @param {boolean} [always] */
    reveal(id, always = false) {
        const node = this.node(id);
        if (node === undefined) return;
        const { width, height } = this.size;
        const visible = seen(this.view, this.size);
        const { x, y } = node.box;
        const isInside = x >= visible.x && y >= visible.y && x + node.box.width <= visible.x + visible.width
            && y + node.box.height <= visible.y + visible.height;
        if (!isInside) {
            const scale = Math.max(this.view.scale, 0.6);
            const top = Math.min(node.box.height, height / scale * 0.8) / 2;
            this.setView({ x: width / 2 - (x + node.box.width / 2) * scale, y: height / 2 - (y + top) * scale, scale });
        }
        if (isInside && !always) return;
        node.element.classList.remove("pulse");
        void node.element.getBoundingClientRect();
        node.element.classList.add("pulse");
    }

    /** @param {MouseEvent} event @returns {Point} of the drawing */
    place(event) { return fromScreen(this.view, this.local(event)); }

    /** @param {MouseEvent} event @returns {Point} of the host */
    local(event) {
        const { left, top } = this.host.getBoundingClientRect();
        return { x: event.clientX - left, y: event.clientY - top };
    }

    /** @param {EventTarget|null} target @returns {CanvasNode|undefined} */
    nodeAt(target) {
        const element = target instanceof Element ? target.closest(".node") : null;
        return this.nodes.find(node => node.element === element);
    }

    // Moving boxes

    /** Takes boxes into the overlay, and their lines with them. @param {CanvasNode[]} nodes */
    lift(nodes) {
        const lines = new Set(nodes.flatMap(node => node.lines));
        for (const { element } of lines) element.classList.add("lifted");
        this.overlay.append(svg("g", { class: "lines" }), ...nodes.map(node => node.element));
        this.drawLifted(nodes, lines);
        return lines;
    }

    /** @param {CanvasNode[]} nodes @param {Set<CanvasLine>} lines */
    drawLifted(nodes, lines) {
        for (const { element, box } of nodes) element.setAttribute("transform", `translate(${box.x} ${box.y})`);
        const drawn = [...lines].map(({ line }) => drawLine(line, this.direct(line), 0, this.tint(line)));
        this.overlay.firstElementChild?.replaceChildren(...drawn);
    }

    /** Puts boxes back into the drawing, with their lines as they lie now. @param {CanvasNode[]} nodes @param {Set<CanvasLine>} lines @param {boolean} hasMoved */
    lower(nodes, lines, hasMoved) {
        for (const each of lines) {
            each.element.classList.remove("lifted");
            if (!hasMoved) continue;
            const path = this.direct(each.line);
            const element = drawLine(each.line, path, this.lines.indexOf(each), this.tint(each.line));
            each.element.replaceWith(element);
            [each.element, each.box] = [element, boxOf(path.points)];
        }
        this.nodeLayer.append(...nodes.map(node => node.element));
        this.overlay.replaceChildren();
        this.markSelection();
    }

    /** @param {Line} line */
    tint(line) { return lookOf(this.colours, this.nodes[line.from].name, line.from).tint; }

    /** @param {Line} line */
    direct(line) {
        const metrics = this.graph.metrics;
        return directLine(this.nodes[line.from].box, portHeight(line.there, metrics),
            this.nodes[line.to].box, portHeight(line.back, metrics));
    }

    /** Moves the selected boxes a little, by keys. @param {number} x @param {number} y */
    nudge(x, y) {
        this.moveTo(this.selectedNodes.map(({ box }) => ({ ...box, x: box.x + x, y: box.y + y })));
    }

    /** Moves the selected boxes to others, in their order. @param {Box[]} boxes @param {string} [title] of a step of its own */
    moveTo(boxes, title) {
        const nodes = this.selectedNodes;
        if (nodes.length === 0) return;
        nodes.forEach((node, index) => { node.box = { ...boxes[index], x: Math.round(boxes[index].x), y: Math.round(boxes[index].y) }; });
        const lines = this.lift(nodes);
        this.lower(nodes, lines, true);
        this.events.move(nodes, title);
    }

    /** @param {import("./align.js").Alignment} alignment */
    arrange({ place, title }) { this.moveTo(place(this.selectedNodes.map(node => node.box)), title); }
}

"""###),
        ("graph/colours.js", ###"""
// Colours of entities: one for all, one for each, by configuration, or by what changed since a version.
import { html } from "../lib/preact.js";
import { topOf, valueOf } from "../model/elements.js";

/** @import { ModelClient, ModelState } from "../model/client.js" */

/** @typedef {{tint: string, sign: string}} Look tint: a class of the style sheet; sign: before the name, for who sees no colours */
/** @typedef {{looks: Map<string, Look>, legend: {tint: string, title: string}[]}} Colours */

const hueCount = 8;

/** Entities have hues in turn. @param {number} index @returns {Look} */
const ownLook = index => ({ tint: `hue${index % hueCount}`, sign: "" });

const plain = { tint: "plain", sign: "" };
/** @type {Record<string, Look & {title: string}>} */
const kinds = {
    new: { tint: "new", sign: "+ ", title: "+ new" }, renamed: { tint: "renamed", sign: "> ", title: "> renamed" },
    changed: { tint: "changed", sign: "~ ", title: "~ changed" },
};

/**
 * Returns the looks of entities by name; null if each has a colour of its own.
 * @param {ModelClient} client @param {ModelState} state @param {string} by
 * @returns {Promise<Colours|null>}
 */
export async function coloursBy(client, state, by) {
    if (by === "each") return null;
    /** @type {Map<string, Look>} */
    const looks = new Map();
    if (by === "configurations") {
        const all = topOf(state, "configuration");
        all.forEach((each, index) => valueOf(state, each, "members").forEach(name =>
            looks.has(name) || looks.set(name, ownLook(index))));
        return { looks, legend: [...all.map((each, index) => ({ tint: ownLook(index).tint, title: each.name })), { tint: "plain", title: "in none" }] };
    }
    if (!by.startsWith("since ")) return { looks, legend: [] };
    const { changes } = await client.ask("changes", { against: by.slice(6) });
    for (const { change, subject, path } of changes) {
        const [name, member] = path.split(".");
        const isWhole = member === undefined && subject === "entity";
        const kind = isWhole && change === "added" ? "new" : isWhole && change === "renamed" ? "renamed" : "changed";
        if (kind !== "changed" || !looks.has(name)) looks.set(name, kinds[kind]);
    }
    return { looks, legend: [...Object.values(kinds), { tint: "plain", title: "as it was" }] };
}

/** @param {Colours|null} colours @param {string} name @param {number} index @returns {Look} */
export const lookOf = (colours, name, index) => colours === null ? ownLook(index) : colours.looks.get(name) ?? plain;

/** @param {{state: ModelState, by: string, onChoose: (by: string) => void}} props */
export const ColourChoice = ({ state, by, onChoose }) => html`
    <select aria-label="Colours" value=${by} onChange=${event => onChoose(event.target.value)}>
        <option value="each">Colour of its own</option><option value="none">One colour</option>
        ${topOf(state, "configuration").length > 0 && html`<option value="configurations">Colours of configurations</option>`}
        ${["saved", ...state.versions.map(each => each.name).filter(name => name !== state.version)].map(name => html`
            <option value=${`since ${name}`}>Changed since ${name === "saved" ? "the last save" : name}</option>`)}
    </select>`;

/** @param {{colours: Colours|null}} props */
export const Legend = ({ colours }) => colours !== null && colours.legend.length > 0 && html`
    <ul class="legend" aria-label="Colours">${colours.legend.map(({ tint, title }) => html`
        <li class=${tint}><span class="swatch"></span>${title}</li>`)}</ul>`;

"""###),
        ("graph/connect.js", ###"""
// The form that relates two entities: both sides of the pair, to-one or to-many, what deleting does.
import { html, useEffect, useRef, useState } from "../lib/preact.js";
import { freeName } from "../model/elements.js";
import { Dialog } from "../shell/dialogs.js";

/** @import { ModelClient, ModelState } from "../model/client.js" */

/** @typedef {{name: string|null, toMany: boolean, optional: boolean, deleteRule: string}} Side name: null until one is typed */

const rules = ["nullify", "cascade", "deny", "no action"];

/** The name of a relationship to an entity. @param {string} name @param {boolean} isToMany */
function nameTo(name, isToMany) {
    const one = name.slice(0, 1).toLowerCase() + name.slice(1);
    if (!isToMany) return one;
    return /[^aeiou]y$/.test(one) ? one.slice(0, -1) + "ies" : one + (/(s|x|z|ch|sh)$/.test(one) ? "es" : "s");
}

/** @param {string} name @param {Set<string>} taken */
const free = (name, taken) => taken.has(name) ? freeName(name, each => taken.has(each)) : name;

/**
 * @param {{
 *   client: ModelClient, state: ModelState,
 *   connection: import("./page.js").Connection, onClose: () => void
 * }} props
 */
export function ConnectForm({ client, state, connection, onClose }) {
    const { from, to } = connection;
    const all = [...state.elements.values()];
    const entities = new Set(all.filter(each => each.kind === "entity").map(each => each.name));
    const [entity, setEntity] = useState(() => to?.name ?? free("Entity", entities));
    const taken = id => new Set(all.filter(each => each.owner === id).map(each => each.name));
    const other = to?.name ?? entity;
    const [sides, setSides] = useState(/** @type {[Side, Side]} */([
        { name: null, toMany: true, optional: true, deleteRule: "nullify" },
        { name: null, toMany: false, optional: true, deleteRule: "nullify" },
    ]));
    const there = sides[0].name ?? free(nameTo(other, sides[0].toMany), taken(from.id));
    const back = sides[1].name ?? free(nameTo(from.name, sides[1].toMany), new Set([...taken(to?.id), to === from ? there : ""]));
    const [refusal, setRefusal] = useState("");
    const first = useRef(null);
    useEffect(() => first.current?.select(), []);

    const change = (index, fields) => {
        setRefusal("");
        setSides(/** @type {any} */(sides.map((side, number) => number === index ? { ...side, ...fields } : side)));
    };
    const end = (address, name, side) => ({
        entity: address, name: name.trim(),
        set: { toMany: side.toMany, optional: side.optional, deleteRule: side.deleteRule },
    });
    const submit = async event => {
        event.preventDefault();
        const connect = { command: "connect", from: end(from.id, there, sides[0]), to: end(to?.id ?? entity.trim(), back, sides[1]) };
        const added = [
            { command: "add", element: { kind: "entity", name: entity.trim() } },
            { command: "place", places: [{ entity: entity.trim(), x: connection.x, y: connection.y }] },
        ];
        try {
            await client.perform(to === null ? [...added, connect] : [connect], { quietly: true });
            onClose();
        } catch (error) {
            setRefusal(error instanceof Error ? error.message : String(error));
        }
    };
    return html`
        <${Dialog} title=${to === null ? `New entity related to ${from.name}` : `Relate ${from.name} and ${to.name}`}
            className="connect" onClose=${onClose}>
            <form onSubmit=${submit}>
                ${to === null && html`<label class="connect-name">Name of the entity<input type="text" required value=${entity} ref=${first}
                    spellcheck=${false} onInput=${event => setEntity(event.target.value)} /></label>`}
                <div class="connect-sides">${[from.name, other].map((name, index) => html`
                    <${SideFields} key=${index} owner=${name} other=${index === 0 ? other : from.name} side=${sides[index]}
                        name=${[there, back][index]} input=${to !== null && index === 0 ? first : undefined}
                        onChange=${fields => change(index, fields)} />`)}</div>
                ${refusal !== "" && html`<p class="field-problem" role="alert">${refusal}</p>`}
                <div class="dialog-buttons">
                    <button type="button" onClick=${onClose}>Cancel</button>
                    <button type="submit" class="main">Relate</button>
                </div>
            </form>
        <//>`;
}

/** @param {{owner: string, other: string, side: Side, name: string, input?: any, onChange: (fields: Partial<Side>) => void}} props */
const SideFields = ({ owner, other, side, name, input, onChange }) => html`
    <fieldset><legend>${owner} has</legend>
        <label>Name<input type="text" required value=${name} ref=${input} spellcheck=${false} aria-label=${`Relationship of ${owner}`}
            onInput=${event => onChange({ name: event.target.value })} /></label>
        <div class="segments" role="group" aria-label=${`Number of ${other}`}>
            ${[false, true].map(toMany => html`<button type="button" aria-pressed=${side.toMany === toMany}
                onClick=${() => onChange({ toMany })}>${toMany ? `many ${other}` : `one ${other}`}</button>`)}</div>
        <label class="check"><input type="checkbox" checked=${side.optional}
            onChange=${event => onChange({ optional: event.target.checked })} /> may be empty</label>
        <label>When one is deleted<select value=${side.deleteRule}
            onChange=${event => onChange({ deleteRule: event.target.value })}>
            ${rules.map(rule => html`<option value=${rule}>${rule}</option>`)}</select></label>
    </fieldset>`;

"""###),
        ("graph/drawing.js", ###"""
// How boxes and lines are drawn, as SVG elements.
import { halves, pathText, pointsOf, triangle } from "./geometry.js";

/** @import { Path, Point } from "./geometry.js" */

/** @typedef {{element: number|null, kind: string, name: string, type: string, flags: string[]}} Row */
/** @typedef {{element: number, name: string, parent: string|null, isAbstract: boolean, isPlaced: boolean, summary: string, frame: number[], rows: Row[]}} Node */
/** @typedef {{element: number|null, row: number|null, name: string, isToMany: boolean, isOptional: boolean, deleteRule: string}} End */
/** @typedef {{kind: "link"|"inheritance", from: number, to: number, summary?: string, there?: End|null, back?: End|null, path: Path}} Line */
/** @typedef {{header: number, row: number, footer: number, margin: number}} Metrics */
/** @typedef {{nodes: Node[], lines: Line[], bounds: number[], metrics: Metrics}} Graph */

/**
 * Makes an SVG element.
 * @param {string} name
 * @param {Record<string, string|number|undefined>} [attributes]
 * @param {(Node|Element|string)[]} [children]
 * @returns {SVGElement}
 */
export function svg(name, attributes = {}, children = []) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) {
        if (value !== undefined) element.setAttribute(key, String(value));
    }
    element.append(...children);
    return element;
}

const measuring = document.createElement("canvas").getContext("2d");
/** @type {Map<string, string>} */
const shortened = new Map();

/** Cuts a text that is wider than its room. @param {string} text @param {number} room @param {string} font */
function fit(text, room, font) {
    const key = `${font} ${Math.round(room)} ${text}`;
    const known = shortened.get(key);
    if (known !== undefined) return known;
    if (measuring === null) return text;
    measuring.font = font;
    let result = text;
    while (result.length > 1 && measuring.measureText(result).width > room) {
        result = result.slice(0, result.endsWith("…") ? -2 : -1) + "…";
    }
    shortened.set(key, result);
    return result;
}

/** @param {Node} node @param {Metrics} metrics @param {number} index @param {import("./colours.js").Look} look @returns {SVGElement} */
export function drawNode(node, metrics, index, look) {
    const [x, y, width, height] = node.frame;
    const family = getComputedStyle(document.body).fontFamily;
    const rows = node.rows.map((row, number) => drawRow(row, metrics, number, width, family));
    return svg("g", {
        class: `node ${look.tint}${node.isAbstract ? " abstract" : ""}`, transform: `translate(${x} ${y})`, tabindex: index === 0 ? 0 : -1,
        role: "group", "aria-label": node.summary, "data-id": node.element, "data-name": node.name,
    }, [
        svg("rect", { class: "box", width, height, rx: 7 }),
        svg("path", { class: "head-fill", d: header(width, height, metrics.header, rows.length === 0) }),
        svg("text", { class: "name", x: width / 2, y: metrics.header / 2 + 5 },
            [fit(look.sign + node.name, width - 2 * metrics.margin, `600 14px ${family}`)]),
        svg("g", { class: "rows" }, rows),
        svg("circle", { class: "port", cx: width, cy: metrics.header / 2, r: 6 },
            [svg("title", {}, ["Drag to another entity to relate them"])]),
    ]);
}

/** @param {number} width @param {number} height @param {number} header @param {boolean} isAlone */
function header(width, height, header, isAlone) {
    const top = `M0 7A7 7 0 0 1 7 0H${width - 7}A7 7 0 0 1 ${width} 7`;
    return top + (isAlone ? `V${height - 7}A7 7 0 0 1 ${width - 7} ${height}H7A7 7 0 0 1 0 ${height - 7}Z` : `V${header}H0Z`);
}

/** @param {Row} row @param {Metrics} metrics @param {number} number @param {number} width @param {string} family */
function drawRow(row, metrics, number, width, family) {
    const y = metrics.header + (number + 0.5) * metrics.row + 4.2;
    const font = `12px ${family}`;
    const flags = row.flags.join(" ");
    const room = width - 2 * metrics.margin - 8;
    const type = fit(row.type, room * 0.5, font);
    const name = fit(row.name, room * 0.62, font);
    const children = [
        svg("text", { class: "row-name", x: metrics.margin, y }, [name,
            ...(flags === "" ? [] : [svg("tspan", { class: "flags", dx: 5 }, [flags])])]),
        svg("text", { class: "row-type", x: width - metrics.margin, y }, [type]),
    ];
    return svg("g", { class: `row ${row.kind}`, "data-row": row.element ?? undefined }, children);
}

/**
 * Draws a line, each half dashed if the relationship on its side may be empty, with a head at each end.
 * @param {Line} line
 * @param {Path} path
 * @param {number} index
 * @param {string} tint that of the entity where it begins
 * @returns {SVGElement}
 */
export function drawLine(line, path, index, tint) {
    const points = pointsOf(path);
    const text = pathText(path);
    const [start, second, beforeLast, end] = [points[0], points[1], points[points.length - 2], points[points.length - 1]];
    if (line.kind === "inheritance") {
        return svg("g", { class: "line inheritance", "data-line": index }, [
            svg("path", { class: "stroke", d: text }),
            svg("path", { class: "hollow", d: triangle(end, beforeLast, 12, 7) }),
        ]);
    }
    const [there, back] = [line.there ?? null, line.back ?? null];
    const isOptional = [(there ?? back)?.isOptional ?? false, (back ?? there)?.isOptional ?? false];
    const strokes = isOptional[0] === isOptional[1] || path.kind !== "curve"
        ? [svg("path", { class: isOptional[0] ? "stroke optional" : "stroke", d: text })]
        : halves(path).map((half, side) =>
            svg("path", { class: isOptional[side] ? "stroke optional" : "stroke", d: pathText(half) }));
    return svg("g", { class: `line link ${tint}`, "data-line": index, role: "img", "aria-label": line.summary }, [
        svg("path", { class: "near", d: text }, [svg("title", {}, [line.summary ?? ""])]),
        ...strokes,
        ...heads(there, end, beforeLast), ...heads(back, start, second),
    ]);
}

/** One head for to-one, two for to-many, a dot where no relationship leads. @param {End|null} relationship @param {Point} tip @param {Point} from */
function heads(relationship, tip, from) {
    if (relationship === null) return [svg("circle", { class: "head", cx: tip.x, cy: tip.y, r: 3 })];
    const first = svg("path", { class: "head", d: triangle(tip, from, 9, 4.5) });
    if (!relationship.isToMany) return [first];
    const distance = Math.hypot(from.x - tip.x, from.y - tip.y) || 1;
    const behind = { x: tip.x + (from.x - tip.x) / distance * 8, y: tip.y + (from.y - tip.y) / distance * 8 };
    return [first, svg("path", { class: "head", d: triangle(behind, from, 9, 4.5) })];
}

/** Returns the height, below the top of its box, at which a line ends. @param {End|null|undefined} end @param {Metrics} metrics */
export const portHeight = (end, metrics) => end === null || end === undefined || end.row === null
    ? metrics.header / 2 : metrics.header + (end.row + 0.5) * metrics.row;

"""###),
        ("graph/geometry.js", ###"""
// Points, boxes and lines of the graph: pure, in the coordinates of the drawing.

/** @typedef {{x: number, y: number}} Point */
/** @typedef {{x: number, y: number, width: number, height: number}} Box */
/** @typedef {{x: number, y: number, scale: number}} View where the drawing's origin is on the screen, and its scale */

const leastScale = 0.05;
const greatestScale = 4;

export const bounded = scale => Math.max(leastScale, Math.min(greatestScale, scale));

/** @param {Box[]} boxes @returns {Box} the box around all of them */
export function around(boxes) {
    if (boxes.length === 0) return { x: 0, y: 0, width: 1, height: 1 };
    const left = Math.min(...boxes.map(box => box.x));
    const top = Math.min(...boxes.map(box => box.y));
    return {
        x: left, y: top, width: Math.max(...boxes.map(box => box.x + box.width)) - left,
        height: Math.max(...boxes.map(box => box.y + box.height)) - top,
    };
}

/** @param {Box} one @param {Box} other */
export const touch = (one, other) => one.x < other.x + other.width && other.x < one.x + one.width
    && one.y < other.y + other.height && other.y < one.y + one.height;

/** @param {Point} one @param {Point} other @returns {Box} the box of which they are opposite corners */
export const between = (one, other) => ({
    x: Math.min(one.x, other.x), y: Math.min(one.y, other.y),
    width: Math.abs(one.x - other.x), height: Math.abs(one.y - other.y),
});

/** @param {Box} box @returns {Point} */
export const middle = box => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 });

/** Shows all of a box in a window, not larger than it is. @param {Box} box @param {{width: number, height: number}} size @param {number} [margin] @returns {View} */
export function fitted(box, size, margin = 40) {
    const scale = bounded(Math.min(1, (size.width - 2 * margin) / box.width, (size.height - 2 * margin) / box.height));
    const centre = middle(box);
    return { x: size.width / 2 - centre.x * scale, y: size.height / 2 - centre.y * scale, scale };
}

/** Changes the scale while a point of the screen stays. @param {View} view @param {number} factor @param {Point} point @returns {View} */
export function zoomed(view, factor, point) {
    const scale = bounded(view.scale * factor);
    const ratio = scale / view.scale;
    return { x: point.x - (point.x - view.x) * ratio, y: point.y - (point.y - view.y) * ratio, scale };
}

/** @param {View} view @param {Point} point of the screen @returns {Point} of the drawing */
export const fromScreen = (view, point) => ({ x: (point.x - view.x) / view.scale, y: (point.y - view.y) / view.scale });

/** @param {View} view @param {{width: number, height: number}} size @returns {Box} the part of the drawing that is seen */
export const seen = (view, size) => ({
    x: -view.x / view.scale, y: -view.y / view.scale, width: size.width / view.scale, height: size.height / view.scale,
});

/**
 * The points of a line: of a curve its start, then two controls and an end for each piece.
 * @typedef {{kind: "curve"|"straight", points: number[]}} Path
 */

/** Writes a path as SVG. @param {Path} path */
export function pathText({ kind, points }) {
    const start = `M${points[0]} ${points[1]}`;
    if (kind === "straight") return start + "L" + points.slice(2).join(" ");
    return start + "C" + points.slice(2).join(" ");
}

/** Returns the point in the middle of two. @param {Point} one @param {Point} other @returns {Point} */
const mean = (one, other) => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });

/** Splits a curve into two of as many pieces. @param {Path} path @returns {[Path, Path]} */
export function halves(path) {
    const points = pointsOf(path);
    const pieces = (points.length - 1) / 3;
    const at = Math.floor(pieces / 2) * 3;
    if (pieces % 2 === 0) return [curve(points.slice(0, at + 1)), curve(points.slice(at))];
    const [a, b, c, d] = points.slice(at, at + 4);
    const [ab, bc, cd] = [mean(a, b), mean(b, c), mean(c, d)];
    const [abc, bcd] = [mean(ab, bc), mean(bc, cd)];
    const centre = mean(abc, bcd);
    return [curve([...points.slice(0, at + 1), ab, abc, centre]), curve([centre, bcd, cd, ...points.slice(at + 3)])];
}

/** @param {Path} path @returns {Point[]} */
export function pointsOf({ points }) {
    const all = [];
    for (let index = 0; index < points.length; index += 2) all.push({ x: points[index], y: points[index + 1] });
    return all;
}

/** @param {Point[]} points @returns {Path} */
const curve = points => ({ kind: "curve", points: points.flatMap(point => [point.x, point.y]) });

/**
 * Draws a line between two boxes while one of them is dragged: from the nearer sides, at the heights of its ends.
 * @param {Box} from @param {number} fromHeight below the top of the box
 * @param {Box} to @param {number} toHeight
 * @returns {Path}
 */
export function directLine(from, fromHeight, to, toHeight) {
    if (from === to) {
        const [x, reach] = [from.x + from.width, from.x + from.width + 40];
        return curve([{ x, y: from.y + fromHeight }, { x: reach, y: from.y + fromHeight },
            { x: reach, y: to.y + toHeight }, { x, y: to.y + toHeight }]);
    }
    const isRightward = middle(to).x >= middle(from).x;
    const overlaps = from.x < to.x + to.width && to.x < from.x + from.width;
    const start = { x: isRightward ? from.x + from.width : from.x, y: from.y + fromHeight };
    const end = { x: isRightward === overlaps ? to.x + to.width : to.x, y: to.y + toHeight };
    const reach = Math.max(30, Math.abs(end.x - start.x) / 2);
    const leaving = isRightward ? reach : -reach;
    const arriving = isRightward === overlaps ? reach : -reach;
    return curve([start, { x: start.x + leaving, y: start.y }, { x: end.x + arriving, y: end.y }, end]);
}

/** Returns a triangle whose tip is at a point, for a line that comes from another. @param {Point} tip @param {Point} from @param {number} length @param {number} half */
export function triangle(tip, from, length, half) {
    const distance = Math.hypot(tip.x - from.x, tip.y - from.y) || 1;
    const [x, y] = [(from.x - tip.x) / distance, (from.y - tip.y) / distance];
    const [baseX, baseY] = [tip.x + x * length, tip.y + y * length];
    return `M${tip.x} ${tip.y}L${baseX - y * half} ${baseY + x * half} ${baseX + y * half} ${baseY - x * half}Z`;
}

/**
 * Returns the nearest box in a direction, for keys.
 * @template {{box: Box}} T
 * @param {T} start @param {T[]} all @param {-1|0|1} x @param {-1|0|1} y
 * @returns {T|undefined}
 */
export function nearest(start, all, x, y) {
    const own = middle(start.box);
    let best;
    let least = Infinity;
    for (const other of all) {
        if (other === start) continue;
        const point = middle(other.box);
        const along = (point.x - own.x) * x + (point.y - own.y) * y;
        const across = Math.abs((point.x - own.x) * y) + Math.abs((point.y - own.y) * x);
        if (along <= 0 || along + across * 2 >= least) continue;
        [best, least] = [other, along + across * 2];
    }
    return best;
}

/** Returns the box around the points of a line, with room for heads. @param {number[]} points @returns {Box} */
export function boxOf(points) {
    const xs = points.filter((_, index) => index % 2 === 0);
    const ys = points.filter((_, index) => index % 2 === 1);
    const [left, top] = [Math.min(...xs) - 8, Math.min(...ys) - 8];
    return { x: left, y: top, width: Math.max(...xs) + 8 - left, height: Math.max(...ys) + 8 - top };
}

"""###),
        ("graph/minimap.js", ###"""
// A small map of the whole graph, with the part that is seen; dragging in it moves that part.
import { html, useLayoutEffect, useRef } from "../lib/preact.js";
import { around, seen } from "./geometry.js";

const width = 168;
const height = 112;

/** @param {{canvas: import("./canvas.js").GraphCanvas, selected: number[], drawing: any}} props */
export function MiniMap({ canvas, selected, drawing }) {
    const root = useRef(null);
    const isDragging = useRef(false);
    const shown = useRef({ x: 0, y: 0, scale: 1 });

    // The boxes are one shape, and the window follows the view without anything being rendered again.
    useLayoutEffect(() => {
        const [world, boxes, chosen, window] = root.current?.querySelectorAll("g, path, rect") ?? [];
        if (window === undefined) return;
        const shape = isWanted => canvas.nodes.filter(node => isWanted(node.id))
            .map(({ box }) => `M${box.x} ${box.y}h${box.width}v${box.height}h${-box.width}z`).join("");
        const chosenIds = new Set(selected);
        boxes.setAttribute("d", shape(id => !chosenIds.has(id)));
        chosen.setAttribute("d", shape(id => chosenIds.has(id)));
        const bounds = canvas.bounds;
        const follow = () => {
            const part = seen(canvas.view, canvas.size);
            const whole = around([bounds, part]);
            const scale = Math.min(width / whole.width, height / whole.height);
            const x = whole.x - (width / scale - whole.width) / 2;
            const y = whole.y - (height / scale - whole.height) / 2;
            shown.current = { x, y, scale };
            world.setAttribute("transform", `scale(${scale}) translate(${-x} ${-y})`);
            for (const [key, value] of Object.entries(part)) window.setAttribute(key, String(value));
        };
        follow();
        canvas.followers.add(follow);
        return () => void canvas.followers.delete(follow);
    }, [canvas, drawing, selected.join()]);

    const move = event => {
        const { left, top } = event.currentTarget.getBoundingClientRect();
        const x = (event.clientX - left) / shown.current.scale + shown.current.x;
        const y = (event.clientY - top) / shown.current.scale + shown.current.y;
        const { size, view } = canvas;
        canvas.setView({ ...view, x: size.width / 2 - x * view.scale, y: size.height / 2 - y * view.scale });
    };
    const begin = event => {
        event.stopPropagation();
        isDragging.current = true;
        event.currentTarget.setPointerCapture(event.pointerId);
        move(event);
    };
    return html`
        <svg class="minimap" ref=${root} width=${width} height=${height} aria-hidden="true" onPointerDown=${begin}
            onPointerMove=${event => void (isDragging.current && move(event))}
            onPointerUp=${() => { isDragging.current = false; }}>
            <g><path /><path class="selected" /><rect class="window" /></g>
        </svg>`;
}

"""###),
        ("graph/page.css", ###"""
/* The graph of a model. */
.graph {
    --paper: light-dark(#f7f8fa, #15181d);
    --plain: light-dark(#7a8696, #8a96a5);
    position: relative;
    min-width: 0;
    height: 100%;
    overflow: hidden;
    outline: 0;
    background-color: var(--paper);
    background-image: radial-gradient(circle, light-dark(#1c21271c, #ffffff14) 1px, transparent 1px);
    background-size: 24px 24px;
    touch-action: none;
    user-select: none;
}
.graph.far { background-image: none; }
.graph-canvas, .graph-above { position: absolute; top: 0; left: 0; }
.graph-above { pointer-events: none; }

.graph .hue0 { --hue: light-dark(#2f6fd6, #6ea8ff); }
.graph .hue1 { --hue: light-dark(#b4531a, #f0955c); }
.graph .hue2 { --hue: light-dark(#1f8457, #58c795); }
.graph .hue3 { --hue: light-dark(#9244b8, #cf93ee); }
.graph .hue4 { --hue: light-dark(#b23a5e, #f0819f); }
.graph .hue5 { --hue: light-dark(#0f7f8c, #4fc3d0); }
.graph .hue6 { --hue: light-dark(#7d6a10, #d6bf52); }
.graph .hue7 { --hue: light-dark(#5a57c9, #a19ffb); }
.graph .plain { --hue: var(--plain); } .graph .new { --hue: var(--good); } .graph .changed { --hue: var(--warning); }
.graph .renamed { --hue: var(--changed); }

.node { cursor: default; outline: 0; }
.node .box { fill: var(--raised); stroke: light-dark(#cfd6df, #39424e); }
.node.abstract .box { stroke-dasharray: 5 3; }
.node .head-fill { fill: var(--hue); fill-opacity: 0.16; cursor: move; }
.node .name { fill: var(--text); font-size: 14px; font-weight: 600; text-anchor: middle; pointer-events: none; }
.node.abstract .name { font-style: italic; }
.node .row-name { fill: var(--text); font-size: 12px; }
.node .relationship .row-name { fill: var(--hue); font-weight: 500; }
.node.plain .relationship .row-name { fill: var(--text); }
.node .row-type { fill: var(--text-quiet); font-size: 12px; text-anchor: end; }
.node .flags { fill: var(--text-quiet); font-size: 9.5px; }
.node:hover .box { stroke: var(--line-strong); }
.node.selected .box, .node.target .box { stroke: var(--accent-text); stroke-width: 2; }
.node:focus-visible .box { stroke: var(--focus); stroke-width: 3; }
.node .port { fill: var(--raised); stroke: var(--accent-text); stroke-width: 2; opacity: 0; cursor: crosshair; }
.node:hover .port, .node.selected .port, .node:focus .port { opacity: 1; }
.graph.far .rows, .graph.far .port { display: none; }
.graph.far .node .name { font-size: 22px; }
.graph.far .head-fill { fill-opacity: 0.3; }
.node.pulse .box { animation: pulse 0.9s ease-out; }
@keyframes pulse { 0% { stroke: var(--focus); stroke-width: 14; stroke-opacity: 0.9; } 100% { stroke-width: 1; } }

.line .stroke { fill: none; stroke: var(--hue, var(--plain)); stroke-width: 1.6; pointer-events: none; }
.line .optional { stroke-dasharray: 5 4; }
.line .near { fill: none; stroke: transparent; stroke-width: 11; }
.line .head { fill: var(--hue); pointer-events: none; }
.line .hollow { fill: var(--paper); stroke: var(--plain); stroke-width: 1.6; }
.line.link:hover .stroke, .line.selected .stroke { stroke-width: 2.6; }
.line.lifted { display: none; }
.overlay .node { filter: drop-shadow(0 4px 10px #0004); }
.relating { fill: none; stroke: var(--accent-text); stroke-width: 2; stroke-dasharray: 6 4; }
.band { fill: var(--accent-soft); fill-opacity: 0.5; stroke: var(--accent-text); vector-effect: non-scaling-stroke; }

.graph-tools {
    position: absolute;
    z-index: 1;
    inset: var(--space-2) var(--space-2) auto;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--space-2);
    padding: var(--space-1) var(--space-2);
    border: var(--edge);
    border-radius: var(--radius-large);
    background: var(--raised);
    box-shadow: var(--shadow);
}
.graph-tools select { flex: 0 1 11rem; min-width: 0; }
.graph-tools .filter { flex: 0 1 11rem; min-width: 0; }
.align-tools { display: flex; flex-basis: 100%; gap: var(--space-2); }
.legend { position: absolute; z-index: 1; bottom: var(--space-3); left: var(--space-3); max-height: 40%; overflow: auto; padding: var(--space-2) var(--space-3); border: var(--edge); border-radius: var(--radius); background: var(--raised); font-size: var(--size-small); }
.legend li { display: flex; align-items: center; gap: var(--space-2); }
.swatch { width: 0.75rem; height: 0.75rem; border: 1px solid var(--hue); border-radius: 3px; background: color-mix(in srgb, var(--hue), transparent 70%); }
.graph-space { flex: 1; }
.graph-scale { min-width: 3.2rem; color: var(--text-quiet); text-align: center; white-space: nowrap; }
.graph-empty { position: absolute; inset: 0; pointer-events: none; }

.minimap {
    position: absolute;
    z-index: 1;
    right: var(--space-3);
    bottom: var(--space-3);
    border: var(--edge);
    border-radius: var(--radius);
    background: var(--raised);
    box-shadow: var(--shadow);
}
.minimap path { fill: var(--line-strong); }
.minimap path.selected { fill: var(--accent); }
.minimap rect.window { fill: var(--accent-soft); fill-opacity: 0.35; stroke: var(--accent-text); vector-effect: non-scaling-stroke; }

dialog.connect { width: 36rem; }
.connect form { display: grid; gap: var(--space-4); }
.connect-name { display: grid; gap: var(--space-1); }
.connect-sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); gap: var(--space-3); }
.connect fieldset { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-3); align-content: start; min-width: 0; margin: 0; padding: var(--space-3); border: var(--edge); border-radius: var(--radius); }
.connect legend { padding: 0 var(--space-1); font-weight: 600; }
.connect fieldset > label:not(.check) { display: grid; gap: var(--space-1); color: var(--text-quiet); }
.connect .segments > button { flex: 1; overflow: hidden; text-overflow: ellipsis; }

/* The columns of a narrow page lie below each other, and give no height. */
@media (max-width: 50rem) {
    .graph { height: 70vh; }
}

"""###),
        ("graph/page.js", ###"""
// The graph of a model: the canvas, its tools, the map of the whole, and what they do to the model.
import { html, useEffect, useLayoutEffect, useRef, useState } from "../lib/preact.js";
import { announce, notifyError } from "../shell/notices.js";
import { useKeys } from "../shell/frame.js";
import { GraphCanvas } from "./canvas.js";
import { coloursBy, Legend } from "./colours.js";
import { ConnectForm } from "./connect.js";
import { nearest } from "./geometry.js";
import { MiniMap } from "./minimap.js";
import { details, Tools } from "./tools.js";

/** @import { ModelClient, ModelState } from "../model/client.js" */
/** @import { CanvasNode } from "./canvas.js" */

/** @typedef {{detail: "names"|"keys"|"all", configuration?: string, entity?: string, steps?: number}} Scope */
/** @typedef {{from: CanvasNode, to: CanvasNode|null, x: number, y: number}} Connection */

/** How each version was looked at last, for when one comes back to it. @type {Map<string, import("./geometry.js").View>} */
const views = new Map();

/** @param {{client: ModelClient, state: ModelState, selected: number[], onSelect: (ids: number[], inner?: number[]) => void}} props */
export function Graph({ client, state, selected, onSelect }) {
    const host = useRef(null);
    const canvas = useRef(null);
    const shownScope = useRef("");
    const latest = useRef({ onSelect, state });
    latest.current = { onSelect, state };
    const [scope, setScope] = useState({ detail: "all" });
    const [connection, setConnection] = useState(null);
    const [scale, setScale] = useState(1);
    const [by, setBy] = useState("each");
    const [colours, setColours] = useState(/** @type {import("./colours.js").Colours|null} */(null));
    const [drawing, setDrawing] = useState(/** @type {import("./drawing.js").Graph|null} */(null));
    const mayEdit = !state.isReadOnly;
    const viewKey = `${client.id} ${state.version}`;

    useLayoutEffect(() => {
        const made = new GraphCanvas(host.current, {
            select: (ids, inner = []) => latest.current.onSelect(ids, inner),
            move: (nodes, title) => void placed(client, made, nodes, latest.current.state.isReadOnly, title),
            connect: (from, to, point) => {
                if (!latest.current.state.isReadOnly) setConnection({ from, to, x: Math.round(point.x), y: Math.round(point.y) });
            },
        });
        made.followers.add(() => setScale(made.view.scale));
        canvas.current = made;
        return () => made.destroy();
    }, []);

    // A new drawing for each state of the model, in the view that is open.
    useEffect(() => {
        let isCurrent = true;
        Promise.all([client.ask("graph", scope), coloursBy(client, state, by)]).then(([graph, looks]) => {
            if (!isCurrent || canvas.current === null) return;
            canvas.current.show(graph, looks);
            setDrawing(graph);
            setColours(looks);
            const shown = viewKey + JSON.stringify({ ...scope, detail: "" });
            if (shownScope.current === shown) return;
            const kept = shownScope.current === "" ? views.get(viewKey) : undefined;
            shownScope.current = shown;
            if (kept === undefined) canvas.current.fit();
            else canvas.current.setView(kept);
        }, notifyError);
        return () => { isCurrent = false; };
    }, [state.revision, state.version, state.unsaved.length, scope, by]);
    useEffect(() => {
        const { current } = canvas;
        return () => void (current !== null && current.nodes.length > 0 && views.set(viewKey, current.view));
    }, [viewKey]);

    useEffect(() => {
        const { current } = canvas;
        if (current === null) return;
        current.select(selected);
        if (selected.length === 1) current.reveal(selected[0]);
    }, [selected.join(), drawing]);

    const arrange = async () => {
        try {
            const { nodes } = await client.ask("graph", { ...scope, arrange: true });
            const places = nodes.map(node =>
                ({ entity: node.element, x: Math.round(node.frame[0]), y: Math.round(node.frame[1]) }));
            if (await client.perform({ command: "place", places }) === undefined) return;
            announce(`${places.length} entities arranged`);
            requestAnimationFrame(() => canvas.current?.fit());
        } catch (error) {
            notifyError(error);
        }
    };
    const relate = () => {
        const nodes = canvas.current?.selectedNodes ?? [];
        if (nodes.length === 0) return false;
        const [from, to = from] = nodes;
        setConnection({ from, to, x: from.box.x, y: from.box.y });
    };
    /** Goes along an arrow key to the next box. @param {-1|0|1} x @param {-1|0|1} y */
    const walk = (x, y) => {
        const { current } = canvas;
        const start = current?.nodes.find(node => node.element === document.activeElement) ?? current?.selectedNodes[0] ?? current?.nodes[0];
        if (current === null || start === undefined) return;
        const next = nearest(start, current.nodes, x, y) ?? start;
        onSelect([next.id]);
        for (const node of current.nodes) node.element.setAttribute("tabindex", node === next ? "0" : "-1");
        next.element.removeAttribute("hidden");
        next.element.focus({ preventScroll: true });
    };
    const arrows = [["Left", -1, 0], ["Right", 1, 0], ["Up", 0, -1], ["Down", 0, 1]];
    /** Keys of boxes work while a box or the drawing has the focus. @param {() => any} run */
    const here = run => () => host.current?.contains(document.activeElement) ? run() : false;
    useKeys([
        ...arrows.map(([name, x, y]) => ({ keys: `Arrow${name}`, title: "Next entity there", run: here(() => walk(x, y)) })),
        ...(mayEdit ? arrows.flatMap(([name, x, y]) => [
            { keys: `Ctrl+Arrow${name}`, title: "Move the selection by 1", run: here(() => canvas.current?.nudge(x, y)) },
            { keys: `Ctrl+Shift+Arrow${name}`, title: "Move the selection by 10", run: here(() => canvas.current?.nudge(10 * x, 10 * y)) },
        ]) : []),
        { keys: "Ctrl+A", title: "Select all", run: here(() => onSelect(canvas.current?.nodes.map(node => node.id) ?? [])) },
        ...details.map(([detail, , title], index) => ({ keys: `${index + 1}`, title, run: () => setScope({ ...scope, detail }) })),
        { keys: "0", title: "Show the whole", run: () => canvas.current?.fit() },
        { keys: "+", title: "Larger", run: () => canvas.current?.zoom(1.25) },
        { keys: "-", title: "Smaller", run: () => canvas.current?.zoom(0.8) },
        ...(mayEdit ? [
            { keys: "L", title: "Arrange", run: () => void arrange() },
            { keys: "R", title: "Relate the selected entities", run: relate },
        ] : []),
    ]);

    // The form is beside the drawing, which takes all that the pointer does in it.
    return html`<main class="graph" ref=${host} tabindex="-1" aria-label="Graph">
        <${Tools} state=${state} selected=${selected} scope=${scope} onScope=${setScope} scale=${scale} mayEdit=${mayEdit}
            by=${by} onColour=${setBy} canvas=${canvas.current}
            onFit=${() => canvas.current?.fit()} onZoom=${factor => canvas.current?.zoom(factor)}
            onArrange=${() => void arrange()} names=${drawing?.nodes.map(node => node.name) ?? []}
            onFind=${name => {
                const node = canvas.current?.nodes.find(each => each.name === name);
                if (node !== undefined) canvas.current?.reveal(node.id, true);
            }} />
        <${Legend} colours=${colours} />
        ${drawing !== null && drawing.nodes.length === 0 && html`<p class="empty graph-empty">There is no entity here yet.</p>`}
        ${drawing !== null && drawing.nodes.length > 0 && html`<${MiniMap} canvas=${canvas.current} selected=${selected} drawing=${drawing} />`}
    </main>
    ${connection !== null && html`<${ConnectForm} client=${client} state=${state} connection=${connection}
        onClose=${() => setConnection(null)} />`}`;
}

/**
 * Notes in the model where boxes are now. The first time, all boxes get a place, since those that were only computed
 * would be computed anew. Moves of the same boxes that follow each other closely are one step, unless it has a title.
 * @param {ModelClient} client @param {GraphCanvas} canvas @param {CanvasNode[]} moved @param {boolean} isReadOnly @param {string} [title]
 */
async function placed(client, canvas, moved, isReadOnly, title) {
    const graph = canvas.graph;
    if (isReadOnly || graph === null) return;
    const ids = new Set(moved.map(node => node.id));
    const all = canvas.nodes.filter(node => ids.has(node.id) || !graph.nodes[node.index].isPlaced);
    const places = all.map(node => ({ entity: node.id, x: Math.round(node.box.x), y: Math.round(node.box.y) }));
    const key = title === undefined ? `place ${[...ids].sort((one, other) => one - other).join()}` : undefined;
    if (await client.perform({ command: "place", places }, { key }) === undefined) canvas.show(graph);
    else if (title !== undefined) announce(`${title}: ${moved.length} entities`);
}

"""###),
        ("graph/pointer.js", ###"""
// What the pointer does in the drawing: move boxes, relate them, select with a rubber band, pan, zoom.
import { svg } from "./drawing.js";
import { between, pathText, touch } from "./geometry.js";

/** @import { CanvasLine, CanvasNode, GraphCanvas } from "./canvas.js" */

/**
 * A drag from its beginning to its end.
 * @typedef {{move: (event: PointerEvent) => void, end: (event: PointerEvent) => void, cancel: () => void}} Drag
 */

/** Whether the pointer has hardly moved, so that it has clicked. @param {PointerEvent} first @param {PointerEvent} event */
const isClick = (first, event) => Math.hypot(event.clientX - first.clientX, event.clientY - first.clientY) < 4;

export class Pointer {
    /** @param {GraphCanvas} canvas */
    constructor(canvas) {
        this.canvas = canvas;
        /** @type {Drag|null} */
        this.drag = null;
        this.isSpaceDown = false;
        this.ending = new AbortController();
        const { signal } = this.ending;
        const { host } = canvas;
        host.addEventListener("pointerdown", event => this.begin(event), { signal });
        host.addEventListener("pointermove", event => this.drag?.move(event), { signal });
        host.addEventListener("pointerup", event => this.end(event), { signal });
        host.addEventListener("pointercancel", () => this.cancel(), { signal });
        host.addEventListener("wheel", event => this.turn(event), { signal, passive: false });
        addEventListener("keydown", event => this.key(event, true), { signal, capture: true });
        addEventListener("keyup", event => this.key(event, false), { signal, capture: true });
    }

    destroy() {
        this.cancel();
        this.ending.abort();
    }

    /** @param {KeyboardEvent} event @param {boolean} isDown */
    key(event, isDown) {
        if (event.key === " ") this.isSpaceDown = isDown;
        if (!isDown || event.key !== "Escape" || this.drag === null) return;
        event.preventDefault();
        event.stopPropagation();
        this.cancel();
    }

    /** Leaves everything as it was before the drag. */
    cancel() {
        const { drag } = this;
        this.drag = null;
        drag?.cancel();
    }

    begin(event) {
        if (this.drag !== null || !(event.target instanceof Element) || event.target.closest(".graph-tools")) return;
        const node = this.canvas.nodeAt(event.target);
        const isPanning = event.button === 1 || event.button === 0 && this.isSpaceDown;
        if (isPanning) this.drag = this.pan(event);
        else if (event.button !== 0) return;
        else if (node !== undefined && event.target.closest(".port")) this.drag = this.relate(node);
        else if (node !== undefined) this.drag = this.moveBoxes(node, event);
        else if (event.target.closest(".line.link")) return this.pickLine(event.target);
        else this.drag = this.rubberBand(event);
        event.preventDefault();
        this.canvas.host.setPointerCapture(event.pointerId);
        (node?.element ?? this.canvas.host).focus({ preventScroll: true });
    }

    end(event) {
        const { drag } = this;
        this.drag = null;
        drag?.end(event);
    }

    turn(event) {
        event.preventDefault();
        const { canvas } = this;
        const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
        if (event.ctrlKey || event.metaKey) {
            canvas.zoom(Math.exp(-event.deltaY * lines / 300), canvas.local(event));
        } else {
            const [x, y] = event.shiftKey ? [event.deltaY, event.deltaX] : [event.deltaX, event.deltaY];
            canvas.setView({ ...canvas.view, x: canvas.view.x - x * lines, y: canvas.view.y - y * lines });
        }
    }

    /** @param {Element} target */
    pickLine(target) {
        const line = this.canvas.lines.find(each => each.element.contains(target))?.line;
        const ends = [line?.there, line?.back].map(end => end?.element).filter(id => typeof id === "number");
        if (line === undefined) return;
        this.canvas.events.select([this.canvas.nodes[line.from].id], /** @type {number[]} */(ends.slice(0, 1)));
    }

    /** @param {PointerEvent} first @returns {Drag} */
    pan(first) {
        const { canvas } = this;
        const { view } = canvas;
        const move = event => canvas.setView({
            ...view, x: view.x + event.clientX - first.clientX, y: view.y + event.clientY - first.clientY,
        });
        return { move, end: move, cancel: () => canvas.setView(view) };
    }

    /** @param {CanvasNode} node @param {PointerEvent} first @returns {Drag} */
    moveBoxes(node, first) {
        const { canvas } = this;
        const wasSelected = canvas.selected.has(node.id);
        const before = [...canvas.selected];
        const ids = first.shiftKey || first.ctrlKey || first.metaKey
            ? (wasSelected ? before.filter(id => id !== node.id) : [...before, node.id])
            : (wasSelected ? before : [node.id]);
        canvas.select(ids);
        const row = first.target instanceof Element ? first.target.closest("[data-row]") : null;
        const start = canvas.place(first);
        const nodes = canvas.selectedNodes;
        const boxes = nodes.map(each => ({ ...each.box }));
        /** @type {Set<CanvasLine>|null} */
        let lines = null;
        const place = (x, y) => nodes.forEach((each, index) => {
            each.box = { ...boxes[index], x: Math.round(boxes[index].x + x), y: Math.round(boxes[index].y + y) };
        });
        return {
            move: event => {
                if (lines === null && isClick(first, event)) return;
                lines ??= canvas.lift(nodes);
                const point = canvas.place(event);
                place(point.x - start.x, point.y - start.y);
                canvas.drawLifted(nodes, lines);
            },
            end: () => {
                if (lines !== null) {
                    canvas.lower(nodes, lines, true);
                    canvas.events.move(nodes);
                } else if (ids.length > 1 && wasSelected && ids.length === before.length) {
                    canvas.events.select([node.id]);
                    return;
                }
                const inner = lines === null && ids.length === 1 && row !== null ? [Number(row.getAttribute("data-row"))] : [];
                canvas.events.select(ids, inner);
            },
            cancel: () => {
                place(0, 0);
                if (lines !== null) {
                    canvas.drawLifted(nodes, lines);
                    canvas.lower(nodes, lines, false);
                }
                canvas.select(before);
            },
        };
    }

    /** @param {CanvasNode} node @returns {Drag} */
    relate(node) {
        const { canvas } = this;
        const path = svg("path", { class: "relating" });
        canvas.overlay.append(path);
        const start = { x: node.box.x + node.box.width, y: node.box.y + (canvas.graph?.metrics.header ?? 32) / 2 };
        /** @type {CanvasNode|undefined} */
        let target;
        const over = event => {
            const point = canvas.place(event);
            return canvas.nodes.find(each => touch(each.box, { ...point, width: 0.1, height: 0.1 }));
        };
        const clear = () => {
            path.remove();
            target?.element.classList.remove("target");
        };
        return {
            move: event => {
                const end = canvas.place(event);
                const reach = Math.max(30, Math.abs(end.x - start.x) / 2);
                path.setAttribute("d", pathText({
                    kind: "curve", points: [start.x, start.y, start.x + reach, start.y, end.x - reach, end.y, end.x, end.y],
                }));
                target?.element.classList.remove("target");
                target = over(event);
                target?.element.classList.add("target");
            },
            end: event => {
                clear();
                const point = canvas.place(event);
                // From the dot, a box is reached after twice the way of a click.
                if (Math.hypot(point.x - start.x, point.y - start.y) * canvas.view.scale < 8) return;
                canvas.events.connect(node, over(event) ?? null, point);
            },
            cancel: clear,
        };
    }

    /** @param {PointerEvent} first @returns {Drag} */
    rubberBand(first) {
        const { canvas } = this;
        const start = canvas.place(first);
        const kept = first.shiftKey ? [...canvas.selected] : [];
        const before = [...canvas.selected];
        const inside = event => {
            const box = between(start, canvas.place(event));
            return [...new Set([...kept, ...canvas.nodes.filter(each => touch(each.box, box)).map(each => each.id)])];
        };
        const hide = () => canvas.band.setAttribute("visibility", "hidden");
        return {
            move: event => {
                const box = between(start, canvas.place(event));
                for (const [key, value] of Object.entries(box)) canvas.band.setAttribute(key, String(value));
                canvas.band.setAttribute("visibility", "visible");
                canvas.select(inside(event));
            },
            end: event => {
                hide();
                canvas.events.select(isClick(first, event) ? kept : inside(event));
            },
            cancel: () => {
                hide();
                canvas.select(before);
            },
        };
    }
}

"""###),
        ("graph/tools.js", ###"""
// The tools above the graph: detail, scope, search, zoom, arrange.
import { html } from "../lib/preact.js";
import { topOf } from "../model/elements.js";
import { Icon, IconButton } from "../shell/icons.js";
import { alignments } from "./align.js";
import { ColourChoice } from "./colours.js";

/** @import { Scope } from "./page.js" */

/** How much of an entity is drawn: as the studio is asked for it, on a button, and in words. */
export const details = [["names", "Names", "Names only"], ["keys", "Keys", "Keys and relationships"], ["all", "All", "All properties"]];

/**
 * @param {{
 *   state: import("../model/client.js").ModelState, selected: number[], scope: Scope, onScope: (scope: Scope) => void,
 *   scale: number, mayEdit: boolean, names: string[], onFit: () => void, onZoom: (factor: number) => void,
 *   onArrange: () => void, onFind: (name: string) => void, by: string, onColour: (by: string) => void,
 *   canvas: import("./canvas.js").GraphCanvas|null
 * }} props
 */
export function Tools({ state, selected, scope, onScope, scale, mayEdit, names, onFit, onZoom, onArrange, onFind, by, onColour, canvas }) {
    const configurations = topOf(state, "configuration");
    const entity = selected.length === 1 ? state.elements.get(selected[0]) : undefined;
    const centre = scope.entity ?? entity?.name;
    const value = scope.entity !== undefined ? `around ${scope.steps ?? 1}`
        : scope.configuration !== undefined ? `in ${scope.configuration}` : "";
    const choose = chosen => {
        const { detail } = scope;
        if (chosen.startsWith("around ")) onScope({ detail, entity: centre, steps: Number(chosen.slice(7)) });
        else if (chosen.startsWith("in ")) onScope({ detail, configuration: chosen.slice(3) });
        else onScope({ detail });
    };
    const find = event => {
        const text = event.target.value.trim().toLowerCase();
        const name = names.find(each => each.toLowerCase() === text)
            ?? names.find(each => each.toLowerCase().startsWith(text)) ?? names.find(each => each.toLowerCase().includes(text));
        if (text !== "" && name !== undefined) onFind(name);
    };
    return html`
        <div class="graph-tools" role="toolbar" aria-label="Graph">
            <div class="segments" role="group" aria-label="Detail">${details.map(([detail, title, words], index) => html`
                <button aria-pressed=${scope.detail === detail} title=${`${words} (${index + 1})`}
                    onClick=${() => onScope({ ...scope, detail })}>${title}</button>`)}</div>
            <select aria-label="What is drawn" value=${value} onChange=${event => choose(event.target.value)}>
                <option value="">All entities</option>
                ${configurations.map(each => html`<option value=${`in ${each.name}`}>Configuration ${each.name}</option>`)}
                ${centre !== undefined && [1, 2, 3].map(steps => html`
                    <option value=${`around ${steps}`}>${centre} and ${steps === 1 ? "its neighbours" : `${steps} steps around`}</option>`)}
            </select>
            <${ColourChoice} state=${state} by=${by} onChoose=${onColour} />
            <label class="filter"><${Icon} name="search" /><input type="search" placeholder="Find entity" aria-label="Find entity"
                list="graph-names" spellcheck=${false} onChange=${find} /></label>
            <datalist id="graph-names">${names.map(name => html`<option value=${name}></option>`)}</datalist>
            <span class="graph-space"></span>
            ${mayEdit && html`<${IconButton} name="arrange" title="Arrange" keys="L" onClick=${onArrange} />`}
            <${IconButton} name="fit" title="Show the whole" keys="0" onClick=${onFit} />
            <${IconButton} name="minus" title="Smaller" keys="-" onClick=${() => onZoom(0.8)} />
            <output class="graph-scale" aria-label="Zoom">${Math.round(scale * 100)} %</output>
            <${IconButton} name="plus" title="Larger" keys="+" onClick=${() => onZoom(1.25)} />
            ${mayEdit && selected.length > 1 && html`<div class="align-tools" role="toolbar" aria-label="Selected entities">
                ${alignments.filter(each => selected.length >= each.least).map(each => html`
                    <${IconButton} name=${each.name} title=${each.title} onClick=${() => canvas?.arrange(each)} />`)}</div>`}
        </div>`;
}

"""###),
        ("icon.svg", ###"""
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#2f5cc4"/><g fill="none" stroke="#fff" stroke-width="2.2" stroke-linejoin="round"><rect x="5.5" y="6" width="9" height="8" rx="1.6"/><rect x="17.5" y="18" width="9" height="8" rx="1.6"/><path d="M14.5 10h4a3.5 3.5 0 0 1 3.5 3.5V18"/></g></svg>

"""###),
        ("index.html", ###"""
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Core Data Studio</title>
<script src="/start.js"></script>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/style.css">
<link rel="stylesheet" href="/controls.css">
<link rel="stylesheet" href="/shell/shell.css">
<link rel="stylesheet" href="/shell/overlays.css">
<link rel="stylesheet" href="/predicates/page.css">
<link rel="stylesheet" href="/model/page.css">
<link rel="stylesheet" href="/graph/page.css">
<link rel="stylesheet" href="/store/page.css">
<link rel="stylesheet" href="/profile/page.css">
<script type="module" src="/main.js"></script>
</head>
<body>
<div id="studio"><p class="not-loaded">The page is not loaded yet. If it stays so, <a href="/">load it again</a>.</p></div>
<noscript>Core Data Studio is a page of scripts: allow them for this address.</noscript>
</body>
</html>

"""###),
        ("lib/preact.js", ###"""
var N,f,en,D,tn,B,_n,F={},rn=[],yn=/acit|ex(?:s|g|n|p|$)|rph|grid|ows|mnc|ntw|ine[ch]|zoo|^ord|itera/i;function C(e,n){for(var t in n)e[t]=n[t];return e}function on(e){var n=e.parentNode;n&&n.removeChild(e)}function ln(e,n,t){var _,l,r,u={};for(r in n)r=="key"?_=n[r]:r=="ref"?l=n[r]:u[r]=n[r];if(arguments.length>2&&(u.children=arguments.length>3?N.call(arguments,2):t),typeof e=="function"&&e.defaultProps!=null)for(r in e.defaultProps)u[r]===void 0&&(u[r]=e.defaultProps[r]);return U(e,u,_,l,null)}function U(e,n,t,_,l){var r={type:e,props:n,key:t,ref:_,__k:null,__:null,__b:0,__e:null,__d:void 0,__c:null,__h:null,constructor:void 0,__v:l??++en};return f.vnode!=null&&f.vnode(r),r}function W(e){return e.children}function A(e,n){this.props=e,this.context=n}function E(e,n){if(n==null)return e.__?E(e.__,e.__.__k.indexOf(e)+1):null;for(var t;n<e.__k.length;n++)if((t=e.__k[n])!=null&&t.__e!=null)return t.__e;return typeof e.type=="function"?E(e):null}function un(e){var n,t;if((e=e.__)!=null&&e.__c!=null){for(e.__e=e.__c.base=null,n=0;n<e.__k.length;n++)if((t=e.__k[n])!=null&&t.__e!=null){e.__e=e.__c.base=t.__e;break}return un(e)}}function R(e){(!e.__d&&(e.__d=!0)&&D.push(e)&&!L.__r++||B!==f.debounceRendering)&&((B=f.debounceRendering)||tn)(L)}function L(){for(var e;L.__r=D.length;)e=D.sort(function(n,t){return n.__v.__b-t.__v.__b}),D=[],e.some(function(n){var t,_,l,r,u,a;n.__d&&(u=(r=(t=n).__v).__e,(a=t.__P)&&(_=[],(l=C({},r)).__v=r.__v+1,V(a,r,l,t.__n,a.ownerSVGElement!==void 0,r.__h!=null?[u]:null,_,u??E(r),r.__h),an(_,r),r.__e!=u&&un(r)))})}function cn(e,n,t,_,l,r,u,a,s,h){var o,m,c,i,p,b,v,y=_&&_.__k||rn,k=y.length;for(t.__k=[],o=0;o<n.length;o++)if((i=t.__k[o]=(i=n[o])==null||typeof i=="boolean"?null:typeof i=="string"||typeof i=="number"||typeof i=="bigint"?U(null,i,null,null,i):Array.isArray(i)?U(W,{children:i},null,null,null):i.__b>0?U(i.type,i.props,i.key,null,i.__v):i)!=null){if(i.__=t,i.__b=t.__b+1,(c=y[o])===null||c&&i.key==c.key&&i.type===c.type)y[o]=void 0;else for(m=0;m<k;m++){if((c=y[m])&&i.key==c.key&&i.type===c.type){y[m]=void 0;break}c=null}V(e,i,c=c||F,l,r,u,a,s,h),p=i.__e,(m=i.ref)&&c.ref!=m&&(v||(v=[]),c.ref&&v.push(c.ref,null,i),v.push(m,i.__c||p,i)),p!=null?(b==null&&(b=p),typeof i.type=="function"&&i.__k!=null&&i.__k===c.__k?i.__d=s=sn(i,s,e):s=fn(e,i,c,y,p,s),h||t.type!=="option"?typeof t.type=="function"&&(t.__d=s):e.value=""):s&&c.__e==s&&s.parentNode!=e&&(s=E(c))}for(t.__e=b,o=k;o--;)y[o]!=null&&(typeof t.type=="function"&&y[o].__e!=null&&y[o].__e==t.__d&&(t.__d=E(_,o+1)),hn(y[o],y[o]));if(v)for(o=0;o<v.length;o++)pn(v[o],v[++o],v[++o])}function sn(e,n,t){var _,l;for(_=0;_<e.__k.length;_++)(l=e.__k[_])&&(l.__=e,n=typeof l.type=="function"?sn(l,n,t):fn(t,l,l,e.__k,l.__e,n));return n}function fn(e,n,t,_,l,r){var u,a,s;if(n.__d!==void 0)u=n.__d,n.__d=void 0;else if(t==null||l!=r||l.parentNode==null)n:if(r==null||r.parentNode!==e)e.appendChild(l),u=null;else{for(a=r,s=0;(a=a.nextSibling)&&s<_.length;s+=2)if(a==l)break n;e.insertBefore(l,r),u=r}return u!==void 0?u:l.nextSibling}function $(e,n,t){n[0]==="-"?e.setProperty(n,t):e[n]=t==null?"":typeof t!="number"||yn.test(n)?t:t+"px"}function T(e,n,t,_,l){var r;n:if(n==="style")if(typeof t=="string")e.style.cssText=t;else{if(typeof _=="string"&&(e.style.cssText=_=""),_)for(n in _)t&&n in t||$(e.style,n,"");if(t)for(n in t)_&&t[n]===_[n]||$(e.style,n,t[n])}else if(n[0]==="o"&&n[1]==="n")r=n!==(n=n.replace(/Capture$/,"")),n=n.toLowerCase()in e?n.toLowerCase().slice(2):n.slice(2),e.l||(e.l={}),e.l[n+r]=t,t?_||e.addEventListener(n,r?G:j,r):e.removeEventListener(n,r?G:j,r);else if(n!=="dangerouslySetInnerHTML"){if(l)n=n.replace(/xlink[H:h]/,"h").replace(/sName$/,"s");else if(n!=="href"&&n!=="list"&&n!=="form"&&n!=="tabIndex"&&n!=="download"&&n in e)try{e[n]=t??"";break n}catch{}typeof t=="function"||(t!=null&&(t!==!1||n[0]==="a"&&n[1]==="r")?e.setAttribute(n,t):e.removeAttribute(n))}}function j(e){this.l[e.type+!1](f.event?f.event(e):e)}function G(e){this.l[e.type+!0](f.event?f.event(e):e)}function V(e,n,t,_,l,r,u,a,s){var h,o,m,c,i,p,b,v,y,k,H,d=n.type;if(n.constructor!==void 0)return null;t.__h!=null&&(s=t.__h,a=n.__e=t.__e,n.__h=null,r=[a]),(h=f.__b)&&h(n);try{n:if(typeof d=="function"){if(v=n.props,y=(h=d.contextType)&&_[h.__c],k=h?y?y.props.value:h.__:_,t.__c?b=(o=n.__c=t.__c).__=o.__E:("prototype"in d&&d.prototype.render?n.__c=o=new d(v,k):(n.__c=o=new A(v,k),o.constructor=d,o.render=kn),y&&y.sub(o),o.props=v,o.state||(o.state={}),o.context=k,o.__n=_,m=o.__d=!0,o.__h=[]),o.__s==null&&(o.__s=o.state),d.getDerivedStateFromProps!=null&&(o.__s==o.state&&(o.__s=C({},o.__s)),C(o.__s,d.getDerivedStateFromProps(v,o.__s))),c=o.props,i=o.state,m)d.getDerivedStateFromProps==null&&o.componentWillMount!=null&&o.componentWillMount(),o.componentDidMount!=null&&o.__h.push(o.componentDidMount);else{if(d.getDerivedStateFromProps==null&&v!==c&&o.componentWillReceiveProps!=null&&o.componentWillReceiveProps(v,k),!o.__e&&o.shouldComponentUpdate!=null&&o.shouldComponentUpdate(v,o.__s,k)===!1||n.__v===t.__v){o.props=v,o.state=o.__s,n.__v!==t.__v&&(o.__d=!1),o.__v=n,n.__e=t.__e,n.__k=t.__k,n.__k.forEach(function(w){w&&(w.__=n)}),o.__h.length&&u.push(o);break n}o.componentWillUpdate!=null&&o.componentWillUpdate(v,o.__s,k),o.componentDidUpdate!=null&&o.__h.push(function(){o.componentDidUpdate(c,i,p)})}o.context=k,o.props=v,o.state=o.__s,(h=f.__r)&&h(n),o.__d=!1,o.__v=n,o.__P=e,h=o.render(o.props,o.state,o.context),o.state=o.__s,o.getChildContext!=null&&(_=C(C({},_),o.getChildContext())),m||o.getSnapshotBeforeUpdate==null||(p=o.getSnapshotBeforeUpdate(c,i)),H=h!=null&&h.type===W&&h.key==null?h.props.children:h,cn(e,Array.isArray(H)?H:[H],n,t,_,l,r,u,a,s),o.base=n.__e,n.__h=null,o.__h.length&&u.push(o),b&&(o.__E=o.__=null),o.__e=!1}else r==null&&n.__v===t.__v?(n.__k=t.__k,n.__e=t.__e):n.__e=gn(t.__e,n,t,_,l,r,u,s);(h=f.diffed)&&h(n)}catch(w){n.__v=null,(s||r!=null)&&(n.__e=a,n.__h=!!s,r[r.indexOf(a)]=null),f.__e(w,n,t)}}function an(e,n){f.__c&&f.__c(n,e),e.some(function(t){try{e=t.__h,t.__h=[],e.some(function(_){_.call(t)})}catch(_){f.__e(_,t.__v)}})}function gn(e,n,t,_,l,r,u,a){var s,h,o,m=t.props,c=n.props,i=n.type,p=0;if(i==="svg"&&(l=!0),r!=null){for(;p<r.length;p++)if((s=r[p])&&(s===e||(i?s.localName==i:s.nodeType==3))){e=s,r[p]=null;break}}if(e==null){if(i===null)return document.createTextNode(c);e=l?document.createElementNS("http://www.w3.org/2000/svg",i):document.createElement(i,c.is&&c),r=null,a=!1}if(i===null)m===c||a&&e.data===c||(e.data=c);else{if(r=r&&N.call(e.childNodes),h=(m=t.props||F).dangerouslySetInnerHTML,o=c.dangerouslySetInnerHTML,!a){if(r!=null)for(m={},p=0;p<e.attributes.length;p++)m[e.attributes[p].name]=e.attributes[p].value;(o||h)&&(o&&(h&&o.__html==h.__html||o.__html===e.innerHTML)||(e.innerHTML=o&&o.__html||""))}if((function(b,v,y,k,H){var d;for(d in y)d==="children"||d==="key"||d in v||T(b,d,null,y[d],k);for(d in v)H&&typeof v[d]!="function"||d==="children"||d==="key"||d==="value"||d==="checked"||y[d]===v[d]||T(b,d,v[d],y[d],k)})(e,c,m,l,a),o)n.__k=[];else if(p=n.props.children,cn(e,Array.isArray(p)?p:[p],n,t,_,l&&i!=="foreignObject",r,u,r?r[0]:t.__k&&E(t,0),a),r!=null)for(p=r.length;p--;)r[p]!=null&&on(r[p]);a||("value"in c&&(p=c.value)!==void 0&&(p!==e.value||i==="progress"&&!p)&&T(e,"value",p,m.value,!1),"checked"in c&&(p=c.checked)!==void 0&&p!==e.checked&&T(e,"checked",p,m.checked,!1))}return e}function pn(e,n,t){try{typeof e=="function"?e(n):e.current=n}catch(_){f.__e(_,t)}}function hn(e,n,t){var _,l;if(f.unmount&&f.unmount(e),(_=e.ref)&&(_.current&&_.current!==e.__e||pn(_,null,n)),(_=e.__c)!=null){if(_.componentWillUnmount)try{_.componentWillUnmount()}catch(r){f.__e(r,n)}_.base=_.__P=null}if(_=e.__k)for(l=0;l<_.length;l++)_[l]&&hn(_[l],n,typeof e.type!="function");t||e.__e==null||on(e.__e),e.__e=e.__d=void 0}function kn(e,n,t){return this.constructor(e,t)}function En(e,n,t){var _,l,r;f.__&&f.__(e,n),l=(_=typeof t=="function")?null:t&&t.__k||n.__k,r=[],V(n,e=(!_&&t||n).__k=ln(W,null,[e]),l||F,F,n.ownerSVGElement!==void 0,!_&&t?[t]:l?null:n.firstChild?N.call(n.childNodes):null,r,!_&&t?t:l?l.__e:n.firstChild,_),an(r,e)}function Sn(e,n){var t={__c:n="__cC"+_n++,__:e,Consumer:function(_,l){return _.children(l)},Provider:function(_){var l,r;return this.getChildContext||(l=[],(r={})[n]=this,this.getChildContext=function(){return r},this.shouldComponentUpdate=function(u){this.props.value!==u.value&&l.some(R)},this.sub=function(u){l.push(u);var a=u.componentWillUnmount;u.componentWillUnmount=function(){l.splice(l.indexOf(u),1),a&&a.call(u)}}),_.children}};return t.Provider.__=t.Consumer.contextType=t}N=rn.slice,f={__e:function(e,n){for(var t,_,l;n=n.__;)if((t=n.__c)&&!t.__)try{if((_=t.constructor)&&_.getDerivedStateFromError!=null&&(t.setState(_.getDerivedStateFromError(e)),l=t.__d),t.componentDidCatch!=null&&(t.componentDidCatch(e),l=t.__d),l)return t.__E=t}catch(r){e=r}throw e}},en=0,A.prototype.setState=function(e,n){var t;t=this.__s!=null&&this.__s!==this.state?this.__s:this.__s=C({},this.state),typeof e=="function"&&(e=e(C({},t),this.props)),e&&C(t,e),e!=null&&this.__v&&(n&&this.__h.push(n),R(this))},A.prototype.forceUpdate=function(e){this.__v&&(this.__e=!0,e&&this.__h.push(e),R(this))},A.prototype.render=W,D=[],tn=typeof Promise=="function"?Promise.prototype.then.bind(Promise.resolve()):setTimeout,L.__r=0,_n=0;var x,g,z,S=0,I=[],J=f.__b,K=f.__r,Q=f.diffed,X=f.__c,Y=f.unmount;function P(e,n){f.__h&&f.__h(g,e,S||n),S=0;var t=g.__H||(g.__H={__:[],__h:[]});return e>=t.__.length&&t.__.push({}),t.__[e]}function bn(e){return S=1,Cn(vn,e)}function Cn(e,n,t){var _=P(x++,2);return _.t=e,_.__c||(_.__=[t?t(n):vn(void 0,n),function(l){var r=_.t(_.__[0],l);_.__[0]!==r&&(_.__=[r,_.__[1]],_.__c.setState({}))}],_.__c=g),_.__}function Pn(e,n){var t=P(x++,3);!f.__s&&q(t.__H,n)&&(t.__=e,t.__H=n,g.__H.__h.push(t))}function xn(e,n){var t=P(x++,4);!f.__s&&q(t.__H,n)&&(t.__=e,t.__H=n,g.__h.push(t))}function Dn(e){return S=5,dn(function(){return{current:e}},[])}function wn(e,n,t){S=6,xn(function(){typeof e=="function"?e(n()):e&&(e.current=n())},t==null?t:t.concat(e))}function dn(e,n){var t=P(x++,7);return q(t.__H,n)&&(t.__=e(),t.__H=n,t.__h=e),t.__}function Tn(e,n){return S=8,dn(function(){return e},n)}function Un(e){var n=g.context[e.__c],t=P(x++,9);return t.c=e,n?(t.__==null&&(t.__=!0,n.sub(g)),n.props.value):e.__}function An(e,n){f.useDebugValue&&f.useDebugValue(n?n(e):e)}function Mn(e){var n=P(x++,10),t=bn();return n.__=e,g.componentDidCatch||(g.componentDidCatch=function(_){n.__&&n.__(_),t[1](_)}),[t[0],function(){t[1](void 0)}]}function Hn(){I.forEach(function(e){if(e.__P)try{e.__H.__h.forEach(M),e.__H.__h.forEach(O),e.__H.__h=[]}catch(n){e.__H.__h=[],f.__e(n,e.__v)}}),I=[]}f.__b=function(e){g=null,J&&J(e)},f.__r=function(e){K&&K(e),x=0;var n=(g=e.__c).__H;n&&(n.__h.forEach(M),n.__h.forEach(O),n.__h=[])},f.diffed=function(e){Q&&Q(e);var n=e.__c;n&&n.__H&&n.__H.__h.length&&(I.push(n)!==1&&z===f.requestAnimationFrame||((z=f.requestAnimationFrame)||function(t){var _,l=function(){clearTimeout(r),Z&&cancelAnimationFrame(_),setTimeout(t)},r=setTimeout(l,100);Z&&(_=requestAnimationFrame(l))})(Hn)),g=void 0},f.__c=function(e,n){n.some(function(t){try{t.__h.forEach(M),t.__h=t.__h.filter(function(_){return!_.__||O(_)})}catch(_){n.some(function(l){l.__h&&(l.__h=[])}),n=[],f.__e(_,t.__v)}}),X&&X(e,n)},f.unmount=function(e){Y&&Y(e);var n=e.__c;if(n&&n.__H)try{n.__H.__.forEach(M)}catch(t){f.__e(t,n.__v)}};var Z=typeof requestAnimationFrame=="function";function M(e){var n=g;typeof e.__c=="function"&&e.__c(),g=n}function O(e){var n=g;e.__c=e.__(),g=n}function q(e,n){return!e||e.length!==n.length||n.some(function(t,_){return t!==e[_]})}function vn(e,n){return typeof n=="function"?n(e):n}var mn=function(e,n,t,_){var l;n[0]=0;for(var r=1;r<n.length;r++){var u=n[r++],a=n[r]?(n[0]|=u?1:2,t[n[r++]]):n[++r];u===3?_[0]=a:u===4?_[1]=Object.assign(_[1]||{},a):u===5?(_[1]=_[1]||{})[n[++r]]=a:u===6?_[1][n[++r]]+=a+"":u?(l=e.apply(a,mn(e,a,t,["",null])),_.push(l),a[0]?n[0]|=2:(n[r-2]=0,n[r]=l)):_.push(a)}return _},nn=new Map,Fn=function(e){var n=nn.get(this);return n||(n=new Map,nn.set(this,n)),(n=mn(this,n.get(e)||(n.set(e,n=(function(t){for(var _,l,r=1,u="",a="",s=[0],h=function(c){r===1&&(c||(u=u.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?s.push(0,c,u):r===3&&(c||u)?(s.push(3,c,u),r=2):r===2&&u==="..."&&c?s.push(4,c,0):r===2&&u&&!c?s.push(5,0,!0,u):r>=5&&((u||!c&&r===5)&&(s.push(r,0,u,l),r=6),c&&(s.push(r,c,0,l),r=6)),u=""},o=0;o<t.length;o++){o&&(r===1&&h(),h(o));for(var m=0;m<t[o].length;m++)_=t[o][m],r===1?_==="<"?(h(),s=[s],r=3):u+=_:r===4?u==="--"&&_===">"?(r=1,u=""):u=_+u[0]:a?_===a?a="":u+=_:_==='"'||_==="'"?a=_:_===">"?(h(),r=1):r&&(_==="="?(r=5,l=u,u=""):_==="/"&&(r<5||t[o][m+1]===">")?(h(),r===3&&(s=s[0]),r=s,(s=s[0]).push(2,0,r),r=0):_===" "||_==="	"||_===`
`||_==="\r"?(h(),r=2):u+=_),r===3&&u==="!--"&&(r=4,s=s[0])}return h(),s})(e)),n),arguments,[])).length>1?n:n[0]}.bind(ln);export{A as Component,Sn as createContext,ln as h,Fn as html,En as render,Tn as useCallback,Un as useContext,An as useDebugValue,Pn as useEffect,Mn as useErrorBoundary,wn as useImperativeHandle,xn as useLayoutEffect,dn as useMemo,Cn as useReducer,Dn as useRef,bn as useState};

"""###),
        ("main.js", ###"""
// Starts the page: signs in, follows the events, shows the shell and in it the page of the route.
import { html, render, useEffect, useState } from "./lib/preact.js";
import { ApiError, get, signIn } from "./api.js";
import { startEvents } from "./events.js";
import { useRoute } from "./router.js";
import { Shell, SignedOut } from "./shell/shell.js";
import { StartPage } from "./shell/start.js";
import { showTheme } from "./shell/theme.js";
import { startKeys } from "./shell/keys.js";
import { loadDocuments, useDocuments } from "./shell/documents.js";
import { notifyError } from "./shell/notices.js";

/** The module of each page, by the first part of the route. @type {Record<string, () => Promise<any>>} */
const pages = {
    models: () => import("./model/page.js"),
    stores: () => import("./store/page.js"),
    profiles: () => import("./profile/page.js"),
};

/** Tells `start.js` whether all parts of the page are there. @param {"complete"|"incomplete"} state */
const tell = state => void dispatchEvent(new Event(`studio-${state}`));

function CurrentPage() {
    const route = useRoute();
    const all = useDocuments();
    const [modules, setModules] = useState(/** @type {Record<string, any>} */({}));
    const load = pages[route.page];
    useEffect(() => {
        if (load === undefined) return tell("complete");
        if (modules[route.page] !== undefined) return;
        load().then(module => {
            setModules(all => ({ ...all, [route.page]: module }));
            tell("complete");
        }, () => get("/documents").then(() => tell("incomplete"), notifyError));
    }, [route.page]);
    const documents = all[route.page];
    const document = Array.isArray(documents) ? documents.find(each => each.id === route.document) : undefined;
    if (load === undefined || document === undefined) return html`<${StartPage} />`;
    const Page = modules[route.page]?.Page;
    if (Page === undefined) return html`<div class="page" aria-busy="true"></div>`;
    return html`<${Page} key=${route.page + route.document} route=${route} document=${document} />`;
}

async function start() {
    const root = document.getElementById("studio");
    root.replaceChildren();
    startKeys();
    try {
        if (!await signIn()) return render(html`<${SignedOut} />`, root);
        await loadDocuments();
        showTheme();
    } catch (error) {
        const isSignedOut = error instanceof ApiError && error.status === 401;
        return render(html`<${SignedOut} reason=${isSignedOut ? undefined : String(error.message)} />`, root);
    }
    startEvents();
    document.addEventListener("studio-signed-out", () => render(html`<${SignedOut} />`, root));
    render(html`<${Shell}><${CurrentPage} /><//>`, root);
}

start();

"""###),
        ("model/actions.js", ###"""
// What one does to elements: each is one or more commands, sent as one step.
import { ask } from "../shell/dialogs.js";
import { html } from "../lib/preact.js";
import { announce, notify, notifyError } from "../shell/notices.js";
import { entityNamed, kinds, membersOf, ownerOf, propertiesOf, valueOf } from "./elements.js";

/** @import { Kind, ModelClient, ModelElement, ModelState } from "./client.js" */

/**
 * Adds an element, and returns it.
 * @param {ModelClient} client
 * @param {Kind} kind
 * @param {ModelElement|undefined} owner
 * @param {Record<string, any>} [facets]
 * @returns {Promise<ModelElement|undefined>}
 */
export async function add(client, kind, owner, facets = {}) {
    const element = { kind, set: { ...usual(kind, owner), ...facets } };
    const known = new Set(client.state.value?.elements.keys());
    const answer = await client.perform({ command: "add", element, to: owner?.id ?? "" });
    const added = answer?.elements.find(each => each.kind === kind && !known.has(each.id));
    if (added !== undefined) announce(`${kinds[kind].title} ${added.name} added`);
    return added;
}

/** Returns what a new element needs so as not to begin with an error. @param {Kind} kind @param {ModelElement|undefined} owner */
function usual(kind, owner) {
    if (kind === "attribute") return { type: "String" };
    if (kind === "fetchedProperty") return { entity: owner?.name };
    return {};
}

/**
 * Removes elements; asks first if that breaks others.
 * @param {ModelClient} client
 * @param {ModelElement[]} elements
 * @returns {Promise<boolean>}
 */
export async function removeAll(client, elements) {
    if (elements.length === 0) return false;
    const command = { command: "remove", elements: elements.map(each => each.id) };
    const what = elements.length === 1 ? elements[0].name : `${elements.length} elements`;
    try {
        const problems = await client.preview([command]);
        if (problems.length > 0) {
            const shown = problems.slice(0, 12);
            const answer = await ask({
                title: `Delete ${what}?`,
                text: html`<p>This breaks ${problems.length === 1 ? "one place" : `${problems.length} places`}:</p>
                    <ul class="breaks">${shown.map(each => html`<li><b>${each.path}</b> ${each.message}</li>`)}</ul>
                    ${problems.length > shown.length && html`<p class="quiet">and ${problems.length - shown.length} more</p>`}`,
                choices: [{ title: "Delete", value: "delete", kind: "danger" }],
            });
            if (answer !== "delete") return false;
        }
    } catch (error) {
        notifyError(error);
        return false;
    }
    if (await client.perform(command) === undefined) return false;
    notify({ title: `Deleted ${what}`, action: { title: "Undo", run: () => client.undo() } });
    return true;
}

/** @param {ModelClient} client @param {ModelElement[]} elements */
export const duplicate = (client, elements) =>
    client.perform({ command: "duplicate", elements: elements.map(each => each.id) });

/**
 * Sets a setting of some elements. An inverse is set at both ends.
 * @param {ModelClient} client
 * @param {ModelElement[]} elements
 * @param {string} facet
 * @param {any} value
 * @param {{key?: string, quietly?: boolean}} [options]
 */
export function set(client, elements, facet, value, options) {
    const state = client.state.value;
    if (facet === "inverse" && elements.length === 1) {
        const [element] = elements;
        if (value === null || value === "") return client.perform({ command: "setInverse", element: element.id, inverse: null }, options);
        const destination = entityNamed(state, valueOf(state, element, "destination"));
        const inverse = propertiesOf(state, destination, "relationship").find(each => each.name === value);
        if (inverse !== undefined) return client.perform({ command: "setInverse", element: element.id, inverse: inverse.id }, options);
    }
    return client.perform({ command: "set", elements: elements.map(each => each.id), set: { [facet]: value } }, options);
}

/** Moves an element among those of its kind. @param {ModelClient} client @param {ModelElement} element @param {1|-1} step */
export function moveBy(client, element, step) {
    const state = client.state.value;
    const owner = ownerOf(state, element);
    const list = owner?.members?.[element.kind] ?? [];
    const index = list.indexOf(element.id) + step;
    if (index < 0 || index >= list.length) return;
    return client.perform({ command: "move", element: element.id, at: index }, { key: `move ${element.id}` });
}

/** Describes elements as commands do, for the clipboard. @param {ModelState} state @param {ModelElement} element @returns {any} */
export const draftOf = (state, element) => ({
    kind: element.kind, name: element.name, set: element.facets,
    elements: Object.keys(element.members ?? {}).flatMap(kind =>
        membersOf(state, element, kind).map(each => draftOf(state, each))),
});

/**
 * Pastes what was copied, into an element or the model.
 * @param {ModelClient} client
 * @param {string} text
 * @param {ModelElement|undefined} owner
 */
export async function paste(client, text, owner) {
    let drafts;
    try {
        drafts = JSON.parse(text);
    } catch {
        return;
    }
    if (!Array.isArray(drafts) || drafts.some(each => typeof each?.kind !== "string")) return;
    const isTop = drafts.every(each => ["entity", "fetchRequest", "configuration", "composite"].includes(each.kind));
    await client.perform({ command: "paste", elements: drafts, to: isTop ? "" : owner?.id ?? "" });
}

"""###),
        ("model/banners.js", ###"""
// What a model has to tell before anything else: edits to recover, conflicts of a merge, trouble with its file.
import { html } from "../lib/preact.js";
import { Icon } from "../shell/icons.js";
import { Words } from "./panels.js";

/** @import { ModelClient, ModelState } from "./client.js" */

/** @param {{client: ModelClient, state: ModelState}} props */
export const Banners = ({ client, state }) => html`
    ${state.recovery !== null && html`
        <section class="banner warning" aria-label="Unsaved edits"><${Icon} name="history" />
            <details class="banner-text"><summary><b>Unsaved edits of ${new Date(state.recovery.date * 1000).toLocaleString()}</b>${" "}
                were left behind (${state.recovery.changes.length})</summary><${Words} lines=${state.recovery.changes} /></details>
            <button class="main" onClick=${() => client.request("recovery", { takes: true })}>Recover</button>
            <button onClick=${() => client.request("recovery", { takes: false })}>Discard</button></section>`}
    ${state.trouble !== null && html`
        <section class="banner error" role="alert"><${Icon} name="error" /><span class="banner-text">${state.trouble}</span>
            ${!state.isReadOnly && html`<button onClick=${() => client.request("reload")}>Read the file again</button>`}</section>`}
    ${state.conflicts.length > 0 && html`
        <section class="banner warning" aria-label="Conflicts" role="status"><${Icon} name="warning" />
            <details class="banner-text" open><summary><b>Another program has saved this model.</b>${" "}
                Its changes were merged; where both changed the same, yours was kept:</summary>
                <table class="conflicts"><thead><tr><th scope="col">Where</th><th scope="col">Yours</th><th scope="col">Theirs</th><th scope="col">Before</th></tr></thead>
                    <tbody>${state.conflicts.map((each, index) => html`<tr key=${index}>
                        <td><b>${each.path || "Model"}</b> ${each.setting}</td><td>${each.ours ?? "none"}</td><td>${each.theirs ?? "none"}</td><td class="quiet">${each.base ?? "none"}</td></tr>`)}</tbody></table></details>
            <button onClick=${() => client.undo()}>Undo the merge</button>
            <button onClick=${() => client.request("conflicts")}>Done</button></section>`}`;

"""###),
        ("model/cell.js", ###"""
// The editor in a cell of a table: a field or a list of choices. Enter keeps, Esc reverts, Tab keeps and moves on.
import { html, useLayoutEffect, useRef, useState } from "../lib/preact.js";
import { CompletionList, Underlined, useCompletion } from "../predicates/completion.js";
import { textOf } from "./elements.js";

/** @import { Column, Row } from "./grid.js" */

/**
 * @param {{column: Column, row: Row, typed?: string,
 *   check?: (row: Row, column: Column, text: string) => string|undefined,
 *   onKeep: (value: any) => any, onEnd: (staysHere: boolean) => void, onNext: (step: number) => void}} props
 */
export function CellEditor({ column, row, typed, check, onKeep, onEnd, onNext }) {
    const before = textOf(row.values[column.key]);
    const [text, setText] = useState(typed && column.kind === "text" ? typed : before);
    const field = useRef(null);
    const isDone = useRef(false);
    // The letters by which one of the choices was found.
    const word = useRef(typed ?? "");
    const completion = useCompletion({
        id: "cell", text, onText: setText, ask: column.ask?.(row) ?? null, field: field,
    });
    const problem = column.kind === "text" ? check?.(row, column, text) : undefined;

    useLayoutEffect(() => {
        const element = field.current;
        element?.focus();
        if (element instanceof HTMLInputElement && !typed) element.select();
        if (element instanceof HTMLSelectElement) openChoices(element, typed);
    }, []);

    /** @param {string} value @returns {boolean} whether the value could be kept */
    const keep = value => {
        if (isDone.current) return true;
        if (column.kind === "text" && check?.(row, column, value) !== undefined) return false;
        isDone.current = true;
        if (value !== before) onKeep(value);
        return true;
    };
    const keyed = event => {
        const value = field.current?.value ?? "";
        if (completion.pressed(event)) { /* taken */ }
        else if (event.key === "Escape") {
            isDone.current = true;
            onEnd(true);
        } else if (event.key === "Enter") {
            if (keep(value)) onEnd(true);
        } else if (event.key === "Tab") {
            if (keep(value)) onNext(event.shiftKey ? -1 : 1);
        } else if (column.kind === "choice" && event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
            && (event.key !== " " || word.current !== "")) {
            if (find(field.current, word.current + event.key)) word.current += event.key;
        } else {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    };
    const left = () => {
        // A text that cannot be kept is dropped when the field is left, as by Esc.
        if (!keep(field.current?.value ?? "")) isDone.current = true;
        onEnd(false);
    };
    const label = `${column.title} of ${row.values.name}`;
    if (column.kind === "choice") {
        const choices = column.choices?.(row) ?? [];
        return html`<select ref=${field} aria-label=${label} onKeyDown=${keyed} onBlur=${left}
            onChange=${event => {
                if (keep(event.target.value)) onEnd(true);
            }}>
            ${!choices.includes(before) && html`<option value=${before} selected>${before || "none"}</option>`}
            ${choices.map(each => html`<option key=${each} value=${each} selected=${each === before}>${each || "none"}</option>`)}
        </select>`;
    }
    const completing = column.ask === undefined ? {} : completion.attributes;
    return html`<input ref=${field} value=${text} spellcheck=${false} autocomplete="off" ...${completing} aria-label=${label}
            aria-invalid=${problem !== undefined} onKeyDown=${keyed} onBlur=${left}
            onInput=${event => completion.typed(event.target.value)} />
        <${Underlined} of=${completion} /><${CompletionList} of=${completion} />
        ${problem !== undefined && html`<div class="cell-problem" role="alert">${problem}</div>`}`;
}

/**
 * Chooses what begins with a word. A browser would forget the word after a moment, and keep what it finds at each letter.
 * @param {HTMLSelectElement} element @param {string} word @returns {boolean} whether there is such a choice
 */
function find(element, word) {
    const found = [...element.options].find(each => each.text.toLowerCase().startsWith(word.toLowerCase()));
    if (found !== undefined) element.value = found.value;
    return found !== undefined;
}

/** Shows the choices at once, unless one is being typed. @param {HTMLSelectElement} element @param {string|undefined} typed */
function openChoices(element, typed) {
    if (typed) return void find(element, typed);
    try {
        element.showPicker();
    } catch {
        // Browsers show it only after a key or a click; the field works without.
    }
}

"""###),
        ("model/client.js", ###"""
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

"""###),
        ("model/clipboard.js", ###"""
// Elements are copied, cut and pasted as JSON, so that they travel between versions, models and pages.
import { useEffect } from "../lib/preact.js";
import { isField } from "../shell/keynames.js";
import { draftOf, paste, removeAll } from "./actions.js";

/** @import { ModelClient, ModelElement, ModelState } from "./client.js" */

/**
 * @param {ModelClient} client @param {ModelState} state
 * @param {ModelElement[]} elements what is copied
 * @param {ModelElement|undefined} owner where properties are pasted
 */
export function useClipboard(client, state, elements, owner) {
    useEffect(() => {
        const isElsewhere = event =>
            isField(event.target) || !getSelection()?.isCollapsed || document.querySelector("dialog[open]") !== null;
        const copy = event => {
            if (isElsewhere(event) || elements.length === 0) return;
            const drafts = elements.map(each => draftOf(state, each));
            event.clipboardData?.setData("text/plain", JSON.stringify(drafts, null, 2));
            event.preventDefault();
            if (event.type === "cut" && !state.isReadOnly) removeAll(client, elements);
        };
        const insert = event => {
            const text = event.clipboardData?.getData("text/plain") ?? "";
            if (isElsewhere(event) || state.isReadOnly || !text.startsWith("[")) return;
            event.preventDefault();
            paste(client, text, owner);
        };
        document.addEventListener("copy", copy);
        document.addEventListener("cut", copy);
        document.addEventListener("paste", insert);
        return () => {
            document.removeEventListener("copy", copy);
            document.removeEventListener("cut", copy);
            document.removeEventListener("paste", insert);
        };
    });
}

"""###),
        ("model/drawing.js", ###"""
// A small drawing of a relationship: both entities, the way there and the way back.
import { html } from "../lib/preact.js";
import { entityNamed, ownerOf, propertiesOf, valueOf } from "./elements.js";

/** @import { ModelElement, ModelState } from "./client.js" */

/** @param {{state: ModelState, element: ModelElement}} props */
export function RelationshipDrawing({ state, element }) {
    const owner = ownerOf(state, element);
    const name = valueOf(state, element, "destination");
    const inverseName = valueOf(state, element, "inverse");
    const inverse = propertiesOf(state, entityNamed(state, name), "relationship").find(each => each.name === inverseName);
    const way = each => [
        valueOf(state, each, "toMany") ? "to many" : "to one", valueOf(state, each, "optional") ? "optional" : "required",
        `on delete ${valueOf(state, each, "deleteRule")}`,
    ].join(", ");
    return html`
        <figure class="both-ends" aria-label="Both ends">
            <span class="relationship-end">${owner?.name}</span>
            <span class="relationship-ways">
                <span><b>${element.name}</b> ${valueOf(state, element, "toMany") ? "⇉" : "→"}<br /><span class="quiet">${way(element)}</span></span>
                ${inverse === undefined ? html`<span class="quiet">${inverseName ? `no inverse ${inverseName}` : "no inverse"}</span>`
                    : html`<span>${valueOf(state, inverse, "toMany") ? "⇇" : "←"} <b>${inverse.name}</b><br /><span class="quiet">${way(inverse)}</span></span>`}
            </span>
            <span class=${"relationship-end" + (entityNamed(state, name) === undefined ? " unknown" : "")}>${name ?? "nothing"}</span>
        </figure>`;
}

"""###),
        ("model/elements.js", ###"""
// What can be read off the elements of a model: settings, owners, members, inheritance.

/** @import { Facet, Kind, ModelElement, ModelState } from "./client.js" */

/** @type {Record<Kind, {title: string, plural: string, icon: string}>} */
export const kinds = {
    model: { title: "Model", plural: "Models", icon: "model" },
    entity: { title: "Entity", plural: "Entities", icon: "entity" },
    attribute: { title: "Attribute", plural: "Attributes", icon: "attribute" },
    relationship: { title: "Relationship", plural: "Relationships", icon: "relationship" },
    fetchedProperty: { title: "Fetched property", plural: "Fetched properties", icon: "search" },
    index: { title: "Index", plural: "Indexes", icon: "filter" },
    configuration: { title: "Configuration", plural: "Configurations", icon: "configuration" },
    composite: { title: "Composite", plural: "Composites", icon: "composite" },
    fetchRequest: { title: "Fetch request", plural: "Fetch requests", icon: "search" },
};

/** @param {ModelState} state @param {Kind} kind @param {string} name @returns {Facet|undefined} */
export const facetOf = (state, kind, name) => state.facets[kind].find(facet => facet.name === name);

/** Returns the value of a setting. @param {ModelState} state @param {ModelElement} element @param {string} name */
export const valueOf = (state, element, name) =>
    name in element.facets ? element.facets[name] : facetOf(state, element.kind, name)?.default;

/**
 * Returns the members of a kind, in their order.
 * @param {ModelState} state
 * @param {ModelElement} owner
 * @param {Kind} kind
 * @returns {ModelElement[]}
 */
export const membersOf = (state, owner, kind) =>
    (owner.members?.[kind] ?? []).map(id => state.elements.get(id)).filter(each => each !== undefined);

/** @param {ModelState} state @param {ModelElement} element @returns {ModelElement|undefined} */
export const ownerOf = (state, element) => state.elements.get(element.owner ?? -1);

/** Returns the kinds of members that an element can have. @param {ModelElement} owner @returns {Kind[]} */
export function memberKindsOf(owner) {
    if (owner.kind === "entity") return ["attribute", "relationship", "fetchedProperty", "index"];
    return owner.kind === "composite" ? ["attribute"] : [];
}

/** @param {ModelState} state @returns {ModelElement} */
export const rootOf = state => /** @type {ModelElement} */(state.elements.get(state.model));

/** @param {ModelState} state @param {Kind} kind */
export const topOf = (state, kind) => membersOf(state, rootOf(state), kind);

/** @param {ModelState} state @param {string|null|undefined} name */
export const entityNamed = (state, name) => topOf(state, "entity").find(each => each.name === name);

/** Returns the ancestors of an entity, the parent first. @param {ModelState} state @param {ModelElement} entity */
export function ancestorsOf(state, entity) {
    /** @type {ModelElement[]} */
    const found = [];
    let parent = entityNamed(state, valueOf(state, entity, "parent"));
    while (parent !== undefined && parent !== entity && !found.includes(parent)) {
        found.push(parent);
        parent = entityNamed(state, valueOf(state, parent, "parent"));
    }
    return found;
}

/**
 * Returns the properties of a kind that an entity has, its own and those of its ancestors.
 * @param {ModelState} state
 * @param {ModelElement|undefined} entity
 * @param {Kind[]} wanted
 */
export const propertiesOf = (state, entity, ...wanted) => entity === undefined ? []
    : [entity, ...ancestorsOf(state, entity)].flatMap(each => wanted.flatMap(kind => membersOf(state, each, kind)));

/** Returns the names of entities, sorted. @param {ModelState} state */
export const entityNames = state => topOf(state, "entity").map(each => each.name).sort();

/**
 * Returns the names that a setting can have, if it names an element; undefined if it is free.
 * @param {ModelState} state @param {ModelElement} element @param {string} facet
 * @returns {string[]|undefined}
 */
export function referencesOf(state, element, facet) {
    switch (facet) {
        case "parent": {
            const below = topOf(state, "entity").filter(each =>
                each === element || ancestorsOf(state, each).includes(element));
            return entityNames(state).filter(name => !below.some(each => each.name === name));
        }
        case "destination":
        case "entity": return entityNames(state);
        case "inverse": {
            const destination = entityNamed(state, valueOf(state, element, "destination"));
            const owner = ownerOf(state, element);
            const family = owner === undefined ? [] : [owner, ...ancestorsOf(state, owner)].map(each => each.name);
            return propertiesOf(state, destination, "relationship")
                .filter(each => each.id !== element.id || valueOf(state, each, "destination") === owner?.name)
                .filter(each => family.includes(valueOf(state, each, "destination")))
                .map(each => each.name);
        }
        case "composite": return topOf(state, "composite").map(each => each.name);
        default: return undefined;
    }
}

/** Whether a setting means something for an element. @param {ModelState} state @param {ModelElement} element @param {Facet} facet */
export const appliesTo = (state, element, facet) => facet.types === undefined
    || facet.types.includes(valueOf(state, element, "type")) || facet.name in element.facets;

/** Returns a name that is not taken, of a stem and a number. @param {string} stem @param {(name: string) => boolean} isTaken @param {number} [first] */
export function freeName(stem, isTaken, first = 1) {
    let number = first;
    while (isTaken(stem + number)) number += 1;
    return stem + number;
}

const identifierKinds = ["entity", "attribute", "relationship", "fetchedProperty", "composite"];

/**
 * Returns what is wrong with a name before it is sent; undefined if nothing is.
 * @param {ModelState} state
 * @param {ModelElement} element
 * @param {string} name
 */
export function problemOfName(state, element, name) {
    if (name === "") return "a name is missing";
    if (identifierKinds.includes(element.kind) && !/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)) {
        return /^\p{N}/u.test(name) ? "a name begins with a letter" : "a name has letters, digits and underscores only";
    }
    const owner = ownerOf(state, element);
    if (owner === undefined) return undefined;
    const properties = /** @type {Kind[]} */(["attribute", "relationship", "fetchedProperty"]);
    const namesakes = properties.includes(element.kind) ? properties : [element.kind];
    const taken = namesakes.flatMap(kind => membersOf(state, owner, kind));
    return taken.some(each => each.id !== element.id && each.name === name) ? `the name “${name}” is taken` : undefined;
}

/** Returns the problems of an element. @param {ModelState} state @param {ModelElement} element */
export const problemsOf = (state, element) => state.diagnostics.filter(each => each.element === element.id);

/** Writes a value for a cell or a list. @param {any} value @returns {string} */
export function textOf(value) {
    if (value === null || value === undefined) return "";
    if (value === true) return "yes";
    if (value === false) return "";
    if (Array.isArray(value)) return value.map(textOf).join(", ");
    if (typeof value === "object") {
        const word = value.property ?? value.expression;
        if (word !== undefined) return word + (value.descending ? " ↓" : "");
        return Object.entries(value).map(([key, each]) => `${key}: ${each}`).join(", ");
    }
    return String(value);
}

"""###),
        ("model/entities.js", ###"""
// What stands in the middle for one selected element: its head, and the tables of its members if it has some.
import { html } from "../lib/preact.js";
import { Icon } from "../shell/icons.js";
import { entityNames, kinds, textOf, topOf, valueOf } from "./elements.js";
import { MemberTables } from "./tables.js";

/** @import { ModelClient, ModelElement, ModelState } from "./client.js" */

/**
 * @param {{client: ModelClient, state: ModelState, owner: ModelElement, isOnly: boolean,
 *   selection: number[], onSelect: (ids: number[]) => void, onOpen: (name: string) => void}} props
 */
export function EntityMembers({ client, state, owner, selection, onSelect, onOpen }) {
    const hasMembers = owner.kind === "entity" || owner.kind === "composite";
    const children = owner.kind === "entity" ? topOf(state, "entity").filter(each => valueOf(state, each, "parent") === owner.name) : [];
    const parent = owner.kind === "entity" ? valueOf(state, owner, "parent") : null;
    const link = name => html`<button class="plain chip-link" key=${name} onClick=${() => onOpen(name)}>${name}</button>`;
    return html`<article class="element" aria-label=${owner.name}>
        <header class="element-head" onClick=${() => onSelect([])}><${Icon} name=${kinds[owner.kind].icon} /><h1>${owner.name}</h1>
            ${valueOf(state, owner, "abstract") === true && html`<span class="chip">abstract</span>`}
            ${parent && html`<span class="quiet">a kind of ${link(parent)}</span>`}
            ${children.length > 0 && html`<span class="quiet">parent of ${children.map(each => link(each.name))}</span>`}</header>
        ${hasMembers ? html`<${MemberTables} client=${client} state=${state} owner=${owner} selection=${selection} onSelect=${onSelect}
                onOpen=${onOpen} onFollow=${() => {}} />`
            : html`<${Summary} state=${state} owner=${owner} link=${link} />`}
    </article>`;
}

/** What a fetch request or a configuration says, in a few lines; the inspector edits it. @param {any} props */
function Summary({ state, owner, link }) {
    if (owner.kind === "configuration") {
        const names = /** @type {string[]} */(valueOf(state, owner, "members"));
        return html`<p class="summary-text">${names.length} of ${entityNames(state).length} entities: ${names.map(link)}</p>`;
    }
    const entity = valueOf(state, owner, "entity");
    const predicate = valueOf(state, owner, "predicate");
    return html`<p class="summary-text">Fetches ${entity === null ? html`<span class="field-problem">no entity</span>` : link(entity)}
        ${predicate && html` where <code>${textOf(predicate)}</code>`}</p>`;
}

"""###),
        ("model/fields.js", ###"""
// The fields of the inspector: one for each type of setting, for one element or for many with differing values.
import { html, useEffect, useRef, useState } from "../lib/preact.js";
import { CompletionList, Underlined, useCompletion } from "../predicates/completion.js";
import { Icon } from "../shell/icons.js";
import { EntriesField, IndexElementsField, ListsField, NamesField } from "./listfields.js";
import { referencesOf } from "./elements.js";

/** @import { Facet, ModelElement, ModelState } from "./client.js" */

/**
 * @typedef {object} FieldProps
 * @property {ModelState} state
 * @property {ModelElement[]} elements
 * @property {Facet} facet
 * @property {string} id
 * @property {any} value that of all elements; undefined if they differ
 * @property {boolean} isReadOnly
 * @property {boolean} isInvalid
 * @property {(value: any) => void} onChange
 * @property {Ask} [ask] completes the text
 *
 * @typedef {(text: string, caret: number) => Promise<any>} Ask
 */

/** @param {FieldProps} props */
export function Field(props) {
    const { state, elements, facet } = props;
    const references = elements.length === 1 || facet.name !== "inverse" ? referencesOf(state, elements[0], facet.name) : undefined;
    if (references !== undefined) return html`<${ChoiceField} ...${props} choices=${references} hasNone />`;
    if (facet.type === "flag") return html`<${FlagField} ...${props} />`;
    if (props.value === undefined && ["names", "lists", "entries", "indexElements"].includes(facet.type)) {
        return html`<span class="mixed" id=${props.id}>mixed</span>`;
    }
    switch (facet.type) {
        case "choice": return html`<${ChoiceField} ...${props} choices=${facet.choices ?? []} />`;
        case "names": return html`<${NamesField} ...${props} />`;
        case "lists": return html`<${ListsField} ...${props} />`;
        case "entries": return html`<${EntriesField} ...${props} />`;
        case "indexElements": return html`<${IndexElementsField} ...${props} />`;
        default: return html`<${TextField} ...${props} isNumber=${facet.type === "number"}
            isLong=${["predicate", "derivation", "displayName"].includes(facet.name)} />`;
    }
}

/** @param {FieldProps} props */
function FlagField({ id, value, isReadOnly, onChange }) {
    const box = useRef(null);
    useEffect(() => {
        if (box.current !== null) box.current.indeterminate = value === undefined;
    });
    return html`<input type="checkbox" id=${id} ref=${box} checked=${value === true} disabled=${isReadOnly}
            aria-checked=${value === undefined ? "mixed" : undefined}
            onChange=${event => onChange(event.target.checked)} />
        ${value === undefined && html`<span class="mixed">mixed</span>`}`;
}

/** @param {FieldProps & {choices: string[], hasNone?: boolean}} props */
function ChoiceField({ id, value, choices, hasNone = false, isReadOnly, isInvalid, onChange }) {
    const current = value === undefined ? "mixed" : value ?? "";
    const isUnknown = current !== "" && current !== "mixed" && !choices.includes(current);
    return html`<select id=${id} value=${current} disabled=${isReadOnly} aria-invalid=${isInvalid}
        onChange=${event => onChange(event.target.value === "" ? null : event.target.value)}>
        ${value === undefined && html`<option value="mixed" disabled>mixed</option>`}
        ${(hasNone || current === "") && html`<option value="">none</option>`}
        ${isUnknown && html`<option value=${current}>${current} (unknown)</option>`}
        ${choices.map(each => html`<option key=${each} value=${each}>${each}</option>`)}
    </select>`;
}

/**
 * A text that is kept by Enter or by leaving the field, and reverted by Esc.
 * @param {{id: string, value: any, placeholder?: string, isReadOnly: boolean, isInvalid: boolean, isNumber?: boolean, isLong?: boolean, ask?: Ask,
 *   check?: (text: string) => string|undefined, onChange: (value: any) => void}} props
 */
export function TextField({ id, value, placeholder, isReadOnly, isInvalid, isNumber = false, isLong = false, ask, check, onChange }) {
    const before = value === null || value === undefined ? "" : String(value);
    const [text, setText] = useState(null);
    useEffect(() => setText(null), [before]);
    const shown = text ?? before;
    const numberProblem = isNumber && shown !== "" && !/^-?\d+$/.test(shown) ? "a whole number" : undefined;
    const problem = text === null ? undefined : numberProblem ?? check?.(shown);

    const sent = useRef(null);
    const keep = () => {
        if (text === null || text === before || text === sent.current || problem !== undefined) return;
        // Enter keeps a text, and so does leaving the field: it is sent once.
        sent.current = text;
        onChange(isNumber ? Number(text || 0) : text === "" ? null : text);
    };
    const field = useRef(null);
    const completion = useCompletion({ id, text: shown, onText: setText, field, ask: ask ?? null });
    const keyed = event => {
        if (completion.pressed(event)) { /* taken */ }
        else if (event.key === "Enter" && !event.shiftKey) keep();
        else if (event.key === "Escape") {
            sent.current = text;
            setText(null);
            event.target.blur();
        } else return;
        event.preventDefault();
        event.stopPropagation();
    };
    const common = {
        id, value: shown, disabled: isReadOnly, spellcheck: false, autocomplete: "off",
        placeholder: value === undefined ? "mixed" : placeholder,
        "aria-invalid": isInvalid || problem !== undefined, "aria-describedby": problem === undefined ? undefined : `${id}-problem`,
        onInput: event => {
            sent.current = null;
            completion.typed(event.target.value);
        },
        onBlur: () => { completion.close(); keep(); }, onKeyDown: keyed,
    };
    return html`
        ${ask !== undefined ? html`<div class="completed"><textarea ref=${field} ...${common} ...${completion.attributes} rows="2" class="code"></textarea>
                <${Underlined} of=${completion} /><${CompletionList} of=${completion} /></div>
            ${text !== null && completion.wrong !== null && html`<p class="field-problem" role="status"><${Icon} name="error" />${completion.wrong.message}</p>`}`
        : isLong ? html`<textarea ...${common} rows="2" class="code"></textarea>` : html`<input ...${common} inputmode=${isNumber ? "numeric" : undefined} />`}
        ${problem !== undefined && html`<p class="field-problem" id=${`${id}-problem`} role="alert"><${Icon} name="error" />${problem}</p>`}`;
}

"""###),
        ("model/grid.js", ###"""
// A table of elements that is edited in place: one Tab stop, arrows move, Enter or typing edits.
import { html, useEffect, useLayoutEffect, useRef, useState } from "../lib/preact.js";
import { Icon } from "../shell/icons.js";
import { CellEditor } from "./cell.js";
import { textOf } from "./elements.js";

/**
 * @typedef {object} Column
 * @property {string} key the name of a setting, or "name"
 * @property {string} title
 * @property {"text"|"flag"|"choice"} kind
 * @property {(row: Row) => string[]} [choices]
 * @property {(row: Row) => boolean} [applies] whether the row has the setting
 * @property {(row: Row) => import("./fields.js").Ask} [ask] completes what is typed
 *
 * @typedef {object} Row
 * @property {number|string} key
 * @property {import("./client.js").ModelElement} element
 * @property {Record<string, any>} values by key of the column
 * @property {string} [from] the entity that it is inherited from; such a row is not edited
 * @property {"error"|"warning"} [problem]
 *
 * @typedef {object} GridProps
 * @property {string} label
 * @property {Column[]} columns
 * @property {Row[]} rows
 * @property {(number|string)[]} selection the keys of selected rows
 * @property {(keys: (number|string)[]) => void} onSelect
 * @property {(row: Row, column: Column, value: any) => Promise<any>} onChange undefined if the value is refused
 * @property {(row: Row, column: Column, text: string) => string|undefined} [check] what is wrong with a text that is being typed
 * @property {() => void} [onAdd]
 * @property {string} [addTitle]
 * @property {(rows: Row[]) => void} [onRemove]
 * @property {(rows: Row[]) => void} [onDuplicate]
 * @property {(row: Row, step: 1|-1) => void} [onMove]
 * @property {(row: Row) => void} [onFollow] follows the link of the row
 * @property {() => void} [onEnd] called when editing a cell has ended, whether or not a value was kept
 * @property {boolean} isReadOnly
 * @property {number|string|null} [editing] the key of a row whose name is edited at once
 */

/** @param {GridProps} props */
export function Grid(props) {
    const { columns, rows, selection, isReadOnly } = props;
    const [place, setPlace] = useState({ row: 0, column: 0 });
    const [edit, setEdit] = useState(/** @type {{key: number|string, column: number, text?: string}|null} */(null));
    const table = useRef(null);
    const wantsFocus = useRef(false);
    const row = Math.min(place.row, Math.max(0, rows.length - 1));

    const focusCell = () => {
        wantsFocus.current = false;
        const cell = table.current?.querySelector(`[data-cell="${row} ${place.column}"]`);
        if (cell instanceof HTMLElement) cell.focus();
    };
    useLayoutEffect(() => {
        if (wantsFocus.current && edit === null) focusCell();
    });
    useEffect(() => {
        if (props.editing === null || props.editing === undefined) return;
        const index = rows.findIndex(each => each.key === props.editing);
        if (index < 0) return;
        setPlace({ row: index, column: 0 });
        setEdit({ key: props.editing, column: 0 });
    }, [props.editing]);

    /** @param {number} newRow @param {number} newColumn @param {boolean} [extends_] */
    const go = (newRow, newColumn, extends_ = false) => {
        const to = Math.max(0, Math.min(rows.length - 1, newRow));
        setPlace({ row: to, column: Math.max(0, Math.min(columns.length - 1, newColumn)) });
        wantsFocus.current = true;
        if (rows[to] === undefined) return;
        const key = rows[to].key;
        if (!extends_) props.onSelect([key]);
        else props.onSelect(selection.includes(key) && selection.length > 1 && to !== row
            ? selection.filter(each => each !== rows[row].key) : [...new Set([...selection, key])]);
    };
    const mayEdit = (each, column) =>
        each !== undefined && !isReadOnly && each.from === undefined && (column.applies?.(each) ?? true);
    const begin = (at, column, text) => {
        const each = rows[at];
        if (!mayEdit(each, columns[column])) return;
        if (columns[column].kind === "flag") return props.onChange(each, columns[column], !each.values[columns[column].key]);
        setEdit({ key: each.key, column, text });
    };
    const end = staysHere => {
        setEdit(null);
        props.onEnd?.();
        if (staysHere) wantsFocus.current = true;
    };

    // A refused text can be mended, unless one edits something else.
    const keep = async (each, column, index, value) => {
        if (await props.onChange(each, column, value) !== undefined || column.kind !== "text") return;
        setEdit(now => now ?? { key: each.key, column: index, text: value });
    };

    const keyed = event => {
        if (edit !== null || event.defaultPrevented) return;
        const control = event.ctrlKey || event.metaKey;
        const chosen = rows.filter(each => selection.includes(each.key) && each.from === undefined);
        const column = columns[place.column];
        const done = action(event, control, chosen, column);
        if (done) event.preventDefault();
    };
    /** @returns {boolean} whether the key was taken */
    const action = (event, control, chosen, column) => {
        const { key, altKey, shiftKey } = event;
        if (altKey && (key === "ArrowUp" || key === "ArrowDown")) {
            if (chosen.length !== 1 || isReadOnly) return false;
            const step = key === "ArrowUp" ? -1 : 1;
            props.onMove?.(chosen[0], step);
            setPlace({ row: Math.max(0, Math.min(rows.length - 1, row + step)), column: place.column });
            wantsFocus.current = true;
            return true;
        }
        if (altKey && key === " " || control && key === "Enter") return props.onFollow?.(rows[row]), true;
        if (altKey) return false;
        if (control && key.toLowerCase() === "d") return !isReadOnly && chosen.length > 0 && (props.onDuplicate?.(chosen), true);
        if (control && key.toLowerCase() === "a") return props.onSelect(rows.filter(each => each.from === undefined).map(each => each.key)), true;
        switch (key) {
            case "ArrowUp": return go(row - 1, place.column, shiftKey), true;
            case "ArrowDown": return go(row + 1, place.column, shiftKey), true;
            case "ArrowLeft": return go(row, place.column - 1, shiftKey), true;
            case "ArrowRight": return go(row, place.column + 1, shiftKey), true;
            case "Home": return go(control ? 0 : row, 0), true;
            case "End": return go(control ? rows.length - 1 : row, columns.length - 1), true;
            case "PageUp": return go(row - 10, place.column), true;
            case "PageDown": return go(row + 10, place.column), true;
            case "Enter": case "F2": return begin(row, place.column, ""), true;
            case "Insert": return !isReadOnly && (props.onAdd?.(), true);
            case "Delete": return !isReadOnly && chosen.length > 0 && (props.onRemove?.(chosen), true);
            case " ": return column?.kind === "flag" && (begin(row, place.column, ""), true);
            default: break;
        }
        if (control || key.length !== 1 || key === "?" || column?.kind === "flag") return false;
        begin(row, place.column, key);
        return true;
    };

    const pressed = (event, at, column) => {
        const key = rows[at].key;
        setPlace({ row: at, column });
        wantsFocus.current = true;
        if (event.ctrlKey || event.metaKey) {
            props.onSelect(selection.includes(key) ? selection.filter(each => each !== key) : [...selection, key]);
        } else if (event.shiftKey) {
            const [first, last] = [Math.min(at, row), Math.max(at, row)];
            props.onSelect(rows.slice(first, last + 1).filter(each => each.from === undefined).map(each => each.key));
        } else {
            props.onSelect([key]);
        }
    };
    const cell = (each, at, column, index) => {
        const isHere = at === row && index === place.column;
        const value = each.values[column.key];
        const applies = column.applies?.(each) ?? true;
        if (edit !== null && edit.key === each.key && edit.column === index) {
            return html`<td key=${column.key} role="gridcell" class="edited"><${CellEditor} column=${column} row=${each}
                typed=${edit.text} check=${props.check} onKeep=${kept => void keep(each, column, index, kept)}
                onEnd=${end} onNext=${step => {
                    setEdit(null);
                    go(at, index + step);
                }} /></td>`;
        }
        return html`<td key=${column.key} role="gridcell" data-cell="${at} ${index}" tabindex=${isHere ? 0 : -1}
            aria-colindex=${index + 1} class=${column.kind + (applies ? "" : " none")}
            aria-readonly=${mayEdit(each, column) ? undefined : "true"}
            onMouseDown=${event => pressed(event, at, index)}
            onDblClick=${() => begin(at, index, "")}>
            ${!applies ? "" : column.kind === "flag"
                ? html`<input type="checkbox" tabindex="-1" checked=${value === true} disabled=${!mayEdit(each, column)}
                    aria-label="${column.title} of ${each.values.name}"
                    onChange=${() => props.onChange(each, column, value !== true)} />`
                : html`<span class="cell-text">${textOf(value)}</span>`}
            ${index === 0 && each.problem && html`<${Icon} name=${each.problem} title=${each.problem} />`}</td>`;
    };
    return html`
        <table class="member-grid" role="grid" ref=${table} aria-label=${props.label} aria-multiselectable="true"
            aria-rowcount=${rows.length + 1} aria-readonly=${isReadOnly ? "true" : undefined} onKeyDown=${keyed}>
            <thead><tr role="row" aria-rowindex="1">${columns.map((column, index) => html`
                <th key=${column.key} role="columnheader" scope="col" class=${column.kind} aria-colindex=${index + 1}>${column.title}</th>`)}</tr></thead>
            <tbody>${rows.map((each, at) => html`
                <tr key=${each.key} role="row" aria-rowindex=${at + 2} aria-selected=${selection.includes(each.key)}
                    class=${(each.from === undefined ? "" : "inherited ") + (each.problem ?? "")}
                    title=${each.from === undefined ? undefined : `inherited from ${each.from}`}>
                    ${columns.map((column, index) => cell(each, at, column, index))}</tr>`)}
                ${props.onAdd !== undefined && !isReadOnly && html`
                    <tr key="add" role="presentation" class="add"><td colspan=${columns.length} role="presentation">
                        <button class="plain" tabindex=${rows.length === 0 ? 0 : -1} onClick=${() => props.onAdd?.()}><${Icon} name="plus" />${props.addTitle}</button></td></tr>`}
            </tbody>
        </table>`;
}

"""###),
        ("model/inspector.js", ###"""
// The inspector: every setting of the selected elements. What differs among them shows as "mixed", and is set for all.
import { html, useMemo, useState } from "../lib/preact.js";
import { useAnswer } from "../asking.js";
import { Icon } from "../shell/icons.js";
import { set } from "./actions.js";
import { Field, TextField } from "./fields.js";
import { RelationshipDrawing } from "./drawing.js";
import { appliesTo, facetOf, kinds, problemOfName, problemsOf, valueOf } from "./elements.js";

/** @import { Facet, ModelClient, ModelElement, ModelState, Problem } from "./client.js" */

/** The groups of settings that are not the first one, by name of the setting. @type {Record<string, string>} */
const groups = {
    externalStorage: "Storage", spotlight: "Storage", externalRecord: "Storage", preservedOnDeletion: "Storage",
    cloudEncryption: "Storage", indexed: "Storage", scalar: "Code", customClass: "Code", class: "Code", codegen: "Code",
    renamingIdentifier: "Versioning", hashModifier: "Versioning", versionIdentifier: "Versioning",
    userInfo: "User info", syncable: "Editor", usedWithCloudKit: "Editor", usedWithSwiftData: "Editor",
    sourceLanguage: "Editor", minimumToolsVersion: "Editor",
    batchSize: "Fetching", offset: "Fetching", resultType: "Fetching", includesSubentities: "Fetching", includesPropertyValues: "Fetching",
    includesPendingChanges: "Fetching", returnsObjectsAsFaults: "Fetching", returnsDistinctResults: "Fetching",
};
const order = ["", "Fetching", "Storage", "Code", "Versioning", "User info", "Editor"];

/** The labels of settings whose title makes sense in a sentence only. @type {Record<string, string>} */
const labels = { members: "Entities", elements: "Properties", userInfo: "User info" };

/** Settings that the middle of the page edits. */
const elsewhere = ["constraints"];

/** @param {{client: ModelClient, state: ModelState, elements: ModelElement[]}} props */
export function Inspector({ client, state, elements }) {
    const sections = useMemo(() => sectionsOf(state, elements), [state, elements.map(each => each.id).join()]);
    if (elements.length === 0) {
        return html`<aside class="inspector" aria-label="Inspector"><p class="empty">Nothing is selected.</p></aside>`;
    }
    const [first] = elements;
    const isOne = elements.length === 1;
    const sameKind = elements.every(each => each.kind === first.kind);
    const title = isOne ? first.name || state.name : `${elements.length} ${sameKind ? kinds[first.kind].plural.toLowerCase() : "elements"}`;
    return html`
        <aside class="inspector" aria-label="Inspector">
            <header class="inspector-head"><${Icon} name=${kinds[first.kind].icon} />
                <h2 class="cut">${title}</h2><span class="quiet">${isOne ? kinds[first.kind].title : ""}</span></header>
            ${isOne && first.kind === "relationship" && html`<${RelationshipDrawing} state=${state} element=${first} />`}
            ${isOne && first.kind !== "model" && html`<${NameField} key=${first.id} client=${client} state=${state} element=${first} />`}
            ${sections.map(([name, facets]) => html`
                <section key=${name} class="inspector-section" aria-label=${name || "Settings"}>${name && html`<h3 class="note">${name}</h3>`}
                    ${facets.map(facet => html`<${Setting} key=${`${facet.name} ${elements.map(each => each.id).join()}`}
                        client=${client} state=${state} elements=${elements} facet=${facet} />`)}
                    ${name === "Versioning" && isOne && first.kind === "entity" && html`
                        <${Hashes} client=${client} state=${state} name=${first.name} />`}</section>`)}
        </aside>`;
}

/**
 * Returns the settings that all elements have, in groups.
 * @param {ModelState} state
 * @param {ModelElement[]} elements
 * @returns {[string, Facet[]][]}
 */
function sectionsOf(state, elements) {
    if (elements.length === 0) return [];
    const [first, ...rest] = elements;
    const shared = state.facets[first.kind].filter(facet => !elsewhere.includes(facet.name)
        && elements.some(each => appliesTo(state, each, facet))
        && rest.every(each => facetOf(state, each.kind, facet.name)?.type === facet.type));
    // Older models have them; newer ones use indexes.
    const shown = shared.filter(facet => facet.name !== "compoundIndexes" || elements.some(each => facet.name in each.facets));
    return order.map(name => /** @type {[string, Facet[]]} */([name, shown.filter(facet => (groups[facet.name] ?? "") === name)]))
        .filter(([, facets]) => facets.length > 0);
}

/**
 * Sends what is put into a field. Returns why it was refused, as long as the model is the one that it was refused for, and what
 * sends it.
 * @param {ModelClient} client @param {ModelState} state @param {(value: any) => Promise<any>} send
 * @returns {[string, (value: any) => Promise<void>]}
 */
function useChange(client, state, send) {
    const [refused, setRefused] = useState({ text: "", revision: 0 });
    return [refused.revision === state.revision ? refused.text : "", async value => {
        let text = "";
        try {
            await send(value);
        } catch (error) {
            text = error.message;
        }
        setRefused({ text, revision: client.state.value.revision });
    }];
}

/** @param {{client: ModelClient, state: ModelState, element: ModelElement}} props */
function NameField({ client, state, element }) {
    const [refused, rename] = useChange(client, state, text =>
        client.perform({ command: "rename", element: element.id, to: text ?? "" }, { quietly: true }));
    const id = `field-name-${element.id}`;
    return html`<div class="setting wide"><label class="note" for=${id}>Name</label>
        <div class="setting-field"><${TextField} id=${id} value=${element.name} isReadOnly=${state.isReadOnly} isInvalid=${refused !== ""}
            check=${text => problemOfName(state, element, text)} onChange=${rename} />
            <${Problems} state=${state} elements=${[element]} facet="name" client=${client} refused=${refused} /></div></div>`;
}

/** @param {{client: ModelClient, state: ModelState, elements: ModelElement[], facet: Facet}} props */
function Setting({ client, state, elements, facet }) {
    const [refused, change] = useChange(client, state, next => set(client, elements, facet.name, next, { quietly: true }));
    const values = elements.map(each => valueOf(state, each, facet.name));
    const texts = new Set(values.map(value => JSON.stringify(value)));
    const value = texts.size === 1 ? values[0] : undefined;
    const id = `field-${facet.name}`;
    const isWide = ["names", "lists", "entries", "indexElements"].includes(facet.type) || ["predicate", "derivation"].includes(facet.name);
    const isInvalid = refused !== "" || elements.some(each => problemsOf(state, each).some(problem =>
        problem.facet === facet.name && problem.severity === "error"));
    const title = labels[facet.name] ?? facet.title[0].toUpperCase() + facet.title.slice(1);
    return html`<div class=${`setting ${isWide ? "wide" : ""} ${facet.type}`}>
        ${facet.name === "userInfo" ? html`<span></span>` : html`<label class="note" for=${id}>${title}</label>`}
        <div class="setting-field">
            <${Field} state=${state} elements=${elements} facet=${facet} id=${id} value=${value} isReadOnly=${state.isReadOnly}
                isInvalid=${isInvalid} onChange=${change}
                ask=${facet.name === "predicate" && elements.length === 1 ? client.completing(elements[0]) : undefined} />
            <${Problems} state=${state} elements=${elements} facet=${facet.name} client=${client} refused=${refused} />
        </div></div>`;
}

/** The version hash of an entity as it was and as it is. @param {{client: ModelClient, state: ModelState, name: string}} props */
function Hashes({ client, state, name }) {
    const { answer } = useAnswer(
        signal => client.ask("hashes", { entity: name }, signal), [state.revision, state.version, state.unsaved.length, name]);
    const { after, before, since, needsMigration } = answer ?? {};
    const former = since !== undefined && [
        [`Hash (${since})`, before ?? "none"], ["Migration needed", needsMigration ? "yes" : "no"],
    ];
    return answer && [["Hash", after], ...former || []].map(([title, text]) => html`
        <div class="setting"><label class="note" for=${"of-" + title}>${title}</label>
        <output class="cut" id=${"of-" + title} title=${text}>${text}</output></div>`);
}

/**
 * Why a setting was refused, and its problems, each with what can be done about it.
 * @param {{client: ModelClient, state: ModelState, elements: ModelElement[], facet: string, refused: string}} props
 */
function Problems({ client, state, elements, facet, refused }) {
    const problems = elements.length !== 1 ? [] : problemsOf(state, elements[0]).filter(problem => problem.facet === facet);
    return html`${refused && html`<p class="field-problem" role="alert">${refused}</p>`}${problems.map(problem => html`
        <p key=${problem.message} class=${problem.severity === "error" ? "field-problem" : "field-warning"}>
            <${Icon} name=${problem.severity} />${problem.message}
            ${!state.isReadOnly && html`<${Fixes} client=${client} problem=${problem} revision=${state.revision} />`}</p>`)}`;
}

/**
 * Buttons for the fixes of a problem, which are asked for when they are shown.
 * @param {{client: ModelClient, problem: Problem, revision: number}} props
 */
export function Fixes({ client, problem, revision }) {
    const { answer } = useAnswer(
        signal => problem.element === null ? null : client.ask("fixes", { element: problem.element }, signal),
        [revision, problem.element, problem.message]);
    /** @type {{name: string, title: string}[]} */
    const fixes = answer?.problems.find(each => each.message === problem.message)?.fixes ?? [];
    return html`<span class="fixes">${fixes.map(fix => html`
        <button key=${fix.title} class="fix" onClick=${event => {
            event.stopPropagation();
            client.perform({ command: "applyFix", fix: fix.name, element: problem.element });
        }}>${fix.title}</button>`)}</span>`;
}

"""###),
        ("model/listfields.js", ###"""
// Fields whose values are lists: members of a configuration, constraints, user info, the parts of an index.
import { html, useState } from "../lib/preact.js";
import { Icon, IconButton } from "../shell/icons.js";
import { entityNames, freeName, ownerOf, propertiesOf, textOf } from "./elements.js";

/** @import { FieldProps } from "./fields.js" */

/** A check list of entities. @param {FieldProps} props */
export function NamesField({ state, value, id, isReadOnly, onChange }) {
    const names = [...new Set([...entityNames(state), ...value])];
    return html`<ul class="check-list" id=${id}>${names.map(name => html`
        <li key=${name}><label><input type="checkbox" checked=${value.includes(name)} disabled=${isReadOnly}
            onChange=${event => onChange(event.target.checked
                ? [...value, name] : value.filter(each => each !== name))} />${name}</label></li>`)}</ul>`;
}

/** Lists of names, one a line. @param {FieldProps} props */
export function ListsField({ value, id, isReadOnly, onChange }) {
    const [text, setText] = useState(null);
    const before = value.map(names => names.join(", ")).join("\n");
    const keep = () => {
        if (text === null || text === before) return;
        onChange(text.split("\n").map(line => line.split(",").map(each => each.trim()).filter(Boolean)).filter(names => names.length > 0));
        setText(null);
    };
    return html`<textarea id=${id} rows=${Math.max(1, value.length)} value=${text ?? before} disabled=${isReadOnly} spellcheck=${false}
        placeholder="name, name" onInput=${event => setText(event.target.value)} onBlur=${keep}></textarea>`;
}

/** Keys and texts. @param {FieldProps} props */
export function EntriesField({ value, id, isReadOnly, onChange }) {
    const entries = /** @type {[string, string][]} */(Object.entries(value));
    const change = (index, entry) => {
        const next = [...entries];
        if (entry === null) next.splice(index, 1);
        else next[index] = entry;
        onChange(Object.fromEntries(next));
    };
    return html`<div class="entries" id=${id}>
        ${entries.map(([key, text], index) => html`<div class="entry" key=${index}>
            <${Kept} label=${`Key ${index + 1}`} value=${key} isReadOnly=${isReadOnly}
                isTaken=${name => name !== key && name in value} onKeep=${name => change(index, name === "" ? null : [name, text])} />
            <${Kept} label=${`Value of ${key}`} value=${text} isReadOnly=${isReadOnly} onKeep=${kept => change(index, [key, kept])} />
            ${!isReadOnly && html`<${IconButton} name="minus" title="Remove" label=${`Remove ${key}`} onClick=${() => change(index, null)} />`}
        </div>`)}
        ${!isReadOnly && html`<button class="plain" onClick=${() => onChange({ ...value, [freeName("key", name => name in value)]: "" })}><${Icon} name="plus" />Add entry</button>`}
    </div>`;
}

/** @param {{label: string, value: string, isReadOnly: boolean, isTaken?: (text: string) => boolean, onKeep: (text: string) => void}} props */
function Kept({ label, value, isReadOnly, isTaken, onKeep }) {
    const [text, setText] = useState(null);
    const isInvalid = text !== null && (isTaken?.(text) ?? false);
    const keep = () => {
        if (text !== null && text !== value && !isInvalid) onKeep(text);
        setText(null);
    };
    return html`<input aria-label=${label} value=${text ?? value} disabled=${isReadOnly} aria-invalid=${isInvalid} spellcheck=${false}
        title=${isInvalid ? "there is such a key already" : undefined} onInput=${event => setText(event.target.value)} onBlur=${keep}
        onKeyDown=${event => {
            if (event.key === "Enter") keep();
            if (event.key === "Escape") setText(null);
        }} />`;
}

/** The ordered parts of an index. @param {FieldProps} props */
export function IndexElementsField({ state, elements, value, id, isReadOnly, onChange }) {
    const owner = ownerOf(state, elements[0]);
    const names = propertiesOf(state, owner, "attribute", "relationship").map(each => each.name);
    const change = (index, part) => {
        const next = [...value];
        if (part === null) next.splice(index, 1);
        else next[index] = part;
        onChange(next);
    };
    const swap = index => {
        const next = [...value];
        [next[index - 1], next[index]] = [next[index], next[index - 1]];
        onChange(next);
    };
    return html`<ol class="parts" id=${id}>
        ${value.map((part, index) => {
            const whole = typeof part === "string" ? { property: part } : part;
            const isKnown = whole.property === undefined || names.includes(whole.property);
            return html`<li key=${index} class="part">
                ${whole.expression !== undefined ? html`<code>${whole.expression}</code>` : html`
                    <select aria-label=${`Property ${index + 1}`} value=${whole.property} disabled=${isReadOnly} aria-invalid=${!isKnown}
                        onChange=${event => change(index, { ...whole, property: event.target.value })}>
                        ${!isKnown && html`<option value=${whole.property}>${whole.property} (unknown)</option>`}
                        ${names.map(name => html`<option key=${name} value=${name}>${name}</option>`)}</select>`}
                <${IconButton} disabled=${isReadOnly} aria-pressed=${whole.descending === true} title="Descending" label=${`${textOf(part)} descending`}
                    onClick=${() => change(index, { ...whole, descending: !whole.descending })}>${whole.descending ? "↓" : "↑"}<//>
                ${!isReadOnly && html`
                    <${IconButton} disabled=${index === 0} title="Move up" label=${`Move ${textOf(part)} up`} onClick=${() => swap(index)}>⇡<//>
                    <${IconButton} name="minus" title="Remove" label=${`Remove ${textOf(part)}`} onClick=${() => change(index, null)} />`}
            </li>`;
        })}
        ${!isReadOnly && html`<button class="plain" disabled=${names.length === 0}
            onClick=${() => onChange([...value, names.find(name => !value.some(part => textOf(part) === name)) ?? names[0]])}><${Icon} name="plus" />Add property</button>`}
    </ol>`;
}

"""###),
        ("model/migration.js", ###"""
// The panel of a migration: what became of each entity, what stands in the way, the mapping and the SQL.
import { html, useState } from "../lib/preact.js";
import { pathOf, post } from "../api.js";
import { useAnswer } from "../asking.js";
import { Icon } from "../shell/icons.js";
import { useDocuments } from "../shell/documents.js";

/** @import { ModelClient, ModelState } from "./client.js" */

/** @param {{client: ModelClient, state: ModelState}} props */
export function MigrationPanel({ client, state }) {
    const { stores } = useDocuments();
    const others = state.versions.filter(each => each.name !== state.version);
    const usual = state.versions.find(each => each.name === state.version)?.predecessor ?? others[0]?.name;
    const [chosen, setChosen] = useState(null);
    const [store, setStore] = useState("");
    const from = chosen !== null && others.some(each => each.name === chosen) ? chosen : usual;

    const isAlone = from === undefined || from === null;
    const { answer: found, error } = useAnswer(
        signal => isAlone ? null : post(pathOf("models", client.id, "migration"), { version: state.version, from, store: store || null }, { signal }),
        [state.revision, state.version, from, store]);
    const answer = error === "" ? found : null;

    if (isAlone) {
        return html`<p class="empty">There is one version only: add another to see how stores would be migrated.</p>`;
    }
    return html`<div class="migration">
        <div class="panel-head">
            <label>From <select value=${from} onChange=${event => setChosen(event.target.value)}>
                ${others.map(each => html`<option key=${each.name} value=${each.name}>${each.name}</option>`)}</select></label>
            <span>to <b>${state.version}</b></span>
            <label>for <select aria-label="Store" value=${store} onChange=${event => setStore(event.target.value)}>
                <option value="">a store without objects</option>
                ${stores.map(each => html`<option key=${each.id} value=${each.id}>${each.name}</option>`)}</select></label>
            ${answer !== null && html`<${Method} plan=${answer.plan} />`}
        </div>
        ${error && html`<p class="field-problem panel-text"><${Icon} name="error" />${error}</p>`}
        ${answer !== null && html`<${Plan} answer=${answer} />`}
    </div>`;
}

/** What each method of a migration means. @type {Record<string, [string, string]>} */
const methods = {
    "none needed": ["good", "Stores can be opened as they are"],
    "in place": ["good", "Migrated in place"],
    copying: ["warning", "Migrated by copying"],
    impossible: ["danger", "No mapping can be inferred"],
};

/** @param {{plan: any}} props */
function Method({ plan }) {
    const [tone, text] = plan.violations.length > 0 ? ["danger", "Refused, as its objects are"] : methods[plan.method] ?? ["", plan.method];
    return html`<span class=${`method ${tone}`}>${text}${plan.reason ? `: ${plan.reason}` : ""}</span>
        ${plan.objects > 0 && html`<span class="quiet migration-counts">${plan.objects.toLocaleString("en-US")} objects, about ${plan.estimatedRows.toLocaleString("en-US")} rows written</span>`}`;
}

/** @param {{answer: any}} props */
function Plan({ answer }) {
    const { entities, mapping, plan } = answer;
    const inTheWay = [...answer.obstacles, ...plan.violations];
    const changed = entities.filter(each => each.entity === null || each.was === null || each.was !== each.entity
        || each.properties.length > 0 || each.removed.length > 0);
    return html`
        ${inTheWay.length > 0 && html`<ul class="obstacles" aria-label="Obstacles">
            ${inTheWay.map((each, index) => html`<li key=${index} class="field-problem"><${Icon} name="error" />
                <b>${each.entity}${each.property && `.${each.property}`}</b>${" "}
                ${each.reason}${each.objects !== undefined && `: ${each.objects.toLocaleString("en-US")} objects`}</li>`)}</ul>`}
        <div class="migration-columns">
            <section aria-label="Changes"><h3>What becomes of entities</h3>
                ${changed.length === 0 ? html`<p class="quiet">All stay as they are.</p>` : html`<ul class="words">${changed.map(each => entityLine(each, plan))}</ul>`}</section>
            <section aria-label="Mapping"><h3>Mapping</h3><ul class="words">${mapping.map(each => html`
                <li key=${each.name}><details><summary>${each.from ?? "new"} → ${each.to ?? "removed"} <span class="quiet">${each.kind}</span></summary>
                    <dl class="mapping">${each.properties.map(one => html`<div key=${one.property}><dt>${one.property}</dt><dd class="code">${one.value ?? "default"}</dd></div>`)}</dl></details></li>`)}</ul></section>
            <section aria-label="Statements"><h3>Statements <span class="quiet">${plan.statements.length || ""}</span></h3>
                <ol class="statements">${plan.statements.map((each, index) => html`<li key=${index}><span class="quiet">${each.title}</span><code>${each.sql}</code></li>`)}</ol></section>
        </div>`;
}

function entityLine(each, plan) {
    const count = plan.entities.find(one => one.entity === (each.entity ?? each.was))?.objects ?? 0;
    const details = [
        ...(each.properties ?? []).map(one => one.was === null ? `${one.property} is new` : `${one.property} was ${one.was}`),
        ...(each.removed ?? []).map(name => `${name} goes`),
    ].join(", ");
    if (each.entity === null) return html`<li key=${each.was} class="removed"><span class="sign">-</span><b>${each.was}</b></li>`;
    const tone = each.was === null ? "added" : each.was === each.entity ? "modified" : "renamed";
    const sign = { added: "+", modified: "~", renamed: ">" }[tone];
    return html`<li key=${each.entity} class=${tone}><span class="sign">${sign}</span><b>${each.entity}</b>
        ${tone === "renamed" && ` was ${each.was}`}${details && html` <span class="quiet">${details}</span>`}
        ${count > 0 && html`<span class="note">${count.toLocaleString("en-US")}</span>`}</li>`;
}

"""###),
        ("model/outline.js", ###"""
// The outline of a model: a tree of its entities by inheritance, and of what else it has.
import { html, useLayoutEffect, useMemo, useRef, useState } from "../lib/preact.js";
import { Icon, IconButton } from "../shell/icons.js";
import { ancestorsOf, entityNamed, kinds, topOf, valueOf } from "./elements.js";

/** @import { Kind, ModelElement, ModelState } from "./client.js" */

/**
 * @typedef {object} Line
 * @property {string} key
 * @property {number} level
 * @property {string} title
 * @property {string} icon
 * @property {ModelElement} [element]
 * @property {string} [version]
 * @property {string} [detail]
 * @property {boolean} hasChildren
 * @property {Kind} [adds] what the plus of a heading adds
 */

const sections = /** @type {Kind[]} */(["entity", "fetchRequest", "configuration", "composite"]);

/**
 * @param {{state: ModelState, selected: number[], isFlat: boolean, onSelect: (ids: number[]) => void, onVersion: (name: string) => void,
 *   onAdd: (kind: Kind) => void, onAddVersion: () => void, onRemove: (elements: ModelElement[]) => void,
 *   onDuplicate: (elements: ModelElement[]) => void, isVersionsShown: boolean}} props
 */
export function Outline(props) {
    const { state, selected } = props;
    const [filter, setFilter] = useState("");
    const [closed, setClosed] = useState(/** @type {Set<string>} */(new Set()));
    const [focus, setFocus] = useState("");
    const tree = useRef(null);
    const wantsFocus = useRef(false);
    const badges = useMemo(() => problemCounts(state), [state]);
    const lines = useMemo(() => linesOf(state, filter.trim().toLowerCase(), closed, props.isFlat), [state, filter, closed, props.isFlat]);
    const current = lines.find(line => line.key === focus)
        ?? lines.find(line => line.element !== undefined && selected.includes(line.element.id)) ?? lines[0];

    useLayoutEffect(() => {
        if (!wantsFocus.current) return;
        wantsFocus.current = false;
        const item = tree.current?.querySelector('[tabindex="0"]');
        if (item instanceof HTMLElement) item.focus();
    });

    const toggle = line => {
        const next = new Set(closed);
        if (!next.delete(line.key)) next.add(line.key);
        setClosed(next);
    };
    const choose = (line, adds) => {
        setFocus(line.key);
        if (line.version !== undefined) return props.onVersion(line.version);
        if (line.element === undefined) return;
        const { id } = line.element;
        if (!adds) return props.onSelect([id]);
        props.onSelect(selected.includes(id) ? selected.filter(each => each !== id) : [...selected, id]);
    };
    const go = (index, adds) => {
        const line = lines[Math.max(0, Math.min(lines.length - 1, index))];
        wantsFocus.current = true;
        setFocus(line.key);
        if (line.element !== undefined) choose(line, adds);
    };
    const keyed = event => {
        const index = lines.indexOf(current);
        const chosen = selected.map(id => state.elements.get(id)).filter(each => each !== undefined);
        if (current === undefined || event.altKey) return;
        if (event.ctrlKey || event.metaKey) {
            if (event.key.toLowerCase() !== "d" || chosen.length === 0 || state.isReadOnly) return;
            props.onDuplicate(chosen);
        } else if (event.key === "ArrowDown") go(index + 1, event.shiftKey);
        else if (event.key === "ArrowUp") go(index - 1, event.shiftKey);
        else if (event.key === "Home") go(0, false);
        else if (event.key === "End") go(lines.length - 1, false);
        else if (event.key === "ArrowRight" && current.hasChildren) {
            if (closed.has(current.key)) toggle(current);
            else go(index + 1, false);
        } else if (event.key === "ArrowLeft") {
            if (current.hasChildren && !closed.has(current.key)) toggle(current);
            else go(lines.findLastIndex((each, at) => at < index && each.level < current.level), false);
        } else if (event.key === "Enter" || event.key === " ") choose(current, event.key === " " && event.shiftKey);
        else if (event.key === "Delete" && chosen.length > 0 && !state.isReadOnly) props.onRemove(chosen);
        else if (event.key === "Insert" && !state.isReadOnly) props.onAdd(current.adds ?? current.element?.kind ?? "entity");
        else return;
        event.preventDefault();
    };
    return html`
        <aside class="outline" aria-label="Outline">
            <label class="filter outline-filter"><${Icon} name="filter" />
                <input type="search" id="model-filter" placeholder="Filter" aria-label="Filter the outline" value=${filter}
                    onInput=${event => setFilter(event.target.value)}
                    onKeyDown=${event => {
                        if (event.key !== "Escape" && event.key !== "ArrowDown") return;
                        event.preventDefault();
                        if (event.key === "Escape") setFilter("");
                        else go(0, false);
                    }} /></label>
            <ul role="tree" aria-label="Elements of the model" aria-multiselectable="true" ref=${tree} onKeyDown=${keyed}>
                ${lines.map(line => html`
                    <li key=${line.key} role="treeitem" aria-level=${line.level + 1} tabindex=${line === current ? 0 : -1}
                        aria-expanded=${line.hasChildren ? !closed.has(line.key) : undefined} style=${{ "--level": line.level }}
                        aria-selected=${line.element !== undefined && selected.includes(line.element.id) || props.isVersionsShown && line.version === state.version}
                        class=${line.level === 0 ? "outline-heading note" : "outline-item"} data-name=${line.title}
                        onClick=${event => choose(line, event.ctrlKey || event.metaKey || event.shiftKey)}>
                        <span class="outline-twist" onClick=${event => {
                            event.stopPropagation();
                            toggle(line);
                        }}>${line.hasChildren && html`<${Icon} name=${closed.has(line.key) ? "chevron" : "down"} />`}</span>
                        ${line.level > 0 && html`<${Icon} name=${line.icon} />`}
                        <span class="cut">${line.title}</span>
                        ${line.detail && html`<span class="note">${line.detail}</span>`}
                        <${Badge} counts=${line.element === undefined ? versionCounts(state, line.version) : badges.get(line.element.id)} />
                        ${line.level === 0 && !state.isReadOnly && (line.adds !== undefined || state.isVersioned) && html`
                            <${IconButton} name="plus" className="outline-add" tabindex="-1"
                                title=${`Add ${line.adds === undefined ? "version" : kinds[line.adds].title.toLowerCase()}`}
                                onClick=${event => {
                                    event.stopPropagation();
                                    if (line.adds === undefined) props.onAddVersion();
                                    else props.onAdd(line.adds);
                                }} />`}
                    </li>`)}
            </ul>
        </aside>`;
}

/** @typedef {{errors: number, warnings: number}} Counts */

/** @param {{counts: Counts|undefined}} props */
function Badge({ counts }) {
    if (counts === undefined || counts.errors + counts.warnings === 0) return null;
    const isError = counts.errors > 0;
    const count = isError ? counts.errors : counts.warnings;
    const word = (isError ? "error" : "warning") + (count === 1 ? "" : "s");
    return html`<span class=${isError ? "error" : "warning"}><span class="badge" title="${count} ${word}" aria-label="${count} ${word}">${count}</span></span>`;
}

/** Counts the problems of elements at the top, those of their members included. @param {ModelState} state @returns {Map<number, Counts>} */
function problemCounts(state) {
    const counts = new Map();
    for (const problem of state.diagnostics) {
        const element = state.elements.get(problem.element ?? -1);
        if (element === undefined || element.owner === null) continue;
        const top = element.owner === state.model ? element.id : element.owner;
        const count = counts.get(top) ?? { errors: 0, warnings: 0 };
        count[problem.severity === "error" ? "errors" : "warnings"] += 1;
        counts.set(top, count);
    }
    return counts;
}

/** @param {ModelState} state @param {string|undefined} name @returns {Counts|undefined} */
const versionCounts = (state, name) => state.versions.find(each => each.name === name && name !== state.version);

/** @param {ModelState} state @param {string} filter @param {Set<string>} closed @param {boolean} isFlat @returns {Line[]} */
function linesOf(state, filter, closed, isFlat) {
    /** @type {Line[]} */
    const lines = [];
    const heading = (title, adds, hasChildren) =>
        lines.push({ key: `heading ${title}`, level: 0, title, icon: "", hasChildren, adds });
    for (const kind of sections) {
        const all = topOf(state, kind);
        const found = filter === "" ? all : all.filter(each => matches(state, each, filter));
        heading(kinds[kind].plural, kind, found.length > 0);
        if (closed.has(`heading ${kinds[kind].plural}`)) continue;
        if (kind === "entity" && !isFlat && filter === "") lines.push(...entityLines(state, all, closed));
        else lines.push(...found.map(each => lineOf(each, 1, false)));
    }
    if (state.isVersioned) {
        heading("Versions", undefined, true);
        if (!closed.has("heading Versions")) {
            lines.push(...state.versions.map(version => ({
                key: `version ${version.name}`, level: 1, title: version.name, icon: version.isCurrent ? "check" : "version",
                version: version.name, hasChildren: false,
                detail: [version.isCurrent && "current", version.isUnsaved && "unsaved"].filter(Boolean).join(", "),
            })));
        }
    }
    return lines;
}

/** @param {ModelElement} element @param {number} level @param {boolean} hasChildren @returns {Line} */
const lineOf = (element, level, hasChildren) =>
    ({ key: `element ${element.id}`, level, title: element.name, icon: kinds[element.kind].icon, element, hasChildren });

/**
 * Whether an element, or a member of it, has a text in its name.
 * @param {ModelState} state
 * @param {ModelElement} element
 * @param {string} text
 */
const matches = (state, element, text) => element.name.toLowerCase().includes(text)
    || Object.values(element.members ?? {}).flat().some(id => state.elements.get(id)?.name.toLowerCase().includes(text));

/** @param {ModelState} state @param {ModelElement[]} all @param {Set<string>} closed */
function entityLines(state, all, closed) {
    /** @type {Map<ModelElement|undefined, ModelElement[]>} */
    const children = new Map();
    for (const entity of all) {
        const parent = entityNamed(state, valueOf(state, entity, "parent"));
        const key = parent === entity ? undefined : parent;
        children.set(key, [...children.get(key) ?? [], entity]);
    }
    /** @type {Line[]} */
    const lines = [];
    /** @type {Set<ModelElement>} */
    const shown = new Set();
    const show = (entity, level) => {
        if (shown.has(entity)) return;
        shown.add(entity);
        const below = children.get(entity) ?? [];
        lines.push(lineOf(entity, level, below.length > 0));
        if (closed.has(`element ${entity.id}`)) below.forEach(each => shown.add(each));
        else for (const each of sorted(below)) show(each, level + 1);
    };
    for (const entity of sorted(children.get(undefined) ?? [])) show(entity, 1);
    // Entities that are their own ancestors have no top.
    for (const entity of all) if (!shown.has(entity) && !isHidden(state, entity, closed)) show(entity, 1);
    return lines;
}

/** @param {ModelState} state @param {ModelElement} entity @param {Set<string>} closed */
const isHidden = (state, entity, closed) => ancestorsOf(state, entity).some(each => closed.has(`element ${each.id}`));

/** @param {ModelElement[]} elements */
const sorted = elements => [...elements].sort((one, other) => one.name.localeCompare(other.name));

"""###),
        ("model/page.css", ###"""
/* The page of a model. */
.model-page { display: flex; flex-direction: column; height: 100%; }
.model-columns { flex: 1; display: grid; grid-template-columns: 15rem minmax(0, 1fr) 19rem; min-height: 0; }
.middle { min-width: 0; overflow: auto; background: var(--surface); }
.side { display: flex; flex-direction: column; min-height: 0; overflow: auto; border-left: var(--edge); background: var(--sunken); }

/* Outline */
.outline { display: flex; flex-direction: column; min-height: 0; border-right: var(--edge); background: var(--sunken); }
.outline-filter { flex: none; padding: var(--space-2); }
.outline-filter > .icon { left: 1rem; }
.outline [role="tree"] { flex: 1; min-height: 0; padding: 0 var(--space-1) var(--space-4); overflow: auto; }
.outline [role="treeitem"] {
    display: flex;
    align-items: center;
    gap: var(--space-1);
    height: 1.625rem;
    padding: 0 var(--space-2) 0 calc(var(--level) * 0.85rem - 0.5rem);
    border-radius: var(--radius);
    cursor: default;
    user-select: none;
}
.outline-item > .icon { color: var(--kind-entity); }
.outline .outline-heading { height: 2rem; padding: var(--space-2) var(--space-1) 0 0; font-weight: 600; }
.outline-twist { display: grid; place-items: center; flex: none; width: 1rem; height: 100%; color: var(--text-quiet); }
.outline-twist .icon { width: 0.7rem; height: 0.7rem; }
.outline .outline-add { width: 1.4rem; min-height: 1.4rem; }
.outline .badge { line-height: 1.05rem; }
.outline .icon-button .icon { width: 0.8rem; height: 0.8rem; }

/* The middle */
.element { padding: var(--space-4) var(--space-6) var(--space-6); }
.element + .element { border-top: var(--edge); }
.element-head { display: flex; align-items: baseline; gap: var(--space-3); margin-bottom: var(--space-3); }
.element-head > .icon { align-self: center; width: 1.25rem; height: 1.25rem; color: var(--kind-entity); }
.chip-link { min-height: 0; padding: 0 0.2rem; border: 0; }
.table-section { margin-bottom: var(--space-4); }
.table-section > h3 { margin-bottom: var(--space-1); }
.summary-text { line-height: 1.9; }
.overview { padding: var(--space-6); }
.overview > p { margin: var(--space-1) 0 var(--space-4); }
.summary { border-collapse: collapse; }
.summary th, .summary td, .banner .conflicts th, .banner .conflicts td { padding: 0 var(--space-4) 0 0; text-align: left; }
.summary th { color: var(--text-quiet); font-size: var(--size-small); font-weight: 600; }
.summary .plain { padding: 0; }

.member-grid { width: 100%; border: var(--edge); border-collapse: separate; border-spacing: 0; border-radius: var(--radius); table-layout: fixed; }
.member-grid th {
    height: 1.5rem;
    padding: 0 var(--space-2);
    border-bottom: var(--edge);
    background: var(--sunken);
    color: var(--text-quiet);
    font-size: var(--size-small);
    font-weight: 500;
    text-align: left;
}
.member-grid th.flag { width: 4.75rem; text-align: center; }
.member-grid td { position: relative; height: 1.625rem; padding: 0 var(--space-2); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.member-grid tr + tr > td { border-top: 1px solid color-mix(in srgb, var(--line), transparent 35%); }
.member-grid td.flag { text-align: center; }
.member-grid td.flag input { margin: 0; vertical-align: middle; }
.member-grid td.edited { padding: 0; overflow: visible; }
.member-grid td.edited > input, .member-grid td.edited > select { width: 100%; min-height: 1.625rem; border-radius: 0; }
.member-grid td.none { background: color-mix(in srgb, var(--sunken), transparent 30%); }
.member-grid tr[aria-selected="false"]:hover { background: var(--hover); }
.member-grid td:focus-visible { outline-offset: -2px; }
.member-grid .inherited > td { color: var(--text-quiet); font-style: italic; }
.member-grid td > .icon { position: absolute; top: 0.3rem; right: 0.35rem; }
.member-grid .add .plain { min-height: 1.5rem; padding: 0 var(--space-1); margin-left: calc(-1 * var(--space-1)); }
.cell-problem {
    position: absolute;
    z-index: 3;
    top: 100%;
    left: 0;
    padding: var(--space-1) var(--space-2);
    border-radius: 0 0 var(--radius) var(--radius);
    background: var(--danger-soft);
    color: var(--danger);
    font-size: var(--size-small);
    box-shadow: var(--shadow);
}

/* Inspector */
.inspector { flex: 1; padding-bottom: var(--space-6); }
.inspector-head { display: flex; align-items: center; gap: var(--space-2); padding: var(--space-3) var(--space-4) var(--space-2); }
.inspector-head > .icon { color: var(--kind-entity); }
.inspector-head > span { font-size: var(--size-small); }
.inspector-section { padding: var(--space-1) 0 var(--space-2); }
.inspector-section > h3 { margin: 0 var(--space-4) var(--space-1); padding-top: var(--space-2); border-top: var(--edge); }
.setting { display: grid; grid-template-columns: 7.5rem minmax(0, 1fr); gap: 0 var(--space-2); align-items: start; padding: 1px var(--space-4); }
.setting > label { padding-top: 0.3rem; text-align: right; overflow-wrap: anywhere; }
.setting.wide.entries, .setting.wide.names { grid-template-columns: minmax(0, 1fr); }
.setting.wide.entries > label, .setting.wide.names > label { text-align: left; }
.setting-field { min-width: 0; }
.setting-field > input:not([type="checkbox"]), .setting-field > select, .setting-field > textarea { width: 100%; min-height: 1.5rem; }
.setting-field > input[type="checkbox"] { margin: 0.4rem 0 0; vertical-align: top; }
.setting.flag { min-height: 1.6rem; }
.setting > output { padding-top: 0.2rem; }
.mixed { color: var(--text-quiet); font-style: italic; font-size: var(--size-small); padding-left: var(--space-1); line-height: 1.8; }
.field-problem, .field-warning { padding: 1px 0 var(--space-1); }
.field-problem > .icon, .field-warning > .icon { width: 0.8rem; height: 0.8rem; margin-right: var(--space-1); vertical-align: -0.1rem; }
.fixes { display: flex; flex-wrap: wrap; gap: var(--space-1); }
.fix { max-width: 100%; min-height: 1.25rem; padding: 0 var(--space-2); border-color: currentColor; background: transparent; font-size: var(--size-small); text-align: left; white-space: normal; }
.check-list { columns: 2; column-gap: var(--space-3); }
.check-list label { display: flex; align-items: center; gap: var(--space-1); min-height: 1.4rem; overflow-wrap: anywhere; }
.entry { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr) auto; gap: 2px; margin-bottom: 2px; }
.entry > input, .part > select { min-width: 0; min-height: 1.5rem; }
.entry > button, .part > button { width: 1.5rem; min-height: 1.5rem; }
.part { display: flex; gap: 1px; margin-bottom: 2px; }
.part > select, .part > code { flex: 1; }
.both-ends { display: grid; grid-template-columns: auto minmax(0, 1fr) auto; gap: var(--space-2); align-items: center; margin: 0 var(--space-4) var(--space-3); padding: var(--space-2); border: var(--edge); border-radius: var(--radius-large); background: var(--surface); font-size: var(--size-small); }
.relationship-end { padding: var(--space-1) var(--space-2); border: 1px solid var(--kind-entity); border-radius: var(--radius); color: var(--kind-entity); font-weight: 600; }
.relationship-end.unknown { border-color: var(--danger); color: var(--danger); }
.relationship-ways { display: grid; gap: var(--space-1); text-align: center; overflow-wrap: anywhere; }
.version-head { padding: var(--space-3) 0; border-bottom: var(--edge); }
.version-buttons { display: flex; gap: var(--space-2); padding: var(--space-2) var(--space-4) 0; }

/* Banners */
.banner { display: flex; align-items: start; gap: var(--space-2); padding: var(--space-2) var(--space-4); border-bottom: var(--edge); }
.banner.warning { background: var(--warning-soft); }
.banner.error { background: var(--danger-soft); }
.banner > .icon { margin-top: 0.35rem; }
.banner-text { flex: 1; padding-top: 0.25rem; max-height: 12rem; overflow: auto; }
.banner .conflicts { margin-top: var(--space-1); border-collapse: collapse; }
.banner .conflicts th { font-size: var(--size-small); font-weight: 600; }
.form { display: grid; gap: var(--space-3); min-width: 22rem; }
.form > label { display: flex; align-items: center; gap: var(--space-2); }
.form > label > input:not([type="checkbox"]) { flex: 1; }
.breaks { margin-top: var(--space-2); max-height: 16rem; overflow: auto; }
.breaks b { color: var(--danger); font-weight: 600; }

/* Panels */
.panel-head { position: sticky; z-index: 1; top: 0; display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-3); padding: var(--space-1) var(--space-4); border-bottom: var(--edge); background: var(--surface); }
.panel-head select { min-height: 1.5rem; }
.problems { padding: var(--space-1) 0; }
.problems > li { display: flex; align-items: center; gap: var(--space-2); padding: 0 var(--space-2); }
.problems > li[aria-current] { background: var(--selection); }
.problem { justify-content: start; gap: var(--space-2); min-height: 1.5rem; border: 0; background: transparent; white-space: normal; text-align: left; }
.words { padding: var(--space-1) var(--space-4); }
.words > li { display: flex; gap: var(--space-2); line-height: 1.6; }
.sign { flex: none; width: 1rem; font-family: var(--font-code); font-weight: 700; text-align: center; user-select: none; }
.words .added > .sign { color: var(--good); }
.words .removed > .sign { color: var(--danger); }
.words .modified > .sign { color: var(--warning); }
.words .renamed > .sign { color: var(--changed); }
.diff { width: 100%; border-collapse: collapse; font-size: var(--size-small); }
.diff tbody + tbody > tr:first-child > td { border-top: 1px dashed var(--line-strong); }
.diff td { padding: 0 var(--space-2); vertical-align: top; }
.diff .number { width: 3rem; color: var(--text-quiet); text-align: right; user-select: none; }
.diff .line { white-space: pre-wrap; overflow-wrap: anywhere; }
.diff .added { background: var(--good-soft); }
.diff .removed { background: var(--danger-soft); }
.panel-text { position: relative; padding: var(--space-2) var(--space-4); }
.panel-text > pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: var(--size-small); }
.panel-text > .copy { position: absolute; right: var(--space-4); }
.method { font-weight: 600; }
.method.good { color: var(--good); }
.method.warning { color: var(--warning); }
.method.danger { color: var(--danger); }
.obstacles { padding: var(--space-2) var(--space-4) 0; }
.migration-columns { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 2fr) minmax(0, 3fr); gap: var(--space-4); padding: var(--space-2) var(--space-4); }
.migration-columns .words { padding: 0; }
.mapping { padding: 0 0 var(--space-1) var(--space-4); font-size: var(--size-small); }
.mapping > div { display: flex; gap: var(--space-2); }
.mapping dt { flex: none; color: var(--text-quiet); }
.mapping dd { overflow-wrap: anywhere; }
.statements { display: grid; gap: var(--space-1); font-size: var(--size-small); }
.statements > li { display: grid; }
.statements code { overflow-wrap: anywhere; }

@media (max-width: 70rem) {
    .model-columns { grid-template-columns: 12rem minmax(0, 1fr) 16rem; }
    .setting { grid-template-columns: minmax(0, 1fr); }
    .setting > label { text-align: left; }
}
@media (max-width: 50rem) {
    .model-page { overflow: auto; }
    .model-columns { display: block; }
    .outline { max-height: 14rem; }
    .side { border-left: 0; }
}

"""###),
        ("model/page.js", ###"""
// The page of a model: outline, tables of what is selected, inspector; the graph in their place when it is chosen.
import { html, useEffect, useMemo, useState } from "../lib/preact.js";
import { useObservable } from "../observable.js";
import { Graph } from "../graph/page.js";
import { navigate, urlOf } from "../router.js";
import { openPanel, useFrame } from "../shell/frame.js";
import { Icon } from "../shell/icons.js";
import { notifyError } from "../shell/notices.js";
import { add, duplicate, removeAll } from "./actions.js";
import { Banners } from "./banners.js";
import { ModelClient } from "./client.js";
import { useClipboard } from "./clipboard.js";
import { entityNamed, kinds, memberKindsOf, membersOf, rootOf, topOf } from "./elements.js";
import { EntityMembers } from "./entities.js";
import { Inspector } from "./inspector.js";
import { Outline } from "./outline.js";
import { panelsOf } from "./panels.js";
import { useSelection } from "./selection.js";
import { NewVersion, VersionHead } from "./versions.js";

/** @import { ModelElement, ModelState } from "./client.js" */
/** @import { Route } from "../router.js" */

/** @param {{route: Route, document: import("../shell/documents.js").StudioDocument}} props */
export function Page({ route, document }) {
    const client = useMemo(() => new ModelClient(document.id), [document.id]);
    const state = useObservable(client.state);
    useEffect(() => client.follow(), [client]);
    useEffect(() => {
        client.show(route.query.version).catch(notifyError);
    }, [client, route.query.version]);
    if (state === null) return html`<${Loading} name=${document.name} />`;
    return html`<${ModelPage} client=${client} state=${state} route=${route} />`;
}

/** @param {{name: string}} props */
function Loading({ name }) {
    useFrame({ breadcrumb: [{ title: name }] });
    return html`<div class="page" aria-busy="true"></div>`;
}

/** @param {{client: ModelClient, state: ModelState, route: Route}} props */
function ModelPage({ client, state, route }) {
    const selection = useSelection(client, state, route);
    const { owners, members } = selection;
    const [problem, setProblem] = useState(-1);
    const [isFlat, setFlat] = useState(false);
    const [isAskingVersion, setAskingVersion] = useState(false);
    const isSaving = useObservable(client.isSaving);
    const isGraph = route.rest[0] === "graph";
    const isVersion = owners.length === 0;

    const addOne = async kind => {
        const element = await add(client, kind, undefined);
        if (element !== undefined) selection.show([element.id], [], { editsName: true, staysInView: isGraph && kind === "entity" });
    };
    const addMember = async (kind, owner) => {
        const element = await add(client, kind, owner);
        if (element !== undefined) selection.show([owner.id], [element.id], { editsName: true });
    };
    const showProblem = index => {
        const found = state.diagnostics[index];
        if (found === undefined) return;
        setProblem(index);
        const element = state.elements.get(found.element ?? -1);
        if (element === undefined || element.owner === null) return selection.show([], []);
        if (element.owner === state.model) return selection.show([element.id], []);
        selection.show([element.owner], [element.id]);
    };
    const walk = step => {
        const count = state.diagnostics.length;
        if (count === 0) return;
        openPanel.set("problems");
        showProblem(problem < 0 && step < 0 ? count - 1 : (problem + step + count) % count);
    };
    const open = name => {
        const entity = entityNamed(state, name);
        if (entity !== undefined) selection.show([entity.id], []);
    };
    const showVersion = name => navigate(urlOf(["models", client.id, "versions"], { version: name }));
    const chosen = members.length > 0 ? members : owners;
    useClipboard(client, state, chosen, owners[0]);
    const mayEdit = !state.isReadOnly;
    const viewUrl = view => urlOf(["models", client.id, view], { version: client.version });
    useFrame({
        breadcrumb: breadcrumbOf(client, state, owners, members),
        actions: [
            { title: "Tables", icon: "table", isPressed: !isGraph, run: () => selection.showAgain() },
            { title: "Graph", icon: "graph", isPressed: isGraph, run: () => navigate(viewUrl("graph")) },
            { title: "Add entity", icon: "plus", keys: "Alt+N", isEnabled: mayEdit, run: () => addOne("entity") },
            ...(mayEdit ? ["fetchRequest", "configuration", "composite"] : []).map(kind =>
                ({ title: `Add ${kinds[kind].title.toLowerCase()}`, run: () => void addOne(kind) })),
            ...(mayEdit && owners.length === 1 ? memberKindsOf(owners[0]) : []).map(kind =>
                ({ title: `Add ${kinds[kind].title.toLowerCase()}`, run: () => void addMember(kind, owners[0]) })),
            ...(mayEdit && state.isVersioned ? [{ title: "Add version", run: () => setAskingVersion(true) }] : []),
            { title: isFlat ? "Outline by inheritance" : "Outline by name", run: () => setFlat(!isFlat) },
            ...(mayEdit ? [{ title: "Read the file again, and take edits back", run: () => client.request("reload") }] : []),
            ...["changes", "migration", "classes", "xml"].map(panel => ({ title: `Show ${panel}`, run: () => openPanel.set(panel) })),
        ],
        keys: [
            { keys: "Alt+N", title: "New entity", run: () => void (mayEdit && addOne("entity")), inFields: true },
            { keys: "Ctrl+F", title: "Filter the outline", run: focusFilter, inFields: true },
            { keys: "F8", title: "Next problem", run: () => walk(1), inFields: true },
            { keys: "Shift+F8", title: "Previous problem", run: () => walk(-1), inFields: true },
            { keys: "Enter", title: "Edit the cell (also F2, or by typing)" }, { keys: "Insert", title: "New row" },
            { keys: "Delete", title: "Delete" }, { keys: "Ctrl+D", title: "Duplicate" },
            { keys: "Alt+ArrowUp", title: "Move up (Alt+↓ down)" }, { keys: "Ctrl+Enter", title: "Go to the destination" },
            { keys: "Ctrl+C", title: "Copy elements (Ctrl+X cuts, Ctrl+V pastes)" },
        ],
        search: text => found(client, state, text),
        status: {
            undo: state.undo === null || !mayEdit ? null : { title: state.undo, run: () => client.undo() },
            redo: state.redo === null || !mayEdit ? null : { title: state.redo, run: () => client.redo() },
            save: mayEdit ? { count: state.unsaved.length, run: () => client.save(), isBusy: isSaving } : undefined,
            text: mayEdit ? undefined : "read only",
            panels: panelsOf(client, state, { problem, showProblem, entity: owners[0]?.kind === "entity" ? owners[0].name : undefined }),
        },
    });
    const inspected = isVersion ? [rootOf(state)] : chosen;
    return html`<div class="model-page">
        <${Banners} client=${client} state=${state} />
        <div class="model-columns">
            <${Outline} state=${state} selected=${owners.map(each => each.id)} isFlat=${isFlat} isVersionsShown=${isVersion}
                onSelect=${ids => selection.show(ids, [])} onAdd=${addOne} onAddVersion=${() => setAskingVersion(true)}
                onVersion=${showVersion}
                onRemove=${all => removeAll(client, all)} onDuplicate=${all => duplicate(client, all)} />
            ${isGraph ? html`<${Graph} client=${client} state=${state} selected=${owners.map(each => each.id)}
                    onSelect=${(ids, inner = []) => selection.show(ids, inner, { staysInView: true })} />`
                : html`<main class="middle">${isVersion ? html`<${VersionOverview} state=${state} onOpen=${open} onAdd=${() => addOne("entity")} />`
                    : owners.map(owner => html`<${EntityMembers} key=${owner.id} client=${client} state=${state} owner=${owner}
                        isOnly=${owners.length === 1} selection=${members.map(each => each.id)} onOpen=${open}
                        onSelect=${ids => selection.show(owners.map(each => each.id), ids)} />`)}</main>`}
            <div class="side">${isVersion && html`<${VersionHead} client=${client} state=${state} />`}
                <${Inspector} client=${client} state=${state} elements=${inspected} /></div>
        </div>
        ${isAskingVersion && html`<${NewVersion} client=${client} state=${state} onClose=${() => setAskingVersion(false)} onDone=${showVersion} />`}
    </div>`;
}

function focusFilter() {
    const field = document.getElementById("model-filter");
    if (field instanceof HTMLInputElement) field.select();
}

/** @param {ModelClient} client @param {ModelState} state @param {ModelElement[]} owners @param {ModelElement[]} members */
function breadcrumbOf(client, state, owners, members) {
    const query = { version: client.version };
    const url = urlOf(["models", client.id, "versions"], query);
    const parts = [{ title: state.name, url }];
    if (state.versions.length > 1) parts.push({ title: state.version, url });
    if (owners.length === 1) parts.push({ title: owners[0].name, url: urlOf(["models", client.id, owners[0].kind, owners[0].name], query) });
    if (owners.length > 1) parts.push({ title: `${owners.length} elements`, url: "" });
    if (members.length === 1) parts.push({ title: members[0].name, url: "" });
    return parts.map((part, index) => index === parts.length - 1 ? { title: part.title } : part);
}

/** Finds elements by a part of their name. @param {ModelClient} client @param {ModelState} state @param {string} text */
function found(client, state, text) {
    const wanted = text.toLowerCase();
    const all = [...state.elements.values()].filter(each => each.owner !== null && each.path.toLowerCase().includes(wanted));
    return all.slice(0, 50).map(each => {
        const owner = state.elements.get(each.owner ?? -1);
        const isTop = each.owner === state.model || owner === undefined;
        const parts = isTop ? [each.kind, each.name] : [owner.kind, owner.name, each.kind, each.name];
        return { title: each.name, detail: isTop ? kinds[each.kind].title : `${kinds[each.kind].title} of ${owner.name}`,
            icon: kinds[each.kind].icon, url: urlOf(["models", client.id, ...parts], { version: client.version }) };
    });
}

/** What a version has, when nothing in it is selected. @param {{state: ModelState, onOpen: (name: string) => void, onAdd: () => void}} props */
const VersionOverview = ({ state, onOpen, onAdd }) => html`
    <div class="overview"><h1>${state.version}</h1>
        <p class="quiet">${state.path}</p>
        <table class="summary"><thead><tr>${["Entity", "Attributes", "Relationships", "Inherits from"].map(each => html`<th scope="col">${each}</th>`)}</tr></thead>
            <tbody>${topOf(state, "entity").map(each => html`<tr key=${each.id}>
                <td><button class="plain" onClick=${() => onOpen(each.name)}>${each.name}</button></td>
                <td>${membersOf(state, each, "attribute").length}</td><td>${membersOf(state, each, "relationship").length}</td>
                <td class="quiet">${each.facets.parent ?? ""}</td></tr>`)}</tbody></table>
        ${!state.isReadOnly && html`<button class="plain" onClick=${onAdd}><${Icon} name="plus" />Add entity</button>`}</div>`;

"""###),
        ("model/panels.js", ###"""
// The panels below a model: problems, changes, migration, classes, XML.
import { html, useState } from "../lib/preact.js";
import { bytes } from "../api.js";
import { useAnswer } from "../asking.js";
import { Icon } from "../shell/icons.js";
import { Fixes } from "./inspector.js";
import { MigrationPanel } from "./migration.js";

/** @import { ModelClient, ModelState } from "./client.js" */

/**
 * @param {ModelClient} client @param {ModelState} state
 * @param {{problem: number, showProblem: (index: number) => void, entity: string|undefined}} view
 * @returns {import("../shell/frame.js").Panel[]}
 */
export function panelsOf(client, state, view) {
    const errors = state.diagnostics.filter(each => each.severity === "error").length;
    const count = state.diagnostics.length;
    return [
        {
            id: "problems", title: "Problems", badge: count || undefined,
            tone: errors > 0 ? "error" : count > 0 ? "warning" : "quiet",
            render: () => html`<${ProblemsPanel} client=${client} state=${state} view=${view} />`,
        },
        {
            id: "changes", title: "Changes", badge: state.unsaved.length || undefined, tone: state.unsaved.length > 0 ? "changed" : "quiet",
            render: () => html`<${ChangesPanel} client=${client} state=${state} />`,
        },
        { id: "migration", title: "Migration", render: () => html`<${MigrationPanel} client=${client} state=${state} />` },
        { id: "classes", title: "Classes", render: () => html`<${ClassesPanel} client=${client} state=${state} entity=${view.entity} />` },
        { id: "xml", title: "XML", render: () => html`<${TextOf} client=${client} name="contents" revision=${state.revision} label="XML of the version" />` },
    ];
}

function ProblemsPanel({ client, state, view }) {
    const problems = state.diagnostics;
    if (problems.length === 0) return html`<p class="empty">No problems.</p>`;
    return html`<ul class="problems" aria-label="Problems">${problems.map((problem, index) => html`
        <li key=${index} class=${problem.severity} aria-current=${index === view.problem ? "true" : undefined}>
            <button class="problem" onClick=${() => view.showProblem(index)}>
                <${Icon} name=${problem.severity} title=${problem.severity} />
                <b>${problem.path || "Model"}</b><span>${problem.message}</span></button>
            ${index === view.problem && !state.isReadOnly && html`<${Fixes} client=${client} problem=${problem} revision=${state.revision} />`}
        </li>`)}</ul>`;
}

/** @param {{client: ModelClient, state: ModelState}} props */
function ChangesPanel({ client, state }) {
    const [against, setAgainst] = useState("saved");
    const [form, setForm] = useState("words");
    const { answer, error } = useAnswer(signal => client.ask("changes", { against }, signal),
        [state.revision, state.unsaved.length, state.version, against]);
    const others = state.versions.filter(each => each.name !== state.version);
    const lines = answer === null ? [] : against === "saved" ? answer.all : answer.lines;
    return html`<div class="changes">
        <div class="panel-head"><label>Compared with <select value=${against} onChange=${event => setAgainst(event.target.value)}>
                <option value="saved">what is saved</option>
                ${others.map(each => html`<option key=${each.name} value=${each.name}>version ${each.name}</option>`)}</select></label>
            <div class="segments" role="group" aria-label="Form">
                <button aria-pressed=${form === "words"} onClick=${() => setForm("words")}>Words</button>
                <button aria-pressed=${form === "xml"} onClick=${() => setForm("xml")}>XML</button></div>
            ${answer !== null && answer.incompatibleEntities.length > 0 && html`<span class="field-warning">
                <${Icon} name="warning" />Stores have to be migrated: ${answer.incompatibleEntities.join(", ")}</span>`}
        </div>
        ${error && html`<p class="field-problem">${error}</p>`}
        ${answer !== null && (form === "words" ? html`<${Words} lines=${lines} />` : html`<${LineDiff} hunks=${answer.xml} />`)}
    </div>`;
}

/** The class of a change by its first character. @type {Record<string, string>} */
const tones = { "+": "added", "-": "removed", "~": "modified", ">": "renamed" };

/** @param {{lines: string[]}} props */
export const Words = ({ lines }) => lines.length === 0 ? html`<p class="empty">No changes.</p>` : html`
    <ul class="words">${lines.map((line, index) => {
        const at = line.search(/[+\-~>] /);
        return html`<li key=${index} class=${tones[line[at]] ?? ""}><span class="sign">${line[at]}</span>${line.slice(0, at)}${line.slice(at + 2)}</li>`;
    })}</ul>`;

/** @param {{hunks: {kind: string, old: number|null, new: number|null, text: string}[][]}} props */
const LineDiff = ({ hunks }) => hunks.length === 0 ? html`<p class="empty">No changes.</p>` : html`
    <table class="diff code" aria-label="Changed lines">${hunks.map((hunk, index) => html`
        <tbody key=${index}>${hunk.map((line, at) => html`
            <tr key=${at} class=${line.kind}><td class="number">${line.old}</td><td class="number">${line.new}</td>
                <td class="sign">${line.kind === "added" ? "+" : line.kind === "removed" ? "−" : ""}</td><td class="line">${line.text}</td></tr>`)}</tbody>`)}
    </table>`;

/** @param {{client: ModelClient, state: ModelState, entity: string|undefined}} props */
function ClassesPanel({ client, state, entity }) {
    const [style, setStyle] = useState("");
    const [isAll, setAll] = useState(false);
    const one = isAll ? undefined : entity;
    return html`<div class="panel-head"><label>Style <select value=${style} onChange=${event => setStyle(event.target.value)}>
            <option value="">as the model says</option><option value="class">class</option><option value="category">category</option></select></label>
            ${entity !== undefined && html`<label><input type="checkbox" checked=${isAll} onChange=${event => setAll(event.target.checked)} /> all entities</label>`}
        </div>
        <${TextOf} client=${client} name="classes" revision=${state.revision} fields=${{ entity: one, style: style || undefined }} label="Generated classes" />`;
}

/**
 * A text that the studio makes of the model.
 * @param {{client: ModelClient, name: string, revision: number, fields?: Record<string, any>, label: string}} props
 */
function TextOf({ client, name, revision, fields = {}, label }) {
    const { answer, error } = useAnswer(async signal => (await bytes(client.address(name, fields), { signal })).text(),
        [revision, client.version, name, JSON.stringify(fields)]);
    const text = answer ?? "";
    if (error) return html`<p class="field-problem panel-text">${error}</p>`;
    return html`<div class="panel-text"><button class="copy" onClick=${() => navigator.clipboard?.writeText(text)}>Copy</button>
        <pre tabindex="0" aria-label=${label}>${text}</pre></div>`;
}

"""###),
        ("model/selection.js", ###"""
// What is selected, which the address follows: elements of the model, and members of the one that is shown.
import { useEffect, useRef, useState } from "../lib/preact.js";
import { navigate, urlOf } from "../router.js";
import { membersOf, topOf } from "./elements.js";

/** @import { ModelClient, ModelState } from "./client.js" */
/** @import { Route } from "../router.js" */

/** @param {ModelClient} client @param {ModelState} state @param {Route} route */
export function useSelection(client, state, route) {
    const [ids, setIds] = useState(() => read(state, route));
    const lastUrl = useRef(route.url);
    const shown = useRef({ model: state.model });
    const present = list =>
        list.map(id => state.elements.get(id)).filter(each => each !== undefined);
    const owners = present(ids.owners);
    const members = present(ids.members).filter(each => ids.owners.includes(each.owner ?? -1));

    // Another address: by a link, by back, or by hand.
    useEffect(() => {
        if (route.url === lastUrl.current && shown.current.model === state.model) return;
        lastUrl.current = route.url;
        shown.current = { model: state.model };
        if (route.rest[0] !== "graph") setIds(read(state, route));
    }, [route.url, state.model]);

    const url = (top, inner) => {
        const parts = top.length === 0 ? ["versions"] : [top[0].kind, top[0].name];
        if (top.length === 1 && inner.length === 1) parts.push(inner[0].kind, inner[0].name);
        return urlOf(["models", client.id, ...parts], { version: client.version });
    };
    // A renamed element has another address.
    useEffect(() => {
        if (route.rest[0] === "graph" || shown.current.model !== state.model || owners.length === 0) return;
        const current = url(owners, members);
        if (current === route.url) return;
        lastUrl.current = current;
        navigate(current, { replace: true });
    }, [state.revision]);

    return {
        owners, members,
        /**
         * Selects elements of the model, and members of them.
         * @param {number[]} newOwners @param {number[]} newMembers
         * @param {{editsName?: boolean, staysInView?: boolean}} [options]
         */
        show(newOwners, newMembers, { editsName = false, staysInView = false } = {}) {
            setIds({ owners: newOwners, members: newMembers });
            if (!staysInView) {
                // The newest state: elements that were just added are selected before the page has rendered them.
                const { elements } = client.state.value ?? state;
                const all = list => list.map(id => elements.get(id)).filter(each => each !== undefined);
                const next = url(all(newOwners), all(newMembers));
                const isSameOwner = newOwners[0] === ids.owners[0] && route.rest[0] !== "graph";
                lastUrl.current = next;
                navigate(next, { replace: isSameOwner });
            }
            if (editsName) requestAnimationFrame(() => editName());
        },
        /** Shows the tables of what is selected. */
        showAgain() {
            lastUrl.current = url(owners, members);
            navigate(lastUrl.current);
        },
    };
}

/**
 * Reads the selection off an address; without one, the first entity.
 * @param {ModelState} state
 * @param {Route} route
 * @returns {{owners: number[], members: number[]}}
 */
function read(state, route) {
    const [kind, name, memberKind, memberName] = route.rest;
    if (kind === "versions") return { owners: [], members: [] };
    const owner = kind === undefined || kind === "graph" ? topOf(state, "entity")[0]
        : topOf(state, kind).find(each => each.name === name);
    if (owner === undefined) return { owners: [], members: [] };
    const member = memberName === undefined ? undefined
        : membersOf(state, owner, memberKind).find(each => each.name === memberName);
    return { owners: [owner.id], members: member === undefined ? [] : [member.id] };
}

/** Puts the cursor into the name of what was just added, all of it selected. */
function editName() {
    const field = document.querySelector('.inspector input[id^="field-name-"]');
    if (field instanceof HTMLInputElement) field.select();
}

"""###),
        ("model/tables.js", ###"""
// The middle of the page for an entity or a composite: its members in tables that are edited in place.
import { html, useState } from "../lib/preact.js";
import { add, duplicate, moveBy, removeAll, set } from "./actions.js";
import { Grid } from "./grid.js";
import {
    ancestorsOf, facetOf, kinds, memberKindsOf, membersOf, problemOfName, problemsOf, referencesOf, textOf, valueOf,
} from "./elements.js";

/** @import { Kind, ModelClient, ModelElement, ModelState } from "./client.js" */
/** @import { Column, Row } from "./grid.js" */

/** The columns by kind of member. @type {Partial<Record<Kind, {key: string, title: string, kind: Column["kind"]}[]>>} */
const columns = {
    attribute: [
        { key: "name", title: "Name", kind: "text" }, { key: "type", title: "Type", kind: "choice" },
        { key: "optional", title: "Optional", kind: "flag" }, { key: "default", title: "Default", kind: "text" },
    ],
    relationship: [
        { key: "name", title: "Name", kind: "text" }, { key: "destination", title: "Destination", kind: "choice" },
        { key: "inverse", title: "Inverse", kind: "choice" }, { key: "toMany", title: "To-many", kind: "flag" },
        { key: "optional", title: "Optional", kind: "flag" }, { key: "deleteRule", title: "On delete", kind: "choice" },
    ],
    fetchedProperty: [
        { key: "name", title: "Name", kind: "text" }, { key: "entity", title: "Fetches", kind: "choice" },
        { key: "predicate", title: "Where", kind: "text" },
    ],
    index: [
        { key: "name", title: "Name", kind: "text" }, { key: "elements", title: "Of", kind: "text" },
        { key: "predicate", title: "Where", kind: "text" },
    ],
};

/** @param {{client: ModelClient, state: ModelState, owner: ModelElement, selection: number[], onSelect: (ids: number[]) => void, onFollow: (element: ModelElement) => void, onOpen: (name: string) => void}} props */
export function MemberTables(props) {
    const { state, owner } = props;
    return html`<div class="tables">
        ${memberKindsOf(owner).map(kind => html`<${MemberTable} key=${kind} kind=${kind} ...${props} />`)}
        ${owner.kind === "entity" && html`<${ConstraintTable} client=${props.client} state=${state} owner=${owner} />`}
    </div>`;
}

/** @param {ModelState} state @param {ModelElement} element @param {string} [from] @returns {Row} */
function rowOf(state, element, from) {
    /** @type {Record<string, any>} */
    const values = { name: element.name };
    for (const { key } of columns[element.kind] ?? []) if (key !== "name") values[key] = valueOf(state, element, key);
    const problems = problemsOf(state, element);
    const problem = problems.some(each => each.severity === "error") ? "error" : problems.length > 0 ? "warning" : undefined;
    return { key: element.id, element, values, from, problem };
}

function MemberTable({ client, state, owner, kind, selection, onSelect, onFollow, onOpen }) {
    const [added, setAdded] = useState(null);
    const own = membersOf(state, owner, kind).map(each => rowOf(state, each));
    const inherited = owner.kind !== "entity" || kind === "index" ? [] : ancestorsOf(state, owner).flatMap(each =>
        membersOf(state, each, kind).map(member => rowOf(state, member, each.name)));
    const shown = /** @type {NonNullable<(typeof columns)[Kind]>} */(columns[kind]).map(column => ({
        ...column,
        choices: row => choicesOf(state, row.element, column.key),
        ask: column.key === "predicate" ? row => client.completing(row.element) : undefined,
        applies: row => {
            const types = facetOf(state, kind, column.key)?.types;
            return types === undefined || types.includes(row.values.type) || row.values[column.key] !== null;
        },
    }));
    const addOne = async () => {
        const element = await add(client, kind, owner);
        if (element === undefined) return;
        onSelect([element.id]);
        setAdded(element.id);
    };
    const change = (row, column, value) => {
        if (column.key === "name") return client.perform({ command: "rename", element: row.element.id, to: value });
        return set(client, [row.element], column.key, typed(column, value, row));
    };
    const elements = rows => rows.map(row => row.element);
    const title = kinds[kind].plural;
    return html`
        <section class="table-section" aria-label=${title}>
            <h3>${title} <span class="quiet">${own.length + inherited.length || ""}</span></h3>
            <${Grid} label=${`${title} of ${owner.name}`} columns=${shown} rows=${[...own, ...inherited]} selection=${selection}
                onSelect=${onSelect} onChange=${change} isReadOnly=${state.isReadOnly} editing=${added}
                check=${(row, column, text) =>
                    column.key === "name" ? problemOfName(state, row.element, text) : undefined}
                onAdd=${addOne} addTitle=${`Add ${kinds[kind].title.toLowerCase()}`}
                onRemove=${rows => removeAll(client, elements(rows))}
                onDuplicate=${rows => duplicate(client, elements(rows))}
                onMove=${(row, step) => moveBy(client, row.element, step)}
                onFollow=${row => {
                    if (row.from !== undefined) return onOpen(row.from);
                    const name = row.values.destination ?? row.values.entity;
                    if (typeof name === "string") onOpen(name);
                    else onFollow(row.element);
                }} />
        </section>`;
}

/** @param {ModelState} state @param {ModelElement} element @param {string} key */
function choicesOf(state, element, key) {
    const names = referencesOf(state, element, key);
    return names === undefined ? facetOf(state, element.kind, key)?.choices ?? [] : ["", ...names];
}

/** Turns what was typed in a cell into the value of its setting. @param {Column} column @param {any} value @param {Row} row */
function typed(column, value, row) {
    if (column.key === "elements") {
        // What is more than a name, such as an expression, stays as it is unless its text is changed.
        const known = new Map(row.values.elements.map(each => [textOf(each), each]));
        return namesIn(value).map(text => known.get(text) ?? indexElement(text));
    }
    return value === "" ? null : value;
}

const namesIn = text => text.split(",").map(each => each.trim()).filter(each => each !== "");

const indexElement = text => /\s*↓$/.test(text) ? { property: text.replace(/\s*↓$/, ""), descending: true } : text;

/**
 * The uniqueness constraints, which are a setting of the entity.
 * @param {{client: ModelClient, state: ModelState, owner: ModelElement}} props
 */
function ConstraintTable({ client, state, owner }) {
    const [selection, setSelection] = useState(/** @type {(number|string)[]} */([]));
    // A constraint without properties cannot be saved: a new one is only a row here until what was typed is in the model.
    const [added, setAdded] = useState(/** @type {{key: string, text?: string}|null} */(null));
    /** @type {string[][]} */
    const constraints = valueOf(state, owner, "constraints");
    const rows = constraints.map((names, index) => ({ key: `constraint ${index}`, element: owner, values: { name: textOf(names) } }));
    const next = `constraint ${constraints.length}`;
    const shown = added?.key === next ? [...rows, { key: next, element: owner, values: { name: added.text ?? "" } }] : rows;
    const change = async (row, _, text) => {
        const index = Number(String(row.key).split(" ")[1]);
        const names = namesIn(text);
        const changed = [...constraints];
        if (names.length === 0) changed.splice(index, 1);
        else changed[index] = names;
        setAdded(each => each === null ? null : { ...each, text });
        const answer = await set(client, [owner], "constraints", changed);
        setAdded(null);
        return answer;
    };
    const end = () => setAdded(each => each?.text === undefined ? null : each);
    const remove = gone => set(client, [owner], "constraints",
        constraints.filter((_, index) => !gone.some(row => row.key === `constraint ${index}`)));
    return html`
        <section class="table-section" aria-label="Uniqueness constraints">
            <h3>Uniqueness constraints <span class="quiet">${rows.length || ""}</span></h3>
            <${Grid} label=${`Uniqueness constraints of ${owner.name}`} columns=${[{ key: "name", title: "Properties, separated by commas", kind: "text" }]}
                rows=${shown} selection=${selection} onSelect=${setSelection} onChange=${change} onRemove=${remove}
                editing=${added?.key} isReadOnly=${state.isReadOnly} addTitle="Add constraint"
                onAdd=${() => setAdded({ key: next })} onEnd=${end} />
        </section>`;
}

"""###),
        ("model/versions.js", ###"""
// What is asked about versions: a name for a new one, and what may be done to the one that is shown.
import { html, useState } from "../lib/preact.js";
import { Dialog } from "../shell/dialogs.js";
import { freeName } from "./elements.js";
import { TextField } from "./fields.js";

/** @import { ModelClient, ModelState } from "./client.js" */

/** Returns a name for the next version: the last number and one more. @param {ModelState} state */
function nextName(state) {
    const match = /^(.*?)(\d+)$/.exec(state.version);
    const taken = new Set(state.versions.map(each => each.name));
    return freeName(match?.[1] ?? `${state.version} `, name => taken.has(name), match === null ? 2 : Number(match[2]) + 1);
}

/**
 * Asks for the name of a new version.
 * @param {{client: ModelClient, state: ModelState, onClose: () => void, onDone: (name: string) => void}} props
 */
export function NewVersion({ client, state, onClose, onDone }) {
    const [name, setName] = useState(() => nextName(state));
    const [isCurrent, setCurrent] = useState(true);
    const problem = problemOf(state, name);
    const done = async event => {
        event.preventDefault();
        if (problem !== undefined) return;
        const commands = [{ command: "addVersion", name, from: state.version }];
        if (isCurrent) commands.push(/** @type {any} */({ command: "setCurrentVersion", version: name }));
        onClose();
        if (await client.perform(commands) !== undefined) onDone(name);
    };
    return html`<${Dialog} title="New version" onClose=${onClose}><form class="form" onSubmit=${done}>
        <p class="quiet">A copy of ${state.version}. Renaming in it sets renaming identifiers, so that stores can be migrated.</p>
        <label>Name <input value=${name} aria-invalid=${problem !== undefined} onInput=${event => setName(event.target.value)} /></label>
        ${problem !== undefined && html`<p class="field-problem" role="alert">${problem}</p>`}
        <label><input type="checkbox" checked=${isCurrent} onChange=${event => setCurrent(event.target.checked)} /> make it the current version</label>
        <div class="dialog-buttons"><button type="button" onClick=${onClose}>Cancel</button>
            <button type="submit" class="main" disabled=${problem !== undefined}>Add version</button></div></form><//>`;
}

/** @param {ModelState} state @param {string} name @param {string} [own] */
function problemOf(state, name, own) {
    if (name.trim() === "" || name.startsWith(".") || name.includes("/")) return "no name for a folder";
    return name !== own && state.versions.some(each => each.name === name) ? "there is such a version" : undefined;
}

/** The head of the inspector of a version. @param {{client: ModelClient, state: ModelState}} props */
export function VersionHead({ client, state }) {
    const version = state.versions.find(each => each.name === state.version);
    const isLocked = state.isReadOnly || !state.isVersioned;
    return html`<section class="version-head" aria-label="Version">
        <div class="setting"><label for="version-name">Name</label><div class="setting-field">
            <${TextField} id="version-name" value=${state.version} isReadOnly=${isLocked} isInvalid=${false}
                check=${text => problemOf(state, text, state.version)}
                onChange=${async name => {
                    if (client.version !== undefined) client.version = name;
                    if (await client.perform({ command: "renameVersion", version: state.version, to: name }) !== undefined) client.show(client.version);
                }} /></div></div>
        <div class="version-buttons">
            ${version?.isCurrent ? html`<span class="chip">current version</span>` : html`
                <button type="button" disabled=${isLocked} onClick=${() => client.perform({ command: "setCurrentVersion", version: state.version })}>Make current</button>
                <button type="button" disabled=${isLocked} onClick=${async () => {
                    await client.perform({ command: "removeVersion", version: state.version });
                    client.show(undefined);
                }}>Remove version</button>`}
        </div></section>`;
}

"""###),
        ("observable.js", ###"""
// A value that components follow.
import { useEffect, useReducer } from "./lib/preact.js";

/** @template T */
export class Observable {
    /** @param {T} value */
    constructor(value) {
        this.value = value;
        /** @type {Set<() => void>} */
        this.listeners = new Set();
    }

    /** @param {T} value */
    set(value) {
        if (Object.is(value, this.value)) return;
        this.value = value;
        for (const listener of [...this.listeners]) listener();
    }

    /** @param {() => void} listener @returns {() => void} ends it */
    follow(listener) {
        this.listeners.add(listener);
        return () => this.listeners.delete(listener);
    }
}

/** Returns the value, and renders again when it changes. @template T @param {Observable<T>} observable @returns {T} */
export function useObservable(observable) {
    const [, render] = useReducer(/** @param {number} count */ count => count + 1, 0);
    const seen = observable.value;
    useEffect(() => {
        const end = observable.follow(() => render(undefined));
        if (!Object.is(seen, observable.value)) render(undefined);
        return end;
    }, [observable]);
    return observable.value;
}

"""###),
        ("predicates/completion.js", ###"""
// Completes predicates as they are typed, and underlines their mistakes.
import { html, useEffect, useRef, useState } from "../lib/preact.js";
import { stepOf } from "../shell/keynames.js";

/** @typedef {{text: string, kind: string, detail: string}} Item */
/** @typedef {{position: number, length: number, message: string}} Mistake */
/** @typedef {{start: number, items: Item[], mistake: Mistake|null}} Answer */

/** The studio counts characters, scripts count code units. @param {string} text @param {number} units */
const characters = (text, units) => [...text.slice(0, units)].length;

const units = (text, count) => [...text].slice(0, count).join("").length;

/**
 * Completes the text of a field.
 * @param {{
 *   text: string, onText: (text: string) => void, id: string,
 *   ask: ((text: string, caret: number) => Promise<Answer>)|null,
 *   field: {current: HTMLInputElement|HTMLTextAreaElement|null}
 * }} options ask: null where nothing can be completed
 */
export function useCompletion({ text, onText, id, ask, field }) {
    const [answer, setAnswer] = useState(/** @type {Answer & {text: string}} */({ start: 0, items: [], mistake: null, text: "" }));
    const [chosen, setChosen] = useState(0);
    const [isOpen, setOpen] = useState(false);
    const under = useRef(null);
    const asked = useRef(0);
    const { start, items, mistake } = answer;
    const caret = () => field.current?.selectionStart ?? text.length;

    const scrolled = () => {
        if (under.current === null || field.current === null) return;
        [under.current.scrollLeft, under.current.scrollTop] = [field.current.scrollLeft, field.current.scrollTop];
    };
    useEffect(scrolled);

    /** @param {string} typed @param {boolean} opens */
    const look = async (typed, opens) => {
        if (ask === null) return;
        const number = asked.current += 1;
        try {
            const found = await ask(typed, characters(typed, caret()));
            if (number !== asked.current) return;
            setAnswer({ ...found, text: typed });
            setChosen(0);
            setOpen(opens && found.items.length > 0 && document.activeElement === field.current);
        } catch { /* The next key asks again. */ }
    };
    const take = item => {
        const before = text.slice(0, units(text, start)) + item.text;
        const space = ["attribute", "operator", "keyword"].includes(item.kind) ? " " : "";
        const next = before + space + text.slice(caret()).replace(/^ /, space === "" ? " " : "");
        onText(next);
        setOpen(false);
        // The next key may come before it is drawn.
        if (field.current !== null) field.current.value = next;
        field.current?.setSelectionRange(before.length + space.length, before.length + space.length);
        void look(next, item.kind === "toOne" || item.kind === "toMany");
    };
    const part = () => text.slice(units(text, start), caret());
    // A key may be pressed before the items for the last letters have come.
    const isMeant = () => answer.text === text || part() !== "" && items[chosen]?.text.toLowerCase().startsWith(part().toLowerCase());
    /** Takes the keys of the list. @param {KeyboardEvent} event @returns {boolean} whether the key was one */
    const pressed = event => {
        const move = stepOf(event);
        if (event.key === " " && event.ctrlKey) void look(text, true);
        else if (!isOpen) return false;
        else if (move !== 0) setChosen((chosen + move + items.length) % items.length);
        else if (event.key === "Escape") setOpen(false);
        // Enter takes an item only where a word was begun: after a finished predicate it keeps it.
        else if (isMeant() && (event.key === "Tab" || event.key === "Enter" && part() !== "" && part() !== items[chosen]?.text)) take(items[chosen]);
        else return false;
        return true;
    };

    // A word that is still typed is no mistake as long as it can be completed.
    const isUnfinished = isOpen && mistake !== null && mistake.position >= start;
    const wrong = mistake === null || isUnfinished || text.trim() === "" || answer.text !== text ? null : mistake;
    return {
        id, text, under, items, chosen, isOpen, wrong, take, pressed, scrolled,
        typed: typed => { onText(typed); void look(typed, true); },
        close: () => { asked.current += 1; setOpen(false); },
        forget: () => { setOpen(false); setAnswer(before => ({ ...before, mistake: null })); },
        /** What the field tells assistive technology. */
        attributes: {
            role: "combobox", "aria-expanded": isOpen, "aria-controls": `${id}-completion`, "aria-autocomplete": "list",
            "aria-activedescendant": isOpen ? `${id}-item-${chosen}` : undefined, spellcheck: false, autocomplete: "off", onScroll: scrolled,
        },
    };
}

/** Underlines what is wrong, below a field whose letters lie at the same places. */
export function Underlined({ of: { text, wrong, under } }) {
    const from = wrong === null ? 0 : units(text, wrong.position);
    const to = wrong === null ? 0 : from + Math.max(1, units(text.slice(from), wrong.length));
    return html`<div class="underlined" aria-hidden="true" ref=${under}>${wrong && html`
        ${text.slice(0, from)}<u>${text.slice(from, to) || "\u2002"}</u>${text.slice(to)}`}</div>`;
}

/** Lists the items to choose from. */
export const CompletionList = ({ of: { id, items, chosen, isOpen, take } }) => isOpen && html`
    <ul class="completion" id=${`${id}-completion`} role="listbox">${items.slice(0, 40).map((item, index) => html`
        <li id=${`${id}-item-${index}`} key=${item.text} role="option" aria-selected=${index === chosen}
            ref=${each => index === chosen && each?.scrollIntoView({ block: "nearest" })}
            onMouseDown=${event => { event.preventDefault(); take(item); }}>
            <span class=${"completion-kind " + item.kind}></span>
            <span class="code">${item.text}</span><span class="quiet">${item.detail}</span></li>`)}
    </ul>`;

"""###),
        ("predicates/page.css", ###"""
/* Predicates while they are typed: what is wrong, and what may come next. */
.underlined { position: absolute; overflow: hidden; color: transparent; pointer-events: none; }
.underlined u { text-decoration: underline wavy var(--danger); text-decoration-skip-ink: none; text-underline-offset: 3px; }
.completed { position: relative; }
.completed > textarea { display: block; width: 100%; }
.completed > .underlined { inset: 0; padding: calc(var(--space-1) + 1px) calc(var(--space-2) + 1px); font-family: var(--font-code); white-space: pre-wrap; overflow-wrap: break-word; }
td > .underlined { inset: 0; padding: 0 calc(var(--space-2) + 1px); line-height: 1.625rem; white-space: pre; }
.inspector .completion { left: -8rem; right: 0; min-width: 0; }
.inspector .completion .quiet { overflow: hidden; }
@media (max-width: 70rem) { .inspector .completion { left: 0; } }
.completion { position: absolute; z-index: 5; top: calc(100% + 4px); left: 0; max-height: 20rem; min-width: 24rem; overflow: auto; padding: var(--space-1); border: var(--edge); border-radius: var(--radius-large); background: var(--raised); box-shadow: var(--shadow); }
.completion li { display: flex; align-items: center; gap: var(--space-2); padding: 0.15rem var(--space-2); border-radius: var(--radius); white-space: nowrap; }
.completion .quiet { margin-left: auto; padding-left: var(--space-4); font-size: var(--size-small); }
.completion-kind { width: 0.5rem; height: 0.5rem; border-radius: 2px; background: var(--kind-attribute); }
.completion-kind.toOne, .completion-kind.toMany { background: var(--kind-relationship); }
.completion-kind.operator { background: var(--kind-fetch); }
.completion-kind.keyword, .completion-kind.function { background: var(--kind-composite); }

"""###),
        ("profile/events.js", ###"""
// The events of a time as a list, and one of them in full.
import { html } from "../lib/preact.js";
import { get, pathOf } from "../api.js";
import { useAnswer } from "../asking.js";
import { IconButton } from "../shell/icons.js";
import { durationText, titleOf } from "./times.js";

/** @import { Profile, ProfileEvent, Span } from "./page.js" */

/** @param {ProfileEvent} event */
const subjectOf = event => event.kind === "relationship" ? `${event.entity}.${event.detail}` : event.entity ?? "";

/** How long a span has to stay before its events are asked for. */
const pause = 120;

/** @param {{profile: Profile, span: Span, selected: number|null, onSelect: (index: number) => void}} props */
export function EventList({ profile, span, selected, onSelect }) {
    const { answer, error } = useAnswer(async signal => {
        await new Promise(resume => setTimeout(resume, pause));
        return get(`${pathOf("profiles", profile.id, "events")}?from=${span.from}&to=${span.to}`, { signal });
    }, [profile.id, span.from, span.to]);
    const { total, events } = /** @type {{total: number, events: ProfileEvent[]}} */(answer ?? { total: 0, events: [] });
    return html`<section class="profile-events" aria-label="Events">
        ${error !== "" && html`<p class="field-problem">${error}</p>`}
        <p class="quiet">${answer === null ? "" : total > events.length
            ? `The first ${events.length} of ${total.toLocaleString()} events of this time` : `${total.toLocaleString()} events in this time`}</p>
        <div class="profile-table"><table class="summary"><thead><tr><th>At</th><th>Time</th><th>What</th><th>Of</th><th>Rows</th><th>More</th></tr></thead>
            <tbody>${events.map(each => html`<tr key=${each.index} aria-selected=${each.index === selected} onClick=${() => onSelect(each.index)}>
                <td>${durationText(each.start)}</td><td>${durationText(each.duration)}</td>
                <td><button class="plain" onClick=${() => onSelect(each.index)}><span class=${`mark-sample kind-${each.kind}`}></span>${titleOf(each.kind)}</button></td>
                <td>${subjectOf(each)}</td><td>${each.count ?? ""}</td><td class="code">${each.failure ?? (each.kind === "relationship" ? "" : each.detail)}</td></tr>`)}</tbody></table></div>
    </section>`;
}

/** @param {{profile: Profile, index: number, onShow: (span: Span) => void, onClose: () => void}} props */
export function EventDetails({ profile, index, onShow, onClose }) {
    const { answer: event, error } = useAnswer(
        signal => get(pathOf("profiles", profile.id, "events", index), { signal }), [profile.id, index]);
    const isMain = profile.threads.find(each => each.number === event?.thread)?.isMain;
    const rows = event === null ? [] : /** @type {[string, any][]} */([
        ["Began", durationText(event.start)], ["Took", durationText(event.duration)], ["Rows", event.count],
        ["Context", event.context], ["Thread", isMain ? "main thread" : `thread ${event.thread}`], ["Store", event.store],
        ["Failed", event.failure],
    ]).filter(([, value]) => value !== null);
    const around = each =>
        onShow({ from: each.start - each.duration / 10, to: each.start + each.duration * 1.1 });
    return html`<aside class="profile-event" aria-label="Event">
        <header class="inspector-head"><h2>${event === null ? "" : `${titleOf(event.kind)} ${subjectOf(event)}`}</h2>
            <${IconButton} name="close" title="Close" onClick=${onClose} /></header>
        ${error !== "" && html`<p class="field-problem">${error}</p>`}
        ${event !== null && html`
            <dl class="event-facts">${rows.map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
            <button onClick=${() => around(event)}>Show in the time line</button>
            ${event.detail !== null && html`<h3>${event.kind === "statement" ? "SQL" : "Request"}</h3><pre class="code">${event.detail}</pre>`}
            ${(event.calls ?? []).length > 0 && html`<h3>Calls</h3><ol class="event-calls">${event.calls?.map((call, place) => html`<li key=${place}><code>${call}</code></li>`)}</ol>`}`}
    </aside>`;
}

"""###),
        ("profile/findings.js", ###"""
// The findings of a profile, and how long all events of a kind took together.
import { html } from "../lib/preact.js";
import { get, pathOf } from "../api.js";
import { useAnswer } from "../asking.js";
import { Icon } from "../shell/icons.js";
import { durationText, titleOf } from "./times.js";

/** @import { Profile, Span } from "./page.js" */

/**
 * @typedef {{kind: string, message: string, advice: string, count: number, nanoseconds: number, start: number, end: number, calls: string[]}} Finding
 * @typedef {{totals: {kind: string, count: number, nanoseconds: number}[], cacheHits: Record<string, number>, findings: Finding[]}} Review
 */

/** @param {{profile: Profile, onShow: (span: Span) => void}} props */
export function Findings({ profile, onShow }) {
    const { answer: review, error } = useAnswer(signal => get(pathOf("profiles", profile.id, "review"), { signal }), [profile.id]);
    if (error !== "") return html`<p class="field-problem">${error}</p>`;
    if (review === null) return html`<p class="quiet" aria-busy="true">Looking up the names of calls…</p>`;
    const hits = Object.entries(review.cacheHits);
    return html`
        ${review.findings.length === 0 && html`<p class="quiet">Nothing stands out.</p>`}
        <ol class="profile-list">${review.findings.map((each, index) => html`
            <li key=${index} class="profile-finding"><button class="profile-finding-head" title="Show when it happened"
                onClick=${() => onShow({ from: each.start, to: each.end })}>
                <${Icon} name="warning" /><span>${each.message}</span></button>
                ${each.calls.slice(0, 3).map(call => html`<code class="profile-call">${call}</code>`)}
                <p>${each.advice}</p></li>`)}</ol>
        <table class="summary totals"><thead><tr><th>What</th><th>Events</th><th>Time</th></tr></thead>
            <tbody>${review.totals.map(each => html`<tr key=${each.kind}>
                <td><span class=${`mark-sample kind-${each.kind}`}></span>${titleOf(each.kind)}</td>
                <td>${each.count.toLocaleString()}</td><td>${durationText(each.nanoseconds)}</td></tr>`)}</tbody></table>
        ${hits.length > 0 && html`<p class="quiet">Found in the row cache: ${hits.map(([entity, count]) => `${count.toLocaleString()} of ${entity}`).join(", ")}.</p>`}`;
}

"""###),
        ("profile/page.css", ###"""
/* The page of a profile: findings, time line, events. */
.profile-page { flex: 1; min-height: 0; display: flex; overflow: hidden; }
.profile-findings { flex: none; width: 20rem; padding: var(--space-4); overflow: auto; border-right: var(--edge); background: var(--sunken); }
.profile-findings > * + * { margin-top: var(--space-3); }
.profile-middle { flex: 1; min-width: 0; display: flex; flex-direction: column; }
.profile-event { flex: none; width: 21rem; padding: var(--space-4); overflow: auto; border-left: var(--edge); background: var(--sunken); }
.profile-event > * + * { margin-top: var(--space-3); }
.profile-event pre { padding: var(--space-2); border-radius: var(--radius); background: var(--hover); font-size: var(--size-small); white-space: pre-wrap; overflow-wrap: anywhere; }
.profile-event .inspector-head > h2 { flex: 1; overflow-wrap: anywhere; }

.profile-list { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-3); }
.profile-finding { padding: var(--space-3); border: var(--edge); border-radius: var(--radius-large); background: var(--raised); }
.profile-finding > * + * { margin-top: var(--space-2); }
.profile-finding p { color: var(--text-quiet); font-size: var(--size-small); overflow-wrap: anywhere; }
.profile-finding-head { display: flex; align-items: start; gap: var(--space-2); height: auto; padding: 0; border: 0; background: transparent; font-weight: 600; text-align: left; white-space: normal; }
.profile-finding-head > .icon { margin-top: 0.15rem; color: var(--warning); }
.profile-call { display: block; font-size: var(--size-small); overflow-wrap: anywhere; }
.totals { width: 100%; }
.totals td:nth-child(n + 2), .totals th:nth-child(n + 2) { text-align: right; }

.event-facts { display: grid; gap: var(--space-1); }
.event-facts > div { display: grid; grid-template-columns: 5rem minmax(0, 1fr); }
.event-facts dt { color: var(--text-quiet); }
.event-facts dd { overflow-wrap: anywhere; }
.event-calls { display: grid; gap: var(--space-1); overflow-wrap: anywhere; font-size: var(--size-small); }

.timeline { flex: none; max-height: 55%; overflow: hidden auto; border-bottom: var(--edge-strong); }
.timeline > svg { display: block; cursor: grab; touch-action: none; user-select: none; }
.timeline > svg:active { cursor: grabbing; }
.tick > line, .lane-edge { stroke: var(--line); }
.tick > text { fill: var(--text-quiet); font-size: 11px; }
.lane-title { fill: var(--text-quiet); font-size: 11px; font-weight: 600; }
.mark > rect { fill: var(--kind); }
.mark > text { fill: var(--kind-text); font-size: 11px; pointer-events: none; }
.mark:hover > rect, .mark[aria-selected="true"] > rect { stroke: var(--text); stroke-width: 1.5; }
.mark-sample { display: inline-block; width: 0.6rem; height: 0.6rem; margin-right: var(--space-2); border-radius: 2px; background: var(--kind); }
.mark, .mark-sample { --kind: var(--kind-attribute); --kind-text: var(--surface); }
:is(.mark, .mark-sample):is(.kind-fetch, .kind-count) { --kind: light-dark(#2f5cc4, #8fb0ff); }
:is(.mark, .mark-sample).kind-fault { --kind: light-dark(#b3261e, #ff8a80); }
:is(.mark, .mark-sample).kind-relationship { --kind: light-dark(#8a5300, #f0b656); }
:is(.mark, .mark-sample).kind-save { --kind: light-dark(#1a6b3c, #74cf97); }
:is(.mark, .mark-sample).kind-merge { --kind: var(--kind-relationship); }
:is(.mark, .mark-sample).kind-migration { --kind: light-dark(#6a3fb5, #c3a6ff); }

.profile-events { flex: 1; min-height: 0; display: flex; flex-direction: column; }
.profile-events > p { flex: none; padding: var(--space-1) var(--space-3); font-size: var(--size-small); }
.profile-table { flex: 1; min-height: 0; overflow: auto; }
.profile-table table { width: 100%; }
.profile-table :is(td, th):first-child { padding-left: var(--space-3); }
.profile-table td { max-width: 28rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.profile-table .plain { padding: 0; }

@media (max-width: 70rem) {
    .profile-findings { width: 15rem; }
    .profile-event { width: 16rem; }
}
@media (max-width: 50rem) {
    .profile-page { flex-direction: column; overflow: auto; }
    .profile-findings, .profile-event { width: auto; border: 0; }
}

"""###),
        ("profile/page.js", ###"""
// The page of a recorded profile: what it shows to be slow, the time line of each thread, and the events of a time.
import { html, useState } from "../lib/preact.js";
import { get, pathOf } from "../api.js";
import { useAnswer, Waiting } from "../asking.js";
import { useFrame } from "../shell/frame.js";
import { EventDetails, EventList } from "./events.js";
import { Findings } from "./findings.js";
import { Timeline } from "./timeline.js";
import { durationText } from "./times.js";

/**
 * @typedef {object} Profile
 * @property {string} id
 * @property {string} name
 * @property {string} program
 * @property {string[]} arguments
 * @property {string} date
 * @property {number} end the time of the last event, in nanoseconds as all times here
 * @property {number} events
 * @property {boolean} isCutOff
 * @property {{number: number, isMain: boolean, depth: number, events: number}[]} threads
 *
 * @typedef {{from: number, to: number}} Span
 *
 * @typedef {object} ProfileEvent
 * @property {number} index
 * @property {string} kind
 * @property {number} start
 * @property {number} duration
 * @property {string|null} entity
 * @property {string|null} detail
 * @property {number|null} count
 * @property {string|null} context
 * @property {string|null} store
 * @property {string|null} failure
 * @property {number} thread
 * @property {string[]} [calls]
 */

/** @param {{document: import("../shell/documents.js").StudioDocument}} props */
export function Page({ document: opened }) {
    const { answer: profile, error } = useAnswer(signal => get(pathOf("profiles", opened.id), { signal }), [opened.id]);
    if (error !== "" || profile === null) return html`<${Waiting} error=${error} />`;
    return html`<${ProfilePage} profile=${profile} />`;
}

/** @param {{profile: Profile}} props */
function ProfilePage({ profile }) {
    const whole = { from: 0, to: profile.end };
    const [span, setSpan] = useState(whole);
    const [event, setEvent] = useState(null);
    const show = next => setSpan(bounded(next, profile.end));
    const length = span.to - span.from;
    const zoom = (factor, at = span.from + length / 2) =>
        show({ from: at - (at - span.from) * factor, to: at + (span.to - at) * factor });
    const move = part => show({ from: span.from + length * part, to: span.to + length * part });
    useFrame({
        breadcrumb: [{ title: profile.name }],
        actions: [
            { title: "Show the whole run", icon: "fit", keys: "0", run: () => show(whole) },
            { title: "Show less time, larger", icon: "plus", keys: "+", run: () => zoom(0.5) },
            { title: "Show more time, smaller", icon: "minus", keys: "-", run: () => zoom(2) },
        ],
        keys: [
            { keys: "0", title: "The whole run", run: () => show(whole) },
            { keys: "+", title: "Less time, larger", run: () => zoom(0.5) },
            { keys: "-", title: "More time, smaller", run: () => zoom(2) },
            { keys: "Alt+Shift+ArrowLeft", title: "Earlier", run: () => move(-0.25) },
            { keys: "Alt+Shift+ArrowRight", title: "Later", run: () => move(0.25) },
        ],
    });
    return html`<main class="profile-page">
        <aside class="profile-findings" aria-label="Findings">
            <header><h2>${profile.program}</h2>
                <p class="quiet">${new Date(profile.date).toLocaleString()}, ${profile.events.toLocaleString()} events in ${durationText(profile.end)}</p>
                ${profile.isCutOff && html`<p class="field-warning">The last line is not whole: the program was ended while it wrote.</p>`}</header>
            <${Findings} profile=${profile} onShow=${show} />
        </aside>
        <div class="profile-middle">
            <${Timeline} profile=${profile} span=${span} selected=${event} onSpan=${show} onZoom=${zoom} onSelect=${setEvent} />
            <${EventList} profile=${profile} span=${span} selected=${event} onSelect=${setEvent} />
        </div>
        ${event !== null && html`<${EventDetails} profile=${profile} index=${event} onShow=${show} onClose=${() => setEvent(null)} />`}
    </main>`;
}

/** The least time that is shown: 1 µs. */
const leastTime = 1000;

/** Keeps a span within the run, and not too short to be drawn. @param {Span} span @param {number} end @returns {Span} */
function bounded(span, end) {
    const length = Math.min(end, Math.max(Math.min(leastTime, end), span.to - span.from));
    const from = Math.max(0, Math.min(end - length, span.from));
    return { from: Math.floor(from), to: Math.max(Math.floor(from) + 1, Math.ceil(from + length)) };
}

"""###),
        ("profile/timeline.js", ###"""
// The time line: a lane for each thread, in it the events, each below the one in whose time it ran.
import { html, useLayoutEffect, useRef, useState } from "../lib/preact.js";
import { get, pathOf } from "../api.js";
import { useAnswer } from "../asking.js";
import { durationText, ticks, titleOf } from "./times.js";

/** @import { Profile, Span } from "./page.js" */

/** A mark: level, kind, start, end, number of events, the longest one, what that is about. @typedef {[number, string, number, number, number, number, string]} Mark */

/** The heights of the ruler, a level and a lane's title. */
const [ruler, level, title] = [22, 17, 18];

/**
 * @param {{profile: Profile, span: Span, selected: number|null, onSpan: (span: Span) => void,
 *   onZoom: (factor: number, at: number) => void, onSelect: (index: number) => void}} props
 */
export function Timeline({ profile, span, selected, onSpan, onZoom, onSelect }) {
    const host = useRef(null);
    const [width, setWidth] = useState(0);
    const drag = useRef(/** @type {{x: number, span: Span, hasMoved: boolean}|null} */(null));
    const latest = useRef({ span, onZoom });
    latest.current = { span, onZoom };

    useLayoutEffect(() => {
        const element = host.current;
        const watch = new ResizeObserver(() => setWidth(element.clientWidth));
        watch.observe(element);
        const turn = event => {
            event.preventDefault();
            const { from, to } = latest.current.span;
            const at = from + (to - from) * (event.clientX - element.getBoundingClientRect().left) / element.clientWidth;
            latest.current.onZoom(Math.exp(event.deltaY / 300), at);
        };
        element.addEventListener("wheel", turn, { passive: false });
        return () => {
            watch.disconnect();
            element.removeEventListener("wheel", turn);
        };
    }, []);
    const { answer } = useAnswer(signal => width === 0 ? null
        : get(`${pathOf("profiles", profile.id, "timeline")}?from=${span.from}&to=${span.to}&width=${Math.round(width)}`, { signal }),
    [profile.id, span.from, span.to, width]);
    /** @type {Mark[][]} */
    const lanes = answer?.lanes ?? [];

    const place = time => (time - span.from) / (span.to - span.from) * width;
    const pressed = event => {
        if (event.button !== 0) return;
        drag.current = { x: event.clientX, span, hasMoved: false };
        event.currentTarget.setPointerCapture(event.pointerId);
    };
    const moved = event => {
        const { current } = drag;
        if (current === null || !current.hasMoved && Math.abs(event.clientX - current.x) < 4) return;
        current.hasMoved = true;
        const time = (event.clientX - current.x) / width * (current.span.to - current.span.from);
        onSpan({ from: current.span.from - time, to: current.span.to - time });
    };
    const released = event => {
        const { current } = drag;
        drag.current = null;
        if (current === null || current.hasMoved) return;
        const element = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-mark]");
        const [lane, index] = element?.getAttribute("data-mark")?.split(" ").map(Number) ?? [];
        const mark = lanes[lane]?.[index];
        if (mark === undefined) return;
        onSelect(mark[5]);
        const length = mark[3] - mark[2];
        if (mark[4] > 1) onSpan({ from: mark[2] - length / 10, to: mark[3] + length / 10 });
    };
    let top = ruler;
    const drawn = profile.threads.map((thread, index) => {
        const y = top;
        top += title + thread.depth * level + 6;
        return html`<g key=${thread.number} transform=${`translate(0 ${y})`}>
            <text class="lane-title" x="6" y="13">${thread.isMain ? "Main thread" : `Thread ${thread.number}`}</text>
            ${(lanes[index] ?? []).map((mark, number) => html`<${MarkBox} key=${mark[5]} mark=${mark} place=${place} width=${width}
                name=${`${index} ${number}`} isSelected=${mark[5] === selected && mark[4] === 1} />`)}
            <line class="lane-edge" x1="0" x2=${width} y1=${title + thread.depth * level + 3} y2=${title + thread.depth * level + 3} /></g>`;
    });
    return html`<section class="timeline" ref=${host} aria-label="Time line">
        <svg width=${width} height=${top} role="img" aria-label=${`Time line from ${durationText(span.from)} to ${durationText(span.to)}`}
            onPointerDown=${pressed} onPointerMove=${moved} onPointerUp=${released} onPointerCancel=${() => { drag.current = null; }}>
            ${width > 0 && ticks(span.from, span.to).map(time => html`<g key=${time} class="tick">
                <line x1=${place(time)} x2=${place(time)} y1="0" y2=${top} /><text x=${place(time) + 4} y="14">${durationText(time)}</text></g>`)}
            ${width > 0 && drawn}
        </svg></section>`;
}

/** @param {{mark: Mark, place: (time: number) => number, width: number, name: string, isSelected: boolean}} props */
function MarkBox({ mark: [depth, kind, start, end, count, , subject], place, width, name, isSelected }) {
    const left = Math.max(-2, place(start));
    const length = Math.max(1.5, Math.min(width + 2, place(end)) - left);
    const what = `${titleOf(kind)} ${subject}`.trim();
    const label = count > 1 ? `${count} events, the longest: ${what}` : what;
    // A text of a drawing has no ellipsis: letters of 11 points are 6.5 wide at most on the average.
    const letters = Math.floor((length - 8) / 6.5);
    return html`<g class=${`mark kind-${kind}`} data-mark=${name} aria-selected=${isSelected}>
        <title>${label}, ${durationText(end - start)}</title>
        <rect x=${left} y=${title + depth * level} width=${length} height=${level - 2} rx="2" />
        ${letters > 3 && html`<text x=${Math.max(left, 0) + 4} y=${title + depth * level + 11.5}>${label.length > letters ? label.slice(0, letters - 1) + "…" : label}</text>`}</g>`;
}

"""###),
        ("profile/times.js", ###"""
// Times and kinds as the pages of a profile show them.

/** Writes a duration with three digits: 1.25 ms. @param {number} nanoseconds */
export function durationText(nanoseconds) {
    if (nanoseconds >= 1e9) return `${(nanoseconds / 1e9).toPrecision(3)} s`;
    if (nanoseconds >= 1e6) return `${(nanoseconds / 1e6).toPrecision(3)} ms`;
    if (nanoseconds >= 1000) return `${(nanoseconds / 1000).toPrecision(3)} µs`;
    return `${Math.round(nanoseconds)} ns`;
}

/** Returns round times within a span, a dozen at most. @param {number} from @param {number} to @returns {number[]} */
export function ticks(from, to) {
    const rough = (to - from) / 8;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = power * ([1, 2, 5, 10].find(each => each * power >= rough) ?? 10);
    const found = [];
    for (let time = Math.ceil(from / step) * step; time <= to; time += step) found.push(time);
    return found;
}

/** Names a kind of events, for people. @param {string} kind */
export const titleOf = kind => kind.slice(0, 1).toUpperCase() + kind.slice(1);

"""###),
        ("queue.js", ###"""
// Work that is done one after the other, in the order in which it was begun.

export class Queue {
    last = Promise.resolve();

    /** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
    add(work) {
        const result = this.last.then(work);
        this.last = result.then(() => {}, () => {});
        return result;
    }
}

"""###),
        ("router.js", ###"""
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

"""###),
        ("shell/bar.js", ###"""
// The top bar: where one is, commands of the view, search, undo, redo, save.
import { html, useEffect, useState } from "../lib/preact.js";
import { onEvent } from "../api.js";
import { useObservable } from "../observable.js";
import { frame } from "./frame.js";
import { Icon, IconButton } from "./icons.js";
import { keyLabel } from "./keynames.js";
import { togglePalette } from "./overlays.js";

/** @import { Action, Status } from "./frame.js" */

/** @param {{parts: {title: string, url?: string}[]}} props */
const Breadcrumb = ({ parts }) => html`
    <nav class="breadcrumb" aria-label="Place"><ol>${parts.map((part, index) => html`<li key=${index}>
        ${part.url === undefined ? html`<span aria-current="page">${part.title}</span>`
            : html`<a href=${part.url}>${part.title}</a>`}</li>`)}</ol></nav>`;

/** @param {{action: Action}} props */
const BarAction = ({ action: { title, keys, icon, isPressed, isEnabled, run } }) => html`
    <${IconButton} name=${icon} title=${title} keys=${keys} aria-pressed=${isPressed} disabled=${isEnabled === false} onClick=${() => run()} />`;

/** @param {{status: Status}} props */
function Changes({ status }) {
    const { undo, redo, save, text } = status;
    const count = save?.count ?? 0;
    const steps = [["Undo", "undo", undo, "Ctrl+Z"], ["Redo", "redo", redo, "Ctrl+Shift+Z"]];
    return html`
        ${text && html`<span class="chip"><${Icon} name="lock" />${text}</span>`}
        ${(undo !== undefined || redo !== undefined) && html`<div class="bar-group">${steps.map(([name, icon, step, keys]) => html`
            <${IconButton} name=${icon} title=${step ? `${name}: ${step.title}` : name} keys=${keys} disabled=${!step} onClick=${() => step?.run()} />`)}</div>`}
        ${save !== undefined && html`<button class=${"save " + (count > 0 ? "main" : "")}
            disabled=${!save || count === 0 || save.isBusy} title=${`Save (${keyLabel("Ctrl+S")})`} onClick=${() => save?.run()}>
            <${Icon} name="save" />Save${count > 0 && html`<span class="badge" aria-label=${count === 1 ? "1 change" : `${count} changes`}>${count}</span>`}
        </button>`}`;
}

function Connection() {
    const [isOpen, setOpen] = useState(true);
    useEffect(() => onEvent("connection", data => setOpen(data.isOpen)), []);
    if (isOpen) return null;
    return html`<div class="connection" role="alert"><${Icon} name="warning" />
        <span>The studio does not answer. What you type is kept; the page reconnects by itself.</span></div>`;
}

export function Bar() {
    const { breadcrumb = [], actions = [], status = {} } = useObservable(frame);
    const shown = actions.filter(action => action.icon !== undefined);
    return html`
        <header class="bar">
            <${Breadcrumb} parts=${breadcrumb} />
            ${shown.length > 0 && html`<div class="bar-group" role="toolbar" aria-label="Commands">
                ${shown.map(action => html`<${BarAction} key=${action.title} action=${action} />`)}</div>`}
            <button class="search-everything" onClick=${togglePalette}>
                <${Icon} name="search" /><span>Go to or run anything</span><kbd>${keyLabel("Ctrl+K")}</kbd></button>
            <${Changes} status=${status} />
        </header>
        <${Connection} />`;
}

"""###),
        ("shell/dialogs.js", ###"""
// Dialogs: modal, closed by Esc, with the focus back where it was.
import { html, useEffect, useLayoutEffect, useRef } from "../lib/preact.js";
import { Observable, useObservable } from "../observable.js";

/**
 * @typedef {{title: string, value: string, kind?: "main"|"danger"}} Choice
 * @typedef {{title: string, text?: any, choices: Choice[], answer: (value: string|undefined) => void}} Question
 */

/** @type {Observable<Question[]>} */
const questions = new Observable(/** @type {Question[]} */([]));

/**
 * A modal dialog that is shown as long as it is rendered.
 * @param {{title: string, className?: string, hasTitle?: boolean, onClose: () => void, children?: any}} props
 */
export function Dialog({ title, className = "", hasTitle = true, onClose, children }) {
    const element = useRef(null);
    useLayoutEffect(() => {
        const before = document.activeElement;
        element.current?.showModal();
        return () => {
            element.current?.close();
            if (before instanceof HTMLElement && before.isConnected) before.focus();
        };
    }, []);
    const cancelled = event => {
        event.preventDefault();
        onClose();
    };
    const pressed = event => {
        if (event.target === element.current) onClose();
    };
    return html`
        <dialog ref=${element} class=${className} aria-label=${title} onCancel=${cancelled} onMouseDown=${pressed}>
            <div class="dialog-body">${hasTitle && html`<h2>${title}</h2>`}${children}</div>
        </dialog>`;
}

/**
 * Asks, and returns the value of the choice; undefined if the dialog was closed.
 * @param {{title: string, text?: any, choices: Choice[]}} question
 * @returns {Promise<string|undefined>}
 */
export function ask(question) {
    return new Promise(answer => questions.set([...questions.value, { ...question, answer }]));
}

/** What is asked now. */
export function Questions() {
    const question = useObservable(questions)[0];
    const main = useRef(null);
    useEffect(() => main.current?.focus(), [question]);
    if (question === undefined) return null;
    const answer = value => {
        questions.set(questions.value.slice(1));
        question.answer(value);
    };
    return html`
        <${Dialog} key=${question} title=${question.title} className="question" onClose=${() => answer(undefined)}>
            ${question.text && html`<div class="dialog-text">${question.text}</div>`}
            <div class="dialog-buttons">
                <button onClick=${() => answer(undefined)}>Cancel</button>
                ${question.choices.map(choice => html`
                    <button class=${choice.kind ?? ""} ref=${choice.kind === "main" ? main : undefined}
                        onClick=${() => answer(choice.value)}>${choice.title}</button>`)}
            </div>
        <//>`;
}

"""###),
        ("shell/documents.js", ###"""
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

"""###),
        ("shell/frame.js", ###"""
// What the view of a page puts into the frame around it: breadcrumb, commands, keys, undo, save, panels.
import { useLayoutEffect } from "../lib/preact.js";
import { Observable } from "../observable.js";

/**
 * @typedef {object} Action a command: in the palette (Ctrl+K), and in the bar if `icon` is given
 * @property {string} title
 * @property {() => void} run
 * @property {string} [keys] "Ctrl+Shift+N"; bound by `keys`, shown here
 * @property {string} [icon] a name of icons.js
 * @property {boolean} [isEnabled] true unless given
 * @property {boolean} [isPressed] for a switch in the bar
 *
 * @typedef {object} Key a key of the view
 * @property {string} keys "F8", "Ctrl+Shift+Z", "Alt+ArrowUp"; Ctrl is Cmd on macOS
 * @property {string} title what it does, for the list behind `?`
 * @property {((event: KeyboardEvent) => boolean|void)} [run] false: not taken, the browser goes on; without
 *   it the key is only listed, and a component handles it
 * @property {boolean} [inFields] whether it also works while one types in a field
 *
 * @typedef {object} Panel a panel of the bottom strip
 * @property {string} id
 * @property {string} title
 * @property {number|string} [badge]
 * @property {"error"|"warning"|"changed"|"quiet"} [tone]
 * @property {() => any} render what it shows when it is open
 *
 * @typedef {object} Status
 * @property {{title: string, run: () => void}|null} [undo] what Ctrl+Z takes back; null if nothing
 * @property {{title: string, run: () => void}|null} [redo]
 * @property {{count: number, run: () => void, isBusy?: boolean}|null} [save] count: of changes not saved
 * @property {string} [text] a word beside them: "read only"
 * @property {Panel[]} [panels]
 *
 * @typedef {object} Found something that Ctrl+K found
 * @property {string} title
 * @property {string} [detail]
 * @property {string} [icon]
 * @property {string} [url] where it leads, or:
 * @property {() => void} [run]
 *
 * @typedef {object} Frame
 * @property {{title: string, url?: string}[]} [breadcrumb]
 * @property {Action[]} [actions]
 * @property {Key[]} [keys]
 * @property {Status} [status]
 * @property {(text: string) => Found[]|Promise<Found[]>} [search] what of this document a text finds
 */

/** What the view that is shown now has put in. @type {Observable<Frame>} */
export const frame = new Observable(/** @type {Frame} */({}));

/** The keys of a part of the view, which come before those of the view itself. */
export const innerKeys = new Observable(/** @type {Key[]} */([]));

/** Adds keys for as long as a component is shown; to be called at each of its renderings. @param {Key[]} keys */
export function useKeys(keys) {
    useLayoutEffect(() => innerKeys.set(keys));
    useLayoutEffect(() => () => innerKeys.set([]), []);
}

/** The panel that is open, by its ID. */
export const openPanel = new Observable("");

/** Puts a view's part into the frame; to be called at each rendering of the page. @param {Frame} value */
export function useFrame(value) {
    useLayoutEffect(() => {
        frame.set(value);
        const title = (value.breadcrumb ?? []).map(each => each.title).reverse();
        document.title = [...title, "Core Data Studio"].join(" – ");
    });
    useLayoutEffect(() => () => frame.set({}), []);
}

"""###),
        ("shell/help.js", ###"""
// The list of keys of the view that is shown.
import { html } from "../lib/preact.js";
import { useObservable } from "../observable.js";
import { Dialog } from "./dialogs.js";
import { frame, innerKeys } from "./frame.js";
import { keyLabel } from "./keynames.js";
import { shellKeys } from "./keys.js";
import { isHelpOpen, toggleHelp } from "./overlays.js";

/** @param {{title: string, keys: import("./frame.js").Key[]}} props */
const KeyList = ({ title, keys }) => html`
    <section><h3>${title}</h3><dl class="keys">${keys.map(each => html`
        <div><dt><kbd>${keyLabel(each.keys)}</kbd></dt><dd>${each.title}</dd></div>`)}</dl></section>`;

export function Help() {
    const { keys: outer = [], actions = [] } = useObservable(frame);
    const keys = [...useObservable(innerKeys), ...outer];
    if (!useObservable(isHelpOpen)) return null;
    const listed = new Set(keys.map(each => each.keys));
    const more = actions.filter(each => each.keys !== undefined && !listed.has(each.keys))
        .map(each => ({ keys: each.keys, title: each.title }));
    const own = [...keys, ...more];
    return html`
        <${Dialog} title="Keys" className="help" onClose=${toggleHelp}>
            <div class="key-lists">
                ${own.length > 0 && html`<${KeyList} title="This view" keys=${own} />`}
                <${KeyList} title="Everywhere" keys=${[...shellKeys(), { keys: "Alt+ArrowLeft", title: "Back" },
                    { keys: "Escape", title: "Close or leave" }]} />
            </div>
            <div class="dialog-buttons"><button onClick=${toggleHelp}>Close</button></div>
        <//>`;
}

"""###),
        ("shell/icons.js", ###"""
// The icons: outlines of 16 by 16 points in the colour of the text.
import { html } from "../lib/preact.js";
import { keyLabel } from "./keynames.js";

/** @type {Record<string, string>} */
const outlines = {
    model: "M2.5 3h5v4h-5zM8.5 9h5v4h-5zM7.5 5H11v4",
    store: "M2.5 4c0-1.1 2.5-2 5.5-2s5.5.9 5.5 2-2.5 2-5.5 2-5.5-.9-5.5-2zM2.5 4v8c0 1.1 2.5 2 5.5 2s5.5-.9 5.5-2V4M2.5 8c0 1.1 2.5 2 5.5 2s5.5-.9 5.5-2",
    entity: "M2.5 3h11v10h-11zM2.5 6h11M6.5 6v7",
    attribute: "M3 4.5h10M3 8h10M3 11.5h6",
    relationship: "M2 8h12M10.5 4.5 14 8l-3.5 3.5",
    version: "M8 2v12M4 5.5h8M4 10.5h8",
    configuration: "M2.5 4.5h7M12.5 4.5h1M2.5 11.5h1M6.5 11.5h7M11 3v3M5 10v3",
    composite: "M8 2 14 5 8 8 2 5zM2 8l6 3 6-3M2 11l6 3 6-3",
    search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.3 10.3 14 14",
    profile: "M2.5 3.5h6M5 6.5h8.5M3.5 9.5h5M7 12.5h6.5",
    undo: "M6 3 2.5 6.5 6 10M2.5 6.5H10a3.5 3.5 0 0 1 0 7H7",
    redo: "M10 3l3.5 3.5L10 10M13.5 6.5H6a3.5 3.5 0 0 0 0 7h3",
    save: "M3 2.5h8L13.5 5v8.5h-11v-11zM5.5 2.5V6h5V2.5M5 13.5V9h6v4.5",
    help: "M6 6a2 2 0 1 1 2.8 1.8c-.5.3-.8.7-.8 1.4M8 11.5v.5M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8z",
    info: "M8 7.2V11.5M8 4.5v.5M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8z",
    error: "M8 4.5v4.3M8 11v.5M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8z",
    warning: "M8 2 14.5 13.5h-13zM8 6.5v3.3M8 11.3v.5",
    close: "M4 4l8 8M12 4l-8 8",
    plus: "M8 3v10M3 8h10",
    minus: "M3 8h10",
    trash: "M3 4.5h10M6 4.5V2.8h4v1.7M4.2 4.5l.6 9h6.4l.6-9M6.7 7v4M9.3 7v4",
    chevron: "M6 3.5 10.5 8 6 12.5",
    down: "M3.5 6 8 10.5 12.5 6",
    table: "M2.5 3h11v10h-11zM2.5 6.3h11M2.5 9.7h11M6.5 3v10",
    graph: "M2 3h4.5v3.5H2zM9.5 9.5H14V13H9.5zM2 9.5h4.5V13H2zM6.5 4.8h5.2v4.7M6.5 11.3h3",
    light: "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9",
    dark: "M13 9.8A5.5 5.5 0 0 1 6.2 3a5.5 5.5 0 1 0 6.8 6.8z",
    automatic: "M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11",
    lock: "M4 7.5h8v6H4zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5",
    reload: "M13 8a5 5 0 1 1-1.5-3.5M13 2v3h-3",
    download: "M8 2.5v8M4.5 7 8 10.5 11.5 7M3 13.5h10",
    link: "M6.5 9.5l3-3M7 5l1.5-1.5a2.8 2.8 0 0 1 4 4L11 9M5 7 3.5 8.5a2.8 2.8 0 0 0 4 4L9 11",
    history: "M2.5 8A5.5 5.5 0 1 0 4 4.2L2.5 5.5M2.5 2.5v3h3M8 5v3.3l2.2 1.4",
    check: "M3 8.5 6.5 12 13 4.5",
    filter: "M2.5 3h11L9.5 8.5v4l-3 1.5V8.5z",
    more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
    arrange: "M6 2.5h4v3H6zM2 10.5h4v3H2zM10 10.5h4v3h-4zM8 5.5v2.5M4 10.5V8h8v2.5",
    alignLeft: "M2.5 2v12M5 4h8.5v2.5H5zM5 9.5h5V12H5z",
    alignCentre: "M8 2v2M8 6.5v3M8 12v2M3.5 4h9v2.5h-9zM5.5 9.5h5V12h-5z",
    alignRight: "M13.5 2v12M11 4H2.5v2.5H11zM11 9.5H6V12h5z",
    alignTop: "M2 2.5h12M4 5v8.5h2.5V5zM9.5 5v5H12V5z",
    alignMiddle: "M2 8h2M6.5 8h3M12 8h2M4 3.5v9h2.5v-9zM9.5 5.5v5H12v-5z",
    alignBottom: "M2 13.5h12M4 11V2.5h2.5V11zM9.5 11V6H12v5z",
    distributeAcross: "M2.5 2v12M13.5 2v12M6.5 4.5h3v7h-3z",
    distributeDown: "M2 2.5h12M2 13.5h12M4.5 6.5h7v3h-7z",
    fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
};

/** @param {{name: string, title?: string}} props */
export const Icon = ({ name, title }) => html`
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden=${title === undefined ? "true" : undefined}
        role=${title === undefined ? undefined : "img"} aria-label=${title}>
        <path d=${outlines[name] ?? outlines.info} /></svg>`;

/** A button that is an icon or a sign. Its label is its title, or says more. @param {any} props */
export const IconButton = ({ name, title, label = title, keys, className = "", children, ...more }) => html`
    <button type="button" class=${"icon-button " + className} title=${keys ? `${title} (${keyLabel(keys)})` : title} aria-label=${label}
        ...${more}>${name === undefined ? children : html`<${Icon} name=${name} />`}</button>`;

"""###),
        ("shell/keynames.js", ###"""
// Keys by name: "Ctrl+Shift+Z", where Ctrl is Cmd on macOS.

const isMac = /^Mac/.test(navigator.platform);

/** Tells whether a key event is what a text like "Ctrl+Shift+Z" names. @param {KeyboardEvent} event @param {string} keys */
export function matches(event, keys) {
    const parts = keys.split("+");
    const named = parts.pop() || "+";
    const has = name => parts.includes(name);
    const control = isMac ? event.metaKey : event.ctrlKey;
    const other = isMac ? event.ctrlKey : event.metaKey;
    if (other || control !== has("Ctrl") || event.altKey !== has("Alt")) return false;
    if (named.length > 1 || /[a-z]/i.test(named)) {
        if (event.shiftKey !== has("Shift")) return false;
    }
    const key = event.key === " " ? "Space" : event.key;
    // With Alt, some layouts type another character; the place of the key tells which one was meant.
    return key.toLowerCase() === named.toLowerCase() || event.altKey && event.code === "Key" + named.toUpperCase();
}

/** Writes keys as the platform does, for menus and help. @param {string} keys */
export function keyLabel(keys) {
    const words = keys.replace("Arrow", "").replace("Delete", "Del").replace("Insert", "Ins");
    if (!isMac) return words;
    return words.replace("Ctrl+", "⌘").replace("Shift+", "⇧").replace("Alt+", "⌥");
}

/** Returns the step along a list that an arrow key means; 0 for another key. @param {KeyboardEvent} event */
export const stepOf = event => ({ ArrowDown: 1, ArrowUp: -1 })[event.key] ?? 0;

/** Tells whether one types in the element. @param {EventTarget|null} target */
export function isField(target) {
    if (!(target instanceof HTMLElement)) return false;
    if (target instanceof HTMLInputElement) return !["checkbox", "radio", "button", "range"].includes(target.type);
    return target instanceof HTMLTextAreaElement || target.isContentEditable;
}

"""###),
        ("shell/keys.js", ###"""
// The keys of the page: those of the view first, then those of the shell.
import { frame, innerKeys } from "./frame.js";
import { isField, matches } from "./keynames.js";
import { toggleHelp, togglePalette } from "./overlays.js";

/** The keys that every view has. @returns {import("./frame.js").Key[]} */
export function shellKeys() {
    const { undo, redo, save } = frame.value.status ?? {};
    const undone = () => void undo?.run();
    const redone = () => void redo?.run();
    return [
        { keys: "Ctrl+K", title: "Go to or run anything", run: togglePalette, inFields: true },
        { keys: "Ctrl+S", title: "Save", run: () => void save?.run(), inFields: true },
        { keys: "Ctrl+Z", title: "Undo", run: undone },
        { keys: "Ctrl+Shift+Z", title: "Redo", run: redone },
        { keys: "Ctrl+Y", title: "Redo", run: redone },
        { keys: "?", title: "Keys of this view", run: toggleHelp },
    ];
}

/** Handles keys that no component took. */
export function startKeys() {
    document.addEventListener("keydown", event => {
        if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]")) return;
        const typing = isField(event.target);
        for (const key of [...innerKeys.value, ...(frame.value.keys ?? []), ...shellKeys()]) {
            if (key.run === undefined || typing && !key.inFields || !matches(event, key.keys)) continue;
            if (key.run(event) === false) continue;
            event.preventDefault();
            return;
        }
    });
}

"""###),
        ("shell/notices.js", ###"""
// What the page tells without being asked: politely to screen readers, and as a notice in the corner.
import { html } from "../lib/preact.js";
import { Observable, useObservable } from "../observable.js";
import { Icon, IconButton } from "./icons.js";

/** @typedef {{id: number, title: string, detail?: string, tone?: "error"|"good"|"quiet", action?: {title: string, run: () => void}}} Notice */

const announcement = new Observable("");
/** @type {Observable<Notice[]>} */
const notices = new Observable(/** @type {Notice[]} */([]));
let count = 0;

/** How long a notice stays; errors stay until they are closed. */
const shownMilliseconds = 5000;

/** Has screen readers say a text. @param {string} text */
export function announce(text) {
    // A text that is said again has to differ.
    announcement.set(announcement.value === text ? text + "\u00a0" : text);
}

/** Shows a notice, and announces it. @param {Omit<Notice, "id">} notice */
export function notify(notice) {
    const id = count += 1;
    notices.set([...notices.value.filter(each => each.title !== notice.title), { ...notice, id }].slice(-4));
    announce([notice.title, notice.detail].filter(Boolean).join(". "));
    if (notice.tone !== "error") setTimeout(() => close(id), shownMilliseconds);
}

/** @param {number} id */
const close = id => notices.set(notices.value.filter(each => each.id !== id));

/** Shows why something failed; a request that was cancelled is no failure. @param {any} error */
export function notifyError(error) {
    if (error?.name === "AbortError") return;
    console.error(error);
    notify({ title: error?.message ?? String(error), detail: error?.details?.hint, tone: "error" });
}

export function Notices() {
    const all = useObservable(notices);
    return html`
        <div class="visually-hidden" role="status" aria-live="polite">${useObservable(announcement)}</div>
        <div class="notices">${all.map(notice => html`
            <div class=${"notice " + (notice.tone ?? "quiet")} key=${notice.id}>
                <${Icon} name=${notice.tone === "error" ? "error" : "info"} />
                <div class="notice-text"><b>${notice.title}</b>${notice.detail && html`<span>${notice.detail}</span>`}</div>
                ${notice.action && html`<button class="plain" onClick=${() => {
                    close(notice.id);
                    notice.action?.run();
                }}>${notice.action.title}</button>`}
                <${IconButton} name="close" title="Close" onClick=${() => close(notice.id)} />
            </div>`)}
        </div>`;
}

"""###),
        ("shell/overlays.css", ###"""
/* What lies above the page: dialogs, palette, help, notices. */
dialog {
    max-width: min(40rem, calc(100vw - 2rem));
    max-height: calc(100vh - 4rem);
    padding: 0;
    border: var(--edge-strong);
    border-radius: var(--radius-large);
    background: var(--raised);
    color: var(--text);
    box-shadow: var(--shadow);
}
dialog::backdrop { background: light-dark(#1c212733, #00000080); }
.dialog-body { display: grid; gap: var(--space-3); padding: var(--space-4); }
.dialog-text { max-width: 34rem; color: var(--text-quiet); white-space: pre-line; }
.dialog-buttons { display: flex; justify-content: flex-end; gap: var(--space-2); }

dialog.palette { width: min(36rem, calc(100vw - 2rem)); margin-top: 12vh; overflow: hidden; }
.palette .dialog-body { gap: 0; padding: 0; }
.palette-field { display: flex; align-items: center; gap: var(--space-2); padding: 0 var(--space-3); border-bottom: var(--edge); color: var(--text-quiet); }
.palette-field input[type="text"] { flex: 1; height: 2.75rem; padding: 0; border: 0; outline: 0; background: transparent; color: var(--text); font-size: var(--size-large); }
.palette ul { max-height: 50vh; overflow: auto; padding: var(--space-1); }
.palette li { display: flex; align-items: center; gap: var(--space-2); height: 2rem; padding: 0 var(--space-2); border-radius: var(--radius); }
.palette li > .icon { color: var(--text-quiet); }
.palette-none { padding: var(--space-2) var(--space-4) var(--space-4); }

.key-lists { display: grid; grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); gap: var(--space-6); }
dialog.help { width: 40rem; }
.keys > div { display: flex; gap: var(--space-3); padding: 3px 0; }
.keys dt { flex: none; width: 7.5rem; }

.notices { position: fixed; z-index: 10; right: var(--space-4); bottom: calc(var(--row) + var(--space-3)); display: grid; gap: var(--space-2); width: min(26rem, calc(100vw - 2rem)); pointer-events: none; }
.notice {
    display: flex;
    align-items: flex-start;
    gap: var(--space-2);
    padding: var(--space-2) var(--space-3);
    border: var(--edge-strong);
    border-left-width: 3px;
    border-radius: var(--radius);
    background: var(--raised);
    box-shadow: var(--shadow);
    pointer-events: auto;
}
.notice > .icon { margin-top: 0.3rem; }
.notice.error { border-left-color: var(--danger); }
.notice.good { border-left-color: var(--good); }
.notice-text { flex: 1; display: grid; padding-top: 0.25rem; overflow-wrap: anywhere; white-space: pre-line; }
.notice-text b { font-weight: 600; }

"""###),
        ("shell/overlays.js", ###"""
// What lies above the page when it is open: the palette and the list of keys.
import { Observable } from "../observable.js";

export const isPaletteOpen = new Observable(false);
export const isHelpOpen = new Observable(false);

export const togglePalette = () => isPaletteOpen.set(!isPaletteOpen.value);
export const toggleHelp = () => isHelpOpen.set(!isHelpOpen.value);

"""###),
        ("shell/palette.js", ###"""
// Ctrl+K: go to any document or element, run any command of the view.
import { html, useEffect, useRef, useState } from "../lib/preact.js";
import { useAnswer } from "../asking.js";
import { useObservable } from "../observable.js";
import { navigate, urlOf } from "../router.js";
import { Dialog } from "./dialogs.js";
import { documentKinds, documents } from "./documents.js";
import { frame } from "./frame.js";
import { Icon } from "./icons.js";
import { keyLabel } from "./keynames.js";
import { isPaletteOpen, toggleHelp, togglePalette } from "./overlays.js";
import { setTheme, themes } from "./theme.js";
import { rank } from "./ranking.js";

/** @typedef {import("./frame.js").Found & {keys?: string}} Item */

/** What the palette offers besides what the view finds. @returns {Item[]} */
function offered() {
    const { actions = [] } = frame.value;
    return [
        ...actions.filter(each => each.isEnabled !== false).map(each => ({ icon: "chevron", ...each, detail: "command" })),
        ...documentKinds.flatMap(([page, , icon]) => documents.value[page].map(each =>
            ({ title: each.name, detail: icon, icon, url: urlOf([page, each.id]) }))),
        ...themes.map(([icon, title]) => ({ title, icon, detail: "command", run: () => setTheme(icon) })),
        { title: "Keys of this view", icon: "help", keys: "?", detail: "command", run: toggleHelp },
    ];
}

/** The most that is listed. */
const shownCount = 50;

/** Returns what fits a text, those of the view first where it was asked. @param {string} text @returns {Promise<Item[]>} */
async function found(text) {
    const own = text === "" ? [] : await Promise.resolve(frame.value.search?.(text) ?? []).catch(() => []);
    return [...own, ...rank(offered(), text)].slice(0, shownCount);
}

export function Palette() {
    return useObservable(isPaletteOpen) ? html`<${OpenPalette} />` : null;
}

function OpenPalette() {
    const [text, setText] = useState("");
    const items = useAnswer(() => found(text), [text]).answer ?? [];
    const [index, setIndex] = useState(0);
    const list = useRef(null);
    useEffect(() => setIndex(0), [items]);
    useEffect(() => list.current?.children[index]?.scrollIntoView({ block: "nearest" }), [index]);

    const choose = item => {
        if (item === undefined) return;
        togglePalette();
        // After the dialog has given back the focus.
        setTimeout(() => item.url === undefined ? item.run?.() : navigate(item.url));
    };
    const keyed = event => {
        const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
        if (step !== undefined) setIndex(Math.max(0, Math.min(items.length - 1, index + step)));
        else if (event.key === "Enter") choose(items[index]);
        else if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) togglePalette();
        else return;
        event.preventDefault();
    };
    return html`
        <${Dialog} title="Go to or run anything" hasTitle=${false} className="palette" onClose=${togglePalette}>
            <div class="palette-field"><${Icon} name="search" />
                <input type="text" role="combobox" aria-expanded="true" aria-controls="palette-list" autofocus
                    aria-activedescendant=${items.length > 0 ? `palette-${index}` : undefined} spellcheck=${false}
                    aria-label="Go to or run anything" placeholder="Entity, property, document or command"
                    value=${text} onInput=${event => setText(event.target.value)} onKeyDown=${keyed} />
            </div>
            <ul role="listbox" id="palette-list" aria-label="Found" ref=${list}>${items.map((item, number) => html`
                <li role="option" id=${`palette-${number}`} aria-selected=${number === index}
                    onMouseMove=${() => setIndex(number)} onClick=${() => choose(item)}>
                    <${Icon} name=${item.icon ?? "chevron"} /><span class="cut">${item.title}</span>
                    ${item.detail && html`<span class="quiet">${item.detail}</span>`}
                    ${item.keys && html`<kbd>${keyLabel(item.keys)}</kbd>`}
                </li>`)}</ul>
            ${items.length === 0 && text !== "" && html`<p class="palette-none quiet">Nothing is named so.</p>`}
        <//>`;
}

"""###),
        ("shell/preferences.js", ###"""
// What the user likes, kept by the studio: a page can keep it for its port alone, which is another one at each start.
import { change } from "../api.js";
import { documents } from "./documents.js";

/** @param {string} name @returns {any} */
export const preference = name => documents.value.preferences?.[name];

/** @param {string} name @param {any} value */
export function prefer(name, value) {
    const { preferences, ...rest } = documents.value;
    documents.set({ ...rest, preferences: { ...preferences, [name]: value } });
    void change("/preferences", { name, value }).catch(() => {});
}

"""###),
        ("shell/rail.js", ###"""
// The left rail: what is open, and how the page looks.
import { html } from "../lib/preact.js";
import { urlOf, useRoute } from "../router.js";
import { documentKinds, useDocuments } from "./documents.js";
import { Icon, IconButton } from "./icons.js";
import { currentTheme, setTheme, themes } from "./theme.js";
import { toggleHelp } from "./overlays.js";

/** @param {{title: string, page: string, icon: string, all: import("./documents.js").StudioDocument[]}} props */
function DocumentList({ title, page, icon, all }) {
    const route = useRoute();
    if (all.length === 0) return null;
    return html`
        <h2>${title}</h2>
        <ul>${all.map(each => {
            const isCurrent = route.page === page && route.document === each.id;
            return html`<li key=${each.id}><a href=${urlOf([page, each.id])} title=${each.path}
                aria-current=${isCurrent ? "page" : undefined}>
                <${Icon} name=${icon} /><span class="cut">${each.name}</span>
                ${(each.changes ?? 0) > 0 && html`<span class="dot" title="not saved" aria-label="not saved"></span>`}
            </a></li>`;
        })}</ul>`;
}

export function Rail() {
    const all = useDocuments();
    return html`
        <nav class="rail" aria-label="Documents">
            <a class="rail-home" href="#/"><img src="/icon.svg" alt="" width="20" height="20" /><b>Core Data Studio</b></a>
            <div class="rail-documents">
                ${documentKinds.map(([page, title, icon]) => html`
                    <${DocumentList} key=${page} title=${title} page=${page} icon=${icon} all=${all[page]} />`)}
            </div>
            ${all.isReadOnly && html`<p class="rail-note note"><${Icon} name="lock" /> opened for reading only</p>`}
            <div class="rail-foot">
                <div class="segments" role="group" aria-label="Colours">${themes.map(([name, title]) => html`
                    <${IconButton} name=${name} title=${title} aria-pressed=${currentTheme() === name} onClick=${() => setTheme(name)} />`)}
                </div>
                <${IconButton} name="help" title="Keys of this view" keys="?" onClick=${toggleHelp} />
            </div>
        </nav>`;
}

"""###),
        ("shell/ranking.js", ###"""
// Which names fit a text that one types, the best first.

/**
 * Scores a name: 0 if the letters of the text are not in it, in their order. Beginnings of words count more.
 * @param {string} name
 * @param {string} text
 */
function score(name, text) {
    const lower = name.toLowerCase();
    const wanted = text.toLowerCase();
    if (lower === wanted) return 1000;
    if (lower.startsWith(wanted)) return 800 - name.length;
    const at = lower.indexOf(wanted);
    if (at >= 0) return (isWordStart(name, at) ? 600 : 400) - name.length;
    let position = 0;
    let starts = 0;
    for (const letter of wanted) {
        position = lower.indexOf(letter, position) + 1;
        if (position === 0) return 0;
        if (isWordStart(name, position - 1)) starts += 1;
    }
    return 100 + 20 * starts - Math.min(name.length, 99);
}

/** @param {string} name @param {number} at */
function isWordStart(name, at) {
    if (at === 0 || !/[a-z0-9]/i.test(name[at - 1])) return true;
    return /[A-Z]/.test(name[at]) && /[^A-Z]/.test(name[at - 1]);
}

/** Returns the items whose titles fit, the best first; all for an empty text. @template {{title: string}} T @param {T[]} items @param {string} text @returns {T[]} */
export function rank(items, text) {
    const trimmed = text.trim();
    if (trimmed === "") return items;
    return items.map(item => ({ item, score: score(item.title, trimmed) })).filter(each => each.score > 0)
        .sort((one, other) => other.score - one.score).map(each => each.item);
}

"""###),
        ("shell/shell.css", ###"""
/* The frame: rail, bar, strip, panel; and the start page. */
.shell { display: grid; grid-template-columns: var(--rail) minmax(0, 1fr); height: 100%; }
.content { display: flex; flex-direction: column; min-width: 0; min-height: 0; }
.view { flex: 1; min-height: 0; overflow: hidden; }
.page { height: 100%; overflow: auto; background: var(--surface); }

/* Rail */
.rail { display: flex; flex-direction: column; min-height: 0; border-right: var(--edge); background: var(--frame); }
.rail-home { display: flex; align-items: center; gap: var(--space-2); height: 2.75rem; padding: 0 var(--space-3); color: inherit; }
.rail-home:hover { text-decoration: none; }
.rail-documents { flex: 1; min-height: 0; overflow: auto; padding: 0 var(--space-2); }
.rail h2 { padding: var(--space-3) var(--space-2) var(--space-1); color: var(--text-quiet); font-size: var(--size-small); font-weight: 600; }
.rail li > a { display: flex; align-items: center; gap: var(--space-2); height: var(--row); padding: 0 var(--space-2); border-radius: var(--radius); color: inherit; }
.rail li > a:hover { background: var(--hover); text-decoration: none; }
.rail li > a[aria-current] { background: var(--selection); font-weight: 600; }
.rail li > a > .icon { color: var(--text-quiet); }
.rail li > a[aria-current] > .icon { color: var(--accent-text); }
.rail-note { display: flex; gap: var(--space-2); padding: var(--space-2) var(--space-4); }
.rail-foot { display: flex; justify-content: space-between; align-items: center; padding: var(--space-2) var(--space-3); }

/* Bar */
.bar { flex: none; display: flex; align-items: center; gap: var(--space-2); height: 2.75rem; padding: 0 var(--space-3); border-bottom: var(--edge); background: var(--surface); }
.breadcrumb { flex: 1; min-width: 4rem; overflow: hidden; }
.breadcrumb ol { display: flex; align-items: center; white-space: nowrap; }
.breadcrumb li { min-width: 1rem; overflow: hidden; text-overflow: ellipsis; }
.breadcrumb li + li::before { content: "›"; padding: 0 var(--space-2); color: var(--text-quiet); }
.breadcrumb a { color: var(--text-quiet); }
.breadcrumb [aria-current] { font-weight: 600; }
.bar-group { display: flex; gap: 1px; padding-right: var(--space-2); border-right: var(--edge); }
.search-everything { min-width: 0; padding: 0 var(--space-2); background: var(--sunken); color: var(--text-quiet); }
.search-everything span { overflow: hidden; padding-right: var(--space-4); text-overflow: ellipsis; }
.search-everything kbd { border-color: var(--line); }
.connection { display: flex; gap: var(--space-2); padding: var(--space-2) var(--space-3); background: var(--warning-soft); color: var(--warning); }

/* Strip and panel */
.strip { flex: none; display: flex; gap: 1px; height: var(--row); padding: 0 var(--space-2); border-top: var(--edge); background: var(--frame); }
.strip-button { min-height: 0; padding: 0 var(--space-2); border: 0; border-radius: 0; background: transparent; }
.strip-button > .icon { width: 0.875rem; height: 0.875rem; }
.strip-button[aria-expanded="true"] { background: var(--surface); color: var(--text); box-shadow: inset 0 2px var(--accent); }
.strip-button > .badge { line-height: 1rem; }
.panel { position: relative; flex: none; border-top: var(--edge); background: var(--surface); }
.panel-edge { position: absolute; z-index: 1; inset: -3px 0 auto; height: 6px; cursor: ns-resize; touch-action: none; }
.panel-content { height: 100%; overflow: auto; }

/* Start */
.start-column { max-width: 44rem; margin: 0 auto; padding: 4rem var(--space-6); display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-4); overflow-wrap: anywhere; }
.start-missing { color: var(--warning); }
.start pre { padding: var(--space-3); border: var(--edge); border-radius: var(--radius); background: var(--sunken); }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(19rem, 100%), 1fr)); gap: var(--space-3); }
.card { display: flex; gap: var(--space-3); padding: var(--space-3); border: var(--edge); border-radius: var(--radius-large); color: inherit; }
.start-new { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2); }
button.card { width: 100%; justify-content: start; align-items: start; text-align: left; }
.card:hover { border-color: var(--line-strong); background: var(--sunken); text-decoration: none; }
.card > .icon { width: 1.25rem; height: 1.25rem; color: var(--accent-text); }
.card > span { flex: 1; display: flex; flex-wrap: wrap; column-gap: var(--space-2); min-width: 0; }
.card-path {
    flex-basis: 100%;
    /* The end of a path says most: cut at its beginning. */
    direction: rtl;
    text-align: left;
}
.signed-out { display: grid; place-content: center; justify-items: center; gap: var(--space-3); height: 100%; padding: var(--space-6); text-align: center; background: var(--frame); }
.signed-out p { max-width: 30rem; color: var(--text-quiet); }

@media (max-width: 50rem) {
    .shell { grid-template-columns: minmax(0, 1fr); grid-template-rows: auto minmax(0, 1fr); }
    .rail { flex-direction: row; align-items: center; border-right: 0; border-bottom: var(--edge); }
    .rail-documents { display: flex; align-items: center; overflow: auto; }
    .rail-documents ul { display: flex; }
    .rail h2, .rail-home b, .search-everything span, .search-everything kbd { display: none; }
}

"""###),
        ("shell/shell.js", ###"""
// The frame around every page: rail, bar, strip, and what lies above them all.
import { html } from "../lib/preact.js";
import { Bar } from "./bar.js";
import { Questions } from "./dialogs.js";
import { Help } from "./help.js";
import { Notices } from "./notices.js";
import { Palette } from "./palette.js";
import { Rail } from "./rail.js";
import { Strip } from "./strip.js";

/** @param {{children?: any}} props */
export const Shell = ({ children }) => html`
    <div class="shell">
        <${Rail} />
        <div class="content"><${Bar} /><div class="view">${children}</div><${Strip} /></div>
    </div>
    <${Palette} /><${Help} /><${Questions} /><${Notices} />`;

/** What is shown without a token. @param {{reason?: string}} props */
export const SignedOut = ({ reason }) => html`
    <main class="signed-out"><img src="/icon.svg" alt="" width="40" height="40" />
        <h1>${reason === undefined ? "This page is not signed in" : "The studio cannot be reached"}</h1>
        <p>${reason ?? html`Press <kbd>Enter</kbd> in the terminal where <code>coredata studio</code> runs: it prints a
            link that is good once. Open it here.`}</p>
    </main>`;

"""###),
        ("shell/start.js", ###"""
// What is shown without a document: those that are open, those that were, and a new model.
import { change, get } from "../api.js";
import { useAnswer } from "../asking.js";
import { html, useState } from "../lib/preact.js";
import { navigate, urlOf, useRoute } from "../router.js";
import { documentKinds, loadDocuments, useDocuments } from "./documents.js";
import { useFrame } from "./frame.js";
import { Icon } from "./icons.js";
import { notifyError } from "./notices.js";

const Card = ({ icon, kind = icon, document: { name, path } }) => html`
    <${Icon} name=${icon} /><span><b>${name}</b><span class="quiet">${kind}</span>
        <span class="card-path cut note"><bdi dir="ltr">${path}</bdi></span></span>`;

/** Has the studio open a document, and shows it. @param {string} path @param {any} [body] */
async function open(path, body) {
    try {
        const { page, id } = await change(path, body);
        await loadDocuments();
        navigate(urlOf([page, id]));
    } catch (error) {
        notifyError(error);
    }
}

export function StartPage() {
    const all = useDocuments();
    const route = useRoute();
    const { answer: recent } = useAnswer(signal => get("/recent", { signal }), [all]);
    const [name, setName] = useState("");
    useFrame({ breadcrumb: [{ title: "Start" }] });
    const isLocked = { models: all.isReadOnly, stores: all.isReadOnly || !all.mayEditStores, profiles: false };
    return html`
        <main class="page start"><div class="start-column">
            <h1>Core Data Studio</h1>
            ${route.page !== "" && html`<p class="start-missing">Nothing is open at ${route.url}.</p>`}
            ${all.failures?.map(each => html`<p class="start-missing">${each}</p>`)}
            ${documentKinds.every(([page]) => all[page].length === 0)
                ? html`<p>No file is open. Name models and stores when you start the studio:</p>
                    <pre>coredata studio Library.xcdatamodeld Library.sqlite</pre>`
                : html`<ul class="cards">
                    ${documentKinds.flatMap(([page, , icon]) => all[page].map(each => html`<li key=${each.id}>
                        <a class="card" href=${urlOf([page, each.id])}><${Card} icon=${icon} document=${each}
                            kind=${isLocked[page] ? `${icon}, for reading` : icon} /></a></li>`))}</ul>`}
            ${recent?.length > 0 && html`<h2>Opened before</h2><ul class="cards">${recent.map(each => html`<li key=${each.id}>
                <button type="button" class="card" onClick=${() => open("/recent/" + each.id)}><${Card} document=${each}
                    icon=${documentKinds.find(([page]) => page === each.page)[2]} /></button></li>`)}</ul>`}
            ${!all.isReadOnly && html`<form class="start-new" onSubmit=${event => {
                event.preventDefault();
                void open("/models", { name });
            }}><label for="new-model">New model</label><input id="new-model" required placeholder="Library" value=${name} spellcheck=${false}
                onInput=${event => setName(event.target.value)} /><button class="main">Make</button>
                <span class="quiet">in ${all.root}</span></form>`}
            <p class="quiet">Press <kbd>?</kbd> for the keys of a view.</p>
        </div></main>`;
}

"""###),
        ("shell/strip.js", ###"""
// The bottom strip: problems, changes, statements, tasks, and the panel of the one that is open.
import { html, useRef, useState } from "../lib/preact.js";
import { useObservable } from "../observable.js";
import { frame, openPanel } from "./frame.js";
import { Icon } from "./icons.js";

const smallest = 80;
const heightKey = "studio.panel-height";

/** @param {number} height */
const bounded = height => Math.max(smallest, Math.min(innerHeight * 0.75, height));

export function Strip() {
    const { panels = [] } = useObservable(frame).status ?? {};
    const open = useObservable(openPanel);
    const [height, setHeight] = useState(() => Number(localStorage.getItem(heightKey)) || 220);
    const drag = useRef(/** @type {{y: number, height: number}|null} */(null));
    if (panels.length === 0) return null;
    const panel = panels.find(each => each.id === open);

    const resize = value => {
        setHeight(bounded(value));
        localStorage.setItem(heightKey, String(bounded(value)));
    };
    const begin = event => {
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { y: event.clientY, height };
    };
    const move = event => {
        if (drag.current !== null) resize(drag.current.height + drag.current.y - event.clientY);
    };
    const keyed = event => {
        if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
        event.preventDefault();
        resize(height + (event.key === "ArrowUp" ? 24 : -24));
    };
    return html`
        ${panel && html`
            <section class="panel" aria-label=${panel.title} style=${{ height: `${height}px` }}>
                <div class="panel-edge" role="separator" aria-orientation="horizontal" tabindex="0"
                    aria-label="Height of the panel" aria-valuenow=${Math.round(height)} onPointerDown=${begin}
                    onPointerMove=${move} onPointerUp=${() => { drag.current = null; }} onKeyDown=${keyed}></div>
                <div class="panel-content" key=${panel.id}>${panel.render()}</div>
            </section>`}
        <footer class="strip" role="toolbar" aria-label="Panels">
            ${panels.map(each => html`
                <button key=${each.id} class=${"strip-button note " + (each.tone ?? "quiet")}
                    aria-expanded=${each.id === open} onClick=${() => openPanel.set(each.id === open ? "" : each.id)}>
                    ${each.tone === "error" && html`<${Icon} name="error" />`}
                    ${each.tone === "warning" && html`<${Icon} name="warning" />`}
                    ${each.title}${each.badge !== undefined && html`<span class="badge">${each.badge}</span>`}
                </button>`)}
        </footer>`;
}

"""###),
        ("shell/theme.js", ###"""
// Light, dark, or as the system has it: a switch of three.
import { prefer, preference } from "./preferences.js";

/** The choices, each also the name of an icon. */
export const themes = [["automatic", "Colours of the system"], ["light", "Light colours"], ["dark", "Dark colours"]];

export const currentTheme = () => preference("theme") ?? "automatic";

/** Has every colour of the page follow the choice, by the scheme of its root. */
export function showTheme() {
    document.documentElement.style.colorScheme = currentTheme() === "automatic" ? "" : currentTheme();
}

/** @param {string} value */
export function setTheme(value) {
    prefer("theme", value);
    showTheme();
}

"""###),
        ("start.js", ###"""
// Loads the page again if a part of it could not be loaded, as when the machine's network changes: without a module it
// would stay blank. This is no module, since it has to listen before they are loaded.
(() => {
    const key = "studio.reloads";
    let isEnding = false;

    const loadAgain = () => {
        if (isEnding) return;
        isEnding = true;
        const count = Number(sessionStorage.getItem(key));
        sessionStorage.setItem(key, String(count + 1));
        if (count > 4) (document.body ?? document.documentElement).textContent = "A part of the page cannot be loaded. It is tried again.";
        setTimeout(() => location.reload(), Math.min(5000, 100 * 2 ** count));
    };
    // Such events do not rise to the window, but are seen on their way down.
    addEventListener("error", event => {
        const part = event.target;
        if (part instanceof HTMLScriptElement || part instanceof HTMLLinkElement && part.rel === "stylesheet") loadAgain();
    }, true);
    addEventListener("studio-incomplete", loadAgain);
    addEventListener("studio-complete", () => sessionStorage.removeItem(key));
})();

"""###),
        ("store/celleditor.js", ###"""
// The editor of a cell, in the place of the cell.
import { element } from "./dom.js";
import { editorKeys, isControlled } from "./editorkeys.js";
import { editText, parsed } from "./edits.js";

/** @import { Edits } from "./edits.js" */

/**
 * Edits a cell in its place. Enter and Tab keep, Esc reverts.
 * @param {import("./grid.js").Grid|null} grid @param {string} object @param {any} column @param {any} value @param {string|null} typed
 * @param {Edits} edits
 */
export function editCell(grid, object, column, value, typed, edits) {
    const cell = grid?.cellBox();
    if (!grid || !cell) return;
    const input = element("input", "grid-editor", { "aria-label": column.name });
    const before = editText(value, column);
    input.value = typed ?? before;
    const box = cell.getBoundingClientRect();
    const host = grid.host.getBoundingClientRect();
    input.style.left = `${box.left - host.left}px`;
    input.style.top = `${box.top - host.top}px`;
    input.style.width = `${Math.max(80, box.width)}px`;
    input.style.height = `${box.height}px`;
    grid.host.append(input);
    input.focus();
    if (typed === null) input.select();
    const [row, place] = [grid.row, grid.column];
    let isDone = false;
    const end = () => {
        isDone = true;
        input.remove();
        grid.focus();
    };
    const keep = () => {
        if (isDone) return true;
        if (input.value === before) return end(), true;
        try {
            const next = parsed(input.value, column);
            const text = input.value;
            end();
            void edits.set(object, column.name, next).then(isTaken => {
                // What is refused can be mended, unless one edits something else.
                if (isTaken || grid.source?.at(row)?.[0] !== object || grid.host.querySelector(".grid-editor") !== null) return;
                grid.select(row, place);
                editCell(grid, object, column, value, text, edits);
            });
            return true;
        } catch (error) {
            input.setCustomValidity(error.message);
            input.setAttribute("aria-invalid", "true");
            input.reportValidity();
            return false;
        }
    };
    input.addEventListener("input", () => {
        input.setCustomValidity("");
        input.removeAttribute("aria-invalid");
    });
    input.addEventListener("keydown", editorKeys({
        revert: end, keep: () => keep() && grid.select(grid.row + 1, grid.column),
        others: event => {
            if (event.key === "Tab") {
                if (keep()) grid.select(grid.row, grid.column + (event.shiftKey ? -1 : 1));
            } else if (event.key === "Backspace" && isControlled(event) && input.value === "") {
                end();
                void edits.set(object, column.name, null);
            } else return false;
            return true;
        },
    }));
    input.addEventListener("blur", () => { if (!keep()) end(); });
}

"""###),
        ("store/cells.js", ###"""
// How cells look: the text and the class of a value by the type of its column.
import { clockText } from "./zones.js";

/** @typedef {{name: string, kind: "attribute"|"toOne"|"toMany", type?: string, destination?: string,
 *   isOptional: boolean, isOrdered?: boolean, isDerived?: boolean, isTransient?: boolean, elements?: Column[]}} Column */

const sizes = ["bytes", "KB", "MB", "GB"];

/** Writes a number of bytes for people. @param {number} count */
export function byteText(count) {
    let [value, unit] = [count, 0];
    while (value >= 1000 && unit < sizes.length - 1) [value, unit] = [value / 1000, unit + 1];
    const digits = unit === 0 || value >= 100 ? 0 : 1;
    return `${value.toFixed(digits)} ${count === 1 ? "byte" : sizes[unit]}`;
}

/** Writes a date. @param {string|number} value as the studio sends it */
export function dateText(value) {
    if (typeof value === "number") return `${value} s after 2001`;
    const date = new Date(value);
    return Number.isNaN(date.getTime()) ? value : clockText(date);
}

/** @param {Column} column */
export const isNumber = column => /^(integer|double|float|decimal)/.test(column.type ?? "");

/** Whether the cells of a column end at the same place, as numbers do. @param {Column} column */
export const isOnTheRight = column => isNumber(column) || column.kind === "toMany";

/**
 * Returns the text of a cell and the class that tells its kind.
 * @param {any} value
 * @param {Column} column
 * @returns {{text: string, kind: string}}
 */
export function cellText(value, column) {
    if (value === null || value === undefined) return { text: "", kind: "null" };
    if (typeof value === "object") return objectText(value, column);
    if (value === "") return { text: "empty", kind: "blank" };
    switch (column.type) {
    case "boolean": return { text: value ? "yes" : "no", kind: "flag" };
    case "date": return { text: dateText(value), kind: "date" };
    case "uuid": return { text: String(value), kind: "code" };
    case "string": case "uri": return { text: oneLine(String(value)), kind: "text" };
    default: return { text: String(value), kind: isNumber(column) ? "number" : "text" };
    }
}

/** @param {Record<string, any>} value @param {Column} column */
function objectText(value, column) {
    if (column.type === "composite") return { text: partsText(value, column), kind: "text" };
    if (value.id !== undefined) return { text: value.title ?? value.id, kind: "link" };
    if (value.count !== undefined) return { text: String(value.count), kind: value.count === 0 ? "none" : "members" };
    if (value.text !== undefined) return { text: oneLine(value.text) + "…", kind: "text" };
    if (value.unreadable !== undefined) return { text: "unreadable", kind: "unreadable" };
    if (value.bytes !== undefined) {
        const kind = value.kind === null ? "" : " " + (value.kind.length < 5 ? value.kind.toUpperCase() : value.kind);
        return { text: byteText(value.length) + kind, kind: "data" };
    }
    return { text: JSON.stringify(value), kind: "text" };
}

/** @param {Record<string, any>} value @param {Column} column @returns {string} */
function partsText(value, column) {
    return Object.entries(value).filter(([, part]) => part !== null).map(([key, part]) => {
        const element = column.elements?.find(each => each.name === key) ?? { name: key, kind: /** @type {"attribute"} */("attribute"), isOptional: true };
        return `${key} ${cellText(part, element).text}`;
    }).join(", ");
}

/** Shows line breaks as a sign, since a row has one line. @param {string} text */
const oneLine = text => text.replace(/\s*[\r\n]+\s*/g, " ⏎ ");

/** The short name of a type, for headers and forms. @param {Column} column */
export function typeText(column) {
    if (column.kind === "toOne") return column.destination ?? "";
    if (column.kind === "toMany") return `${column.isOrdered ? "ordered " : ""}${column.destination}s`;
    const known = { integer16: "Int16", integer32: "Int32", integer64: "Int64", uuid: "UUID", uri: "URI", binary: "data" };
    return known[column.type ?? ""] ?? column.type ?? "";
}

"""###),
        ("store/data.js", ###"""
// The editor of data: it is replaced by a file, or typed as text if it is text.
import { html, useState } from "../lib/preact.js";
import { bytes, download } from "../api.js";
import { notify, notifyError } from "../shell/notices.js";
import { byteText } from "./cells.js";
import { editorKeys } from "./editorkeys.js";
import { dataPath } from "./values.js";

/** A request has at most 8 MB, of which Base64 takes a third. */
const mostBytes = 6_000_000;
const longestText = 100_000;

/** Writes bytes as Base64. @param {Blob} blob @returns {Promise<string>} */
const base64 = blob => new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(",")[1] ?? "");
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
});

export function DataEditor({ store, record, column, value, edits, editing, onEditing }) {
    const [text, setText] = useState(null);
    const isEditing = editing === column.name;
    const length = value?.length ?? 0;
    const path = dataPath(store, record.id, column.name);
    const set = async blob => {
        if (blob !== null && blob.size > mostBytes) {
            return void notify({ title: `${byteText(blob.size)} are too much`, detail: `The page can store ${byteText(mostBytes)} in a value.`, tone: "error" });
        }
        const next = blob === null ? null : await base64(blob);
        if (!await edits.set(record.id, column.name, next)) return;
        setText(null);
        onEditing("");
    };
    const editText = async () => {
        try {
            const content = length === 0 ? new ArrayBuffer(0) : await (await bytes(path)).arrayBuffer();
            setText(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content));
        } catch (error) {
            if (error instanceof TypeError) notify({ title: "These bytes are no text", detail: "They can be replaced by a file." });
            else notifyError(error);
        }
    };
    if (text !== null) {
        return html`<textarea rows="8" class="code" aria-label=${column.name} value=${text}
                onKeyDown=${editorKeys({ isLong: true, keep: () => set(new Blob([text])), revert: () => setText(null) })}
                ref=${field => field?.focus()}
                onInput=${event => setText(event.target.value)}></textarea>
            <span class="quiet record-hint"><kbd>Ctrl+Enter</kbd> keeps, <kbd>Esc</kbd> reverts</span>`;
    }
    return html`
        <div class="data-tools">
            <label class="data-file"><input type="file" class="visually-hidden" aria-label=${`Replace ${column.name} by a file`}
                ref=${field => isEditing && field?.focus()}
                onChange=${event => event.target.files[0] && void set(event.target.files[0])} />
                <span>${value === null ? "From a file…" : "Replace…"}</span></label>
            ${length <= longestText && html`<button class="plain" onClick=${editText}>Edit as text</button>`}
            ${value !== null && html`<button class="plain" onClick=${() => download(path).catch(notifyError)}>Save as…</button>
                <button class="plain" onClick=${() => set(null)}>Set null</button>`}
        </div>`;
}

"""###),
        ("store/dom.js", ###"""
// Elements that are made and owned by a class, not by a component.

/** @param {string} tag @param {string} className @param {Record<string, string>} attributes */
export function element(tag, className, attributes = {}) {
    const made = document.createElement(tag);
    made.className = className;
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
}

"""###),
        ("store/editorkeys.js", ###"""
// The keys of every editor of a value: Enter keeps, Esc reverts, and no other key leaves the editor.

export const isControlled = event => event.ctrlKey || event.metaKey;

/**
 * Returns what an editor does with keys.
 * @param {{keep: () => any, revert: () => any, isLong?: boolean, others?: (event: KeyboardEvent) => boolean}} options
 *   isLong: Enter is a line break, and keeps with Ctrl; others: takes more keys, and returns whether it did
 */
export const editorKeys = ({ keep, revert, isLong = false, others }) => event => {
    event.stopPropagation();
    if (event.key === "Escape") revert();
    else if (event.key === "Enter" && (!isLong || isControlled(event))) keep();
    else if (others === undefined || !others(event)) return;
    event.preventDefault();
};

"""###),
        ("store/editors.js", ###"""
// The editors of the record: one for plain values, one for composites.
import { html, useEffect, useRef, useState } from "../lib/preact.js";
import { typeText } from "./cells.js";
import { editorKeys } from "./editorkeys.js";
import { editText, parsed } from "./edits.js";

/** @import { Column } from "./cells.js" */

/**
 * Ends an editor: what it has is kept once, if it is another value. What is wrong or refused can be mended.
 * @param {any} props those of the editor @param {() => boolean} isSame @param {() => any} read throws what is wrong
 */
function useEnd({ record, column, edits, onEditing }, isSame, read) {
    const [wrong, setWrong] = useState("");
    const isDone = useRef(false);
    const revert = () => {
        isDone.current = true;
        onEditing("");
    };
    const keep = async () => {
        if (isDone.current) return;
        isDone.current = true;
        try {
            const next = read();
            if (isSame() || await edits.set(record.id, column.name, next)) return revert();
        } catch (error) {
            setWrong(error.message);
        }
        isDone.current = false;
    };
    return { wrong, setWrong, keep, revert };
}

/** Edits a value of one attribute. */
export function ValueEditor(props) {
    const { column, value } = props;
    const [before] = useState(() => editText(value, column));
    const [text, setText] = useState(before);
    const { wrong, setWrong, keep, revert } = useEnd(props, () => text === before, () => parsed(text, column));
    const field = useRef(null);
    const isLong = column.type === "string";
    useEffect(() => {
        field.current?.focus();
        field.current?.select();
    }, []);
    const shared = {
        ref: field, value: text, "aria-label": column.name, "aria-invalid": wrong !== "", onKeyDown: editorKeys({ keep, revert, isLong }), onBlur: keep,
        onInput: event => { setText(event.target.value); setWrong(""); },
    };
    return html`${isLong ? html`<textarea rows=${Math.min(12, 2 + text.split("\n").length)} ...${shared}></textarea>
            <span class="quiet record-hint"><kbd>Ctrl+Enter</kbd> keeps, <kbd>Esc</kbd> reverts</span>`
        : html`<input ...${shared} />`}${wrong !== "" && html`<p class="field-problem">${wrong}</p>`}`;
}

/** The texts of the elements, also of nested ones. @param {Column[]} elements @param {any} value @returns {any} */
const textsOf = (elements, value) => Object.fromEntries(elements.map(each => [each.name, each.type === "composite"
    ? textsOf(each.elements ?? [], value?.[each.name]) : editText(value?.[each.name], each)]));

/** Returns the composite value of the texts: null if no element has any. @param {Column[]} elements @param {any} texts @returns {any} */
function valueOf(elements, texts) {
    const values = elements.map(each => {
        if (each.type === "composite") return [each.name, valueOf(each.elements ?? [], texts[each.name])];
        try {
            return [each.name, texts[each.name] === "" ? null : parsed(texts[each.name], each)];
        } catch (error) {
            throw new Error(`${each.name}: ${error.message}`);
        }
    }).filter(([, value]) => value !== null);
    return values.length === 0 ? null : Object.fromEntries(values);
}

/** Edits a composite element by element. */
export function CompositeEditor(props) {
    const { column, value } = props;
    const elements = /** @type {Column[]} */(column.elements ?? []);
    const [before] = useState(() => textsOf(elements, value));
    const [texts, setTexts] = useState(before);
    const { wrong, setWrong, keep, revert } = useEnd(
        props, () => JSON.stringify(texts) === JSON.stringify(before), () => valueOf(elements, texts));
    const box = useRef(null);
    useEffect(() => box.current?.querySelector("input")?.focus(), []);
    const fields = (list, part, change) => list.map(each => html`
        <label key=${each.name}><span class="cut note" title=${typeText(each)}>${each.name}</span>${each.type === "composite"
            ? html`<div class="composite-editor">${fields(each.elements ?? [], part[each.name], next => change({ ...part, [each.name]: next }))}</div>`
            : html`<input value=${part[each.name]} placeholder=${typeText(each)} onInput=${event => {
                change({ ...part, [each.name]: event.target.value });
                setWrong("");
            }} />`}</label>`);
    return html`
        <div class="composite-editor" ref=${box} onKeyDown=${editorKeys({ keep, revert })} onFocusOut=${event => {
            if (!(event.relatedTarget instanceof Node && box.current?.contains(event.relatedTarget))) void keep();
        }}>${fields(elements, texts, setTexts)}</div>
        <span class="quiet record-hint"><kbd>Enter</kbd> keeps, <kbd>Esc</kbd> reverts, empty is null</span>
        ${wrong !== "" && html`<p class="field-problem">${wrong}</p>`}`;
}

"""###),
        ("store/edits.js", ###"""
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

"""###),
        ("store/entities.js", ###"""
// The entities of a store, as a tree by inheritance, with the numbers of their objects as they come.
import { html, useEffect, useMemo, useRef, useState } from "../lib/preact.js";
import { Icon } from "../shell/icons.js";

/**
 * @typedef {{name: string, parent: string|null, isAbstract: boolean, title: string|null, properties: any[]}} Entity
 * @typedef {Record<string, {own: number, all: number}>} Counts
 */

/** Lists entities below their parents. @param {Entity[]} entities @returns {{entity: Entity, depth: number}[]} */
export function tree(entities) {
    /** @type {{entity: Entity, depth: number}[]} */
    const rows = [];
    const add = (parent, depth) => {
        for (const entity of entities.filter(each => each.parent === parent)) {
            rows.push({ entity, depth });
            add(entity.name, depth + 1);
        }
    };
    add(null, 0);
    return rows;
}

/** @param {{entities: Entity[], counts: Counts, current: string, onOpen: (name: string) => void}} props */
export function EntityList({ entities, counts, current, onOpen }) {
    const [filter, setFilter] = useState("");
    const list = useRef(null);
    const rows = useMemo(() => tree(entities), [entities]);
    const shown = filter === "" ? rows
        : rows.filter(({ entity }) => entity.name.toLowerCase().includes(filter.toLowerCase()));
    useEffect(() => {
        list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
    }, [current]);
    const pressed = event => {
        const index = shown.findIndex(({ entity }) => entity.name === current);
        const places = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: shown.length - 1 };
        const next = shown[places[event.key] ?? -1];
        if (event.key === "Enter") document.querySelector(".grid")?.focus();
        else if (event.altKey || next === undefined) return;
        else onOpen(next.entity.name);
        event.preventDefault();
    };
    const clicked = name => {
        // One who clicks goes on among the rows; one who walks by keys goes on here.
        list.current?.blur();
        onOpen(name);
    };
    return html`
        <div class="store-entities">
            <label class="filter"><${Icon} name="filter" />
                <input type="search" placeholder="Filter entities" aria-label="Filter entities" value=${filter}
                    onInput=${event => setFilter(event.target.value)} /></label>
            <div class="store-tree" role="tree" aria-label="Entities" tabindex="0" ref=${list} onKeyDown=${pressed}>
                ${shown.map(({ entity, depth }) => html`
                    <div key=${entity.name} role="treeitem" aria-level=${depth + 1} class="store-entity" data-name=${entity.name}
                        aria-selected=${entity.name === current} style=${{ paddingLeft: `${8 + depth * 14}px` }}
                        onClick=${() => clicked(entity.name)}>
                        <${Icon} name="entity" />
                        <span class=${"store-entity-name" + (entity.isAbstract ? " abstract" : "")}>${entity.name}</span>
                        <span class="note">${countText(counts[entity.name])}</span>
                    </div>`)}
            </div>
        </div>`;
}

/** @param {{own: number, all: number}|undefined} count */
function countText(count) {
    return count === undefined ? "" : count.all.toLocaleString("en-US").replaceAll(",", "\u202f");
}

"""###),
        ("store/filter.js", ###"""
// The filter line: a predicate with completion, mistakes underlined while one types, run by Enter.
import { html, useEffect, useRef, useState } from "../lib/preact.js";
import { pathOf, post } from "../api.js";
import { CompletionList, Underlined, useCompletion } from "../predicates/completion.js";
import { Icon, IconButton } from "../shell/icons.js";
import { prefer, preference } from "../shell/preferences.js";

/** Keeps the filters that were run, newest first. @param {string} place @param {string} filter */
function rememberFilter(place, filter) {
    if (filter.trim() === "") return;
    const { [place]: former = [], ...others } = preference("filters") ?? {};
    const all = [[place, [filter, ...former.filter(each => each !== filter)].slice(0, 20)], ...Object.entries(others)];
    prefer("filters", Object.fromEntries(all.slice(0, 100)));
}

/**
 * @param {{store: string, place: string, entity: string, example: string, value: string, failure: string, isBusy: boolean,
 *   onRun: (text: string) => void, onLeave: () => void}} props
 */
export function FilterLine({ store, place, entity, example, value, failure, isBusy, onRun, onLeave }) {
    const [text, setText] = useState(value);
    const input = useRef(null);
    const completion = useCompletion({
        id: "store-filter", text, onText: setText, field: input,
        ask: (typed, caret) => post(pathOf("stores", store, "completion"), { entity, text: typed, caret }),
    });
    const { wrong } = completion;

    useEffect(() => {
        setText(value);
        completion.forget();
    }, [value, entity]);

    const run = filter => {
        setText(filter);
        completion.close();
        rememberFilter(place, filter);
        onRun(filter);
    };
    const pressed = event => {
        if (completion.pressed(event)) { /* taken */ }
        else if (event.key === "Enter") run(text.trim());
        else if (event.key === "Escape" && text !== value) setText(value);
        else if (event.key === "Escape" || event.key === "ArrowDown") onLeave();
        else return;
        event.preventDefault();
        event.stopPropagation();
    };
    const saved = (preference("filters")?.[place] ?? []).filter(each => each !== value);
    return html`
        <div class="store-filter">
            <div class="store-filter-field">
                <${Icon} name="filter" />
                <${Underlined} of=${completion} />
                <input ref=${input} id="store-filter" class="code" value=${text} placeholder=${`Filter ${entity}: ${example}`}
                    ...${completion.attributes} aria-label="Filter" aria-describedby="store-filter-note"
                    aria-invalid=${wrong !== null || failure !== ""} onKeyDown=${pressed} onBlur=${completion.close}
                    onInput=${event => completion.typed(event.target.value)} />
                ${text !== "" && html`<${IconButton} name="close" title="Clear the filter"
                    onClick=${() => { setText(""); run(""); input.current?.focus(); }} />`}
                ${saved.length > 0 && html`
                    <select class="store-filter-saved" aria-label="Former filters" title="Former filters" value=""
                        onChange=${event => run(event.target.value)}>
                        <option value="">⌄</option>${saved.map(each => html`<option value=${each}>${each}</option>`)}</select>`}
                <${CompletionList} of=${completion} />
            </div>
            <div id="store-filter-note" class="store-filter-note" role="status">${
                failure !== "" ? html`<span class="field-problem">${failure}</span>`
                : wrong !== null ? html`<span class="field-problem">${wrong.message}</span>`
                : text !== value ? html`<span class="quiet"><kbd>Enter</kbd> runs</span>`
                : isBusy ? html`<span class="quiet">searching…</span>` : ""}</div>
        </div>`;
}

"""###),
        ("store/grid.js", ###"""
// The grid: a million rows in a window of some dozens of lines, which are used again while one scrolls.
import { element } from "./dom.js";
import { isControlled } from "./editorkeys.js";
import { GridHead } from "./gridhead.js";
import { GridLine } from "./gridline.js";
import { RowScroll } from "./rowscroll.js";

/** @import { Column } from "./cells.js" */

/** Lines that are drawn above and below what is seen. */
const extra = 8;

/**
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
 * @property {(text: string) => void} onPaste
 */

export class Grid {
    /** @param {HTMLElement} host @param {GridHandlers} handlers */
    constructor(host, handlers) {
        this.host = host;
        this.handlers = handlers;
        /** @type {GridSource|null} */
        this.source = null;
        /** @type {Map<string, any>} */
        this.changes = new Map();
        /** @type {Set<string>} */
        this.flashing = new Set();
        this.row = 0;
        this.column = 0;
        this.isScheduled = false;
        /** Whether the last row is wanted, which is not known yet. */
        this.seeksEnd = false;
        /** @type {GridLine[]} */
        this.lines = [];
        this.root = element("div", "grid", { role: "grid", "aria-label": "Rows", tabindex: "0" });
        this.head = new GridHead({ onSort: handlers.onSort, onResize: () => this.sized() });
        this.scroller = element("div", "grid-scroller", { role: "presentation" });
        this.spacer = element("div", "grid-spacer", { role: "presentation" });
        this.body = element("div", "grid-body", { role: "rowgroup" });
        this.scroll = new RowScroll(this.scroller, this.spacer);
        this.scroller.append(this.spacer, this.body);
        this.root.append(this.head.root, this.scroller);
        this.host.append(this.root);
        this.scroller.addEventListener("scroll", () => {
            this.head.root.style.transform = `translateX(${-this.scroller.scrollLeft}px)`;
            if (this.scroll.follow()) this.schedule();
        }, { passive: true });
        this.root.addEventListener("keydown", event => this.pressed(event));
        this.root.addEventListener("paste", event => handlers.onPaste(event.clipboardData?.getData("text/plain") ?? ""));
        this.body.addEventListener("mousedown", event => this.clicked(event));
        this.body.addEventListener("dblclick", () => this.handlers.onEdit(this.row, this.column, null));
        this.observer = new ResizeObserver(() => this.changed());
        this.observer.observe(this.scroller);
        this.changed();
    }

    destroy() {
        this.observer.disconnect();
        this.root.remove();
    }

    get top() { return this.scroll.top; }
    get shownRows() { return this.scroll.shownRows; }
    get columns() { return this.head.columns; }

    // Content

    /** @param {GridSource} source @param {Column[]} columns @param {{key: string, isAscending: boolean}[]} sort */
    show(source, columns, sort) {
        if (source !== this.source) this.seeksEnd = false;
        this.source = source;
        if (this.head.show(columns, sort)) {
            this.column = Math.min(this.column, Math.max(0, columns.length - 1));
            this.lines.forEach(line => line.root.remove());
            this.lines = [];
        }
        this.sized();
        this.changed();
    }

    sized() {
        for (const part of [this.body, this.spacer]) part.style.width = `${this.head.width}px`;
        this.lines.forEach(line => line.size(this.head.widths));
    }

    /** Shows what has come since. */
    changed() {
        const total = this.source?.total ?? 0;
        this.row = Math.max(0, Math.min(this.row, total - 1));
        this.root.setAttribute("aria-rowcount", this.source?.isExact === false ? "-1" : String(total + 1));
        this.root.setAttribute("aria-colcount", String(this.columns.length));
        const height = Math.round(1.625 * parseFloat(getComputedStyle(document.documentElement).fontSize));
        this.root.style.setProperty("--grid-row", `${height}px`);
        this.scroll.size(total, height);
        this.schedule();
        if (!this.seeksEnd) return;
        if (this.row < total - 1) this.goToEnd(this.column);
        else this.seeksEnd = this.source?.isExact === false;
    }

    /** Writes all cells anew. */
    redraw() {
        this.lines.forEach(line => { line.row = null; });
        this.schedule();
    }

    /** @param {number} top */
    scrollTo(top) {
        this.scroll.go(top);
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
        const { source, scroll: { top, rowHeight } } = this;
        if (source === null || !this.root.isConnected) return;
        const first = Math.max(0, Math.floor(top) - extra);
        const last = Math.min(source.total, Math.ceil(top) + this.shownRows + extra + 1);
        source.need(first, last);
        const count = Math.max(0, last - first);
        while (this.lines.length < count) {
            const line = new GridLine(this.columns, this.head.widths);
            this.lines.push(line);
            this.body.append(line.root);
        }
        while (this.lines.length > count) this.lines.pop()?.root.remove();
        // Places are counted from a row nearby, since a browser's are exact to some millions only.
        const base = Math.floor(first / 1000) * 1000;
        // A row keeps its line while it is shown, so that only rows that come are written.
        for (let index = first; index < last; index++) {
            const row = source.at(index);
            this.lines[index % count].show(index, (index - base) * rowHeight, row,
                row === undefined ? undefined : this.changes.get(row[0]), row !== undefined && this.flashing.has(row[0]));
        }
        this.body.style.transform = `translateY(${this.scroller.scrollTop - (top - base) * rowHeight}px)`;
        this.showFocus();
    }

    /** Shows rows that another program changed. @param {string[]} ids */
    flash(ids) {
        this.flashing = new Set(ids);
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
        const line = this.lines.find(each => each.index === this.row);
        const cell = line?.cells[this.column];
        if (line === undefined || cell === undefined) return this.root.removeAttribute("aria-activedescendant");
        line.root.setAttribute("aria-selected", "true");
        cell.classList.add("focused");
        this.root.querySelectorAll("#grid-focus").forEach(each => { if (each !== cell) each.removeAttribute("id"); });
        cell.id = "grid-focus";
        this.root.setAttribute("aria-activedescendant", "grid-focus");
        // A cell is told of when its row has come.
        const told = `${this.row} ${this.column} ${cell.dataset.link}`;
        if (told === this.told || document.activeElement !== this.root) return;
        this.told = told;
        cell.dispatchEvent(new Event("cellfocus", { bubbles: true }));
    }

    /** Selects a cell, and scrolls it into view. @param {number} row @param {number} column */
    select(row, column, tells = true) {
        this.seeksEnd = false;
        this.row = Math.max(0, Math.min(row, (this.source?.total ?? 0) - 1));
        this.column = Math.max(0, Math.min(column, this.columns.length - 1));
        this.scroll.show(this.row);
        this.showColumn();
        this.schedule();
        if (tells) this.handlers.onSelect(this.row, this.column);
    }

    /** Selects the last row. While rows are still counted, it is the last one that is known. @param {number} column */
    goToEnd(column) {
        this.select((this.source?.total ?? 0) - 1, column);
        this.seeksEnd = this.source?.isExact === false;
    }

    showColumn() {
        const left = this.head.leftOf(this.column);
        const right = this.head.leftOf(this.column + 1);
        const view = this.scroller;
        if (left < view.scrollLeft) view.scrollLeft = left;
        else if (right > view.scrollLeft + view.clientWidth) view.scrollLeft = right - view.clientWidth;
    }

    /** The box of the selected cell, for an editor; null while it is not shown. */
    cellBox() {
        this.draw();
        return this.lines.find(each => each.index === this.row)?.cells[this.column] ?? null;
    }

    clicked(event) {
        const cell = event.target.closest(".grid-cell");
        const line = this.lines.find(each => each.root === cell?.parentElement);
        if (cell === null || line === undefined || event.button !== 0) return;
        event.preventDefault();
        this.focus();
        this.select(line.index, [...line.root.children].indexOf(cell));
        if (isControlled(event)) this.follow();
    }

    /** Follows the link of the selected cell; of another cell, the row itself. */
    follow() {
        const row = this.source?.at(this.row);
        if (row === undefined) return;
        this.handlers.onFollow(row[this.column + 1]?.id ?? row[0]);
    }

    pressed(event) {
        if (event.target !== this.root || event.defaultPrevented) return;
        const jump = isControlled(event);
        const [last, lastColumn] = [(this.source?.total ?? 0) - 1, this.columns.length - 1];
        /** @type {Record<string, [number, number]>} */
        const places = {
            ArrowUp: [jump ? 0 : this.row - 1, this.column], ArrowDown: [jump ? last : this.row + 1, this.column],
            ArrowLeft: [this.row, jump ? 0 : this.column - 1], ArrowRight: [this.row, jump ? lastColumn : this.column + 1],
            Home: [jump ? 0 : this.row, 0], End: [jump ? last : this.row, lastColumn],
            PageUp: [this.row - this.shownRows, this.column], PageDown: [this.row + this.shownRows, this.column],
        };
        const place = event.altKey ? undefined : places[event.key];
        if (place !== undefined && jump && ["ArrowDown", "End"].includes(event.key)) this.goToEnd(place[1]);
        else if (place !== undefined) this.select(...place);
        else if (event.key === "Enter" && jump || event.key === " " && event.altKey) this.follow();
        else if (event.key === "F2" || event.key === "Enter" && !event.shiftKey) this.handlers.onEdit(this.row, this.column, null);
        else if (event.altKey && event.code === "KeyS") this.handlers.onSort(this.columns[this.column], event.shiftKey);
        else if (this.handlers.onKey(event, this.row, this.column)) { /* taken */ }
        else if (event.key.length === 1 && !jump && !event.altKey && event.key !== "?") this.handlers.onEdit(this.row, this.column, event.key);
        else return;
        event.preventDefault();
        event.stopPropagation();
    }
}

"""###),
        ("store/gridhead.js", ###"""
// The head of the grid: the names of columns, how rows are sorted, how wide columns are.
import { isOnTheRight, typeText } from "./cells.js";
import { element } from "./dom.js";

/** @import { Column } from "./cells.js" */

export class GridHead {
    /** @param {{onSort: (column: Column, adds: boolean) => void, onResize: () => void}} handlers */
    constructor(handlers) {
        this.handlers = handlers;
        this.root = element("div", "grid-head", { role: "row", "aria-rowindex": "1" });
        /** @type {Column[]} */
        this.columns = [];
        /** @type {{key: string, isAscending: boolean}[]} */
        this.sort = [];
        /** @type {number[]} */
        this.widths = [];
    }

    get width() { return this.leftOf(this.widths.length); }

    leftOf(column) { return this.widths.slice(0, column).reduce((sum, each) => sum + each, 0); }

    /** Returns whether the columns are others than before. @param {Column[]} columns @param {{key: string, isAscending: boolean}[]} sort */
    show(columns, sort) {
        const isSame = columns.map(each => each.name).join() === this.columns.map(each => each.name).join();
        [this.columns, this.sort] = [columns, sort];
        if (!isSame) this.widths = columns.map(usualWidth);
        this.draw();
        return !isSame;
    }

    draw() {
        this.root.replaceChildren(...this.columns.map((column, index) => this.cell(column, index)));
        this.root.style.width = `${this.width}px`;
    }

    /** @param {Column} column @param {number} index */
    cell(column, index) {
        const cell = element("div", "grid-header" + (isOnTheRight(column) ? " right" : ""), {
            role: "columnheader", "aria-colindex": String(index + 1), title: `${column.name}: ${typeText(column)}`,
        });
        // A to-one relationship is sorted by the title of where it leads.
        const position = this.sort.findIndex(each => each.key.split(".")[0] === column.name);
        cell.setAttribute("aria-sort", position !== 0 ? "none" : this.sort[0].isAscending ? "ascending" : "descending");
        const texts = [["grid-header-name", column.name], ["grid-header-type", typeText(column)]];
        if (position >= 0) {
            const sign = this.sort[position].isAscending ? "▲" : "▼";
            texts.push(["grid-sort", sign + (this.sort.length > 1 ? position + 1 : "")]);
        }
        for (const [name, text] of texts) cell.append(Object.assign(element("span", name), { textContent: text }));
        cell.addEventListener("click", event => this.handlers.onSort(column, event.shiftKey));
        cell.append(this.edge(index));
        cell.style.width = `${this.widths[index]}px`;
        return cell;
    }

    /** The edge by which a column is made wider. @param {number} index */
    edge(index) {
        const edge = element("span", "grid-edge");
        edge.addEventListener("click", event => event.stopPropagation());
        edge.addEventListener("pointerdown", event => {
            event.preventDefault();
            const [start, width] = [event.clientX, this.widths[index]];
            edge.setPointerCapture(event.pointerId);
            edge.onpointermove = move => {
                this.widths[index] = Math.max(40, width + move.clientX - start);
                // The edge keeps the pointer, and so it has to stay: its head is sized, not drawn anew.
                [...this.root.children].forEach((cell, at) => { cell.style.width = `${this.widths[at]}px`; });
                this.root.style.width = `${this.width}px`;
                this.handlers.onResize();
            };
            edge.onpointerup = () => { edge.onpointermove = null; };
        });
        return edge;
    }
}

/** @param {Column} column */
function usualWidth(column) {
    const named = 46 + 7.5 * column.name.length + 6 * typeText(column).length;
    const types = { string: 220, date: 165, uuid: 150, uri: 200, boolean: 70, binary: 150, transformable: 150 };
    const typed = column.kind === "toOne" ? 160 : types[column.type ?? ""] ?? 90;
    const letters = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
    return Math.round(Math.min(320, Math.max(named, typed)) * letters);
}

"""###),
        ("store/gridline.js", ###"""
// A line of the grid: an element that shows one row, and another one when the rows have moved on.
import { cellText, isOnTheRight } from "./cells.js";
import { element } from "./dom.js";

export class GridLine {
    /** @param {import("./cells.js").Column[]} columns @param {number[]} widths */
    constructor(columns, widths) {
        this.columns = columns;
        this.index = -1;
        this.place = NaN;
        this.mark = "";
        /** @type {any[]|undefined|null} */
        this.row = null;
        /** @type {any} */
        this.change = undefined;
        this.root = element("div", "grid-row", { role: "row" });
        this.cells = columns.map((_, index) => element("div", "grid-cell", { role: "gridcell", "aria-colindex": String(index + 1) }));
        this.root.append(...this.cells);
        this.size(widths);
    }

    /** @param {number[]} widths */
    size(widths) {
        widths.forEach((width, index) => { this.cells[index].style.width = `${width}px`; });
    }

    /**
     * Shows a row at a place. What is there already is not written again.
     * @param {number} index @param {number} place in pixels @param {any[]|undefined} row
     * @param {any} change what is pending of it @param {boolean} isFlashing
     */
    show(index, place, row, change, isFlashing) {
        if (this.place !== place) {
            this.place = place;
            this.root.style.transform = `translateY(${place}px)`;
        }
        if (this.index !== index) {
            this.index = index;
            this.root.setAttribute("aria-rowindex", String(index + 2));
            this.row = null;
        }
        const mark = row === undefined ? "waits" : (change?.kind ?? "") + (isFlashing ? " flash" : "");
        if (this.mark !== mark) {
            this.mark = mark;
            this.root.className = "grid-row " + mark;
        }
        if (this.row === row && this.change === change) return;
        [this.row, this.change] = [row, change];
        this.columns.forEach((column, at) => {
            const cell = this.cells[at];
            const edited = change?.values?.[column.name];
            const value = edited !== undefined ? edited.to : row?.[at + 1];
            const { text, kind } = row === undefined ? { text: "", kind: "waits" } : cellText(value, column);
            if (cell.textContent !== text) cell.textContent = text;
            if (value?.id === undefined) delete cell.dataset.link;
            else cell.dataset.link = value.id;
            cell.className = `grid-cell ${kind}${isOnTheRight(column) ? " right" : ""}${edited !== undefined ? " edited" : ""}`;
        });
    }
}

"""###),
        ("store/members.js", ###"""
// Relationships in the record: the members of a to-many, and the search for objects that a relationship leads to.
import { html, useEffect, useRef, useState } from "../lib/preact.js";
import { get, pathOf } from "../api.js";
import { useAnswer } from "../asking.js";
import { urlOf } from "../router.js";
import { IconButton } from "../shell/icons.js";
import { stepOf } from "../shell/keynames.js";
import { notifyError } from "../shell/notices.js";
import { editorKeys } from "./editorkeys.js";

/** @typedef {{id: string, title: string|null}} Link */

/** @param {string} store @param {string} id */
export const objectPath = (store, id) => pathOf("stores", store, "objects", ...id.split("/"));

/** @param {string} store @param {string} id */
export const objectUrl = (store, id) => urlOf(["stores", store, "rows", id.split("/")[0]], { object: id });

const pageSize = 20;
const mostMembers = 500;

/** @param {{store: string, link: Link}} props */
export const ObjectLink = ({ store, link: { id, title } }) => html`
    <a class="record-link" data-link=${id} href=${objectUrl(store, id)}>${title ?? id}<span class="quiet">${title !== null && id}</span></a>`;

/**
 * Finds an object by a part of its title.
 * @param {{store: string, object: string, name: string, label: string, onTake: (id: string|null) => void, onClose: () => void, mayBeNull: boolean}} props
 */
function ObjectSearch({ store, object, name, label, onTake, onClose, mayBeNull }) {
    const [text, setText] = useState("");
    const [found, setFound] = useState([]);
    const [hasMore, setMore] = useState(false);
    const [chosen, setChosen] = useState(0);
    const field = useRef(null);
    const list = useRef(null);
    useEffect(() => field.current?.focus(), []);
    useEffect(() => list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }), [chosen]);
    const ask = (from, signal) => get(
        `${objectPath(store, object)}/${encodeURIComponent(name)}?search=${encodeURIComponent(text)}&from=${from}&count=${pageSize}`, { signal },
    ).then(answer => {
        setFound(before => [...before.slice(0, from), ...answer.members]);
        setMore(answer.members.length === pageSize);
        if (from === 0) setChosen(0);
    }, notifyError);
    useEffect(() => {
        const wanted = new AbortController();
        void ask(0, wanted.signal);
        return () => wanted.abort();
    }, [text]);
    const walk = event => {
        const move = stepOf(event);
        if (move === 0) return false;
        setChosen(Math.max(0, Math.min(found.length - 1, chosen + move)));
        if (hasMore && chosen + move >= found.length - 1) void ask(found.length, undefined);
        return true;
    };
    const held = run => event => {
        event.preventDefault();
        run();
    };
    return html`
        <div class="object-search" onFocusOut=${event => {
            const inside = event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget);
            if (!inside) onClose();
        }}>
            <input ref=${field} type="search" placeholder=${`Find ${label}`} aria-label=${`Find ${label}`} value=${text}
                onInput=${event => setText(event.target.value)} onKeyDown=${
                    editorKeys({ keep: () => found[chosen] && onTake(found[chosen].id), revert: onClose, others: walk })} />
            <ul role="listbox" aria-label=${label} ref=${list}>${found.map((each, index) => html`
                <li key=${each.id} role="option" aria-selected=${index === chosen} onMouseDown=${held(() => onTake(each.id))}>
                    ${each.title ?? each.id} <span class="quiet">${each.title !== null && each.id}</span></li>`)}
                ${found.length === 0 && html`<li class="quiet">nothing found</li>`}
                ${hasMore && html`<li class="object-search-more" onMouseDown=${held(() => void ask(found.length, undefined))}>more</li>`}
            </ul>
            ${mayBeNull && html`<button onMouseDown=${held(() => onTake(null))}>No object</button>`}
        </div>`;
}

/** Chooses where a to-one relationship leads. */
export function LinkEditor({ store, record, column, edits, onEditing, value }) {
    const take = async id => {
        await edits.set(record.id, column.name, id);
        onEditing("");
    };
    return html`<${ObjectSearch} store=${store} object=${record.id} name=${column.name} label=${column.destination}
        onTake=${take} onClose=${() => onEditing("")} mayBeNull=${value !== null} />`;
}

/** Lists the members of a to-many relationship: the first ones, and more on demand. */
export function Members({ store, record, column, value, edits, mayEdit, editing, onEditing }) {
    const first = value.members.length;
    const [limit, setLimit] = useState(first);
    const { answer, error } = useAnswer(async signal => {
        const count = Math.min(limit, value.count) - first;
        if (count <= 0) return [];
        return (await get(`${objectPath(store, record.id)}/${encodeURIComponent(column.name)}?from=${first}&count=${count}`, { signal })).members;
    }, [record, limit]);
    const more = answer ?? [];
    const shown = /** @type {Link[]} */([...value.members, ...more]);
    const next = Math.min(100, value.count - shown.length, mostMembers - more.length);

    const unlink = member =>
        edits.perform([{ kind: "unlink", object: record.id, key: column.name, member }]);
    const link = async member => {
        if (member !== null) await edits.perform([{ kind: "link", object: record.id, key: column.name, member }]);
        onEditing("");
    };
    const isMovable = mayEdit && column.isOrdered && value.count > 1;
    const move = (member, position) => {
        if (position < 0 || position >= value.count) return;
        void edits.perform([{ kind: "link", object: record.id, key: column.name, member, position }], `Move ${member} in ${column.name}`);
    };
    const pressed = (event, member, index) => {
        const step = isMovable && event.altKey ? stepOf(event) : 0;
        if (step === 0) return;
        event.preventDefault();
        event.stopPropagation();
        move(member, index + step);
    };
    const name = each => each.title ?? each.id;
    return html`
        <div class="record-members"><span class="quiet">${value.count === 1 ? "1 object" : `${value.count.toLocaleString("en-US")} objects`}</span>
            <ul>${shown.map((each, index) => html`<li key=${each.id} onKeyDown=${event => pressed(event, each.id, index)}>
                ${column.isOrdered && html`<span class="record-position note">${index + 1}</span>`}
                <${ObjectLink} store=${store} link=${each} />
                ${isMovable && html`<${IconButton} title="Move up" keys="Alt+ArrowUp" label=${`Move ${name(each)} up`} disabled=${index === 0}
                        onClick=${() => move(each.id, index - 1)}>↑<//>
                    <${IconButton} title="Move down" keys="Alt+ArrowDown" label=${`Move ${name(each)} down`}
                        disabled=${index === value.count - 1} onClick=${() => move(each.id, index + 1)}>↓<//>`}
                ${mayEdit && html`<${IconButton} name="close" title="Take out" label=${`Take ${name(each)} out`}
                    onClick=${() => unlink(each.id)} />`}</li>`)}</ul>
            ${error !== "" && html`<p class="field-problem">${error}</p>`}
            ${next > 0 && html`<button class="plain" onClick=${() => setLimit(shown.length + next)}>${`${next} more`}</button>`}
            ${mayEdit && (editing === column.name
                ? html`<${ObjectSearch} store=${store} object=${record.id} name=${column.name} label=${column.destination}
                    onTake=${link} onClose=${() => onEditing("")} mayBeNull=${false} />`
                : html`<button class="plain" onClick=${() => onEditing(column.name)}>Add…</button>`)}
        </div>`;
}

"""###),
        ("store/page.css", ###"""
/* The store pages: entities, grid, record, tabs. */
.store-page { display: grid; grid-template-columns: 13.5rem minmax(0, 1fr); overflow: hidden; }
.page > .field-problem { padding: var(--space-6); }
.store-main { display: flex; flex-direction: column; min-width: 0; min-height: 0; }
.store-main > .tabs { flex: none; padding-top: 2px; }

/* Entities */
.store-entities { display: flex; flex-direction: column; min-height: 0; border-right: var(--edge); background: var(--sunken); }
.store-entities > .filter { padding: var(--space-2); }
.store-entities > .filter > .icon { left: calc(2 * var(--space-2)); }
.store-tree { flex: 1; min-height: 0; overflow: auto; padding: 0 var(--space-1) var(--space-2); }
.store-tree:focus-visible { outline-offset: -2px; }
.store-entity { display: flex; align-items: center; gap: var(--space-2); height: 1.625rem; padding-right: var(--space-2); border-radius: var(--radius); white-space: nowrap; }
.store-entity > .icon { width: 0.875rem; height: 0.875rem; color: var(--kind-entity); }
.store-entity-name { flex: 1; overflow: hidden; text-overflow: ellipsis; }
.store-entity-name.abstract { font-style: italic; }

/* Filter line */
.store-filter { flex: none; display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2); padding: var(--space-2); }
.store-filter-field { position: relative; flex: 1 1 14rem; min-width: 0; display: flex; align-items: center; border: var(--edge-strong); border-radius: var(--radius); background: var(--raised); }
.store-filter-field:focus-within { outline: 2px solid var(--focus); outline-offset: -1px; }
.store-filter-field > .icon { position: absolute; left: var(--space-2); color: var(--text-quiet); pointer-events: none; }
.store-filter-field > .icon-button { min-height: 1.5rem; width: 1.5rem; }
#store-filter { flex: 1; min-width: 0; padding: 0 var(--space-2) 0 1.75rem; border: 0; background: transparent; font-family: var(--font-code); font-size: var(--size); }
#store-filter:focus-visible { outline: none; }
.store-filter .underlined { left: 1.75rem; right: 3.5rem; font: var(--size)/1.45 var(--font-code); white-space: pre; }
.store-filter-saved { width: 1.75rem; padding: 0 !important; border: 0 !important; background: transparent !important; color: var(--text-quiet); text-align: center; appearance: none; }
.store-filter-saved option { background: var(--raised); color: var(--text); }
.store-filter-note { flex: none; width: 11rem; line-height: 1.2; font-size: var(--size-small); }
.store-filter-note .field-problem { display: -webkit-box; overflow: hidden; -webkit-line-clamp: 2; -webkit-box-orient: vertical; }

/* Rows */
.rows-view { flex: 1; min-height: 0; display: flex; }
.rows-list { flex: 1; min-width: 0; display: flex; flex-direction: column; }
.rows-new { flex: none; display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-1); padding: 0 var(--space-2) var(--space-2); }
.rows-new > button { min-height: 1.4rem; border-color: transparent; background: var(--good-soft); color: var(--good); font-size: var(--size-small); }
.rows-new > button[aria-pressed="true"] { border-color: var(--good); }
.rows-grid { position: relative; flex: 1; min-height: 0; border-top: var(--edge); }
.rows-status { flex: none; display: flex; gap: var(--space-4); padding: 0.15rem var(--space-3); border-top: var(--edge); background: var(--sunken); min-height: 1.5rem; }

.grid { position: absolute; inset: 0; display: flex; flex-direction: column; overflow: clip; outline: none; --grid-row: 26px; }
.grid-head { flex: none; display: flex; height: 1.75rem; border-bottom: var(--edge-strong); background: var(--sunken); will-change: transform; }
.grid-header { position: relative; flex: none; display: flex; align-items: center; gap: var(--space-1); padding: 0 var(--space-2); border-right: var(--edge); overflow: hidden; white-space: nowrap; user-select: none; }
.grid-header:hover { background: var(--hover); }
.grid-header.right { justify-content: flex-end; }
.grid-header-name { font-weight: 600; }
.grid-header-type { overflow: hidden; color: var(--text-quiet); font-size: 0.6875rem; text-overflow: ellipsis; }
.grid-sort { color: var(--accent-text); font-size: 0.625rem; }
.grid-edge { position: absolute; inset: 0 0 0 auto; width: 6px; cursor: col-resize; touch-action: none; }
.grid-scroller { position: relative; flex: 1; min-height: 0; overflow: auto; contain: strict; overflow-anchor: none; }
.grid-spacer { width: 1px; }
.grid-body { position: absolute; top: 0; left: 0; will-change: transform; }
.grid-row { position: absolute; top: 0; left: 0; display: flex; height: var(--grid-row); border-bottom: var(--edge); contain: layout style; }
.grid-row.waits .grid-cell::after { content: ""; display: inline-block; width: 60%; height: 0.5rem; border-radius: 4px; background: var(--hover); }
.grid-row.delete { background: var(--danger-soft); color: var(--danger); text-decoration: line-through; }
.grid-row.update { box-shadow: inset 3px 0 var(--changed); }
.grid-row.flash { animation: flash 1.5s ease-out; }
@keyframes flash { from { background: var(--warning-soft); } to { background: transparent; } }
.grid-cell { flex: none; padding: 0 var(--space-2); overflow: hidden; border-right: 1px solid transparent; line-height: calc(var(--grid-row) - 1px); text-overflow: ellipsis; white-space: pre; }
.grid-cell.right { text-align: right; }
.grid-cell.code, .record-plain.code { font-family: var(--font-code); font-size: 0.75rem; }
.grid-cell.link { color: var(--accent-text); }
.grid-cell.members, .grid-cell.data { color: var(--kind-relationship); }
.grid-cell.none, .grid-cell.blank { color: var(--text-quiet); }
.grid-cell.blank { font-style: italic; }
.grid-cell.null::after { content: "·"; color: var(--line-strong); }
.grid-cell.unreadable { color: var(--danger); font-style: italic; }
.grid-cell.edited { background: var(--changed-soft); color: var(--changed); font-weight: 600; }
.grid-cell.focused { outline: var(--edge-strong); outline-offset: -1px; }
.grid:focus .grid-cell.focused { outline: 2px solid var(--focus); outline-offset: -2px; }
.zone { margin-left: auto; }
.zone > select { field-sizing: content; min-height: 0; max-width: 14rem; padding: 0; border: 0; background: transparent; color: inherit; }
.zone option { background: var(--raised); color: var(--text); }
.link-preview { position: fixed; z-index: 5; width: 20rem; padding: var(--space-2) var(--space-3); border: var(--edge-strong); border-radius: var(--radius); background: var(--raised); box-shadow: var(--shadow); }
.link-preview dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0 var(--space-2); }
.work > li { display: flex; align-items: center; gap: var(--space-2); padding: 0 var(--space-3); }
.grid-editor { position: absolute; z-index: 2; min-height: 0 !important; padding: 0 var(--space-2); border-radius: 2px !important; box-shadow: var(--shadow); }

/* Record */
.record { flex: none; width: 22rem; min-height: 0; overflow: auto; border-left: var(--edge); background: var(--surface); }
.record-problem { padding: var(--space-4); color: var(--text-quiet); }
.record-head { position: sticky; z-index: 1; top: 0; display: flex; align-items: center; gap: var(--space-2); padding: var(--space-2) var(--space-3); border-bottom: var(--edge); background: var(--surface); }
.record-head > div { flex: 1; min-width: 0; }
.record.update .record-kind { color: var(--changed); }
.record.insert .record-kind { color: var(--good); }
.record.delete .record-kind { color: var(--danger); }
.record-values { padding: var(--space-1) 0; }
.record-links { border-top: var(--edge); }
.record-row { display: grid; grid-template-columns: 7.5rem minmax(0, 1fr); gap: 0 var(--space-2); padding: 0.2rem var(--space-3); }
.record-row.wide { grid-template-columns: minmax(0, 1fr); }
.record-row:hover { background: var(--sunken); }
.record-row.edited { background: var(--changed-soft); }
.record-row.wrong { box-shadow: inset 3px 0 var(--danger); }
.record-row dt { padding-top: 0.1rem; }
.record-row dd { position: relative; min-height: 1.4rem; }
.record-row dd > input, .record-row dd > textarea { width: 100%; }
.record-needed { color: var(--danger); }
.record-edit { position: absolute; top: 0; right: 0; min-height: 1.4rem !important; opacity: 0; }
.record-row:hover .record-edit, .record-edit:focus-visible { opacity: 1; }
.record-text { max-height: 16rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
.record-plain { overflow-wrap: anywhere; }
.record-hint { display: block; font-size: var(--size-small); }
.null-value { color: var(--text-quiet); font-style: italic; }
.record-link { min-height: 0 !important; max-width: 100%; display: inline-block; overflow: hidden; padding: 0 !important; border: 0 !important; background: transparent !important; color: var(--accent-text); text-align: left; text-overflow: ellipsis; }
.record-link:hover { text-decoration: underline; }
.record-link > .quiet { padding-left: var(--space-2); font-size: var(--size-small); }
.record-members > button.plain { min-height: 1.4rem; margin-right: var(--space-3); padding: 0; }
.record-members li { display: flex; align-items: center; justify-content: space-between; min-height: 1.4rem; }
.record-members li > .icon-button { width: 1.25rem; min-height: 1.25rem; opacity: 0; }
.record-members li:hover > .icon-button, .record-members li > .icon-button:focus-visible { opacity: 1; }
.record-position { min-width: 1.25rem; }
.record-members li > .record-link { flex: 1; }
.record-parts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0 var(--space-3); padding-left: var(--space-2); }
.composite-editor { display: grid; gap: var(--space-1); padding: var(--space-1); border: var(--edge); border-radius: var(--radius); background: var(--raised); }
.composite-editor label { display: grid; grid-template-columns: 6rem minmax(0, 1fr); align-items: center; gap: var(--space-2); }
.object-search-more { color: var(--accent-text); cursor: pointer; }
.object-search { display: grid; gap: var(--space-1); padding: var(--space-1); border: var(--edge); border-radius: var(--radius); background: var(--raised); box-shadow: var(--shadow); }
.object-search ul { max-height: 12rem; overflow: auto; }
.object-search li { padding: 0.1rem var(--space-2); border-radius: var(--radius); }

/* Data */
.data-value { display: grid; gap: var(--space-1); min-width: 0; }
.data-head { display: flex; align-items: center; justify-content: space-between; gap: var(--space-2); }
.data-head .segments > button { min-height: 1.35rem; padding: 0 var(--space-2); font-size: var(--size-small); }
.data-tools { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 var(--space-3); }
.data-tools > button, .data-file > span { min-height: 1.4rem; padding: 0; color: var(--accent-text); cursor: pointer; }
.data-file:focus-within > span { outline: 2px solid var(--focus); outline-offset: 1px; }
.data-picture { max-width: 100%; max-height: 20rem; justify-self: start; border-radius: var(--radius); background: repeating-conic-gradient(var(--hover) 0 25%, var(--surface) 0 50%) 0 0 / 16px 16px; }
.data-text { max-height: 18rem; overflow: auto; padding: var(--space-2); border: var(--edge); border-radius: var(--radius); background: var(--sunken); font-size: 0.6875rem; }
.data-text.text { white-space: pre-wrap; overflow-wrap: anywhere; }
.plist { max-height: 22rem; overflow: auto; padding: var(--space-1) var(--space-2); border: var(--edge); border-radius: var(--radius); background: var(--sunken); font-size: var(--size-small); }
.plist details > :not(summary) { margin-left: 1rem; }
.plist-key { padding-right: var(--space-2); color: var(--accent-text); }
.plist-leaf { overflow-wrap: anywhere; }

/* Pending changes and conflicts */
.pending-none { padding: var(--space-3); }
.pending { width: 100%; border-collapse: collapse; }
.pending th { padding: var(--space-1) var(--space-3); color: var(--text-quiet); font-size: var(--size-small); text-align: left; }
.pending td { padding: var(--space-1) var(--space-3); border-top: var(--edge); vertical-align: top; }
.pending-kind { padding: 0 0.4rem; border-radius: 1rem; background: var(--changed-soft); color: var(--changed); font-size: var(--size-small); }
.pending-kind.insert { background: var(--good-soft); color: var(--good); }
.pending-kind.delete { background: var(--danger-soft); color: var(--danger); }
.pending-value del { color: var(--text-quiet); }
.pending-value ins { color: var(--changed); text-decoration: none; font-weight: 600; }
.conflicts fieldset { margin: var(--space-2) 0; padding: var(--space-2) var(--space-3); border: var(--edge); border-radius: var(--radius); }
.conflict-all { display: flex; gap: var(--space-3); }
.conflict-choice { display: flex; align-items: baseline; gap: var(--space-2); padding: 0.15rem 0; }

/* Tabs */
.tab-page { flex: 1; min-height: 0; overflow: auto; padding: var(--space-4); display: grid; align-content: start; gap: var(--space-3); }
.tab-tools { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-3); }
.statement { padding: var(--space-3); border: var(--edge); border-radius: var(--radius); background: var(--sunken); white-space: pre-wrap; overflow-wrap: anywhere; }
.plain-table { border-collapse: collapse; justify-self: start; }
.plain-table th, .plain-table td { padding: 0.2rem var(--space-4) 0.2rem 0; border-bottom: var(--edge); text-align: left; overflow-wrap: anywhere; }
.plain-table th { color: var(--text-quiet); font-weight: 500; }
.plain-table .right { text-align: right; }
.plan li { display: flex; align-items: center; gap: var(--space-3); padding: 0.15rem 0; white-space: pre; }
.plan .scan { color: var(--warning); }
.scan-note { display: inline-flex; align-items: center; gap: var(--space-1); font-size: var(--size-small); }
.history summary { display: flex; align-items: center; gap: var(--space-2); padding: var(--space-1) 0; }
.history summary > .icon { width: 0.75rem; height: 0.75rem; color: var(--text-quiet); transition: rotate 0.1s; }
.history details[open] > summary > .icon { rotate: 90deg; }
.history > li { border-bottom: var(--edge); }
.history li li { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 var(--space-2); padding: 1px 0; }
.history ul { padding: 0 0 var(--space-2) var(--space-4); }
.findings li { display: flex; gap: var(--space-2); padding: var(--space-1) 0; }
.findings .icon { color: var(--warning); margin-top: 0.15rem; }
.findings div { display: grid; }
.findings.repaired .icon, .check-good .icon { color: var(--good); }
.task { display: flex; align-items: center; gap: var(--space-3); }
.check-good { display: flex; align-items: center; gap: var(--space-2); color: var(--good); }

@media (max-width: 64rem) { .record { width: 17rem; } .store-page { grid-template-columns: 10rem minmax(0, 1fr); } }
@media (max-width: 40rem) { .rows-view { flex-direction: column; } .record { width: auto; height: 45%; border-top: var(--edge); } }

"""###),
        ("store/page.js", ###"""
// The page of a store: entities on the left, the tabs of what is looked at in the middle.
import { html, useEffect, useMemo, useRef, useState } from "../lib/preact.js";
import { change, get, onEvent, pathOf } from "../api.js";
import { useAnswer, Waiting } from "../asking.js";
import { useObservable } from "../observable.js";
import { navigate, urlOf } from "../router.js";
import { useFrame } from "../shell/frame.js";
import { notifyError } from "../shell/notices.js";
import { Edits } from "./edits.js";
import { EntityList } from "./entities.js";
import { objectUrl } from "./members.js";
import { PendingList, ConflictDialog } from "./pending.js";
import { LinkPreview } from "./preview.js";
import { RowsView } from "./rowsview.js";
import { useWork, WorkList } from "./work.js";
import { CheckTab, ExportTab, HistoryTab, MetadataTab, StatementTab } from "./tabs.js";

const tabs = [
    ["rows", "Rows"], ["statement", "Statement"], ["history", "History"], ["check", "Check"],
    ["metadata", "Metadata"], ["export", "Export"],
];

/** @import { Route } from "../router.js" */

/** @param {{route: Route, document: any}} props */
export function Page({ route, document: opened }) {
    const [round, setRound] = useState(0);
    useEffect(() => onEvent("reset", () => setRound(before => before + 1)), []);
    const { answer: store, error } = useAnswer(signal => get(pathOf("stores", opened.id), { signal }), [opened.id, round]);
    if (error !== "" || store === null) return html`<${Waiting} error=${error} />`;
    return html`<${StorePage} route=${route} store=${store} />`;
}

/** @param {{route: Route, store: any}} props */
function StorePage({ route, store }) {
    const [tab = "rows", named] = route.rest;
    const first = useMemo(() => store.entities.find(each => !each.isAbstract) ?? store.entities[0], [store]);
    const entity = store.entities.find(each => each.name === named) ?? first;
    const counts = useCounts(store);
    const edits = useMemo(() => new Edits(store.id, store.mayEdit), [store.id]);
    useEffect(() => edits.follow(), [edits]);
    const pending = useObservable(edits.pending);
    const commands = useRef({});
    const work = useWork();

    const open = (name, next = tab) =>
        navigate(urlOf(["stores", store.id, next, name]));
    const show = next =>
        navigate(urlOf(["stores", store.id, next, entity.name], next === "rows" || next === "statement" || next === "export" ? route.query : {}));
    const count = pending.changes.length;
    useFrame({
        breadcrumb: [{ title: store.name, url: urlOf(["stores", store.id]) }, { title: entity?.name ?? "" }],
        actions: [
            ...tabs.map(([id, title]) => ({ title: `Show ${title}`, run: () => show(id) })),
            ...(store.mayEdit ? [
                { title: `New ${entity.name}`, keys: "Insert", icon: "plus", isEnabled: !entity.isAbstract, run: () => commands.current.insert?.() },
                { title: "Discard all pending changes", isEnabled: count > 0, run: () => void edits.discard() },
            ] : []),
            { title: "Read again", keys: "F5", icon: "reload", run: () => commands.current.reload?.() },
        ],
        keys: [
            { keys: "Ctrl+F", title: "Filter", inFields: true, run: () => document.getElementById("store-filter")?.focus() },
            { keys: "F5", title: "Read again", inFields: true, run: () => commands.current.reload?.() },
            { keys: "Insert", title: "New object", run: () => commands.current.insert?.() },
            { keys: "Alt+N", title: "New object", run: () => commands.current.insert?.() },
            { keys: "F2", title: "Edit the value" }, { keys: "Delete", title: "Delete the object" },
            { keys: "Ctrl+Enter", title: "Follow the link" }, { keys: "Ctrl+Backspace", title: "Set null" },
            { keys: "Ctrl+V", title: "Paste cells" }, { keys: "Shift+Enter", title: "Value in the record" },
            { keys: "Alt+ArrowLeft", title: "Back" }, { keys: "Alt+ArrowRight", title: "Forward" }, { keys: "Ctrl+Space", title: "Complete (in the filter)" },
            { keys: "Alt+S", title: "Sort by the column (Shift adds)" },
        ],
        search: text => searched(store, text),
        status: {
            undo: pending.undo === null ? null : { title: pending.undo, run: () => void edits.undo() },
            redo: pending.redo === null ? null : { title: pending.redo, run: () => void edits.redo() },
            save: store.mayEdit ? { count, run: () => void edits.save() } : null,
            text: !store.mayEdit ? store.isCopy ? "reading a copy" : "read only" : undefined,
            panels: [...(store.mayEdit ? [{
                id: "pending", title: "Changes", badge: count, tone: pending.problems.length > 0 ? "error" : count > 0 ? "changed" : "quiet",
                render: () => html`<${PendingList} edits=${edits} store=${store} onOpen=${change =>
                    navigate(objectUrl(store.id, change.id))} />`,
            }] : []), { id: "work", title: "Running", badge: work.length || undefined, render: () => html`<${WorkList} work=${work} />` }],
        },
    });
    const shared = { store, entity, edits, route, commands };
    return html`
        <div class="page store-page">
            <${EntityList} entities=${store.entities} counts=${counts} current=${entity?.name ?? ""} onOpen=${open} />
            <div class="store-main">
                <div class="tabs" role="tablist">${tabs.map(([id, title]) => html`
                    <button role="tab" aria-selected=${tab === id} onClick=${() => show(id)}>${title}</button>`)}
                </div>
                ${tab === "statement" ? html`<${StatementTab} ...${shared} />`
                : tab === "history" ? html`<${HistoryTab} ...${shared} />`
                : tab === "check" ? html`<${CheckTab} ...${shared} />`
                : tab === "metadata" ? html`<${MetadataTab} ...${shared} counts=${counts} />`
                : tab === "export" ? html`<${ExportTab} ...${shared} />`
                : entity && html`<${RowsView} key=${entity.name} ...${shared} />`}
            </div>
            <${LinkPreview} key=${`${tab} ${entity?.name}`} store=${store} />
            <${ConflictDialog} edits=${edits} store=${store} />
        </div>`;
}

/** Counts all entities in the background, and again after commits. @param {any} store */
function useCounts(store) {
    const [counts, setCounts] = useState(/** @type {Record<string, any>} */({}));
    useEffect(() => {
        const count = () => change(pathOf("stores", store.id, "tasks"), { kind: "count" }).catch(notifyError);
        let waiting = 0;
        const ends = [
            onEvent("progress", data => {
                if (data.store === store.id && data.count) setCounts(all => ({ ...all, [data.count.entity]: data.count }));
            }),
            onEvent("store", data => {
                if (data.store !== store.id) return;
                clearTimeout(waiting);
                waiting = setTimeout(count, 400);
            }),
        ];
        count();
        return () => {
            clearTimeout(waiting);
            ends.forEach(end => end());
        };
    }, [store.id]);
    return counts;
}

/** Finds entities by name, and an object by its name. @param {any} store @param {string} text */
function searched(store, text) {
    const word = text.trim().toLowerCase();
    const entities = store.entities.filter(each => each.name.toLowerCase().includes(word)).map(each => ({
        title: each.name, detail: "entity", icon: "entity", url: urlOf(["stores", store.id, "rows", each.name]),
    }));
    const object = /^(\w+)\/p\d+$/.exec(text.trim());
    return object === null ? entities : [{
        title: text.trim(), detail: "object", icon: "table",
        url: objectUrl(store.id, text.trim()),
    }, ...entities];
}

"""###),
        ("store/paste.js", ###"""
// Pasting: cells as other programs copy them become edits of the selected cell and of those to its right and below.
import { notify, notifyError } from "../shell/notices.js";
import { parsed } from "./edits.js";

/** How many refused values a notice lists. */
const mostListed = 8;

/** Reads cells between tabs, line by line. One with a tab or a line break in it is quoted. @param {string} text */
export function cellsOf(text) {
    /** @type {string[][]} */
    const lines = [[]];
    for (const [, quoted, plain, end] of text.replace(/\r?\n$/, "").matchAll(/(?:"((?:[^"]|"")*)"|([^\t\r\n]*))(\t|\r?\n|\r|$)/g)) {
        lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
        if (end === "") break;
        if (end !== "\t") lines.push([]);
    }
    return lines;
}

/** @param {any} column @param {string} text */
function valueFor(column, text) {
    if (column === undefined) throw new Error("there is no column");
    if (column.kind !== "attribute" || column.isDerived || /binary|composite|transformable/.test(column.type)) throw new Error("it takes no text");
    return parsed(text, column);
}

/** Pastes as one step what can be, and tells what cannot. @param {import("./rowedits.js").Editing} editing @param {string} text */
export async function paste({ grid, rows, edits }, text) {
    if (!edits.mayEdit) return edits.refuse();
    const [top, left, lines, taken, wrong] = [grid.row, grid.column, cellsOf(text), [], []];
    const refuse = ({ row, column }, why) => wrong.push({ row, column, text: `row ${row + 1}, ${rows.columns[column]?.name ?? `column ${column + 1}`}: ${why}` });
    await rows.ready;
    for (const [down, line] of lines.entries()) {
        const row = top + down;
        if (row < rows.total) await rows.reach(row);
        const object = rows.at(row)?.[0];
        for (const [right, cell] of line.entries()) {
            const place = { row, column: left + right };
            const column = rows.columns[place.column];
            try {
                if (object === undefined) throw new Error("there is no row");
                taken.push({ place, edit: { kind: "set", object, key: column?.name, value: valueFor(column, cell) } });
            } catch (error) {
                refuse(place, error.message);
            }
        }
    }
    try {
        if (taken.length > 0) {
            const { refused } = await edits.change([], () => ({ edits: taken.map(each => each.edit), title: "Paste", skipsRefused: true }));
            for (const { index, error } of refused) refuse(taken[index].place, error);
        }
    } catch (error) {
        return notifyError(error);
    }
    const texts = wrong.sort((a, b) => a.row - b.row || a.column - b.column).map(each => each.text);
    const count = lines.flat().length;
    if (texts.length > mostListed) texts.splice(mostListed, Infinity, `and ${texts.length - mostListed} more`);
    notify({ title: `Pasted ${count - wrong.length} of ${count} values`, tone: wrong.length > 0 ? "error" : "good", detail: texts.join("\n") });
}

"""###),
        ("store/pending.js", ###"""
// What is changed and not saved: the list below the page, and the choice after a conflict.
import { html, useState } from "../lib/preact.js";
import { useObservable } from "../observable.js";
import { Dialog } from "../shell/dialogs.js";
import { IconButton } from "../shell/icons.js";
import { byteText, cellText } from "./cells.js";

/** @import { Conflict, Edits } from "./edits.js" */

export const changeWords = { insert: "new", update: "changed", delete: "deleted" };

/** @param {any} store @param {string} entity @param {string} key */
const columnOf = (store, entity, key) =>
    store.entities.find(each => each.name === entity)?.properties.find(each => each.name === key)
    ?? { name: key, kind: "attribute" };

/** @param {{edits: Edits, store: any, onOpen: (change: any) => void}} props */
export function PendingList({ edits, store, onOpen }) {
    const { changes, problems } = useObservable(edits.pending);
    if (changes.length === 0) return html`<p class="pending-none quiet">Nothing is changed. Edits wait here until they are saved.</p>`;
    return html`
        <table class="pending"><thead><tr><th>Object</th><th>Change</th><th></th></tr></thead><tbody>${changes.map(change => html`
            <tr key=${change.id} class=${change.kind}>
                <td><button class="record-link" onClick=${() => onOpen(change)}>${change.title ?? change.id}
                    <span class="quiet">${change.id}</span></button> <span class=${"pending-kind " + change.kind}>${changeWords[change.kind]}</span></td>
                <td>${Object.entries(change.values).filter(([, { from, to }]) => change.kind === "update" || to !== null).map(([key, { from, to }]) => {
                    const column = columnOf(store, change.entity, key);
                    return html`<div class="pending-value"><b>${key}</b> ${change.kind === "update" && html`<del>${shown(from, column)}</del> → `}<ins>${shown(to, column)}</ins></div>`;
                })}
                ${problems.filter(each => each.object === change.id).map(each => html`
                    <p class="field-problem">${each.key !== null && html`<b>${each.key}</b>: `}${each.message}</p>`)}</td>
                <td><${IconButton} name="undo" title="Discard" label=${`Discard the changes of ${change.id}`}
                    onClick=${() => edits.discard(change.id)} /></td>
            </tr>`)}</tbody></table>`;
}

const shown = (value, column) => value === null ? "null" : cellText(value, column).text;

/** Shows, after a save that was refused, what others changed: theirs and mine. @param {{edits: Edits, store: any}} props */
export function ConflictDialog({ edits, store }) {
    const conflicts = useObservable(edits.conflicts);
    if (conflicts.length === 0) return null;
    return html`<${Choices} key=${JSON.stringify(conflicts)} edits=${edits} store=${store} conflicts=${conflicts} />`;
}

/** @param {{edits: Edits, store: any, conflicts: Conflict[]}} props */
function Choices({ edits, store, conflicts }) {
    const [keep, setKeep] = useState(() => conflicts.map(each => String(each.kind === "deleted" ? "theirs" : "")));
    const text = (each, value) => {
        const column = columnOf(store, each.object.split("/")[0], each.key ?? "");
        if (value === null) return "null";
        if (column.type === "binary") return byteText(Math.floor(value.replaceAll("=", "").length * 3 / 4));
        return column.kind === "attribute" ? cellText(value, column).text : String(value);
    };
    const all = which => setKeep(conflicts.map((each, index) => each.kind === "deleted" ? keep[index] : which));
    const titleOf = id => {
        const title = edits.pending.value.changes.find(each => each.id === id)?.title;
        return html`${title ?? id}${title && html` <span class="quiet">${id}</span>`}`;
    };
    const choose = (index, which) =>
        setKeep(keep.map((each, position) => position === index ? which : each));
    const option = (index, which, title, value) => html`
        <label class="conflict-choice"><input type="radio" name=${`conflict-${index}`} checked=${keep[index] === which}
            onChange=${() => choose(index, which)} /><b>${title}</b> <span class="code">${value}</span></label>`;
    const save = () => edits.save(conflicts.map((each, index) => ({ object: each.object, ...(each.key === undefined ? {} : { key: each.key }), keep: keep[index] })));
    return html`
        <${Dialog} title="Changed meanwhile" className="conflicts" onClose=${() => edits.conflicts.set([])}>
            <p>Another program has written what you are about to save. Choose what is kept.</p>
            ${conflicts.length > 1 && html`<div class="conflict-all"><button class="plain" onClick=${() => all("theirs")}>Take all of theirs</button>
                <button class="plain" onClick=${() => all("mine")}>Keep all of mine</button></div>`}
            ${conflicts.map((each, index) => html`
                <fieldset><legend>${titleOf(each.object)}${each.key !== undefined && html` · <b>${each.key}</b>`}</legend>
                    ${each.kind === "value" && html`<div class="quiet">It was <span class="code">${text(each, each.base)}</span>.</div>
                        ${option(index, "theirs", "Theirs", text(each, each.theirs))}${option(index, "mine", "Mine", text(each, each.mine))}`}
                    ${each.kind === "changed" && html`${option(index, "theirs", "Keep it", "as they changed it")}${option(index, "mine", "Delete it", "all the same")}`}
                    ${each.kind === "deleted" && html`<p>They deleted this object. Your changes of it are given up.</p>`}
                </fieldset>`)}
            <div class="dialog-buttons"><button onClick=${() => edits.conflicts.set([])}>Not now</button>
                <button class="main" disabled=${keep.includes("")} onClick=${save}>Save</button></div>
        <//>`;
}

"""###),
        ("store/plist.js", ###"""
// Property lists as values: binary ones and XML ones. Archives are shown as what they are made of, never opened.
const deepest = 60;
const mostObjects = 20_000;

/** A reference within an archive. */
class UID {
    constructor(number) { this.number = number; }
    toString() { return `→ ${this.number}`; }
}

/** Reads a property list. Throws an error that says what is wrong. @param {Uint8Array} content @returns {any} */
export function parsePropertyList(content) {
    const start = String.fromCharCode(...content.subarray(0, 6));
    return start === "bplist" ? new BinaryList(content).root() : xmlList(new TextDecoder().decode(content));
}

class BinaryList {
    /** @param {Uint8Array} content */
    constructor(content) {
        if (content.length < 40) throw new Error("it is cut off");
        this.view = new DataView(content.buffer, content.byteOffset, content.byteLength);
        const trailer = content.length - 32;
        this.offsetSize = this.view.getUint8(trailer + 6);
        this.referenceSize = this.view.getUint8(trailer + 7);
        this.count = this.number(trailer + 8, 8);
        this.top = this.number(trailer + 16, 8);
        this.table = this.number(trailer + 24, 8);
        this.read = 0;
        if (this.offsetSize < 1 || this.offsetSize > 8 || this.referenceSize < 1 || this.referenceSize > 8) {
            throw new Error("its table is malformed");
        }
    }

    root() { return this.object(this.top, 0); }

    /** @param {number} place @param {number} size */
    number(place, size) {
        let value = 0;
        for (let index = 0; index < size; index++) value = value * 256 + this.view.getUint8(place + index);
        return value;
    }

    /** @param {number} index @param {number} depth @returns {any} */
    object(index, depth) {
        if (index >= this.count || depth > deepest || (this.read += 1) > mostObjects) throw new Error("it is too large, or refers to itself");
        const place = this.number(this.table + index * this.offsetSize, this.offsetSize);
        const marker = this.view.getUint8(place);
        const [type, low] = [marker >> 4, marker & 15];
        if (type === 0) return low === 8 ? false : low === 9 ? true : null;
        if (type === 1) return low === 3 ? this.view.getBigInt64(place + 1) : this.number(place + 1, 1 << low);
        if (type === 2) return low === 2 ? this.view.getFloat32(place + 1) : this.view.getFloat64(place + 1);
        if (type === 3) return new Date(978307200000 + 1000 * this.view.getFloat64(place + 1));
        if (type === 8) return new UID(this.number(place + 1, low + 1));
        const [count, start] = this.length(place, low);
        if (type === 4) return this.bytes(start, count);
        if (type === 5) return new TextDecoder("latin1").decode(this.bytes(start, count));
        if (type === 6) return new TextDecoder("utf-16be").decode(this.bytes(start, 2 * count));
        const reference = position => this.number(start + position * this.referenceSize, this.referenceSize);
        if (type === 10 || type === 12) {
            return Array.from({ length: this.checked(count) }, (_, position) => this.object(reference(position), depth + 1));
        }
        if (type === 13) {
            /** @type {Record<string, any>} */
            const values = {};
            for (let position = 0; position < this.checked(count); position++) {
                values[String(this.object(reference(position), depth + 1))] = this.object(reference(count + position), depth + 1);
            }
            return values;
        }
        throw new Error(`it has an object of the unknown type ${type}`);
    }

    checked(count) {
        if (count > mostObjects) throw new Error("it is too large");
        return count;
    }

    /** @param {number} place @param {number} low @returns {[number, number]} */
    length(place, low) {
        if (low !== 15) return [low, place + 1];
        const size = 1 << (this.view.getUint8(place + 1) & 15);
        return [this.number(place + 2, size), place + 2 + size];
    }

    /** @param {number} start @param {number} count */
    bytes(start, count) {
        if (start + count > this.view.byteLength) throw new Error("it is cut off");
        return new Uint8Array(this.view.buffer, this.view.byteOffset + start, count);
    }
}

function xmlList(text) {
    const document = new DOMParser().parseFromString(text, "application/xml");
    const root = document.documentElement;
    if (root.nodeName !== "plist" || root.firstElementChild === null) throw new Error("it is XML, but no property list");
    return xmlValue(root.firstElementChild, 0);
}

/** @param {Element} element @param {number} depth @returns {any} */
function xmlValue(element, depth) {
    if (depth > deepest) throw new Error("it is nested too deep");
    const text = element.textContent ?? "";
    switch (element.nodeName) {
    case "true": return true;
    case "false": return false;
    case "integer": case "real": return Number(text);
    case "date": return new Date(text);
    case "array": return [...element.children].map(child => xmlValue(child, depth + 1));
    case "dict": {
        /** @type {Record<string, any>} */
        const values = {};
        const children = [...element.children];
        for (let index = 0; index + 1 < children.length; index += 2) {
            values[children[index].textContent ?? ""] = xmlValue(children[index + 1], depth + 1);
        }
        return values;
    }
    default: return text.trim();
    }
}

"""###),
        ("store/preview.js", ###"""
// What a link leads to, shown beside it while the pointer or the focus rests on it.
import { html, useEffect, useRef, useState } from "../lib/preact.js";
import { get, onEvent } from "../api.js";
import { cellText } from "./cells.js";
import { objectPath } from "./members.js";

/** How long one has to rest on a link, in milliseconds. */
const rest = 300;
const mostValues = 6;

/** @param {{store: any}} props */
export function LinkPreview({ store }) {
    const [shown, setShown] = useState(/** @type {{record: any, box: DOMRect}|null} */(null));
    const asked = useRef(new Map());
    useEffect(() => {
        const ends = new AbortController();
        let [timer, link, id, wanted] = [0, null, "", new AbortController()];
        const leave = () => {
            clearTimeout(timer);
            wanted.abort();
            link?.removeAttribute("aria-describedby");
            [link, id] = [null, ""];
            setShown(null);
        };
        const come = async () => {
            const { signal } = wanted = new AbortController();
            try {
                if (!asked.current.has(id)) asked.current.set(id, await get(objectPath(store.id, id), { signal }));
            } catch {
                return;
            }
            if (signal.aborted || !link.isConnected) return;
            link.setAttribute("aria-describedby", "link-preview");
            setShown({ record: asked.current.get(id), box: link.getBoundingClientRect() });
        };
        const look = target => {
            const found = target.closest?.("[data-link], #link-preview");
            if (found?.id === "link-preview" || found === link && (found?.dataset.link ?? "") === id) return;
            leave();
            if (found) [link, id, timer] = [found, found.dataset.link, setTimeout(come, rest)];
        };
        const follow = (name, run) => document.addEventListener(name, run, { signal: ends.signal, capture: true });
        // Not pointerover, which also comes when a list scrolls under a pointer at rest.
        for (const name of ["pointermove", "focusin", "cellfocus"]) follow(name, event => look(event.target));
        for (const name of ["pointerdown", "wheel"]) follow(name, leave);
        follow("keydown", event => event.key === "Escape" && leave());
        const forget = () => asked.current.clear();
        const events = [onEvent("store", forget), onEvent("edits", forget)];
        return () => {
            leave();
            ends.abort();
            events.forEach(end => end());
        };
    }, [store]);
    if (shown === null) return null;
    const { record, box } = shown;
    const columns = store.entities.find(each => each.name === record.entity)?.properties
        .filter(each => each.kind === "attribute" && record.values[each.name] !== undefined).slice(0, mostValues) ?? [];
    const isLow = box.bottom > innerHeight * 0.6;
    return html`<div id="link-preview" role="tooltip" class="link-preview" style=${{
        left: `${Math.min(box.left, innerWidth - 320)}px`, ...(isLow ? { bottom: `${innerHeight - box.top}px` } : { top: `${box.bottom}px` }),
    }}><b>${record.title ?? record.id}</b> <span class="quiet">${record.id}</span>
        <dl>${columns.map(each => html`<dt class="note">${each.name}</dt><dd class="cut">${
            record.values[each.name] === null ? "null" : cellText(record.values[each.name], each).text}</dd>`)}</dl></div>`;
}

"""###),
        ("store/record.js", ###"""
// The record: one object beside the list, with all its values, and editors for them.
import { html, useEffect } from "../lib/preact.js";
import { get } from "../api.js";
import { useAnswer } from "../asking.js";
import { IconButton } from "../shell/icons.js";
import { cellText, typeText } from "./cells.js";
import { DataEditor } from "./data.js";
import { isControlled } from "./editorkeys.js";
import { CompositeEditor, ValueEditor } from "./editors.js";
import { ObjectLink, LinkEditor, Members, objectPath } from "./members.js";
import { changeWords } from "./pending.js";
import { DataValue } from "./values.js";

/** @import { Column } from "./cells.js" */

/**
 * @typedef {{store: string, id: string, entities: any[], edits: import("./edits.js").Edits, change: any, problems: any[], version: number,
 *   editing: string, onRename: (id: string) => void, onEditing: (key: string) => void}} RecordProps
 */

/** @param {RecordProps} props */
export function RecordPanel(props) {
    const { store, id, entities, edits, version, onRename } = props;
    const { answer, error } = useAnswer(
        async signal => ({ asked: id, record: await get(objectPath(store, id), { signal }) }), [store, id, version]);
    const { asked, record } = answer ?? {};
    // A new object has another name once it is saved.
    useEffect(() => {
        if (asked === id && record.id !== id) onRename(record.id);
    }, [record]);
    if (error !== "" || record === undefined) {
        return html`<aside class="record" aria-label="Record" aria-busy=${error === ""}>${error && html`<p class="record-problem">${error}</p>`}</aside>`;
    }
    // The former object is shown while one is read, but takes no edits.
    const isFormer = asked !== id && record.id !== id;
    const shared = isFormer ? { ...props, editing: "", change: undefined, problems: [] } : props;
    const { change, problems } = shared;
    const entity = entities.find(each => each.name === record.entity);
    /** @type {Column[]} */
    const properties = (entity?.properties ?? []).filter(each => record.values[each.name] !== undefined);
    // The title is first, as in the list.
    const attributes = properties.filter(each => each.kind === "attribute")
        .sort((one, other) => Number(other.name === entity.title) - Number(one.name === entity.title));
    const links = properties.filter(each => each.kind !== "attribute");
    const row = column => html`
        <${Property} key=${record.id + column.name} ...${shared} record=${record} column=${column}
            value=${record.values[column.name]} isEdited=${change?.values?.[column.name] !== undefined}
            problem=${problems.find(each => each.key === column.name)?.message} />`;
    return html`
        <aside class=${"record " + (change?.kind ?? "")} aria-label="Record" inert=${isFormer} aria-busy=${isFormer}>
            <header class="record-head">
                <div><h2 class="cut">${record.title ?? record.id}</h2><span class="quiet">${record.id}${change && html` · <b class="record-kind">${changeWords[change.kind]}</b>`}</span></div>
                ${change && html`<button title="Discard the changes of this object"
                    onClick=${() => edits.discard(id)}>Discard</button>`}
                ${edits.mayEdit && change?.kind !== "delete" && html`<${IconButton} name="trash" title="Delete" keys="Delete"
                    onClick=${() => edits.perform([{ kind: "delete", object: id }])} />`}
            </header>
            <dl class="record-values">${attributes.map(row)}</dl>
            <dl class="record-values record-links">${links.map(row)}</dl>
        </aside>`;
}

/** @param {RecordProps & {record: any, column: Column, value: any, isEdited: boolean, problem: string|undefined}} props */
function Property(props) {
    const { change, column, value, isEdited, problem, edits, editing, onEditing, record } = props;
    const mayEdit = edits.mayEdit && change?.kind !== "delete" && !column.isDerived && !column.isTransient && column.type !== "transformable";
    const isEditing = editing === column.name && mayEdit;
    const isData = column.type === "binary";
    const isComposite = column.type === "composite";
    const isWide = column.kind === "toMany" || isComposite && (value !== null || isEditing)
        || !isComposite && (value?.bytes !== undefined || value?.text !== undefined)
        || typeof value === "string" && column.type === "string" && (value.length > 60 || isEditing);
    const begin = () => mayEdit ? onEditing(column.name) : !edits.mayEdit && edits.refuse();
    const clear = event => {
        if (event.key !== "Backspace" || !isControlled(event) || !mayEdit || column.kind === "toMany") return;
        event.preventDefault();
        event.stopPropagation();
        void edits.set(record.id, column.name, null);
    };
    return html`
        <div class=${"record-row" + (isWide ? " wide" : "") + (isEdited ? " edited" : "") + (problem !== undefined ? " wrong" : "")} onKeyDown=${clear}>
            <dt class="cut note" title=${`${column.name}: ${typeText(column)}`}>${column.name}${!column.isOptional && html`<span class="record-needed" title="must have a value">*</span>`}</dt>
            <dd>${column.kind === "toMany" ? html`<${Members} ...${props} mayEdit=${mayEdit} />`
                : isEditing && column.kind === "toOne" ? html`<${LinkEditor} ...${props} />`
                : isEditing && isComposite ? html`<${CompositeEditor} ...${props} />`
                : isEditing && !isData ? html`<${ValueEditor} ...${props} />`
                : html`<${Value} ...${props} mayEdit=${mayEdit} onBegin=${begin} />`}
                ${isData && mayEdit && html`<${DataEditor} ...${props} />`}
                ${problem !== undefined && html`<p class="field-problem">${problem}</p>`}
            </dd>
        </div>`;
}

function Value({ store, record, column, value, version, mayEdit, onBegin }) {
    const edit = mayEdit && column.type !== "binary" && (column.type === "composite" || value?.text === undefined) && html`
        <${IconButton} className="record-edit" title="Edit" label=${`Edit ${column.name}`} onClick=${onBegin}>✎<//>`;
    if (value === null) return html`<span class="null-value" onDblClick=${onBegin}>null</span>${edit}`;
    if (column.type === "composite") {
        return html`<dl class="record-parts" onDblClick=${onBegin}>${column.elements.map(each => html`
            <dt>${each.name}</dt><dd>${value[each.name] === null || value[each.name] === undefined
                ? html`<span class="null-value">null</span>` : cellText(value[each.name], each).text}</dd>`)}</dl>${edit}`;
    }
    if (value.bytes !== undefined) {
        return html`<${DataValue} store=${store} object=${record.id} name=${column.name} value=${value} version=${version} />`;
    }
    if (value.id !== undefined) return html`<${ObjectLink} store=${store} link=${value} />${edit}`;
    if (column.type === "string" && (typeof value === "string" || value.text !== undefined)) {
        const text = value.text ?? value;
        return html`<div class=${"record-text" + (text === "" ? " null-value" : "")} tabindex="0" onDblClick=${onBegin}>${
            text === "" ? "empty" : text}${value.text !== undefined && html`<span class="quiet">… ${value.length} characters</span>`}</div>${edit}`;
    }
    const { text, kind } = cellText(value, column);
    return html`<span class=${"record-plain " + kind} onDblClick=${onBegin}>${text}</span>${edit}`;
}

"""###),
        ("store/rowedits.js", ###"""
// Edits rows: in the cell, in the record, and by keys.
import { notify, notifyError } from "../shell/notices.js";
import { editCell } from "./celleditor.js";
import { isControlled } from "./editorkeys.js";

/** @import { Edits } from "./edits.js" */

/**
 * What the keys work on.
 * @typedef {{grid: import("./grid.js").Grid|null, rows: import("./rows.js").Rows|null, edits: Edits,
 *   onEditing: (key: string) => void}} Editing onEditing: edits a value in the record
 */

/** @param {Editing} editing @param {KeyboardEvent} event @param {number} row @param {number} column @returns {boolean} whether the key is taken */
export function rowKey({ grid, rows, edits, onEditing }, event, row, column) {
    const object = rows?.at(row)?.[0];
    const shown = rows?.columns[column];
    const control = isControlled(event);
    if (object === undefined || shown === undefined) return false;
    if (event.key === "Delete") {
        void edits.perform([{ kind: "delete", object }]);
    } else if (event.key === "Backspace" && control && shown.kind !== "toMany") {
        void edits.set(object, shown.name, null);
    } else if (event.key === "Enter" && event.shiftKey) {
        onEditing(shown.name);
    } else if (event.key.toLowerCase() === "c" && control) {
        const cell = grid?.cellBox();
        if (cell) navigator.clipboard?.writeText(cell.textContent ?? "").catch(notifyError);
    } else if (event.key === "Escape") {
        onEditing("");
    } else {
        return false;
    }
    return true;
}

/** Edits a cell in its place, or in the record if it has no room for it. @param {Editing} editing @param {number} row @param {number} index @param {string|null} typed */
export function beginEdit({ grid, rows, edits, onEditing }, row, index, typed) {
    const line = rows?.at(row);
    const column = rows?.columns[index];
    if (line === undefined || column === undefined) return;
    if (!edits.mayEdit) return edits.refuse();
    if (column.isDerived || column.type === "transformable") {
        return notify({
            title: `${column.name} cannot be edited`,
            detail: column.isDerived ? "The store derives it from other values." : "Only the app can make its values.",
        });
    }
    const change = grid?.changes.get(line[0]);
    if (change?.kind === "delete") return;
    const value = change?.values?.[column.name] !== undefined ? change.values[column.name].to : line[index + 1];
    // Long values are edited in the record, and so is a text of which only the beginning is here.
    const isLarge = column.type === "binary" || column.type === "composite" || value?.text !== undefined;
    if (column.kind !== "attribute" || isLarge || String(value ?? "").includes("\n")) return onEditing(column.name);
    editCell(grid, line[0], column, value, typed, edits);
}

"""###),
        ("store/rowplace.js", ###"""
// Where one is in a list: kept when the list is read again, and found again on the way back.

/** @import { Grid } from "./grid.js" */
/** @import { Rows } from "./rows.js" */

/** @typedef {{row: number, column: number, top: number}} Place */

/** Where one was in each entry of the history. @type {Map<string, Place>} */
const places = new Map();

/** @param {string} entry @param {Grid|null} grid */
export function keepPlace(entry, grid) {
    const { row = 0, column = 0, top = 0 } = grid ?? {};
    places.set(entry, { row, column, top });
}

/** @param {string} entry */
export const placeOf = entry => places.get(entry);

/**
 * Returns what puts the grid, once it shows a list that was read again, where it was: the row on top stays in its place when
 * others came or went above it, and the selected row selected. Where one goes while that is asked counts.
 * @param {Grid} grid @param {Rows} opened the list as it is now @param {Rows} before
 */
export async function placing(grid, opened, before) {
    const find = async index => {
        const name = before.at(index)?.[0];
        return name === undefined ? null : opened.position(name).catch(() => null);
    };
    for (;;) {
        const [first, selected] = [Math.floor(grid.top), grid.row];
        const [top, row] = await Promise.all([find(first), find(selected)]);
        if (first !== Math.floor(grid.top) || selected !== grid.row) continue;
        const moved = top === null ? 0 : top - first;
        const place = grid.top + moved;
        return () => {
            grid.row = row ?? selected + moved;
            if (moved !== 0) grid.scrollTo(place);
        };
    }
}

"""###),
        ("store/rows.js", ###"""
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

"""###),
        ("store/rowscroll.js", ###"""
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

"""###),
        ("store/rowsview.js", ###"""
// The rows of an entity: filter line, grid, and the record of the selected object.
import { html, useEffect, useMemo, useRef, useState } from "../lib/preact.js";
import { onEvent } from "../api.js";
import { useDocuments } from "../shell/documents.js";
import { useObservable } from "../observable.js";
import { historyEntry, navigate, urlOf } from "../router.js";
import { announce, notify } from "../shell/notices.js";
import { isNumber } from "./cells.js";
import { FilterLine } from "./filter.js";
import { Grid } from "./grid.js";
import { objectUrl } from "./members.js";
import { paste } from "./paste.js";
import { RecordPanel } from "./record.js";
import { beginEdit, rowKey } from "./rowedits.js";
import { keepPlace, placeOf, placing } from "./rowplace.js";
import { Rows } from "./rows.js";
import { partText, sortedBy, sortKey, sortOf } from "./sort.js";
import { ZoneChoice } from "./zones.js";

/** A filter of an entity, to show how they are written. @param {any} entity */
function exampleOf(entity) {
    const number = entity.properties.find(each => each.kind === "attribute" && isNumber(each));
    if (entity.title !== null) return `${entity.title} CONTAINS "x"`;
    return number === undefined ? "a predicate" : `${number.name} > 1`;
}

/** @param {{store: any, entity: any, edits: import("./edits.js").Edits, route: any, commands: {current: any}}} props */
export function RowsView({ store, entity, edits, route, commands }) {
    const { filter = "", sort = "", object = "" } = route.query;
    const host = useRef(null);
    const grid = useRef(null);
    const rows = useRef(null);
    const current = useRef({});
    const shownQuery = useRef("");
    const [selected, setSelected] = useState(object);
    const [failure, setFailure] = useState("");
    const [isBusy, setBusy] = useState(true);
    const [status, setStatus] = useState({ total: 0, isExact: false, row: 0, failure: "" });
    const [round, setRound] = useState(0);
    const again = () => setRound(before => before + 1);
    const [isOld, setOld] = useState(false);
    const [version, setVersion] = useState(0);
    const [editing, setEditing] = useState("");
    const pending = useObservable(edits.pending);
    const saves = useObservable(edits.saves);
    useEffect(() => {
        if (saves > 0) again();
    }, [saves]);

    const entry = useMemo(historyEntry, [route.url]);
    /** An object that is shown although the list does not have it. */
    const outside = useRef("");
    // By the time one has left, the address is another one already.
    useEffect(() => () => keepPlace(entry, grid.current), [entry]);

    const go = query =>
        navigate(urlOf(["stores", store.id, "rows", entity.name], { filter, sort, ...query }));
    const follow = id => navigate(objectUrl(store.id, id));
    current.current = { go, follow, sort, edits, entity, filter };

    const working = () => ({ grid: grid.current, rows: rows.current, edits, onEditing: setEditing });

    const note = () => {
        const list = rows.current;
        if (list === null) return;
        grid.current?.changed();
        setStatus({ total: list.total, isExact: list.isExact, row: (grid.current?.row ?? 0) + 1, failure: list.failure });
        const name = list.at(grid.current?.row ?? 0)?.[0];
        if (name !== undefined && outside.current === "") setSelected(before => before.includes("/new") ? before : name);
    };

    useEffect(() => {
        const made = new Grid(host.current, {
            onSelect: row => {
                outside.current = "";
                setSelected(String(rows.current?.at(row)?.[0] ?? ""));
                setEditing("");
                setStatus(before => ({ ...before, row: row + 1 }));
            },
            onFollow: id => current.current.follow(id),
            onSort: (column, adds) => sortBy(column, adds),
            onEdit: (row, column, text) => beginEdit(working(), row, column, text),
            onPaste: text => void paste(working(), text),
            onKey: (event, row, column) => rowKey(working(), event, row, column),
        });
        grid.current = made;
        if (!document.activeElement?.closest(".store-tree")) made.focus();
        return () => made.destroy();
    }, []);

    // A list is opened for each filter and order; the former one is closed, and what still runs for it ends.
    useEffect(() => {
        const wanted = new AbortController();
        let list = null;
        setBusy(true);
        Rows.open(store.id, { entity: entity.name, filter, sort: sortOf(sort).map(partText) }, wanted.signal).then(async opened => {
            list = opened;
            if (wanted.signal.aborted) return opened.close();
            opened.onLoss = again;
            const before = rows.current;
            const isSame = before !== null && shownQuery.current === filter + "\n" + sort;
            // The former rows stay until those at the same place are there.
            const place = isSame ? grid.current : placeOf(entry);
            if (place) await opened.reach(Math.max(place.row, Math.floor(place.top) + grid.current.shownRows));
            const settle = isSame ? await placing(grid.current, opened, before) : () => restore(opened);
            if (wanted.signal.aborted) return opened.close();
            // Until the rows are counted, as many as before can be scrolled to.
            if (isSame && !opened.isExact) opened.total = Math.max(opened.total, before.total);
            rows.current = opened;
            opened.onChange = note;
            setFailure("");
            setOld(false);
            setBusy(false);
            grid.current.show(opened, opened.columns, sortOf(sort));
            await settle();
            before?.close();
            shownQuery.current = filter + "\n" + sort;
            note();
            announce(`${opened.total}${opened.isExact ? "" : " or more"} rows`);
        }, error => {
            if (error.name === "AbortError") return;
            setBusy(false);
            setFailure(error.message);
        });
        return () => {
            wanted.abort();
            if (list !== null && rows.current !== list) list.close();
        };
    }, [filter, sort, round]);
    useEffect(() => {
        // A page that is left ends nothing by itself, and the browser may show it again as it was.
        const leave = () => rows.current?.close();
        const back = event => event.persisted && again();
        addEventListener("pagehide", leave);
        addEventListener("pageshow", back);
        return () => {
            removeEventListener("pagehide", leave);
            removeEventListener("pageshow", back);
            leave();
        };
    }, []);
    useEffect(() => {
        if (rows.current !== null && shownQuery.current === filter + "\n" + sort) void restore(rows.current);
    }, [entry]);

    /** Goes to the object of the address, or to where one was. @param {Rows} opened */
    const restore = async opened => {
        const place = placeOf(entry);
        if (place !== undefined) {
            grid.current?.scrollTo(place.top);
            grid.current?.select(place.row, place.column);
        } else if (object !== "" && !object.includes("/new")) {
            const position = await opened.position(object).catch(() => null);
            if (position !== null) return grid.current?.select(position, 0);
            outside.current = object;
            setSelected(object);
            if (!opened.isExact || opened.total > 100) wait(opened, object);
        } else if (object === "") {
            grid.current?.select(0, 0);
        }
    };
    /** Goes to an object when the keys of all rows are known. @param {Rows} opened @param {string} name */
    const wait = (opened, name) => {
        opened.ready.then(() => opened.position(name)).then(position => {
            if (position !== null && rows.current === opened && outside.current === name) grid.current?.select(position, 0);
        }, () => {});
    };

    useEffect(() => {
        if (object !== "") setSelected(object);
    }, [object]);

    useEffect(() => onEvent("store", data => {
        if (data.store !== store.id) return;
        if (data.failure !== undefined) return void notify({ title: data.failure, tone: "error" });
        setVersion(before => before + 1);
        // Rows are read again around the one on top: what is seen stays in its place.
        again();
        setOld(true);
        const ids = data.changes.map(each => each.id);
        if (ids.length > 0) grid.current?.flash(ids);
    }), [store.id]);

    useEffect(() => {
        if (grid.current === null) return;
        grid.current.changes = new Map(pending.changes.map(change => [change.id, change]));
        grid.current.schedule();
        setVersion(before => before + 1);
    }, [pending]);

    const zone = useDocuments().preferences?.timeZone;
    useEffect(() => grid.current?.redraw(), [zone]);

    const sortBy = (column, adds) => {
        const key = sortKey(column, store.entities);
        if (key !== null) current.current.go({ sort: sortedBy(current.current.sort, key, adds) });
    };

    const insert = async () => {
        const { entity: shown } = current.current;
        if (shown.isAbstract) return;
        if (!await edits.perform([{ kind: "insert", entity: shown.name }])) return;
        const made = edits.pending.value.changes.filter(each => each.kind === "insert" && each.entity === shown.name);
        const newest = made.sort((a, b) => Number(a.id.split("/new")[1]) - Number(b.id.split("/new")[1])).at(-1);
        if (newest === undefined) return;
        // Keys that are typed from now on are meant for the new object, not for the selected cell.
        grid.current?.root.blur();
        setSelected(newest.id);
        setEditing(shown.title ?? shown.properties[0]?.name ?? "");
    };
    commands.current = { insert, reload: again };

    const { total, isExact, row } = status;
    const change = pending.changes.find(each => each.id === selected);
    const inserted = pending.changes.filter(each => each.kind === "insert" && each.entity === entity.name);
    return html`
        <div class="rows-view">
            <div class="rows-list">
                <${FilterLine} store=${store.id} place=${`${store.path} ${entity.name}`} entity=${entity.name} value=${filter}
                    example=${exampleOf(entity)}
                    failure=${failure || status.failure} isBusy=${isBusy} onRun=${text => {
                        if (text === filter) again();
                        else go({ filter: text });
                        grid.current?.focus();
                    }} onLeave=${() => grid.current?.focus()} />
                ${inserted.length > 0 && html`<div class="rows-new"><span class="quiet">New:</span>${inserted.map(each => html`
                    <button key=${each.id} aria-pressed=${each.id === selected}
                        onClick=${() => { setSelected(each.id); setEditing(""); }}>${each.title || each.id}</button>`)}</div>`}
                <div class="rows-grid" ref=${host} aria-busy=${isBusy}></div>
                <div class="rows-status note">
                    <span role="status">${total === 0 ? isBusy ? "" : "no rows" : `${Math.min(row, total).toLocaleString("en-US")} of ${isExact ? "" : "at least "}${total.toLocaleString("en-US")}`}</span>
                    ${isOld && html`<span class="quiet" role="status">another program writes</span>`}
                    <${ZoneChoice} />
                </div>
            </div>
            ${selected !== "" && html`<${RecordPanel} store=${store.id} id=${selected} entities=${store.entities} edits=${edits}
                change=${change} problems=${pending.problems.filter(each => each.object === selected)} version=${version}
                editing=${editing} onEditing=${key => { setEditing(key); if (key === "") grid.current?.focus(); }}
                onRename=${setSelected} />`}
        </div>`;
}

"""###),
        ("store/sort.js", ###"""
// The order of rows, as it stands in the address: "title,pages:desc".

/** @typedef {{key: string, isAscending: boolean}} Sort */

/** @param {string} text @returns {Sort[]} */
export const sortOf = text => text.split(",").filter(part => part !== "").map(part => {
    const [key, order] = part.split(":");
    return { key, isAscending: order !== "desc" };
});

/** @param {Sort} sort */
export const partText = sort => sort.key + (sort.isAscending ? "" : ":desc");

/**
 * Returns the key by which a column sorts: of a to-one relationship the title of where it leads; null if rows cannot
 * be sorted by it.
 * @param {import("./cells.js").Column} column @param {any[]} entities
 */
export function sortKey(column, entities) {
    if (column.kind === "toMany" || column.type === "binary" || column.type === "transformable") return null;
    if (column.kind === "attribute") return column.name;
    const title = entities.find(each => each.name === column.destination)?.title ?? null;
    return title === null ? null : `${column.name}.${title}`;
}

/**
 * Returns the order after a column was chosen: up, then down, then not by it.
 * @param {string} text @param {string} key @param {boolean} adds whether others stay
 */
export function sortedBy(text, key, adds) {
    const all = sortOf(text);
    const found = all.find(each => each.key === key);
    const next = found === undefined ? [{ key, isAscending: true }] : found.isAscending ? [{ key, isAscending: false }] : [];
    return [...(adds ? all.filter(each => each.key !== key) : []), ...next].map(partText).join(",");
}

"""###),
        ("store/tabs.js", ###"""
// The tabs of a store beside its rows: statement, history, check, metadata, export.
import { html, useEffect, useRef, useState } from "../lib/preact.js";
import { change, download, get, onEvent, pathOf, post, remove } from "../api.js";
import { useAnswer, Waiting } from "../asking.js";
import { urlOf } from "../router.js";
import { Icon } from "../shell/icons.js";
import { notifyError } from "../shell/notices.js";
import { dateText } from "./cells.js";
import { objectUrl } from "./members.js";

/** @typedef {{store: any, entity: any, route: any}} TabProps */

const queryOf = (route, entity) => ({
    entity: entity.name, filter: route.query.filter ?? "",
    sort: (route.query.sort ?? "").split(",").filter(each => each !== ""),
});

/** @param {TabProps} props */
export function StatementTab({ store, entity, route }) {
    const { answer, error } = useAnswer(
        signal => post(pathOf("stores", store.id, "statement"), queryOf(route, entity), { signal }), [route.url, entity.name]);
    if (error !== "" || answer === null) return html`<${Waiting} className="tab-page" error=${error} />`;
    if (answer.sql === null) return html`<div class="tab-page"><p>${answer.note}</p></div>`;
    return html`
        <div class="tab-page">
            <p class="quiet">The statement of the rows of ${entity.name}${route.query.filter ? " with the filter" : ""}:
                the first ${answer.rows} rows in ${answer.milliseconds.toFixed(1)} ms.</p>
            <h3>SQL</h3><pre class="statement">${answer.text.split("\n\n")[0]}</pre>
            ${answer.bindings.length > 0 && html`<h3>Values</h3><table class="plain-table"><tbody>${answer.bindings.map((each, index) => html`
                <tr><td class="quiet">?${index + 1}</td><td class="code">${typeof each === "string" ? `"${each}"` : JSON.stringify(each)}</td></tr>`)}</tbody></table>`}
            <h3>Plan</h3><ol class="plan">${answer.plan.map(each => html`
                <li class=${each.isScan ? "scan" : ""}><span class="code">${each.text}</span>${each.isScan && html`
                    <span class="scan-note"><${Icon} name="warning" /> reads the whole table</span>`}</li>`)}</ol>
        </div>`;
}

const historyPage = 300;
const mostHistory = 5000;

/** @param {TabProps} props */
export function HistoryTab({ store, entity }) {
    const [author, setAuthor] = useState("");
    const [isOfEntity, setOfEntity] = useState(false);
    const [count, setCount] = useState(historyPage);
    const [authors, setAuthors] = useState([]);
    const [round, setRound] = useState(0);
    useEffect(() => onEvent("store", data => { if (data.store === store.id) setRound(before => before + 1); }), [store.id]);
    const { answer, error } = useAnswer(async signal => {
        const fields = new URLSearchParams({ count: String(count), ...(author === "" ? {} : { author }), ...(isOfEntity ? { entity: entity.name } : {}) });
        return { transactions: await get(`${pathOf("stores", store.id, "history")}?${fields}`, { signal }) };
    }, [store.id, author, isOfEntity, entity.name, count, round]);
    const transactions = answer?.transactions;
    useEffect(() => {
        const names = (transactions ?? []).map(each => each.author).filter(Boolean);
        setAuthors(before => [...new Set([...before, ...names])].sort());
    }, [transactions]);
    if (error !== "" || transactions === undefined) return html`<${Waiting} className="tab-page" error=${error} />`;
    if (transactions === null) return html`<div class="tab-page"><p>This store keeps no history. An app turns it on with the option
        <code> NSPersistentHistoryTrackingKey</code>.</p></div>`;
    return html`
        <div class="tab-page">
            <div class="tab-tools">
                <label>Author <select value=${author} onChange=${event => setAuthor(event.target.value)}>
                    <option value="">all</option>${authors.map(each => html`<option value=${each}>${each}</option>`)}</select></label>
                <label><input type="checkbox" checked=${isOfEntity} onChange=${() => setOfEntity(!isOfEntity)} /> only ${entity.name}</label>
                <span class="quiet">${transactions.length} ${transactions.length === 1 ? "transaction" : "transactions"}, newest first</span>
            </div>
            <ol class="history">${[...transactions].reverse().map(each => html`
                <li key=${each.number}><details open=${each.changes.length <= 3}>
                    <summary><${Icon} name="chevron" /><b>${each.number}</b> <time>${dateText(each.date)}</time> ${each.author !== null && html`<span class="chip">${each.author}</span>`}
                        <span class="quiet">${[each.context, each.process].filter(Boolean).join(" · ")}</span>
                        <span class="badge">${each.changes.length}</span></summary>
                    <ul>${each.changes.slice(0, 500).map(change => html`
                        <li><span class=${"pending-kind " + change.kind}>${change.kind}</span>
                            <a href=${objectUrl(store.id, change.object)}>${change.object}</a>
                            <span class="quiet">${change.properties.join(", ")}</span>
                            ${Object.keys(change.tombstone).length > 0 && html`<span class="code">${JSON.stringify(change.tombstone)}</span>`}</li>`)}
                        ${each.changes.length > 500 && html`<li class="quiet">and ${(each.changes.length - 500).toLocaleString("en-US")} more</li>`}</ul>
                </details></li>`)}</ol>
            ${transactions.length === count && count < mostHistory && html`<p><button class="plain"
                onClick=${() => setCount(Math.min(mostHistory, count + historyPage))}>Older transactions</button></p>`}
        </div>`;
}

/** Runs a task, and follows it. @param {string} store */
function useTask(store) {
    const [task, setTask] = useState(null);
    // Those of a short task come before the answer that names it.
    const news = useRef(new Map());
    useEffect(() => onEvent("progress", data => {
        if (data.task === undefined) return;
        news.current.set(data.task, data);
        setTask(before => before?.task === data.task ? { ...before, ...data } : before);
    }), []);
    const start = async body => {
        try {
            const { task: id } = await change(pathOf("stores", store, "tasks"), body);
            setTask({ task: id, state: "running", done: 0, total: 0, ...news.current.get(id) });
        } catch (error) {
            notifyError(error);
        }
    };
    const cancel = () => task !== null && remove(pathOf("tasks", task.task)).catch(notifyError);
    return { task, start, cancel };
}

/** @param {{task: any, cancel: () => void}} props */
function TaskState({ task, cancel }) {
    if (task === null) return null;
    if (task.state === "running") {
        return html`<div class="task"><progress max=${task.total || undefined} value=${task.total ? task.done : undefined}></progress>
            <span class="quiet">${task.total > 0 ? `${task.done} of ${task.total}` : "begins"}</span>
            <button onClick=${cancel}>Cancel</button></div>`;
    }
    if (task.state === "failed") return html`<p class="field-problem">${task.message}</p>`;
    return task.state === "cancelled" ? html`<p class="quiet">cancelled</p>` : null;
}

/** @param {TabProps} props */
export function CheckTab({ store }) {
    const { task, start, cancel } = useTask(store.id);
    const isDone = task?.state === "done";
    const { copy, repaired = [], left = task?.result } = isDone ? task.result : {};
    return html`
        <div class="tab-page">
            <p>Reads every table and relationship of the store, and looks for damage: broken pages, missing objects, wrong counters, files without rows.</p>
            <div class="tab-tools"><button class="main" onClick=${() => start({ kind: "check" })}>Check all</button>
                <button onClick=${() => start({ kind: "check", quick: true })}>Quick check</button></div>
            <${TaskState} task=${task} cancel=${cancel} />
            ${copy !== undefined && html`<p>The repaired copy is <code>${copy}</code>; the store itself stays as it is.</p>
                <ul class="findings repaired">${repaired.map(each => html`<li><${Icon} name="check" />${each}</li>`)}</ul>`}
            ${isDone && (left.length === 0 ? html`<p class="check-good"><${Icon} name="check" /> ${
                copy === undefined ? "Nothing was found: the store is sound." : "Nothing is left: the copy is sound."}</p>`
                : html`${copy !== undefined && html`<h3>Left in the copy</h3>`}<ul class="findings">${left.map(each => html`
                    <li><${Icon} name="warning" /><div><b>${each.text}</b>${each.repair === null
                        ? html`<span class="quiet">Only a person who knows the app can decide what is right.</span>`
                        : html`<span class="quiet">A repair would ${each.repair}.</span>`}</div></li>`)}</ul>`)}
            ${isDone && copy === undefined && left.some(each => each.repair !== null) && html`<div class="tab-tools">
                <button class="main" onClick=${() => start({ kind: "repair" })}>Repair a copy</button></div>`}
        </div>`;
}

/** @param {TabProps & {counts: any}} props */
export function MetadataTab({ store, counts }) {
    const { metadata, differences } = store;
    const rows = [
        ["Place", store.path], ["Type", metadata.type], ["UUID", metadata.uuid], ["Model", metadata.model],
        ["Model identifiers", metadata.versionIdentifiers.join(", ")], ["Checksum", metadata.checksum ?? ""],
        ["Written by framework", metadata.framework ?? ""],
        ["Opened", store.mayEdit ? "for editing" : store.isCopy ? "as a copy, since its log belongs to no process" : "for reading only"],
        ...Object.entries(metadata.others),
    ];
    return html`
        <div class="tab-page">
            <table class="plain-table"><tbody>${rows.filter(([, value]) => value !== "").map(([name, value]) => html`
                <tr><th scope="row">${name}</th><td class="code">${value}</td></tr>`)}</tbody></table>
            ${differences.length > 0 && html`<p class="field-warning">Another version of the model has ${differences.join(", ")}.</p>`}
            <h3>Entities</h3>
            <table class="plain-table"><thead><tr><th>Name</th><th>Parent</th><th class="right">Objects</th><th class="right">Attributes</th><th class="right">Relationships</th></tr></thead>
                <tbody>${store.entities.map(each => html`<tr><td><a href=${urlOf(["stores", store.id, "rows", each.name])}>${each.name}</a></td>
                    <td>${each.parent ?? ""}</td><td class="right">${counts[each.name]?.own ?? ""}</td>
                    <td class="right">${each.properties.filter(one => one.kind === "attribute").length}</td>
                    <td class="right">${each.properties.filter(one => one.kind.startsWith("to")).length}</td></tr>`)}</tbody></table>
            <p class="quiet">Classes of the app are not run here: transformable values are shown as their bytes, and only the model's rules are checked.</p>
        </div>`;
}

/** @param {TabProps} props */
export function ExportTab({ store, entity, route }) {
    const { task, start, cancel } = useTask(store.id);
    useEffect(() => {
        if (task?.state === "done" && task.file) download("/" + task.file).catch(notifyError);
    }, [task?.state]);
    return html`
        <div class="tab-page">
            <h3>The rows of this list</h3>
            <p class="quiet">${entity.name}${route.query.filter ? html` where <code>${route.query.filter}</code>` : ""}, as a table with the columns of the grid.</p>
            <div class="tab-tools"><button class="main" onClick=${() => start({ kind: "export", format: "csv", ...queryOf(route, entity) })}>
                <${Icon} name="download" /> Save as CSV</button></div>
            <h3>Objects with their relationships</h3>
            <p class="quiet">Lines of JSON, from which <code>coredata import</code> makes a store again.</p>
            <div class="tab-tools"><button onClick=${() => start({ kind: "export" })}><${Icon} name="download" /> The whole store</button>
                <button onClick=${() => start({ kind: "export", entities: [entity.name] })}><${Icon} name="download" /> ${entity.name} only</button></div>
            <${TaskState} task=${task} cancel=${cancel} />
            ${task?.state === "done" && html`<p class="check-good"><${Icon} name="check" /> Ready.</p>`}
        </div>`;
}

"""###),
        ("store/values.js", ###"""
// Values that need room: pictures, property lists, bytes and long texts.
import { html, useEffect, useState } from "../lib/preact.js";
import { bytes, pathOf } from "../api.js";
import { useAnswer } from "../asking.js";
import { byteText } from "./cells.js";
import { parsePropertyList } from "./plist.js";

const pictures = new Set(["png", "jpeg", "gif", "webp"]);
const mostBytes = 4096;
const largestPicture = 64_000_000;

/** @param {string} store @param {string} object @param {string} key */
export const dataPath = (store, object, key) => pathOf("stores", store, "objects", ...object.split("/"), key, "data");

/**
 * Shows data as a picture, a tree, text or bytes.
 * @param {{store: string, object: string, name: string, value: {bytes: string, length: number, kind: string|null}, version: number}} props
 */
export function DataValue({ store, object, name, value, version }) {
    const isPicture = pictures.has(value.kind ?? "") && value.length <= largestPicture;
    const isList = value.kind === "property list" || value.kind === "xml";
    const forms = [...(isPicture ? ["picture"] : []), ...(isList ? ["tree"] : []), "bytes", "text"];
    const [chosen, setForm] = useState(forms[0]);
    const form = forms.includes(chosen) ? chosen : forms[0];
    return html`
        <div class="data-value">
            <div class="data-head">
                <span>${byteText(value.length)}${value.kind !== null && ` · ${value.kind}`}</span>
                <div class="segments" role="group" aria-label="Shown as">${forms.map(each => html`
                    <button aria-pressed=${each === form} onClick=${() => setForm(each)}>${each}</button>`)}</div>
            </div>
            ${form === "picture" ? html`<${Picture} path=${dataPath(store, object, name)} name=${name} version=${version} />`
            : html`<${Bytes} key=${form} path=${dataPath(store, object, name)} length=${value.length} form=${form} version=${version} />`}
        </div>`;
}

/** @param {{path: string, name: string, version: number}} props */
function Picture({ path, name, version }) {
    const { answer, error } = useAnswer(signal => bytes(path, { signal }), [path, version]);
    // Only the types that the studio has checked are shown: anything else is bytes.
    const isPicture = answer?.type.startsWith("image/");
    const [{ url, isDamaged }, setShown] = useState({ url: "", isDamaged: false });
    useEffect(() => {
        if (!isPicture) return;
        const made = URL.createObjectURL(answer);
        setShown({ url: made, isDamaged: false });
        return () => URL.revokeObjectURL(made);
    }, [answer]);
    const problem = error || isPicture === false && "This is no picture." || isDamaged && "The picture is damaged.";
    if (problem) return html`<p class="field-problem">${problem}</p>`;
    return url === "" ? html`<p class="quiet">reading…</p>`
        : html`<img class="data-picture" src=${url} alt=${name} onError=${() => setShown({ url, isDamaged: true })} />`;
}

/** @param {{path: string, length: number, form: string, version: number}} props */
function Bytes({ path, length, form, version }) {
    const [count, setCount] = useState(form === "tree" ? Math.min(length, 4_000_000) : mostBytes);
    const { answer: content, error } = useAnswer(
        async signal => new Uint8Array(await (await bytes(`${path}?from=0&count=${Math.min(count, length)}`, { signal })).arrayBuffer()),
        [path, count, length, version]);
    if (error !== "") return html`<p class="field-problem">${error}</p>`;
    if (content === null) return html`<p class="quiet">reading…</p>`;
    const more = content.length < length && html`
        <button class="plain" onClick=${() => setCount(count * 8)}>more of ${byteText(length)}</button>`;
    if (form === "tree") return html`<${PropertyList} content=${content} />`;
    const text = form === "text" ? new TextDecoder().decode(content) : hexadecimal(content);
    return html`<pre class=${"data-text " + form} tabindex="0">${text}</pre>${more}`;
}

/** Writes bytes as sixteen a line, with their characters. @param {Uint8Array} content */
function hexadecimal(content) {
    const lines = [];
    for (let start = 0; start < content.length; start += 16) {
        const part = [...content.subarray(start, start + 16)];
        const digits = part.map(byte => byte.toString(16).padStart(2, "0")).join(" ");
        const letters = part.map(byte => byte > 31 && byte < 127 ? String.fromCharCode(byte) : "·").join("");
        lines.push(`${start.toString(16).padStart(6, "0")}  ${digits.padEnd(47)}  ${letters}`);
    }
    return lines.join("\n");
}

/** @param {{content: Uint8Array}} props */
function PropertyList({ content }) {
    let value;
    try {
        value = parsePropertyList(content);
    } catch (error) {
        return html`<p class="quiet">${`Not shown as a tree: ${error.message}`}</p>`;
    }
    return html`<div class="plist"><${PlistNode} name="" value=${value} depth=${0} /></div>`;
}

/** @param {{name: string, value: any, depth: number}} props @returns {any} */
function PlistNode({ name, value, depth }) {
    const label = name === "" ? "" : html`<span class="plist-key">${name}</span>`;
    if (Array.isArray(value) || value?.constructor === Object) {
        const entries = Object.entries(value);
        return html`<details open=${depth < 2}><summary>${label}<span class="quiet">${
            Array.isArray(value) ? `array of ${entries.length}` : `dictionary of ${entries.length}`}</span></summary>
            ${depth < 40 && entries.slice(0, 500).map(([key, part]) => html`<${PlistNode} name=${key} value=${part} depth=${depth + 1} />`)}
        </details>`;
    }
    const text = value instanceof Date ? value.toISOString()
        : value instanceof Uint8Array ? `data, ${byteText(value.length)}` : String(value);
    return html`<div class="plist-leaf">${label}<span>${text}</span></div>`;
}

"""###),
        ("store/work.js", ###"""
// The statements and tasks that run now: since when, and how to end them.
import { html, useEffect, useState } from "../lib/preact.js";
import { get, onEvent, pathOf, remove } from "../api.js";
import { notifyError } from "../shell/notices.js";
import { dateText } from "./cells.js";

/** @returns {{id: number, title: string, since: string}[]} */
export function useWork() {
    const [work, setWork] = useState([]);
    useEffect(() => {
        const read = () => get("/work").then(setWork, notifyError);
        const ends = [onEvent("work", setWork), onEvent("reset", read)];
        void read();
        return () => ends.forEach(end => end());
    }, []);
    return work;
}

/** @param {{work: any[]}} props */
export const WorkList = ({ work }) => html`
    <ul class="work">${work.map(({ id, title, since }) => html`<li key=${id}><span class="cut" title=${title}>${title}</span>
        <span class="quiet">since <time>${dateText(since)}</time></span>
        <button class="plain" aria-label=${`Cancel ${title}`} onClick=${() => remove(pathOf("work", id)).catch(notifyError)}>Cancel</button></li>`)}
        ${work.length === 0 && html`<li class="quiet">Nothing runs.</li>`}</ul>`;

"""###),
        ("store/zones.js", ###"""
// The time zone in which dates are shown and read: that of the browser, or the one that the user has chosen.
import { html, useMemo } from "../lib/preact.js";
import { useDocuments } from "../shell/documents.js";
import { prefer, preference } from "../shell/preferences.js";

const key = "timeZone";
/** @type {Map<string, Intl.DateTimeFormat>} */
const formats = new Map();

const formatIn = timeZone => new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });

/** The format that tells how far a moment's clock is ahead in the zone. */
function format() {
    const zone = preference(key) ?? "";
    let found = formats.get(zone);
    if (found === undefined) {
        try {
            found = formatIn(zone || undefined);
        } catch {
            // Another browser may have known it.
            found = formatIn();
        }
        formats.set(zone, found);
    }
    return found;
}

/** Returns how far the zone's clock is ahead at a moment, in milliseconds. @param {number} time */
function offset(time) {
    const name = format().formatToParts(time).find(each => each.type === "timeZoneName")?.value ?? "";
    const [, sign, ...parts] = /([+-])(\d+):(\d+):?(\d*)/.exec(name) ?? [];
    const [hours = 0, minutes = 0, seconds = 0] = parts.map(Number);
    return (sign === "-" ? -1000 : 1000) * (3600 * hours + 60 * minutes + seconds);
}

/** Writes what the zone's clock shows. @param {Date} date */
export const clockText = date => new Date(date.getTime() + offset(date.getTime())).toISOString().replace(/T(.{8}).*/, " $1");

/** Reads what the zone's clock shows, or a time with a zone of its own. Invalid if it is neither. @param {string} text */
export function dateOf(text) {
    const [, day, clock = "00:00", zone] = /^([+-]?\d{4,6}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?)?$/.exec(text) ?? [];
    const time = Date.parse(`${day}T${clock}${zone ?? "Z"}`);
    if (zone !== undefined || Number.isNaN(time)) return new Date(time);
    // The offset is that of the moment itself, which is known once it is near.
    return new Date(time - offset(time - offset(time)));
}

/** The choice of the zone. */
export function ZoneChoice() {
    useDocuments();
    const named = useMemo(() => Intl.supportedValuesOf("timeZone").filter(each => each !== "UTC")
        .map(each => html`<option value=${each}>${each}</option>`), []);
    const own = formatIn().resolvedOptions().timeZone;
    return html`<label class="zone">Times in <select aria-label="Time zone" value=${preference(key) ?? ""}
        onChange=${event => prefer(key, event.target.value)}><option value="">${own} (local)</option><option value="UTC">UTC</option>
        ${named}</select></label>`;
}

"""###),
        ("style.css", ###"""
/* The look of the studio: colours, spacing and fonts as custom properties, light and dark, and plain elements. */
:root {
    color-scheme: light dark;

    /* Surfaces: the frame lies lower than the page, what floats lies higher. */
    --frame: light-dark(#f3f4f6, #15171b);
    --surface: light-dark(#ffffff, #1b1e23);
    --raised: light-dark(#ffffff, #24282f);
    --sunken: light-dark(#f7f8f9, #171a1e);
    --hover: light-dark(#eceff2, #272b32);
    --pressed: light-dark(#e1e5ea, #30353e);
    --line: light-dark(#e2e5e9, #2b3037);
    --line-strong: light-dark(#c7ccd3, #434a55);

    /* Text: 4.5:1 or more on each surface above. */
    --text: light-dark(#1c2127, #e4e7eb);
    --text-quiet: light-dark(#59626d, #a6aeb9);
    --text-on-accent: #ffffff;

    --accent: light-dark(#2f5cc4, #3d6ad6);
    --accent-text: light-dark(#2a54b6, #8fb0ff);
    --accent-soft: light-dark(#e4ecfd, #24355c);
    --selection: light-dark(#dbe6fd, #2a3d68);
    --focus: light-dark(#2f6bff, #7ba4ff);

    /* Meanings, each as text and as a ground under dark text or light text. */
    --danger: light-dark(#b3261e, #ff8a80);
    --danger-soft: light-dark(#fdebe9, #46211f);
    --warning: light-dark(#8a5300, #f0b656);
    --warning-soft: light-dark(#fdf3dc, #42341a);
    --good: light-dark(#1a6b3c, #74cf97);
    --good-soft: light-dark(#e3f5ea, #1c3a29);
    --changed: light-dark(#6a3fb5, #c3a6ff);
    --changed-soft: light-dark(#f1eafc, #362a52);

    /* Kinds of elements, for icons and the graph. */
    --kind-entity: light-dark(#2f5cc4, #8fb0ff);
    --kind-attribute: light-dark(#59626d, #a6aeb9);
    --kind-relationship: light-dark(#0a6b7d, #66d0e0);
    --kind-fetch: light-dark(#8a5300, #f0b656);
    --kind-composite: light-dark(#6a3fb5, #c3a6ff);

    --shadow: 0 1px 2px light-dark(#1c212714, #0006), 0 6px 24px light-dark(#1c21271f, #0009);

    --space-1: 0.25rem;
    --space-2: 0.5rem;
    --space-3: 0.75rem;
    --space-4: 1rem;
    --space-6: 1.5rem;
    --edge: 1px solid var(--line);
    --edge-strong: 1px solid var(--line-strong);
    --radius: 5px;
    --radius-large: 9px;
    --row: 1.75rem;
    --rail: 13rem;

    --font: system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif;
    --font-code: ui-monospace, "SF Mono", Menlo, Consolas, "Noto Sans Mono", "DejaVu Sans Mono", monospace;
    --size-small: 0.75rem;
    --size: 0.8125rem;
    --size-large: 1rem;
}

*, *::before, *::after { box-sizing: border-box; }

html, body, #studio { height: 100%; margin: 0; }

body {
    background: var(--surface);
    color: var(--text);
    font: var(--size)/1.45 var(--font);
    font-variant-numeric: tabular-nums;
    overflow: hidden;
    accent-color: var(--accent);
    scrollbar-width: thin;
    scrollbar-color: var(--line-strong) transparent;
}

h1, h2, h3, h4, p, ul, ol, dl, dd, pre, figure { margin: 0; padding: 0; }
ul, ol { list-style: none; }
h1 { font-size: 1.375rem; font-weight: 600; letter-spacing: -0.01em; }
h2 { font-size: var(--size-large); font-weight: 600; }
h3, h4 { font-size: var(--size); font-weight: 600; }
a { color: var(--accent-text); text-decoration: none; }
a:hover { text-decoration: underline; }
code, kbd, pre, samp { font-family: var(--font-code); font-size: 0.92em; }

kbd {
    display: inline-block;
    padding: 0 0.35em;
    border: var(--edge-strong);
    border-radius: 4px;
    background: var(--sunken);
    color: var(--text-quiet);
    font-size: var(--size-small);
    line-height: 1.5;
    white-space: nowrap;
}

:focus-visible { outline: 2px solid var(--focus); outline-offset: 1px; }
::selection { background: var(--selection); color: var(--text); }
[hidden] { display: none !important; }

.quiet { color: var(--text-quiet); }
.code { font-family: var(--font-code); }
.icon { flex: none; width: 1rem; height: 1rem; fill: none; stroke: currentColor; stroke-width: 1.4; stroke-linecap: round; stroke-linejoin: round; }

.not-loaded { padding: 2rem; animation: wait 3s; }
@keyframes wait { 0%, 99% { visibility: hidden; } }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

@media (prefers-reduced-motion: reduce) {
    *, *::before, *::after { animation: none !important; transition: none !important; }
}

"""###),
    ]
}
#endif

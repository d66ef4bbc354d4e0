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

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

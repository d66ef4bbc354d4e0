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

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

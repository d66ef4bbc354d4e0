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

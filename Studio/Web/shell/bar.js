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

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

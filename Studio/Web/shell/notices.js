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

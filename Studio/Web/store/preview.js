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

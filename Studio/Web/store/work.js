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

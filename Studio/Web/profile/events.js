// The events of a time as a list, and one of them in full.
import { html, useEffect, useState } from "../lib/preact.js";
import { get, pathOf } from "../api.js";
import { IconButton } from "../shell/icons.js";
import { durationText, titleOf } from "./times.js";

/** @typedef {import("./page.js").Profile} Profile */
/** @typedef {import("./page.js").ProfileEvent} ProfileEvent */
/** @typedef {import("./page.js").Span} Span */

/** @param {ProfileEvent} event */
const subjectOf = event => event.kind === "relationship" ? `${event.entity}.${event.detail}` : event.entity ?? "";

/** How long a span has to stay before its events are asked for. */
const pause = 120;

/** @param {{profile: Profile, span: Span, selected: number|null, onSelect: (index: number) => void}} props */
export function EventList({ profile, span, selected, onSelect }) {
    const [answer, setAnswer] = useState(/** @type {{total: number, events: ProfileEvent[]}|null} */(null));
    useEffect(() => {
        const controller = new AbortController();
        const timer = setTimeout(() => {
            get(`${pathOf("profiles", profile.id, "events")}?from=${span.from}&to=${span.to}`, { signal: controller.signal })
                .then(setAnswer, () => {});
        }, pause);
        return () => {
            clearTimeout(timer);
            controller.abort();
        };
    }, [profile.id, span.from, span.to]);
    const { total, events } = answer ?? { total: 0, events: [] };
    return html`<section class="profile-events" aria-label="Events">
        <p class="quiet">${answer === null ? "" : total > events.length
            ? `The first ${events.length} of ${total.toLocaleString()} events of this time` : `${total.toLocaleString()} events in this time`}</p>
        <div class="profile-table"><table class="summary"><thead><tr><th>At</th><th>Time</th><th>What</th><th>Of</th><th>Rows</th><th>More</th></tr></thead>
            <tbody>${events.map(each => html`<tr key=${each.index} aria-selected=${each.index === selected} onClick=${() => onSelect(each.index)}>
                <td>${durationText(each.start)}</td><td>${durationText(each.duration)}</td>
                <td><button type="button" class="plain" onClick=${() => onSelect(each.index)}><span class=${`mark-sample kind-${each.kind}`}></span>${titleOf(each.kind)}</button></td>
                <td>${subjectOf(each)}</td><td>${each.count ?? ""}</td><td class="code">${each.failure ?? (each.kind === "relationship" ? "" : each.detail)}</td></tr>`)}</tbody></table></div>
    </section>`;
}

/** @param {{profile: Profile, index: number, onShow: (span: Span) => void, onClose: () => void}} props */
export function EventDetails({ profile, index, onShow, onClose }) {
    const [event, setEvent] = useState(null);
    const [problem, setProblem] = useState("");
    useEffect(() => {
        let isCurrent = true;
        setProblem("");
        get(pathOf("profiles", profile.id, "events", index)).then(found => isCurrent && setEvent(found),
            error => isCurrent && setProblem(error.message));
        return () => { isCurrent = false; };
    }, [profile.id, index]);
    const isMain = profile.threads.find(each => each.number === event?.thread)?.isMain;
    const rows = event === null ? [] : /** @type {[string, any][]} */([
        ["Began", durationText(event.start)], ["Took", durationText(event.duration)], ["Rows", event.count],
        ["Context", event.context], ["Thread", isMain ? "main thread" : `thread ${event.thread}`], ["Store", event.store],
        ["Failed", event.failure],
    ]).filter(([, value]) => value !== null);
    const around = each =>
        onShow({ from: each.start - each.duration / 10, to: each.start + each.duration * 1.1 });
    return html`<aside class="profile-event" aria-label="Event">
        <header class="inspector-head"><h2>${event === null ? "" : `${titleOf(event.kind)} ${subjectOf(event)}`}</h2>
            <${IconButton} name="close" title="Close" onClick=${onClose} /></header>
        ${problem !== "" && html`<p class="field-problem">${problem}</p>`}
        ${event !== null && html`
            <dl class="event-facts">${rows.map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
            <button type="button" onClick=${() => around(event)}>Show in the time line</button>
            ${event.detail !== null && html`<h3>${event.kind === "statement" ? "SQL" : "Request"}</h3><pre class="code">${event.detail}</pre>`}
            ${(event.calls ?? []).length > 0 && html`<h3>Calls</h3><ol class="event-calls">${event.calls?.map((call, place) => html`<li key=${place}><code>${call}</code></li>`)}</ol>`}`}
    </aside>`;
}

// The events of a time as a list, and one of them in full.
import { html } from "../lib/preact.js";
import { get, pathOf } from "../api.js";
import { useAnswer } from "../asking.js";
import { IconButton } from "../shell/icons.js";
import { durationText, titleOf } from "./times.js";

/** @import { Profile, ProfileEvent, Span } from "./page.js" */

/** @param {ProfileEvent} event */
const subjectOf = event => event.kind === "relationship" ? `${event.entity}.${event.detail}` : event.entity ?? "";

/** How long a span has to stay before its events are asked for. */
const pause = 120;

/** @param {{profile: Profile, span: Span, selected: number|null, onSelect: (index: number) => void}} props */
export function EventList({ profile, span, selected, onSelect }) {
    const { answer, error } = useAnswer(async signal => {
        await new Promise(resume => setTimeout(resume, pause));
        return get(`${pathOf("profiles", profile.id, "events")}?from=${span.from}&to=${span.to}`, { signal });
    }, [profile.id, span.from, span.to]);
    const { total, events } = /** @type {{total: number, events: ProfileEvent[]}} */(answer ?? { total: 0, events: [] });
    return html`<section class="profile-events" aria-label="Events">
        ${error !== "" && html`<p class="field-problem">${error}</p>`}
        <p class="quiet">${answer === null ? "" : total > events.length
            ? `The first ${events.length} of ${total.toLocaleString()} events of this time` : `${total.toLocaleString()} events in this time`}</p>
        <div class="profile-table"><table class="summary"><thead><tr><th>At</th><th>Time</th><th>What</th><th>Of</th><th>Rows</th><th>More</th></tr></thead>
            <tbody>${events.map(each => html`<tr key=${each.index} aria-selected=${each.index === selected} onClick=${() => onSelect(each.index)}>
                <td>${durationText(each.start)}</td><td>${durationText(each.duration)}</td>
                <td><button class="plain" onClick=${() => onSelect(each.index)}><span class=${`mark-sample kind-${each.kind}`}></span>${titleOf(each.kind)}</button></td>
                <td>${subjectOf(each)}</td><td>${each.count ?? ""}</td><td class="code">${each.failure ?? (each.kind === "relationship" ? "" : each.detail)}</td></tr>`)}</tbody></table></div>
    </section>`;
}

/** @param {{profile: Profile, index: number, onShow: (span: Span) => void, onClose: () => void}} props */
export function EventDetails({ profile, index, onShow, onClose }) {
    const { answer: event, error } = useAnswer(
        signal => get(pathOf("profiles", profile.id, "events", index), { signal }), [profile.id, index]);
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
        ${error !== "" && html`<p class="field-problem">${error}</p>`}
        ${event !== null && html`
            <dl class="event-facts">${rows.map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
            <button onClick=${() => around(event)}>Show in the time line</button>
            ${event.detail !== null && html`<h3>${event.kind === "statement" ? "SQL" : "Request"}</h3><pre class="code">${event.detail}</pre>`}
            ${(event.calls ?? []).length > 0 && html`<h3>Calls</h3><ol class="event-calls">${event.calls?.map((call, place) => html`<li key=${place}><code>${call}</code></li>`)}</ol>`}`}
    </aside>`;
}

// The page of a recorded profile: what it shows to be slow, the time line of each thread, and the events of a time.
import { html, useState } from "../lib/preact.js";
import { get, pathOf } from "../api.js";
import { useAnswer, Waiting } from "../asking.js";
import { useFrame } from "../shell/frame.js";
import { EventDetails, EventList } from "./events.js";
import { Findings } from "./findings.js";
import { Timeline } from "./timeline.js";
import { durationText } from "./times.js";

/**
 * @typedef {object} Profile
 * @property {string} id
 * @property {string} name
 * @property {string} program
 * @property {string[]} arguments
 * @property {string} date
 * @property {number} end the time of the last event, in nanoseconds as all times here
 * @property {number} events
 * @property {boolean} isCutOff
 * @property {{number: number, isMain: boolean, depth: number, events: number}[]} threads
 *
 * @typedef {{from: number, to: number}} Span
 *
 * @typedef {object} ProfileEvent
 * @property {number} index
 * @property {string} kind
 * @property {number} start
 * @property {number} duration
 * @property {string|null} entity
 * @property {string|null} detail
 * @property {number|null} count
 * @property {string|null} context
 * @property {string|null} store
 * @property {string|null} failure
 * @property {number} thread
 * @property {string[]} [calls]
 */

/** @param {{document: import("../shell/documents.js").StudioDocument}} props */
export function Page({ document: opened }) {
    const { answer: profile, error } = useAnswer(signal => get(pathOf("profiles", opened.id), { signal }), [opened.id]);
    if (error !== "" || profile === null) return html`<${Waiting} error=${error} />`;
    return html`<${ProfilePage} profile=${profile} />`;
}

/** @param {{profile: Profile}} props */
function ProfilePage({ profile }) {
    const whole = { from: 0, to: profile.end };
    const [span, setSpan] = useState(whole);
    const [event, setEvent] = useState(null);
    const show = next => setSpan(bounded(next, profile.end));
    const length = span.to - span.from;
    const zoom = (factor, at = span.from + length / 2) =>
        show({ from: at - (at - span.from) * factor, to: at + (span.to - at) * factor });
    const move = part => show({ from: span.from + length * part, to: span.to + length * part });
    useFrame({
        breadcrumb: [{ title: profile.name }],
        actions: [
            { title: "Show the whole run", icon: "fit", keys: "0", run: () => show(whole) },
            { title: "Show less time, larger", icon: "plus", keys: "+", run: () => zoom(0.5) },
            { title: "Show more time, smaller", icon: "minus", keys: "-", run: () => zoom(2) },
        ],
        keys: [
            { keys: "0", title: "The whole run", run: () => show(whole) },
            { keys: "+", title: "Less time, larger", run: () => zoom(0.5) },
            { keys: "-", title: "More time, smaller", run: () => zoom(2) },
            { keys: "Alt+Shift+ArrowLeft", title: "Earlier", run: () => move(-0.25) },
            { keys: "Alt+Shift+ArrowRight", title: "Later", run: () => move(0.25) },
        ],
    });
    return html`<main class="profile-page">
        <aside class="profile-findings" aria-label="Findings">
            <header><h2>${profile.program}</h2>
                <p class="quiet">${new Date(profile.date).toLocaleString()}, ${profile.events.toLocaleString()} events in ${durationText(profile.end)}</p>
                ${profile.isCutOff && html`<p class="field-warning">The last line is not whole: the program was ended while it wrote.</p>`}</header>
            <${Findings} profile=${profile} onShow=${show} />
        </aside>
        <div class="profile-middle">
            <${Timeline} profile=${profile} span=${span} selected=${event} onSpan=${show} onZoom=${zoom} onSelect=${setEvent} />
            <${EventList} profile=${profile} span=${span} selected=${event} onSelect=${setEvent} />
        </div>
        ${event !== null && html`<${EventDetails} profile=${profile} index=${event} onShow=${show} onClose=${() => setEvent(null)} />`}
    </main>`;
}

/** The least time that is shown: 1 µs. */
const leastTime = 1000;

/** Keeps a span within the run, and not too short to be drawn. @param {Span} span @param {number} end @returns {Span} */
function bounded(span, end) {
    const length = Math.min(end, Math.max(Math.min(leastTime, end), span.to - span.from));
    const from = Math.max(0, Math.min(end - length, span.from));
    return { from: Math.floor(from), to: Math.max(Math.floor(from) + 1, Math.ceil(from + length)) };
}

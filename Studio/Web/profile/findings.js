// The findings of a profile, and how long all events of a kind took together.
import { html } from "../lib/preact.js";
import { get, pathOf } from "../api.js";
import { useAnswer } from "../asking.js";
import { Icon } from "../shell/icons.js";
import { durationText, titleOf } from "./times.js";

/** @import { Profile, Span } from "./page.js" */

/**
 * @typedef {{kind: string, message: string, advice: string, count: number, nanoseconds: number, start: number, end: number, calls: string[]}} Finding
 * @typedef {{totals: {kind: string, count: number, nanoseconds: number}[], cacheHits: Record<string, number>, findings: Finding[]}} Review
 */

/** @param {{profile: Profile, onShow: (span: Span) => void}} props */
export function Findings({ profile, onShow }) {
    const { answer: review, error } = useAnswer(signal => get(pathOf("profiles", profile.id, "review"), { signal }), [profile.id]);
    if (error !== "") return html`<p class="field-problem">${error}</p>`;
    if (review === null) return html`<p class="quiet" aria-busy="true">Looking up the names of calls…</p>`;
    const hits = Object.entries(review.cacheHits);
    return html`
        ${review.findings.length === 0 && html`<p class="quiet">Nothing stands out.</p>`}
        <ol class="profile-list">${review.findings.map((each, index) => html`
            <li key=${index} class="profile-finding"><button class="profile-finding-head" title="Show when it happened"
                onClick=${() => onShow({ from: each.start, to: each.end })}>
                <${Icon} name="warning" /><span>${each.message}</span></button>
                ${each.calls.slice(0, 3).map(call => html`<code class="profile-call">${call}</code>`)}
                <p>${each.advice}</p></li>`)}</ol>
        <table class="summary totals"><thead><tr><th>What</th><th>Events</th><th>Time</th></tr></thead>
            <tbody>${review.totals.map(each => html`<tr key=${each.kind}>
                <td><span class=${`mark-sample kind-${each.kind}`}></span>${titleOf(each.kind)}</td>
                <td>${each.count.toLocaleString()}</td><td>${durationText(each.nanoseconds)}</td></tr>`)}</tbody></table>
        ${hits.length > 0 && html`<p class="quiet">Found in the row cache: ${hits.map(([entity, count]) => `${count.toLocaleString()} of ${entity}`).join(", ")}.</p>`}`;
}

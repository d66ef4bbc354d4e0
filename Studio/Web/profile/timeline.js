// The time line: a lane for each thread, in it the events, each below the one in whose time it ran.
import { html, useLayoutEffect, useRef, useState } from "../lib/preact.js";
import { get, pathOf } from "../api.js";
import { useAnswer } from "../asking.js";
import { durationText, ticks, titleOf } from "./times.js";

/** @import { Profile, Span } from "./page.js" */

/** A mark: level, kind, start, end, number of events, the longest one, what that is about. @typedef {[number, string, number, number, number, number, string]} Mark */

/** The heights of the ruler, a level and a lane's title. */
const [ruler, level, title] = [22, 17, 18];

/**
 * @param {{profile: Profile, span: Span, selected: number|null, onSpan: (span: Span) => void,
 *   onZoom: (factor: number, at: number) => void, onSelect: (index: number) => void}} props
 */
export function Timeline({ profile, span, selected, onSpan, onZoom, onSelect }) {
    const host = useRef(null);
    const [width, setWidth] = useState(0);
    const drag = useRef(/** @type {{x: number, span: Span, hasMoved: boolean}|null} */(null));
    const latest = useRef({ span, onZoom });
    latest.current = { span, onZoom };

    useLayoutEffect(() => {
        const element = host.current;
        const watch = new ResizeObserver(() => setWidth(element.clientWidth));
        watch.observe(element);
        const turn = event => {
            event.preventDefault();
            const { from, to } = latest.current.span;
            const at = from + (to - from) * (event.clientX - element.getBoundingClientRect().left) / element.clientWidth;
            latest.current.onZoom(Math.exp(event.deltaY / 300), at);
        };
        element.addEventListener("wheel", turn, { passive: false });
        return () => {
            watch.disconnect();
            element.removeEventListener("wheel", turn);
        };
    }, []);
    const { answer } = useAnswer(signal => width === 0 ? null
        : get(`${pathOf("profiles", profile.id, "timeline")}?from=${span.from}&to=${span.to}&width=${Math.round(width)}`, { signal }),
    [profile.id, span.from, span.to, width]);
    /** @type {Mark[][]} */
    const lanes = answer?.lanes ?? [];

    const place = time => (time - span.from) / (span.to - span.from) * width;
    const pressed = event => {
        if (event.button !== 0) return;
        drag.current = { x: event.clientX, span, hasMoved: false };
        event.currentTarget.setPointerCapture(event.pointerId);
    };
    const moved = event => {
        const { current } = drag;
        if (current === null || !current.hasMoved && Math.abs(event.clientX - current.x) < 4) return;
        current.hasMoved = true;
        const time = (event.clientX - current.x) / width * (current.span.to - current.span.from);
        onSpan({ from: current.span.from - time, to: current.span.to - time });
    };
    const released = event => {
        const { current } = drag;
        drag.current = null;
        if (current === null || current.hasMoved) return;
        const element = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-mark]");
        const [lane, index] = element?.getAttribute("data-mark")?.split(" ").map(Number) ?? [];
        const mark = lanes[lane]?.[index];
        if (mark === undefined) return;
        onSelect(mark[5]);
        const length = mark[3] - mark[2];
        if (mark[4] > 1) onSpan({ from: mark[2] - length / 10, to: mark[3] + length / 10 });
    };
    let top = ruler;
    const drawn = profile.threads.map((thread, index) => {
        const y = top;
        top += title + thread.depth * level + 6;
        return html`<g key=${thread.number} transform=${`translate(0 ${y})`}>
            <text class="lane-title" x="6" y="13">${thread.isMain ? "Main thread" : `Thread ${thread.number}`}</text>
            ${(lanes[index] ?? []).map((mark, number) => html`<${MarkBox} key=${mark[5]} mark=${mark} place=${place} width=${width}
                name=${`${index} ${number}`} isSelected=${mark[5] === selected && mark[4] === 1} />`)}
            <line class="lane-edge" x1="0" x2=${width} y1=${title + thread.depth * level + 3} y2=${title + thread.depth * level + 3} /></g>`;
    });
    return html`<section class="timeline" ref=${host} aria-label="Time line">
        <svg width=${width} height=${top} role="img" aria-label=${`Time line from ${durationText(span.from)} to ${durationText(span.to)}`}
            onPointerDown=${pressed} onPointerMove=${moved} onPointerUp=${released} onPointerCancel=${() => { drag.current = null; }}>
            ${width > 0 && ticks(span.from, span.to).map(time => html`<g key=${time} class="tick">
                <line x1=${place(time)} x2=${place(time)} y1="0" y2=${top} /><text x=${place(time) + 4} y="14">${durationText(time)}</text></g>`)}
            ${width > 0 && drawn}
        </svg></section>`;
}

/** @param {{mark: Mark, place: (time: number) => number, width: number, name: string, isSelected: boolean}} props */
function MarkBox({ mark: [depth, kind, start, end, count, , subject], place, width, name, isSelected }) {
    const left = Math.max(-2, place(start));
    const length = Math.max(1.5, Math.min(width + 2, place(end)) - left);
    const what = `${titleOf(kind)} ${subject}`.trim();
    const label = count > 1 ? `${count} events, the longest: ${what}` : what;
    // A text of a drawing has no ellipsis: letters of 11 points are 6.5 wide at most on the average.
    const letters = Math.floor((length - 8) / 6.5);
    return html`<g class=${`mark kind-${kind}`} data-mark=${name} aria-selected=${isSelected}>
        <title>${label}, ${durationText(end - start)}</title>
        <rect x=${left} y=${title + depth * level} width=${length} height=${level - 2} rx="2" />
        ${letters > 3 && html`<text x=${Math.max(left, 0) + 4} y=${title + depth * level + 11.5}>${label.length > letters ? label.slice(0, letters - 1) + "…" : label}</text>`}</g>`;
}

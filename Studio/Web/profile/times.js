// Times and kinds as the pages of a profile show them.

/** Writes a duration with three digits: 1.25 ms. @param {number} nanoseconds */
export function durationText(nanoseconds) {
    if (nanoseconds >= 1e9) return `${(nanoseconds / 1e9).toPrecision(3)} s`;
    if (nanoseconds >= 1e6) return `${(nanoseconds / 1e6).toPrecision(3)} ms`;
    if (nanoseconds >= 1000) return `${(nanoseconds / 1000).toPrecision(3)} µs`;
    return `${Math.round(nanoseconds)} ns`;
}

/** Returns round times within a span, a dozen at most. @param {number} from @param {number} to @returns {number[]} */
export function ticks(from, to) {
    const rough = (to - from) / 8;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = power * ([1, 2, 5, 10].find(each => each * power >= rough) ?? 10);
    const found = [];
    for (let time = Math.ceil(from / step) * step; time <= to; time += step) found.push(time);
    return found;
}

/** Names a kind of events, for people. @param {string} kind */
export const titleOf = kind => kind.slice(0, 1).toUpperCase() + kind.slice(1);

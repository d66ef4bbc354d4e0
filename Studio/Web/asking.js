// Asks the studio for what a component shows.
import { html, useEffect, useState } from "./lib/preact.js";

/**
 * Asks first, and again when an input is another; gives up what is not wanted any more. Returns the last answer, and
 * why there is no newer one.
 * @template T
 * @param {(signal: AbortSignal) => Promise<T>|null} ask null for nothing to ask
 * @param {any[]} inputs
 * @returns {{answer: T|null, error: string}}
 */
export function useAnswer(ask, inputs) {
    const [state, setState] = useState({ answer: null, error: "" });
    useEffect(() => {
        const wanted = new AbortController();
        const take = next => wanted.signal.aborted || setState(before => ({ ...before, ...next }));
        ask(wanted.signal)?.then(answer => take({ answer, error: "" }), error => take({ error: error.message }));
        return () => wanted.abort();
    }, inputs);
    return state;
}

/** What stands in the place of an answer: that it is waited for, or why there is none. @param {{error: string, className?: string}} props */
export const Waiting = ({ error, className = "page" }) => html`
    <div class=${className} aria-busy=${error === ""}>${error !== "" && html`<p class="field-problem">${error}</p>`}</div>`;

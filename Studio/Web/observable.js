// A value that components follow.
import { useEffect, useReducer } from "./lib/preact.js";

/** @template T */
export class Observable {
    /** @param {T} value */
    constructor(value) {
        this.value = value;
        /** @type {Set<() => void>} */
        this.listeners = new Set();
    }

    /** @param {T} value */
    set(value) {
        if (Object.is(value, this.value)) return;
        this.value = value;
        for (const listener of [...this.listeners]) listener();
    }

    /** @param {() => void} listener @returns {() => void} ends it */
    follow(listener) {
        this.listeners.add(listener);
        return () => this.listeners.delete(listener);
    }
}

/** Returns the value, and renders again when it changes. @template T @param {Observable<T>} observable @returns {T} */
export function useObservable(observable) {
    const [, render] = useReducer(/** @param {number} count */ count => count + 1, 0);
    const seen = observable.value;
    useEffect(() => {
        const end = observable.follow(() => render(undefined));
        if (!Object.is(seen, observable.value)) render(undefined);
        return end;
    }, [observable]);
    return observable.value;
}

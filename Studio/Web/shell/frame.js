// What the view of a page puts into the frame around it: breadcrumb, commands, keys, undo, save, panels.
import { useLayoutEffect } from "../lib/preact.js";
import { Observable } from "../observable.js";

/**
 * @typedef {object} Action a command: in the palette (Ctrl+K), and in the bar if `icon` is given
 * @property {string} title
 * @property {() => void} run
 * @property {string} [keys] "Ctrl+Shift+N"; bound by `keys`, shown here
 * @property {string} [icon] a name of icons.js
 * @property {boolean} [isEnabled] true unless given
 * @property {boolean} [isPressed] for a switch in the bar
 *
 * @typedef {object} Key a key of the view
 * @property {string} keys "F8", "Ctrl+Shift+Z", "Alt+ArrowUp"; Ctrl is Cmd on macOS
 * @property {string} title what it does, for the list behind `?`
 * @property {((event: KeyboardEvent) => boolean|void)} [run] false: not taken, the browser goes on; without
 *   it the key is only listed, and a component handles it
 * @property {boolean} [inFields] whether it also works while one types in a field
 *
 * @typedef {object} Panel a panel of the bottom strip
 * @property {string} id
 * @property {string} title
 * @property {number|string} [badge]
 * @property {"error"|"warning"|"changed"|"quiet"} [tone]
 * @property {() => any} render what it shows when it is open
 *
 * @typedef {object} Status
 * @property {{title: string, run: () => void}|null} [undo] what Ctrl+Z takes back; null if nothing
 * @property {{title: string, run: () => void}|null} [redo]
 * @property {{count: number, run: () => void, isBusy?: boolean}|null} [save] count: of changes not saved
 * @property {string} [text] a word beside them: "read only"
 * @property {Panel[]} [panels]
 *
 * @typedef {object} Found something that Ctrl+K found
 * @property {string} title
 * @property {string} [detail]
 * @property {string} [icon]
 * @property {string} [url] where it leads, or:
 * @property {() => void} [run]
 *
 * @typedef {object} Frame
 * @property {{title: string, url?: string}[]} [breadcrumb]
 * @property {Action[]} [actions]
 * @property {Key[]} [keys]
 * @property {Status} [status]
 * @property {(text: string) => Found[]|Promise<Found[]>} [search] what of this document a text finds
 */

/** What the view that is shown now has put in. @type {Observable<Frame>} */
export const frame = new Observable(/** @type {Frame} */({}));

/** The keys of a part of the view, which come before those of the view itself. */
export const innerKeys = new Observable(/** @type {Key[]} */([]));

/** Adds keys for as long as a component is shown; to be called at each of its renderings. @param {Key[]} keys */
export function useKeys(keys) {
    useLayoutEffect(() => innerKeys.set(keys));
    useLayoutEffect(() => () => innerKeys.set([]), []);
}

/** The panel that is open, by its ID. */
export const openPanel = new Observable("");

/** Puts a view's part into the frame; to be called at each rendering of the page. @param {Frame} value */
export function useFrame(value) {
    useLayoutEffect(() => {
        frame.set(value);
        const title = (value.breadcrumb ?? []).map(each => each.title).reverse();
        document.title = [...title, "Core Data Studio"].join(" – ");
    });
    useLayoutEffect(() => () => frame.set({}), []);
}

// The keys of the page: those of the view first, then those of the shell.
import { frame, innerKeys } from "./frame.js";
import { isField, matches } from "./keynames.js";
import { toggleHelp, togglePalette } from "./overlays.js";

/** The keys that every view has. @returns {import("./frame.js").Key[]} */
export function shellKeys() {
    const { undo, redo, save } = frame.value.status ?? {};
    const undone = () => void undo?.run();
    const redone = () => void redo?.run();
    return [
        { keys: "Ctrl+K", title: "Go to or run anything", run: togglePalette, inFields: true },
        { keys: "Ctrl+S", title: "Save", run: () => void save?.run(), inFields: true },
        { keys: "Ctrl+Z", title: "Undo", run: undone },
        { keys: "Ctrl+Shift+Z", title: "Redo", run: redone },
        { keys: "Ctrl+Y", title: "Redo", run: redone },
        { keys: "?", title: "Keys of this view", run: toggleHelp },
    ];
}

/** Handles keys that no component took. */
export function startKeys() {
    document.addEventListener("keydown", event => {
        if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]")) return;
        const typing = isField(event.target);
        for (const key of [...innerKeys.value, ...(frame.value.keys ?? []), ...shellKeys()]) {
            if (key.run === undefined || typing && !key.inFields || !matches(event, key.keys)) continue;
            if (key.run(event) === false) continue;
            event.preventDefault();
            return;
        }
    });
}

// Elements are copied, cut and pasted as JSON, so that they travel between versions, models and pages.
import { useEffect } from "../lib/preact.js";
import { isField } from "../shell/keynames.js";
import { draftOf, paste, removeAll } from "./actions.js";

/** @import { ModelClient, ModelElement, ModelState } from "./client.js" */

/**
 * @param {ModelClient} client @param {ModelState} state
 * @param {ModelElement[]} elements what is copied
 * @param {ModelElement|undefined} owner where properties are pasted
 */
export function useClipboard(client, state, elements, owner) {
    useEffect(() => {
        const isElsewhere = event =>
            isField(event.target) || !getSelection()?.isCollapsed || document.querySelector("dialog[open]") !== null;
        const copy = event => {
            if (isElsewhere(event) || elements.length === 0) return;
            const drafts = elements.map(each => draftOf(state, each));
            event.clipboardData?.setData("text/plain", JSON.stringify(drafts, null, 2));
            event.preventDefault();
            if (event.type === "cut" && !state.isReadOnly) removeAll(client, elements);
        };
        const insert = event => {
            const text = event.clipboardData?.getData("text/plain") ?? "";
            if (isElsewhere(event) || state.isReadOnly || !text.startsWith("[")) return;
            event.preventDefault();
            paste(client, text, owner);
        };
        document.addEventListener("copy", copy);
        document.addEventListener("cut", copy);
        document.addEventListener("paste", insert);
        return () => {
            document.removeEventListener("copy", copy);
            document.removeEventListener("cut", copy);
            document.removeEventListener("paste", insert);
        };
    });
}

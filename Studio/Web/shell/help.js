// The list of keys of the view that is shown.
import { html } from "../lib/preact.js";
import { useObservable } from "../observable.js";
import { Dialog } from "./dialogs.js";
import { frame, innerKeys } from "./frame.js";
import { keyLabel } from "./keynames.js";
import { shellKeys } from "./keys.js";
import { isHelpOpen, toggleHelp } from "./overlays.js";

/** @param {{title: string, keys: import("./frame.js").Key[]}} props */
const KeyList = ({ title, keys }) => html`
    <section><h3>${title}</h3><dl class="keys">${keys.map(each => html`
        <div><dt><kbd>${keyLabel(each.keys)}</kbd></dt><dd>${each.title}</dd></div>`)}</dl></section>`;

export function Help() {
    const { keys: outer = [], actions = [] } = useObservable(frame);
    const keys = [...useObservable(innerKeys), ...outer];
    if (!useObservable(isHelpOpen)) return null;
    const listed = new Set(keys.map(each => each.keys));
    const more = actions.filter(each => each.keys !== undefined && !listed.has(each.keys))
        .map(each => ({ keys: each.keys, title: each.title }));
    const own = [...keys, ...more];
    return html`
        <${Dialog} title="Keys" className="help" onClose=${toggleHelp}>
            <div class="key-lists">
                ${own.length > 0 && html`<${KeyList} title="This view" keys=${own} />`}
                <${KeyList} title="Everywhere" keys=${[...shellKeys(), { keys: "Alt+ArrowLeft", title: "Back" },
                    { keys: "Escape", title: "Close or leave" }]} />
            </div>
            <div class="dialog-buttons"><button onClick=${toggleHelp}>Close</button></div>
        <//>`;
}

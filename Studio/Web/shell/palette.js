// Ctrl+K: go to any document or element, run any command of the view.
import { html, useEffect, useRef, useState } from "../lib/preact.js";
import { useAnswer } from "../asking.js";
import { useObservable } from "../observable.js";
import { navigate, urlOf } from "../router.js";
import { Dialog } from "./dialogs.js";
import { documentKinds, documents } from "./documents.js";
import { frame } from "./frame.js";
import { Icon } from "./icons.js";
import { keyLabel } from "./keynames.js";
import { isPaletteOpen, toggleHelp, togglePalette } from "./overlays.js";
import { setTheme, themes } from "./theme.js";
import { rank } from "./ranking.js";

/** @typedef {import("./frame.js").Found & {keys?: string}} Item */

/** What the palette offers besides what the view finds. @returns {Item[]} */
function offered() {
    const { actions = [] } = frame.value;
    return [
        ...actions.filter(each => each.isEnabled !== false).map(each => ({ icon: "chevron", ...each, detail: "command" })),
        ...documentKinds.flatMap(([page, , icon]) => documents.value[page].map(each =>
            ({ title: each.name, detail: icon, icon, url: urlOf([page, each.id]) }))),
        ...themes.map(([icon, title]) => ({ title, icon, detail: "command", run: () => setTheme(icon) })),
        { title: "Keys of this view", icon: "help", keys: "?", detail: "command", run: toggleHelp },
    ];
}

/** The most that is listed. */
const shownCount = 50;

/** Returns what fits a text, those of the view first where it was asked. @param {string} text @returns {Promise<Item[]>} */
async function found(text) {
    const own = text === "" ? [] : await Promise.resolve(frame.value.search?.(text) ?? []).catch(() => []);
    return [...own, ...rank(offered(), text)].slice(0, shownCount);
}

export function Palette() {
    return useObservable(isPaletteOpen) ? html`<${OpenPalette} />` : null;
}

function OpenPalette() {
    const [text, setText] = useState("");
    const items = useAnswer(() => found(text), [text]).answer ?? [];
    const [index, setIndex] = useState(0);
    const list = useRef(null);
    useEffect(() => setIndex(0), [items]);
    useEffect(() => list.current?.children[index]?.scrollIntoView({ block: "nearest" }), [index]);

    const choose = item => {
        if (item === undefined) return;
        togglePalette();
        // After the dialog has given back the focus.
        setTimeout(() => item.url === undefined ? item.run?.() : navigate(item.url));
    };
    const keyed = event => {
        const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
        if (step !== undefined) setIndex(Math.max(0, Math.min(items.length - 1, index + step)));
        else if (event.key === "Enter") choose(items[index]);
        else if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) togglePalette();
        else return;
        event.preventDefault();
    };
    return html`
        <${Dialog} title="Go to or run anything" hasTitle=${false} className="palette" onClose=${togglePalette}>
            <div class="palette-field"><${Icon} name="search" />
                <input type="text" role="combobox" aria-expanded="true" aria-controls="palette-list" autofocus
                    aria-activedescendant=${items.length > 0 ? `palette-${index}` : undefined} spellcheck=${false}
                    aria-label="Go to or run anything" placeholder="Entity, property, document or command"
                    value=${text} onInput=${event => setText(event.target.value)} onKeyDown=${keyed} />
            </div>
            <ul role="listbox" id="palette-list" aria-label="Found" ref=${list}>${items.map((item, number) => html`
                <li role="option" id=${`palette-${number}`} aria-selected=${number === index}
                    onMouseMove=${() => setIndex(number)} onClick=${() => choose(item)}>
                    <${Icon} name=${item.icon ?? "chevron"} /><span class="cut">${item.title}</span>
                    ${item.detail && html`<span class="quiet">${item.detail}</span>`}
                    ${item.keys && html`<kbd>${keyLabel(item.keys)}</kbd>`}
                </li>`)}</ul>
            ${items.length === 0 && text !== "" && html`<p class="palette-none quiet">Nothing is named so.</p>`}
        <//>`;
}

// Completes predicates as they are typed, and underlines their mistakes.
import { html, useEffect, useRef, useState } from "../lib/preact.js";
import { stepOf } from "../shell/keynames.js";

/** @typedef {{text: string, kind: string, detail: string}} Item */
/** @typedef {{position: number, length: number, message: string}} Mistake */
/** @typedef {{start: number, items: Item[], mistake: Mistake|null}} Answer */

/** The studio counts characters, scripts count code units. @param {string} text @param {number} units */
const characters = (text, units) => [...text.slice(0, units)].length;

const units = (text, count) => [...text].slice(0, count).join("").length;

/**
 * Completes the text of a field.
 * @param {{
 *   text: string, onText: (text: string) => void, id: string,
 *   ask: ((text: string, caret: number) => Promise<Answer>)|null,
 *   field: {current: HTMLInputElement|HTMLTextAreaElement|null}
 * }} options ask: null where nothing can be completed
 */
export function useCompletion({ text, onText, id, ask, field }) {
    const [answer, setAnswer] = useState(/** @type {Answer & {text: string}} */({ start: 0, items: [], mistake: null, text: "" }));
    const [chosen, setChosen] = useState(0);
    const [isOpen, setOpen] = useState(false);
    const under = useRef(null);
    const asked = useRef(0);
    const { start, items, mistake } = answer;
    const caret = () => field.current?.selectionStart ?? text.length;

    const scrolled = () => {
        if (under.current === null || field.current === null) return;
        [under.current.scrollLeft, under.current.scrollTop] = [field.current.scrollLeft, field.current.scrollTop];
    };
    useEffect(scrolled);

    /** @param {string} typed @param {boolean} opens */
    const look = async (typed, opens) => {
        if (ask === null) return;
        const number = asked.current += 1;
        try {
            const found = await ask(typed, characters(typed, caret()));
            if (number !== asked.current) return;
            setAnswer({ ...found, text: typed });
            setChosen(0);
            setOpen(opens && found.items.length > 0 && document.activeElement === field.current);
        } catch { /* The next key asks again. */ }
    };
    const take = item => {
        const before = text.slice(0, units(text, start)) + item.text;
        const space = ["attribute", "operator", "keyword"].includes(item.kind) ? " " : "";
        const next = before + space + text.slice(caret()).replace(/^ /, space === "" ? " " : "");
        onText(next);
        setOpen(false);
        // The next key may come before it is drawn.
        if (field.current !== null) field.current.value = next;
        field.current?.setSelectionRange(before.length + space.length, before.length + space.length);
        void look(next, item.kind === "toOne" || item.kind === "toMany");
    };
    const part = () => text.slice(units(text, start), caret());
    // A key may be pressed before the items for the last letters have come.
    const isMeant = () => answer.text === text || part() !== "" && items[chosen]?.text.toLowerCase().startsWith(part().toLowerCase());
    /** Takes the keys of the list. @param {KeyboardEvent} event @returns {boolean} whether the key was one */
    const pressed = event => {
        const move = stepOf(event);
        if (event.key === " " && event.ctrlKey) void look(text, true);
        else if (!isOpen) return false;
        else if (move !== 0) setChosen((chosen + move + items.length) % items.length);
        else if (event.key === "Escape") setOpen(false);
        // Enter takes an item only where a word was begun: after a finished predicate it keeps it.
        else if (isMeant() && (event.key === "Tab" || event.key === "Enter" && part() !== "" && part() !== items[chosen]?.text)) take(items[chosen]);
        else return false;
        return true;
    };

    // A word that is still typed is no mistake as long as it can be completed.
    const isUnfinished = isOpen && mistake !== null && mistake.position >= start;
    const wrong = mistake === null || isUnfinished || text.trim() === "" || answer.text !== text ? null : mistake;
    return {
        id, text, under, items, chosen, isOpen, wrong, take, pressed, scrolled,
        typed: typed => { onText(typed); void look(typed, true); },
        close: () => { asked.current += 1; setOpen(false); },
        forget: () => { setOpen(false); setAnswer(before => ({ ...before, mistake: null })); },
        /** What the field tells assistive technology. */
        attributes: {
            role: "combobox", "aria-expanded": isOpen, "aria-controls": `${id}-completion`, "aria-autocomplete": "list",
            "aria-activedescendant": isOpen ? `${id}-item-${chosen}` : undefined, spellcheck: false, autocomplete: "off", onScroll: scrolled,
        },
    };
}

/** Underlines what is wrong, below a field whose letters lie at the same places. */
export function Underlined({ of: { text, wrong, under } }) {
    const from = wrong === null ? 0 : units(text, wrong.position);
    const to = wrong === null ? 0 : from + Math.max(1, units(text.slice(from), wrong.length));
    return html`<div class="underlined" aria-hidden="true" ref=${under}>${wrong && html`
        ${text.slice(0, from)}<u>${text.slice(from, to) || "\u2002"}</u>${text.slice(to)}`}</div>`;
}

/** Lists the items to choose from. */
export const CompletionList = ({ of: { id, items, chosen, isOpen, take } }) => isOpen && html`
    <ul class="completion" id=${`${id}-completion`} role="listbox">${items.slice(0, 40).map((item, index) => html`
        <li id=${`${id}-item-${index}`} key=${item.text} role="option" aria-selected=${index === chosen}
            ref=${each => index === chosen && each?.scrollIntoView({ block: "nearest" })}
            onMouseDown=${event => { event.preventDefault(); take(item); }}>
            <span class=${"completion-kind " + item.kind}></span>
            <span class="code">${item.text}</span><span class="quiet">${item.detail}</span></li>`)}
    </ul>`;

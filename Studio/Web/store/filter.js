// The filter line: a predicate with completion, mistakes underlined while one types, run by Enter.
import { html, useEffect, useRef, useState } from "../lib/preact.js";
import { pathOf, post } from "../api.js";
import { Icon } from "../shell/icons.js";

/** @typedef {{text: string, kind: string, detail: string}} Item */
/** @typedef {{position: number, length: number, message: string}|null} Mistake */

/** The studio counts characters, scripts count code units. @param {string} text @param {number} units */
const characters = (text, units) => [...text.slice(0, units)].length;

/** @param {string} text @param {number} count */
const units = (text, count) => [...text].slice(0, count).join("").length;

const historyKey = "studio.filters";

/** @returns {Record<string, string[]>} */
function savedFilters() {
    try {
        return JSON.parse(localStorage.getItem(historyKey) ?? "{}");
    } catch {
        return {};
    }
}

/** Keeps the filters that were run, newest first. @param {string} place @param {string} filter */
export function rememberFilter(place, filter) {
    if (filter.trim() === "") return;
    const all = savedFilters();
    all[place] = [filter, ...(all[place] ?? []).filter(each => each !== filter)].slice(0, 20);
    localStorage.setItem(historyKey, JSON.stringify(all));
}

/**
 * @param {{store: string, place: string, entity: string, example: string, value: string, failure: string, isBusy: boolean,
 *   onRun: (text: string) => void, onLeave: () => void}} props
 */
export function FilterLine({ store, place, entity, example, value, failure, isBusy, onRun, onLeave }) {
    const [text, setText] = useState(value);
    const [items, setItems] = useState(/** @type {Item[]} */([]));
    const [start, setStart] = useState(0);
    const [answered, setAnswered] = useState("");
    const [chosen, setChosen] = useState(0);
    const [mistake, setMistake] = useState(/** @type {Mistake} */(null));
    const [isOpen, setOpen] = useState(false);
    const input = useRef(/** @type {HTMLInputElement|null} */(null));
    const under = useRef(/** @type {HTMLElement|null} */(null));
    const asked = useRef(0);

    useEffect(() => {
        setText(value);
        setOpen(false);
        setMistake(null);
    }, [value, entity]);
    useEffect(() => {
        if (under.current !== null && input.current !== null) under.current.scrollLeft = input.current.scrollLeft;
    });

    /** Asks what may come next, and what is wrong. @param {string} typed @param {boolean} opens */
    const ask = async (typed, opens) => {
        const number = asked.current += 1;
        const caret = characters(typed, input.current?.selectionStart ?? typed.length);
        try {
            const answer = await post(pathOf("stores", store, "completion"), { entity, text: typed, caret });
            if (number !== asked.current) return;
            setItems(answer.items);
            setStart(answer.start);
            setAnswered(typed);
            setChosen(0);
            setMistake(answer.mistake);
            setOpen(opens && answer.items.length > 0 && document.activeElement === input.current);
        } catch { /* The next key asks again. */ }
    };
    const typed = (/** @type {any} */ event) => {
        setText(event.target.value);
        void ask(event.target.value, true);
    };
    const take = (/** @type {Item} */ item) => {
        const caret = input.current?.selectionStart ?? text.length;
        const before = text.slice(0, units(text, start)) + item.text;
        const space = item.kind === "attribute" || item.kind === "operator" || item.kind === "keyword" ? " " : "";
        const next = before + space + text.slice(caret).replace(/^ /, space === "" ? " " : "");
        setText(next);
        setOpen(false);
        requestAnimationFrame(() => {
            input.current?.setSelectionRange(before.length + space.length, before.length + space.length);
            void ask(next, item.kind === "toOne" || item.kind === "toMany");
        });
    };
    const run = (/** @type {string} */ filter) => {
        setText(filter);
        setOpen(false);
        asked.current += 1;
        rememberFilter(place, filter);
        onRun(filter);
    };
    const pressed = (/** @type {KeyboardEvent} */ event) => {
        const move = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
        if (event.key === " " && event.ctrlKey) void ask(text, true);
        else if (isOpen && move !== 0) setChosen((chosen + move + items.length) % items.length);
        else if (isOpen && isMeant() && (event.key === "Tab" || event.key === "Enter" && isPartial())) take(items[chosen]);
        else if (event.key === "Enter") run(text.trim());
        else if (event.key === "Escape" && isOpen) setOpen(false);
        else if (event.key === "Escape" && text !== value) setText(value);
        else if (event.key === "Escape" || event.key === "ArrowDown") onLeave();
        else return;
        event.preventDefault();
        event.stopPropagation();
    };
    // A key may be pressed before the items for the last letters have come.
    const isMeant = () => {
        const part = text.slice(units(text, start), input.current?.selectionStart ?? 0);
        return answered === text || part !== "" && items[chosen]?.text.toLowerCase().startsWith(part.toLowerCase());
    };
    // Enter takes an item only where a word was begun: after a finished filter it runs it.
    const isPartial = () => units(text, start) < (input.current?.selectionStart ?? 0)
        && text.slice(units(text, start), input.current?.selectionStart ?? 0) !== items[chosen]?.text;

    // A word that is still typed is no mistake as long as it can be completed.
    const isUnfinished = isOpen && mistake !== null && mistake.position >= start;
    const wrong = mistake === null || isUnfinished || text.trim() === "" ? null : mistake;
    const from = wrong === null ? 0 : units(text, wrong.position);
    const length = wrong === null ? 0 : Math.max(1, units(text.slice(from), wrong.length));
    const saved = (savedFilters()[place] ?? []).filter(each => each !== value);
    return html`
        <div class="store-filter">
            <div class="store-filter-field">
                <${Icon} name="filter" />
                <div class="store-filter-under" aria-hidden="true" ref=${under}>${wrong && html`
                    ${text.slice(0, from)}<u>${text.slice(from, from + length) || "\u2002"}</u>${text.slice(from + length)}`}</div>
                <input ref=${input} id="store-filter" class="code" spellcheck=${false} autocomplete="off"
                    placeholder=${`Filter ${entity}: ${example}`} value=${text}
                    role="combobox" aria-label="Filter" aria-expanded=${isOpen} aria-controls="store-completion"
                    aria-autocomplete="list" aria-activedescendant=${isOpen ? `completion-${chosen}` : undefined}
                    aria-invalid=${wrong !== null || failure !== ""} aria-describedby="store-filter-note"
                    onInput=${typed} onKeyDown=${pressed} onBlur=${() => setOpen(false)}
                    onScroll=${() => { if (under.current && input.current) under.current.scrollLeft = input.current.scrollLeft; }} />
                ${text !== "" && html`<button type="button" class="icon-button" aria-label="Clear the filter" title="Clear"
                    onClick=${() => { setText(""); run(""); input.current?.focus(); }}><${Icon} name="close" /></button>`}
                ${saved.length > 0 && html`
                    <select class="store-filter-saved" aria-label="Former filters" title="Former filters" value=""
                        onChange=${(/** @type {any} */ event) => run(event.target.value)}>
                        <option value="">⌄</option>${saved.map(each => html`<option value=${each}>${each}</option>`)}</select>`}
                ${isOpen && html`
                    <ul class="store-completion" id="store-completion" role="listbox">${items.slice(0, 40).map((item, index) => html`
                        <li id=${`completion-${index}`} key=${item.text} role="option" aria-selected=${index === chosen}
                            ref=${(/** @type {HTMLElement|null} */ each) => index === chosen && each?.scrollIntoView({ block: "nearest" })}
                            onMouseDown=${(/** @type {Event} */ event) => { event.preventDefault(); take(item); }}>
                            <span class=${"completion-kind " + item.kind}></span>
                            <span class="code">${item.text}</span><span class="quiet">${item.detail}</span></li>`)}
                    </ul>`}
            </div>
            <div id="store-filter-note" class="store-filter-note" role="status">${
                failure !== "" ? html`<span class="field-problem">${failure}</span>`
                : wrong !== null ? html`<span class="field-problem">${wrong.message}</span>`
                : text !== value ? html`<span class="quiet"><kbd>Enter</kbd> runs</span>`
                : isBusy ? html`<span class="quiet">searching…</span>` : ""}</div>
        </div>`;
}

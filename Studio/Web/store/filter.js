// The filter line: a predicate with completion, mistakes underlined while one types, run by Enter.
import { html, useEffect, useRef, useState } from "../lib/preact.js";
import { pathOf, post } from "../api.js";
import { CompletionList, Underlined, useCompletion } from "../predicates/completion.js";
import { Icon, IconButton } from "../shell/icons.js";
import { prefer, preference } from "../shell/preferences.js";

/** Keeps the filters that were run, newest first. @param {string} place @param {string} filter */
function rememberFilter(place, filter) {
    if (filter.trim() === "") return;
    const { [place]: former = [], ...others } = preference("filters") ?? {};
    const all = [[place, [filter, ...former.filter(each => each !== filter)].slice(0, 20)], ...Object.entries(others)];
    prefer("filters", Object.fromEntries(all.slice(0, 100)));
}

/**
 * @param {{store: string, place: string, entity: string, example: string, value: string, failure: string, isBusy: boolean,
 *   onRun: (text: string) => void, onLeave: () => void}} props
 */
export function FilterLine({ store, place, entity, example, value, failure, isBusy, onRun, onLeave }) {
    const [text, setText] = useState(value);
    const input = useRef(null);
    const completion = useCompletion({
        id: "store-filter", text, onText: setText, field: input,
        ask: (typed, caret) => post(pathOf("stores", store, "completion"), { entity, text: typed, caret }),
    });
    const { wrong } = completion;

    useEffect(() => {
        setText(value);
        completion.forget();
    }, [value, entity]);

    const run = filter => {
        setText(filter);
        completion.close();
        rememberFilter(place, filter);
        onRun(filter);
    };
    const pressed = event => {
        if (completion.pressed(event)) { /* taken */ }
        else if (event.key === "Enter") run(text.trim());
        else if (event.key === "Escape" && text !== value) setText(value);
        else if (event.key === "Escape" || event.key === "ArrowDown") onLeave();
        else return;
        event.preventDefault();
        event.stopPropagation();
    };
    const saved = (preference("filters")?.[place] ?? []).filter(each => each !== value);
    return html`
        <div class="store-filter">
            <div class="store-filter-field">
                <${Icon} name="filter" />
                <${Underlined} of=${completion} />
                <input ref=${input} id="store-filter" class="code" value=${text} placeholder=${`Filter ${entity}: ${example}`}
                    ...${completion.attributes} aria-label="Filter" aria-describedby="store-filter-note"
                    aria-invalid=${wrong !== null || failure !== ""} onKeyDown=${pressed} onBlur=${completion.close}
                    onInput=${event => completion.typed(event.target.value)} />
                ${text !== "" && html`<${IconButton} name="close" title="Clear the filter"
                    onClick=${() => { setText(""); run(""); input.current?.focus(); }} />`}
                ${saved.length > 0 && html`
                    <select class="store-filter-saved" aria-label="Former filters" title="Former filters" value=""
                        onChange=${event => run(event.target.value)}>
                        <option value="">⌄</option>${saved.map(each => html`<option value=${each}>${each}</option>`)}</select>`}
                <${CompletionList} of=${completion} />
            </div>
            <div id="store-filter-note" class="store-filter-note" role="status">${
                failure !== "" ? html`<span class="field-problem">${failure}</span>`
                : wrong !== null ? html`<span class="field-problem">${wrong.message}</span>`
                : text !== value ? html`<span class="quiet"><kbd>Enter</kbd> runs</span>`
                : isBusy ? html`<span class="quiet">searching…</span>` : ""}</div>
        </div>`;
}

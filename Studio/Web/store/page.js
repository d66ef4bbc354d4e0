// The page of a store: entities on the left, the tabs of what is looked at in the middle.
import { html, useEffect, useMemo, useRef, useState } from "../lib/preact.js";
import { change, get, onEvent, pathOf } from "../api.js";
import { useAnswer, Waiting } from "../asking.js";
import { useObservable } from "../observable.js";
import { navigate, urlOf } from "../router.js";
import { useFrame } from "../shell/frame.js";
import { notifyError } from "../shell/notices.js";
import { Edits } from "./edits.js";
import { EntityList } from "./entities.js";
import { objectUrl } from "./members.js";
import { PendingList, ConflictDialog } from "./pending.js";
import { LinkPreview } from "./preview.js";
import { RowsView } from "./rowsview.js";
import { useWork, WorkList } from "./work.js";
import { CheckTab, ExportTab, HistoryTab, MetadataTab, StatementTab } from "./tabs.js";

const tabs = [
    ["rows", "Rows"], ["statement", "Statement"], ["history", "History"], ["check", "Check"],
    ["metadata", "Metadata"], ["export", "Export"],
];

/** @import { Route } from "../router.js" */

/** @param {{route: Route, document: any}} props */
export function Page({ route, document: opened }) {
    const [round, setRound] = useState(0);
    useEffect(() => onEvent("reset", () => setRound(before => before + 1)), []);
    const { answer: store, error } = useAnswer(signal => get(pathOf("stores", opened.id), { signal }), [opened.id, round]);
    if (error !== "" || store === null) return html`<${Waiting} error=${error} />`;
    return html`<${StorePage} route=${route} store=${store} />`;
}

/** @param {{route: Route, store: any}} props */
function StorePage({ route, store }) {
    const [tab = "rows", named] = route.rest;
    const first = useMemo(() => store.entities.find(each => !each.isAbstract) ?? store.entities[0], [store]);
    const entity = store.entities.find(each => each.name === named) ?? first;
    const counts = useCounts(store);
    const edits = useMemo(() => new Edits(store.id, store.mayEdit), [store.id]);
    useEffect(() => edits.follow(), [edits]);
    const pending = useObservable(edits.pending);
    const commands = useRef({});
    const work = useWork();

    const open = (name, next = tab) =>
        navigate(urlOf(["stores", store.id, next, name]));
    const show = next =>
        navigate(urlOf(["stores", store.id, next, entity.name], next === "rows" || next === "statement" || next === "export" ? route.query : {}));
    const count = pending.changes.length;
    useFrame({
        breadcrumb: [{ title: store.name, url: urlOf(["stores", store.id]) }, { title: entity?.name ?? "" }],
        actions: [
            ...tabs.map(([id, title]) => ({ title: `Show ${title}`, run: () => show(id) })),
            ...(store.mayEdit ? [
                { title: `New ${entity.name}`, keys: "Insert", icon: "plus", isEnabled: !entity.isAbstract, run: () => commands.current.insert?.() },
                { title: "Discard all pending changes", isEnabled: count > 0, run: () => void edits.discard() },
            ] : []),
            { title: "Read again", keys: "F5", icon: "reload", run: () => commands.current.reload?.() },
        ],
        keys: [
            { keys: "Ctrl+F", title: "Filter", inFields: true, run: () => document.getElementById("store-filter")?.focus() },
            { keys: "F5", title: "Read again", inFields: true, run: () => commands.current.reload?.() },
            { keys: "Insert", title: "New object", run: () => commands.current.insert?.() },
            { keys: "Alt+N", title: "New object", run: () => commands.current.insert?.() },
            { keys: "F2", title: "Edit the value" }, { keys: "Delete", title: "Delete the object" },
            { keys: "Ctrl+Enter", title: "Follow the link" }, { keys: "Ctrl+Backspace", title: "Set null" },
            { keys: "Ctrl+V", title: "Paste cells" }, { keys: "Shift+Enter", title: "Value in the record" },
            { keys: "Alt+ArrowLeft", title: "Back" }, { keys: "Alt+ArrowRight", title: "Forward" }, { keys: "Ctrl+Space", title: "Complete (in the filter)" },
            { keys: "Alt+S", title: "Sort by the column (Shift adds)" },
        ],
        search: text => searched(store, text),
        status: {
            undo: pending.undo === null ? null : { title: pending.undo, run: () => void edits.undo() },
            redo: pending.redo === null ? null : { title: pending.redo, run: () => void edits.redo() },
            save: store.mayEdit ? { count, run: () => void edits.save() } : null,
            text: !store.mayEdit ? store.isCopy ? "reading a copy" : "read only" : undefined,
            panels: [...(store.mayEdit ? [{
                id: "pending", title: "Changes", badge: count, tone: pending.problems.length > 0 ? "error" : count > 0 ? "changed" : "quiet",
                render: () => html`<${PendingList} edits=${edits} store=${store} onOpen=${change =>
                    navigate(objectUrl(store.id, change.id))} />`,
            }] : []), { id: "work", title: "Running", badge: work.length || undefined, render: () => html`<${WorkList} work=${work} />` }],
        },
    });
    const shared = { store, entity, edits, route, commands };
    return html`
        <div class="page store-page">
            <${EntityList} entities=${store.entities} counts=${counts} current=${entity?.name ?? ""} onOpen=${open} />
            <div class="store-main">
                <div class="tabs" role="tablist">${tabs.map(([id, title]) => html`
                    <button role="tab" aria-selected=${tab === id} onClick=${() => show(id)}>${title}</button>`)}
                </div>
                ${tab === "statement" ? html`<${StatementTab} ...${shared} />`
                : tab === "history" ? html`<${HistoryTab} ...${shared} />`
                : tab === "check" ? html`<${CheckTab} ...${shared} />`
                : tab === "metadata" ? html`<${MetadataTab} ...${shared} counts=${counts} />`
                : tab === "export" ? html`<${ExportTab} ...${shared} />`
                : entity && html`<${RowsView} key=${entity.name} ...${shared} />`}
            </div>
            <${LinkPreview} key=${`${tab} ${entity?.name}`} store=${store} />
            <${ConflictDialog} edits=${edits} store=${store} />
        </div>`;
}

/** Counts all entities in the background, and again after commits. @param {any} store */
function useCounts(store) {
    const [counts, setCounts] = useState(/** @type {Record<string, any>} */({}));
    useEffect(() => {
        const count = () => change(pathOf("stores", store.id, "tasks"), { kind: "count" }).catch(notifyError);
        let waiting = 0;
        const ends = [
            onEvent("progress", data => {
                if (data.store === store.id && data.count) setCounts(all => ({ ...all, [data.count.entity]: data.count }));
            }),
            onEvent("store", data => {
                if (data.store !== store.id) return;
                clearTimeout(waiting);
                waiting = setTimeout(count, 400);
            }),
        ];
        count();
        return () => {
            clearTimeout(waiting);
            ends.forEach(end => end());
        };
    }, [store.id]);
    return counts;
}

/** Finds entities by name, and an object by its name. @param {any} store @param {string} text */
function searched(store, text) {
    const word = text.trim().toLowerCase();
    const entities = store.entities.filter(each => each.name.toLowerCase().includes(word)).map(each => ({
        title: each.name, detail: "entity", icon: "entity", url: urlOf(["stores", store.id, "rows", each.name]),
    }));
    const object = /^(\w+)\/p\d+$/.exec(text.trim());
    return object === null ? entities : [{
        title: text.trim(), detail: "object", icon: "table",
        url: objectUrl(store.id, text.trim()),
    }, ...entities];
}

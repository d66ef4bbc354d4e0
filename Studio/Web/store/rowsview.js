// The rows of an entity: filter line, grid, and the record of the selected object.
import { html, useEffect, useMemo, useRef, useState } from "../lib/preact.js";
import { onEvent } from "../api.js";
import { useDocuments } from "../shell/documents.js";
import { useObservable } from "../observable.js";
import { historyEntry, navigate, urlOf } from "../router.js";
import { announce, notify } from "../shell/notices.js";
import { isNumber } from "./cells.js";
import { FilterLine } from "./filter.js";
import { Grid } from "./grid.js";
import { objectUrl } from "./members.js";
import { paste } from "./paste.js";
import { RecordPanel } from "./record.js";
import { beginEdit, rowKey } from "./rowedits.js";
import { keepPlace, placeOf, placing } from "./rowplace.js";
import { Rows } from "./rows.js";
import { partText, sortedBy, sortKey, sortOf } from "./sort.js";
import { ZoneChoice } from "./zones.js";

/** A filter of an entity, to show how they are written. @param {any} entity */
function exampleOf(entity) {
    const number = entity.properties.find(each => each.kind === "attribute" && isNumber(each));
    if (entity.title !== null) return `${entity.title} CONTAINS "x"`;
    return number === undefined ? "a predicate" : `${number.name} > 1`;
}

/** @param {{store: any, entity: any, edits: import("./edits.js").Edits, route: any, commands: {current: any}}} props */
export function RowsView({ store, entity, edits, route, commands }) {
    const { filter = "", sort = "", object = "" } = route.query;
    const host = useRef(null);
    const grid = useRef(null);
    const rows = useRef(null);
    const current = useRef({});
    const shownQuery = useRef("");
    const [selected, setSelected] = useState(object);
    const [failure, setFailure] = useState("");
    const [isBusy, setBusy] = useState(true);
    const [status, setStatus] = useState({ total: 0, isExact: false, row: 0, failure: "" });
    const [round, setRound] = useState(0);
    const again = () => setRound(before => before + 1);
    const [isOld, setOld] = useState(false);
    const [version, setVersion] = useState(0);
    const [editing, setEditing] = useState("");
    const pending = useObservable(edits.pending);
    const saves = useObservable(edits.saves);
    useEffect(() => {
        if (saves > 0) again();
    }, [saves]);

    const entry = useMemo(historyEntry, [route.url]);
    /** An object that is shown although the list does not have it. */
    const outside = useRef("");
    // By the time one has left, the address is another one already.
    useEffect(() => () => keepPlace(entry, grid.current), [entry]);

    const go = query =>
        navigate(urlOf(["stores", store.id, "rows", entity.name], { filter, sort, ...query }));
    const follow = id => navigate(objectUrl(store.id, id));
    current.current = { go, follow, sort, edits, entity, filter };

    const working = () => ({ grid: grid.current, rows: rows.current, edits, onEditing: setEditing });

    const note = () => {
        const list = rows.current;
        if (list === null) return;
        grid.current?.changed();
        setStatus({ total: list.total, isExact: list.isExact, row: (grid.current?.row ?? 0) + 1, failure: list.failure });
        const name = list.at(grid.current?.row ?? 0)?.[0];
        if (name !== undefined && outside.current === "") setSelected(before => before.includes("/new") ? before : name);
    };

    useEffect(() => {
        const made = new Grid(host.current, {
            onSelect: row => {
                outside.current = "";
                setSelected(String(rows.current?.at(row)?.[0] ?? ""));
                setEditing("");
                setStatus(before => ({ ...before, row: row + 1 }));
            },
            onFollow: id => current.current.follow(id),
            onSort: (column, adds) => sortBy(column, adds),
            onEdit: (row, column, text) => beginEdit(working(), row, column, text),
            onPaste: text => void paste(working(), text),
            onKey: (event, row, column) => rowKey(working(), event, row, column),
        });
        grid.current = made;
        if (!document.activeElement?.closest(".store-tree")) made.focus();
        return () => made.destroy();
    }, []);

    // A list is opened for each filter and order; the former one is closed, and what still runs for it ends.
    useEffect(() => {
        const wanted = new AbortController();
        let list = null;
        setBusy(true);
        Rows.open(store.id, { entity: entity.name, filter, sort: sortOf(sort).map(partText) }, wanted.signal).then(async opened => {
            list = opened;
            if (wanted.signal.aborted) return opened.close();
            opened.onLoss = again;
            const before = rows.current;
            const isSame = before !== null && shownQuery.current === filter + "\n" + sort;
            // The former rows stay until those at the same place are there.
            const place = isSame ? grid.current : placeOf(entry);
            if (place) await opened.reach(Math.max(place.row, Math.floor(place.top) + grid.current.shownRows));
            const settle = isSame ? await placing(grid.current, opened, before) : () => restore(opened);
            if (wanted.signal.aborted) return opened.close();
            // Until the rows are counted, as many as before can be scrolled to.
            if (isSame && !opened.isExact) opened.total = Math.max(opened.total, before.total);
            rows.current = opened;
            opened.onChange = note;
            setFailure("");
            setOld(false);
            setBusy(false);
            grid.current.show(opened, opened.columns, sortOf(sort));
            await settle();
            before?.close();
            shownQuery.current = filter + "\n" + sort;
            note();
            announce(`${opened.total}${opened.isExact ? "" : " or more"} rows`);
        }, error => {
            if (error.name === "AbortError") return;
            setBusy(false);
            setFailure(error.message);
        });
        return () => {
            wanted.abort();
            if (list !== null && rows.current !== list) list.close();
        };
    }, [filter, sort, round]);
    useEffect(() => {
        // A page that is left ends nothing by itself, and the browser may show it again as it was.
        const leave = () => rows.current?.close();
        const back = event => event.persisted && again();
        addEventListener("pagehide", leave);
        addEventListener("pageshow", back);
        return () => {
            removeEventListener("pagehide", leave);
            removeEventListener("pageshow", back);
            leave();
        };
    }, []);
    useEffect(() => {
        if (rows.current !== null && shownQuery.current === filter + "\n" + sort) void restore(rows.current);
    }, [entry]);

    /** Goes to the object of the address, or to where one was. @param {Rows} opened */
    const restore = async opened => {
        const place = placeOf(entry);
        if (place !== undefined) {
            grid.current?.scrollTo(place.top);
            grid.current?.select(place.row, place.column);
        } else if (object !== "" && !object.includes("/new")) {
            const position = await opened.position(object).catch(() => null);
            if (position !== null) return grid.current?.select(position, 0);
            outside.current = object;
            setSelected(object);
            if (!opened.isExact || opened.total > 100) wait(opened, object);
        } else if (object === "") {
            grid.current?.select(0, 0);
        }
    };
    /** Goes to an object when the keys of all rows are known. @param {Rows} opened @param {string} name */
    const wait = (opened, name) => {
        opened.ready.then(() => opened.position(name)).then(position => {
            if (position !== null && rows.current === opened && outside.current === name) grid.current?.select(position, 0);
        }, () => {});
    };

    useEffect(() => {
        if (object !== "") setSelected(object);
    }, [object]);

    useEffect(() => onEvent("store", data => {
        if (data.store !== store.id) return;
        if (data.failure !== undefined) return void notify({ title: data.failure, tone: "error" });
        setVersion(before => before + 1);
        // Rows are read again around the one on top: what is seen stays in its place.
        again();
        setOld(true);
        const ids = data.changes.map(each => each.id);
        if (ids.length > 0) grid.current?.flash(ids);
    }), [store.id]);

    useEffect(() => {
        if (grid.current === null) return;
        grid.current.changes = new Map(pending.changes.map(change => [change.id, change]));
        grid.current.schedule();
        setVersion(before => before + 1);
    }, [pending]);

    const zone = useDocuments().preferences?.timeZone;
    useEffect(() => grid.current?.redraw(), [zone]);

    const sortBy = (column, adds) => {
        const key = sortKey(column, store.entities);
        if (key !== null) current.current.go({ sort: sortedBy(current.current.sort, key, adds) });
    };

    const insert = async () => {
        const { entity: shown } = current.current;
        if (shown.isAbstract) return;
        if (!await edits.perform([{ kind: "insert", entity: shown.name }])) return;
        const made = edits.pending.value.changes.filter(each => each.kind === "insert" && each.entity === shown.name);
        const newest = made.sort((a, b) => Number(a.id.split("/new")[1]) - Number(b.id.split("/new")[1])).at(-1);
        if (newest === undefined) return;
        // Keys that are typed from now on are meant for the new object, not for the selected cell.
        grid.current?.root.blur();
        setSelected(newest.id);
        setEditing(shown.title ?? shown.properties[0]?.name ?? "");
    };
    commands.current = { insert, reload: again };

    const { total, isExact, row } = status;
    const change = pending.changes.find(each => each.id === selected);
    const inserted = pending.changes.filter(each => each.kind === "insert" && each.entity === entity.name);
    return html`
        <div class="rows-view">
            <div class="rows-list">
                <${FilterLine} store=${store.id} place=${`${store.path} ${entity.name}`} entity=${entity.name} value=${filter}
                    example=${exampleOf(entity)}
                    failure=${failure || status.failure} isBusy=${isBusy} onRun=${text => {
                        if (text === filter) again();
                        else go({ filter: text });
                        grid.current?.focus();
                    }} onLeave=${() => grid.current?.focus()} />
                ${inserted.length > 0 && html`<div class="rows-new"><span class="quiet">New:</span>${inserted.map(each => html`
                    <button key=${each.id} aria-pressed=${each.id === selected}
                        onClick=${() => { setSelected(each.id); setEditing(""); }}>${each.title || each.id}</button>`)}</div>`}
                <div class="rows-grid" ref=${host} aria-busy=${isBusy}></div>
                <div class="rows-status note">
                    <span role="status">${total === 0 ? isBusy ? "" : "no rows" : `${Math.min(row, total).toLocaleString("en-US")} of ${isExact ? "" : "at least "}${total.toLocaleString("en-US")}`}</span>
                    ${isOld && html`<span class="quiet" role="status">another program writes</span>`}
                    <${ZoneChoice} />
                </div>
            </div>
            ${selected !== "" && html`<${RecordPanel} store=${store.id} id=${selected} entities=${store.entities} edits=${edits}
                change=${change} problems=${pending.problems.filter(each => each.object === selected)} version=${version}
                editing=${editing} onEditing=${key => { setEditing(key); if (key === "") grid.current?.focus(); }}
                onRename=${setSelected} />`}
        </div>`;
}

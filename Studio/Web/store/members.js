// Relationships in the record: the members of a to-many, and the search for objects that a relationship leads to.
import { html, useEffect, useRef, useState } from "../lib/preact.js";
import { get, pathOf } from "../api.js";
import { useAnswer } from "../asking.js";
import { urlOf } from "../router.js";
import { IconButton } from "../shell/icons.js";
import { stepOf } from "../shell/keynames.js";
import { notifyError } from "../shell/notices.js";
import { editorKeys } from "./editorkeys.js";

/** @typedef {{id: string, title: string|null}} Link */

/** @param {string} store @param {string} id */
export const objectPath = (store, id) => pathOf("stores", store, "objects", ...id.split("/"));

/** @param {string} store @param {string} id */
export const objectUrl = (store, id) => urlOf(["stores", store, "rows", id.split("/")[0]], { object: id });

const pageSize = 20;
const mostMembers = 500;

/** @param {{store: string, link: Link}} props */
export const ObjectLink = ({ store, link: { id, title } }) => html`
    <a class="record-link" data-link=${id} href=${objectUrl(store, id)}>${title ?? id}<span class="quiet">${title !== null && id}</span></a>`;

/**
 * Finds an object by a part of its title.
 * @param {{store: string, object: string, name: string, label: string, onTake: (id: string|null) => void, onClose: () => void, mayBeNull: boolean}} props
 */
function ObjectSearch({ store, object, name, label, onTake, onClose, mayBeNull }) {
    const [text, setText] = useState("");
    const [found, setFound] = useState([]);
    const [hasMore, setMore] = useState(false);
    const [chosen, setChosen] = useState(0);
    const field = useRef(null);
    const list = useRef(null);
    useEffect(() => field.current?.focus(), []);
    useEffect(() => list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }), [chosen]);
    const ask = (from, signal) => get(
        `${objectPath(store, object)}/${encodeURIComponent(name)}?search=${encodeURIComponent(text)}&from=${from}&count=${pageSize}`, { signal },
    ).then(answer => {
        setFound(before => [...before.slice(0, from), ...answer.members]);
        setMore(answer.members.length === pageSize);
        if (from === 0) setChosen(0);
    }, notifyError);
    useEffect(() => {
        const wanted = new AbortController();
        void ask(0, wanted.signal);
        return () => wanted.abort();
    }, [text]);
    const walk = event => {
        const move = stepOf(event);
        if (move === 0) return false;
        setChosen(Math.max(0, Math.min(found.length - 1, chosen + move)));
        if (hasMore && chosen + move >= found.length - 1) void ask(found.length, undefined);
        return true;
    };
    const held = run => event => {
        event.preventDefault();
        run();
    };
    return html`
        <div class="object-search" onFocusOut=${event => {
            const inside = event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget);
            if (!inside) onClose();
        }}>
            <input ref=${field} type="search" placeholder=${`Find ${label}`} aria-label=${`Find ${label}`} value=${text}
                onInput=${event => setText(event.target.value)} onKeyDown=${
                    editorKeys({ keep: () => found[chosen] && onTake(found[chosen].id), revert: onClose, others: walk })} />
            <ul role="listbox" aria-label=${label} ref=${list}>${found.map((each, index) => html`
                <li key=${each.id} role="option" aria-selected=${index === chosen} onMouseDown=${held(() => onTake(each.id))}>
                    ${each.title ?? each.id} <span class="quiet">${each.title !== null && each.id}</span></li>`)}
                ${found.length === 0 && html`<li class="quiet">nothing found</li>`}
                ${hasMore && html`<li class="object-search-more" onMouseDown=${held(() => void ask(found.length, undefined))}>more</li>`}
            </ul>
            ${mayBeNull && html`<button onMouseDown=${held(() => onTake(null))}>No object</button>`}
        </div>`;
}

/** Chooses where a to-one relationship leads. */
export function LinkEditor({ store, record, column, edits, onEditing, value }) {
    const take = async id => {
        await edits.set(record.id, column.name, id);
        onEditing("");
    };
    return html`<${ObjectSearch} store=${store} object=${record.id} name=${column.name} label=${column.destination}
        onTake=${take} onClose=${() => onEditing("")} mayBeNull=${value !== null} />`;
}

/** Lists the members of a to-many relationship: the first ones, and more on demand. */
export function Members({ store, record, column, value, edits, mayEdit, editing, onEditing }) {
    const first = value.members.length;
    const [limit, setLimit] = useState(first);
    const { answer, error } = useAnswer(async signal => {
        const count = Math.min(limit, value.count) - first;
        if (count <= 0) return [];
        return (await get(`${objectPath(store, record.id)}/${encodeURIComponent(column.name)}?from=${first}&count=${count}`, { signal })).members;
    }, [record, limit]);
    const more = answer ?? [];
    const shown = /** @type {Link[]} */([...value.members, ...more]);
    const next = Math.min(100, value.count - shown.length, mostMembers - more.length);

    const unlink = member =>
        edits.perform([{ kind: "unlink", object: record.id, key: column.name, member }]);
    const link = async member => {
        if (member !== null) await edits.perform([{ kind: "link", object: record.id, key: column.name, member }]);
        onEditing("");
    };
    const isMovable = mayEdit && column.isOrdered && value.count > 1;
    const move = (member, position) => {
        if (position < 0 || position >= value.count) return;
        void edits.perform([{ kind: "link", object: record.id, key: column.name, member, position }], `Move ${member} in ${column.name}`);
    };
    const pressed = (event, member, index) => {
        const step = isMovable && event.altKey ? stepOf(event) : 0;
        if (step === 0) return;
        event.preventDefault();
        event.stopPropagation();
        move(member, index + step);
    };
    const name = each => each.title ?? each.id;
    return html`
        <div class="record-members"><span class="quiet">${value.count === 1 ? "1 object" : `${value.count.toLocaleString("en-US")} objects`}</span>
            <ul>${shown.map((each, index) => html`<li key=${each.id} onKeyDown=${event => pressed(event, each.id, index)}>
                ${column.isOrdered && html`<span class="record-position note">${index + 1}</span>`}
                <${ObjectLink} store=${store} link=${each} />
                ${isMovable && html`<${IconButton} title="Move up" keys="Alt+ArrowUp" label=${`Move ${name(each)} up`} disabled=${index === 0}
                        onClick=${() => move(each.id, index - 1)}>↑<//>
                    <${IconButton} title="Move down" keys="Alt+ArrowDown" label=${`Move ${name(each)} down`}
                        disabled=${index === value.count - 1} onClick=${() => move(each.id, index + 1)}>↓<//>`}
                ${mayEdit && html`<${IconButton} name="close" title="Take out" label=${`Take ${name(each)} out`}
                    onClick=${() => unlink(each.id)} />`}</li>`)}</ul>
            ${error !== "" && html`<p class="field-problem">${error}</p>`}
            ${next > 0 && html`<button class="plain" onClick=${() => setLimit(shown.length + next)}>${`${next} more`}</button>`}
            ${mayEdit && (editing === column.name
                ? html`<${ObjectSearch} store=${store} object=${record.id} name=${column.name} label=${column.destination}
                    onTake=${link} onClose=${() => onEditing("")} mayBeNull=${false} />`
                : html`<button class="plain" onClick=${() => onEditing(column.name)}>Add…</button>`)}
        </div>`;
}

// Relationships in the record: the members of a to-many, and the search for objects that a relationship leads to.
import { html, useEffect, useRef, useState } from "../lib/preact.js";
import { get, pathOf } from "../api.js";
import { Icon } from "../shell/icons.js";
import { notifyError } from "../shell/notices.js";

/** @typedef {{id: string, title: string|null}} Link */

/** @param {string} store @param {string} id */
export const objectPath = (store, id) => pathOf("stores", store, "objects", ...id.split("/"));

const pageSize = 20;
const mostMembers = 500;

/** @param {{link: Link, onFollow: (id: string) => void}} props */
export function LinkButton({ link, onFollow }) {
    return html`<button type="button" class="record-link" title=${link.id} onClick=${() => onFollow(link.id)}>
        ${link.title ?? link.id}<span class="quiet">${link.title !== null && link.id}</span></button>`;
}

/**
 * Finds an object by a part of its title.
 * @param {{store: string, object: string, name: string, label: string, onTake: (id: string|null) => void, onClose: () => void, mayBeNull: boolean}} props
 */
function ObjectSearch({ store, object, name, label, onTake, onClose, mayBeNull }) {
    const [text, setText] = useState("");
    const [found, setFound] = useState(/** @type {Link[]} */([]));
    const [hasMore, setMore] = useState(false);
    const [chosen, setChosen] = useState(0);
    const field = useRef(/** @type {HTMLInputElement|null} */(null));
    const list = useRef(/** @type {HTMLElement|null} */(null));
    useEffect(() => field.current?.focus(), []);
    useEffect(() => list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }), [chosen]);
    const ask = (/** @type {number} */ from, /** @type {AbortSignal|undefined} */ signal) => get(
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
    const pressed = (/** @type {KeyboardEvent} */ event) => {
        event.stopPropagation();
        const move = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
        if (move !== 0) {
            setChosen(Math.max(0, Math.min(found.length - 1, chosen + move)));
            if (hasMore && chosen + move >= found.length - 1) void ask(found.length, undefined);
        } else if (event.key === "Enter" && found[chosen]) onTake(found[chosen].id);
        else if (event.key === "Escape") onClose();
        else return;
        event.preventDefault();
    };
    const held = (/** @type {() => void} */ run) => (/** @type {Event} */ event) => {
        event.preventDefault();
        run();
    };
    return html`
        <div class="object-search" onFocusOut=${(/** @type {FocusEvent} */ event) => {
            const inside = event.relatedTarget instanceof Node && /** @type {HTMLElement} */(event.currentTarget).contains(event.relatedTarget);
            if (!inside) onClose();
        }}>
            <input ref=${field} type="search" placeholder=${`Find ${label}`} aria-label=${`Find ${label}`} value=${text}
                onInput=${(/** @type {any} */ event) => setText(event.target.value)} onKeyDown=${pressed} />
            <ul role="listbox" aria-label=${label} ref=${list}>${found.map((each, index) => html`
                <li key=${each.id} role="option" aria-selected=${index === chosen} onMouseDown=${held(() => onTake(each.id))}>
                    ${each.title ?? each.id} <span class="quiet">${each.title !== null && each.id}</span></li>`)}
                ${found.length === 0 && html`<li class="quiet">nothing found</li>`}
                ${hasMore && html`<li class="object-search-more" onMouseDown=${held(() => void ask(found.length, undefined))}>more</li>`}
            </ul>
            ${mayBeNull && html`<button type="button" onMouseDown=${held(() => onTake(null))}>No object</button>`}
        </div>`;
}

/** Chooses where a to-one relationship leads. @param {any} props */
export function LinkEditor({ store, record, column, edits, onEditing, value }) {
    const take = async (/** @type {string|null} */ id) => {
        await edits.perform([{ kind: "set", object: record.id, key: column.name, value: id }]);
        onEditing("");
    };
    return html`<${ObjectSearch} store=${store} object=${record.id} name=${column.name} label=${column.destination}
        onTake=${take} onClose=${() => onEditing("")} mayBeNull=${value !== null} />`;
}

/** Lists the members of a to-many relationship: the first ones, and more on demand. @param {any} props */
export function Members({ store, record, column, value, edits, mayEdit, editing, onEditing, onFollow }) {
    const first = value.members.length;
    const [limit, setLimit] = useState(first);
    const [more, setMore] = useState(/** @type {Link[]} */([]));
    useEffect(() => {
        const wanted = new AbortController();
        const count = Math.min(limit, value.count) - first;
        if (count <= 0) setMore([]);
        else {
            get(`${objectPath(store, record.id)}/${encodeURIComponent(column.name)}?from=${first}&count=${count}`, { signal: wanted.signal })
                .then(answer => setMore(answer.members), notifyError);
        }
        return () => wanted.abort();
    }, [record, limit]);
    const shown = /** @type {Link[]} */([...value.members, ...more]);
    const next = Math.min(100, value.count - shown.length, mostMembers - more.length);

    const unlink = (/** @type {string} */ member) =>
        edits.perform([{ kind: "unlink", object: record.id, key: column.name, member }]);
    const link = async (/** @type {string|null} */ member) => {
        if (member !== null) await edits.perform([{ kind: "link", object: record.id, key: column.name, member }]);
        onEditing("");
    };
    const isMovable = mayEdit && column.isOrdered && value.count > 1;
    const move = (/** @type {string} */ member, /** @type {number} */ position) => {
        if (position < 0 || position >= value.count) return;
        void edits.perform([{ kind: "link", object: record.id, key: column.name, member, position }], `Move ${member} in ${column.name}`);
    };
    const pressed = (/** @type {KeyboardEvent} */ event, /** @type {string} */ member, /** @type {number} */ index) => {
        const step = !isMovable || !event.altKey ? 0 : event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
        if (step === 0) return;
        event.preventDefault();
        event.stopPropagation();
        move(member, index + step);
    };
    const name = (/** @type {Link} */ each) => each.title ?? each.id;
    return html`
        <div class="record-members"><span class="quiet">${value.count === 1 ? "1 object" : `${value.count.toLocaleString("en-US")} objects`}</span>
            <ul>${shown.map((each, index) => html`<li key=${each.id} onKeyDown=${(/** @type {KeyboardEvent} */ event) => pressed(event, each.id, index)}>
                ${column.isOrdered && html`<span class="record-position">${index + 1}</span>`}
                <${LinkButton} link=${each} onFollow=${onFollow} />
                ${isMovable && html`<button type="button" class="icon-button" title="Move up (Alt+↑)" aria-label=${`Move ${name(each)} up`}
                        disabled=${index === 0} onClick=${() => move(each.id, index - 1)}>↑</button>
                    <button type="button" class="icon-button" title="Move down (Alt+↓)" aria-label=${`Move ${name(each)} down`}
                        disabled=${index === value.count - 1} onClick=${() => move(each.id, index + 1)}>↓</button>`}
                ${mayEdit && html`<button type="button" class="icon-button" title="Take out" aria-label=${`Take ${name(each)} out`}
                    onClick=${() => unlink(each.id)}><${Icon} name="close" /></button>`}</li>`)}</ul>
            ${next > 0 && html`<button type="button" class="plain" onClick=${() => setLimit(shown.length + next)}>${`${next} more`}</button>`}
            ${mayEdit && (editing === column.name
                ? html`<${ObjectSearch} store=${store} object=${record.id} name=${column.name} label=${column.destination}
                    onTake=${link} onClose=${() => onEditing("")} mayBeNull=${false} />`
                : html`<button type="button" class="plain" onClick=${() => onEditing(column.name)}>Add…</button>`)}
        </div>`;
}

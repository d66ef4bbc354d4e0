// The form that relates two entities: both sides of the pair, to-one or to-many, what deleting does.
import { html, useEffect, useRef, useState } from "../lib/preact.js";
import { freeName } from "../model/elements.js";
import { Dialog } from "../shell/dialogs.js";

/** @import { ModelClient, ModelState } from "../model/client.js" */

/** @typedef {{name: string|null, toMany: boolean, optional: boolean, deleteRule: string}} Side name: null until one is typed */

const rules = ["nullify", "cascade", "deny", "no action"];

/** The name of a relationship to an entity. @param {string} name @param {boolean} isToMany */
function nameTo(name, isToMany) {
    const one = name.slice(0, 1).toLowerCase() + name.slice(1);
    if (!isToMany) return one;
    return /[^aeiou]y$/.test(one) ? one.slice(0, -1) + "ies" : one + (/(s|x|z|ch|sh)$/.test(one) ? "es" : "s");
}

/** @param {string} name @param {Set<string>} taken */
const free = (name, taken) => taken.has(name) ? freeName(name, each => taken.has(each)) : name;

/**
 * @param {{
 *   client: ModelClient, state: ModelState,
 *   connection: import("./page.js").Connection, onClose: () => void
 * }} props
 */
export function ConnectForm({ client, state, connection, onClose }) {
    const { from, to } = connection;
    const all = [...state.elements.values()];
    const entities = new Set(all.filter(each => each.kind === "entity").map(each => each.name));
    const [entity, setEntity] = useState(() => to?.name ?? free("Entity", entities));
    const taken = id => new Set(all.filter(each => each.owner === id).map(each => each.name));
    const other = to?.name ?? entity;
    const [sides, setSides] = useState(/** @type {[Side, Side]} */([
        { name: null, toMany: true, optional: true, deleteRule: "nullify" },
        { name: null, toMany: false, optional: true, deleteRule: "nullify" },
    ]));
    const there = sides[0].name ?? free(nameTo(other, sides[0].toMany), taken(from.id));
    const back = sides[1].name ?? free(nameTo(from.name, sides[1].toMany), new Set([...taken(to?.id), to === from ? there : ""]));
    const [refusal, setRefusal] = useState("");
    const first = useRef(null);
    useEffect(() => first.current?.select(), []);

    const change = (index, fields) => {
        setRefusal("");
        setSides(/** @type {any} */(sides.map((side, number) => number === index ? { ...side, ...fields } : side)));
    };
    const end = (address, name, side) => ({
        entity: address, name: name.trim(),
        set: { toMany: side.toMany, optional: side.optional, deleteRule: side.deleteRule },
    });
    const submit = async event => {
        event.preventDefault();
        const connect = { command: "connect", from: end(from.id, there, sides[0]), to: end(to?.id ?? entity.trim(), back, sides[1]) };
        const added = [
            { command: "add", element: { kind: "entity", name: entity.trim() } },
            { command: "place", places: [{ entity: entity.trim(), x: connection.x, y: connection.y }] },
        ];
        try {
            await client.perform(to === null ? [...added, connect] : [connect], { quietly: true });
            onClose();
        } catch (error) {
            setRefusal(error instanceof Error ? error.message : String(error));
        }
    };
    return html`
        <${Dialog} title=${to === null ? `New entity related to ${from.name}` : `Relate ${from.name} and ${to.name}`}
            className="connect" onClose=${onClose}>
            <form onSubmit=${submit}>
                ${to === null && html`<label class="connect-name">Name of the entity<input type="text" required value=${entity} ref=${first}
                    spellcheck=${false} onInput=${event => setEntity(event.target.value)} /></label>`}
                <div class="connect-sides">${[from.name, other].map((name, index) => html`
                    <${SideFields} key=${index} owner=${name} other=${index === 0 ? other : from.name} side=${sides[index]}
                        name=${[there, back][index]} input=${to !== null && index === 0 ? first : undefined}
                        onChange=${fields => change(index, fields)} />`)}</div>
                ${refusal !== "" && html`<p class="field-problem" role="alert">${refusal}</p>`}
                <div class="dialog-buttons">
                    <button type="button" onClick=${onClose}>Cancel</button>
                    <button type="submit" class="main">Relate</button>
                </div>
            </form>
        <//>`;
}

/** @param {{owner: string, other: string, side: Side, name: string, input?: any, onChange: (fields: Partial<Side>) => void}} props */
const SideFields = ({ owner, other, side, name, input, onChange }) => html`
    <fieldset><legend>${owner} has</legend>
        <label>Name<input type="text" required value=${name} ref=${input} spellcheck=${false} aria-label=${`Relationship of ${owner}`}
            onInput=${event => onChange({ name: event.target.value })} /></label>
        <div class="segments" role="group" aria-label=${`Number of ${other}`}>
            ${[false, true].map(toMany => html`<button type="button" aria-pressed=${side.toMany === toMany}
                onClick=${() => onChange({ toMany })}>${toMany ? `many ${other}` : `one ${other}`}</button>`)}</div>
        <label class="check"><input type="checkbox" checked=${side.optional}
            onChange=${event => onChange({ optional: event.target.checked })} /> may be empty</label>
        <label>When one is deleted<select value=${side.deleteRule}
            onChange=${event => onChange({ deleteRule: event.target.value })}>
            ${rules.map(rule => html`<option value=${rule}>${rule}</option>`)}</select></label>
    </fieldset>`;

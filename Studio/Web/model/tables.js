// The middle of the page for an entity or a composite: its members in tables that are edited in place.
import { html, useState } from "../lib/preact.js";
import { add, duplicate, moveBy, removeAll, set } from "./actions.js";
import { Grid } from "./grid.js";
import {
    ancestorsOf, facetOf, kinds, memberKindsOf, membersOf, problemOfName, problemsOf, referencesOf, textOf, valueOf,
} from "./elements.js";

/** @import { Kind, ModelClient, ModelElement, ModelState } from "./client.js" */
/** @import { Column, Row } from "./grid.js" */

/** The columns by kind of member. @type {Partial<Record<Kind, {key: string, title: string, kind: Column["kind"]}[]>>} */
const columns = {
    attribute: [
        { key: "name", title: "Name", kind: "text" }, { key: "type", title: "Type", kind: "choice" },
        { key: "optional", title: "Optional", kind: "flag" }, { key: "default", title: "Default", kind: "text" },
    ],
    relationship: [
        { key: "name", title: "Name", kind: "text" }, { key: "destination", title: "Destination", kind: "choice" },
        { key: "inverse", title: "Inverse", kind: "choice" }, { key: "toMany", title: "To-many", kind: "flag" },
        { key: "optional", title: "Optional", kind: "flag" }, { key: "deleteRule", title: "On delete", kind: "choice" },
    ],
    fetchedProperty: [
        { key: "name", title: "Name", kind: "text" }, { key: "entity", title: "Fetches", kind: "choice" },
        { key: "predicate", title: "Where", kind: "text" },
    ],
    index: [
        { key: "name", title: "Name", kind: "text" }, { key: "elements", title: "Of", kind: "text" },
        { key: "predicate", title: "Where", kind: "text" },
    ],
};

/** @param {{client: ModelClient, state: ModelState, owner: ModelElement, selection: number[], onSelect: (ids: number[]) => void, onFollow: (element: ModelElement) => void, onOpen: (name: string) => void}} props */
export function MemberTables(props) {
    const { state, owner } = props;
    return html`<div class="tables">
        ${memberKindsOf(owner).map(kind => html`<${MemberTable} key=${kind} kind=${kind} ...${props} />`)}
        ${owner.kind === "entity" && html`<${ConstraintTable} client=${props.client} state=${state} owner=${owner} />`}
    </div>`;
}

/** @param {ModelState} state @param {ModelElement} element @param {string} [from] @returns {Row} */
function rowOf(state, element, from) {
    /** @type {Record<string, any>} */
    const values = { name: element.name };
    for (const { key } of columns[element.kind] ?? []) if (key !== "name") values[key] = valueOf(state, element, key);
    const problems = problemsOf(state, element);
    const problem = problems.some(each => each.severity === "error") ? "error" : problems.length > 0 ? "warning" : undefined;
    return { key: element.id, element, values, from, problem };
}

function MemberTable({ client, state, owner, kind, selection, onSelect, onFollow, onOpen }) {
    const [added, setAdded] = useState(null);
    const own = membersOf(state, owner, kind).map(each => rowOf(state, each));
    const inherited = owner.kind !== "entity" || kind === "index" ? [] : ancestorsOf(state, owner).flatMap(each =>
        membersOf(state, each, kind).map(member => rowOf(state, member, each.name)));
    const shown = /** @type {NonNullable<(typeof columns)[Kind]>} */(columns[kind]).map(column => ({
        ...column,
        choices: row => choicesOf(state, row.element, column.key),
        ask: column.key === "predicate" ? row => client.completing(row.element) : undefined,
        applies: row => {
            const types = facetOf(state, kind, column.key)?.types;
            return types === undefined || types.includes(row.values.type) || row.values[column.key] !== null;
        },
    }));
    const addOne = async () => {
        const element = await add(client, kind, owner);
        if (element === undefined) return;
        onSelect([element.id]);
        setAdded(element.id);
    };
    const change = (row, column, value) => {
        if (column.key === "name") return client.perform({ command: "rename", element: row.element.id, to: value });
        return set(client, [row.element], column.key, typed(column, value, row));
    };
    const elements = rows => rows.map(row => row.element);
    const title = kinds[kind].plural;
    return html`
        <section class="table-section" aria-label=${title}>
            <h3>${title} <span class="quiet">${own.length + inherited.length || ""}</span></h3>
            <${Grid} label=${`${title} of ${owner.name}`} columns=${shown} rows=${[...own, ...inherited]} selection=${selection}
                onSelect=${onSelect} onChange=${change} isReadOnly=${state.isReadOnly} editing=${added}
                check=${(row, column, text) =>
                    column.key === "name" ? problemOfName(state, row.element, text) : undefined}
                onAdd=${addOne} addTitle=${`Add ${kinds[kind].title.toLowerCase()}`}
                onRemove=${rows => removeAll(client, elements(rows))}
                onDuplicate=${rows => duplicate(client, elements(rows))}
                onMove=${(row, step) => moveBy(client, row.element, step)}
                onFollow=${row => {
                    if (row.from !== undefined) return onOpen(row.from);
                    const name = row.values.destination ?? row.values.entity;
                    if (typeof name === "string") onOpen(name);
                    else onFollow(row.element);
                }} />
        </section>`;
}

/** @param {ModelState} state @param {ModelElement} element @param {string} key */
function choicesOf(state, element, key) {
    const names = referencesOf(state, element, key);
    return names === undefined ? facetOf(state, element.kind, key)?.choices ?? [] : ["", ...names];
}

/** Turns what was typed in a cell into the value of its setting. @param {Column} column @param {any} value @param {Row} row */
function typed(column, value, row) {
    if (column.key === "elements") {
        // What is more than a name, such as an expression, stays as it is unless its text is changed.
        const known = new Map(row.values.elements.map(each => [textOf(each), each]));
        return namesIn(value).map(text => known.get(text) ?? indexElement(text));
    }
    return value === "" ? null : value;
}

const namesIn = text => text.split(",").map(each => each.trim()).filter(each => each !== "");

const indexElement = text => /\s*↓$/.test(text) ? { property: text.replace(/\s*↓$/, ""), descending: true } : text;

/**
 * The uniqueness constraints, which are a setting of the entity.
 * @param {{client: ModelClient, state: ModelState, owner: ModelElement}} props
 */
function ConstraintTable({ client, state, owner }) {
    const [selection, setSelection] = useState(/** @type {(number|string)[]} */([]));
    // A constraint without properties cannot be saved: a new one is only a row here until what was typed is in the model.
    const [added, setAdded] = useState(/** @type {{key: string, text?: string}|null} */(null));
    /** @type {string[][]} */
    const constraints = valueOf(state, owner, "constraints");
    const rows = constraints.map((names, index) => ({ key: `constraint ${index}`, element: owner, values: { name: textOf(names) } }));
    const next = `constraint ${constraints.length}`;
    const shown = added?.key === next ? [...rows, { key: next, element: owner, values: { name: added.text ?? "" } }] : rows;
    const change = async (row, _, text) => {
        const index = Number(String(row.key).split(" ")[1]);
        const names = namesIn(text);
        const changed = [...constraints];
        if (names.length === 0) changed.splice(index, 1);
        else changed[index] = names;
        setAdded(each => each === null ? null : { ...each, text });
        const answer = await set(client, [owner], "constraints", changed);
        setAdded(null);
        return answer;
    };
    const end = () => setAdded(each => each?.text === undefined ? null : each);
    const remove = gone => set(client, [owner], "constraints",
        constraints.filter((_, index) => !gone.some(row => row.key === `constraint ${index}`)));
    return html`
        <section class="table-section" aria-label="Uniqueness constraints">
            <h3>Uniqueness constraints <span class="quiet">${rows.length || ""}</span></h3>
            <${Grid} label=${`Uniqueness constraints of ${owner.name}`} columns=${[{ key: "name", title: "Properties, separated by commas", kind: "text" }]}
                rows=${shown} selection=${selection} onSelect=${setSelection} onChange=${change} onRemove=${remove}
                editing=${added?.key} isReadOnly=${state.isReadOnly} addTitle="Add constraint"
                onAdd=${() => setAdded({ key: next })} onEnd=${end} />
        </section>`;
}

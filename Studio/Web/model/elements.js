// What can be read off the elements of a model: settings, owners, members, inheritance.

/** @import { Facet, Kind, ModelElement, ModelState } from "./client.js" */

/** @type {Record<Kind, {title: string, plural: string, icon: string}>} */
export const kinds = {
    model: { title: "Model", plural: "Models", icon: "model" },
    entity: { title: "Entity", plural: "Entities", icon: "entity" },
    attribute: { title: "Attribute", plural: "Attributes", icon: "attribute" },
    relationship: { title: "Relationship", plural: "Relationships", icon: "relationship" },
    fetchedProperty: { title: "Fetched property", plural: "Fetched properties", icon: "search" },
    index: { title: "Index", plural: "Indexes", icon: "filter" },
    configuration: { title: "Configuration", plural: "Configurations", icon: "configuration" },
    composite: { title: "Composite", plural: "Composites", icon: "composite" },
    fetchRequest: { title: "Fetch request", plural: "Fetch requests", icon: "search" },
};

/** @param {ModelState} state @param {Kind} kind @param {string} name @returns {Facet|undefined} */
export const facetOf = (state, kind, name) => state.facets[kind].find(facet => facet.name === name);

/** Returns the value of a setting. @param {ModelState} state @param {ModelElement} element @param {string} name */
export const valueOf = (state, element, name) =>
    name in element.facets ? element.facets[name] : facetOf(state, element.kind, name)?.default;

/**
 * Returns the members of a kind, in their order.
 * @param {ModelState} state
 * @param {ModelElement} owner
 * @param {Kind} kind
 * @returns {ModelElement[]}
 */
export const membersOf = (state, owner, kind) =>
    (owner.members?.[kind] ?? []).map(id => state.elements.get(id)).filter(each => each !== undefined);

/** @param {ModelState} state @param {ModelElement} element @returns {ModelElement|undefined} */
export const ownerOf = (state, element) => state.elements.get(element.owner ?? -1);

/** Returns the kinds of members that an element can have. @param {ModelElement} owner @returns {Kind[]} */
export function memberKindsOf(owner) {
    if (owner.kind === "entity") return ["attribute", "relationship", "fetchedProperty", "index"];
    return owner.kind === "composite" ? ["attribute"] : [];
}

/** @param {ModelState} state @returns {ModelElement} */
export const rootOf = state => /** @type {ModelElement} */(state.elements.get(state.model));

/** @param {ModelState} state @param {Kind} kind */
export const topOf = (state, kind) => membersOf(state, rootOf(state), kind);

/** @param {ModelState} state @param {string|null|undefined} name */
export const entityNamed = (state, name) => topOf(state, "entity").find(each => each.name === name);

/** Returns the ancestors of an entity, the parent first. @param {ModelState} state @param {ModelElement} entity */
export function ancestorsOf(state, entity) {
    /** @type {ModelElement[]} */
    const found = [];
    let parent = entityNamed(state, valueOf(state, entity, "parent"));
    while (parent !== undefined && parent !== entity && !found.includes(parent)) {
        found.push(parent);
        parent = entityNamed(state, valueOf(state, parent, "parent"));
    }
    return found;
}

/**
 * Returns the properties of a kind that an entity has, its own and those of its ancestors.
 * @param {ModelState} state
 * @param {ModelElement|undefined} entity
 * @param {Kind[]} wanted
 */
export const propertiesOf = (state, entity, ...wanted) => entity === undefined ? []
    : [entity, ...ancestorsOf(state, entity)].flatMap(each => wanted.flatMap(kind => membersOf(state, each, kind)));

/** Returns the names of entities, sorted. @param {ModelState} state */
export const entityNames = state => topOf(state, "entity").map(each => each.name).sort();

/**
 * Returns the names that a setting can have, if it names an element; undefined if it is free.
 * @param {ModelState} state @param {ModelElement} element @param {string} facet
 * @returns {string[]|undefined}
 */
export function referencesOf(state, element, facet) {
    switch (facet) {
        case "parent": {
            const below = topOf(state, "entity").filter(each =>
                each === element || ancestorsOf(state, each).includes(element));
            return entityNames(state).filter(name => !below.some(each => each.name === name));
        }
        case "destination":
        case "entity": return entityNames(state);
        case "inverse": {
            const destination = entityNamed(state, valueOf(state, element, "destination"));
            const owner = ownerOf(state, element);
            const family = owner === undefined ? [] : [owner, ...ancestorsOf(state, owner)].map(each => each.name);
            return propertiesOf(state, destination, "relationship")
                .filter(each => each.id !== element.id || valueOf(state, each, "destination") === owner?.name)
                .filter(each => family.includes(valueOf(state, each, "destination")))
                .map(each => each.name);
        }
        case "composite": return topOf(state, "composite").map(each => each.name);
        default: return undefined;
    }
}

/** Whether a setting means something for an element. @param {ModelState} state @param {ModelElement} element @param {Facet} facet */
export const appliesTo = (state, element, facet) => facet.types === undefined
    || facet.types.includes(valueOf(state, element, "type")) || facet.name in element.facets;

/** Returns a name that is not taken, of a stem and a number. @param {string} stem @param {(name: string) => boolean} isTaken @param {number} [first] */
export function freeName(stem, isTaken, first = 1) {
    let number = first;
    while (isTaken(stem + number)) number += 1;
    return stem + number;
}

const identifierKinds = ["entity", "attribute", "relationship", "fetchedProperty", "composite"];

/**
 * Returns what is wrong with a name before it is sent; undefined if nothing is.
 * @param {ModelState} state
 * @param {ModelElement} element
 * @param {string} name
 */
export function problemOfName(state, element, name) {
    if (name === "") return "a name is missing";
    if (identifierKinds.includes(element.kind) && !/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)) {
        return /^\p{N}/u.test(name) ? "a name begins with a letter" : "a name has letters, digits and underscores only";
    }
    const owner = ownerOf(state, element);
    if (owner === undefined) return undefined;
    const properties = /** @type {Kind[]} */(["attribute", "relationship", "fetchedProperty"]);
    const namesakes = properties.includes(element.kind) ? properties : [element.kind];
    const taken = namesakes.flatMap(kind => membersOf(state, owner, kind));
    return taken.some(each => each.id !== element.id && each.name === name) ? `the name “${name}” is taken` : undefined;
}

/** Returns the problems of an element. @param {ModelState} state @param {ModelElement} element */
export const problemsOf = (state, element) => state.diagnostics.filter(each => each.element === element.id);

/** Writes a value for a cell or a list. @param {any} value @returns {string} */
export function textOf(value) {
    if (value === null || value === undefined) return "";
    if (value === true) return "yes";
    if (value === false) return "";
    if (Array.isArray(value)) return value.map(textOf).join(", ");
    if (typeof value === "object") {
        const word = value.property ?? value.expression;
        if (word !== undefined) return word + (value.descending ? " ↓" : "");
        return Object.entries(value).map(([key, each]) => `${key}: ${each}`).join(", ");
    }
    return String(value);
}

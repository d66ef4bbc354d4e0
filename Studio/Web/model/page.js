// The page of a model: outline, tables of what is selected, inspector; the graph in their place when it is chosen.
import { html, useEffect, useMemo, useState } from "../lib/preact.js";
import { useObservable } from "../observable.js";
import { Graph } from "../graph/page.js";
import { navigate, urlOf } from "../router.js";
import { openPanel, useFrame } from "../shell/frame.js";
import { Icon } from "../shell/icons.js";
import { notifyError } from "../shell/notices.js";
import { add, duplicate, removeAll } from "./actions.js";
import { Banners } from "./banners.js";
import { ModelClient } from "./client.js";
import { useClipboard } from "./clipboard.js";
import { entityNamed, kinds, memberKindsOf, membersOf, rootOf, topOf } from "./elements.js";
import { EntityMembers } from "./entities.js";
import { Inspector } from "./inspector.js";
import { Outline } from "./outline.js";
import { panelsOf } from "./panels.js";
import { useSelection } from "./selection.js";
import { NewVersion, VersionHead } from "./versions.js";

/** @import { ModelElement, ModelState } from "./client.js" */
/** @import { Route } from "../router.js" */

/** @param {{route: Route, document: import("../shell/documents.js").StudioDocument}} props */
export function Page({ route, document }) {
    const client = useMemo(() => new ModelClient(document.id), [document.id]);
    const state = useObservable(client.state);
    useEffect(() => client.follow(), [client]);
    useEffect(() => {
        client.show(route.query.version).catch(notifyError);
    }, [client, route.query.version]);
    if (state === null) return html`<${Loading} name=${document.name} />`;
    return html`<${ModelPage} client=${client} state=${state} route=${route} />`;
}

/** @param {{name: string}} props */
function Loading({ name }) {
    useFrame({ breadcrumb: [{ title: name }] });
    return html`<div class="page" aria-busy="true"></div>`;
}

/** @param {{client: ModelClient, state: ModelState, route: Route}} props */
function ModelPage({ client, state, route }) {
    const selection = useSelection(client, state, route);
    const { owners, members } = selection;
    const [problem, setProblem] = useState(-1);
    const [isFlat, setFlat] = useState(false);
    const [isAskingVersion, setAskingVersion] = useState(false);
    const isSaving = useObservable(client.isSaving);
    const isGraph = route.rest[0] === "graph";
    const isVersion = owners.length === 0;

    const addOne = async kind => {
        const element = await add(client, kind, undefined);
        if (element !== undefined) selection.show([element.id], [], { editsName: true, staysInView: isGraph && kind === "entity" });
    };
    const addMember = async (kind, owner) => {
        const element = await add(client, kind, owner);
        if (element !== undefined) selection.show([owner.id], [element.id], { editsName: true });
    };
    const showProblem = index => {
        const found = state.diagnostics[index];
        if (found === undefined) return;
        setProblem(index);
        const element = state.elements.get(found.element ?? -1);
        if (element === undefined || element.owner === null) return selection.show([], []);
        if (element.owner === state.model) return selection.show([element.id], []);
        selection.show([element.owner], [element.id]);
    };
    const walk = step => {
        const count = state.diagnostics.length;
        if (count === 0) return;
        openPanel.set("problems");
        showProblem(problem < 0 && step < 0 ? count - 1 : (problem + step + count) % count);
    };
    const open = name => {
        const entity = entityNamed(state, name);
        if (entity !== undefined) selection.show([entity.id], []);
    };
    const showVersion = name => navigate(urlOf(["models", client.id, "versions"], { version: name }));
    const chosen = members.length > 0 ? members : owners;
    useClipboard(client, state, chosen, owners[0]);
    const mayEdit = !state.isReadOnly;
    const viewUrl = view => urlOf(["models", client.id, view], { version: client.version });
    useFrame({
        breadcrumb: breadcrumbOf(client, state, owners, members),
        actions: [
            { title: "Tables", icon: "table", isPressed: !isGraph, run: () => selection.showAgain() },
            { title: "Graph", icon: "graph", isPressed: isGraph, run: () => navigate(viewUrl("graph")) },
            { title: "Add entity", icon: "plus", keys: "Alt+N", isEnabled: mayEdit, run: () => addOne("entity") },
            ...(mayEdit ? ["fetchRequest", "configuration", "composite"] : []).map(kind =>
                ({ title: `Add ${kinds[kind].title.toLowerCase()}`, run: () => void addOne(kind) })),
            ...(mayEdit && owners.length === 1 ? memberKindsOf(owners[0]) : []).map(kind =>
                ({ title: `Add ${kinds[kind].title.toLowerCase()}`, run: () => void addMember(kind, owners[0]) })),
            ...(mayEdit && state.isVersioned ? [{ title: "Add version", run: () => setAskingVersion(true) }] : []),
            { title: isFlat ? "Outline by inheritance" : "Outline by name", run: () => setFlat(!isFlat) },
            ...(mayEdit ? [{ title: "Read the file again, and take edits back", run: () => client.request("reload") }] : []),
            ...["changes", "migration", "classes", "xml"].map(panel => ({ title: `Show ${panel}`, run: () => openPanel.set(panel) })),
        ],
        keys: [
            { keys: "Alt+N", title: "New entity", run: () => void (mayEdit && addOne("entity")), inFields: true },
            { keys: "Ctrl+F", title: "Filter the outline", run: focusFilter, inFields: true },
            { keys: "F8", title: "Next problem", run: () => walk(1), inFields: true },
            { keys: "Shift+F8", title: "Previous problem", run: () => walk(-1), inFields: true },
            { keys: "Enter", title: "Edit the cell (also F2, or by typing)" }, { keys: "Insert", title: "New row" },
            { keys: "Delete", title: "Delete" }, { keys: "Ctrl+D", title: "Duplicate" },
            { keys: "Alt+ArrowUp", title: "Move up (Alt+↓ down)" }, { keys: "Ctrl+Enter", title: "Go to the destination" },
            { keys: "Ctrl+C", title: "Copy elements (Ctrl+X cuts, Ctrl+V pastes)" },
        ],
        search: text => found(client, state, text),
        status: {
            undo: state.undo === null || !mayEdit ? null : { title: state.undo, run: () => client.undo() },
            redo: state.redo === null || !mayEdit ? null : { title: state.redo, run: () => client.redo() },
            save: mayEdit ? { count: state.unsaved.length, run: () => client.save(), isBusy: isSaving } : undefined,
            text: mayEdit ? undefined : "read only",
            panels: panelsOf(client, state, { problem, showProblem, entity: owners[0]?.kind === "entity" ? owners[0].name : undefined }),
        },
    });
    const inspected = isVersion ? [rootOf(state)] : chosen;
    return html`<div class="model-page">
        <${Banners} client=${client} state=${state} />
        <div class="model-columns">
            <${Outline} state=${state} selected=${owners.map(each => each.id)} isFlat=${isFlat} isVersionsShown=${isVersion}
                onSelect=${ids => selection.show(ids, [])} onAdd=${addOne} onAddVersion=${() => setAskingVersion(true)}
                onVersion=${showVersion}
                onRemove=${all => removeAll(client, all)} onDuplicate=${all => duplicate(client, all)} />
            ${isGraph ? html`<${Graph} client=${client} state=${state} selected=${owners.map(each => each.id)}
                    onSelect=${(ids, inner = []) => selection.show(ids, inner, { staysInView: true })} />`
                : html`<main class="middle">${isVersion ? html`<${VersionOverview} state=${state} onOpen=${open} onAdd=${() => addOne("entity")} />`
                    : owners.map(owner => html`<${EntityMembers} key=${owner.id} client=${client} state=${state} owner=${owner}
                        isOnly=${owners.length === 1} selection=${members.map(each => each.id)} onOpen=${open}
                        onSelect=${ids => selection.show(owners.map(each => each.id), ids)} />`)}</main>`}
            <div class="side">${isVersion && html`<${VersionHead} client=${client} state=${state} />`}
                <${Inspector} client=${client} state=${state} elements=${inspected} /></div>
        </div>
        ${isAskingVersion && html`<${NewVersion} client=${client} state=${state} onClose=${() => setAskingVersion(false)} onDone=${showVersion} />`}
    </div>`;
}

function focusFilter() {
    const field = document.getElementById("model-filter");
    if (field instanceof HTMLInputElement) field.select();
}

/** @param {ModelClient} client @param {ModelState} state @param {ModelElement[]} owners @param {ModelElement[]} members */
function breadcrumbOf(client, state, owners, members) {
    const query = { version: client.version };
    const url = urlOf(["models", client.id, "versions"], query);
    const parts = [{ title: state.name, url }];
    if (state.versions.length > 1) parts.push({ title: state.version, url });
    if (owners.length === 1) parts.push({ title: owners[0].name, url: urlOf(["models", client.id, owners[0].kind, owners[0].name], query) });
    if (owners.length > 1) parts.push({ title: `${owners.length} elements`, url: "" });
    if (members.length === 1) parts.push({ title: members[0].name, url: "" });
    return parts.map((part, index) => index === parts.length - 1 ? { title: part.title } : part);
}

/** Finds elements by a part of their name. @param {ModelClient} client @param {ModelState} state @param {string} text */
function found(client, state, text) {
    const wanted = text.toLowerCase();
    const all = [...state.elements.values()].filter(each => each.owner !== null && each.path.toLowerCase().includes(wanted));
    return all.slice(0, 50).map(each => {
        const owner = state.elements.get(each.owner ?? -1);
        const isTop = each.owner === state.model || owner === undefined;
        const parts = isTop ? [each.kind, each.name] : [owner.kind, owner.name, each.kind, each.name];
        return { title: each.name, detail: isTop ? kinds[each.kind].title : `${kinds[each.kind].title} of ${owner.name}`,
            icon: kinds[each.kind].icon, url: urlOf(["models", client.id, ...parts], { version: client.version }) };
    });
}

/** What a version has, when nothing in it is selected. @param {{state: ModelState, onOpen: (name: string) => void, onAdd: () => void}} props */
const VersionOverview = ({ state, onOpen, onAdd }) => html`
    <div class="overview"><h1>${state.version}</h1>
        <p class="quiet">${state.path}</p>
        <table class="summary"><thead><tr>${["Entity", "Attributes", "Relationships", "Inherits from"].map(each => html`<th scope="col">${each}</th>`)}</tr></thead>
            <tbody>${topOf(state, "entity").map(each => html`<tr key=${each.id}>
                <td><button class="plain" onClick=${() => onOpen(each.name)}>${each.name}</button></td>
                <td>${membersOf(state, each, "attribute").length}</td><td>${membersOf(state, each, "relationship").length}</td>
                <td class="quiet">${each.facets.parent ?? ""}</td></tr>`)}</tbody></table>
        ${!state.isReadOnly && html`<button class="plain" onClick=${onAdd}><${Icon} name="plus" />Add entity</button>`}</div>`;

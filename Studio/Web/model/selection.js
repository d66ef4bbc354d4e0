// What is selected, which the address follows: elements of the model, and members of the one that is shown.
import { useEffect, useRef, useState } from "../lib/preact.js";
import { navigate, urlOf } from "../router.js";
import { membersOf, topOf } from "./elements.js";

/** @import { ModelClient, ModelState } from "./client.js" */
/** @import { Route } from "../router.js" */

/** @param {ModelClient} client @param {ModelState} state @param {Route} route */
export function useSelection(client, state, route) {
    const [ids, setIds] = useState(() => read(state, route));
    const lastUrl = useRef(route.url);
    const shown = useRef({ model: state.model });
    const present = list =>
        list.map(id => state.elements.get(id)).filter(each => each !== undefined);
    const owners = present(ids.owners);
    const members = present(ids.members).filter(each => ids.owners.includes(each.owner ?? -1));

    // Another address: by a link, by back, or by hand.
    useEffect(() => {
        if (route.url === lastUrl.current && shown.current.model === state.model) return;
        lastUrl.current = route.url;
        shown.current = { model: state.model };
        if (route.rest[0] !== "graph") setIds(read(state, route));
    }, [route.url, state.model]);

    const url = (top, inner) => {
        const parts = top.length === 0 ? ["versions"] : [top[0].kind, top[0].name];
        if (top.length === 1 && inner.length === 1) parts.push(inner[0].kind, inner[0].name);
        return urlOf(["models", client.id, ...parts], { version: client.version });
    };
    // A renamed element has another address.
    useEffect(() => {
        if (route.rest[0] === "graph" || shown.current.model !== state.model || owners.length === 0) return;
        const current = url(owners, members);
        if (current === route.url) return;
        lastUrl.current = current;
        navigate(current, { replace: true });
    }, [state.revision]);

    return {
        owners, members,
        /**
         * Selects elements of the model, and members of them.
         * @param {number[]} newOwners @param {number[]} newMembers
         * @param {{editsName?: boolean, staysInView?: boolean}} [options]
         */
        show(newOwners, newMembers, { editsName = false, staysInView = false } = {}) {
            setIds({ owners: newOwners, members: newMembers });
            if (!staysInView) {
                // The newest state: elements that were just added are selected before the page has rendered them.
                const { elements } = client.state.value ?? state;
                const all = list => list.map(id => elements.get(id)).filter(each => each !== undefined);
                const next = url(all(newOwners), all(newMembers));
                const isSameOwner = newOwners[0] === ids.owners[0] && route.rest[0] !== "graph";
                lastUrl.current = next;
                navigate(next, { replace: isSameOwner });
            }
            if (editsName) requestAnimationFrame(() => editName());
        },
        /** Shows the tables of what is selected. */
        showAgain() {
            lastUrl.current = url(owners, members);
            navigate(lastUrl.current);
        },
    };
}

/**
 * Reads the selection off an address; without one, the first entity.
 * @param {ModelState} state
 * @param {Route} route
 * @returns {{owners: number[], members: number[]}}
 */
function read(state, route) {
    const [kind, name, memberKind, memberName] = route.rest;
    if (kind === "versions") return { owners: [], members: [] };
    const owner = kind === undefined || kind === "graph" ? topOf(state, "entity")[0]
        : topOf(state, kind).find(each => each.name === name);
    if (owner === undefined) return { owners: [], members: [] };
    const member = memberName === undefined ? undefined
        : membersOf(state, owner, memberKind).find(each => each.name === memberName);
    return { owners: [owner.id], members: member === undefined ? [] : [member.id] };
}

/** Puts the cursor into the name of what was just added, all of it selected. */
function editName() {
    const field = document.querySelector('.inspector input[id^="field-name-"]');
    if (field instanceof HTMLInputElement) field.select();
}

// What is asked about versions: a name for a new one, and what may be done to the one that is shown.
import { html, useState } from "../lib/preact.js";
import { Dialog } from "../shell/dialogs.js";
import { freeName } from "./elements.js";
import { TextField } from "./fields.js";

/** @import { ModelClient, ModelState } from "./client.js" */

/** Returns a name for the next version: the last number and one more. @param {ModelState} state */
function nextName(state) {
    const match = /^(.*?)(\d+)$/.exec(state.version);
    const taken = new Set(state.versions.map(each => each.name));
    return freeName(match?.[1] ?? `${state.version} `, name => taken.has(name), match === null ? 2 : Number(match[2]) + 1);
}

/**
 * Asks for the name of a new version.
 * @param {{client: ModelClient, state: ModelState, onClose: () => void, onDone: (name: string) => void}} props
 */
export function NewVersion({ client, state, onClose, onDone }) {
    const [name, setName] = useState(() => nextName(state));
    const [isCurrent, setCurrent] = useState(true);
    const problem = problemOf(state, name);
    const done = async event => {
        event.preventDefault();
        if (problem !== undefined) return;
        const commands = [{ command: "addVersion", name, from: state.version }];
        if (isCurrent) commands.push(/** @type {any} */({ command: "setCurrentVersion", version: name }));
        onClose();
        if (await client.perform(commands) !== undefined) onDone(name);
    };
    return html`<${Dialog} title="New version" onClose=${onClose}><form class="form" onSubmit=${done}>
        <p class="quiet">A copy of ${state.version}. Renaming in it sets renaming identifiers, so that stores can be migrated.</p>
        <label>Name <input value=${name} aria-invalid=${problem !== undefined} onInput=${event => setName(event.target.value)} /></label>
        ${problem !== undefined && html`<p class="field-problem" role="alert">${problem}</p>`}
        <label><input type="checkbox" checked=${isCurrent} onChange=${event => setCurrent(event.target.checked)} /> make it the current version</label>
        <div class="dialog-buttons"><button type="button" onClick=${onClose}>Cancel</button>
            <button type="submit" class="main" disabled=${problem !== undefined}>Add version</button></div></form><//>`;
}

/** @param {ModelState} state @param {string} name @param {string} [own] */
function problemOf(state, name, own) {
    if (name.trim() === "" || name.startsWith(".") || name.includes("/")) return "no name for a folder";
    return name !== own && state.versions.some(each => each.name === name) ? "there is such a version" : undefined;
}

/** The head of the inspector of a version. @param {{client: ModelClient, state: ModelState}} props */
export function VersionHead({ client, state }) {
    const version = state.versions.find(each => each.name === state.version);
    const isLocked = state.isReadOnly || !state.isVersioned;
    return html`<section class="version-head" aria-label="Version">
        <div class="setting"><label for="version-name">Name</label><div class="setting-field">
            <${TextField} id="version-name" value=${state.version} isReadOnly=${isLocked} isInvalid=${false}
                check=${text => problemOf(state, text, state.version)}
                onChange=${async name => {
                    if (client.version !== undefined) client.version = name;
                    if (await client.perform({ command: "renameVersion", version: state.version, to: name }) !== undefined) client.show(client.version);
                }} /></div></div>
        <div class="version-buttons">
            ${version?.isCurrent ? html`<span class="chip">current version</span>` : html`
                <button type="button" disabled=${isLocked} onClick=${() => client.perform({ command: "setCurrentVersion", version: state.version })}>Make current</button>
                <button type="button" disabled=${isLocked} onClick=${async () => {
                    await client.perform({ command: "removeVersion", version: state.version });
                    client.show(undefined);
                }}>Remove version</button>`}
        </div></section>`;
}

// What a model has to tell before anything else: edits to recover, conflicts of a merge, trouble with its file.
import { html } from "../lib/preact.js";
import { Icon } from "../shell/icons.js";
import { Words } from "./panels.js";

/** @import { ModelClient, ModelState } from "./client.js" */

/** @param {{client: ModelClient, state: ModelState}} props */
export const Banners = ({ client, state }) => html`
    ${state.recovery !== null && html`
        <section class="banner warning" aria-label="Unsaved edits"><${Icon} name="history" />
            <details class="banner-text"><summary><b>Unsaved edits of ${new Date(state.recovery.date * 1000).toLocaleString()}</b>${" "}
                were left behind (${state.recovery.changes.length})</summary><${Words} lines=${state.recovery.changes} /></details>
            <button class="main" onClick=${() => client.request("recovery", { takes: true })}>Recover</button>
            <button onClick=${() => client.request("recovery", { takes: false })}>Discard</button></section>`}
    ${state.trouble !== null && html`
        <section class="banner error" role="alert"><${Icon} name="error" /><span class="banner-text">${state.trouble}</span>
            ${!state.isReadOnly && html`<button onClick=${() => client.request("reload")}>Read the file again</button>`}</section>`}
    ${state.conflicts.length > 0 && html`
        <section class="banner warning" aria-label="Conflicts" role="status"><${Icon} name="warning" />
            <details class="banner-text" open><summary><b>Another program has saved this model.</b>${" "}
                Its changes were merged; where both changed the same, yours was kept:</summary>
                <table class="conflicts"><thead><tr><th scope="col">Where</th><th scope="col">Yours</th><th scope="col">Theirs</th><th scope="col">Before</th></tr></thead>
                    <tbody>${state.conflicts.map((each, index) => html`<tr key=${index}>
                        <td><b>${each.path || "Model"}</b> ${each.setting}</td><td>${each.ours ?? "none"}</td><td>${each.theirs ?? "none"}</td><td class="quiet">${each.base ?? "none"}</td></tr>`)}</tbody></table></details>
            <button onClick=${() => client.undo()}>Undo the merge</button>
            <button onClick=${() => client.request("conflicts")}>Done</button></section>`}`;

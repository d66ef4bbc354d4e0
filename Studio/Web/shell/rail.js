// The left rail: what is open, and how the page looks.
import { html } from "../lib/preact.js";
import { urlOf, useRoute } from "../router.js";
import { documentKinds, useDocuments } from "./documents.js";
import { Icon, IconButton } from "./icons.js";
import { currentTheme, setTheme, themes } from "./theme.js";
import { toggleHelp } from "./overlays.js";

/** @param {{title: string, page: string, icon: string, all: import("./documents.js").StudioDocument[]}} props */
function DocumentList({ title, page, icon, all }) {
    const route = useRoute();
    if (all.length === 0) return null;
    return html`
        <h2>${title}</h2>
        <ul>${all.map(each => {
            const isCurrent = route.page === page && route.document === each.id;
            return html`<li key=${each.id}><a href=${urlOf([page, each.id])} title=${each.path}
                aria-current=${isCurrent ? "page" : undefined}>
                <${Icon} name=${icon} /><span class="cut">${each.name}</span>
                ${(each.changes ?? 0) > 0 && html`<span class="dot" title="not saved" aria-label="not saved"></span>`}
            </a></li>`;
        })}</ul>`;
}

export function Rail() {
    const all = useDocuments();
    return html`
        <nav class="rail" aria-label="Documents">
            <a class="rail-home" href="#/"><img src="/icon.svg" alt="" width="20" height="20" /><b>Core Data Studio</b></a>
            <div class="rail-documents">
                ${documentKinds.map(([page, title, icon]) => html`
                    <${DocumentList} key=${page} title=${title} page=${page} icon=${icon} all=${all[page]} />`)}
            </div>
            ${all.isReadOnly && html`<p class="rail-note note"><${Icon} name="lock" /> opened for reading only</p>`}
            <div class="rail-foot">
                <div class="segments" role="group" aria-label="Colours">${themes.map(([name, title]) => html`
                    <${IconButton} name=${name} title=${title} aria-pressed=${currentTheme() === name} onClick=${() => setTheme(name)} />`)}
                </div>
                <${IconButton} name="help" title="Keys of this view" keys="?" onClick=${toggleHelp} />
            </div>
        </nav>`;
}

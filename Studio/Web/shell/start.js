// What is shown without a document: those that are open.
import { html } from "../lib/preact.js";
import { urlOf, useRoute } from "../router.js";
import { documentKinds, useDocuments } from "./documents.js";
import { useFrame } from "./frame.js";
import { Icon } from "./icons.js";

/** @param {{page: string, icon: string, kind: string, document: import("./documents.js").StudioDocument}} props */
const Card = ({ page, icon, kind, document }) => html`
    <li><a class="card" href=${urlOf([page, document.id])}>
        <${Icon} name=${icon} /><span><b>${document.name}</b><span class="quiet">${kind}</span>
        <span class="card-path"><bdi dir="ltr">${document.path}</bdi></span></span></a></li>`;

export function StartPage() {
    const all = useDocuments();
    const route = useRoute();
    useFrame({ breadcrumb: [{ title: "Start" }] });
    const isLocked = { models: all.isReadOnly, stores: all.isReadOnly || !all.mayEditStores, profiles: false };
    return html`
        <main class="page start"><div class="start-column">
            <h1>Core Data Studio</h1>
            ${route.page !== "" && html`<p class="start-missing">Nothing is open at ${route.url}.</p>`}
            ${documentKinds.every(([page]) => all[page].length === 0)
                ? html`<p>No file is open. Name models and stores when you start the studio:</p>
                    <pre>coredata studio Library.xcdatamodeld Library.sqlite</pre>`
                : html`<ul class="cards">
                    ${documentKinds.flatMap(([page, , icon]) => all[page].map(each => html`<${Card} key=${each.id} page=${page} icon=${icon}
                        document=${each} kind=${isLocked[page] ? `${icon}, for reading` : icon} />`))}</ul>`}
            <p class="quiet">Press <kbd>?</kbd> for the keys of a view.</p>
        </div></main>`;
}

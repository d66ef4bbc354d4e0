// What is shown without a document: those that are open, those that were, and a new model.
import { change, get } from "../api.js";
import { useAnswer } from "../asking.js";
import { html, useState } from "../lib/preact.js";
import { navigate, urlOf, useRoute } from "../router.js";
import { documentKinds, loadDocuments, useDocuments } from "./documents.js";
import { useFrame } from "./frame.js";
import { Icon } from "./icons.js";
import { notifyError } from "./notices.js";

const Card = ({ icon, kind = icon, document: { name, path } }) => html`
    <${Icon} name=${icon} /><span><b>${name}</b><span class="quiet">${kind}</span>
        <span class="card-path cut note"><bdi dir="ltr">${path}</bdi></span></span>`;

/** Has the studio open a document, and shows it. @param {string} path @param {any} [body] */
async function open(path, body) {
    try {
        const { page, id } = await change(path, body);
        await loadDocuments();
        navigate(urlOf([page, id]));
    } catch (error) {
        notifyError(error);
    }
}

export function StartPage() {
    const all = useDocuments();
    const route = useRoute();
    const { answer: recent } = useAnswer(signal => get("/recent", { signal }), [all]);
    const [name, setName] = useState("");
    useFrame({ breadcrumb: [{ title: "Start" }] });
    const isLocked = { models: all.isReadOnly, stores: all.isReadOnly || !all.mayEditStores, profiles: false };
    return html`
        <main class="page start"><div class="start-column">
            <h1>Core Data Studio</h1>
            ${route.page !== "" && html`<p class="start-missing">Nothing is open at ${route.url}.</p>`}
            ${all.failures?.map(each => html`<p class="start-missing">${each}</p>`)}
            ${documentKinds.every(([page]) => all[page].length === 0)
                ? html`<p>No file is open. Name models and stores when you start the studio:</p>
                    <pre>coredata studio Library.xcdatamodeld Library.sqlite</pre>`
                : html`<ul class="cards">
                    ${documentKinds.flatMap(([page, , icon]) => all[page].map(each => html`<li key=${each.id}>
                        <a class="card" href=${urlOf([page, each.id])}><${Card} icon=${icon} document=${each}
                            kind=${isLocked[page] ? `${icon}, for reading` : icon} /></a></li>`))}</ul>`}
            ${recent?.length > 0 && html`<h2>Opened before</h2><ul class="cards">${recent.map(each => html`<li key=${each.id}>
                <button type="button" class="card" onClick=${() => open("/recent/" + each.id)}><${Card} document=${each}
                    icon=${documentKinds.find(([page]) => page === each.page)[2]} /></button></li>`)}</ul>`}
            ${!all.isReadOnly && html`<form class="start-new" onSubmit=${event => {
                event.preventDefault();
                void open("/models", { name });
            }}><label for="new-model">New model</label><input id="new-model" required placeholder="Library" value=${name} spellcheck=${false}
                onInput=${event => setName(event.target.value)} /><button class="main">Make</button>
                <span class="quiet">in ${all.root}</span></form>`}
            <p class="quiet">Press <kbd>?</kbd> for the keys of a view.</p>
        </div></main>`;
}

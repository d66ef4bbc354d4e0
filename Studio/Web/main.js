// Starts the page: signs in, follows the events, shows the shell and in it the page of the route.
import { html, render, useEffect, useState } from "./lib/preact.js";
import { ApiError, get, signIn } from "./api.js";
import { startEvents } from "./events.js";
import { useRoute } from "./router.js";
import { Shell, SignedOut } from "./shell/shell.js";
import { StartPage } from "./shell/start.js";
import { showTheme } from "./shell/theme.js";
import { startKeys } from "./shell/keys.js";
import { loadDocuments, useDocuments } from "./shell/documents.js";
import { notifyError } from "./shell/notices.js";

/** The module of each page, by the first part of the route. @type {Record<string, () => Promise<any>>} */
const pages = {
    models: () => import("./model/page.js"),
    stores: () => import("./store/page.js"),
    profiles: () => import("./profile/page.js"),
};

/** Tells `start.js` whether all parts of the page are there. @param {"complete"|"incomplete"} state */
const tell = state => void dispatchEvent(new Event(`studio-${state}`));

function CurrentPage() {
    const route = useRoute();
    const all = useDocuments();
    const [modules, setModules] = useState(/** @type {Record<string, any>} */({}));
    const load = pages[route.page];
    useEffect(() => {
        if (load === undefined) return tell("complete");
        if (modules[route.page] !== undefined) return;
        load().then(module => {
            setModules(all => ({ ...all, [route.page]: module }));
            tell("complete");
        }, () => get("/documents").then(() => tell("incomplete"), notifyError));
    }, [route.page]);
    const documents = all[route.page];
    const document = Array.isArray(documents) ? documents.find(each => each.id === route.document) : undefined;
    if (load === undefined || document === undefined) return html`<${StartPage} />`;
    const Page = modules[route.page]?.Page;
    if (Page === undefined) return html`<div class="page" aria-busy="true"></div>`;
    return html`<${Page} key=${route.page + route.document} route=${route} document=${document} />`;
}

async function start() {
    const root = document.getElementById("studio");
    root.replaceChildren();
    startKeys();
    try {
        if (!await signIn()) return render(html`<${SignedOut} />`, root);
        await loadDocuments();
        showTheme();
    } catch (error) {
        const isSignedOut = error instanceof ApiError && error.status === 401;
        return render(html`<${SignedOut} reason=${isSignedOut ? undefined : String(error.message)} />`, root);
    }
    startEvents();
    document.addEventListener("studio-signed-out", () => render(html`<${SignedOut} />`, root));
    render(html`<${Shell}><${CurrentPage} /><//>`, root);
}

start();

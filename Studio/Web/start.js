// Loads the page again if a part of it could not be loaded, as when the machine's network changes: without a module it
// would stay blank. This is no module, since it has to listen before they are loaded.
(() => {
    const key = "studio.reloads";
    let isEnding = false;

    const loadAgain = () => {
        if (isEnding) return;
        isEnding = true;
        const count = Number(sessionStorage.getItem(key));
        sessionStorage.setItem(key, String(count + 1));
        if (count > 4) (document.body ?? document.documentElement).textContent = "A part of the page cannot be loaded. It is tried again.";
        setTimeout(() => location.reload(), Math.min(5000, 100 * 2 ** count));
    };
    // Such events do not rise to the window, but are seen on their way down.
    addEventListener("error", event => {
        const part = event.target;
        if (part instanceof HTMLScriptElement || part instanceof HTMLLinkElement && part.rel === "stylesheet") loadAgain();
    }, true);
    addEventListener("studio-incomplete", loadAgain);
    addEventListener("studio-complete", () => sessionStorage.removeItem(key));
})();

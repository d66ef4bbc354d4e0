// Light, dark, or as the system has it: a switch of three, remembered for this address.
import { Observable } from "../observable.js";

/** @typedef {"automatic"|"light"|"dark"} Theme */

/** The choices, each also the name of an icon. @type {[Theme, string][]} */
export const themes = [["automatic", "Colours of the system"], ["light", "Light colours"], ["dark", "Dark colours"]];

const key = "studio.theme";

/** @type {Observable<Theme>} */
export const theme = new Observable(/** @type {Theme} */("automatic"));

/** @param {Theme} value */
export function setTheme(value) {
    theme.set(value);
    localStorage.setItem(key, value);
    apply();
}

export function startTheme() {
    const kept = localStorage.getItem(key);
    if (kept === "light" || kept === "dark") theme.set(kept);
    apply();
}

/** Every colour of the page follows the scheme of its root. */
function apply() {
    document.documentElement.style.colorScheme = theme.value === "automatic" ? "" : theme.value;
}

// Light, dark, or as the system has it: a switch of three.
import { prefer, preference } from "./preferences.js";

/** The choices, each also the name of an icon. */
export const themes = [["automatic", "Colours of the system"], ["light", "Light colours"], ["dark", "Dark colours"]];

export const currentTheme = () => preference("theme") ?? "automatic";

/** Has every colour of the page follow the choice, by the scheme of its root. */
export function showTheme() {
    document.documentElement.style.colorScheme = currentTheme() === "automatic" ? "" : currentTheme();
}

/** @param {string} value */
export function setTheme(value) {
    prefer("theme", value);
    showTheme();
}

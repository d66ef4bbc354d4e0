// Keys by name: "Ctrl+Shift+Z", where Ctrl is Cmd on macOS.

const isMac = /^Mac/.test(navigator.platform);

/** Tells whether a key event is what a text like "Ctrl+Shift+Z" names. @param {KeyboardEvent} event @param {string} keys */
export function matches(event, keys) {
    const parts = keys.split("+");
    const named = parts.pop() || "+";
    const has = name => parts.includes(name);
    const control = isMac ? event.metaKey : event.ctrlKey;
    const other = isMac ? event.ctrlKey : event.metaKey;
    if (other || control !== has("Ctrl") || event.altKey !== has("Alt")) return false;
    if (named.length > 1 || /[a-z]/i.test(named)) {
        if (event.shiftKey !== has("Shift")) return false;
    }
    const key = event.key === " " ? "Space" : event.key;
    // With Alt, some layouts type another character; the place of the key tells which one was meant.
    return key.toLowerCase() === named.toLowerCase() || event.altKey && event.code === "Key" + named.toUpperCase();
}

/** Writes keys as the platform does, for menus and help. @param {string} keys */
export function keyLabel(keys) {
    const words = keys.replace("Arrow", "").replace("Delete", "Del").replace("Insert", "Ins");
    if (!isMac) return words;
    return words.replace("Ctrl+", "⌘").replace("Shift+", "⇧").replace("Alt+", "⌥");
}

/** Returns the step along a list that an arrow key means; 0 for another key. @param {KeyboardEvent} event */
export const stepOf = event => ({ ArrowDown: 1, ArrowUp: -1 })[event.key] ?? 0;

/** Tells whether one types in the element. @param {EventTarget|null} target */
export function isField(target) {
    if (!(target instanceof HTMLElement)) return false;
    if (target instanceof HTMLInputElement) return !["checkbox", "radio", "button", "range"].includes(target.type);
    return target instanceof HTMLTextAreaElement || target.isContentEditable;
}

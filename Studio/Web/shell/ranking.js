// Which names fit a text that one types, the best first.

/**
 * Scores a name: 0 if the letters of the text are not in it, in their order. Beginnings of words count more.
 * @param {string} name
 * @param {string} text
 */
function score(name, text) {
    const lower = name.toLowerCase();
    const wanted = text.toLowerCase();
    if (lower === wanted) return 1000;
    if (lower.startsWith(wanted)) return 800 - name.length;
    const at = lower.indexOf(wanted);
    if (at >= 0) return (isWordStart(name, at) ? 600 : 400) - name.length;
    let position = 0;
    let starts = 0;
    for (const letter of wanted) {
        position = lower.indexOf(letter, position) + 1;
        if (position === 0) return 0;
        if (isWordStart(name, position - 1)) starts += 1;
    }
    return 100 + 20 * starts - Math.min(name.length, 99);
}

/** @param {string} name @param {number} at */
function isWordStart(name, at) {
    if (at === 0 || !/[a-z0-9]/i.test(name[at - 1])) return true;
    return /[A-Z]/.test(name[at]) && /[^A-Z]/.test(name[at - 1]);
}

/** Returns the items whose titles fit, the best first; all for an empty text. @template {{title: string}} T @param {T[]} items @param {string} text @returns {T[]} */
export function rank(items, text) {
    const trimmed = text.trim();
    if (trimmed === "") return items;
    return items.map(item => ({ item, score: score(item.title, trimmed) })).filter(each => each.score > 0)
        .sort((one, other) => other.score - one.score).map(each => each.item);
}

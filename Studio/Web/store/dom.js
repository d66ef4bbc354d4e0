// Elements that are made and owned by a class, not by a component.

/** @param {string} tag @param {string} className @param {Record<string, string>} attributes */
export function element(tag, className, attributes = {}) {
    const made = document.createElement(tag);
    made.className = className;
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
}

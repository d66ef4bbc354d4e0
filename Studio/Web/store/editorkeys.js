// The keys of every editor of a value: Enter keeps, Esc reverts, and no other key leaves the editor.

export const isControlled = event => event.ctrlKey || event.metaKey;

/**
 * Returns what an editor does with keys.
 * @param {{keep: () => any, revert: () => any, isLong?: boolean, others?: (event: KeyboardEvent) => boolean}} options
 *   isLong: Enter is a line break, and keeps with Ctrl; others: takes more keys, and returns whether it did
 */
export const editorKeys = ({ keep, revert, isLong = false, others }) => event => {
    event.stopPropagation();
    if (event.key === "Escape") revert();
    else if (event.key === "Enter" && (!isLong || isControlled(event))) keep();
    else if (others === undefined || !others(event)) return;
    event.preventDefault();
};

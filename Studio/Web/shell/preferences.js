// What the user likes, kept by the studio: a page can keep it for its port alone, which is another one at each start.
import { change } from "../api.js";
import { documents } from "./documents.js";

/** @param {string} name @returns {any} */
export const preference = name => documents.value.preferences?.[name];

/** @param {string} name @param {any} value */
export function prefer(name, value) {
    const { preferences, ...rest } = documents.value;
    documents.set({ ...rest, preferences: { ...preferences, [name]: value } });
    void change("/preferences", { name, value }).catch(() => {});
}

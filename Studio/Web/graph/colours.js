// Colours of entities: one for all, one for each, by configuration, or by what changed since a version.
import { html } from "../lib/preact.js";
import { topOf, valueOf } from "../model/elements.js";

/** @import { ModelClient, ModelState } from "../model/client.js" */

/** @typedef {{tint: string, sign: string}} Look tint: a class of the style sheet; sign: before the name, for who sees no colours */
/** @typedef {{looks: Map<string, Look>, legend: {tint: string, title: string}[]}} Colours */

const hueCount = 8;

/** Entities have hues in turn. @param {number} index @returns {Look} */
const ownLook = index => ({ tint: `hue${index % hueCount}`, sign: "" });

const plain = { tint: "plain", sign: "" };
/** @type {Record<string, Look & {title: string}>} */
const kinds = {
    new: { tint: "new", sign: "+ ", title: "+ new" }, renamed: { tint: "renamed", sign: "> ", title: "> renamed" },
    changed: { tint: "changed", sign: "~ ", title: "~ changed" },
};

/**
 * Returns the looks of entities by name; null if each has a colour of its own.
 * @param {ModelClient} client @param {ModelState} state @param {string} by
 * @returns {Promise<Colours|null>}
 */
export async function coloursBy(client, state, by) {
    if (by === "each") return null;
    /** @type {Map<string, Look>} */
    const looks = new Map();
    if (by === "configurations") {
        const all = topOf(state, "configuration");
        all.forEach((each, index) => valueOf(state, each, "members").forEach(name =>
            looks.has(name) || looks.set(name, ownLook(index))));
        return { looks, legend: [...all.map((each, index) => ({ tint: ownLook(index).tint, title: each.name })), { tint: "plain", title: "in none" }] };
    }
    if (!by.startsWith("since ")) return { looks, legend: [] };
    const { changes } = await client.ask("changes", { against: by.slice(6) });
    for (const { change, subject, path } of changes) {
        const [name, member] = path.split(".");
        const isWhole = member === undefined && subject === "entity";
        const kind = isWhole && change === "added" ? "new" : isWhole && change === "renamed" ? "renamed" : "changed";
        if (kind !== "changed" || !looks.has(name)) looks.set(name, kinds[kind]);
    }
    return { looks, legend: [...Object.values(kinds), { tint: "plain", title: "as it was" }] };
}

/** @param {Colours|null} colours @param {string} name @param {number} index @returns {Look} */
export const lookOf = (colours, name, index) => colours === null ? ownLook(index) : colours.looks.get(name) ?? plain;

/** @param {{state: ModelState, by: string, onChoose: (by: string) => void}} props */
export const ColourChoice = ({ state, by, onChoose }) => html`
    <select aria-label="Colours" value=${by} onChange=${event => onChoose(event.target.value)}>
        <option value="each">Colour of its own</option><option value="none">One colour</option>
        ${topOf(state, "configuration").length > 0 && html`<option value="configurations">Colours of configurations</option>`}
        ${["saved", ...state.versions.map(each => each.name).filter(name => name !== state.version)].map(name => html`
            <option value=${`since ${name}`}>Changed since ${name === "saved" ? "the last save" : name}</option>`)}
    </select>`;

/** @param {{colours: Colours|null}} props */
export const Legend = ({ colours }) => colours !== null && colours.legend.length > 0 && html`
    <ul class="legend" aria-label="Colours">${colours.legend.map(({ tint, title }) => html`
        <li class=${tint}><span class="swatch"></span>${title}</li>`)}</ul>`;

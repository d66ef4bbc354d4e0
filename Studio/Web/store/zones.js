// The time zone in which dates are shown and read: that of the browser, or the one that the user has chosen.
import { html, useMemo } from "../lib/preact.js";
import { useDocuments } from "../shell/documents.js";
import { prefer, preference } from "../shell/preferences.js";

const key = "timeZone";
/** @type {Map<string, Intl.DateTimeFormat>} */
const formats = new Map();

const formatIn = timeZone => new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });

/** The format that tells how far a moment's clock is ahead in the zone. */
function format() {
    const zone = preference(key) ?? "";
    let found = formats.get(zone);
    if (found === undefined) {
        try {
            found = formatIn(zone || undefined);
        } catch {
            // Another browser may have known it.
            found = formatIn();
        }
        formats.set(zone, found);
    }
    return found;
}

/** Returns how far the zone's clock is ahead at a moment, in milliseconds. @param {number} time */
function offset(time) {
    const name = format().formatToParts(time).find(each => each.type === "timeZoneName")?.value ?? "";
    const [, sign, ...parts] = /([+-])(\d+):(\d+):?(\d*)/.exec(name) ?? [];
    const [hours = 0, minutes = 0, seconds = 0] = parts.map(Number);
    return (sign === "-" ? -1000 : 1000) * (3600 * hours + 60 * minutes + seconds);
}

/** Writes what the zone's clock shows. @param {Date} date */
export const clockText = date => new Date(date.getTime() + offset(date.getTime())).toISOString().replace(/T(.{8}).*/, " $1");

/** Reads what the zone's clock shows, or a time with a zone of its own. Invalid if it is neither. @param {string} text */
export function dateOf(text) {
    const [, day, clock = "00:00", zone] = /^([+-]?\d{4,6}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?)?$/.exec(text) ?? [];
    const time = Date.parse(`${day}T${clock}${zone ?? "Z"}`);
    if (zone !== undefined || Number.isNaN(time)) return new Date(time);
    // The offset is that of the moment itself, which is known once it is near.
    return new Date(time - offset(time - offset(time)));
}

/** The choice of the zone. */
export function ZoneChoice() {
    useDocuments();
    const named = useMemo(() => Intl.supportedValuesOf("timeZone").filter(each => each !== "UTC")
        .map(each => html`<option value=${each}>${each}</option>`), []);
    const own = formatIn().resolvedOptions().timeZone;
    return html`<label class="zone">Times in <select aria-label="Time zone" value=${preference(key) ?? ""}
        onChange=${event => prefer(key, event.target.value)}><option value="">${own} (local)</option><option value="UTC">UTC</option>
        ${named}</select></label>`;
}

// Property lists as values: binary ones and XML ones. Archives are shown as what they are made of, never opened.
const deepest = 60;
const mostObjects = 20_000;

/** A reference within an archive. */
class UID {
    constructor(number) { this.number = number; }
    toString() { return `→ ${this.number}`; }
}

/** Reads a property list. Throws an error that says what is wrong. @param {Uint8Array} content @returns {any} */
export function parsePropertyList(content) {
    const start = String.fromCharCode(...content.subarray(0, 6));
    return start === "bplist" ? new BinaryList(content).root() : xmlList(new TextDecoder().decode(content));
}

class BinaryList {
    /** @param {Uint8Array} content */
    constructor(content) {
        if (content.length < 40) throw new Error("it is cut off");
        this.view = new DataView(content.buffer, content.byteOffset, content.byteLength);
        const trailer = content.length - 32;
        this.offsetSize = this.view.getUint8(trailer + 6);
        this.referenceSize = this.view.getUint8(trailer + 7);
        this.count = this.number(trailer + 8, 8);
        this.top = this.number(trailer + 16, 8);
        this.table = this.number(trailer + 24, 8);
        this.read = 0;
        if (this.offsetSize < 1 || this.offsetSize > 8 || this.referenceSize < 1 || this.referenceSize > 8) {
            throw new Error("its table is malformed");
        }
    }

    root() { return this.object(this.top, 0); }

    /** @param {number} place @param {number} size */
    number(place, size) {
        let value = 0;
        for (let index = 0; index < size; index++) value = value * 256 + this.view.getUint8(place + index);
        return value;
    }

    /** @param {number} index @param {number} depth @returns {any} */
    object(index, depth) {
        if (index >= this.count || depth > deepest || (this.read += 1) > mostObjects) throw new Error("it is too large, or refers to itself");
        const place = this.number(this.table + index * this.offsetSize, this.offsetSize);
        const marker = this.view.getUint8(place);
        const [type, low] = [marker >> 4, marker & 15];
        if (type === 0) return low === 8 ? false : low === 9 ? true : null;
        if (type === 1) return low === 3 ? this.view.getBigInt64(place + 1) : this.number(place + 1, 1 << low);
        if (type === 2) return low === 2 ? this.view.getFloat32(place + 1) : this.view.getFloat64(place + 1);
        if (type === 3) return new Date(978307200000 + 1000 * this.view.getFloat64(place + 1));
        if (type === 8) return new UID(this.number(place + 1, low + 1));
        const [count, start] = this.length(place, low);
        if (type === 4) return this.bytes(start, count);
        if (type === 5) return new TextDecoder("latin1").decode(this.bytes(start, count));
        if (type === 6) return new TextDecoder("utf-16be").decode(this.bytes(start, 2 * count));
        const reference = position => this.number(start + position * this.referenceSize, this.referenceSize);
        if (type === 10 || type === 12) {
            return Array.from({ length: this.checked(count) }, (_, position) => this.object(reference(position), depth + 1));
        }
        if (type === 13) {
            /** @type {Record<string, any>} */
            const values = {};
            for (let position = 0; position < this.checked(count); position++) {
                values[String(this.object(reference(position), depth + 1))] = this.object(reference(count + position), depth + 1);
            }
            return values;
        }
        throw new Error(`it has an object of the unknown type ${type}`);
    }

    checked(count) {
        if (count > mostObjects) throw new Error("it is too large");
        return count;
    }

    /** @param {number} place @param {number} low @returns {[number, number]} */
    length(place, low) {
        if (low !== 15) return [low, place + 1];
        const size = 1 << (this.view.getUint8(place + 1) & 15);
        return [this.number(place + 2, size), place + 2 + size];
    }

    /** @param {number} start @param {number} count */
    bytes(start, count) {
        if (start + count > this.view.byteLength) throw new Error("it is cut off");
        return new Uint8Array(this.view.buffer, this.view.byteOffset + start, count);
    }
}

function xmlList(text) {
    const document = new DOMParser().parseFromString(text, "application/xml");
    const root = document.documentElement;
    if (root.nodeName !== "plist" || root.firstElementChild === null) throw new Error("it is XML, but no property list");
    return xmlValue(root.firstElementChild, 0);
}

/** @param {Element} element @param {number} depth @returns {any} */
function xmlValue(element, depth) {
    if (depth > deepest) throw new Error("it is nested too deep");
    const text = element.textContent ?? "";
    switch (element.nodeName) {
    case "true": return true;
    case "false": return false;
    case "integer": case "real": return Number(text);
    case "date": return new Date(text);
    case "array": return [...element.children].map(child => xmlValue(child, depth + 1));
    case "dict": {
        /** @type {Record<string, any>} */
        const values = {};
        const children = [...element.children];
        for (let index = 0; index + 1 < children.length; index += 2) {
            values[children[index].textContent ?? ""] = xmlValue(children[index + 1], depth + 1);
        }
        return values;
    }
    default: return text.trim();
    }
}

// Work that is done one after the other, in the order in which it was begun.

export class Queue {
    last = Promise.resolve();

    /** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
    add(work) {
        const result = this.last.then(work);
        this.last = result.then(() => {}, () => {});
        return result;
    }
}

package import CoreDataSyncCore

/// The keys of a ledger's entries. Going through them reads the entries some at a time.
package struct StoredKeys: Sequence {
    fileprivate let keys: [ItemKey]
    fileprivate let entries: StoredEntries

    init(_ keys: [ItemKey], of entries: StoredEntries) {
        self.keys = keys
        self.entries = entries
    }

    package var count: Int { keys.count }

    package func makeIterator() -> Iterator { Iterator(rest: keys[...], entries: entries) }

    package struct Iterator: IteratorProtocol {
        fileprivate var rest: ArraySlice<ItemKey>
        fileprivate let entries: StoredEntries
        private var number = 0

        fileprivate init(rest: ArraySlice<ItemKey>, entries: StoredEntries) {
            self.rest = rest
            self.entries = entries
        }

        package mutating func next() -> ItemKey? {
            if number.isMultiple(of: StoredEntries.portion) {
                entries.loadPortion(rest.prefix(StoredEntries.portion))
            }
            number += 1
            return rest.popFirst()
        }
    }
}

/// The items that were received and not imported yet.
package struct Inbox: Sendable {
    package private(set) var items: [ItemKey: InboxItem] = [:]
    private var unwritten = Unwritten<ItemKey>()

    package init() {}

    package var isEmpty: Bool { items.isEmpty }

    package subscript(_ key: ItemKey) -> InboxItem? {
        get { items[key] }
        set {
            guard newValue != nil || items[key] != nil else { return }
            unwritten.note(key, isInFile: items[key] != nil)
            items[key] = newValue
        }
    }

    /// Adds what was received later of an item.
    package mutating func add(_ state: ItemState, to key: ItemKey, isWhole: Bool) {
        unwritten.note(key, isInFile: items[key] != nil)
        items[key, default: InboxItem(state: state, isWhole: isWhole)].add(state, isWhole: isWhole)
    }

    /// Removes all items but those of some keys.
    package mutating func removeAll(except keys: Set<ItemKey> = []) {
        for key in items.keys where !keys.contains(key) { unwritten.note(key, isInFile: true) }
        items = keys.isEmpty ? [:] : items.filter { keys.contains($0.key) }
    }

    /// Takes items for those that the file has.
    package mutating func fill(_ items: [ItemKey: InboxItem]) {
        self.items = items
        unwritten = Unwritten()
    }

    /// Returns the items that have changed since the file was written, nil for those that are gone, and whether the
    /// file has them; takes them for written.
    package mutating func takeWrites() -> [(key: ItemKey, item: InboxItem?, isInFile: Bool)] {
        unwritten.take().map { ($0, items[$0], $1) }
    }
}

/// What has registers: an object, or a pair of objects in a many-to-many relationship.
package enum ItemKey: Hashable, Comparable, Sendable {
    case object(SyncID)
    /// A pair, by the stable name of the relationship's first side, the object on that side and its partner.
    case pair(String, SyncID, SyncID)

    package var object: SyncID? {
        if case .object(let id) = self { id } else { nil }
    }

    /// Returns the key with other objects in the place of its own.
    func mapped(_ other: (SyncID) throws -> SyncID) rethrows -> ItemKey {
        switch self {
        case .object(let id): .object(try other(id))
        case .pair(let name, let first, let second): .pair(name, try other(first), try other(second))
        }
    }

    /// Returns the object that this one, or one of this pair, was merged into; nil if none was.
    ///
    /// - Parameter key: The key of the object, or of the pair, as which it goes on.
    func survivor(in key: ItemKey) -> SyncID? {
        switch (self, key) {
        case (.object(let own), .object(let id)): own == id ? nil : id
        case (.pair(_, let first, let second), .pair(_, let firstID, let secondID)):
            first != firstID ? firstID : second != secondID ? secondID : nil
        default: nil
        }
    }

    /// The pair with its objects exchanged.
    var mirrored: ItemKey {
        guard case .pair(let name, let first, let second) = self else { return self }
        return .pair(name, second, first)
    }

    package static func < (first: ItemKey, second: ItemKey) -> Bool {
        switch (first, second) {
        case (.object(let a), .object(let b)): return a < b
        case (.object, .pair): return true
        case (.pair, .object): return false
        case (.pair(let name, let a, let b), .pair(let otherName, let c, let d)):
            if !name.hasSameBytes(as: otherName) { return name.isBefore(otherName) }
            return a != c ? a < c : b < d
        }
    }

    /// A hash that is the same on all systems, for digests.
    package var stableHash: UInt64 {
        var hash = CanonicalHash()
        switch self {
        case .object(let id): hash.append(.reference(id))
        case .pair(let name, let first, let second):
            hash.append(.string(name))
            hash.append(.reference(first))
            hash.append(.reference(second))
        }
        return hash.value
    }
}

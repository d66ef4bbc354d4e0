/// The name of an object in the app's store, such as the URI of its object ID.
package typealias LocalKey = String

/// A value as the app's store has it: references lead to objects of the store.
package enum LocalValue: Hashable, Sendable {
    case plain(SyncValue)
    case object(LocalKey)

    /// The value of an attribute; nil for a reference.
    package var attribute: SyncValue? { if case .plain(let value) = self { value } else { nil } }
}

/// An object of the app's store with the values it has now.
package struct CapturedRow: Hashable, Sendable {
    package var local: LocalKey
    package var entity: String
    /// When it was last changed, by the wall clock.
    package var milliseconds: UInt64
    /// The values by register; those that are absent are null.
    package var values: [String: LocalValue]
    /// The members of ordered relationships, to-many and many-to-many.
    package var lists: [String: [LocalKey]]
    /// The partners in many-to-many relationships, by the name of the pairs and whether the object is first.
    package var partners: [PairSide: Set<LocalKey>]

    package init(
        local: LocalKey, entity: String, milliseconds: UInt64, values: [String: LocalValue],
        lists: [String: [LocalKey]] = [:], partners: [PairSide: Set<LocalKey>] = [:]
    ) {
        self.local = local
        self.entity = entity
        self.milliseconds = milliseconds
        self.values = values
        self.lists = lists
        self.partners = partners
    }
}

/// One side of a many-to-many relationship.
package struct PairSide: Hashable, Sendable {
    package var name: String
    package var isFirst: Bool

    package init(name: String, isFirst: Bool) {
        self.name = name
        self.isFirst = isFirst
    }

    /// The register of a pair with its place among the partners of the object on this side.
    var place: String { ItemState.places[isFirst ? 0 : 1] }
}

/// The objects that a store's history names as changed, with the values that they have now, or a portion of them.
///
/// Many objects come in portions, so that they are never all in memory: the attributes of all first, since objects come
/// before what refers to them; references then; lists and partners last, since they are compared with references.
package struct Capture: Hashable, Sendable {
    /// The parts of their objects that rows have.
    package struct Parts: OptionSet, Hashable, Sendable {
        package let rawValue: Int
        package static let attributes = Parts(rawValue: 1)
        package static let references = Parts(rawValue: 2)
        /// Lists and partners.
        package static let members = Parts(rawValue: 4)
        package static let all: Parts = [.attributes, .references, .members]

        package init(rawValue: Int) { self.rawValue = rawValue }
    }

    /// The history's position afterwards.
    package var token: UInt64
    /// Whether these are all objects of the store, so that others were deleted.
    package var isWhole: Bool
    package var rows: [CapturedRow]
    /// Deleted objects and when. The first portion has them.
    package var deleted: [LocalKey: UInt64]
    package var parts = Parts.all
    package var isFirst = true
    package var isLast = true
    /// All objects of the store, in the first portion of a whole one.
    package var objects: Set<LocalKey>?

    package init(token: UInt64, isWhole: Bool, rows: [CapturedRow], deleted: [LocalKey: UInt64]) {
        self.token = token
        self.isWhole = isWhole
        self.rows = rows
        self.deleted = deleted
    }

    /// The objects of a store of which all are captured; nil where others may be.
    var present: Set<LocalKey>? {
        guard isWhole, isFirst else { return nil }
        return objects ?? Set(rows.map(\.local))
    }
}

extension PairSide: Comparable {
    package static func < (first: PairSide, second: PairSide) -> Bool {
        first.name != second.name ? first.name.isBefore(second.name) : first.isFirst && !second.isFirst
    }
}

extension ItemKey {
    /// Makes the key of a pair seen from one side.
    static func pair(_ side: PairSide, _ object: SyncID, _ partner: SyncID) -> ItemKey {
        .pair(side.name, side.isFirst ? object : partner, side.isFirst ? partner : object)
    }

    /// Returns the partner of an object on a side.
    package func partner(of object: SyncID, _ side: PairSide) -> SyncID? {
        guard case .pair(side.name, let first, let second) = self else { return nil }
        return (side.isFirst ? first : second) == object ? (side.isFirst ? second : first) : nil
    }
}

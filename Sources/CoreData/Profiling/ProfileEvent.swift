/// Something that the framework did while a profile was recorded.
package struct ProfileEvent: Sendable {
    package enum Kind: String, Sendable, Codable, CaseIterable {
        case fetch
        case count
        /// The reading of one object's values, or of a batch of objects, when they were used.
        case fault
        /// The reading of the members of a relationship when they were used.
        case relationship
        case save
        /// The merge of another context's changes.
        case merge
        case migration
        /// A statement of a database; it belongs to the event in whose time the same thread ran it.
        case statement
    }

    package let kind: Kind
    package let start: ContinuousClock.Instant
    package internal(set) var duration: Duration = .zero
    package internal(set) var entity: String?
    /// More about it: the request, the relationship, the version that a store is migrated to, or the text of the
    /// statement.
    package internal(set) var detail: String?
    /// The number of objects or rows that were read or written.
    package internal(set) var count: Int?
    /// The name of the context, or its address if it has none.
    package internal(set) var context: String?
    /// The store that a statement was run on, or that was migrated.
    package internal(set) var store: String?
    /// The store that was read or written; nil if it was none, or several.
    package internal(set) var mark: StoreMark?
    /// The identifiers of the stores that it could read or write. Only noted for listeners that want details.
    package internal(set) var stores: [String]?
    /// The error, if it failed. Its text may have values.
    package internal(set) var failure: String?
    /// The domain and the code of the error.
    package internal(set) var failureCode: String?
    package let thread: ThreadMark
    /// The addresses of the calls that led to it, the innermost first; none of a statement.
    package internal(set) var callers: [UInt] = []

    init(_ kind: Kind, start: ContinuousClock.Instant = .now) {
        (self.kind, self.start) = (kind, start)
        thread = .current
    }
}

/// A thread, as a profile names it.
package struct ThreadMark: Sendable, Hashable, Codable {
    package let number: UInt64
    package let isMain: Bool

    package init(number: UInt64, isMain: Bool) {
        (self.number, self.isMain) = (number, isMain)
    }
}

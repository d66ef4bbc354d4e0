/// A sort criterion: a key path, a direction and the way in which strings are compared.
package struct SortKey: Sendable, Hashable {
    package enum Collation: Sendable, Hashable {
        /// By value; strings are compared by code unit.
        case standard
        case caseInsensitive
        case localized
        case localizedCaseInsensitive
        case localizedStandard
        /// By a closure, only in memory.
        case comparator(ComparatorBlock)
    }

    package var keys: [String]
    package var isAscending: Bool
    package var collation: Collation

    package init(keys: [String], isAscending: Bool = true, collation: Collation = .standard) {
        self.keys = keys
        self.isAscending = isAscending
        self.collation = collation
    }
}

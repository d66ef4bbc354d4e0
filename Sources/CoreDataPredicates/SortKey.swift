/// A sort criterion: a key path, a direction and the way strings compare.
package struct SortKey: Sendable, Hashable {
    package enum Collation: Sendable, Hashable {
        /// By value; strings by code unit.
        case standard
        case caseInsensitive
        case localized
        case localizedCaseInsensitive
        case localizedStandard
        /// By a closure, in memory only.
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

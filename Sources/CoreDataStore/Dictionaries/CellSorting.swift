package import CoreDataPredicates
import CoreDataValues

/// The sorting of dictionary results in memory, by the values of their columns.
package struct CellSorting {
    private let comparator: SortComparator
    private let names: [String: Int]
    private let isNeeded: Bool

    /// Makes the sorting. Throws for a sort key that is not one of the columns.
    package init(_ sort: [SortKey], of shape: DictionaryShape) throws(StoreError) {
        names = Dictionary(zip(shape.columns.map(\.name), shape.columns.indices)) { first, _ in first }
        isNeeded = !sort.isEmpty
        var keys: [SortKey] = []
        for key in sort {
            let name = key.keys.joined(separator: ".")
            guard names[name] != nil else {
                throw StoreError(
                    .unsupported,
                    "dictionaries are sorted by \(name) in memory, so it has to be among the propertiesToFetch"
                )
            }
            keys.append(SortKey(keys: [name], isAscending: key.isAscending, collation: key.collation))
        }
        comparator = SortComparator(keys)
    }

    package func sorted(_ rows: [[ExpressionValue]]) throws(EvaluationError) -> [[ExpressionValue]] {
        guard isNeeded else { return rows }
        return try comparator.sorted(rows.map { Cells(names: names, values: $0) }).map(\.values)
    }
}

/// One dictionary as an object with keys.
private final class Cells: KeyedValues {
    let names: [String: Int]
    let values: [ExpressionValue]

    init(names: [String: Int], values: [ExpressionValue]) {
        self.names = names
        self.values = values
    }

    var identity: AnyHashable { AnyHashable(values) }
    var rowReference: ObjectReference? { nil }
    func expressionValue(forKey key: String) -> ExpressionValue { names[key].map { values[$0] } ?? .null }
}

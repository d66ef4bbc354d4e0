import CoreDataSQL
import CoreDataStore
import CoreDataValues

/// The first rows of a batch that can be upserted by one statement: none of them depends on what an earlier one
/// writes.
///
/// A row depends on an earlier one that has a unique value of its own, or that changes a stored row which it would
/// find.
struct UpsertWave {
    /// The stored rows that have unique values of a row, that of the first constraint first.
    typealias Holders = [Int: [Int64]]

    /// The rows that are new as far as is known, by their positions in the batch.
    private(set) var new: [Int] = []
    /// The rows that change a stored one, by the columns that they write.
    private(set) var changing: [ColumnMask: [(position: Int, key: Int64)]] = [:]
    /// The number of rows.
    private(set) var count = 0

    init(_ rows: ArraySlice<BatchRow>, holders: Holders, _ upserts: UpsertCompiler) {
        var found: Set<Int64> = []
        for position in rows.indices {
            let keys = Set(holders[position] ?? [])
            guard found.isDisjoint(with: keys) else { break }
            found.formUnion(keys)
            count += 1
            if let key = holders[position]?.first {
                changing[rows[position].given, default: []].append((position, key))
            } else {
                new.append(position)
            }
        }
    }

    /// Returns the first rows of which no two have the same values of a constraint.
    static func withoutDuplicates(
        _ rows: ArraySlice<BatchRow>, _ constraints: [UpsertCompiler.Constraint]
    ) -> ArraySlice<BatchRow> {
        var taken = constraints.map { _ in Set<[AttributeValue]>() }
        for position in rows.indices {
            let row = rows[position].values
            // A null is equal to no value.
            for (index, constraint) in constraints.enumerated()
            where !constraint.columns.contains(where: row.isNull) {
                let values = constraint.columns.map(row.value)
                guard taken[index].insert(values).inserted else { return rows[..<position] }
            }
        }
        return rows
    }
}

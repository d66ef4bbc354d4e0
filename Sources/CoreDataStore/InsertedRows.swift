public import CoreDataValues

/// New rows, with a list of their references beside them. Planning a save uses the list alone, since access
/// to each row would be a cache miss.
///
/// Counting a reference to a row is also an access to the row. Rows that a context's objects keep alive are
/// therefore borrowed, without counted references.
@usableFromInline
package struct InsertedRows: @unchecked Sendable {
    @usableFromInline var borrowed: [Unmanaged<Snapshot>] = []
    /// Counted references to all rows; empty while the owners of the rows keep them alive.
    private var kept: [Snapshot] = []
    /// The references of the rows, in their order; mostly temporary ones.
    @usableFromInline package private(set) var references: [ObjectReference] = []

    package init() {}

    /// Makes a list that keeps its rows alive.
    package init(_ rows: [Snapshot]) {
        borrowed = rows.mapBorrowed(Unmanaged.passUnretained)
        kept = rows
        references = rows.mapBorrowed(\.reference)
    }

    /// Returns a list of these rows that keeps them alive.
    package func keeping() -> InsertedRows {
        kept.count == count ? self : InsertedRows(rows)
    }

    package var isEmpty: Bool { references.isEmpty }
    package var count: Int { references.count }

    package var rows: [Snapshot] { borrowed.map { $0.takeUnretainedValue() } }

    package mutating func reserveCapacity(_ count: Int) {
        borrowed.reserveCapacity(count)
        references.reserveCapacity(count)
    }

    /// Adds a row that the caller keeps alive as long as the list is used.
    package mutating func append(borrowed row: Unmanaged<Snapshot>, _ reference: ObjectReference) {
        borrowed.append(row)
        references.append(reference)
    }

    /// Adds a row that the list keeps alive. All rows before it must have been added in this way, too.
    package mutating func append(_ row: Snapshot) {
        append(borrowed: .passUnretained(row), row.reference)
        kept.append(row)
    }

    /// Returns the rows at the given indexes, in that order, kept alive in the same way as in this list.
    package func ordered(_ order: [Int]) -> InsertedRows {
        var result = self
        result.borrowed = order.map { borrowed[$0] }
        result.references = order.map { references[$0] }
        return result
    }

    /// The ranges of successive rows of one entity.
    package var runs: [(key: EntityIndex, indices: Range<Int>)] {
        references.indices.runs { references[$0].entity }
    }

    /// Calls `body` with each row in a range and its reference, without counting references.
    @inlinable @inline(__always)
    package func forEach<Failure>(
        _ indices: Range<Int>, _ body: (Snapshot, ObjectReference) throws(Failure) -> Void
    ) throws(Failure) {
        for index in indices {
            try borrowed[index].withBorrowed { row throws(Failure) in try body(row, references[index]) }
        }
    }
}

public import CoreDataValues

/// New rows, and beside them their references: who plans a save need not look into the rows, each a miss of the cache.
///
/// To count a reference is to look into a row, too: those of a context's objects, which have them anyway, are lent.
@usableFromInline
package struct InsertedRows: @unchecked Sendable {
    @usableFromInline var lent: [Unmanaged<Snapshot>] = []
    /// All of the rows, unless somebody else keeps them.
    private var kept: [Snapshot] = []
    /// Those of the rows, mostly temporary ones.
    @usableFromInline package private(set) var references: [ObjectReference] = []

    package init() {}

    /// Rows that are kept.
    package init(_ rows: [Snapshot]) {
        lent = rows.mapBorrowed(Unmanaged.passUnretained)
        kept = rows
        references = rows.mapBorrowed(\.reference)
    }

    /// The same rows, kept from now on.
    package func keeping() -> InsertedRows {
        kept.count == count ? self : InsertedRows(rows)
    }

    package var isEmpty: Bool { references.isEmpty }
    package var count: Int { references.count }

    package var rows: [Snapshot] { lent.map { $0.takeUnretainedValue() } }

    package mutating func reserveCapacity(_ count: Int) {
        lent.reserveCapacity(count)
        references.reserveCapacity(count)
    }

    /// Adds a row that the caller keeps for as long as these rows are used.
    package mutating func append(lent row: Unmanaged<Snapshot>, _ reference: ObjectReference) {
        lent.append(row)
        references.append(reference)
    }

    /// Adds a row that is kept, as are all before it.
    package mutating func append(_ row: Snapshot) {
        append(lent: .passUnretained(row), row.reference)
        kept.append(row)
    }

    /// The rows at some places, in another order, kept by whoever kept them.
    package func ordered(_ order: [Int]) -> InsertedRows {
        var result = self
        result.lent = order.map { lent[$0] }
        result.references = order.map { references[$0] }
        return result
    }

    /// Rows of one entity that follow one another.
    package var runs: [(key: EntityIndex, indices: Range<Int>)] {
        references.indices.runs { references[$0].entity }
    }

    /// The rows at some places, each with its reference, without counting one.
    @inlinable @inline(__always)
    package func forEach<Failure>(
        _ indices: Range<Int>, _ body: (Snapshot, ObjectReference) throws(Failure) -> Void
    ) throws(Failure) {
        for index in indices {
            try lent[index].withBorrowed { row throws(Failure) in try body(row, references[index]) }
        }
    }
}

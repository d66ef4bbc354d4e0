package import CoreDataValues

/// New rows, and beside them their references: who plans a save need not look into the rows, each a miss of the cache.
package struct InsertedRows: @unchecked Sendable {
    package private(set) var rows: [Snapshot] = []
    /// Those of the rows, mostly temporary ones.
    package private(set) var references: [ObjectReference] = []

    package init() {}

    package init(_ rows: [Snapshot]) {
        self.rows = rows
        references = rows.map(\.reference)
    }

    package var isEmpty: Bool { references.isEmpty }
    package var count: Int { references.count }

    package mutating func reserveCapacity(_ count: Int) {
        rows.reserveCapacity(count)
        references.reserveCapacity(count)
    }

    package mutating func append(_ row: consuming Snapshot) {
        references.append(row.reference)
        rows.append(row)
    }

    /// Rows of one entity that follow one another.
    package var runs: [(key: EntityIndex, indices: Range<Int>)] {
        references.indices.runs { references[$0].entity }
    }
}

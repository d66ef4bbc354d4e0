import CoreData
import Foundation

/// Rows in sections that a list view would show: changed by batches alone, the way list views apply them.
struct TableMirror<Row: Equatable>: Equatable {
    struct Section: Equatable {
        var name: String
        var rows: [Row]
    }

    /// One batch, in any order.
    struct Batch {
        var deletedSections: [Int] = []
        var insertedSections: [(index: Int, name: String)] = []
        var deleted: [IndexPath] = []
        var inserted: [(place: IndexPath, row: Row)] = []
        var moved: [(from: IndexPath, to: IndexPath, row: Row)] = []
        var updated: [(from: IndexPath, to: IndexPath, row: Row)] = []
    }

    var sections: [Section]

    /// Deletes from the end, then inserts from the start. Returns nil if a place does not exist, or an
    /// updated row is not where the batch says, where a list view would trap.
    mutating func apply(_ batch: Batch) -> Bool {
        let reloaded = batch.updated.map { change in
            sections.indices.contains(change.from.section)
                && sections[change.from.section].rows.indices.contains(change.from.row)
                && sections[change.from.section].rows[change.from.row] == change.row
        }
        guard reloaded.allSatisfy({ $0 }) else { return false }
        for place in (batch.deleted + batch.moved.map(\.from)).sorted(by: >) {
            guard sections.indices.contains(place.section),
                sections[place.section].rows.indices.contains(place.row)
            else { return false }
            sections[place.section].rows.remove(at: place.row)
        }
        for index in batch.deletedSections.sorted(by: >) {
            // Otherwise rows in the section would disappear without a report.
            guard sections.indices.contains(index), sections[index].rows.isEmpty else { return false }
            sections.remove(at: index)
        }
        for (index, name) in batch.insertedSections.sorted(by: { $0.index < $1.index }) {
            guard index <= sections.count else { return false }
            sections.insert(Section(name: name, rows: []), at: index)
        }
        let arriving = batch.inserted + batch.moved.map { ($0.to, $0.row) }
        for (place, row) in arriving.sorted(by: { $0.place < $1.place }) {
            guard sections.indices.contains(place.section),
                place.row <= sections[place.section].rows.count
            else { return false }
            sections[place.section].rows.insert(row, at: place.row)
        }
        return batch.updated.allSatisfy { change in
            sections.indices.contains(change.to.section)
                && sections[change.to.section].rows.indices.contains(change.to.row)
                && sections[change.to.section].rows[change.to.row] == change.row
        }
    }
}

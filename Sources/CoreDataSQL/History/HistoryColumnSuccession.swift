import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// The history's columns of one entity, before and after a migration.
struct HistoryColumnSuccession {
    let old: HistoryColumns
    private let new: HistoryColumns
    /// The new slots by the old ones.
    private let successors: [Int: Int]

    init(of move: EntityMoves.Move, _ change: SchemaChange) {
        old = HistoryColumns(
            change.evolution.source[move.source], in: change.source, change.dialect.historyForm)
        new = HistoryColumns(
            change.evolution.destination[move.destination], in: change.target.schema,
            change.dialect.historyForm)
        var successors: [Int: Int] = [:]
        for (slot, former) in (change.evolution[move.destination]?.slots ?? []).enumerated() {
            if let former { successors[former] = slot }
        }
        self.successors = successors
    }

    /// Returns the mask in the new model for the properties that a mask names in the old one.
    ///
    /// - Parameters:
    ///   - mask: The mask of the store.
    ///   - isAnonymous: Whether its transaction has no bundle identifier.
    func successor(of mask: Data, isAnonymous: Bool) -> Data {
        new.mask(old.columns(in: mask, isAnonymous: isAnonymous).compactMap(successor))
    }

    /// The positions of preserved values in the old model, in the order of the new one; nil for new ones.
    var formerTombstones: [Int?] {
        new.preserved.map { slot in old.preserved.firstIndex { successors[$0.index] == slot.index } }
    }

    private func successor(of column: HistoryColumns.Column) -> HistoryColumns.Column? {
        switch column {
        case .property(let slot): successors[slot].map(HistoryColumns.Column.property)
        case .entityNumber(let slot): successors[slot].map(HistoryColumns.Column.entityNumber)
        case .position(let slot): successors[slot].map(HistoryColumns.Column.position)
        }
    }
}

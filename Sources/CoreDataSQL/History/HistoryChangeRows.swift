import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// The changes of one transaction as new rows of ACHANGE.
package struct HistoryChangeRows {
    private struct Change {
        let kind: HistoryChange.Kind
        let entityNumber: Int64
        let key: Int64
        let mask: Data?
        let tombstone: Snapshot?
    }

    private let schema: StoreSchema
    private let columns: HistoryColumnTable
    private let transaction: Int64
    package let statements: HistoryInsertions
    /// The key of the first row; the others follow.
    private let firstKey: Int64
    private var changes: [Change] = []
    /// The mask of the last update, since the rows of one save mostly have the same changed columns.
    private var lastMask:
        (entity: EntityIndex, changed: ColumnMask, links: [Int], moved: ColumnMask, mask: Data)?

    /// - Parameter count: The number of rows to make room for.
    init(
        _ count: Int,
        from firstKey: Int64,
        of transaction: Int64,
        _ schema: StoreSchema,
        _ columns: HistoryColumnTable,
        by statements: HistoryInsertions
    ) {
        self.firstKey = firstKey
        self.schema = schema
        self.columns = columns
        self.transaction = transaction
        self.statements = statements
        changes.reserveCapacity(count)
    }

    package var count: Int { changes.count }

    /// Returns the mask of an update.
    ///
    /// - Parameters:
    ///   - links: The changed relationships, as in `RowUpdate.changedLinks`.
    ///   - moved: The columns of the relationships in which the row was moved, as in `SavePlan.moved`.
    mutating func mask(
        _ entity: EntityIndex, _ changed: ColumnMask, links: [Int], moved: ColumnMask
    ) -> Data {
        if let lastMask, lastMask.entity == entity, lastMask.changed == changed, lastMask.links == links,
            lastMask.moved == moved
        {
            return lastMask.mask
        }
        let mask = columns[entity].mask(changed, links: links, moved: moved)
        lastMask = (entity, changed, links, moved, mask)
        return mask
    }

    mutating func append(
        _ kind: HistoryChange.Kind,
        _ reference: ObjectReference,
        mask: Data? = nil,
        tombstone: Snapshot? = nil
    ) {
        guard let number = schema[reference.entity]?.number else { return }
        changes.append(
            Change(kind: kind, entityNumber: number, key: reference.key, mask: mask, tombstone: tombstone))
    }

    /// Binds the values of one row; returns the next free position.
    package func bind(
        _ index: Int, from first: Int, to parameters: any SQLParameters
    ) throws(SQLError) -> Int {
        let change = changes[index]
        var next = first
        func add(_ number: Int64) throws(SQLError) {
            try parameters.bind(number, at: next)
            next += 1
        }
        if statements.form == .serial { try add(firstKey + Int64(index)) }
        try add(HistorySchema.changeNumber)
        try add(change.kind.rawValue)
        try add(change.entityNumber)
        try add(change.key)
        if statements.form == .serial { try add(transaction) }
        try parameters.bind(change.mask.map(SQLValue.blob) ?? .null, at: next)
        next += 1
        for index in 0..<statements.tombstoneCount { try parameters.bind(.null, at: next + index) }
        if let tombstone = change.tombstone { try bind(tombstone, from: next, to: parameters) }
        return first + statements.changeWidth
    }

    /// Binds the preserved attributes of a deleted row, each in the form of its own type.
    private func bind(
        _ row: Snapshot, from first: Int, to parameters: any SQLParameters
    ) throws(SQLError) {
        let preserved = columns[row.layout.entity.index].preserved.prefix(statements.tombstoneCount)
        for (index, slot) in preserved.enumerated() {
            guard let column = slot.column else { continue }
            if statements.form == .concurrent {
                try parameters.bind(PreservedValue.stored(row.value(column)), at: first + index)
            } else if slot.attribute?.allowsExternalStorage ?? false {
                // The history gets the bytes themselves, without marker or external file; null if they cannot
                // be read.
                guard case .data(let data) = row.value(column) else { continue }
                try parameters.bind(.blob(data), at: first + index)
            } else {
                try parameters.bind(row, columns: [column], from: first + index)
            }
        }
    }
}

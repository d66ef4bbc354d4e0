import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// The writing of a known number of changes of one transaction into ACHANGE, many in a statement.
///
/// `finish` writes the last ones.
struct HistoryChangeRows {
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
    private let statements: HistoryInsertions
    private let connection: any SQLConnection
    private var next: Int64
    /// The changes of the next statement.
    private var waiting: [Change] = []
    private var group: (any SQLStatement)?
    /// The mask of the last update, since the rows of one save mostly have the same changed columns.
    private var lastMask:
        (entity: EntityIndex, changed: ColumnMask, links: [Int], moved: ColumnMask, mask: Data)?

    init(
        _ count: Int,
        of transaction: Int64,
        _ schema: StoreSchema,
        _ columns: HistoryColumnTable,
        by statements: HistoryInsertions,
        on connection: any SQLConnection
    ) throws(SQLError) {
        self.schema = schema
        self.columns = columns
        self.transaction = transaction
        self.statements = statements
        self.connection = connection
        next = try KeyCounter.keys(count, number: HistorySchema.changeNumber, on: connection)
        waiting.reserveCapacity(SaveCompiler.rowsPerInsert)
    }

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

    mutating func insert(
        _ kind: HistoryChange.Kind,
        _ reference: ObjectReference,
        mask: Data? = nil,
        tombstone: Snapshot? = nil
    ) throws(SQLError) {
        guard let number = schema[reference.entity]?.number else { return }
        waiting.append(
            Change(kind: kind, entityNumber: number, key: reference.key, mask: mask, tombstone: tombstone))
        guard waiting.count == SaveCompiler.rowsPerInsert else { return }
        let statement = if let group { group } else { try connection.prepare(statements.changes) }
        group = statement
        for (index, change) in waiting.enumerated() {
            try bind(change, from: 1 + index * statements.changeWidth, statement)
        }
        _ = try statement.step()
        waiting.removeAll(keepingCapacity: true)
    }

    /// Writes the changes that are not written yet.
    mutating func finish() throws(SQLError) {
        if waiting.isEmpty { return }
        let statement = try connection.prepare(statements.change)
        for change in waiting {
            try bind(change, from: 1, statement)
            _ = try statement.step()
        }
        waiting = []
    }

    private mutating func bind(
        _ change: Change, from first: Int, _ statement: any SQLStatement
    ) throws(SQLError) {
        try statement.bind(next, at: first)
        try statement.bind(HistorySchema.changeNumber, at: first + 1)
        try statement.bind(change.kind.rawValue, at: first + 2)
        try statement.bind(change.entityNumber, at: first + 3)
        try statement.bind(change.key, at: first + 4)
        try statement.bind(transaction, at: first + 5)
        try statement.bind(change.mask.map(SQLValue.blob) ?? .null, at: first + 6)
        for index in 0..<statements.tombstoneCount { try statement.bind(.null, at: first + 7 + index) }
        if let tombstone = change.tombstone { try bind(tombstone, from: first + 7, statement) }
        next += 1
    }

    /// Binds the preserved attributes of a deleted row, each in the form of its own type.
    private func bind(
        _ row: Snapshot, from first: Int, _ statement: any SQLStatement
    ) throws(SQLError) {
        let preserved = columns[row.layout.entity.index].preserved.prefix(statements.tombstoneCount)
        for (index, slot) in preserved.enumerated() {
            guard let column = slot.column else { continue }
            if slot.attribute?.allowsExternalStorage ?? false {
                // The history gets the bytes themselves, without marker or external file; null if they cannot
                // be read.
                guard case .data(let data) = row.value(column) else { continue }
                try statement.bind(.blob(data), at: first + index)
            } else {
                try statement.bind(row, columns: [column], from: first + index)
            }
        }
    }
}

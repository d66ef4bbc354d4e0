import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// Writes a known number of changes of one transaction into ACHANGE.
struct HistoryChangeRows {
    private let schema: StoreSchema
    private let transaction: Int64
    private let tombstoneCount: Int
    private let statement: any SQLStatement
    private var next: Int64
    private var table = HistoryColumnTable()

    init(
        _ count: Int,
        of transaction: Int64,
        _ schema: StoreSchema,
        tombstoneCount: Int,
        on connection: any SQLConnection
    ) throws(SQLError) {
        self.schema = schema
        self.transaction = transaction
        self.tombstoneCount = tombstoneCount
        next = try KeyAllocator.keys(count, number: HistorySchema.changeNumber, on: connection)
        statement = try connection.prepare(Self.sql(tombstoneCount))
    }

    private static func sql(_ tombstoneCount: Int) -> String {
        let tombstones = (0..<tombstoneCount).map { ", ZTOMBSTONE\($0)" }.joined()
        let values = repeatElement("?", count: 7 + tombstoneCount).joined(separator: ", ")
        return """
            INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS\
            \(tombstones)) VALUES (\(values))
            """
    }

    /// Which properties an update changed.
    mutating func mask(_ layout: RowLayout, _ changed: ColumnMask, _ toMany: [Int]) -> Data {
        let slots = changed.columns.map { layout.columns[$0].slot } + toMany
        return table.columns(of: layout.entity).mask(Set(slots))
    }

    mutating func insert(
        _ kind: HistoryChange.Kind,
        _ reference: ObjectReference,
        mask: Data? = nil,
        tombstone: Snapshot? = nil
    ) throws(SQLError) {
        guard let number = schema[reference.entity]?.number else { return }
        try statement.bind([
            .integer(next), .integer(HistorySchema.changeNumber), .integer(kind.rawValue),
            .integer(number), .integer(reference.key), .integer(transaction),
            mask.map(SQLValue.blob) ?? .null,
        ])
        next += 1
        for index in 0..<tombstoneCount { try statement.bind(.null, at: 8 + index) }
        if let tombstone { try bind(tombstone) }
        _ = try statement.step()
    }

    /// The preserved attributes of a deleted row, each in its natural type.
    private mutating func bind(_ row: Snapshot) throws(SQLError) {
        let preserved = table.columns(of: row.layout.entity).preserved.prefix(tombstoneCount)
        for (index, slot) in preserved.enumerated() {
            guard let column = slot.column else { continue }
            if slot.attribute?.allowsExternalStorage ?? false {
                // As it is, without the marker and the file it has in its row; nothing if it cannot be read.
                guard case .data(let data) = row.value(column) else { continue }
                try statement.bind(.blob(data), at: 8 + index)
            } else {
                try statement.bind(row, columns: [column], from: 8 + index)
            }
        }
    }
}

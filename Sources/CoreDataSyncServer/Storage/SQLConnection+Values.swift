import CoreDataSQL
import CoreDataSyncCore
import Foundation

extension SQLConnection {
    /// Returns the first columns of the rows of a query.
    func values(_ query: SQLFragment) throws -> [SQLValue] {
        var result: [SQLValue] = []
        try forEachRow(of: query) { result.append($0.value(at: 0)) }
        return result
    }

    /// Returns the first cell of a query; nil if it has no row, or the cell is null.
    func value(_ query: SQLFragment) throws -> SQLValue? {
        let value = try values(query).first
        return value == .null ? nil : value
    }

    /// Returns the rows of a query with so many columns.
    func table(_ query: SQLFragment, columns: Int32) throws -> [[SQLValue]] {
        var result: [[SQLValue]] = []
        try forEachRow(of: query) { row in result.append((0..<columns).map { row.value(at: $0) }) }
        return result
    }
}

/// A cell that has another type than the server writes, or bytes that are no row: the file is damaged, or was
/// written by another program.
struct DamagedRow: Error, CustomStringConvertible {
    let description: String
}

extension SQLValue {
    static func bytes(_ bytes: [UInt8]) -> SQLValue { .blob(Data(bytes)) }
    static func id(_ id: SyncID) -> SQLValue { .blob(Data(id.bytes)) }
    static func key(_ key: ItemKey) -> SQLValue { .blob(Data(key.ordered)) }
    static func count(_ number: some BinaryInteger) -> SQLValue { .integer(Int64(clamping: number)) }
    static func word(_ word: UInt64) -> SQLValue { .integer(Int64(bitPattern: word)) }
    static func tree(_ tree: WireValue) -> SQLValue { .bytes(CBORWriter.bytes(of: tree)) }

    func bytes() throws(DamagedRow) -> [UInt8] {
        guard case .blob(let data) = self else { throw DamagedRow(description: "bytes were expected") }
        return [UInt8](data)
    }

    func text() throws(DamagedRow) -> String {
        guard case .text(let text) = self else { throw DamagedRow(description: "a text was expected") }
        return text
    }

    func integer() throws(DamagedRow) -> Int64 {
        guard case .integer(let number) = self else { throw DamagedRow(description: "a number was expected") }
        return number
    }

    func count() throws(DamagedRow) -> UInt64 { UInt64(clamping: try integer()) }

    func id() throws(DamagedRow) -> SyncID {
        let bytes = try bytes()
        guard bytes.count == 16 else { throw DamagedRow(description: "an ID was expected") }
        return SyncID(bytes: bytes)
    }

    func key() throws(DamagedRow) -> ItemKey {
        guard let key = ItemKey(ordered: try bytes()) else {
            throw DamagedRow(description: "the key of an item was expected")
        }
        return key
    }

    /// Reads a tree that the server wrote itself.
    func tree() throws -> WireValue {
        try CBORReader.read(try bytes(), limits: Self.stored)
    }

    private static let stored = WireLimits(bytes: .max, depth: 32, values: .max, text: .max)
}

import CoreDataLibpq
import CoreDataSQL
import Foundation

@testable import CoreDataPostgreSQL

/// The tables of a store as another program sees them: a reference for what the framework writes.
protocol PlainTables {
    func execute(_ sql: String) throws
    func rows(_ sql: String) throws -> [[PlainDatabase.Cell]]
    /// Returns the names of the tables.
    func tables() throws -> [String]
    func columns(of table: String) throws -> Set<String>
    /// Returns the literal of a value.
    func bytes(_ value: Data) -> String
}

extension PlainTables {
    func integer(_ sql: String) throws -> Int64 {
        guard case .integer(let value) = try rows(sql).first?.first else { return 0 }
        return value
    }

    func strings(_ sql: String) throws -> [String] {
        try rows(sql).compactMap { if case .text(let text) = $0.first { text } else { nil } }
    }
}

extension ScratchFolder {
    /// Opens the tables of the store at a place.
    static func tables(at url: URL) throws -> any PlainTables {
        if url.isFileURL { try PlainDatabase(url) } else { try PlainSchema(url) }
    }
}

extension TestStack {
    /// Opens the tables of the stack's store.
    func tables() throws -> any PlainTables { try ScratchFolder.tables(at: storeURL) }
}

/// A schema of a PostgreSQL database.
final class PlainSchema: PlainTables {
    private let session: Session

    init(_ url: URL) throws {
        session = try PostgreSQLStores.session(ConnectionOptions(url.absoluteString), 60)
    }

    deinit { session.close() }

    func bytes(_ value: Data) -> String {
        "CAST('\\x\(value.map { String(format: "%02x", $0) }.joined())' AS bytea)"
    }

    func execute(_ sql: String) throws { try session.execute(SQLText(stored: sql)) }

    func rows(_ sql: String) throws -> [[PlainDatabase.Cell]] {
        var rows: [[PlainDatabase.Cell]] = []
        try session.forEachRow(of: SQLFragment(SQLText(stored: sql))) { row in
            rows.append((0..<row.columnCount).map { Self.cell(row.value(at: Int32($0))) })
        }
        return rows
    }

    private static func cell(_ value: SQLValue) -> PlainDatabase.Cell {
        switch value {
        case .integer(let number): .integer(number)
        case .double(let number): .real(number)
        case .text(let text): .text(text)
        case .blob(let data): .blob(data)
        default: .null
        }
    }

    func tables() throws -> [String] {
        try strings(
            "SELECT CAST(table_name AS text) FROM information_schema.tables WHERE table_schema = current_schema()"
        )
    }

    func columns(of table: String) throws -> Set<String> {
        Set(
            try strings(
                """
                SELECT CAST(column_name AS text) FROM information_schema.columns \
                WHERE table_schema = current_schema() AND table_name = '\(table)'
                """))
    }
}

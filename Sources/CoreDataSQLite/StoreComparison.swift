import CSQLite
import CoreDataSQL
package import CoreDataStore
import Foundation

extension SQLiteStores {
    /// Returns whether two stores contain the same: tables, rows, and the external files that rows name.
    ///
    /// Their files may differ in the order of pages, counters in the header, logs, statistics, and notes or
    /// files that an interrupted operation left behind. A damaged store equals no other.
    package static func containsSame(
        _ path: String, as other: String, timeout: Double = DatabaseOptions().timeout
    ) throws(StoreError) -> Bool {
        do throws(StoreError) {
            guard try metadata(at: path, timeout: timeout) == metadata(at: other, timeout: timeout) else {
                return false
            }
            return try translated(other) { () throws(SQLError) in
                let comparison = try StoreComparison(path, other, timeout)
                defer { comparison.close() }
                return try comparison.areEqual()
            }
        } catch {
            switch error.kind {
            case .corrupt, .notADatabase: return false
            default: throw error
            }
        }
    }
}

/// The comparison of two stores, row by row, each read in one transaction.
private struct StoreComparison {
    private let one: SQLiteConnection
    private let other: SQLiteConnection

    init(_ path: String, _ other: String, _ timeout: Double) throws(SQLError) {
        one = try StoreOpening.openQuietly(path, timeout: timeout)
        do throws(SQLError) {
            self.other = try StoreOpening.openQuietly(other, timeout: timeout)
        } catch {
            one.close()
            throw error
        }
    }

    func close() {
        for connection in [one, other] {
            connection.rollback()
            connection.close()
        }
    }

    func areEqual() throws(SQLError) -> Bool {
        for connection in [one, other] { try connection.begin(.deferred) }
        for query in [Self.schema, "PRAGMA application_id", "PRAGMA user_version"] as [SQLText] {
            guard try haveEqualRows(query) else { return false }
        }
        for table in try tables() {
            // In the order of the table itself, since an index could have the rows in another one.
            guard try haveEqualRows("SELECT * FROM \(table) NOT INDEXED") else { return false }
        }
        return true
    }

    /// The definitions, but for those of SQLite's own tables, such as statistics.
    private static let schema: SQLText = """
        SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT GLOB 'sqlite_*' ORDER BY type, name
        """
    private static let tables: SQLText = """
        SELECT name FROM sqlite_master m WHERE \(PlainTable.condition("m")) AND name NOT GLOB 'sqlite_*'
        """

    private func tables() throws(SQLError) -> [SQLIdentifier] {
        let rows = try one.statement(Self.tables)
        defer { rows.reset() }
        var result: [SQLIdentifier] = []
        while try rows.step() {
            if case .text(let name) = rows.value(at: 0) { result.append(SQLIdentifier(name)) }
        }
        return result
    }

    private func haveEqualRows(_ query: SQLText) throws(SQLError) -> Bool {
        let (rows, others) = (try one.statement(query), try other.statement(query))
        defer {
            rows.reset()
            others.reset()
        }
        while try rows.step() {
            guard try others.step() else { return false }
            for column in 0..<Int32(rows.columnCount) {
                guard rows.hasEqualValue(at: column, as: others) else { return false }
                if let name = rows.externalFile(at: column), !haveEqualFiles(name) { return false }
            }
        }
        return try !others.step()
    }

    /// Returns whether the files of both stores have the same content, or both stores lack the file.
    private func haveEqualFiles(_ name: String) -> Bool {
        func content(_ connection: SQLiteConnection) -> Result<Data, ExternalFiles.Unreadable> {
            do throws(ExternalFiles.Unreadable) {
                return .success(try connection.externalFiles.read(name))
            } catch {
                return .failure(error)
            }
        }
        return switch (content(one), content(other)) {
        case (.success(let one), .success(let other)): one == other
        case (.failure(let one), .failure(let other)):
            one.reason == .missingFile && other.reason == .missingFile
        default: false
        }
    }
}

extension SQLiteStatement {
    /// Returns whether the current rows of two statements have the same value in a column, byte by byte.
    fileprivate func hasEqualValue(at column: Int32, as other: SQLiteStatement) -> Bool {
        let storage = storageClass(at: column)
        guard other.storageClass(at: column) == storage else { return false }
        switch storage {
        case SQLITE_INTEGER: return integer(at: column) == other.integer(at: column)
        case SQLITE_FLOAT: return double(at: column).bitPattern == other.double(at: column).bitPattern
        case SQLITE_NULL: return true
        default:
            let (bytes, others) = (bytes(at: column), other.bytes(at: column))
            return bytes.count == others.count
                && (bytes.isEmpty || memcmp(bytes.baseAddress!, others.baseAddress!, bytes.count) == 0)
        }
    }

    /// Returns the name of the external file that a value stands for, if it has the form of such a value.
    fileprivate func externalFile(at column: Int32) -> String? {
        guard storageClass(at: column) == SQLITE_BLOB,
            case .file(let name) = ExternalFiles.Stored(bytes(at: column))
        else { return nil }
        return name
    }
}

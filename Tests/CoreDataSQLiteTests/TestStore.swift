import CoreDataModelFormat
import CoreDataSQL
import CoreDataSQLite
import CoreDataStore
import CoreDataValues
import Foundation
import Testing

/// A folder for one test, removed when the test releases it.
final class TestFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String = "Store.sqlite") -> String { "\(path)/\(name)" }
}

/// A store with the library model, and functions to inspect its file.
struct TestStore {
    let folder: TestFolder
    let backend: SQLBackend
    var path: String { folder.file() }

    static let metadata = Data("metadata".utf8)
    static let uuid = "6F0C3A4E-9F0B-4B53-9F0C-0A1B2C3D4E5F"

    init(options: DatabaseOptions = DatabaseOptions()) throws {
        folder = try TestFolder()
        backend = try SQLiteStores.create(
            at: folder.file(), model: LibraryModel.model, layouts: LibraryModel.layouts,
            metadata: Self.metadata, uuid: Self.uuid, options: options)
    }

    /// Returns another backend on the same file, as another process would have.
    func reopened(_ options: DatabaseOptions = DatabaseOptions()) throws -> SQLBackend {
        try SQLiteStores.open(
            at: path, model: LibraryModel.model, layouts: LibraryModel.layouts, options: options)
    }

    /// Inserts rows and returns the stored rows in the same order.
    func insert(_ rows: Snapshot..., links: [LinkChange] = []) throws -> [Snapshot] {
        let receipt = try backend.commit(ChangeSet(inserted: rows, links: links))
        return try rows.map { row in
            let reference = try #require(receipt.permanent[row.reference])
            return try #require(try backend.snapshot(for: reference))
        }
    }

    /// Returns the cells of a query, read by a separate connection.
    func query(_ sql: SQLText) throws -> [[SQLValue]] {
        let connection = try SQLiteConnection(path: path, access: .readOnly)
        defer { connection.close() }
        return try connection.rows(sql)
    }

    func execute(_ sql: SQLText) throws {
        let connection = try SQLiteConnection(path: path, access: .readWrite)
        defer { connection.close() }
        try connection.execute(sql)
    }
}

extension SQLiteConnection {
    func rows(_ sql: SQLText) throws -> [[SQLValue]] {
        let statement = try prepare(sql)
        var result: [[SQLValue]] = []
        while try statement.step() {
            result.append((0..<statement.columnCount).map { statement.value(at: Int32($0)) })
        }
        return result
    }
}

func reference(_ entity: String, _ key: Int64) -> ObjectReference {
    ObjectReference(entity: LibraryModel.index(entity), key: key)
}

/// Returns the error of a call that must fail with a `StoreError`.
func storeError(_ body: () throws -> some Any) throws -> StoreError {
    do {
        _ = try body()
    } catch let error as StoreError {
        return error
    }
    throw UnexpectedSuccess()
}

struct UnexpectedSuccess: Error {}

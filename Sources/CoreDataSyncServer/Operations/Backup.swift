import CoreDataSQL
import CoreDataSQLite
import CoreDataSyncCore
import Foundation

/// Copies of a server's data, and their return.
package enum Backup {
    /// Why a backup cannot be made or used.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Copies the data to a new folder while the server runs.
    ///
    /// The database is first, so that every blob it names is in the folder: files are removed a day after the
    /// last reference at the earliest.
    package static func make(of folder: DataFolder, to path: String) throws {
        let copy = DataFolder(path)
        guard !FileManager.default.fileExists(atPath: copy.database) else {
            throw Failure(description: "\(path) has a backup already")
        }
        try copy.make()
        let database = try SQLiteDatabase(path: folder.database, readers: 1)
        defer { database.close() }
        try database.copy(to: copy.database)
        try copyBlobs(of: folder, to: copy)
    }

    /// Copies files that are not there yet. A blob never changes, so its name says that it is the same.
    private static func copyBlobs(of folder: DataFolder, to copy: DataFolder) throws {
        let manager = FileManager.default
        let (source, target) = ("\(folder.blobs)/files", "\(copy.blobs)/files")
        guard manager.fileExists(atPath: source) else { return }
        for prefix in try manager.contentsOfDirectory(atPath: source) {
            try manager.createDirectory(atPath: "\(target)/\(prefix)", withIntermediateDirectories: true)
            for name in try manager.contentsOfDirectory(atPath: "\(source)/\(prefix)") {
                let path = "\(target)/\(prefix)/\(name)"
                guard !manager.fileExists(atPath: path) else { continue }
                // Under another name until it is whole.
                try? manager.removeItem(atPath: path + ".part")
                try manager.copyItem(atPath: "\(source)/\(prefix)/\(name)", toPath: path + ".part")
                try manager.moveItem(atPath: path + ".part", toPath: path)
            }
        }
    }

    /// Brings a backup back, and begins a new epoch in each of its zones, so that devices bring what it
    /// lacks.
    ///
    /// The data that was there is kept beside it under another name, also if it is damaged. The epoch is one that no copy
    /// has had: it is above those of both databases, as far as they can be read, and not below the time.
    ///
    /// - Returns: Where the replaced database is now; nil if there was none.
    package static func restore(
        _ path: String, to folder: DataFolder, at seconds: UInt64
    ) throws -> String? {
        let source = DataFolder(path)
        guard FileManager.default.fileExists(atPath: source.database) else {
            throw Failure(description: "\(path) has no backup")
        }
        let lock = try folder.lockForThisProcess()
        defer { withExtendedLifetime(lock) {} }
        let new = folder.database + ".new"
        try remove(new)
        try FileManager.default.copyItem(atPath: source.database, toPath: new)
        // A damaged database does not tell. It is what backups are for.
        let old = try? epochs(folder.database)
        try beginEpochs(new, after: max(old?.values.max() ?? 0, seconds))
        try copyBlobs(of: source, to: folder)
        var kept: String?
        if FileManager.default.fileExists(atPath: folder.database) {
            let aside = "\(folder.database).before-\(seconds)"
            try FileManager.default.moveItem(atPath: folder.database, toPath: aside)
            // What is not in the database yet.
            if old == nil {
                try? FileManager.default.moveItem(atPath: folder.database + "-wal", toPath: aside + "-wal")
            }
            kept = aside
        }
        for companion in ["-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: folder.database + companion)
        }
        try FileManager.default.moveItem(atPath: new, toPath: folder.database)
        return kept
    }

    private static func remove(_ path: String) throws {
        for name in [path, path + "-wal", path + "-shm"] where FileManager.default.fileExists(atPath: name) {
            try FileManager.default.removeItem(atPath: name)
        }
    }

    /// Returns the epochs of a database's zones, and moves its log into it.
    private static func epochs(_ path: String) throws -> [ZoneName: UInt64] {
        guard FileManager.default.fileExists(atPath: path) else { return [:] }
        let connection = try SQLiteConnection(path: path, access: .readWrite)
        defer { connection.close() }
        let entries = try ZoneDirectory(connection).entries()
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return Dictionary(entries.map { ($0.name, $0.epoch) }, uniquingKeysWith: { $1 })
    }

    private static func beginEpochs(_ path: String, after last: UInt64) throws {
        let connection = try SQLiteConnection(path: path, access: .readWrite)
        defer { connection.close() }
        try connection.begin(.immediate)
        do {
            try beginEpochs(on: connection, after: last)
            try connection.commit()
        } catch {
            connection.rollback()
            throw error
        }
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Begins a new epoch in each zone of a database that was brought back by other means.
    ///
    /// - Parameter last: The time in seconds, below which no lost database has had an epoch.
    package static func beginEpochs(in database: any ServerDatabase, after last: UInt64) async throws {
        try await database.write { try beginEpochs(on: $0, after: last) }
    }

    private static func beginEpochs(on connection: any SQLConnection, after last: UInt64) throws {
        let schema = try ServerFacts(connection).model() ?? SyncModel(entities: []).compiled()
        let server = ZoneServer(schema: schema, replica: ReplicaID(high: 0, low: 0))
        for entry in try ZoneDirectory(connection).entries() {
            guard var zone = try SQLZone(entry.number, schema: schema, on: connection, isLocked: true)
            else { continue }
            server.beginEpoch(&zone, after: max(last, zone.header.epoch))
            try zone.finish()
        }
    }
}

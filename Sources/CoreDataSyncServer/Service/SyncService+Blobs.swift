import CoreDataSQL
package import CoreDataSyncCore
package import Foundation

/// Blobs of zones. A hash gives no right: a zone has the blobs that were uploaded to it, whatever others
/// have.
extension SyncService {
    /// How much of a blob is there.
    package enum BlobState: Hashable, Sendable {
        case stored(size: UInt64)
        case uploading(UInt64)
    }

    /// How long a blob is kept that no register refers to, in milliseconds.
    package static let unusedBlobs: UInt64 = 86_400_000

    /// Makes sure that the blobs of the database are in a folder, where several processes may have folders of their own.
    ///
    /// - Throws: `DataPlaceError` if they are in another one.
    package func claim(_ store: BlobStore) async throws {
        try await database.write { connection in
            // A database in a folder has its blobs beside it.
            guard connection.hasRivals else { return }
            let facts = ServerFacts(connection)
            try facts.lock()
            let name = try store.name()
            if let known = try facts.blobFolder() {
                guard name == known else { throw store.error(forOtherThan: known) }
                return
            }
            // The folder is named first: if this ends before the database knows, another start takes the name.
            var random = SystemRandomNumberGenerator()
            let new = name ?? SyncID(random: &random)
            if name == nil { try store.set(name: new) }
            try facts.set(blobFolder: new)
        }
    }

    /// Returns how much of a blob a zone has. Readers see what a register refers to, writers all.
    package func state(
        of hash: BlobHash, in zone: ZoneName, _ store: BlobStore, by caller: Caller
    ) async throws -> BlobState {
        let (number, isWriter, size) = try await database.read { connection in
            let number = try Self.enter(zone, as: .reader, caller, connection)
            let size = try Self.size(of: hash, number, connection)
            let isWriter = (try? Self.enter(zone, as: .writer, caller, connection)) != nil
            guard try size == nil || isWriter || Self.isUsed(hash, number, connection) else {
                throw ServiceError.missing("there is no such blob")
            }
            return (number, isWriter, size)
        }
        if let size {
            let isThere = isWriter ? try await keep(hash, in: number) : true
            if isThere { return .stored(size: size) }
        }
        return .uploading(store.progress(of: hash, in: number))
    }

    /// Keeps a blob as if it had come now: a device that hears that it is there does not send it, and pushes a register
    /// that refers to it. Returns whether it is there.
    private func keep(_ hash: BlobHash, in number: Int64) async throws -> Bool {
        let milliseconds = milliseconds
        let recent = milliseconds - min(milliseconds, Self.unusedBlobs / 2)
        let stored = try await database.read { connection in
            try Self.fact("stored", of: hash, number, connection)
        }
        // Most were asked for a short time ago.
        guard let stored, stored < recent else { return stored != nil }
        return try await database.write { connection in
            try connection.run(
                """
                UPDATE blob SET stored = \(bind: .count(milliseconds)) WHERE zone = \(bind: .integer(number)) \
                AND hash = \(bind: .bytes(hash.bytes))
                """) > 0
        }
    }

    /// Adds a part to a blob of a zone.
    package func add(
        _ bytes: Data, at offset: UInt64, of total: UInt64, to hash: BlobHash, in zone: ZoneName,
        _ store: BlobStore, by caller: Caller
    ) async throws -> BlobState {
        guard total <= limits.blobBytes else {
            throw ServiceError.malformed("a blob has at most \(limits.blobBytes) bytes")
        }
        let number = try await number(of: zone, for: caller, as: .writer)
        let limits = limits
        // What other uploads have sent counts, too, or uploads that never end would fill the disk.
        let sent = limits.zoneBytes > 0 ? try store.uploadedBytes(in: number, without: hash) : 0
        let known = try await database.read { connection in
            if let size = try Self.size(of: hash, number, connection) { return size as UInt64? }
            guard try !Self.isFull(limits, zone, connection, adding: sent + total) else {
                throw ServiceError.quota(limits.zoneBytes)
            }
            return nil
        }
        if let known, try await keep(hash, in: number) { return .stored(size: known) }
        let isWhole = try await store.add(bytes, at: offset, of: total, to: hash, in: number)
        guard isWhole else { return .uploading(offset + UInt64(bytes.count)) }
        let milliseconds = milliseconds
        try await database.write { connection in
            let count = try connection.run(
                """
                INSERT INTO blob (zone, hash, size, stored) VALUES (\(bind: .integer(number)), \
                \(bind: .bytes(hash.bytes)), \(bind: .count(total)), \(bind: .count(milliseconds))) \
                ON CONFLICT DO NOTHING
                """)
            guard count > 0 else { return }
            try connection.run(
                """
                UPDATE zone SET bytes = bytes + \(bind: .count(total)) WHERE id = \(bind: .integer(number))
                """)
        }
        return .stored(size: total)
    }

    /// Removes blobs that nothing has referred to for a day, and files that no zone has.
    package func sweep(_ store: BlobStore) async throws {
        let end = milliseconds - min(milliseconds, Self.unusedBlobs)
        try await database.write { connection in
            let unused = try connection.table(
                """
                SELECT zone, hash, size FROM blob WHERE stored < \(bind: .count(end)) AND NOT EXISTS (SELECT 1 \
                FROM blob_use WHERE blob_use.zone = blob.zone AND blob_use.hash = blob.hash)
                """, columns: 3)
            for cells in unused {
                try connection.run(
                    "DELETE FROM blob WHERE zone = \(bind: cells[0]) AND hash = \(bind: cells[1])")
                try connection.run(
                    "UPDATE zone SET bytes = bytes - \(bind: cells[2]) WHERE id = \(bind: cells[0])")
            }
        }
        let date = Date(timeIntervalSince1970: Double(end) / 1000)
        try await store.sweep(olderThan: date) { [database] hashes in
            try await database.read { connection in
                Set(
                    try hashes.filter { hash in
                        try connection.findsRow(
                            "SELECT 1 FROM blob WHERE hash = \(bind: .bytes(hash.bytes))")
                    })
            }
        }
    }

    private static func size(
        of hash: BlobHash, _ zone: Int64, _ connection: any SQLConnection
    ) throws -> UInt64? { try fact("size", of: hash, zone, connection) }

    private static func fact(
        _ column: SQLText, of hash: BlobHash, _ zone: Int64, _ connection: any SQLConnection
    ) throws -> UInt64? {
        try connection.value(
            """
            SELECT \(column) FROM blob WHERE zone = \(bind: .integer(zone)) \
            AND hash = \(bind: .bytes(hash.bytes))
            """
        )?.count()
    }

    private static func isUsed(
        _ hash: BlobHash, _ zone: Int64, _ connection: any SQLConnection
    ) throws -> Bool {
        try connection.findsRow(
            """
            SELECT 1 FROM blob_use WHERE zone = \(bind: .integer(zone)) \
            AND hash = \(bind: .bytes(hash.bytes))
            """)
    }
}

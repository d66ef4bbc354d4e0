import CoreDataSQL

/// How much the zones of a database have together.
package struct ZoneFigures: Hashable, Sendable {
    package var zones = 0
    /// Zones that have nine tenths of the bytes that a zone may have.
    package var fullZones = 0
    package var items = 0
    package var bytes = 0
    /// Items that are deleted and not forgotten yet.
    package var deleted = 0
}

extension SyncService {
    /// Counts what the zones have. Deleted items are counted by an index that has them alone.
    package func figures() async throws -> ZoneFigures {
        let limit = limits.zoneBytes > 0 ? limits.zoneBytes / 10 * 9 : UInt64(Int64.max)
        return try await database.read { connection in
            let row = try connection.table(
                """
                SELECT count(*), count(CASE WHEN bytes >= \(bind: .count(limit)) THEN 1 END), \
                CAST(coalesce(sum(items), 0) AS bigint), CAST(coalesce(sum(bytes), 0) AS bigint) FROM zone
                """, columns: 4)[0].map { Int(clamping: try $0.count()) }
            return ZoneFigures(
                zones: row[0], fullZones: row[1], items: row[2], bytes: row[3],
                deleted: Int(clamping: try connection.count("SELECT count(*) FROM item WHERE gone <> 0")))
        }
    }
}

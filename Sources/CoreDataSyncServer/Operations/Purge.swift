import CoreDataSQL
import CoreDataSQLite

/// The removal of everything that is a user's own.
package enum Purge {
    package struct Report: Hashable, Sendable {
        package var zones: Int
        package var devices: Int

        package init(zones: Int, devices: Int) {
            self.zones = zones
            self.devices = devices
        }
    }

    /// Removes the zones, the devices and the memberships of a user. What the user wrote in zones of others
    /// is theirs, and stays.
    ///
    /// The bytes are overwritten in the file of SQLite and in its log; PostgreSQL does it when it vacuums. Backups
    /// have them still.
    package static func remove(_ user: String, from place: DataPlace) async throws -> Report {
        guard place.database != nil else { return try remove(user, from: place.folder) }
        let database = try place.open()
        defer { database.close() }
        return try await database.write { try remove(user, on: $0) }
    }

    private static func remove(_ user: String, from folder: DataFolder) throws -> Report {
        let connection = try SQLiteConnection(path: folder.database, access: .readWrite)
        defer { connection.close() }
        try connection.execute("PRAGMA secure_delete = ON")
        try connection.begin(.immediate)
        let report: Report
        do {
            report = try remove(user, on: connection)
            try connection.commit()
        } catch {
            connection.rollback()
            throw error
        }
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return report
    }

    private static func remove(_ user: String, on connection: any SQLConnection) throws -> Report {
        var report = Report(zones: 0, devices: 0)
        let directory = ZoneDirectory(connection)
        for entry in try directory.entries() where entry.name.owner == user {
            try directory.remove(entry.number)
            report.zones += 1
        }
        let devices = DeviceDirectory(connection)
        report.devices = try devices.entries(of: user).count
        try devices.remove(of: user)
        try connection.run(#"DELETE FROM member WHERE "user" = \#(bind: .text(user))"#)
        return report
    }
}

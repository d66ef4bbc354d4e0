package import CoreDataSQL
import CoreDataSyncCore

/// The zones of a database, and who may enter them.
package struct ZoneDirectory {
    package struct Entry: Hashable, Sendable {
        package var number: Int64
        package var name: ZoneName
        package var items: UInt64
        package var bytes: UInt64
        package var epoch: UInt64
        package var sequence: UInt64
    }

    let connection: any SQLConnection

    package init(_ connection: any SQLConnection) {
        self.connection = connection
    }

    package func number(of zone: ZoneName) throws -> Int64? {
        try connection.value(
            """
            SELECT id FROM zone WHERE owner = \(bind: .text(zone.owner)) AND name = \(bind: .text(zone.name))
            """
        )?.integer()
    }

    /// Makes a zone, unless the owner has as many as are allowed.
    ///
    /// Its epoch is the time in seconds, which no zone of that name has had before: devices that know one whose data
    /// is gone bring back what they have, instead of taking the empty zone for their own with everything deleted.
    package func add(_ zone: ZoneName, at milliseconds: UInt64, atMost most: Int) throws -> Int64 {
        try connection.lock("zones of \(zone.owner)")
        // Another process may have made it meanwhile.
        if connection.hasRivals, let number = try number(of: zone) { return number }
        let count = try connection.count("SELECT count(*) FROM zone WHERE owner = \(bind: .text(zone.owner))")
        guard count < most else { throw ServiceError.tooMany("zones", most) }
        var header = ZoneHeader()
        header.epoch = max(header.epoch, milliseconds / 1000)
        try connection.run(
            """
            INSERT INTO zone (owner, name, header) VALUES (\(bind: .text(zone.owner)), \
            \(bind: .text(zone.name)), \(bind: .tree(header.wire)))
            """)
        guard let number = try number(of: zone) else { throw DamagedRow(description: "no new zone") }
        return number
    }

    package func entries() throws -> [Entry] {
        try entries("SELECT id, owner, name, items, bytes, header FROM zone ORDER BY owner, name")
    }

    /// Returns the zones that a caller may enter, with the caller's roles.
    package func entries(for caller: Caller) throws -> [(entry: Entry, role: Role)] {
        if let grants = caller.grants {
            return try grants.sorted { $0.key < $1.key }.compactMap { zone, role in
                try entry(of: zone).map { ($0, role) }
            }
        }
        let own = try entries(
            """
            SELECT id, owner, name, items, bytes, header FROM zone WHERE owner = \(bind: .text(caller.user)) \
            OR id IN (SELECT zone FROM member WHERE "user" = \(bind: .text(caller.user))) ORDER BY owner, name
            """)
        return try own.compactMap { entry in
            let role = caller.role(
                in: entry.name, membership: try membership(of: caller.user, in: entry.number))
            return role.map { (entry, $0) }
        }
    }

    package func entry(of zone: ZoneName) throws -> Entry? {
        try entries(
            """
            SELECT id, owner, name, items, bytes, header FROM zone \
            WHERE owner = \(bind: .text(zone.owner)) AND name = \(bind: .text(zone.name))
            """
        ).first
    }

    private func entries(_ query: SQLFragment) throws -> [Entry] {
        try connection.table(query, columns: 6).compactMap { cells in
            guard let name = ZoneName(owner: try cells[1].text(), name: try cells[2].text()) else {
                return nil
            }
            let header = try ZoneHeader(wire: cells[5].tree())
            return Entry(
                number: try cells[0].integer(), name: name, items: try cells[3].count(),
                bytes: try cells[4].count(), epoch: header.epoch, sequence: header.sequence)
        }
    }

    // MARK: Members

    package func membership(of user: String, in zone: Int64) throws -> Role? {
        try connection.value(
            """
            SELECT role FROM member WHERE zone = \(bind: .integer(zone)) AND "user" = \(bind: .text(user))
            """
        ).flatMap { Role(rawValue: try $0.text()) }
    }

    package func members(of zone: Int64) throws -> [(user: String, role: Role)] {
        try connection.table(
            #"SELECT "user", role FROM member WHERE zone = \#(bind: .integer(zone)) ORDER BY "user""#,
            columns: 2
        ).compactMap { cells in
            let user = try cells[0].text()
            return Role(rawValue: try cells[1].text()).map { (user, $0) }
        }
    }

    /// Gives a user a role in a zone, or takes it.
    package func set(_ role: Role?, of user: String, in zone: Int64) throws {
        guard let role else {
            try connection.run(
                """
                DELETE FROM member WHERE zone = \(bind: .integer(zone)) AND "user" = \(bind: .text(user))
                """)
            return
        }
        try connection.run(
            """
            INSERT INTO member (zone, "user", role) VALUES (\(bind: .integer(zone)), \(bind: .text(user)), \
            \(bind: .text(role.rawValue))) ON CONFLICT (zone, "user") DO UPDATE SET role = excluded.role
            """)
    }

    // MARK: Removing

    /// Removes a zone with everything that is in it. Files of blobs are swept later.
    package func remove(_ zone: Int64) throws {
        for table in Self.tables {
            try connection.run("DELETE FROM \(table) WHERE zone = \(bind: .integer(zone))")
        }
        try connection.run("DELETE FROM zone WHERE id = \(bind: .integer(zone))")
    }

    private static let tables: [SQLText] = [
        "item", "forgotten", "referrer", "partner", "holder", "blob_use", "loss", "device", "receipt",
        "member", "blob",
    ]
}

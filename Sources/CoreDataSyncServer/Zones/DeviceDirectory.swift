package import CoreDataSQL
package import CoreDataSyncCore

/// The replicas that have said hello or pushed, each of which belongs to one user.
package struct DeviceDirectory {
    package struct Entry: Hashable, Sendable {
        package var replica: ReplicaID
        package var user: String
        package var name: String
        /// When it was first and last seen, in milliseconds since 1970.
        package var first: UInt64
        package var seen: UInt64
    }

    /// How exactly it is known when a device was last seen, in milliseconds: each note is a write.
    static let precision: UInt64 = 3_600_000

    let connection: any SQLConnection

    package init(_ connection: any SQLConnection) {
        self.connection = connection
    }

    /// Notes that a user has used a replica.
    ///
    /// - Throws: `ServiceError` if the replica belongs to another user, or the user has too many.
    func note(
        _ replica: ReplicaID, of user: String, name: String?, at milliseconds: UInt64, atMost most: Int
    ) throws {
        guard let entry = try entries("id = \(bind: .id(replica))").first else {
            try connection.lock("devices of \(user)")
            let count = try connection.count(
                #"SELECT count(*) FROM replica WHERE "user" = \#(bind: .text(user))"#)
            guard count < most else { throw ServiceError.tooMany("devices", most) }
            try connection.run(
                """
                INSERT INTO replica (id, "user", name, first, seen) VALUES (\(bind: .id(replica)), \
                \(bind: .text(user)), \(bind: .text(name ?? "")), \(bind: .count(milliseconds)), \
                \(bind: .count(milliseconds))) ON CONFLICT DO NOTHING
                """)
            return
        }
        guard entry.user == user else { throw ServiceError.forbidden("the replica belongs to another user") }
        let isNew = name.map { $0 != entry.name } ?? false
        guard isNew || milliseconds > entry.seen + Self.precision else { return }
        try connection.run(
            """
            UPDATE replica SET seen = \(bind: .count(milliseconds)), name = \(bind: .text(name ?? entry.name)) \
            WHERE id = \(bind: .id(replica))
            """)
    }

    package func entries(of user: String? = nil) throws -> [Entry] {
        try entries(user.map { #""user" = \#(bind: .text($0))"# } ?? "1 = 1")
    }

    private func entries(_ condition: SQLFragment) throws -> [Entry] {
        try connection.table(
            #"SELECT id, "user", name, first, seen FROM replica WHERE \#(condition) ORDER BY "user", id"#,
            columns: 5
        ).map { cells in
            Entry(
                replica: try cells[0].id(), user: try cells[1].text(), name: try cells[2].text(),
                first: try cells[3].count(), seen: try cells[4].count())
        }
    }

    /// Forgets a replica. What it wrote stays, and it may come back as a new one.
    package func remove(_ replica: ReplicaID) throws -> Bool {
        try connection.run("DELETE FROM device WHERE replica = \(bind: .id(replica))")
        return try connection.run("DELETE FROM replica WHERE id = \(bind: .id(replica))") > 0
    }

    package func remove(of user: String) throws {
        for entry in try entries(of: user) { _ = try remove(entry.replica) }
    }
}

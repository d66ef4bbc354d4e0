package import CoreDataSQL
package import CoreDataSyncCore
import Foundation

/// What a server keeps of itself.
package struct ServerFacts {
    private let connection: any SQLConnection

    package init(_ connection: any SQLConnection) {
        self.connection = connection
    }

    private func value(_ name: String) throws -> SQLValue? {
        try connection.value("SELECT value FROM fact WHERE name = \(bind: .text(name))")
    }

    private func set(_ value: SQLValue, _ name: String) throws {
        try connection.run(
            """
            INSERT INTO fact (name, value) VALUES (\(bind: .text(name)), \(bind: value)) \
            ON CONFLICT (name) DO UPDATE SET value = excluded.value
            """)
    }

    /// Returns the replica as which the server writes, and makes it if it is not there yet.
    func replica(at milliseconds: UInt64) throws -> ReplicaID {
        try lock()
        if let value = try value("replica") { return try value.id() }
        var random = SystemRandomNumberGenerator()
        let replica = ReplicaID(milliseconds: milliseconds, random: &random)
        try set(.id(replica), "replica")
        return replica
    }

    /// Returns the name of the folder with the blobs; nil before there is one.
    func blobFolder() throws -> SyncID? { try value("blobs").map { try $0.id() } }

    func set(blobFolder name: SyncID) throws { try set(.id(name), "blobs") }

    package func model() throws -> SyncSchema? {
        try value("model").map { try SyncModel(wire: $0.tree()).compiled() }
    }

    package func set(_ model: SyncModel) throws {
        try set(.tree(model.wire), "model")
        var random = SystemRandomNumberGenerator()
        try set(.id(SyncID(random: &random)), "edition")
    }

    /// Returns what is another ID whenever the model is set; nil before the first time.
    func edition() throws -> SyncID? { try value("edition").map { try $0.id() } }

    /// Keeps other processes from changing facts until the transaction ends.
    func lock() throws { try connection.lock("facts") }
}

import CoreDataLibpq
import CoreDataSQL
package import CoreDataStore

/// The reservation of a store while a copy of it is made: a transaction that locks the tables, which others
/// can read meanwhile.
final class SchemaReservation: StoreReserving {
    private let options: ConnectionOptions
    private let session: Session

    /// Waits for others that write to the store, and takes the locks.
    init(_ options: ConnectionOptions, _ session: Session) throws(StoreError) {
        self.options = options
        self.session = session
        try PostgreSQLStores.translated(options) { () throws(SQLError) in
            try session.begin(.immediate)
            try AdvisoryLock.schema.lockForTransaction(session)
            try StoreTables.lock(on: session)
        }
    }

    deinit { end() }

    /// Replaces the tables by those of a draft, in the transaction of the locks.
    func move(_ draft: String) throws(StoreError) {
        let place = try PostgreSQLStores.options(draft)
        guard let schema = place.schema.map(SQLIdentifier.foreign) else { return }
        try PostgreSQLStores.translated(options) { () throws(SQLError) in
            try StoreTables.replace(by: schema, on: session)
            try session.commit()
        }
    }

    func end() { session.close() }
}

extension PostgreSQLStores {
    package static func reserve(
        _ place: String, timeout: Double
    ) throws(StoreError) -> any StoreReserving {
        let options = try options(place)
        return try SchemaReservation(options, try session(options, timeout))
    }
}

import CoreDataSQL
package import CoreDataStore

/// The reservation of a store while the stages of a migration run, by a session of its own: each stage opens
/// and migrates the store with other sessions.
private final class StageReservation {
    private let session: Session

    init(_ session: Session) throws(SQLError) {
        self.session = session
        try AdvisoryLock.stages.lock(session)
    }

    deinit { session.close() }
}

extension PostgreSQLStores {
    package static func reserveStages(
        at place: String, timeout: Double
    ) throws(StoreError) -> AnyObject {
        let connection = try options(place)
        let session = try session(connection, timeout)
        return try translated(connection) { () throws(SQLError) in try StageReservation(session) }
    }
}

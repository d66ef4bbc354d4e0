#if PostgreSQL
import CoreDataPostgreSQL
#endif
import CoreDataSQL

/// Locks for databases in which several connections write at the same time. In SQLite the one that writes has the
/// whole database, and these do nothing.
extension SQLConnection {
    /// Whether other connections write while this one does.
    var hasRivals: Bool {
        #if PostgreSQL
        return self is Session
        #else
        return false
        #endif
    }

    #if PostgreSQL
    /// Returns the tables of a zone for a server that is asked for many rows at once; nil for SQLite.
    func arrayTables(of zone: Int64) -> ArrayTables? {
        (self as? Session).map { ArrayTables(session: $0, zone: zone) }
    }
    #endif

    /// The end of a query for a row that nobody else may change before the transaction ends.
    var rowLock: SQLText { hasRivals ? " FOR UPDATE" : "" }

    /// Waits until no other transaction has taken the lock of this name, and keeps it until this one ends. What
    /// the others have written is seen afterwards.
    func lock(_ name: String) throws {
        guard hasRivals else { return }
        _ = try findsRow(
            "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' ' || \(bind: .text(name)), 0))"
        )
    }
}

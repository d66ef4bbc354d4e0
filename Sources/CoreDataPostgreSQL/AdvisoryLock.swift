import CoreDataSQL

/// A lock by which programs agree on who may do something; it is of no table.
enum AdvisoryLock: String {
    /// For making or changing the tables of a schema.
    case schema = "OpenCoreData"
    /// For running the stages of a migration. Each stage takes the lock of the schema in sessions of its own.
    case stages = "OpenCoreData stages"
    /// For completing a store in a draft schema, which also has the lock of a schema taken meanwhile.
    case draft = "OpenCoreData draft"
    /// For making the indexes that a migration has left for later.
    case indexes = "OpenCoreData indexes"

    /// Waits for the lock, and holds it until the transaction ends.
    func lockForTransaction(_ session: Session) throws(SQLError) {
        _ = try session.findsRow("SELECT 1 FROM pg_advisory_xact_lock(\(key()))")
    }

    /// Waits for the lock, and holds it until the session ends.
    ///
    /// - Parameter schema: The name of the schema; nil for the session's.
    func lock(_ session: Session, schema: String? = nil) throws(SQLError) {
        _ = try session.findsRow("SELECT 1 FROM pg_advisory_lock(\(key(schema)))")
    }

    /// Takes the lock until the session ends; returns false if another session has it.
    func tryLock(_ session: Session, schema: String? = nil) throws(SQLError) -> Bool {
        try session.findsRow("SELECT 1 WHERE pg_try_advisory_lock(\(key(schema)))")
    }

    func unlock(_ session: Session) throws(SQLError) {
        _ = try session.findsRow("SELECT 1 FROM pg_advisory_unlock(\(key()))")
    }

    private func key(_ schema: String? = nil) -> SQLFragment {
        let name: SQLFragment = schema.map { "\(bind: .text($0))" } ?? "current_setting('search_path')"
        return "hashtext(\(quoting: rawValue)), hashtext(\(name))"
    }
}

package import CoreDataStore

extension SQLBackend: GenerationBackend {
    package func requireGenerations() throws(StoreError) {
        try read(.latest) { connection throws(SQLError) in try Self.requireLog(connection) }
    }

    package func pinned() throws(StoreError) -> any StoreBackend {
        do throws(SQLError) {
            return SQLBackend(
                schema: schema, layouts: layouts, dialect: compiler.dialect, pool: try pool.pinned(),
                history: history, path: path)
        } catch {
            throw translate(error)
        }
    }

    /// Throws without a write-ahead log: only with one do readers and writers not wait for each other.
    private static func requireLog(_ connection: any SQLConnection) throws(SQLError) {
        let statement = try connection.prepare("PRAGMA journal_mode")
        defer { statement.reset() }
        guard try statement.step(), case .text(let mode) = statement.value(at: 0), mode != "wal" else {
            return
        }
        throw SQLError(
            kind: .other, code: 1,
            message: "query generations need a write-ahead log, and the store's journal mode is \(mode)",
            sql: nil)
    }
}

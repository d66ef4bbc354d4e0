/// The prepared statements of one connection by their text, the least recently used leaving first.
struct StatementCache {
    private var statements: [String: SQLiteStatement] = [:]
    /// The one asked for last, which is often the next: comparing a text with itself costs nothing, hashing it does.
    private var last: (sql: String, statement: SQLiteStatement)?
    private let capacity: Int
    private var clock: UInt64 = 0

    init(capacity: Int = 128) {
        self.capacity = capacity
    }

    /// A statement that nobody is stepping through.
    mutating func idleStatement(_ sql: String) -> SQLiteStatement? {
        if let last, last.sql == sql, !last.statement.isActive { return last.statement }
        guard let statement = statements[sql], !statement.isActive else { return nil }
        clock += 1
        statement.lastUse = clock
        last = (sql, statement)
        return statement
    }

    mutating func insert(_ statement: SQLiteStatement, for sql: String) {
        guard statements[sql] == nil else { return }
        clock += 1
        statement.lastUse = clock
        statements[sql] = statement
        if statements.count > capacity { evict() }
    }

    /// Drops the older half, so that the search for it is paid rarely.
    private mutating func evict() {
        let uses = statements.values.map(\.lastUse).sorted()
        let limit = uses[uses.count / 2]
        statements = statements.filter { $0.value.lastUse >= limit || $0.value.isActive }
        last = nil
    }

    mutating func removeAll() {
        statements.removeAll()
        last = nil
    }
}

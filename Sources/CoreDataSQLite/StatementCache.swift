import CoreDataValues

/// The prepared statements of one connection by their text, the least recently used leaving first.
struct StatementCache {
    private var statements: [StatementText: SQLiteStatement] = [:]
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
        guard let statement = statements[StatementText(sql)], !statement.isActive else { return nil }
        clock += 1
        statement.lastUse = clock
        last = (sql, statement)
        return statement
    }

    mutating func insert(_ statement: SQLiteStatement, for sql: String) {
        let text = StatementText(sql)
        guard statements[text] == nil else { return }
        clock += 1
        statement.lastUse = clock
        statements[text] = statement
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

/// The text of a statement as a key, hashed by its length and some of its bytes: to hash all of them takes as long as
/// SQLite does for a small statement. Most texts that are told apart nowhere else differ in length.
private struct StatementText: Hashable {
    private let sql: String
    private static let sampleCount = 16

    init(_ sql: String) {
        self.sql = sql
    }

    static func == (left: StatementText, right: StatementText) -> Bool {
        left.sql.hasSameBytes(as: right.sql)
    }

    func hash(into hasher: inout Hasher) {
        let bytes = sql.utf8
        var sample = UInt64(bytes.count)
        bytes.withContiguousStorageIfAvailable { bytes in
            let step = max(1, bytes.count / Self.sampleCount)
            for index in stride(from: 0, to: bytes.count, by: step) {
                sample = sample &* 31 &+ UInt64(bytes[index])
            }
        }
        hasher.combine(sample)
    }
}

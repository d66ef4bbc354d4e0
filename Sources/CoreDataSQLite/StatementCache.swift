import CoreDataValues

/// A cache of one connection's prepared statements by their text. It drops the least recently used ones.
struct StatementCache {
    private var statements: [StatementText: SQLiteStatement] = [:]
    /// The statement that was requested last, which is often requested next. Comparing a text with itself is
    /// faster than hashing it.
    private var last: (sql: String, statement: SQLiteStatement)?
    private let capacity: Int
    private var clock: UInt64 = 0

    init(capacity: Int = 128) {
        self.capacity = capacity
    }

    /// Returns a statement that is not being stepped through.
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

    /// Drops the older half at once, so that sorting is rarely needed.
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

/// The text of a statement as a key, hashed by its length and a sample of its bytes, since hashing all bytes
/// takes as long as running a small statement. Texts that differ only outside of the sample usually differ in
/// length.
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

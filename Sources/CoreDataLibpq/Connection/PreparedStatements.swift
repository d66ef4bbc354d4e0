import CoreDataSQL

/// A statement that the server has prepared, or is to prepare, for one connection.
final class PreparedStatement {
    let name: String
    /// The text with numbered placeholders.
    let text: String
    fileprivate let key: PreparedStatements.Key
    fileprivate var lastUse: UInt64 = 0
    /// Whether the server has prepared it. A rollback does not undo that.
    var isPrepared = false
    /// The types of the last result's columns, if the statement has no parameters and the result had many rows, so
    /// that the next run may copy them.
    var copiedTypes: [PostgreSQLType]?

    fileprivate init(_ key: PreparedStatements.Key, number: UInt64) {
        self.key = key
        name = "s\(number)"
        text = key.sql.numberingPlaceholders
    }
}

/// A cache of one connection's prepared statements by their text and the types of their parameters. It drops
/// the least recently used one.
struct PreparedStatements {
    struct Key: Hashable {
        let sql: SQLText
        let types: [PostgreSQLType]
    }

    private var statements: [Key: PreparedStatement] = [:]
    private let capacity: Int
    private var clock: UInt64 = 0
    /// The names of dropped statements that the server still has.
    private(set) var dropped: [String] = []

    init(capacity: Int = 256) {
        self.capacity = capacity
    }

    /// Returns the statement, which the caller has to prepare if it is new.
    mutating func statement(_ sql: SQLText, _ types: [PostgreSQLType]) -> PreparedStatement {
        clock += 1
        let key = Key(sql: sql, types: types)
        let statement = statements[key] ?? insert(key)
        statement.lastUse = clock
        return statement
    }

    private mutating func insert(_ key: Key) -> PreparedStatement {
        if statements.count >= capacity, let oldest = statements.values.min(by: { $0.lastUse < $1.lastUse }) {
            drop(oldest)
        }
        let statement = PreparedStatement(key, number: clock)
        statements[key] = statement
        return statement
    }

    /// Drops the statement, so that it is prepared again at its next use.
    mutating func drop(_ statement: PreparedStatement) {
        if statements[statement.key] === statement { statements[statement.key] = nil }
        if statement.isPrepared { dropped.append(statement.name) }
        statement.isPrepared = false
    }

    mutating func takeDropped() -> [String] {
        defer { dropped = [] }
        return dropped
    }

    /// Forgets all statements, since the server has none of them any more.
    mutating func removeAll() {
        statements.removeAll()
        dropped = []
    }

    var count: Int { statements.count }
}

extension SQLText {
    /// The text with `$1`, `$2`… in place of each `?` outside of quotes.
    var numberingPlaceholders: String {
        var result: [UInt8] = []
        result.reserveCapacity(string.utf8.count + 16)
        var quote: UInt8?
        var number = 0
        for byte in string.utf8 {
            if quote == nil, byte == UInt8(ascii: "?") {
                number += 1
                result.append(contentsOf: "$\(number)".utf8)
                continue
            }
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                quote = byte
            }
            result.append(byte)
        }
        return String(decoding: result, as: UTF8.self)
    }
}

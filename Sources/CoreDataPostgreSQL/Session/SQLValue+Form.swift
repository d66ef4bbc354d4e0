import CoreDataLibpq
import CoreDataSQL
import CoreDataStore
import Foundation

extension SQLValue {
    /// Throws if a column of the type cannot have the value: each has values of its own type, and a text has no
    /// NUL, which ends it for the server.
    func requireForm(of type: PostgreSQLType) throws(SQLError) {
        switch (type, self) {
        case (_, .null), (.int8, .integer), (.float8, .integer), (.float8, .double), (.numeric, .integer),
            (.bytea, .blob):
            return
        // NaN is null.
        case (.numeric, .double(let number)) where !number.isInfinite: return
        case (.numeric, .text(let digits)) where Decimal(string: digits) != nil: return
        case (.text, .text(let text)): if text.utf8.contains(0) { throw SQLError.nulInText }
        case (.uuid, .blob(let bytes)) where bytes.count == MemoryLayout<uuid_t>.size: return
        default: throw SQLError(unfit: "the column in the PostgreSQL database has values of another type")
        }
    }

    /// Throws if the bytes are no text that a column can have.
    static func requireText(_ bytes: UnsafeRawBufferPointer) throws(SQLError) {
        if let start = bytes.baseAddress, memchr(start, 0, bytes.count) != nil { throw SQLError.nulInText }
    }
}

extension SQLError {
    fileprivate static let nulInText = SQLError(
        unfit: "a PostgreSQL database has no texts with the character NUL (U+0000)")

    fileprivate init(unfit message: String) {
        self.init(kind: .invalidValue, message: message, sql: nil)
    }
}

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
        case (.text, .text(let text)):
            guard text.utf8.contains(0) else { return }
            throw SQLError(unfit: "a PostgreSQL database has no texts with the character NUL (U+0000)")
        case (.uuid, .blob(let bytes)) where bytes.count == MemoryLayout<uuid_t>.size: return
        default: throw SQLError(unfit: "the column in the PostgreSQL database has values of another type")
        }
    }
}

extension SQLError {
    fileprivate init(unfit message: String) {
        self.init(kind: .invalidValue, code: 1, message: message, sql: nil)
    }
}

extension SQLParameters {
    /// Binds columns of a row one by one. The error of a value that cannot be stored names the property.
    func bindEach(_ row: Snapshot, columns: [Int], from first: Int) throws(SQLError) {
        for (offset, column) in columns.enumerated() {
            do throws(SQLError) {
                try bind(stored: SQLValue(stored: column, of: row), at: first + offset)
            } catch {
                throw error.naming(row, column)
            }
        }
    }
}

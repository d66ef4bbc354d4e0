import CoreDataLibpq
import CoreDataSQL
import CoreDataStore
import CoreDataValues

/// Many new rows, which a `COPY` writes in two round trips: the server takes half as long for them as for arrays.
/// A save sends arrays even so, since its statements are to arrive together.
struct RowCopy {
    private let rows: InsertedRows
    private let indices: Range<Int>
    private let table: EntityTable
    private let text: RowStatement
    private let binder: RowBinder

    /// The least number of rows that are worth a round trip more.
    private static let leastCount = 500

    /// - Parameter steps: What is to be done; nil is returned unless it is the insertion of many rows, with the keys
    ///   that they have, and nothing else.
    init?(_ steps: [WriteStep], by compiler: SaveCompiler) {
        guard steps.count == 1, case .insert(let rows, let indices, let table, let permanent, _) = steps[0],
            permanent.isEmpty, indices.count >= Self.leastCount
        else { return nil }
        (self.rows, self.indices, self.table) = (rows, indices, table)
        text = compiler.insert(table, .single)
        binder = RowBinder(compiler, permanent)
    }

    var sql: SQLText {
        "COPY \(table.tableName) (\(text.names.joined(separator: ", "))) FROM STDIN (FORMAT binary)"
    }

    /// Writes the rows. After an error the transaction has to be rolled back.
    func run(on connection: PostgreSQLConnection) throws(SQLError) {
        let placeholders = text.sql.placeholders
        let columns = placeholders.map { $0.columnType ?? .bytea }
        let parameters = RowParameters([PostgreSQLType](placeholders), CopiedRows(columns))
        var next = indices.lowerBound
        var unfit: SQLError?
        do throws(PostgreSQLError) {
            _ = try connection.copyRows(by: sql, columns) { rows in
                // The binder writes to the parameters: the buffer goes there and back without a copy.
                swap(&rows, &parameters.columns)
                defer { swap(&rows, &parameters.columns) }
                do throws(SQLError) {
                    while next < indices.upperBound, !parameters.columns.isFull {
                        parameters.columns.beginRow()
                        try bind(next, parameters)
                        next += 1
                    }
                } catch {
                    unfit = error
                    return .abandoned
                }
                return next < indices.upperBound ? .more : .complete
            }
        } catch {
            throw SQLError(error, sql: sql, mayCommit: false)
        }
        if let unfit { throw unfit }
    }

    private func bind(_ index: Int, _ parameters: any SQLParameters) throws(SQLError) {
        try rows.forEach(index..<index + 1) { row, reference throws(SQLError) in
            try binder.bindInsert(row, reference.key, text, table, to: parameters)
        }
    }
}

extension SQLPlaceholder {
    /// The type of the column of such values, as the table has it (`PostgreSQLDialect.type(of:)`); nil if it is not
    /// known. Parameters of flags are whole numbers, which the server converts.
    fileprivate var columnType: PostgreSQLType? {
        if case .value(.attribute(.boolean)) = self { .int2 } else { type }
    }
}

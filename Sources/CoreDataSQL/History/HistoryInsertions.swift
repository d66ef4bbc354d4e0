/// The statements that write the rows of a history, compiled once per store.
package struct HistoryInsertions: Sendable {
    /// Adds a transaction: number, entity, time, author, bundle, context, process. In the concurrent form the
    /// database knows the first three, and answers with the cells of a `HistoryEntry`.
    let transaction: SQLText
    /// Adds one change.
    package let change: SQLText
    /// Adds `SaveCompiler.rowsPerInsert` changes.
    package let changes: SQLText
    /// The columns of a change that are bound.
    package let columns: [SQLIdentifier]
    let tombstoneCount: Int
    let form: HistoryForm

    /// The number of placeholders of one change.
    var changeWidth: Int { columns.count }

    private static func ownColumns(_ form: HistoryForm) -> [SQLIdentifier] {
        let names = ["ZCHANGETYPE", "ZENTITY", "ZENTITYPK"].map(SQLIdentifier.init)
        let columns = SQLIdentifier("ZCOLUMNS")
        return switch form {
        case .serial:
            [NameMangling.key, NameMangling.entity] + names + [SQLIdentifier("ZTRANSACTIONID"), columns]
        // The database draws the key, and knows the transaction.
        case .concurrent: [NameMangling.entity] + names + [columns]
        }
    }

    /// Makes the statements.
    ///
    /// - Parameters:
    ///   - hasStrings: Whether names are in a separate table.
    ///   - tombstoneCount: The number of columns for values of deleted rows.
    init(_ form: HistoryForm, hasStrings: Bool, tombstoneCount: Int) {
        self.form = form
        self.tombstoneCount = tombstoneCount
        let names: SQLText =
            hasStrings
            ? "ZAUTHORTS, ZBUNDLEIDTS, ZCONTEXTNAMETS, ZPROCESSIDTS"
            : "ZAUTHOR, ZBUNDLEID, ZCONTEXTNAME, ZPROCESSID"
        transaction =
            switch form {
            case .serial:
                """
                INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP, \(names)) \
                VALUES \(Self.row([.integer, .integer, .double] + Array(repeating: hasStrings ? .integer : .text, count: 4)))
                """
            case .concurrent:
                """
                INSERT INTO ATRANSACTION (Z_ENT, \(names)) \
                VALUES (\(HistorySchema.transactionNumber), \(Self.texts)) RETURNING \(ConcurrentHistory.entry)
                """
            }
        let tombstones = (0..<tombstoneCount).map { SQLIdentifier("ZTOMBSTONE\($0)") }
        let own = Self.ownColumns(form)
        columns = own + tombstones
        let insertion: SQLText = "INSERT INTO ACHANGE (\(columns.joined(separator: ", "))) VALUES "
        // In the serial form a preserved value has the type of its attribute, another for each entity.
        let row = Self.row(
            Array(repeating: .integer, count: own.count - 1) + [.bytes]
                + tombstones.map { _ in form == .serial ? .value(.unknown) : .bytes })
        change = insertion + row
        changes =
            insertion + repeatElement(row, count: SaveCompiler.rowsPerInsert).joined(separator: ", ")
    }

    private static let texts = repeatElement("\(placeholder: .text)" as SQLText, count: 4)
        .joined(separator: ", ")

    /// Returns the insertion of changes from rows of `columns`, in the concurrent form.
    package func insertion(of rows: SQLText) -> SQLText {
        """
        INSERT INTO ACHANGE (\(columns.joined(separator: ", ")), ZTRANSACTIONID) \
        SELECT v.*, \(ConcurrentHistory.currentNumber) FROM \(rows) AS v
        """
    }

    private static func row(_ placeholders: [SQLPlaceholder]) -> SQLText {
        "(\(placeholders.map { "\(placeholder: $0)" as SQLText }.joined(separator: ", ")))"
    }
}

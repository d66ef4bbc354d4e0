/// The statements that write the rows of a history, compiled once per store.
package struct HistoryInsertions: Sendable {
    /// Adds a transaction: number, entity, time, author, bundle, context, process.
    let transaction: SQLText
    /// Adds one change.
    package let change: SQLText
    /// Adds `SaveCompiler.rowsPerInsert` changes.
    package let changes: SQLText
    /// The columns of a change.
    package let columns: [SQLIdentifier]
    let tombstoneCount: Int
    let form: HistoryForm

    /// The number of placeholders of one change.
    var changeWidth: Int { columns.count }

    private static let ownColumns =
        [NameMangling.key, NameMangling.entity]
        + ["ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID", "ZCOLUMNS"].map(SQLIdentifier.init)

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
        transaction = """
            INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP, \(names)) \
            VALUES \(Self.row([.integer, .integer, .double] + Array(repeating: hasStrings ? .integer : .text, count: 4)))
            """
        let tombstones = (0..<tombstoneCount).map { SQLIdentifier("ZTOMBSTONE\($0)") }
        columns = Self.ownColumns + tombstones
        let insertion: SQLText = "INSERT INTO ACHANGE (\(columns.joined(separator: ", "))) VALUES "
        // In the serial form a preserved value has the type of its attribute, another for each entity.
        let row = Self.row(
            Array(repeating: .integer, count: Self.ownColumns.count - 1) + [.bytes]
                + tombstones.map { _ in form == .serial ? .value(.unknown) : .bytes })
        change = insertion + row
        changes =
            insertion + repeatElement(row, count: SaveCompiler.rowsPerInsert).joined(separator: ", ")
    }

    private static func row(_ placeholders: [SQLPlaceholder]) -> SQLText {
        "(\(placeholders.map { "\(placeholder: $0)" as SQLText }.joined(separator: ", ")))"
    }
}

import CoreDataStore
import CoreDataValues

/// The computation of a column's texts from another column, by this process: for a database that has no
/// function for it.
package struct TextDerivation: Sendable, Equatable {
    let table: SQLIdentifier
    let column: SQLIdentifier
    let form: Derivation.TextForm
    let source: SQLIdentifier
    /// The condition of the rows, with ` WHERE `.
    let rows: SQLText

    /// The number of rows that are computed at once.
    private static let batch = 2000

    /// Selects the keys and texts of the rows whose keys follow one.
    func texts(after key: Int64) -> SQLFragment {
        """
        SELECT Z_PK, \(source) FROM \(table)\(rows) AND Z_PK > \(bind: .integer(key)) \
        ORDER BY Z_PK LIMIT \(Self.batch)
        """
    }

    /// Computes and writes the texts.
    func run(on connection: any SQLConnection) throws(SQLError) {
        var last: Int64 = 0
        while true {
            var keys: [Int64] = []
            var texts: [String] = []
            try connection.forEachRow(of: self.texts(after: last)) { row in
                last = row.integer(at: 0)
                guard case .text(let text) = row.value(at: 1) else { return }
                keys.append(last)
                texts.append(form.applied(to: text))
            }
            if keys.isEmpty { return }
            try connection.run(
                """
                UPDATE \(table) SET \(column) = n.v FROM unnest(\(bind: .integers(keys)), \(bind: .texts(texts))) \
                AS n (k, v) WHERE n.k = \(table).Z_PK
                """)
        }
    }
}

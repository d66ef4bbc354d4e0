/// The rows of a table that have given keys in a column. Reads of known rows, or of their members, select
/// from them.
package struct KeyedRows {
    /// The placeholder of one key, or of a list of keys.
    enum Keys {
        case one(SQLFragment)
        case list(SQLFragment)
    }

    enum Order {
        case any
        /// The order of the list.
        case listed
        /// Any order in which the rows of one key follow one another.
        case grouped
        case by(SQLText)
    }

    let table: SQLIdentifier
    /// The name of the table in the statement.
    var alias: SQLText = "t0"
    let column: SQLIdentifier
    let keys: Keys
    /// The joins of further tables, ` JOIN …`.
    var joins: SQLText = ""
    var order = Order.any

    /// The column, qualified by the alias.
    var key: SQLText { "\(alias).\(column)" }
}

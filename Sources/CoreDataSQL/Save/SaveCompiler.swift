package import CoreDataStore
package import CoreDataValues
import Synchronization

/// The statement of one shape of row operation. Parameters: the leading values, the columns of the packed row in
/// order, the entity numbers of to-one destinations, the elements of composites, the trailing values.
package struct RowStatement: Sendable {
    /// An element of a composite, and the column of the packed row that has it.
    package struct Element: Sendable {
        package let column: Int
        package let stored: StoredElement
    }

    package let sql: SQLText
    /// Columns of the packed row, bound in this order.
    package let columns: [Int]
    /// To-one columns whose destination's entity number is stored beside them, bound behind `columns`.
    package let entityColumns: [Int]
    /// Bound behind `entityColumns`.
    package let elements: [Element]
    /// Rows one run of the statement takes.
    package let rowCount: Int

    /// Leading values of an insert: Z_PK, Z_ENT, Z_OPT.
    package static let insertPrefix = 3

    /// Parameters of one row of an insert.
    package var width: Int { Self.insertPrefix + columns.count + entityColumns.count + elements.count }
}

/// How many rows an insert statement takes.
enum InsertForm: Hashable {
    case single
    /// As many as are worth while.
    case group(firesTriggers: Bool)
}

/// Writes the SQL of a save plan's steps: one text a table and column set, so that statements are prepared once. Those
/// of rows are remembered: a save of one object would spend most of its time on their texts.
package final class SaveCompiler: Sendable {
    let schema: StoreSchema
    private let statements = Mutex<[Shape: RowStatement]>([:])

    private enum Shape: Hashable {
        case insert(EntityIndex, InsertForm)
        case update(EntityIndex, ColumnMask)
    }

    /// Rows of an insert statement: more save little.
    static let rowsPerInsert = 20
    private static let mostParameters = 2000
    /// Objects may change in any number of ways.
    private static let mostStatements = 200

    package init(schema: StoreSchema) {
        self.schema = schema
    }

    private func remembered(_ shape: Shape, _ make: () -> RowStatement) -> RowStatement {
        if let known = statements.withLock({ $0[shape] }) { return known }
        let made = make()
        statements.withLock { statements in
            if statements.count >= Self.mostStatements { statements.removeAll(keepingCapacity: true) }
            statements[shape] = made
        }
        return made
    }

    // MARK: Rows

    /// `INSERT OR FAIL INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (?, ?, ?, ?), (…`
    ///
    /// A group that is refused leaves what it wrote, as single rows do before one that is: the transaction is given up
    /// anyway. To take it back, SQLite would first copy every page that the statement writes to, a page a row where
    /// an index has scattered values, to a temporary file once they are many. Triggers would take over `OR FAIL` for
    /// what they do, so groups that fire some go without.
    func insert(_ table: EntityTable, _ form: InsertForm) -> RowStatement {
        remembered(.insert(table.entity, form)) { makeInsert(table, form) }
    }

    private func makeInsert(_ table: EntityTable, _ form: InsertForm) -> RowStatement {
        let (columns, elements) = parameters(Array(table.columns.indices), of: table)
        let entityColumns = columns.filter { table.columns[$0].entityColumn != nil }
        let names =
            [NameMangling.key, NameMangling.entity, NameMangling.version]
            + columns.map { table.columns[$0].name } + entityColumns.map { table.columns[$0].entityColumn! }
            + elements.map(\.stored.name)
        let (verb, rows): (SQLText, Int) =
            switch form {
            case .single: ("INSERT", 1)
            case .group(let firesTriggers):
                (
                    firesTriggers ? "INSERT" : "INSERT OR FAIL",
                    max(1, min(Self.rowsPerInsert, Self.mostParameters / names.count))
                )
            }
        let row: SQLText = "(\(repeatElement("?" as SQLText, count: names.count).joined(separator: ", ")))"
        let values = repeatElement(row, count: rows).joined(separator: ", ")
        return RowStatement(
            sql: "\(verb) INTO \(table.tableName) (\(names.joined(separator: ", "))) VALUES \(values)",
            columns: columns, entityColumns: entityColumns, elements: elements, rowCount: rows)
    }

    /// What is bound for columns of the packed row: most as they are, composites element by element.
    private func parameters(
        _ columns: [Int], of table: EntityTable
    ) -> (columns: [Int], elements: [RowStatement.Element]) {
        (
            columns.filter { table.columns[$0].elements.isEmpty },
            columns.flatMap { column in
                table.columns[column].elements.map { RowStatement.Element(column: column, stored: $0) }
            }
        )
    }

    /// `UPDATE ZPERSON SET ZNAME = ?, Z_OPT = ? WHERE Z_PK = ? AND Z_OPT = ?`. A to-one that changes loses its
    /// position in the ordered relationship on the other side.
    package func update(_ table: EntityTable, _ changed: ColumnMask) -> RowStatement {
        remembered(.update(table.entity, changed)) { makeUpdate(table, changed) }
    }

    private func makeUpdate(_ table: EntityTable, _ changed: ColumnMask) -> RowStatement {
        let (columns, elements) = parameters(changed.columns, of: table)
        let entityColumns = columns.filter { table.columns[$0].entityColumn != nil }
        var assignments: [SQLText] = columns.map { "\(table.columns[$0].name) = ?" }
        assignments += entityColumns.map { "\(table.columns[$0].entityColumn!) = ?" }
        assignments += elements.map { "\($0.stored.name) = ?" }
        assignments.append("Z_OPT = ?")
        assignments += columns.compactMap { column in
            table.columns[column].orderColumn.map { "\($0) = NULL" }
        }
        let list = assignments.joined(separator: ", ")
        return RowStatement(
            sql: "UPDATE \(table.tableName) SET \(list) WHERE Z_PK = ? AND Z_OPT = ?",
            columns: columns, entityColumns: entityColumns, elements: elements, rowCount: 1)
    }

    /// `DELETE FROM ZPERSON WHERE Z_PK = ? AND Z_OPT = ?`, or `Z_PK BETWEEN ? AND ?` for neighbouring keys.
    package func delete(from table: EntityTable, isRun: Bool, checksVersion: Bool) -> SQLText {
        let keys: SQLText = isRun ? "BETWEEN ? AND ?" : "= ?"
        let version: SQLText = checksVersion ? " AND Z_OPT = ?" : ""
        return "DELETE FROM \(table.tableName) WHERE Z_PK \(keys)\(version)"
    }

    /// Selects a row if the row has the version.
    package func version(_ reference: ObjectReference, _ version: Int64, in table: EntityTable) -> SQLFragment
    {
        """
        SELECT 1 FROM \(table.tableName) WHERE Z_PK = \(bind: .integer(reference.key)) \
        AND Z_OPT = \(bind: .integer(version))
        """
    }

    // MARK: Links

    package func statement(_ step: LinkStep) -> SQLFragment {
        SQLFragment(text(of: step), bindings: step.values)
    }

    /// The same for every step of a kind on the same columns; the placeholders are for the step's values.
    func text(of step: LinkStep) -> SQLText {
        switch step {
        case .unlink(let table, let owner, let member, false):
            return "DELETE FROM \(table) WHERE \(owner.name) = ? AND \(member.name) = ?"
        case .unlink(let table, let owner, let member, true):
            let pair: SQLText = "\(owner.name) = ? AND \(member.name) = ?"
            return "DELETE FROM \(table) WHERE \(pair) OR \(pair)"
        case .link(let table, let owner, let member):
            return "INSERT OR IGNORE INTO \(table) (\(owner.name), \(member.name)) VALUES (?, ?)"
        case .unlinkAll(let table, let column, let keys):
            return "DELETE FROM \(table) WHERE \(column) \(Self.isOne(of: keys))"
        case .set(let table, let column, _, _):
            return "UPDATE \(table) SET \(column) = ? WHERE Z_PK = ?"
        case .append(let table, let column, let owner, let key):
            let last: SQLText =
                "(SELECT COALESCE(MAX(\(column)), ?) + ? FROM \(table) WHERE \(owner.name) = ?)"
            return "UPDATE \(table) SET \(column) = \(last) WHERE \(key.name) = ?"
        case .place(let table, let column, _, let owner, let member):
            return "UPDATE \(table) SET \(column) = ? WHERE \(owner.name) = ? AND \(member.name) = ?"
        case .clear(let table, let column, let keys):
            return "UPDATE \(table) SET \(column) = NULL WHERE \(column) \(Self.isOne(of: keys))"
        }
    }

    private static func isOne(of keys: ClosedRange<Int64>) -> SQLText {
        keys.count == 1 ? "= ?" : "BETWEEN ? AND ?"
    }

    /// The statement of several steps that put pairs into one table, with the values of one after those of another.
    func link(_ step: LinkStep, count: Int) -> SQLText {
        text(of: step) + repeatElement(", (?, ?)" as SQLText, count: count - 1).joined()
    }

    /// The positions a store has for the members of an ordered relationship: key, position. Nil if it has none.
    package func positions(_ change: LinkChange) -> SQLFragment? {
        guard !change.owner.isTemporary else { return nil }
        switch schema[change.owner.entity]?.toMany[change.slot] {
        case .foreignKey(let table, let column, let order?, _):
            return """
                SELECT Z_PK, \(order) FROM \(table) WHERE \(column) = \(bind: .integer(change.owner.key)) \
                AND \(order) IS NOT NULL
                """
        case .join(let table, let owner, let member, let order?, false):
            return """
                SELECT \(member), \(order) FROM \(table) WHERE \(owner) = \(bind: .integer(change.owner.key)) \
                AND \(order) IS NOT NULL
                """
        default: return nil
        }
    }
}

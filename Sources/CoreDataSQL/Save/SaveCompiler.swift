import CoreDataModelFormat
package import CoreDataStore
package import CoreDataValues
import Synchronization

/// The statement of one form of row operation.
///
/// Its parameters are the leading values, the columns of the packed row in order, the entity numbers of
/// to-one destinations, the elements of composites, and the trailing values.
package struct RowStatement: Sendable {
    /// An element of a composite, and the column of the packed row that has it.
    package struct Element: Sendable {
        package let column: Int
        package let stored: StoredElement

        var type: BoundType { .attribute(stored.type) }
    }

    package let sql: SQLText
    /// The columns of the table that the first parameters are for; of an update without the version, which
    /// comes after them.
    package let names: [SQLIdentifier]
    /// The columns of the table that an update makes null besides.
    package let cleared: [SQLIdentifier]
    /// The columns of the packed row, bound in this order.
    package let columns: [Int]
    /// The to-one columns whose destination's entity number is stored beside them, bound after `columns`.
    package let entityColumns: [Int]
    /// The elements of composites, bound after `entityColumns`.
    package let elements: [Element]
    /// The number of rows that one run of the statement takes.
    package let rowCount: Int

    /// The number of leading values of an insert: Z_PK, Z_ENT, Z_OPT.
    package static let insertPrefix = 3

    /// The number of parameters of one row of an insert.
    package var width: Int { Self.insertPrefix + columns.count + entityColumns.count + elements.count }
}

/// What the text of a statement over all rows of a step depends on, besides their number.
package enum RowsShape: Hashable, Sendable {
    case insert(EntityIndex)
    case update(EntityIndex, ColumnMask)
    case delete(EntityIndex, checksVersion: Bool)
    case require(EntityIndex)
    /// The rows of the history.
    case record
}

/// The form of an insert statement: for one row, or for several.
package enum InsertForm: Hashable {
    case single
    /// At most `SaveCompiler.rowsPerInsert` rows, fewer if they have many columns.
    case group(firesTriggers: Bool)
}

/// The compiler of a save plan's steps into SQL. There is one text per table and column set, so that
/// statements are prepared once.
///
/// The texts of row statements are kept, since a save of one object would spend most of its time on making
/// them.
package final class SaveCompiler: Sendable {
    package let schema: StoreSchema
    let dialect: any WriteDialect
    private let statements = Mutex<[Shape: RowStatement]>([:])
    private let texts = Mutex<[TextKey: SQLText]>([:])

    private enum Shape: Hashable, Sendable {
        case insert(EntityIndex, InsertForm)
        case update(EntityIndex, ColumnMask)
    }

    private struct TextKey: Hashable, Sendable {
        let shape: RowsShape
        let isSingle: Bool
    }

    /// The greatest number of rows of an insert statement. More rows would save little.
    package static let rowsPerInsert = 20
    private static let mostParameters = 2000
    /// The greatest number of texts that are kept, since objects may change in any number of ways.
    private static let mostStatements = 200

    package init(schema: StoreSchema, dialect: any WriteDialect) {
        self.schema = schema
        self.dialect = dialect
    }

    private func remembered(_ shape: Shape, _ make: () -> RowStatement) -> RowStatement {
        Self.remembered(shape, in: statements, make)
    }

    /// Returns the text of a statement over one row or over many, which is made if it is new.
    ///
    /// - Parameter make: Makes the text; for a shape always the same.
    package func text(_ shape: RowsShape, isSingle: Bool, _ make: () -> SQLText) -> SQLText {
        Self.remembered(TextKey(shape: shape, isSingle: isSingle), in: texts, make)
    }

    private static func remembered<Key: Hashable & Sendable, Value: Sendable>(
        _ key: Key, in known: borrowing Mutex<[Key: Value]>, _ make: () -> Value
    ) -> Value {
        if let known = known.withLock({ $0[key] }) { return known }
        let made = make()
        known.withLock { known in
            if known.count >= mostStatements { known.removeAll(keepingCapacity: true) }
            known[key] = made
        }
        return made
    }

    // MARK: Rows

    /// Returns `INSERT OR FAIL INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (?, ?, ?, ?), (…`.
    ///
    /// The transaction is rolled back if a row is refused. A dialect may therefore choose a verb for groups
    /// that does not undo the statement's own rows, such as `INSERT OR FAIL`. Tables with triggers get a
    /// plain INSERT, since the verb would hold for the triggers' statements as well.
    package func insert(_ table: EntityTable, _ form: InsertForm) -> RowStatement {
        remembered(.insert(table.entity, form)) { makeInsert(table, form) }
    }

    private func makeInsert(_ table: EntityTable, _ form: InsertForm) -> RowStatement {
        let (columns, elements) = parameters(Array(table.columns.indices), of: table)
        let entityColumns = columns.filter { table.columns[$0].entityColumn != nil }
        let names =
            [NameMangling.key, NameMangling.entity, NameMangling.version]
            + columns.map { table.columns[$0].name } + entityColumns.map { table.columns[$0].entityColumn! }
            + elements.map(\.stored.name)
        let types =
            [.attribute(.integer64), .entity, .attribute(.integer64)] + columns.map { type($0, of: table) }
            + entityColumns.map { _ in .entity } + elements.map(\.type)
        let (verb, rows): (SQLText, Int) =
            switch form {
            case .single: ("INSERT", 1)
            case .group(let firesTriggers):
                (
                    firesTriggers ? "INSERT" : dialect.insertGroup,
                    max(1, min(Self.rowsPerInsert, Self.mostParameters / names.count))
                )
            }
        let row: SQLText = "(\(types.map { "\(placeholder: .value($0))" }.joined(separator: ", ")))"
        let values = repeatElement(row, count: rows).joined(separator: ", ")
        return RowStatement(
            sql: "\(verb) INTO \(table.tableName) (\(names.joined(separator: ", "))) VALUES \(values)",
            names: names, cleared: [], columns: columns, entityColumns: entityColumns, elements: elements,
            rowCount: rows)
    }

    /// Returns the columns of the packed row that are bound as a whole, and the elements of those that are
    /// composites.
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

    private func type(_ column: Int, of table: EntityTable) -> BoundType {
        schema.columnType(of: schema.model[table.entity].columns[column])
    }

    /// Returns `UPDATE ZPERSON SET ZNAME = ?, Z_OPT = ? WHERE Z_PK = ? AND Z_OPT = ?`.
    ///
    /// A to-one that changes loses its position in the ordered relationship on the other side.
    package func update(_ table: EntityTable, _ changed: ColumnMask) -> RowStatement {
        remembered(.update(table.entity, changed)) { makeUpdate(table, changed) }
    }

    private func makeUpdate(_ table: EntityTable, _ changed: ColumnMask) -> RowStatement {
        let (columns, elements) = parameters(changed.columns, of: table)
        let entityColumns = columns.filter { table.columns[$0].entityColumn != nil }
        let names =
            columns.map { table.columns[$0].name } + entityColumns.map { table.columns[$0].entityColumn! }
            + elements.map(\.stored.name)
        let types =
            columns.map { type($0, of: table) } + entityColumns.map { _ in .entity } + elements.map(\.type)
        let cleared = columns.compactMap { table.columns[$0].orderColumn }
        var assignments = zip(names, types).map { "\($0) = \(placeholder: .value($1))" as SQLText }
        assignments.append("Z_OPT = \(Self.integer)")
        assignments += cleared.map { "\($0) = NULL" }
        let list = assignments.joined(separator: ", ")
        return RowStatement(
            sql: "UPDATE \(table.tableName) SET \(list) WHERE \(Self.hasKeyAndVersion)",
            names: names, cleared: cleared, columns: columns, entityColumns: entityColumns,
            elements: elements, rowCount: 1)
    }

    /// Returns `DELETE FROM ZPERSON WHERE Z_PK = ? AND Z_OPT = ?`, or with `Z_PK BETWEEN ? AND ?` for
    /// neighbouring keys.
    package func delete(from table: EntityTable, isRun: Bool, checksVersion: Bool) -> SQLText {
        let condition =
            switch (isRun, checksVersion) {
            case (false, false): Self.hasKey
            case (false, true): Self.hasKeyAndVersion
            case (true, false): Self.hasKeyInRun
            case (true, true): Self.hasKeyInRunAndVersion
            }
        return "DELETE FROM \(table.tableName) WHERE \(condition)"
    }

    // These are made once, so that not every statement allocates memory for their placeholders.
    private static let hasKey: SQLText = "Z_PK = \(integer)"
    private static let hasKeyAndVersion: SQLText = "\(hasKey) AND Z_OPT = \(integer)"
    private static let hasKeyInRun: SQLText = "Z_PK BETWEEN \(integer) AND \(integer)"
    private static let hasKeyInRunAndVersion: SQLText = "\(hasKeyInRun) AND Z_OPT = \(integer)"

    /// Selects a row by key and version.
    package func version(in table: EntityTable) -> SQLText {
        "SELECT 1 FROM \(table.tableName) WHERE \(Self.hasKeyAndVersion)\(dialect.rowLock)"
    }

    // MARK: Links

    package func statement(_ step: LinkStep) -> SQLFragment {
        SQLFragment(text(of: step), bindings: step.values)
    }

    /// Returns the statement of a step, with placeholders for the step's `values`. It is equal for all steps
    /// of one kind on the same columns.
    package func text(of step: LinkStep) -> SQLText {
        switch step {
        case .unlink(let table, let owner, let member, false):
            return "DELETE FROM \(table) WHERE \(Self.isPair(owner, member))"
        case .unlink(let table, let owner, let member, true):
            let pair = Self.isPair(owner, member)
            return "DELETE FROM \(table) WHERE \(pair) OR \(pair)"
        case .link(let table, let owner, let member):
            return link(table, owner.name, member.name, isGroup: false)
        case .unlinkAll(let table, let column, let keys):
            return "DELETE FROM \(table) WHERE \(column) \(Self.isKey(inRun: keys.count > 1))"
        case .set(let table, let column, _, _):
            return "UPDATE \(table) SET \(column) = \(Self.integer) WHERE Z_PK = \(Self.integer)"
        case .append(let table, let column, let owner, let key):
            let last: SQLText = "COALESCE(MAX(\(column)), \(Self.integer)) + \(Self.integer)"
            return """
                UPDATE \(table) SET \(column) = \
                (SELECT \(last) FROM \(table) WHERE \(owner.name) = \(Self.integer)) \
                WHERE \(key.name) = \(Self.integer)
                """
        case .setPosition(let table, let column, _, let owner, let member):
            return "UPDATE \(table) SET \(column) = \(Self.integer) WHERE \(Self.isPair(owner, member))"
        case .clear(let table, let column, let keys):
            return "UPDATE \(table) SET \(column) = NULL WHERE \(column) \(Self.isKey(inRun: keys.count > 1))"
        }
    }

    private static func isPair(_ owner: LinkStep.Column, _ member: LinkStep.Column) -> SQLText {
        "\(owner.name) = \(integer) AND \(member.name) = \(integer)"
    }

    private static func isKey(inRun isRun: Bool) -> SQLText {
        isRun ? "BETWEEN \(integer) AND \(integer)" : "= \(integer)"
    }

    /// The placeholder of a key, a version or a position.
    private static let integer = SQLText(.integer)

    private static let pair: SQLText = "(\(integer), \(integer))"
    private static let pairs = repeatElement(pair, count: rowsPerInsert).joined(separator: ", ")

    /// Returns the statement that inserts one pair into a join table, or `rowsPerInsert` pairs. It skips
    /// pairs that exist.
    ///
    /// Its values are the keys of each pair, one pair after the other.
    package func link(
        _ table: SQLIdentifier, _ owner: SQLIdentifier, _ member: SQLIdentifier, isGroup: Bool
    ) -> SQLText {
        let pairs = isGroup ? Self.pairs : Self.pair
        return "INSERT INTO \(table) (\(owner), \(member)) VALUES \(pairs) ON CONFLICT DO NOTHING"
    }

    /// Selects key and position of the members of an ordered relationship; nil if the store has no positions
    /// for it.
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

import CoreDataModelFormat
import CoreDataSQL
import CoreDataStore
import CoreDataValues

/// The views for people who look into the database with other programs: the objects of each entity, and the
/// pairs of each many-to-many relationship, under the names of the model and with the types of a database.
///
/// Names are in lower case, so that SQL without quotes finds them in any case. The store itself reads only the
/// tables, so it does without views: one whose name is taken is not made, and one that is dropped comes back
/// with the next migration.
struct ReadableViews {
    private let schema: StoreSchema

    init(_ schema: StoreSchema) { self.schema = schema }

    /// The beginning of the comments by which the views are known.
    private static let sign = "OpenCoreData: "

    // MARK: Running

    /// Makes the views, and grants on them what was granted on former ones.
    func make(_ grants: [Grant] = [], on session: Session) throws(SQLError) {
        let views = views(besides: try StoreTables.takenNames(on: session))
        let made = Set(views.map(\.name))
        let statements =
            views.flatMap(\.statements) + grants.filter { made.contains($0.view) }.map(\.statement)
        if !statements.isEmpty { try session.execute(statements.joined(separator: "; ")) }
    }

    /// A privilege on a view.
    struct Grant {
        let view: String
        let statement: SQLText
    }

    /// Drops the views, and returns what was granted on them. Throws if views of others depend on them.
    static func drop(on session: Session) throws(SQLError) -> [Grant] {
        var grants: [Grant] = []
        let query: SQLFragment = """
            SELECT CAST(c.relname AS text), format('GRANT %s ON %I TO %s%s', a.privilege_type, c.relname, \
            CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END, \
            CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END) \
            FROM pg_class AS c, aclexplode(c.relacl) AS a \
            WHERE \(isView(in: nil)) AND a.grantee <> c.relowner ORDER BY 1, 2
            """
        try session.forEachRow(of: query) { row in
            guard case .text(let view) = row.value(at: 0), case .text(let sql) = row.value(at: 1) else {
                return
            }
            grants.append(Grant(view: view, statement: SQLText(stored: sql)))
        }
        let views = try names(in: nil, on: session)
        if !views.isEmpty { try session.execute("DROP VIEW \(views.joined(separator: ", "))") }
        return grants
    }

    /// Returns the names of the views in a schema; nil for the session's.
    static func names(
        in schema: SQLIdentifier?, on session: Session
    ) throws(SQLError) -> [SQLIdentifier] {
        let query: SQLFragment = """
            SELECT CAST(c.relname AS text) FROM pg_class AS c WHERE \(isView(in: schema)) ORDER BY c.relname
            """
        return try session.texts(query).map(SQLIdentifier.foreign)
    }

    /// The condition that a row `c` of `pg_class` is a view of a store.
    private static func isView(in schema: SQLIdentifier?) -> SQLFragment {
        """
        c.relkind = 'v' AND c.relnamespace = \(StoreTables.identifier(of: schema)) \
        AND starts_with(obj_description(c.oid, 'pg_class'), \(bind: .text(sign)))
        """
    }

    // MARK: Definitions

    /// A view, with the statements that make and describe it.
    private struct View {
        let name: String
        let statements: [SQLText]

        init(_ name: SQLIdentifier, _ comment: String, _ query: SQLText) {
            self.name = name.name
            statements = [
                "CREATE VIEW \(name) AS \(query)",
                "COMMENT ON VIEW \(name) IS \(quoting: ReadableViews.sign + comment)",
            ]
        }
    }

    /// Returns the views in the order of entities' numbers. The first of several with one name gets it.
    private func views(besides taken: Set<String>) -> [View] {
        var taken = taken
        return (schema.tablesByNumber.map(view) + schema.joinTables.compactMap(view)).filter {
            taken.insert($0.name).inserted
        }
    }

    private func view(of table: EntityTable) -> View {
        let entity = schema.model[table.entity]
        var columns = ViewColumns()
        columns.add("Z_PK", named: "z_pk")
        let family = entity.family.compactMap { schema[$0] }
        if entity.hasSubentities {
            let names = family.map {
                "WHEN \($0.number) THEN \(quoting: schema.model[$0.entity].name)" as SQLText
            }
            columns.add("CASE Z_ENT \(names.joined(separator: " ")) END", named: "z_entity")
        }
        for (slot, column) in zip(entity.columns, table.columns) { columns.add(slot, column) }
        var query: SQLText = "SELECT \(columns.list) FROM \(table.tableName)"
        if entity.root != entity.index {
            query += " WHERE Z_ENT IN (\(family.map(\.number).listed()))"
        }
        return View(.folded(entity.name), "the objects of the entity \(entity.name)", query)
    }

    /// Returns the view of a many-to-many relationship; nil if its table is not known by it.
    private func view(of join: JoinTable) -> View? {
        let entity = schema.model[join.master]
        let slot = entity.slots[join.masterSlot]
        guard case .join(_, let owner, let member, _, _)? = schema[join.master]?.toMany[join.masterSlot]
        else {
            return nil
        }
        var columns = ViewColumns()
        columns.add("\(owner)", named: entity.name)
        columns.add("\(member)", named: slot.name)
        return View(
            .folded("\(entity.name)_\(slot.name)"),
            "the objects of \(entity.name).\(slot.name), by their keys",
            "SELECT \(columns.list) FROM \(join.name)")
    }
}

/// The columns of a view, each with a name of its own.
private struct ViewColumns {
    private var names: Set<SQLIdentifier> = []
    private var columns: [SQLText] = []

    var list: SQLText { columns.joined(separator: ", ") }

    /// Adds a column. A name that another column has gets a number.
    mutating func add(_ value: SQLText, named name: String) {
        var unique = SQLIdentifier.folded(name)
        var number = 1
        while !names.insert(unique).inserted {
            number += 1
            unique = .folded("\(name)_\(number)")
        }
        columns.append("\(value) AS \(unique)")
    }

    mutating func add(_ slot: PropertySlot, _ column: StoredColumn) {
        if column.elements.isEmpty {
            return add(Self.value(column.name, slot.attribute?.type), named: slot.name)
        }
        for element in column.elements {
            let path = ([slot.name] + element.path).joined(separator: "_")
            add(Self.value(element.name, element.type), named: path)
        }
    }

    /// Returns a column's value with the type that people expect. Dates beyond those of a database are
    /// infinite.
    ///
    /// - Parameter type: The type of the attribute; nil for a relationship.
    private static func value(_ column: SQLIdentifier, _ type: AttributeType?) -> SQLText {
        switch type {
        case .boolean: "\(column) <> 0"
        case .date:
            """
            CASE WHEN \(column) < -211845110400 THEN timestamptz '-infinity' \
            WHEN \(column) > 9223339708799 THEN timestamptz 'infinity' \
            ELSE to_timestamp(\(column) + 978307200) END
            """
        default: "\(column)"
        }
    }
}

extension SQLIdentifier {
    fileprivate static func folded(_ name: String) -> SQLIdentifier { folding(name).shortened(to: 63) }
}

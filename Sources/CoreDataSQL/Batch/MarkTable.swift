import CoreDataModelFormat
import CoreDataValues

/// The table of the rows that a batch is about to delete: a temporary one of the connection, empty between
/// batches.
///
/// `ROOT` is the number of the root entity, in whose table the key is unique.
struct MarkTable {
    let schema: StoreSchema
    private let name: SQLText
    private let definition: SQLText

    init(schema: StoreSchema, dialect: any WriteDialect) {
        self.schema = schema
        name = dialect.markTable
        definition = dialect.markTableDefinition
    }

    /// The statements that make the table, or clear it, for a batch.
    var begin: [SQLFragment] { [SQLFragment(definition), clear] }
    var clear: SQLFragment { "DELETE FROM \(name)" }

    private func number(_ entity: EntityIndex) -> SQLValue {
        schema[entity].map { .integer($0.number) } ?? .null
    }

    /// Marks the rows that a select of Z_PK and Z_ENT finds.
    func insert(_ rows: SQLFragment, root: EntityIndex) -> SQLFragment {
        """
        WITH r (K, E) AS (\(rows)) INSERT INTO \(name) (ROOT, KEY, ENTITY) \
        SELECT \(bind: number(root), as: .entity), K, E FROM r WHERE true ON CONFLICT DO NOTHING
        """
    }

    /// Selects the keys of an entity's marked rows, those of its subentities included.
    func keys(of entity: EntityIndex) -> SQLFragment {
        let compiled = schema.model[entity]
        guard compiled.family != schema.model[compiled.root].family else { return keys(ofRoot: entity) }
        let numbers = compiled.family.filter { schema[$0] != nil }
            .map { "\(bind: number($0), as: .entity)" as SQLFragment }
        return """
            SELECT KEY FROM \(name) WHERE ROOT = \(bind: number(compiled.root), as: .entity) \
            AND ENTITY IN (\(numbers.joined(separator: ", ")))
            """
    }

    func keys(ofExactly entity: EntityIndex) -> SQLFragment {
        """
        SELECT KEY FROM \(name) WHERE ROOT = \(bind: number(schema.model[entity].root), as: .entity) \
        AND ENTITY = \(bind: number(entity), as: .entity)
        """
    }

    func keys(ofRoot root: EntityIndex) -> SQLFragment {
        "SELECT KEY FROM \(name) WHERE ROOT = \(bind: number(root), as: .entity)"
    }

    func isNotMarked(_ key: SQLText, root: EntityIndex) -> SQLFragment {
        "\(key) NOT IN (\(keys(ofRoot: root)))"
    }

    /// Selects all marked rows of a root entity.
    func rows(ofRoot root: EntityIndex) -> SQLFragment {
        "SELECT KEY, ENTITY FROM \(name) WHERE ROOT = \(bind: number(root), as: .entity) ORDER BY KEY"
    }
}

/// The selects of the objects that relationships of marked rows lead to.
struct MemberCompiler {
    let schema: StoreSchema
    let marks: MarkTable

    /// Selects Z_PK and Z_ENT of the objects that a relationship of the marked rows leads to.
    func members(of slot: PropertySlot, in entity: EntityIndex) -> SQLFragment? {
        guard let relationship = slot.relationship, let destination = schema[relationship.destination],
            let table = schema[entity]
        else { return nil }
        let owners = marks.keys(of: entity)
        let select: SQLFragment = "SELECT m.Z_PK, m.Z_ENT FROM \(destination.tableName) m WHERE "
        if let column = slot.column {
            let name = table.columns[column].name
            return select
                + "m.Z_PK IN (SELECT o.\(name) FROM \(table.tableName) o WHERE o.Z_PK IN (\(owners)))"
        }
        switch table.toMany[slot.index] {
        case .foreignKey(_, let column, _, _):
            return select + "m.\(column) IN (\(owners))"
        case .join(let join, let owner, let member, _, let isReflexive):
            var keys: SQLFragment = "SELECT \(member) FROM \(join) WHERE \(owner) IN (\(owners))"
            if isReflexive {
                keys.append(" UNION SELECT \(owner) FROM \(join) WHERE \(member) IN (\(owners))")
            }
            return select + "m.Z_PK IN (\(keys))"
        case nil: return nil
        }
    }

    /// Selects one of these objects that is not deleted as well, if there is one.
    func remaining(of slot: PropertySlot, in entity: EntityIndex) -> SQLFragment? {
        guard let relationship = slot.relationship, let members = members(of: slot, in: entity) else {
            return nil
        }
        let root = schema.model[relationship.destination].root
        return members + " AND \(marks.isNotMarked("m.Z_PK", root: root)) LIMIT 1"
    }
}

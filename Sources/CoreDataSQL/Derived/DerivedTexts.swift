import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The derived attributes that are a function of the row's own text, computed by a statement of the save.
///
/// A trigger would call functions that Apple's framework does not register, so that it could not write to the
/// store any more.
struct DerivedTexts: Sendable {
    /// The statements that compute the attributes of one row, by entity; the row's key is the only parameter.
    private let statements: [EntityIndex: SQLText]

    init(schema: StoreSchema) {
        var statements: [EntityIndex: SQLText] = [:]
        for table in schema.entities.compactMap({ $0 }) {
            let entity = schema.model[table.entity]
            let assignments = entity.columns.compactMap { slot -> SQLText? in
                guard let column = slot.column,
                    case .text(let form, let attribute) = Derivation(slot, of: entity, in: schema.model),
                    let source = attribute.column
                else { return nil }
                return "\(table.columns[column].name) = \(form.function)(\(table.columns[source].name))"
            }
            if assignments.isEmpty { continue }
            statements[entity.index] = """
                UPDATE \(table.tableName) SET \(assignments.joined(separator: ", ")) \
                WHERE Z_PK = \(placeholder: .integer)
                """
        }
        self.statements = statements
    }

    /// Returns whether any of the entities has such attributes.
    func exist(in family: Range<EntityIndex>) -> Bool { statements.keys.contains(where: family.contains) }

    /// Computes the attributes of rows that a batch wrote.
    func compute(_ rows: [ObjectReference], on connection: any SQLConnection) throws(SQLError) {
        guard !statements.isEmpty else { return }
        for row in rows {
            guard let sql = statements[row.entity] else { continue }
            let statement = try connection.prepare(sql)
            try statement.bind([.integer(row.key)])
            _ = try statement.step()
        }
    }

    /// Returns the rows of a plan with such attributes, by entity, with the statement that computes them.
    func updates(_ plan: SavePlan) -> [(sql: SQLText, rows: [ObjectReference])] {
        guard !statements.isEmpty else { return [] }
        var rows: [EntityIndex: [ObjectReference]] = [:]
        for run in plan.inserts.runs where statements[run.key] != nil {
            rows[run.key] = plan.inserts.references[run.indices].map(plan.permanent.current)
        }
        for update in plan.updates where !update.changed.isEmpty {
            rows[update.reference.entity, default: []].append(update.reference)
        }
        return rows.keys.sorted().compactMap { entity in
            guard let sql = statements[entity], let references = rows[entity] else { return nil }
            return (sql, references)
        }
    }
}

extension Derivation.TextForm {
    var function: SQLText {
        switch self {
        case .canonical: SQLFunctionNames.canonical
        case .lowercase: SQLFunctionNames.lowercase
        case .uppercase: SQLFunctionNames.uppercase
        case .same: ""
        }
    }
}

import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The derived attributes that are a function of the row's own text, computed by a statement of the save.
///
/// A trigger would call functions that Apple's framework does not register, so that it could not write to the
/// store any more. Where a dialect derives nothing by triggers, the time of the save is computed here as well.
struct DerivedTexts: Sendable {
    /// The statements that compute the attributes of one row, by entity; the row's key is the only parameter.
    private let statements: [EntityIndex: SQLText]

    init(schema: StoreSchema, dialect: any SQLDialect) {
        var statements: [EntityIndex: SQLText] = [:]
        for table in schema.entities.compactMap({ $0 }) {
            let entity = schema.model[table.entity]
            let assignments = entity.columns.compactMap { slot -> SQLText? in
                guard let column = slot.column,
                    let derivation = Derivation(slot, of: entity, in: schema.model),
                    Self.computes(derivation, in: dialect)
                else { return nil }
                let value: SQLText
                switch derivation {
                case .now: value = dialect.call(.now, []).sql
                case .text(let form, let attribute):
                    guard let source = attribute.column else { return nil }
                    let operand = SQLOperand(
                        "\(table.columns[source].name)", schema.columnType(of: attribute))
                    value = form.scalarFunction.map { dialect.call($0, [operand]).sql } ?? operand.sql.sql
                case .count, .sum, .copy: return nil
                }
                return "\(table.columns[column].name) = \(value)"
            }
            if assignments.isEmpty { continue }
            statements[entity.index] = """
                UPDATE \(table.tableName) SET \(assignments.joined(separator: ", ")) \
                WHERE Z_PK = \(placeholder: .integer)
                """
        }
        self.statements = statements
    }

    /// Returns whether saves compute attributes of a derivation.
    static func computes(_ derivation: Derivation, in dialect: any SQLDialect) -> Bool {
        switch derivation {
        case .text(let form, _): form.scalarFunction.map(dialect.canCall) ?? true
        case .now: !dialect.derivesByTriggers
        case .count, .sum, .copy: false
        }
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
    /// The function; nil if the text stays as it is.
    fileprivate var scalarFunction: ScalarFunction? {
        switch self {
        case .canonical: .canonical
        case .lowercase: .lowercase
        case .uppercase: .uppercase
        case .same: nil
        }
    }

    var function: SQLText {
        switch self {
        case .canonical: SQLFunctionNames.canonical
        case .lowercase: SQLFunctionNames.lowercase
        case .uppercase: SQLFunctionNames.uppercase
        case .same: ""
        }
    }
}

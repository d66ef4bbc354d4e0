import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues

/// The derived attributes that are a function of the row's own text, computed by a statement of the save.
///
/// A trigger would call functions that Apple's framework does not register, so that it could not write to the
/// store any more. Where a dialect derives nothing by triggers, the time of the save is set here as well; and
/// where it has no such functions at all, the texts are read and computed in this process.
struct DerivedTexts: Sendable {
    /// A derived attribute that this process computes.
    private struct Text: Sendable {
        let column: SQLIdentifier
        let form: Derivation.TextForm
        let source: SQLIdentifier
    }

    /// The computation of the attributes of an entity's rows.
    private struct Computation: Sendable {
        var texts: [Text] = []
        /// The query of the keys and texts of rows, by a list of keys; nil if the database computes all.
        var sources: SQLText?
        /// The statement that sets the attributes of one row: its values are the texts and the row's key.
        var update: SQLText = ""
    }

    private let computations: [EntityIndex: Computation]

    init(schema: StoreSchema, dialect: any SQLDialect) {
        var computations: [EntityIndex: Computation] = [:]
        for table in schema.entities.compactMap({ $0 }) {
            computations[table.entity] = Self.computation(table, schema, dialect)
        }
        self.computations = computations
    }

    private static func computation(
        _ table: EntityTable, _ schema: StoreSchema, _ dialect: any SQLDialect
    ) -> Computation? {
        var result = Computation()
        var assignments: [SQLText] = []
        let entity = schema.model[table.entity]
        for slot in entity.columns {
            guard let column = slot.column.map({ table.columns[$0].name }),
                let derivation = Derivation(slot, of: entity, in: schema.model),
                computes(derivation, in: dialect)
            else { continue }
            switch derivation {
            case .now: assignments.append("\(column) = \(dialect.call(.now, []).sql)")
            case .text(let form, let attribute):
                guard let source = attribute.column.map({ table.columns[$0].name }) else { continue }
                if form == .same || dialect.canCall(.canonical) {
                    assignments.append("\(column) = \(form.function)(\(source))")
                } else {
                    result.texts.append(Text(column: column, form: form, source: source))
                }
            case .count, .sum, .copy: continue
            }
        }
        assignments = result.texts.map { "\($0.column) = \(placeholder: .text)" } + assignments
        if assignments.isEmpty { return nil }
        result.update = """
            UPDATE \(table.tableName) SET \(assignments.joined(separator: ", ")) \
            WHERE Z_PK = \(placeholder: .integer)
            """
        if !result.texts.isEmpty {
            let sources = result.texts.map(\.source).joined(separator: ", ")
            let isWanted = dialect.isMember("Z_PK", of: SQLFragment(SQLText(.integers))).sql
            result.sources = "SELECT \(sources), Z_PK FROM \(table.tableName) WHERE \(isWanted)"
        }
        return result
    }

    /// Returns whether saves compute attributes of a derivation.
    static func computes(_ derivation: Derivation, in dialect: any SchemaDialect) -> Bool {
        switch derivation {
        case .text: true
        case .now: !dialect.derivesByTriggers
        case .count, .sum, .copy: false
        }
    }

    /// Returns whether any of the entities has such attributes.
    func exist(in family: Range<EntityIndex>) -> Bool { computations.keys.contains(where: family.contains) }

    /// Returns the rows of a plan with such attributes whose values may have changed.
    func rows(of plan: SavePlan) -> [ObjectReference] {
        guard !computations.isEmpty else { return [] }
        var rows: [ObjectReference] = []
        for run in plan.inserts.runs where computations[run.key] != nil {
            rows += plan.inserts.references[run.indices].map(plan.permanent.current)
        }
        for update in plan.updates
        where !update.changed.isEmpty && computations[update.reference.entity] != nil {
            rows.append(update.reference)
        }
        return rows
    }

    /// Computes the attributes of rows that were written.
    func compute(_ rows: [ObjectReference], on connection: any SQLConnection) throws(SQLError) {
        guard !computations.isEmpty else { return }
        let byEntity = Dictionary(grouping: rows, by: \.entity)
        for entity in byEntity.keys.sorted() {
            guard let computation = computations[entity], let rows = byEntity[entity] else { continue }
            let values = try values(of: rows.map(\.key), by: computation, connection)
            let statement = try connection.prepare(computation.update)
            for row in values {
                try statement.bind(row)
                _ = try statement.step()
            }
        }
    }

    /// Returns the values for the update of each row.
    private func values(
        of keys: [Int64], by computation: Computation, _ connection: any SQLConnection
    ) throws(SQLError) -> [[SQLValue]] {
        guard let sources = computation.sources else { return keys.map { [.integer($0)] } }
        var rows: [[SQLValue]] = []
        try connection.forEachRow(of: SQLFragment(sources, bindings: [.integers(keys)])) { row in
            let texts = computation.texts.enumerated().map { index, text -> SQLValue in
                guard case .text(let source) = row.value(at: Int32(index)) else { return .null }
                return .text(text.form.applied(to: source))
            }
            rows.append(texts + [row.value(at: Int32(texts.count))])
        }
        return rows
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

    /// Returns the derived text.
    fileprivate func applied(to text: String) -> String {
        switch self {
        case .canonical:
            StringComparison.foldedKey(text, options: [.caseInsensitive, .diacriticInsensitive])
        case .lowercase: text.lowercased()
        case .uppercase: text.uppercased()
        case .same: text
        }
    }
}

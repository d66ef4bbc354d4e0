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
        /// The place of the source in the packed row.
        let packed: Int

        func value(of source: SQLValue?) -> SQLValue {
            guard case .text(let text) = source else { return .null }
            return .text(form.applied(to: text))
        }
    }

    /// The computation of the attributes of an entity's rows.
    private struct Computation: Sendable {
        let table: SQLIdentifier
        var texts: [Text] = []
        /// The attributes that the database computes, as assignments.
        var assignments: [SQLText] = []
        /// Whether one of these is the time, which each update sets.
        var hasTime = false
        /// The query of the keys and texts of rows, by a list of keys; nil if the database computes all.
        var sources: SQLText?

        /// Returns the texts and the key of a row.
        func values(of row: Snapshot, _ key: Int64) -> [SQLValue] {
            texts.map { $0.value(of: SQLValue(row.value($0.packed))) } + [.integer(key)]
        }

        /// Returns the texts and the keys of rows, which are read.
        func values(of keys: [Int64], on connection: any SQLConnection) throws(SQLError) -> [[SQLValue]] {
            guard let sources else { return keys.map { [.integer($0)] } }
            var rows: [[SQLValue]] = []
            try connection.forEachRow(of: SQLFragment(sources, bindings: [.integers(keys)])) { row in
                let values = texts.enumerated().map { $1.value(of: row.value(at: Int32($0))) }
                rows.append(values + [row.value(at: Int32(texts.count))])
            }
            return rows
        }
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
        var result = Computation(table: table.tableName)
        let entity = schema.model[table.entity]
        for slot in entity.columns {
            guard let column = slot.column.map({ table.columns[$0].name }),
                let derivation = Derivation(slot, of: entity, in: schema.model),
                computes(derivation, in: dialect)
            else { continue }
            switch derivation {
            case .now:
                result.assignments.append("\(column) = \(dialect.call(.now, []).sql)")
                result.hasTime = true
            case .text(let form, let attribute):
                guard let packed = attribute.column else { continue }
                let source = table.columns[packed].name
                if form == .same || dialect.canCall(.canonical) {
                    result.assignments.append("\(column) = \(form.function)(\(source))")
                } else {
                    result.texts.append(Text(column: column, form: form, source: source, packed: packed))
                }
            case .count, .sum, .copy: continue
            }
        }
        if result.texts.isEmpty, result.assignments.isEmpty { return nil }
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

    /// Returns the rows of a plan with such attributes whose values may have changed, by entity.
    func rows(of plan: SavePlan) -> [ComputedRows] {
        guard !computations.isEmpty else { return [] }
        var values: [EntityIndex: [[SQLValue]]] = [:]
        for run in plan.inserts.runs {
            guard let computation = computations[run.key] else { continue }
            plan.inserts.forEach(run.indices) { row, reference in
                values[run.key, default: []].append(
                    computation.values(of: row, plan.permanent.current(reference).key))
            }
        }
        for update in plan.updates {
            let entity = update.reference.entity
            guard let computation = computations[entity],
                computation.hasTime || !update.changed.isEmpty
            else { continue }
            values[entity, default: []].append(computation.values(of: update.proposed, update.reference.key))
        }
        return rows(values)
    }

    /// Returns rows that were written, with their values. Texts that this process computes are read for it.
    func rows(
        _ references: [ObjectReference], on connection: any SQLConnection
    ) throws(SQLError) -> [ComputedRows] {
        guard !computations.isEmpty else { return [] }
        var values: [EntityIndex: [[SQLValue]]] = [:]
        for (entity, rows) in Dictionary(grouping: references, by: \.entity) {
            guard let computation = computations[entity] else { continue }
            values[entity] = try computation.values(of: rows.map(\.key), on: connection)
        }
        return rows(values)
    }

    private func rows(_ values: [EntityIndex: [[SQLValue]]]) -> [ComputedRows] {
        values.keys.sorted().compactMap { entity in
            guard let computation = computations[entity], let values = values[entity] else { return nil }
            return ComputedRows(
                entity: entity, table: computation.table, columns: computation.texts.map(\.column),
                computed: computation.assignments, values: values)
        }
    }
}

/// Rows of an entity with the values that columns get, however they are reached: the rows are known by their
/// keys.
package struct ComputedRows: Sendable {
    let entity: EntityIndex
    package let table: SQLIdentifier
    /// The columns that texts are for.
    package let columns: [SQLIdentifier]
    /// Assignments whose values the database computes.
    package let computed: [SQLText]
    /// The texts and the key of each row.
    package let values: [[SQLValue]]

    /// The statement that sets the columns of one row.
    package var update: SQLText {
        let assignments = columns.map { "\($0) = \(placeholder: .text)" as SQLText } + computed
        return """
            UPDATE \(table) SET \(assignments.joined(separator: ", ")) WHERE Z_PK = \(placeholder: .integer)
            """
    }

    /// Returns the rows by root entity and key.
    func references(in model: CompiledModel) -> [ObjectReference] {
        let root = model[entity].root
        return values.compactMap { row in
            guard case .integer(let key) = row.last else { return nil }
            return ObjectReference(entity: root, key: key)
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

    /// Returns the derived text.
    func applied(to text: String) -> String {
        switch self {
        case .canonical:
            StringComparison.foldedKey(text, options: [.caseInsensitive, .diacriticInsensitive])
        case .lowercase: text.lowercased()
        case .uppercase: text.uppercased()
        case .same: text
        }
    }
}

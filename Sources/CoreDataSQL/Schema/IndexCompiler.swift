import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues

/// An index of a new store.
package struct IndexDefinition: Sendable {
    package let name: SQLIdentifier
    package let table: SQLIdentifier
    /// The columns, and the condition of a partial index.
    let text: SQLText
    /// The uniqueness constraint that the index enforces, if it does.
    let constraint: Constraint?

    struct Constraint: Sendable {
        let entity: EntityIndex
        /// The names of the properties.
        let properties: [String]
    }

    package var statement: SQLFragment { SQLFragment("CREATE \(kind) \(name) ON \(table) \(text)") }

    /// The statement that makes the index while others write to the table, in several transactions of its own.
    var concurrentStatement: SQLText { "CREATE \(kind) CONCURRENTLY \(name) ON \(table) \(text)" }

    private var kind: SQLText { constraint == nil ? "INDEX" : "UNIQUE INDEX" }

    /// Returns the rule that rows with equal values break; nil if the index enforces none.
    func violation(in model: CompiledModel) -> MigrationViolation? {
        constraint.map { constraint in
            MigrationViolation(
                entity: model[constraint.entity].name,
                property: constraint.properties.joined(separator: ", "), rule: .unique)
        }
    }
}

/// The compiler of a new store's indexes (sqlite-store §9), table by table: to-one columns, join tables,
/// Z_ENT, fetch indexes, uniqueness constraints.
struct IndexCompiler {
    let schema: StoreSchema
    let numbers: EntityNumbers
    let tables: [TableLayout]
    let joins: [JoinLayout]
    let dialect: any SchemaDialect

    private var model: CompiledModel { schema.model }

    /// Returns the indexes.
    ///
    /// - Parameter scope: The names of the tables, from which those of indexes must differ.
    func definitions(_ scope: inout NameScope) -> [IndexDefinition] {
        var names: Set<SQLIdentifier> = []
        var result: [IndexDefinition] = []
        func add(_ name: SQLIdentifier, on table: SQLIdentifier, _ text: SQLText) {
            // Equal names are equal indexes, of which one is made.
            guard names.insert(name).inserted else { return }
            let name = scope.claim(name)
            result.append(IndexDefinition(name: name, table: table, text: text, constraint: nil))
        }
        for table in tables {
            let family = numbers.ordered.filter { model[table.root].family.contains($0) }
            for column in relationshipColumns(table, family) {
                add(NameMangling.index(on: column, of: table.name), on: table.name, "(\(column))")
            }
            for join in joins.map(\.table) where model[join.master].root == table.root {
                add(
                    NameMangling.index(on: join.secondColumn, of: join.name), on: join.name,
                    "(\(join.secondColumn), \(join.firstColumn))")
            }
            if model[table.root].hasSubentities {
                add(NameMangling.index(on: NameMangling.entity, of: table.name), on: table.name, "(Z_ENT)")
            }
            for entity in family {
                for index in fetchIndexes(model[entity]) + compoundIndexes(model[entity], table)
                    + placeIndexes(model[entity])
                {
                    add(index.name, on: table.name, index.text)
                }
            }
            for entity in family {
                for (properties, text) in constraints(model[entity]) {
                    let name = scope.claim(NameMangling.constraint(properties, of: model[entity].name))
                    result.append(
                        IndexDefinition(
                            name: name, table: table.name, text: text,
                            constraint: .init(entity: entity, properties: properties)))
                }
            }
        }
        return result
    }

    private func relationshipColumns(_ table: TableLayout, _ family: [EntityIndex]) -> [SQLIdentifier] {
        let toOne = family.flatMap { entity in
            model[entity].slots.compactMap { slot in
                slot.declaringEntity == entity && slot.isToOne ? table.stored[PropertyID(slot)]?.name : nil
            }
        }
        return toOne + table.own.values.map(\.name).sorted()
    }

    // MARK: Fetch indexes

    private struct Definition {
        let name: SQLIdentifier
        /// The columns, and the condition of a partial index.
        let text: SQLText
    }

    private func fetchIndexes(_ entity: CompiledEntity) -> [Definition] {
        var indexes = entity.element.fetchIndexes
        // An attribute with the old flag gets a fetch index of its own name; compiled models set the flag for
        // every attribute that a fetch index names.
        let named = Set(indexes.flatMap(\.elements).compactMap(\.propertyName))
        for attribute in entity.element.attributes
        where attribute.isIndexed && !named.contains(attribute.name) {
            indexes.append(
                FetchIndexElement(name: attribute.name, elements: [.init(propertyName: attribute.name)]))
        }
        return indexes.compactMap { definition(of: $0, entity) }
    }

    private func definition(of index: FetchIndexElement, _ entity: CompiledEntity) -> Definition? {
        if index.elements.count == 1, let name = index.elements[0].propertyName,
            entity.slot(named: name)?.relationship != nil
        {
            return nil
        }
        var columns: [IndexedColumn] = []
        for element in index.elements {
            guard element.kind == .binary, let indexed = self.columns(of: element, entity) else { return nil }
            columns += indexed
        }
        guard !columns.isEmpty else { return nil }
        var text: SQLText = "(\(dialect.indexed(columns, isUnique: false)))"
        if let predicate = index.partialPredicate {
            // An index whose condition SQL cannot express is left out. Queries are slower without it, but not
            // wrong.
            guard let node = try? FormatParser.predicate(predicate),
                let condition = PartialPredicateCompiler(encoder: encoder, column: { column($0, entity) })
                    .sql(node)
            else { return nil }
            text += " WHERE \(condition)"
        }
        return Definition(name: NameMangling.index(index.name, of: entity.name), text: text)
    }

    private func columns(
        of element: FetchIndexElement.Element, _ entity: CompiledEntity
    ) -> [IndexedColumn]? {
        let isAscending = element.isAscending
        if let name = element.propertyName { return stored(name, entity)?.indexed(isAscending: isAscending) }
        switch element.expression?.uppercased() {
        case "SELF": return [IndexedColumn(NameMangling.key, isAscending: isAscending)]
        case "ENTITY", "SELF.ENTITY":
            return [IndexedColumn(NameMangling.entity, isAscending: isAscending)]
        default: return nil
        }
    }

    /// Returns the one column of a property, ascending.
    private func indexed(_ property: String, _ entity: CompiledEntity) -> IndexedColumn? {
        stored(property, entity).flatMap { $0.elements.isEmpty ? $0.indexed()[0] : nil }
    }

    private func stored(_ property: String, _ entity: CompiledEntity) -> StoredColumn? {
        entity.slot(named: property)?.column.flatMap { schema[entity.index]?.columns[$0] }
    }

    private var encoder: ConstantEncoder? {
        dialect.hasTypes ? ConstantEncoder(schema: schema, isTyped: true) : nil
    }

    private func column(
        _ property: String, _ entity: CompiledEntity
    ) -> (name: SQLIdentifier, type: BoundType)? {
        guard let column = indexed(property, entity), let slot = entity.slot(named: property) else {
            return nil
        }
        return (column.name, schema.columnType(of: slot))
    }

    /// Returns the plain indexes that stand for spatial ones, one for each attribute: the database joins those
    /// that a query needs.
    private func placeIndexes(_ entity: CompiledEntity) -> [Definition] {
        if dialect.hasSpatialTables { return [] }
        return SpatialIndex.all(of: entity).flatMap { index in
            index.components.compactMap { name in
                indexed(name, entity).map { column in
                    Definition(
                        name: SQLIdentifier("\(index.table)_\(name)"),
                        text: "(\(dialect.indexed([column], isUnique: false)))")
                }
            }
        }
    }

    private func compoundIndexes(_ entity: CompiledEntity, _ table: TableLayout) -> [Definition] {
        entity.element.compoundIndexes.compactMap { names in
            let columns = names.compactMap { indexed($0, entity) }
            guard columns.count == names.count, columns.count > 1 else { return nil }
            let list = columns.map(\.name)
            return Definition(
                name: NameMangling.index(over: list, of: table.name),
                text: columns.contains(where: \.isText)
                    ? "(\(dialect.indexed(columns, isUnique: false)))"
                    : "(\(list.joined(separator: ", ")))")
        }
    }

    private func constraints(_ entity: CompiledEntity) -> [(properties: [String], text: SQLText)] {
        var seen: Set<[String]> = []
        return entity.element.uniquenessConstraints.compactMap { names in
            guard seen.insert(names).inserted else { return nil }
            let columns = names.compactMap { indexed($0, entity) }
            guard columns.count == names.count, !columns.isEmpty else { return nil }
            return (names, "(\(dialect.indexed(columns, isUnique: true)))")
        }
    }
}

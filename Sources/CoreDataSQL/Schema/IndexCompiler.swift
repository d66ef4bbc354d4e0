import CoreDataModelFormat
import CoreDataPredicates
import CoreDataValues

/// The indexes of a new store (sqlite-store §9), table by table: to-one columns, join tables, Z_ENT, fetch indexes,
/// uniqueness constraints.
struct IndexCompiler {
    let schema: StoreSchema
    let numbers: EntityNumbers
    let tables: [TableLayout]
    let joins: [JoinLayout]

    private var model: CompiledModel { schema.model }

    func statements() -> [SQLFragment] {
        var names: Set<String> = []
        var result: [SQLFragment] = []
        func add(_ name: String, _ text: String, isUnique: Bool = false) {
            guard names.insert(name.uppercased()).inserted else { return }
            result.append(SQLFragment("CREATE \(isUnique ? "UNIQUE " : "")INDEX \(name) ON \(text)"))
        }
        for table in tables {
            let family = numbers.ordered.filter { model[table.root].family.contains($0) }
            for column in relationshipColumns(table, family) {
                add("\(table.name)_\(column)_INDEX", "\(table.name) (\(column))")
            }
            for join in joins.map(\.table) where model[join.master].root == table.root {
                add(
                    "\(join.name)_\(join.secondColumn)_INDEX",
                    "\(join.name) (\(join.secondColumn), \(join.firstColumn))")
            }
            if model[table.root].hasSubentities {
                add("\(table.name)_Z_ENT_INDEX", "\(table.name) (Z_ENT)")
            }
            for entity in family {
                for index in fetchIndexes(model[entity], table) { add(index.name, index.text) }
                for index in compoundIndexes(model[entity], table) { add(index.name, index.text) }
            }
            for entity in family {
                for index in constraints(model[entity], table) { add(index.name, index.text, isUnique: true) }
            }
        }
        return result
    }

    private func relationshipColumns(_ table: TableLayout, _ family: [EntityIndex]) -> [String] {
        let toOne = family.flatMap { entity in
            model[entity].slots.compactMap { slot in
                slot.declaringEntity == entity && slot.isToOne ? table.stored[PropertyID(slot)]?.name : nil
            }
        }
        return toOne + table.own.values.map(\.name).sorted()
    }

    // MARK: Fetch indexes

    private struct Definition {
        let name: String
        let text: String
    }

    private func fetchIndexes(_ entity: CompiledEntity, _ table: TableLayout) -> [Definition] {
        var indexes = entity.element.fetchIndexes
        // An attribute with the old flag gets a fetch index of its own name; compiled models set the flag for
        // whatever a fetch index names.
        let named = Set(indexes.flatMap(\.elements).compactMap(\.propertyName))
        for attribute in entity.element.attributes
        where attribute.isIndexed && !named.contains(attribute.name) {
            indexes.append(
                FetchIndexElement(name: attribute.name, elements: [.init(propertyName: attribute.name)]))
        }
        return indexes.compactMap { definition(of: $0, entity, table) }
    }

    private func definition(
        of index: FetchIndexElement,
        _ entity: CompiledEntity,
        _ table: TableLayout
    ) -> Definition? {
        if index.elements.count == 1, let name = index.elements[0].propertyName,
            entity.slot(named: name)?.relationship != nil
        {
            return nil
        }
        var columns: [String] = []
        for element in index.elements {
            guard element.kind == .binary, let names = self.columns(of: element, entity) else { return nil }
            columns += names.map { "\($0) COLLATE BINARY \(element.isAscending ? "ASC" : "DESC")" }
        }
        guard !columns.isEmpty else { return nil }
        var text = "\(table.name) (\(columns.joined(separator: ", ")))"
        if let predicate = index.partialPredicate {
            // A condition SQL cannot state leaves the index out: queries are slower, never wrong.
            guard let node = try? FormatParser.predicate(predicate),
                let condition = PartialPredicateCompiler(column: { self.column($0, entity) }).sql(node)
            else { return nil }
            text += " WHERE \(condition)"
        }
        return Definition(name: "Z_\(entity.name)_\(index.name)", text: text)
    }

    private func columns(of element: FetchIndexElement.Element, _ entity: CompiledEntity) -> [String]? {
        if let name = element.propertyName { return stored(name, entity)?.valueNames }
        switch element.expression?.uppercased() {
        case "SELF": return [NameMangling.key]
        case "ENTITY", "SELF.ENTITY": return [NameMangling.entity]
        default: return nil
        }
    }

    private func column(_ property: String, _ entity: CompiledEntity) -> String? {
        stored(property, entity).flatMap { $0.elements.isEmpty ? $0.name : nil }
    }

    private func stored(_ property: String, _ entity: CompiledEntity) -> StoredColumn? {
        entity.slot(named: property)?.column.flatMap { schema[entity.index]?.columns[$0] }
    }

    private func compoundIndexes(_ entity: CompiledEntity, _ table: TableLayout) -> [Definition] {
        entity.element.compoundIndexes.compactMap { names in
            let columns = names.compactMap { column($0, entity) }
            guard columns.count == names.count, columns.count > 1 else { return nil }
            return Definition(
                name: "\(table.name)_\(columns.joined(separator: "_"))",
                text: "\(table.name) (\(columns.joined(separator: ", ")))")
        }
    }

    private func constraints(_ entity: CompiledEntity, _ table: TableLayout) -> [Definition] {
        entity.element.uniquenessConstraints.compactMap { names in
            let columns = names.compactMap { column($0, entity) }
            guard columns.count == names.count, !columns.isEmpty else { return nil }
            let list = columns.map { "\($0) COLLATE BINARY ASC" }.joined(separator: ", ")
            return Definition(
                name: Self.name(of: names, entity.name), text: "\(table.name) (\(list))")
        }
    }

    /// What the index of a uniqueness constraint is called.
    static func name(of constraint: [String], _ entity: String) -> String {
        "Z_\(entity)_UNIQUE_\(constraint.joined(separator: "_"))"
    }
}

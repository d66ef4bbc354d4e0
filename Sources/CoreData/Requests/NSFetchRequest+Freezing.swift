import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues
import Foundation

extension FetchRequestStorage {
    /// Returns the request as values: names become indexes, objects become references.
    ///
    /// - Parameters:
    ///   - coordinator: The coordinator whose stores will be fetched from, if it is known already.
    ///   - shape: The shape of the answer, if it is not that of the request's result type.
    /// - Throws: The error of a nested `FETCH` expression that has to be executed now.
    func query(
        in model: FrozenModel, asking coordinator: NSPersistentStoreCoordinator? = nil,
        shape: ResultShape? = nil
    ) throws -> FetchQuery {
        let entity = entityIndex(in: model)
        return FetchQuery(
            entity: entity,
            includesSubentities: includesSubentities,
            predicate: try frozenPredicate(in: model, asking: coordinator),
            sort: try (sortDescriptors ?? []).map { try $0.sortKey() },
            limit: fetchLimit,
            offset: fetchOffset,
            shape: try shape ?? resultShape(of: entity, in: model))
    }

    /// Returns the entity to fetch.
    ///
    /// Traps without one, or if the model has no such entity.
    func entityIndex(in model: FrozenModel) -> EntityIndex {
        guard let name = resolvedEntityName else {
            programmerError(
                "A fetch request must have an entity. Make it with init(entityName:) or set entity.")
        }
        if let entity, let index = model.index(of: entity) { return index }
        guard let index = model.compiled.indexByName[name] else {
            programmerError(
                "NSFetchRequest could not locate an NSEntityDescription for entity name '\(name)'; the model "
                    + "has \(model.compiled.indexByName.keys.sorted()).")
        }
        return index
    }

    /// Returns the shape for the result type.
    private func resultShape(of entity: EntityIndex, in model: FrozenModel) throws -> ResultShape {
        switch resultType {
        case .managedObjectIDResultType: .references
        case .countResultType: .count
        case .dictionaryResultType: .dictionaries(try DictionaryShape(self, entity: entity, model: model))
        default: includesPropertyValues ? .rows : .references
        }
    }
}

extension DictionaryShape {
    /// Makes the columns of a dictionary request.
    ///
    /// Traps on a property that does not exist or has more than one value.
    init(_ request: FetchRequestStorage, entity: EntityIndex, model: FrozenModel) throws {
        let reader = ColumnReader(compiled: model.compiled, entity: entity)
        let asked = request.propertiesToFetch ?? []
        self.init(
            columns: asked.isEmpty ? reader.allColumns : asked.map { reader.column($0, "propertiesToFetch") },
            groupBy: (request.propertiesToGroupBy ?? []).map {
                reader.column($0, "propertiesToGroupBy").expression
            },
            having: request.havingPredicate?.node,
            isDistinct: request.returnsDistinctResults)
    }
}

/// A reader of everything that callers may pass as a column: a property or expression description, a name, a
/// key path.
private struct ColumnReader {
    let compiled: CompiledModel
    let entity: EntityIndex

    /// Every stored attribute of the entity.
    var allColumns: [DictionaryShape.Column] {
        compiled[entity].columns.filter { $0.attribute != nil }.map {
            column(keyPath: $0.name, "propertiesToFetch")
        }
    }

    /// Returns the column for a property that was passed in a request's `option`.
    func column(_ property: Any, _ option: String) -> DictionaryShape.Column {
        switch property {
        case let description as NSExpressionDescription:
            // A description without an expression is the property with its name.
            guard let expression = description.expression else {
                return column(keyPath: description.name, option)
            }
            return DictionaryShape.Column(
                name: description.name, expression: expression.node,
                type: description.expressionResultType.value)
        case let description as NSPropertyDescription:
            return column(keyPath: description.name, option)
        case let keyPath as String:
            return column(keyPath: keyPath, option)
        default:
            programmerError(
                "Invalid property \(property) passed to \(option): pass a name, a key path, a property "
                    + "description or an NSExpressionDescription.")
        }
    }

    private func column(keyPath: String, _ option: String) -> DictionaryShape.Column {
        DictionaryShape.Column(
            name: keyPath, expression: .keyPath(keyPath), type: type(of: keyPath, option))
    }

    /// Returns the type of the values at the end of a key path.
    ///
    /// Traps on keys that lead to no single value.
    private func type(of keyPath: String, _ option: String) -> AttributeType {
        var current = compiled[entity]
        var type = AttributeType.objectID
        let keys = keyPath.split(separator: ".").map(String.init)
        for (position, key) in keys.enumerated() {
            if key == "@count" { return .integer64 }
            if key.hasPrefix("@") { continue }
            if position == keys.count - 1, key == "objectID" || key == "self" { return .objectID }
            guard let slot = current.slot(named: key) else {
                programmerError(
                    "Invalid keypath \(keyPath) passed to \(option): \(current.name) has no property "
                        + "\"\(key)\".")
            }
            switch slot.kind {
            case .attribute(let attribute):
                guard attribute.type == .composite else {
                    type = attribute.type
                    continue
                }
                guard let element = attribute.element(at: keys[(position + 1)...]) else {
                    programmerError(
                        "Invalid keypath \(keyPath) passed to \(option): \(current.name).\(key) has no such "
                            + "element.")
                }
                return element.type
            case .relationship(let relationship):
                let isFolded = keys[(position + 1)...].contains { $0.hasPrefix("@") }
                if relationship.isToMany && !isFolded
                    && !keys[..<position].contains(where: { $0.hasPrefix("@") })
                {
                    programmerError("Invalid to many relationship (\(key)) passed to \(option).")
                }
                current = compiled[relationship.destination]
                type = .objectID
            case .fetchedProperty:
                programmerError("Invalid fetched property (\(key)) passed to \(option).")
            }
        }
        return type
    }
}

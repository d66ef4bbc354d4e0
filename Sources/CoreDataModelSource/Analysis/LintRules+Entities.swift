import CoreDataModelFormat
import CoreDataPredicates
import CoreDataValues

extension LintRules {
    // MARK: Names

    static let illegalEntityName: EntityRule = { entity, _ in
        if !entity.name.isElementIdentifier {
            return [
                Diagnostic(
                    .error, at: entity.name, "\"\(entity.name)\" is no legal entity name", facet: "name")
            ]
        }
        guard let first = entity.name.first, !first.isLowercase else {
            return [
                Diagnostic(
                    .warning, at: entity.name, "entity names begin with a capital letter", facet: "name")
            ]
        }
        return []
    }

    static let illegalPropertyNames: EntityRule = { entity, _ in
        entity.propertyNames.compactMap { name in
            let path = "\(entity.name).\(name)"
            if !name.isElementIdentifier {
                return Diagnostic(.error, at: path, "\"\(name)\" is no legal property name", facet: "name")
            }
            if ReservedPropertyNames.contains(name) {
                return Diagnostic(
                    .error, at: path, "\"\(name)\" is reserved: it is a member of NSManagedObject",
                    facet: "name")
            }
            if ReservedPropertyNames.isState(name) {
                return Diagnostic(
                    .warning, at: path,
                    "\"\(name)\" hides a state of every object from key-value access: give the property another name, "
                        + "with this one as its renaming identifier", facet: "name")
            }
            guard let first = name.first, !first.isUppercase else {
                return Diagnostic(
                    .warning, at: path, "property names begin with a lower-case letter", facet: "name")
            }
            return nil
        }
    }

    static let duplicateProperties: EntityRule = { entity, model in
        let inherited = Set(model.lineage(of: entity).dropFirst().flatMap(\.propertyNames))
        let own = entity.propertyNames.repeated.map {
            Diagnostic(
                .error, at: "\(entity.name).\($0)", "two properties have the name \"\($0)\"", facet: "name")
        }
        let hiding = entity.propertyNames.filter(inherited.contains).map {
            Diagnostic(
                .error, at: "\(entity.name).\($0)", "a superentity already has a property \"\($0)\"",
                facet: "name")
        }
        return own + hiding
    }

    // MARK: Inheritance

    static let unknownParent: EntityRule = { entity, model in
        guard let parent = entity.parentName, model.entity(named: parent) == nil else { return [] }
        return [Diagnostic(.error, at: entity.name, "unknown parent entity \"\(parent)\"", facet: "parent")]
    }

    static let inheritanceCycle: EntityRule = { entity, model in
        guard let top = model.lineage(of: entity).last, top.parentName == entity.name else { return [] }
        return [Diagnostic(.error, at: entity.name, "the entity is its own ancestor", facet: "parent")]
    }

    static let abstractLeaf: EntityRule = { entity, model in
        guard entity.isAbstract, model.children(of: entity).isEmpty else { return [] }
        return [
            Diagnostic(
                .warning, at: entity.name, "the entity is abstract and has no subentities: it has no objects",
                facet: "abstract")
        ]
    }

    // MARK: Constraints and indexes

    static let unknownConstrainedProperties: EntityRule = { entity, model in
        entity.uniquenessConstraints.flatMap { $0 }.compactMap { name in
            switch model.property(name, of: entity) {
            case .attribute(let attribute)? where attribute.isTransient:
                return Diagnostic(
                    .error, at: entity.name, "a uniqueness constraint names the transient \"\(name)\"",
                    facet: "constraints")
            case .attribute?: return nil
            case .relationship(let relationship)? where !relationship.isToMany: return nil
            case .relationship?, .fetchedProperty?:
                return Diagnostic(
                    .error, at: entity.name,
                    "a uniqueness constraint names \"\(name)\", which is no attribute or to-one relationship",
                    facet: "constraints")
            case nil:
                return Diagnostic(
                    .error, at: entity.name, "a uniqueness constraint names the unknown property \"\(name)\"",
                    facet: "constraints")
            }
        }
    }

    static let unknownIndexedProperties: EntityRule = { entity, model in
        let compound = entity.compoundIndexes.flatMap { $0 }.map { (path: entity.name, name: $0) }
        let fetch = entity.fetchIndexes.flatMap { index in
            index.elements.compactMap(\.propertyName)
                .map { (path: ElementPath.fetchIndex(index.name, of: entity.name), name: $0) }
        }
        let unknown = (compound + fetch).filter {
            !indexedBesidesProperties.contains($0.name) && model.property($0.name, of: entity) == nil
        }
        let texts = entity.fetchIndexes.flatMap { index in
            unparsable(index, at: ElementPath.fetchIndex(index.name, of: entity.name))
        }
        return unknown.map {
            Diagnostic(
                .error, at: $0.path, "an index names the unknown property \"\($0.name)\"",
                facet: $0.path == entity.name ? "compoundIndexes" : "elements")
        } + texts
    }

    /// The names that an index may contain besides those of properties: they stand for the key and entity of
    /// a row.
    private static let indexedBesidesProperties: Set<String> = ["self", "entity"]

    private static func unparsable(_ index: FetchIndexElement, at path: String) -> [Diagnostic] {
        var found: [Diagnostic] = []
        do {
            if let predicate = index.partialPredicate { _ = try FormatParser.predicate(predicate) }
            for element in index.elements {
                if let text = element.expression { _ = try FormatParser.expression(text) }
            }
        } catch {
            found.append(Diagnostic(.error, at: path, "bad predicate or expression of an index: \(error)"))
        }
        return found
    }

    static let duplicateIndexes: EntityRule = { entity, _ in
        entity.fetchIndexes.map(\.name).repeated.map { name in
            // Some of Apple's own models contain the same index twice; it is created once.
            let isSame = Set(entity.fetchIndexes.filter { $0.name == name }).count == 1
            return Diagnostic(
                isSame ? .warning : .error, at: ElementPath.fetchIndex(name, of: entity.name),
                "two indexes have the name \"\(name)\"", facet: "name")
        }
    }

    // MARK: Fetched properties

    static let fetchedProperties: EntityRule = { entity, model in
        entity.fetchedProperties.flatMap { property in
            let path = "\(entity.name).\(property.name)"
            guard let request = property.fetchRequest else {
                return [
                    Diagnostic(.error, at: path, "the fetched property has no fetch request", facet: "entity")
                ]
            }
            return problems(of: request, at: path, model)
        }
    }
}

import CoreDataJSON
import CoreDataModelFormat
import CoreDataModelSource
import CoreDataValues

/// Changes that may help against problems of elements. Whether one helps against a certain problem is tried.
enum FixRules {
    static func fixes(of place: ElementPlace, in document: ModelDocument) -> [Fix] {
        let path = ElementAddress.path(document.path(of: place))
        let own =
            switch document[place] {
            case .entity(let entity): fixes(of: entity, at: path, in: document)
            case .attribute(let attribute): fixes(of: attribute, at: path)
            case .relationship(let relationship):
                fixes(of: relationship, at: path, owner: document[place.owner].name, in: document)
            case .fetchedProperty(let property):
                fixes(of: property.fetchRequest, at: path, in: document)
            case .fetchRequest(let request): fixes(of: request, at: path, in: document)
            case .index(let index): fixes(of: index, at: path, in: document, owner: place.owner)
            case .configuration(let configuration): fixes(of: configuration, at: path, in: document)
            case .model, .composite: [Fix]()
            }
        return own + naming(place, path, in: document)
    }

    private static func set(_ path: ElementAddress, _ facet: String, _ value: JSONValue) -> DocumentCommand {
        .set([path], [.init(facet, value)])
    }

    private static func clear(
        _ path: ElementAddress, _ facet: String, _ fix: String, _ title: String
    ) -> Fix {
        Fix(fix, title, set(path, facet, .null))
    }

    /// Gives an element a name that is free and legal.
    private static func naming(
        _ place: ElementPlace, _ path: ElementAddress, in document: ModelDocument
    ) -> [Fix] {
        guard place != .model else { return [] }
        let name = document[place].name
        let taken = place.kind.namesakes.flatMap { document.names(of: $0, in: place.owner) }
        let free = name.legal(for: place.kind).cased(for: place.kind).free(among: taken)
        var fixes = [Fix("rename", "rename it to \(free)", .rename(path, to: free))]
        if [.attribute, .relationship, .fetchedProperty].contains(place.kind) {
            let other = (name + "Value").legal(for: place.kind).free(among: taken)
            fixes.append(Fix("rename", "rename it to \(other)", .rename(path, to: other)))
        }
        if taken.filter({ $0 == name }).count > 1 {
            fixes.append(Fix("remove", "remove it", .remove([path])))
        }
        return fixes
    }

    // MARK: Entities

    private static func fixes(
        of entity: EntityElement, at path: ElementAddress, in document: ModelDocument
    ) -> [Fix] {
        var fixes: [Fix] = []
        if let parent = entity.parentName {
            fixes.append(clear(path, "parent", "removeParent", "let it have no parent"))
            fixes.append(
                Fix(
                    "addEntity", "add the entity \(parent)",
                    .add(ElementDraft(.entity, name: parent), to: "", at: nil)))
        }
        if entity.isAbstract {
            fixes.append(
                Fix("makeConcrete", "let it not be abstract", set(path, "abstract", .boolean(false))))
        }
        let known = document.propertyNames(of: entity)
        for (facet, lists) in [
            ("constraints", entity.uniquenessConstraints), ("compoundIndexes", entity.compoundIndexes),
        ] {
            for list in lists {
                let gone = JSONValue(names: list)
                fixes.append(
                    Fix(
                        "removeList", "remove \(list.joined(separator: "+"))",
                        .setMembers(path, facet: facet, add: [], remove: [gone])))
            }
            let kept = lists.map { $0.filter(known.contains) }.filter { !$0.isEmpty }
            fixes.insert(
                Fix(
                    "removeUnknownNames", "remove the names of unknown properties",
                    set(path, facet, .array(kept.map { JSONValue(names: $0) }))), at: 0)
        }
        return fixes
    }

    // MARK: Attributes

    private static func fixes(of attribute: AttributeElement, at path: ElementAddress) -> [Fix] {
        var fixes: [Fix] = []
        if attribute.type == .undefined {
            fixes.append(Fix("setType", "make it a String", set(path, "type", .string("String"))))
            fixes.append(Fix("makeTransient", "make it transient", set(path, "transient", .boolean(true))))
        }
        let element = ModelElement.attribute(attribute)
        if let low = element.value(of: "minimum"), let high = element.value(of: "maximum"), low != .null,
            high != .null
        {
            fixes.append(
                Fix(
                    "swapLimits", "exchange minimum and maximum",
                    .set([path], [.init("minimum", high), .init("maximum", low)])))
        }
        for limit in ["minimum", "maximum"] where attribute.type != .string {
            if let value = element.value(of: limit), value != .null {
                fixes.append(
                    Fix("limitDefault", "make the \(limit) the default", set(path, "default", value)))
            }
        }
        fixes += [
            clear(path, "default", "removeDefault", "remove the default"),
            clear(path, "minimum", "removeMinimum", "remove the minimum"),
            clear(path, "maximum", "removeMaximum", "remove the maximum"),
            clear(path, "regularExpression", "removeRegularExpression", "remove the regular expression"),
            Fix(
                "secureTransformer", "name NSSecureUnarchiveFromData as its transformer",
                set(path, "transformer", .string("NSSecureUnarchiveFromData"))),
            clear(path, "derivation", "removeDerivation", "let it not be derived"),
            Fix(
                "removeExternalStorage", "switch external storage off",
                set(path, "externalStorage", .boolean(false))),
            Fix(
                "removeFullTextIndex", "remove the full-text index",
                .setMembers(
                    path, facet: "userInfo", add: [], remove: [.string(AttributeElement.fullTextIndexKey)])),
        ]
        if let name = attribute.compositeName {
            fixes.append(
                Fix(
                    "addComposite", "add the composite \(name)",
                    .add(ElementDraft(.composite, name: name), to: "", at: nil)))
        }
        return fixes
    }

    // MARK: Relationships

    private static func fixes(
        of relationship: RelationshipElement, at path: ElementAddress, owner: String,
        in document: ModelDocument
    ) -> [Fix] {
        let name = relationship.destinationName
        var fixes: [Fix] = []
        if let destination = document.place(of: .entity, named: name, in: .model) {
            fixes += inverses(
                of: relationship, at: path, owner: owner, to: document.entities[destination.index],
                in: document)
        } else if !name.isEmpty {
            fixes.append(
                Fix(
                    "addEntity", "add the entity \(name)",
                    .add(ElementDraft(.entity, name: name), to: "", at: nil)))
        }
        if relationship.inverseName != nil {
            fixes.append(Fix("removeInverse", "let it have no inverse", .setInverse(path, nil)))
        }
        fixes += [
            Fix("removeOrder", "let it not be ordered", set(path, "ordered", .boolean(false))),
            Fix("removeMinimumCount", "remove the minimum count", set(path, "minimumCount", .integer(0))),
            Fix("removeMaximumCount", "remove the maximum count", set(path, "maximumCount", .integer(0))),
            Fix("makeToMany", "make it to-many", set(path, "toMany", .boolean(true))),
            Fix("nullify", "let deleting nullify the inverse", set(path, "deleteRule", .string("nullify"))),
        ]
        return fixes
    }

    /// Offers the relationships of the destination that lead back and have no inverse, then a new one.
    private static func inverses(
        of relationship: RelationshipElement, at path: ElementAddress, owner: String,
        to destination: EntityElement, in document: ModelDocument
    ) -> [Fix] {
        var fixes: [Fix] = []
        for other in destination.relationships {
            let isFree = other.inverseName == nil && other.destinationName == owner
            guard isFree && other.name != relationship.name || other.name == relationship.inverseName else {
                continue
            }
            fixes.append(
                Fix(
                    "setInverse", "let \(destination.name).\(other.name) be the inverse",
                    .setInverse(path, .path("\(destination.name).\(other.name)"))))
        }
        let taken = document.propertyNames(ofFamilyOf: destination)
        let name = (relationship.inverseName ?? owner.prefix(1).lowercased() + owner.dropFirst()).free(
            among: taken)
        let draft = ElementDraft(
            .relationship, name: name,
            [.init("destination", .string(owner)), .init("optional", .boolean(true))])
        fixes.append(
            Fix(
                "addInverse", "add the inverse \(destination.name).\(name)",
                .add(draft, to: .path(destination.name), at: nil),
                .setInverse(path, .path("\(destination.name).\(name)"))))
        return fixes
    }

    // MARK: What names entities and properties

    private static func fixes(
        of request: FetchRequestElement?, at path: ElementAddress, in document: ModelDocument
    ) -> [Fix] {
        var fixes: [Fix] = []
        if let name = request?.entityName, !name.isEmpty {
            fixes.append(
                Fix(
                    "addEntity", "add the entity \(name)",
                    .add(ElementDraft(.entity, name: name), to: "", at: nil)))
        }
        fixes.append(clear(path, "predicate", "removePredicate", "remove the predicate"))
        return fixes
    }

    private static func fixes(
        of index: FetchIndexElement, at path: ElementAddress, in document: ModelDocument, owner: ElementPlace
    ) -> [Fix] {
        guard case .entity(let entity) = document[owner] else { return [] }
        let known = document.propertyNames(of: entity)
        let kept = index.elements.filter { $0.propertyName.map(known.contains) ?? true }
        return [
            Fix(
                "removeUnknownNames", "remove the names of unknown properties",
                set(path, "elements", .array(kept.map(\.json)))),
            clear(path, "predicate", "removePredicate", "remove the predicate"),
        ]
    }

    private static func fixes(
        of configuration: ConfigurationElement, at path: ElementAddress, in document: ModelDocument
    ) -> [Fix] {
        let known = Set(document.entities.map(\.name))
        return configuration.entityNames.filter { !known.contains($0) }.map { name in
            Fix(
                "removeMember", "remove \(name) from it",
                .setMembers(path, facet: "members", add: [], remove: [.string(name)]))
        }
    }
}

extension ModelDocument {
    /// Returns the names of the properties of an entity, inherited ones included.
    fileprivate func propertyNames(of entity: EntityElement) -> Set<String> {
        Set(
            EntityInheritance(self).lineage(of: entity).flatMap { level in
                level.attributes.map(\.name) + level.relationships.map(\.name)
                    + level.fetchedProperties.map(\.name)
            })
    }

    /// Returns the names that a new property of an entity must not have: those of its properties, and of the
    /// properties of entities that inherit from it.
    fileprivate func propertyNames(ofFamilyOf entity: EntityElement) -> Set<String> {
        let inheritance = EntityInheritance(self)
        let heirs = entities.filter { heir in
            inheritance.lineage(of: heir).contains { $0.name == entity.name }
        }
        return heirs.reduce(into: propertyNames(of: entity)) { $0.formUnion(propertyNames(of: $1)) }
    }
}

extension String {
    /// Returns the name without what names of the kind cannot have.
    fileprivate func legal(for kind: ElementKind) -> String {
        guard kind.isIdentifier, !isElementIdentifier else { return isEmpty ? kind.newName : self }
        let kept = String(unicodeScalars.map { "x\($0)".isElementIdentifier ? Character($0) : "_" })
        let name = String(kept.drop { !String($0).isElementIdentifier })
        return name.isEmpty ? kind.newName : name
    }

    /// Returns the name with the first letter that names of the kind have.
    fileprivate func cased(for kind: ElementKind) -> String {
        switch kind {
        case .entity: prefix(1).uppercased() + dropFirst()
        case .attribute, .relationship, .fetchedProperty: prefix(1).lowercased() + dropFirst()
        default: self
        }
    }
}

import CoreDataPredicates
import CoreDataValues
import Foundation

/// A writer that archives a document as Apple's framework archives its models (mom §2, §6).
struct ArchivedModelWriter {
    enum Flavour {
        /// A `.mom`, in which entities contain only their own properties.
        case compiled
        /// The model cache of a store, in which entities also contain copies of inherited properties, in
        /// known-keys dictionaries.
        case modelCache
    }

    let document: ModelDocument
    let flavour: Flavour
    /// The module for class names that begin with a dot.
    let moduleName: String?
    var archive = ArchiveBuilder()
    /// The number of index expressions written so far, since they are numbered throughout the model.
    var indexedExpressionCount = 0
    private let model: PropertyList
    /// The reserved objects by entity, and by entity and property, so that they can refer to each other.
    private(set) var entities: [String: PropertyList] = [:]
    private(set) var properties: [String: [String: PropertyList]] = [:]
    private var elements: [String: EntityElement] = [:]
    private var children: [String: [String]] = [:]

    init(_ document: ModelDocument, flavour: Flavour, moduleName: String?) {
        self.document = document
        self.flavour = flavour
        self.moduleName = moduleName
        model = archive.reserve()
        for entity in document.entities where elements[entity.name] == nil {
            elements[entity.name] = entity
            entities[entity.name] = archive.reserve()
        }
        for entity in document.entities {
            if let parent = entity.parentName { children[parent, default: []].append(entity.name) }
            for owner in owners(of: entity) {
                let names =
                    owner.attributes.map(\.name) + owner.relationships.map(\.name)
                    + owner.fetchedProperties.map(\.name)
                for name in names where properties[entity.name]?[name] == nil {
                    properties[entity.name, default: [:]][name] = archive.reserve()
                }
            }
        }
    }

    consuming func write() throws -> Data {
        for entity in elements.values.sorted(byCodePointsOf: \.name) {
            try write(entity)
        }
        var fields: [String: PropertyList] = [
            "NSEntities": entityDictionary(),
            "NSVersionIdentifiers": archive.strings(document.versionIdentifiers, "NSSet"),
            "NSFetchRequestTemplates": try templates(),
        ]
        if !document.configurations.isEmpty { fields["NSConfigurations"] = configurations() }
        archive.fill(model, "NSManagedObjectModel", fields)
        return archive.data(root: model)
    }

    /// Returns the entities whose properties an entity contains: itself and, in a model cache, its ancestors.
    func owners(of entity: EntityElement) -> [EntityElement] {
        guard flavour == .modelCache else { return [entity] }
        var owners: [EntityElement] = []
        var level: EntityElement? = entity
        while let current = level, !owners.contains(where: { $0.name == current.name }) {
            owners.insert(current, at: 0)
            level = current.parentName.flatMap { elements[$0] }
        }
        return owners
    }

    /// Returns the object of a property that an inverse relationship refers to. The property may be
    /// inherited.
    func property(_ name: String, of entity: String) -> PropertyList? {
        var visited: Set<String> = []
        var level: String? = entity
        while let current = level, visited.insert(current).inserted {
            if let property = properties[current]?[name] { return property }
            level = elements[current]?.parentName
        }
        return nil
    }

    // MARK: Model

    private mutating func entityDictionary() -> PropertyList {
        let names = entities.keys.sorted(byCodePointsOf: \.self)
        let values = names.map { entities[$0]! }
        guard flavour == .modelCache else {
            return archive.dictionary(zip(names, values).map { ($0, $1) })
        }
        let mapping = archive.object(
            "NSKnownKeysMappingStrategy1",
            [
                "length": .integer(Int64(names.count)), "keys": archive.strings(names),
                "version": .integer(1),
            ])
        return archive.object(
            "NSKnownKeysDictionary1",
            [
                "searchMapping": mapping, "values": archive.collection(values), "version": .integer(1),
                "emptyToken": archive.string("__empty_slot_token_4c24_98dc_ac1e_b773__"),
            ])
    }

    private mutating func templates() throws -> PropertyList {
        guard !document.fetchRequests.isEmpty else { return ArchiveBuilder.null }
        return archive.dictionary(
            try document.fetchRequests.map { request in
                (request.name, try fetchRequest(request, at: ElementPath.fetchRequest(request.name)))
            })
    }

    private mutating func configurations() -> PropertyList {
        let sets = document.configurations.map { configuration in
            let members = configuration.entityNames.compactMap { entities[$0] }
            return (key: configuration.name, value: archive.collection(members, "NSSet"))
        }
        return archive.dictionary(sets)
    }

    // MARK: Entities

    private mutating func write(_ entity: EntityElement) throws {
        let reference = entities[entity.name]!
        var fields: [String: PropertyList] = [
            "NSEntityName": archive.string(entity.name),
            "NSClassNameForEntity": archive.string(resolvedClassName(of: entity)),
            "NSManagedObjectModel": model,
            "NSSuperentity": entity.parentName.flatMap { entities[$0] } ?? ArchiveBuilder.null,
            "NSSubentities": subentities(of: entity),
            "NSUserInfo": archive.userInfo(entity.userInfo),
            "NSVersionHashModifier": archive.string(entity.versionHashModifier),
            "NSRenamingIdentifier": archive.string(entity.renamingIdentifier ?? entity.name),
            "NSProperties": try propertyDictionary(of: entity),
        ]
        if entity.isAbstract { fields["NSIsAbstract"] = .boolean(true) }
        if let text = entity.spotlightDisplayNameExpression {
            let node = try PredicateText.expression(text, at: entity.name)
            fields["NSCoreSpotlightDisplayNameExpression"] = try archive.expression(node)
        }
        try fields.merge(indexes(of: entity)) { $1 }
        archive.fill(reference, "NSEntityDescription", fields)
    }

    /// Returns the class name with the module in the place of a leading dot: `Music.Song` for `.Song` in the
    /// module Music.
    private func resolvedClassName(of entity: EntityElement) -> String? {
        guard let name = entity.className else { return nil }
        guard name.hasPrefix(".") else { return name }
        return moduleName.map { $0 + name } ?? String(name.dropFirst())
    }

    private mutating func subentities(of entity: EntityElement) -> PropertyList {
        let names = (children[entity.name] ?? []).sorted(byCodePointsOf: \.self)
        return archive.dictionary(names.compactMap { name in entities[name].map { (name, $0) } })
    }

    private mutating func propertyDictionary(of entity: EntityElement) throws -> PropertyList {
        for owner in owners(of: entity) {
            for attribute in owner.attributes {
                try write(attribute, of: entity.name, declaredBy: owner)
            }
            for relationship in owner.relationships { try write(relationship, of: entity.name) }
            for property in owner.fetchedProperties { try write(property, of: entity.name) }
        }
        let sorted = (properties[entity.name] ?? [:]).sorted(byCodePointsOf: \.key)
        return archive.dictionary(sorted.map { ($0.key, $0.value) })
    }
}

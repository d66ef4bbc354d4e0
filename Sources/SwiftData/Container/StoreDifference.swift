import CoreData

/// How the entities and properties of a store differ from those of a version.
struct StoreDifference: CustomStringConvertible {
    private let version: Schema.Version
    private let entities: [String]
    private var details: [String] = []

    /// Compares a store with a version: property by property if the store has its model, or else entity by
    /// entity.
    init(
        of url: URL, _ metadata: [String: Any], from version: PlannedMigration.Version,
        _ configuration: String
    ) {
        self.version = version.schema.version
        let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
        let own = version.model.entities(forConfigurationName: configuration) ?? version.model.entities
        let expected = Dictionary(own.map { ($0.name ?? "", $0) }, uniquingKeysWith: { first, _ in first })
        entities = Set(hashes.keys).union(expected.keys).sorted().filter {
            hashes[$0] != expected[$0]?.versionHash
        }
        let stored = try? NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
        for name in entities {
            switch (hashes[name], expected[name]) {
            case (nil, _): details.append("\(name) is not in the store")
            case (_, nil): details.append("\(name) is not in the version")
            case (_, let entity?):
                let properties = stored?.entitiesByName[name].map { Self.properties($0, entity) } ?? []
                details += properties.isEmpty ? ["\(name) is another one"] : properties
            }
        }
    }

    /// How many entities differ.
    var count: Int { entities.count }

    /// Returns the differences between the properties of an entity in a store and in a version.
    private static func properties(
        _ stored: NSEntityDescription, _ expected: NSEntityDescription
    ) -> [String] {
        let (found, wanted) = (stored.propertiesByName, expected.propertiesByName)
        return Set(found.keys).union(wanted.keys).sorted().compactMap { name in
            let path = "\(expected.name ?? "").\(name)"
            guard let there = found[name] else { return "\(path) is not in the store" }
            guard let here = wanted[name] else { return "\(path) is not in the version" }
            if there.versionHash == here.versionHash { return nil }
            return "\(path) is \(text(there)) in the store, \(text(here)) in the version"
        }
    }

    private static func text(_ property: NSPropertyDescription) -> String {
        let kind =
            switch property {
            case let attribute as NSAttributeDescription:
                "\(attribute.attributeType)".replacing("AttributeType", with: "")
            case let relationship as NSRelationshipDescription:
                "\(relationship.isToMany ? "many" : "one") \(relationship.destinationEntity?.name ?? "")"
            default: "\(type(of: property))"
            }
        return property.isOptional ? "an optional \(kind)" : "a mandatory \(kind)"
    }

    /// The differences in a sentence.
    var description: String {
        "It is nearest to \(version), from which it differs: \(details.joined(separator: "; "))."
    }
}

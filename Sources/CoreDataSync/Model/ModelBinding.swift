internal import CoreData
internal import CoreDataSyncCore
internal import Foundation

/// A model and its sync schema, bound to each other: which property is which register.
struct ModelBinding: Sendable {
    let schema: SyncSchema
    /// The entities of the store by their stable names.
    let entities: [String: EntityBinding]
    private let byName: [String: EntityBinding]

    /// - Throws: `StoreSyncError.model` for a model that cannot be synced.
    init(_ descriptions: [NSEntityDescription]) throws {
        do {
            schema = try SyncModelReader(entities: descriptions).read().compiled()
        } catch let error as SyncModelError {
            throw StoreSyncError.model(error.description)
        }
        var entities: [String: EntityBinding] = [:]
        var byName: [String: EntityBinding] = [:]
        for description in descriptions {
            guard let binding = EntityBinding(description, schema) else { continue }
            entities[binding.stableName] = binding
            byName[binding.name] = binding
        }
        self.entities = entities
        self.byName = byName
    }

    /// Returns the entity of a name in the present version of the model.
    func entity(named name: String?) -> EntityBinding? { name.flatMap { byName[$0] } }

    // MARK: Roots

    /// The roots of the entities as text: a migration that changes one gives objects other IDs.
    var rootNames: [UInt8] {
        let lines = entities.values.map { $0.stableName + "\t" + $0.rootName }.sorted()
        return Array(lines.joined(separator: "\n").utf8)
    }

    /// Whether an entity has another root than it had.
    func hasOtherRoots(than former: [UInt8]) -> Bool {
        String(decoding: former, as: UTF8.self).split(separator: "\n").contains { line in
            let names = line.split(separator: "\t").map(String.init)
            guard names.count == 2, let entity = entities[names[0]] else { return false }
            return entity.rootName != names[1]
        }
    }

    // MARK: Names of objects

    /// Returns the name under which a ledger knows an object of the store: the stable name of its entity, and
    /// the last part of its URI. Nil for an object of another model.
    func local(_ id: NSManagedObjectID) -> LocalKey? {
        guard let entity = entity(named: id.entity.name) else { return nil }
        let uri = id.uriRepresentation().absoluteString
        guard let slash = uri.lastIndex(of: "/") else { return nil }
        return entity.stableName + uri[slash...]
    }

    /// Returns the ID of an object by its name in the ledger; nil if the model has no such entity any more.
    func objectID(_ local: LocalKey, in store: StoreAccess) -> NSManagedObjectID? {
        guard let slash = local.lastIndex(of: "/"), let entity = entities[String(local[..<slash])],
            let name = entity.name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed),
            let url = URL(string: "x-coredata://\(store.identifier)/\(name)\(local[slash...])")
        else { return nil }
        return store.coordinator.managedObjectID(forURIRepresentation: url)
    }
}

/// An entity's properties with the registers that they are.
struct EntityBinding: Sendable {
    struct Attribute: Sendable {
        /// The stable name.
        var element: String
        var property: String
        var type: NSAttributeType
    }

    enum Place: Sendable {
        case attribute(Attribute)
        /// Attributes that are merged as one.
        case group([Attribute])
        case reference(String)
    }

    struct Register: Sendable {
        var name: String
        var place: Place
    }

    struct List: Sendable {
        /// The stable name.
        var relationship: String
        var property: String
    }

    struct Pairs: Sendable {
        var side: PairSide
        var property: String
    }

    let stableName: String
    let name: String
    let isAbstract: Bool
    /// The stable name of the entity at the top of its hierarchy.
    let rootName: String
    let registers: [Register]
    /// Ordered relationships whose members hold the reference.
    let lists: [List]
    /// Many-to-many relationships.
    let pairs: [Pairs]
    /// All relationships, also those that have no register on this side.
    let relationships: [Relationship]

    struct Relationship: Sendable {
        var property: String
        var isToMany: Bool
        var isOrdered: Bool
        /// Whether the relationship at the other end is ordered.
        var hasOrderedInverse: Bool
    }

    fileprivate init?(_ description: NSEntityDescription, _ schema: SyncSchema) {
        stableName = SyncModelReader.stableName(description)
        guard let entity = schema.entities[stableName] else { return nil }
        name = description.name ?? ""
        isAbstract = description.isAbstract
        var root = description
        while let parent = root.superentity { root = parent }
        rootName = SyncModelReader.stableName(root)
        let properties = description.properties.filter(SyncModelReader.isSynced)
        let byStableName = Dictionary(properties.map { (SyncModelReader.stableName($0), $0) }) { $1 }
        func attribute(_ element: String) -> Attribute? {
            guard let found = byStableName[element] as? NSAttributeDescription else { return nil }
            return Attribute(element: element, property: found.name, type: found.attributeType)
        }
        registers = entity.values.compactMap { value in
            switch value.rule {
            case .attribute:
                attribute(value.name).map { Register(name: value.name, place: .attribute($0)) }
            case .group(let elements):
                Register(
                    name: value.name, place: .group(elements.keys.sorted().compactMap(attribute)))
            case .reference:
                byStableName[value.name].map { Register(name: value.name, place: .reference($0.name)) }
            case .position: nil
            }
        }
        lists = entity.collections.filter { $0.value.isOrdered }.keys.sorted().compactMap { name in
            byStableName[name].map { List(relationship: name, property: $0.name) }
        }
        pairs = schema.pairs.sorted { $0.key < $1.key }.flatMap { name, rule -> [Pairs] in
            [(rule.first, true), (rule.second, false)].compactMap { side, isFirst in
                guard entity.ancestors.contains(side.entity), let relationship = side.relationship,
                    let property = byStableName[relationship]
                else { return nil }
                return Pairs(side: PairSide(name: name, isFirst: isFirst), property: property.name)
            }
        }
        relationships = properties.compactMap { $0 as? NSRelationshipDescription }.map {
            Relationship(
                property: $0.name, isToMany: $0.isToMany, isOrdered: $0.isOrdered,
                hasOrderedInverse: $0.inverseRelationship?.isOrdered ?? false)
        }
    }
}

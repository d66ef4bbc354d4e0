internal import CoreData
internal import CoreDataSyncCore
internal import Foundation

/// A model and its sync schema, bound to each other: which property is which register.
struct ModelBinding: Sendable {
    let schema: SyncSchema
    /// The entities of the store by their stable names.
    let entities: [String: EntityBinding]
    private let byName: [String: EntityBinding]
    /// Whether values lie in files of their own.
    let hasExternalValues: Bool

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
        hasExternalValues = descriptions.contains { description in
            description.attributesByName.values.contains(where: \.allowsExternalBinaryDataStorage)
        }
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

    // MARK: Properties

    /// The properties that are synced, as text.
    var propertyNames: [UInt8] {
        let own = schema.entities.flatMap { name, entity in entity.registers.keys.map { name + "\t" + $0 } }
        return Array((own + schema.pairs.keys).sorted().joined(separator: "\n").utf8)
    }

    /// Whether there is a property that there was not: what the server has of it was not read.
    func hasOtherProperties(than former: [UInt8]?) -> Bool {
        let known = String(decoding: former ?? [], as: UTF8.self).split(separator: "\n")
        let present = String(decoding: propertyNames, as: UTF8.self).split(separator: "\n")
        return !Set(present).isSubset(of: known)
    }

    // MARK: Names of objects

    /// Returns the name that an object has after a migration has changed keys; nil if it keeps the one that it has.
    static func newName(_ local: LocalKey, _ offsets: [String: Int64]) -> LocalKey? {
        guard let slash = local.lastIndex(of: "/"), let offset = offsets[String(local[..<slash])],
            offset != 0,
            let key = Int64(local[slash...].dropFirst(2))
        else { return nil }
        return "\(local[..<slash])/p\(key + offset)"
    }

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

import CoreData
import CoreDataJSON
import CoreDataModelFormat
import CoreDataValues
import Foundation

/// The objects of an import before they are saved. They are made line by line, then linked.
final class ImportDraft {
    private struct Link {
        let object: NSManagedObject
        let slot: PropertySlot
        let members: [String]
        let line: Int
    }

    /// The place where a new store is made before it is published; nil for an import into an existing store.
    private let draft: StoreDraft?
    private let target: URL
    private let model: StoreModel
    private let context: NSManagedObjectContext
    private let decoding: AttributeDecoding
    private var objects: [String: NSManagedObject] = [:]
    private var links: [Link] = []

    /// Makes a context over the store.
    ///
    /// - Parameter isNew: Whether to make a new store.
    init(_ target: URL, _ type: String, _ model: StoreModel, isNew: Bool = false) throws {
        (self.model, self.target) = (model, target)
        draft = isNew ? try StoreDraft(ofType: type, for: target) : nil
        let url = draft?.url ?? target
        decoding = AttributeDecoding(composites: model.document.composites)
        if isNew { try Self.makeStore(at: url, type, model.document) }
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: try NSManagedObjectModel(PlainModel.document(from: model.document)))
        try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: url,
            options: [NSIgnorePersistentStoreVersioningOption: NSNumber(value: true)])
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.undoManager = nil
    }

    /// Makes the store with the complete model, so that it records that model's hashes. The plain model is
    /// used only for reading and writing.
    private static func makeStore(at url: URL, _ type: String, _ document: ModelDocument) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try NSManagedObjectModel(document))
        let store = try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: url)
        try coordinator.remove(store)
    }

    // MARK: Objects

    func add(_ json: JSONValue, line: Int) throws {
        guard let id = json["id"]?.string else { throw ToolError("an object needs an \"id\": Entity/name") }
        let entity = try model.entity(named: String(id.prefix { $0 != "/" }))
        guard !entity.isAbstract else { throw ToolError("\(entity.name) is abstract") }
        guard objects[id] == nil else { throw ToolError("the id \(id) is used twice") }
        try context.performAndWait {
            let object = NSEntityDescription.insertNewObject(forEntityName: entity.name, into: context)
            objects[id] = object
            for member in Self.members(json["attributes"]) { try set(member, of: object, entity) }
            for member in Self.members(json["relationships"]) {
                links.append(try link(member, of: object, entity, line))
            }
        }
    }

    private static func members(_ json: JSONValue?) -> [JSONValue.Member] {
        if case .object(let members)? = json { members } else { [] }
    }

    private func set(
        _ member: JSONValue.Member, of object: NSManagedObject, _ entity: CompiledEntity
    ) throws {
        guard let slot = entity.slot(named: member.key), let attribute = slot.attribute else {
            throw ToolError("\(entity.name) has no attribute \"\(member.key)\"")
        }
        guard attribute.derivation == nil else { return }
        // Looking up the composite is slow, and few attributes have one.
        let composite =
            attribute.type == .composite
            ? model.document.attribute(member.key, of: entity.name)?.compositeName : nil
        do {
            let value = try decoding.value(member.value, as: attribute.type, composite: composite)
            object.setValue(value, forKey: member.key)
        } catch {
            throw ToolError("\(entity.name).\(member.key): \(error.description)")
        }
    }

    private func link(
        _ member: JSONValue.Member, of object: NSManagedObject, _ entity: CompiledEntity, _ line: Int
    ) throws -> Link {
        guard let slot = entity.slot(named: member.key), slot.relationship != nil else {
            throw ToolError("\(entity.name) has no relationship \"\(member.key)\"")
        }
        let members: [String]
        switch member.value {
        case .null: members = []
        case .string(let id) where !slot.isToMany: members = [id]
        case .array(let ids) where slot.isToMany: members = ids.compactMap(\.string)
        default:
            throw ToolError(
                "\(entity.name).\(member.key) must be \(slot.isToMany ? "an array of ids" : "one id")")
        }
        return Link(object: object, slot: slot, members: members, line: line)
    }

    // MARK: Relationships

    /// Sets the relationships. Ordered relationships come last, since all their members exist by then.
    func link() throws {
        try context.performAndWait {
            for link in links where link.slot.relationship?.isOrdered != true { try connect(link) }
            for link in links where link.slot.relationship?.isOrdered == true { try connect(link) }
            links = []
        }
    }

    private func connect(_ link: Link) throws {
        guard let relationship = link.slot.relationship else { return }
        let destination = model.compiled[relationship.destination]
        let members = try link.members.map { id in
            guard let member = objects[id] else {
                throw ToolError(
                    "line \(link.line): \(link.slot.name) leads to \(id), which is not in the input")
            }
            guard let entity = model.compiled.entity(named: member.entity.name ?? ""),
                destination.includes(entity.index)
            else {
                throw ToolError(
                    "line \(link.line): \(link.slot.name) leads to \(id), which is no \(destination.name)")
            }
            return member
        }
        let value: Any? =
            !relationship.isToMany
            ? members.first
            : relationship.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members)
        link.object.setValue(value, forKey: link.slot.name)
    }

    // MARK: Saving

    /// Returns the name that the input gives to an object.
    func name(of object: NSManagedObject) -> String? {
        objects.first { $0.value === object }?.key
    }

    /// Saves the objects and publishes a new store.
    ///
    /// - Parameter isStrict: Whether an object that breaks a rule of the model is an error; otherwise it is
    ///   saved, with a warning.
    func save(isStrict: Bool) throws -> (count: Int, warnings: [String]) {
        try context.performAndWait {
            let count = context.insertedObjects.count
            var warnings: [String] = []
            do {
                try context.save()
            } catch {
                guard !isStrict, let rules = BrokenRule.all(in: error as NSError) else { throw error }
                warnings = BrokenRule.texts(rules)
                context.validatesSaves = false
                try context.save()
            }
            try close()
            if let draft { try StoreFiles.publish(draft, at: target) }
            return (count, warnings)
        }
    }

    /// Drops the objects and closes the store; a new store is not published.
    func discard() throws {
        try context.performAndWait {
            context.reset()
            try close()
        }
    }

    private func close() throws {
        guard let coordinator = context.persistentStoreCoordinator else { return }
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }
}

extension ModelDocument {
    /// Returns an attribute of an entity, which may be inherited.
    fileprivate func attribute(_ name: String, of entity: String) -> AttributeElement? {
        var current = entities.first { $0.name == entity }
        while let entity = current {
            if let attribute = entity.attributes.first(where: { $0.name == name }) { return attribute }
            current = entity.parentName.flatMap { parent in entities.first { $0.name == parent } }
        }
        return nil
    }
}

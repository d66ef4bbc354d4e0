import CoreData
import CoreDataJSON
import CoreDataModelFormat
import CoreDataStore
import CoreDataStudioInterface
import CoreDataTool
import CoreDataValues
import Foundation

/// The carrying out of edits in a context, on its queue, which notes how each is taken back.
struct EditRun {
    let context: NSManagedObjectContext
    let source: RowSource
    var names: ObjectNames
    /// The stored values of what the edits set, as they were when they were first set.
    var bases: [EditedValue: JSONValue]
    /// The versions of the rows that are deleted, as they were read.
    var versions: [String: Int64]
    private(set) var inverse: [StoreEdit] = []
    /// Why edits were refused, by their positions.
    private(set) var refusals: [Int: StudioFailure] = [:]
    private let decoding: AttributeDecoding

    init(
        _ context: NSManagedObjectContext, _ source: RowSource, _ names: ObjectNames,
        bases: [EditedValue: JSONValue] = [:], versions: [String: Int64] = [:]
    ) {
        self.context = context
        self.source = source
        self.names = names
        self.bases = bases
        self.versions = versions
        decoding = AttributeDecoding(composites: source.model.document.composites)
    }

    /// Carries out edits, and returns those that take them back.
    ///
    /// - Parameter skipsRefused: Whether a value that is refused is left out, and noted in `refusals`.
    mutating func perform(_ edits: [StoreEdit], skipsRefused: Bool = false) throws -> [StoreEdit] {
        (inverse, refusals) = ([], [:])
        for (index, edit) in edits.enumerated() {
            do {
                try perform(edit)
            } catch let failure as StudioFailure where skipsRefused {
                refusals[index] = failure
            }
        }
        context.processPendingChanges()
        return inverse.reversed()
    }

    private mutating func perform(_ edit: StoreEdit) throws {
        switch edit {
        case .set(let name, let key, let value): try set(name, key, value)
        case .insert(let name, let values): try insert(name, values)
        case .delete(let name): try delete(name)
        case .link(let name, let key, let member, let position): try link(name, key, member, position)
        case .unlink(let name, let key, let member): try unlink(name, key, member)
        }
    }

    // MARK: Objects

    func object(_ name: String) throws -> NSManagedObject {
        let name = names.current(name)
        if let id = names.inserted[name] {
            guard let object = context.registeredObject(for: id) else { throw StoreFailures.noObject(name) }
            return object
        }
        let row = try source.row(named: name)
        guard let id = source.coordinator.objectID(of: row, in: source.store),
            let object = try? context.existingObject(with: id), !object.isDeleted
        else { throw StoreFailures.noObject(name) }
        return object
    }

    private func property(_ key: String, of object: NSManagedObject) throws -> PropertySlot {
        guard let slot = source.entity(of: object)?.slot(named: key) else {
            throw Self.refused("there is no property \(key)", object, key)
        }
        if slot.attribute?.derivation != nil {
            throw Self.refused("\(key) is derived: the store computes it", object, key)
        }
        if case .fetchedProperty = slot.kind {
            throw Self.refused("\(key) is a fetched property, which has no value of its own", object, key)
        }
        return slot
    }

    private static func refused(_ message: String, _ object: NSManagedObject, _ key: String) -> StudioFailure
    {
        StudioFailure(.refused, message, [.init("key", .string(key))])
    }

    // MARK: Edits

    /// Sets a value. If it is refused, nothing is changed.
    private mutating func set(_ name: String, _ key: String, _ value: JSONValue) throws {
        let object = try object(name)
        let slot = try property(key, of: object)
        guard !slot.isToMany else {
            throw Self.refused("\(key) has many values: link and unlink them", object, key)
        }
        let new: Any?
        if slot.isToOne {
            let target = (value["id"] ?? value).string
            let member = try target.map { try self.object($0) }
            if let member { try requireDestination(member, slot, object) }
            new = member
        } else if let attribute = slot.attribute {
            do {
                new = try decoding.value(
                    Self.exact(value, attribute.type), as: attribute.type,
                    composite: EditValue.compositeName(slot, of: object, in: source.model))
            } catch {
                throw Self.refused(error.description, object, key)
            }
        } else {
            return
        }
        let before = EditValue.json(object, slot, names)
        noteBase(name, key, object, slot)
        object.setValue(new, forKey: slot.name)
        inverse.append(.set(object: name, key: key, before))
    }

    /// Returns a whole number that a page sent as a text, since its own numbers are doubles.
    private static func exact(_ value: JSONValue, _ type: AttributeType) -> JSONValue {
        guard type.isWhole, let number = value.string.flatMap({ Int64($0) }) else { return value }
        return .integer(number)
    }

    private func requireDestination(
        _ member: NSManagedObject, _ slot: PropertySlot, _ object: NSManagedObject
    ) throws {
        guard let relationship = slot.relationship, let entity = source.entity(of: member),
            source.model.compiled[relationship.destination].includes(entity.index)
        else {
            throw Self.refused(
                "\(slot.name) cannot lead to \(member.entity.name ?? "this")", object, slot.name)
        }
    }

    private mutating func insert(_ name: String, _ values: [JSONValue.Member]) throws {
        let entityName = String(name.prefix { $0 != "/" })
        guard let entity = source.model.compiled.entity(named: entityName) else {
            throw StoreFailures.malformed("the model has no entity \"\(entityName)\"")
        }
        guard !entity.isAbstract else {
            throw StudioFailure(.refused, "\(entityName) is abstract: only its subentities have objects")
        }
        let object = NSEntityDescription.insertNewObject(forEntityName: entityName, into: context)
        names.inserted[name] = object.objectID
        for member in values { try perform(.set(object: name, key: member.key, member.value)) }
        inverse.removeLast(values.count)
        inverse.append(.delete(object: name))
    }

    private mutating func delete(_ name: String) throws {
        let object = try object(name)
        let before = context.deletedObjects
        // Values are noted before the delete rules change them.
        var doomed = DeletedObjects(names, source)
        try doomed.note(object)
        context.delete(object)
        context.processPendingChanges()
        for other in context.deletedObjects.subtracting(before) where other !== object {
            try doomed.note(other)
        }
        if !object.objectID.isTemporaryID, versions[name] == nil {
            versions[name] = try source.version(of: object.objectID.row)
        }
        inverse += doomed.restoring().reversed()
    }

    private mutating func link(_ name: String, _ key: String, _ member: String, _ position: Int?) throws {
        let (object, other) = (try object(name), try object(member))
        let slot = try property(key, of: object)
        try requireDestination(other, slot, object)
        guard slot.isToMany else { return try set(name, key, .string(member)) }
        if slot.relationship?.isOrdered == true {
            let members = object.mutableOrderedSetValue(forKey: slot.name)
            let former = members.index(of: other)
            if former != NSNotFound { members.remove(other) }
            members.insert(other, at: min(max(position ?? members.count, 0), members.count))
            inverse.append(
                former == NSNotFound
                    ? .unlink(object: name, key: key, member: member)
                    : .link(object: name, key: key, member: member, position: former))
        } else {
            let members = object.mutableSetValue(forKey: slot.name)
            guard !members.contains(other) else { return }
            members.add(other)
            inverse.append(.unlink(object: name, key: key, member: member))
        }
    }

    private mutating func unlink(_ name: String, _ key: String, _ member: String) throws {
        let (object, other) = (try object(name), try object(member))
        let slot = try property(key, of: object)
        guard slot.isToMany else { return try set(name, key, .null) }
        if slot.relationship?.isOrdered == true {
            let members = object.mutableOrderedSetValue(forKey: slot.name)
            let position = members.index(of: other)
            guard position != NSNotFound else { return }
            members.remove(other)
            inverse.append(.link(object: name, key: key, member: member, position: position))
        } else {
            let members = object.mutableSetValue(forKey: slot.name)
            guard members.contains(other) else { return }
            members.remove(other)
            inverse.append(.link(object: name, key: key, member: member, position: nil))
        }
    }

    /// Notes the stored value of what is set for the first time, to see later whether another writer changed it.
    private mutating func noteBase(
        _ name: String, _ key: String, _ object: NSManagedObject, _ slot: PropertySlot
    ) {
        let place = EditedValue(object: name, key: slot.name)
        guard bases[place] == nil, !object.objectID.isTemporaryID else { return }
        bases[place] = EditValue.committed(object, slot, names)
    }
}

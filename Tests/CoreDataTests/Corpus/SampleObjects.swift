import Foundation

@testable import CoreData

/// Makes and changes objects of any entity, within the limits of its model.
final class SampleObjects {
    private let context: NSManagedObjectContext
    /// Makes every value different, so that uniqueness constraints hold.
    private var counter = 0

    init(_ context: NSManagedObjectContext) {
        self.context = context
    }

    struct NotPossible: Error {
        let reason: String
    }

    // MARK: Values

    /// Returns a value of the attribute's type that no row has; nil for types of the app.
    private func newValue(for attribute: NSAttributeDescription, after old: Any?) -> Any? {
        counter += 1
        let number = (old as? NSNumber)?.int64Value ?? 0
        switch attribute.attributeType {
        case .integer16AttributeType: return NSNumber(value: number >= 32_000 ? 0 : number + 1)
        case .integer32AttributeType, .integer64AttributeType:
            return NSNumber(value: number >= 2_000_000_000 ? Int64(counter) : number + Int64(counter))
        case .booleanAttributeType: return NSNumber(value: number == 0)
        case .doubleAttributeType, .floatAttributeType: return NSNumber(value: Double(number) + 0.5)
        case .decimalAttributeType: return NSDecimalNumber(value: number + 1)
        case .dateAttributeType: return Date(timeIntervalSinceReferenceDate: Double(counter) + 0.25)
        case .stringAttributeType: return "title \(UUID()) \u{1F409}"
        case .URIAttributeType: return URL(string: "https://example.com/\(counter)")
        case .UUIDAttributeType: return UUID()
        case .binaryDataAttributeType: return Data("data \(counter)".utf8)
        // A transformer that returns the stored data replaces the app's.
        case .transformableAttributeType
        where attribute.valueTransformerName == CorpusStore.opaqueTransformerName:
            return Data("object \(counter)".utf8)
        default: return nil
        }
    }

    private func isFree(_ attribute: NSAttributeDescription) -> Bool {
        !attribute.isTransient && !(attribute is NSDerivedAttributeDescription)
    }

    // MARK: Changing

    /// Changes every attribute that can be changed. Returns the new values.
    func change(_ object: NSManagedObject) -> [String: Any] {
        var values: [String: Any] = [:]
        for (name, attribute) in object.entity.attributesByName where isFree(attribute) {
            guard let value = newValue(for: attribute, after: object.value(forKey: name)) else { continue }
            object.setValue(value, forKey: name)
            values[name] = value
        }
        return values
    }

    /// Sets mandatory transient attributes, which no store has and every save needs.
    func complete(_ objects: some Sequence<NSManagedObject>) {
        for object in objects {
            for (name, attribute) in object.entity.attributesByName
            where attribute.isTransient && !attribute.isOptional && object.value(forKey: name) == nil {
                object.setValue(newValue(for: attribute, after: nil), forKey: name)
            }
        }
    }

    // MARK: Relationships

    /// Changes a relationship as far as there are objects for it: sets another object, or exchanges a member
    /// and puts the last one first. Returns whether anything was changed.
    func change(_ relationship: NSRelationshipDescription, _ name: String, of object: NSManagedObject) throws
        -> Bool
    {
        guard let destination = relationship.destinationEntity?.name else { return false }
        let request = NSFetchRequest<NSManagedObject>(entityName: destination)
        request.fetchLimit = 4
        let candidates = try context.fetch(request).filter { $0 !== object }
        if !relationship.isToMany {
            let current = object.value(forKey: name) as? NSManagedObject
            let other = candidates.first { $0 !== current }
            guard other != nil || current != nil && relationship.isOptional else { return false }
            object.setValue(other, forKey: name)
            return true
        }
        return relationship.isOrdered
            ? reorder(object.mutableOrderedSetValue(forKey: name), candidates)
            : exchange(object.mutableSetValue(forKey: name), candidates)
    }

    private func exchange(_ members: NSMutableSet, _ candidates: [NSManagedObject]) -> Bool {
        let former = members.anyObject()
        let other = candidates.first { !members.contains($0) }
        if let former { members.remove(former) }
        if let other { members.add(other) }
        return former != nil || other != nil
    }

    private func reorder(_ members: NSMutableOrderedSet, _ candidates: [NSManagedObject]) -> Bool {
        let count = members.count
        if count > 2 { members.removeObject(at: 1) }
        if members.count > 1 { members.moveObjects(at: IndexSet(integer: members.count - 1), to: 0) }
        let other = candidates.first { !members.contains($0) }
        if let other { members.insert(other, at: min(1, members.count)) }
        return count > 1 || other != nil
    }

    // MARK: Inserting

    /// Returns an object with every attribute and every mandatory relationship set.
    func insert(_ entity: NSEntityDescription) throws -> NSManagedObject {
        let object = try make(entity)
        try fill(object, depth: 0)
        return object
    }

    private func make(_ entity: NSEntityDescription) throws -> NSManagedObject {
        guard let entity = concrete(entity) else { throw NotPossible(reason: "no concrete entity") }
        let object = NSManagedObject(entity: entity, insertInto: context)
        for (name, attribute) in entity.attributesByName where isFree(attribute) {
            if let value = newValue(for: attribute, after: nil) {
                object.setValue(value, forKey: name)
            } else if !attribute.isOptional, object.value(forKey: name) == nil {
                throw NotPossible(
                    reason: "\(entity.name ?? "").\(name) is mandatory and of the app's own type")
            }
        }
        complete([object])
        return object
    }

    /// Links members before filling them, so that the inverse relationship is no longer empty.
    private func fill(_ object: NSManagedObject, depth: Int) throws {
        guard depth < 6 else { throw NotPossible(reason: "mandatory relationships go on and on") }
        for (name, relationship) in object.entity.relationshipsByName.sorted(by: { $0.key < $1.key })
        where !relationship.isOptional && isEmpty(object.value(forKey: name)) {
            guard let destination = relationship.destinationEntity else { continue }
            let member = try make(destination)
            if !relationship.isToMany {
                object.setValue(member, forKey: name)
            } else if relationship.isOrdered {
                object.mutableOrderedSetValue(forKey: name).add(member)
            } else {
                object.mutableSetValue(forKey: name).add(member)
            }
            try fill(member, depth: depth + 1)
        }
    }

    private func isEmpty(_ value: Any?) -> Bool {
        guard let value else { return true }
        if let set = value as? NSOrderedSet { return set.count == 0 }
        if let set = value as? Set<AnyHashable> { return set.isEmpty }
        return false
    }

    private func concrete(_ entity: NSEntityDescription) -> NSEntityDescription? {
        guard entity.isAbstract else { return entity }
        return entity.subentities.lazy.compactMap { self.concrete($0) }.first
    }
}

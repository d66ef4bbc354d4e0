import Foundation

@testable import CoreData

/// Makes and changes objects of entities nobody knows, as far as their model says what is allowed.
final class SampleObjects {
    private let context: NSManagedObjectContext
    /// Makes every value a new one, so that uniqueness constraints hold.
    private var counter = 0

    init(_ context: NSManagedObjectContext) {
        self.context = context
    }

    struct NotPossible: Error {
        let reason: String
    }

    // MARK: Values

    /// A value of the attribute's type that no row has; nil for types whose values are the app's own.
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
        case .stringAttributeType: return "value \(UUID()) \u{1F409}"
        case .URIAttributeType: return URL(string: "https://example.com/\(counter)")
        case .UUIDAttributeType: return UUID()
        case .binaryDataAttributeType: return Data("data \(counter)".utf8)
        default: return nil
        }
    }

    private func isFree(_ attribute: NSAttributeDescription) -> Bool {
        !attribute.isTransient && !(attribute is NSDerivedAttributeDescription)
    }

    // MARK: Changing

    /// Changes every attribute that can be. Returns the new values.
    func change(_ object: NSManagedObject) -> [String: Any] {
        var values: [String: Any] = [:]
        for (name, attribute) in object.entity.attributesByName where isFree(attribute) {
            guard let value = newValue(for: attribute, after: object.value(forKey: name)) else { continue }
            object.setValue(value, forKey: name)
            values[name] = value
        }
        return values
    }

    // MARK: Inserting

    /// An object with every attribute set and every mandatory relationship filled.
    func insert(_ entity: NSEntityDescription, depth: Int = 0) throws -> NSManagedObject {
        guard depth < 6 else { throw NotPossible(reason: "mandatory relationships go round in a circle") }
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
        for (name, relationship) in entity.relationshipsByName.sorted(by: { $0.key < $1.key })
        where !relationship.isOptional && isEmpty(object.value(forKey: name)) {
            guard let destination = relationship.destinationEntity else { continue }
            let member = try insert(destination, depth: depth + 1)
            if !relationship.isToMany {
                object.setValue(member, forKey: name)
            } else if relationship.isOrdered {
                object.mutableOrderedSetValue(forKey: name).add(member)
            } else {
                object.mutableSetValue(forKey: name).add(member)
            }
        }
        return object
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

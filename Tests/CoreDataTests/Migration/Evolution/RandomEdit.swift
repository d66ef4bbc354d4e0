import CoreData
import Foundation

/// Random edits: objects are inserted, deleted, changed and related.
struct RandomEdit {
    let context: NSManagedObjectContext
    /// The entities that the store has.
    let entities: [NSEntityDescription]

    func run(_ random: inout SeededGenerator) {
        var objects = existing()
        // A relationship without inverse would keep its reference to a deleted object.
        let lonely = entities.flatMap { $0.relationshipsByName.values }.filter {
            $0.inverseRelationship == nil
        }
        for object in objects where random.chance(10) {
            if lonely.contains(where: { object.entity.isKindOf(entity: $0.destinationEntity!) }) { continue }
            context.delete(object)
        }
        objects.removeAll(where: \.isDeleted)
        for entity in entities.filter({ !$0.isAbstract }).sorted(by: { $0.name! < $1.name! }) {
            for _ in 0..<random.number(1...4) {
                let name = "o\(random.next() % 1_000_000_000_000)"
                objects.append(context.insert(entity.name!, ["name": name]))
            }
        }
        for object in objects {
            setAttributes(of: object, &random)
            setRelationships(of: object, objects, &random)
        }
    }

    private func existing() -> [NSManagedObject] {
        let roots = entities.filter { $0.superentity == nil }
        let objects = roots.flatMap { (try? context.fetch($0.name!, nil, [], sortedBy: nil)) ?? [] }
        return objects.sorted {
            ($0.value(forKey: "name") as! String) < ($1.value(forKey: "name") as! String)
        }
    }

    private func setAttributes(of object: NSManagedObject, _ random: inout SeededGenerator) {
        for (key, attribute) in object.entity.attributesByName.sorted(by: { $0.key < $1.key })
        where key != "name" && !(attribute is NSDerivedAttributeDescription) && random.chance(60) {
            object.setValue(value(attribute, &random), forKey: key)
        }
    }

    private func setRelationships(
        of object: NSManagedObject, _ objects: [NSManagedObject], _ random: inout SeededGenerator
    ) {
        for (key, relationship) in object.entity.relationshipsByName.sorted(by: { $0.key < $1.key })
        where random.chance(60) {
            let candidates = objects.filter { $0.entity.isKindOf(entity: relationship.destinationEntity!) }
            let members = (0..<random.number(0...3)).compactMap { _ in
                candidates.isEmpty ? nil : random.pick(candidates)
            }
            if relationship.isToMany, relationship.inverseRelationship == nil {
                release(members, from: key, objects.filter { $0 != object })
            }
            if relationship.isOrdered {
                object.setValue(NSOrderedSet(array: members), forKey: key)
            } else if relationship.isToMany {
                object.setValue(NSSet(array: members), forKey: key)
            } else {
                object.setValue(members.first, forKey: key)
            }
        }
    }

    /// In SQLite, members of a to-many relationship without inverse have one owner.
    private func release(_ members: [NSManagedObject], from key: String, _ owners: [NSManagedObject]) {
        for owner in owners {
            guard let relationship = owner.entity.relationshipsByName[key] else { continue }
            if relationship.isOrdered {
                let rest = (owner.value(forKey: key) as! NSOrderedSet).array.filter {
                    !members.contains($0 as! NSManagedObject)
                }
                owner.setValue(NSOrderedSet(array: rest), forKey: key)
            } else {
                let rest = (owner.value(forKey: key) as! NSSet).filter {
                    !members.contains($0 as! NSManagedObject)
                }
                owner.setValue(NSSet(array: rest), forKey: key)
            }
        }
    }

    // MARK: Values

    private func value(_ attribute: NSAttributeDescription, _ random: inout SeededGenerator) -> Any? {
        if attribute.isOptional, random.chance(20) { return nil }
        let isKey = attribute.name.hasPrefix("k")
        let number = isKey ? Int(random.next() % 1_000_000_000_000) : random.number(-9...9)
        switch attribute.attributeType {
        case .stringAttributeType: return "s\(number)"
        case .decimalAttributeType: return NSDecimalNumber(value: Double(number) / 4)
        case .booleanAttributeType: return number > 0
        case .doubleAttributeType, .floatAttributeType: return Double(number) / 8
        case .dateAttributeType: return Date(timeIntervalSinceReferenceDate: Double(number))
        case .binaryDataAttributeType:
            // Some values are large enough for an external file.
            let isLarge = attribute.allowsExternalBinaryDataStorage && number > 3
            return Data("\(number)".utf8) + Data(count: isLarge ? 100_001 : 0)
        case .UUIDAttributeType:
            return UUID(uuidString: "00000000-0000-0000-0000-00000000000\(abs(number))")
        case .URIAttributeType: return URL(string: "https://example.com/\(number)")
        case .transformableAttributeType:
            let isLarge = attribute.allowsExternalBinaryDataStorage && number > 5
            return ["\(number)", String(repeating: "x", count: isLarge ? 100_001 : 0)] as NSArray
        case .compositeAttributeType: return values((attribute as! NSCompositeAttributeDescription), &random)
        default: return number
        }
    }

    private func values(
        _ composite: NSCompositeAttributeDescription, _ random: inout SeededGenerator
    ) -> [String: Any]? {
        var result: [String: Any] = [:]
        for element in composite.elements { result[element.name] = value(element, &random) }
        return result.isEmpty ? nil : result
    }
}

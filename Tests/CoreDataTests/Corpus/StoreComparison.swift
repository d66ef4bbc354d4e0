import Foundation
import Testing

@testable import CoreData

/// Compares a context's view of a store's objects with plain SQL's.
struct StoreComparison {
    let context: NSManagedObjectContext
    let store: PlainStore
    /// Whether objects may be older than the last save where their context had no notice: values that
    /// triggers wrote, members that another owner took over without an inverse.
    var isBeforeRefresh = false

    /// The numbers of compared values, so that a test can check that there were any.
    struct Counts {
        var objects = 0
        var values = 0
        var toOnes = 0
        var members = 0
        var orders = 0
        var externals = 0
    }

    /// Compares every object of every entity, with every attribute and relationship.
    func compareAll() throws -> Counts {
        var counts = Counts()
        for entity in store.model.entities where !entity.isAbstract { try compare(entity, &counts) }
        return counts
    }

    private func compare(_ entity: NSEntityDescription, _ counts: inout Counts) throws {
        let name = try #require(entity.name)
        let rows = try store.rows(of: entity)
        let request = NSFetchRequest<NSManagedObject>(entityName: name)
        request.includesSubentities = false
        let objects = try context.fetch(request)
        #expect(Set(objects.map { Self.key(of: $0.objectID) }) == Set(rows.keys), "\(name)")
        #expect(objects.count == rows.count, "\(name)")
        let relationships = entity.relationshipsByName.filter { !$1.isTransient }
        for object in objects {
            guard let row = rows[Self.key(of: object.objectID)] else { continue }
            counts.objects += 1
            #expect(object.entity === entity)
            try compareAttributes(of: object, row, &counts)
            for (name, relationship) in relationships {
                if isBeforeRefresh, relationship.inverseRelationship == nil { continue }
                if relationship.isToMany {
                    try compareMembers(of: object, name, relationship, &counts)
                } else {
                    try compareToOne(of: object, name, row, relationship, &counts)
                }
            }
        }
    }

    static func key(of id: NSManagedObjectID) -> Int64 {
        Int64(id.uriRepresentation().lastPathComponent.dropFirst()) ?? 0
    }

    private func label(_ object: NSManagedObject, _ name: String) -> String {
        "\(object.entity.name ?? "").\(name) of p\(Self.key(of: object.objectID))"
    }

    // MARK: Attributes

    private func compareAttributes(
        of object: NSManagedObject, _ row: [String: PlainDatabase.Cell], _ counts: inout Counts
    ) throws {
        let triggers = isBeforeRefresh ? try store.triggerColumns()[store.table(of: object.entity)] ?? [] : []
        for (name, attribute) in object.entity.attributesByName where !attribute.isTransient {
            let column = try #require(store.column(name, of: object.entity), "\(name)")
            if triggers.contains(column) { continue }
            let stored = try #require(row[column], "\(name): no column \(column)")
            let value = object.value(forKey: name)
            counts.values += 1
            if attribute.allowsExternalBinaryDataStorage, case .blob(let bytes) = stored {
                counts.externals += 1
                compareMarked(value, bytes, object, name)
            } else if !Self.matches(value, stored, attribute) {
                Issue.record(
                    "\(label(object, name)): \(String(describing: value)) is not \(stored) in \(column)")
            }
        }
    }

    /// Marker 01 and the value, or marker 02 and the name of a file, which may be missing.
    private func compareMarked(_ value: Any?, _ stored: Data, _ object: NSManagedObject, _ name: String) {
        guard stored.first == 2 else {
            #expect(stored.first == 1, "\(label(object, name))")
            #expect(value as? Data == stored.dropFirst(), "\(label(object, name))")
            return
        }
        let file = String(decoding: stored.dropFirst().prefix(36), as: UTF8.self)
        let contents = try? Data(contentsOf: store.externalFolder.appendingPathComponent(file))
        #expect(value as? Data == contents, "\(label(object, name))")
        #expect((object.readingError(forKey: name) == nil) == (contents != nil), "\(label(object, name))")
    }

    private static func matches(
        _ value: Any?, _ cell: PlainDatabase.Cell, _ attribute: NSAttributeDescription
    ) -> Bool {
        guard cell != .null else { return value == nil }
        switch attribute.attributeType {
        case .stringAttributeType: return cell == (value as? String).map { .text($0) }
        case .URIAttributeType: return cell == (value as? URL).map { .text($0.absoluteString) }
        case .UUIDAttributeType:
            return cell == (value as? UUID).map { id in .blob(withUnsafeBytes(of: id.uuid) { Data($0) }) }
        case .dateAttributeType: return cell.number == (value as? Date)?.timeIntervalSinceReferenceDate
        // Transformers that return the stored data replace those of the app.
        case .binaryDataAttributeType, .transformableAttributeType:
            return cell == (value as? Data).map { .blob($0) }
        case .booleanAttributeType:
            return cell == .integer((value as? NSNumber)?.boolValue == true ? 1 : 0) && value != nil
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            return cell == (value as? NSNumber).map { .integer($0.int64Value) }
        case .doubleAttributeType: return cell.number == (value as? NSNumber)?.doubleValue
        case .floatAttributeType: return cell.number.map(Float.init) == (value as? NSNumber)?.floatValue
        // Compared by digits: converting a decimal number to a double may differ in the last bit.
        case .decimalAttributeType:
            return cell.number == (value as? NSDecimalNumber).flatMap { Double("\($0)") }
        default: return false
        }
    }

    // MARK: Relationships

    private func compareToOne(
        of object: NSManagedObject, _ name: String, _ row: [String: PlainDatabase.Cell],
        _ relationship: NSRelationshipDescription, _ counts: inout Counts
    ) throws {
        let column = try #require(store.column(name, of: object.entity), "\(name)")
        let stored = try #require(row[column], "\(name): no column \(column)")
        let destination = object.value(forKey: name) as? NSManagedObject
        counts.toOnes += 1
        // A key of 0 means no row, like NULL.
        let expected: Int64? = if case .integer(let key) = stored, key != 0 { key } else { nil }
        guard destination.map({ Self.key(of: $0.objectID) }) == expected else {
            Issue.record("\(label(object, name)): \(String(describing: destination)) is not \(stored)")
            return
        }
        guard let destination, let entity = relationship.destinationEntity,
            let there = try store.rows(table: store.table(of: entity))[Self.key(of: destination.objectID)]
        else { return }
        let number = store.numbers[destination.entity.name ?? ""].map(PlainDatabase.Cell.integer)
        #expect(there["Z_ENT"] == number, "\(label(object, name)) leads to another entity")
    }

    private func compareMembers(
        of object: NSManagedObject, _ name: String, _ relationship: NSRelationshipDescription,
        _ counts: inout Counts
    ) throws {
        let expected =
            try store.members(of: relationship, name, from: object.entity)[Self.key(of: object.objectID)]
            ?? []
        let value = object.value(forKey: name)
        let list = (value as? NSOrderedSet)?.array ?? (value as? NSSet)?.allObjects
        let objects = try #require(
            (list ?? (value as? Set<NSManagedObject>).map(Array.init)) as? [NSManagedObject])
        let keys = objects.map { Self.key(of: $0.objectID) }
        counts.members += keys.count
        if relationship.isOrdered {
            counts.orders += 1
            if keys != expected { Issue.record("\(label(object, name)): \(keys) is not \(expected)") }
        } else if keys.sorted() != expected.sorted() {
            Issue.record("\(label(object, name)): \(keys.sorted()) is not \(expected.sorted())")
        }
    }
}

import Foundation
import Testing

@testable import CoreData

@Suite("Reading stores written by Apple's framework", .enabled(if: !CorpusStore.all.isEmpty))
struct CorpusReadingTests {
    /// How many rows of an entity are compared value by value.
    private static let sampleSize = 25

    @Test("Every row of every entity is fetched", arguments: CorpusStore.openable)
    func counts(store: CorpusStore) throws {
        let folder = try ScratchFolder()
        let url = try store.copy(to: folder)
        let model = try store.model()
        let database = try PlainDatabase(url)
        let numbers = try database.entityNumbers(in: model)
        let opened = try OpenedStore(url, model)
        try opened.context.performAndWait {
            for entity in model.entities {
                let name = try #require(entity.name)
                let expected = try database.integer(
                    "SELECT COUNT(*) FROM \(table(of: entity)) WHERE Z_ENT IN (\(family(entity, numbers)))")
                let request = NSFetchRequest<NSManagedObject>(entityName: name)
                let objects = try opened.context.fetch(request)
                #expect(Int64(objects.count) == expected, "\(name)")
                #expect(try opened.context.count(for: request) == objects.count, "\(name)")
                #expect(Set(objects.map(\.objectID)).count == objects.count, "\(name)")
                #expect(objects.allSatisfy { $0.entity.isKindOf(entity: entity) }, "\(name)")
            }
        }
        try opened.close()
    }

    @Test("Attributes and relationships have the values of the columns", arguments: CorpusStore.openable)
    func values(store: CorpusStore) throws {
        let folder = try ScratchFolder()
        let url = try store.copy(to: folder)
        let model = try store.model()
        let database = try PlainDatabase(url)
        let opened = try OpenedStore(url, model)
        try opened.context.performAndWait {
            for entity in model.entities {
                let request = NSFetchRequest<NSManagedObject>(entityName: try #require(entity.name))
                request.includesSubentities = false
                request.fetchLimit = Self.sampleSize
                for object in try opened.context.fetch(request) { try compare(object, with: database) }
            }
        }
        try opened.close()
    }

    @Test("A store opened, read and closed is not changed", arguments: CorpusStore.openable)
    func untouched(store: CorpusStore) throws {
        let folder = try ScratchFolder()
        let url = try store.copy(to: folder)
        let before = try contents(of: url)
        let opened = try OpenedStore(url, try store.model())
        try opened.context.performAndWait {
            for entity in opened.coordinator.managedObjectModel.entities {
                let request = NSFetchRequest<NSManagedObject>(entityName: try #require(entity.name))
                for object in try opened.context.fetch(request).prefix(3) { _ = object.objectID }
            }
            #expect(!opened.context.hasChanges)
            try opened.context.save()
        }
        try opened.close()
        #expect(try contents(of: url) == before)
    }

    @Test(
        "An entity that a migration renamed is found by its number, written, and found again",
        arguments: CorpusStore.renamed)
    func renamedEntity(store: CorpusStore) throws {
        let folder = try ScratchFolder()
        let url = try store.copy(to: folder)
        let before = try PlainDatabase(url).rows("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY")
        for count in [5, 6] {
            let opened = try OpenedStore(url, try store.model())
            try opened.context.performAndWait {
                let request = NSFetchRequest<NSManagedObject>(entityName: "LuxuryCar")
                let cars = try opened.context.fetch(request)
                #expect(cars.count == count)
                #expect(cars.allSatisfy { $0.entity.name == "LuxuryCar" })
                let car = NSEntityDescription.insertNewObject(
                    forEntityName: "LuxuryCar", into: opened.context)
                car.setValue("new \(count)", forKey: "numberPlate")
                try opened.context.save()
            }
            try opened.close()
        }
        let database = try PlainDatabase(url)
        #expect(try database.rows("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY") == before)
        #expect(try database.integer("SELECT COUNT(*) FROM ZCAR WHERE Z_ENT = 3") == 7)
        #expect(try database.integrity() == ["ok"])
    }

    @Test(
        "Stores whose model is not at hand",
        .disabled(
            if: !CorpusStore.modelless.isEmpty,
            Comment(
                rawValue: CorpusStore.modelless.map { "\($0.path): \($0.origin)" }.joined(separator: "; "))))
    func modelless() {
        #expect(CorpusStore.modelless.isEmpty)
    }

    // MARK: Comparing

    private func table(of entity: NSEntityDescription) -> String {
        var root = entity
        while let parent = root.superentity { root = parent }
        return "Z" + (root.name ?? "").uppercased()
    }

    private func family(_ entity: NSEntityDescription, _ numbers: [String: Int64]) -> String {
        var names: [String] = []
        var waiting = [entity]
        while let next = waiting.popLast() {
            names.append(next.name ?? "")
            waiting += next.subentities
        }
        return names.compactMap { numbers[$0] }.map(String.init).joined(separator: ", ")
    }

    private func contents(of url: URL) throws -> [String: [[PlainDatabase.Cell]]] {
        let database = try PlainDatabase(url)
        let tables = try database.strings("SELECT name FROM sqlite_master WHERE type = 'table'")
        return Dictionary(
            uniqueKeysWithValues: try tables.map { ($0, try database.rows("SELECT * FROM \"\($0)\"")) })
    }

    /// Columns with a suffix after the name belong to siblings with the same property (sqlite-store §5): such
    /// properties are only read, since the plain name may be another entity's.
    private func column(_ name: String, in columns: Set<String>) -> String? {
        let column = "Z" + name.uppercased()
        return columns.contains(column) && !columns.contains(column + "1") ? column : nil
    }

    private func key(of id: NSManagedObjectID) -> Int64? {
        Int64(id.uriRepresentation().lastPathComponent.dropFirst())
    }

    private func compare(_ object: NSManagedObject, with database: PlainDatabase) throws {
        let table = table(of: object.entity)
        let columns = try database.columns(of: table)
        let pk = try #require(key(of: object.objectID))
        func cell(_ column: String) throws -> PlainDatabase.Cell {
            try #require(try database.rows("SELECT \(column) FROM \(table) WHERE Z_PK = \(pk)").first?.first)
        }
        for (name, attribute) in object.entity.attributesByName where !attribute.isTransient {
            let value = object.value(forKey: name)
            guard let column = column(name, in: columns) else { continue }
            let stored = try cell(column)
            #expect(
                matches(value, stored, attribute),
                "\(object.entity.name ?? "").\(name): \(String(describing: value)) is not \(stored)")
        }
        for (name, relationship) in object.entity.relationshipsByName where !relationship.isTransient {
            let value = object.value(forKey: name)
            guard relationship.isToMany else {
                guard let column = column(name, in: columns) else { continue }
                let expected = try cell(column).number.map { Int64($0) }
                #expect((value as? NSManagedObject).flatMap { key(of: $0.objectID) } == expected, "\(name)")
                continue
            }
            let count = (value as? NSOrderedSet)?.count ?? (value as? Set<AnyHashable>)?.count
            let members = try #require(
                count ?? (value as? NSSet)?.count, "\(name): \(String(describing: value))")
            try compareCount(members, relationship, pk, database)
        }
    }

    private func compareCount(
        _ count: Int, _ relationship: NSRelationshipDescription, _ pk: Int64, _ database: PlainDatabase
    ) throws {
        guard let inverse = relationship.inverseRelationship, !inverse.isToMany,
            let destination = relationship.destinationEntity
        else { return }
        let table = table(of: destination)
        guard let column = column(inverse.name, in: try database.columns(of: table)) else { return }
        let expected = try database.integer("SELECT COUNT(*) FROM \(table) WHERE \(column) = \(pk)")
        #expect(Int64(count) == expected, "\(relationship.name)")
    }

    private func matches(_ value: Any?, _ cell: PlainDatabase.Cell, _ attribute: NSAttributeDescription)
        -> Bool
    {
        guard cell != .null else { return value == nil }
        switch attribute.attributeType {
        case .stringAttributeType: return cell == (value as? String).map { .text($0) }
        case .URIAttributeType: return cell == (value as? URL).map { .text($0.absoluteString) }
        case .UUIDAttributeType:
            return cell == (value as? UUID).map { id in .blob(withUnsafeBytes(of: id.uuid) { Data($0) }) }
        case .dateAttributeType: return cell.number == (value as? Date)?.timeIntervalSinceReferenceDate
        case .binaryDataAttributeType where !attribute.allowsExternalBinaryDataStorage:
            return cell == (value as? Data).map { .blob($0) }
        case .booleanAttributeType: return (cell.number != 0) == (value as? NSNumber)?.boolValue
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
            .floatAttributeType:
            return cell.number == (value as? NSNumber)?.doubleValue
        // Through the digits: converting a decimal number to a double may be off by the last bit.
        case .decimalAttributeType:
            return cell.number == (value as? NSDecimalNumber).flatMap { Double("\($0)") }
        // Readable only with the app's own transformers and files.
        default: return true
        }
    }
}

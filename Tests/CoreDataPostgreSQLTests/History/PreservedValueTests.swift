import CoreData
import CoreDataPostgreSQL
import Foundation
import Testing

@MainActor @Suite("Preserved values in the history of PostgreSQL stores", .needsServer)
struct PreservedValueTests {
    private static let types: [(name: String, type: NSAttributeType, values: [Any])] = [
        ("small", .integer16AttributeType, [Int16.min, 7]),
        ("medium", .integer32AttributeType, [Int32.max, -7]),
        ("large", .integer64AttributeType, [Int64.min, Int64.max]),
        ("flag", .booleanAttributeType, [true, false]),
        ("double", .doubleAttributeType, [1e-308, -Double.infinity]),
        ("float", .floatAttributeType, [Float(0.1), Float(-2)]),
        (
            "price", .decimalAttributeType,
            [NSDecimalNumber(string: "12345678.875"), NSDecimalNumber(string: "-0.5")]
        ),
        ("name", .stringAttributeType, ["", "Straße か"]),
        ("date", .dateAttributeType, [Date(timeIntervalSinceReferenceDate: 0.1), Date.distantPast]),
        ("data", .binaryDataAttributeType, [Data(), Data([0, 1, 2, 3, 4, 5, 6, 7])]),
        ("id", .UUIDAttributeType, [UUID(), UUID()]),
        ("link", .URIAttributeType, [URL(string: "https://example.com/a?b")!, URL(string: "file:///x")!]),
    ]

    private static var model: NSManagedObjectModel {
        ItemStore.model(
            types.map { name, type, _ in
                let attribute = ItemStore.attribute(name, type)
                attribute.preservesValueInHistoryOnDeletion = true
                return attribute
            } + [ItemStore.attribute("other", .stringAttributeType)])
    }

    /// Returns the values that the history has of objects which were deleted in three ways.
    private static func tombstones(_ type: NSPersistentStore.StoreType) throws -> [NSDictionary] {
        let history = [NSPersistentHistoryTrackingKey: true as NSNumber]
        let store = try ItemStore(model, type, options: history)
        var objects: [NSManagedObject] = []
        for index in 0..<6 {
            let object = store.insert(["other": "o"])
            for (name, _, values) in types where index < 4 {
                object.setValue(values[index % 2], forKey: name)
            }
            try store.context.save()
            objects.append(object)
        }
        for object in [objects[0], objects[4]] { store.context.delete(object) }
        try store.context.save()
        store.context.reset()
        let id = objects[1].objectID
        store.context.delete(store.context.object(with: id))
        try store.context.save()
        let items = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
        try store.context.execute(NSBatchDeleteRequest(fetchRequest: items))
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
        request.resultType = .changesOnly
        let result = try store.context.execute(request) as? NSPersistentHistoryResult
        let deletions = (result?.result as? [NSPersistentHistoryChange] ?? []).filter {
            $0.changeType == .delete
        }
        // The rows of one write come in no certain order.
        return deletions.sorted {
            $0.changedObjectID.uriRepresentation().lastPathComponent
                < $1.changedObjectID.uriRepresentation().lastPathComponent
        }.map { ($0.tombstone ?? [:]) as NSDictionary }
    }

    @Test("A PostgreSQL store preserves the values of deleted objects that SQLite preserves")
    func allTypes() throws {
        let found = try Self.tombstones(.postgreSQL)
        #expect(found.count == 6)
        for (index, expected) in try Self.tombstones(.sqlite).enumerated() {
            #expect(found[index] == expected)
        }
        #expect(found[0].count == Self.types.count)
        #expect(found[0]["other"] == nil)
        for (name, _, values) in Self.types {
            #expect(found[0][name] as? NSObject == values[0] as? NSObject, "\(name)")
        }
    }
}

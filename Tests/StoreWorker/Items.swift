import CoreData
import Foundation

/// The content of the operations' stores: items with a name, some with a photo in an external file. Stores of
/// many items have drawings in the rows instead, which together exceed the pages that SQLite keeps in memory.
enum Items {
    /// The versions of the model. The second adds a mark, for which a store is migrated in place. In the
    /// third, two relationships become each other's inverse, for which it is migrated by a copy.
    enum Version: Int, CaseIterable {
        case first = 1
        case second, third
    }

    static let photo = Data(repeating: 7, count: 130_000)
    private static let drawing = Data(repeating: 8, count: 20_000)

    static func model(_ version: Version) -> NSManagedObjectModel {
        let item = NSEntityDescription()
        item.name = "Item"
        let name = attribute("name", .stringAttributeType)
        let photo = attribute("photo", .binaryDataAttributeType)
        photo.allowsExternalBinaryDataStorage = true
        let idol = relationship("idol", to: item, maxCount: 1)
        let fans = relationship("fans", to: item, maxCount: 0)
        item.properties = [name, photo, idol, fans]
        if version == .second {
            let mark = attribute("mark", .stringAttributeType)
            mark.defaultValue = "new"
            item.properties.append(mark)
        }
        if version == .third {
            idol.inverseRelationship = fans
            fans.inverseRelationship = idol
        }
        let model = NSManagedObjectModel()
        model.entities = [item]
        return model
    }

    private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        return attribute
    }

    private static func relationship(
        _ name: String, to destination: NSEntityDescription, maxCount: Int
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = destination
        relationship.maxCount = maxCount
        relationship.isOptional = true
        return relationship
    }

    // MARK: Writing

    static func insert(_ names: [String], photos: [String] = [], into context: NSManagedObjectContext) throws
    {
        try context.performAndWait {
            for name in names {
                let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
                item.setValue(name, forKey: "name")
                if photos.contains(name) { item.setValue(photo, forKey: "photo") }
            }
            try context.save()
        }
    }

    static func insertMany(into context: NSManagedObjectContext) throws {
        try context.performAndWait {
            for values in many {
                let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
                item.setValuesForKeys(values)
            }
            try context.save()
        }
    }

    /// The values of items that are inserted together.
    static var many: [[String: Any]] { (0..<250).map { ["name": "many\($0)", "photo": drawing] } }

    /// Returns the items with some names.
    static func find(_ names: [String], in context: NSManagedObjectContext) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.predicate = NSPredicate(format: "name IN %@", names)
        return try context.fetch(request)
    }

    // MARK: Reading

    /// Returns every item as text, in the order of their names.
    static func describe(_ context: NSManagedObjectContext) throws -> String {
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            return try context.fetch(request).map { item in
                let name = item.value(forKey: "name") as? String ?? "?"
                guard let found = item.value(forKey: "photo") as? Data else { return name }
                return name + (found == photo ? "+" : found == drawing ? "-" : "?")
            }.joined(separator: " ")
        }
    }

    /// Returns the number of changes in each transaction of the history.
    static func describeHistory(_ context: NSManagedObjectContext) throws -> String {
        try context.performAndWait {
            let request = NSPersistentHistoryChangeRequest.fetchHistory(
                after: nil as NSPersistentHistoryToken?)
            request.resultType = .transactionsAndChanges
            let result = try context.execute(request) as? NSPersistentHistoryResult
            let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
            return transactions.map { "\($0.changes?.count ?? 0)" }.joined(separator: ",")
        }
    }
}

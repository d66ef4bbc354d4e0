import CoreData
import CoreDataPostgreSQL
import Foundation
import Testing

/// A store of items with attributes of several types, and a context at it.
@MainActor
struct ItemStore {
    let context: NSManagedObjectContext

    /// Makes a store in a schema of its own or, for comparison, in a SQLite file.
    init(
        _ model: NSManagedObjectModel, _ type: NSPersistentStore.StoreType = .postgreSQL, at url: URL? = nil,
        options: [String: NSObject] = [:]
    ) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "\(UUID().uuidString).sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            type: type, at: try url ?? (type == .postgreSQL ? Place.new() : file), options: options)
        context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = coordinator
    }

    static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
        return attribute
    }

    /// Returns a model with one entity, `Item`.
    ///
    /// - Parameters:
    ///   - indexes: The names of the attributes of each fetch index.
    ///   - constraints: The names of the attributes of each uniqueness constraint.
    static func model(
        _ attributes: [NSAttributeDescription], indexes: [[String]] = [], constraints: [[String]] = []
    ) -> NSManagedObjectModel {
        let item = NSEntityDescription()
        item.name = "Item"
        item.properties = attributes
        item.indexes = indexes.map { names in
            NSFetchIndexDescription(
                name: "by" + names.joined(),
                elements: names.compactMap { name in
                    attributes.first { $0.name == name }.map {
                        NSFetchIndexElementDescription(property: $0, collationType: .binary)
                    }
                })
        }
        item.uniquenessConstraints = constraints
        let model = NSManagedObjectModel()
        model.entities = [item]
        return model
    }

    @discardableResult
    func insert(_ values: [String: Any]) -> NSManagedObject {
        let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
        for (name, value) in values { item.setValue(value, forKey: name) }
        return item
    }

    func request(_ format: String? = nil, _ arguments: [Any] = []) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.predicate = format.map { NSPredicate(format: $0, argumentArray: arguments) }
        return request
    }

    func idRequest(_ format: String) -> NSFetchRequest<any NSFetchRequestResult> {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
        request.predicate = NSPredicate(format: format)
        return request
    }

    /// Returns the numbers, `n`, of the items that match.
    func numbers(_ format: String, _ arguments: Any...) throws -> [Int] {
        let request = request(format, arguments)
        request.sortDescriptors = [NSSortDescriptor(key: "n", ascending: true)]
        return try context.fetch(request).map { $0.value(forKey: "n") as? Int ?? -1 }
    }

    /// Returns the dictionaries of an expression.
    func values(
        _ expression: CoreData.NSExpression, _ type: NSAttributeType, where format: String? = nil
    ) throws -> [Any?] {
        let column = NSExpressionDescription()
        (column.name, column.expression, column.expressionResultType) = ("value", expression, type)
        let request = NSFetchRequest<NSDictionary>(entityName: "Item")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = [column]
        request.predicate = format.map { NSPredicate(format: $0) }
        return try context.fetch(request).map { $0["value"] }
    }
}

import CoreData
import Foundation

/// A stack over a model with uniqueness constraints: one over a property, one over two, one that a subentity
/// inherits; relationships with and without inverse lead to the objects they are about.
final class CatalogStack {
    private let folder: ScratchFolder
    let container: NSPersistentContainer
    var context: NSManagedObjectContext { container.viewContext }
    var storeURL: URL { folder.file("Catalog.sqlite") }

    init(folder: ScratchFolder? = nil, policy: NSMergePolicy = .error) throws {
        self.folder = try folder ?? ScratchFolder()
        container = NSPersistentContainer(name: "Catalog", managedObjectModel: Self.model())
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: storeURL)]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        context.mergePolicy = policy
    }

    /// The same file, opened anew.
    func reopened(policy: NSMergePolicy = .error) throws -> CatalogStack {
        try CatalogStack(folder: folder, policy: policy)
    }

    @discardableResult
    func insert(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        object.setValuesForKeys(values)
        return object
    }

    func fetch(_ entity: String, _ format: String? = nil, _ arguments: Any...) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        if let format { request.predicate = NSPredicate(format: format, argumentArray: arguments) }
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return try context.fetch(request)
    }

    /// What the file holds, as another stack reads it: the value of a key for each object, by name.
    func stored<Value>(_ entity: String, _ keyPath: String, as type: Value.Type = Value.self) throws
        -> [Value?]
    {
        let other = try reopened()
        return try withExtendedLifetime(other) {
            try other.fetch(entity).map { $0.value(forKeyPath: keyPath) as? Value }
        }
    }

    static func model() -> NSManagedObjectModel {
        let author = entity(
            "Author",
            [
                ("name", .stringAttributeType), ("town", .stringAttributeType),
                ("age", .integer32AttributeType),
            ])
        author.uniquenessConstraints = [["name"]]
        let editor = entity("Editor", [("level", .integer16AttributeType)])
        author.subentities = [editor]
        let book = entity(
            "Book",
            [
                ("name", .stringAttributeType), ("isbn", .stringAttributeType),
                ("edition", .integer16AttributeType),
            ])
        book.uniquenessConstraints = [["isbn", "edition"]]
        let shelf = entity("Shelf", [("name", .stringAttributeType)])

        let books = relationship("books", to: book, .cascadeDeleteRule)
        let writer = relationship("author", to: author, .nullifyDeleteRule)
        writer.maxCount = 1
        (books.inverseRelationship, writer.inverseRelationship) = (writer, books)
        author.properties.append(books)
        book.properties.append(writer)
        let favourite = relationship("favourite", to: author, .noActionDeleteRule)
        favourite.maxCount = 1
        shelf.properties.append(favourite)

        let model = NSManagedObjectModel()
        model.entities = [author, editor, book, shelf]
        return model
    }

    private static func entity(_ name: String, _ attributes: [(String, NSAttributeType)])
        -> NSEntityDescription
    {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = attributes.map { name, type in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            return attribute
        }
        return entity
    }

    private static func relationship(
        _ name: String, to destination: NSEntityDescription, _ rule: NSDeleteRule
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = destination
        relationship.deleteRule = rule
        return relationship
    }
}

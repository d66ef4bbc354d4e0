import CoreData
import Foundation

/// A stack over a model with uniqueness constraints: one over a property, one over two, one that a subentity
/// inherits; relationships with and without inverse lead to the objects they are about.
final class CatalogStack: ContainerStack {
    init(folder: ScratchFolder? = nil, policy: NSMergePolicy = .error) throws {
        try super.init(Self.model(), in: folder)
        context.mergePolicy = policy
    }

    /// Returns a new stack on the same file.
    func reopened(policy: NSMergePolicy = .error) throws -> CatalogStack {
        try CatalogStack(folder: folder, policy: policy)
    }

    /// Returns the file's content as another stack reads it: the value of a key for each object, by name.
    func stored<Value>(_ entity: String, _ keyPath: String, as type: Value.Type = Value.self) throws
        -> [Value?]
    {
        let other = try reopened()
        return try withExtendedLifetime(other) {
            try other.fetch(entity).map { $0.value(forKeyPath: keyPath) as? Value }
        }
    }

    static func model() -> NSManagedObjectModel {
        let author = ModelFixtures.entity(
            "Author",
            [
                ModelFixtures.attribute("name", .stringAttributeType),
                ModelFixtures.attribute("town", .stringAttributeType),
                ModelFixtures.attribute("age", .integer32AttributeType),
            ])
        author.uniquenessConstraints = [["name"]]
        let editor = ModelFixtures.entity(
            "Editor", [ModelFixtures.attribute("level", .integer16AttributeType)])
        author.subentities = [editor]
        let book = ModelFixtures.entity(
            "Book",
            [
                ModelFixtures.attribute("name", .stringAttributeType),
                ModelFixtures.attribute("isbn", .stringAttributeType),
                ModelFixtures.attribute("edition", .integer16AttributeType),
            ])
        book.uniquenessConstraints = [["isbn", "edition"]]
        let shelf = ModelFixtures.entity("Shelf", [ModelFixtures.attribute("name", .stringAttributeType)])

        ModelFixtures.link(
            author, ModelFixtures.relationship("books", .many, to: book, .cascadeDeleteRule),
            ModelFixtures.relationship("author", .one, to: author))
        shelf.properties.append(
            ModelFixtures.relationship("favourite", .one, to: author, .noActionDeleteRule))

        let model = NSManagedObjectModel()
        model.entities = [author, editor, book, shelf]
        return model
    }
}

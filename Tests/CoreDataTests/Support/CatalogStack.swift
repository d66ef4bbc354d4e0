import CoreData

/// A stack over a model with uniqueness constraints: one over a property, one over two, one that a subentity
/// inherits; relationships with and without inverse lead to the objects they are about. Objects are fetched
/// by name.
final class CatalogStack: TestStack {
    init(folder: ScratchFolder? = nil, policy: NSMergePolicy = .error) throws {
        try super.init(Self.model(), in: folder, sortedBy: "name")
        context.mergePolicy = policy
    }

    static func model() -> NSManagedObjectModel {
        ModelSketch(
            """
            Author
              name string
              town string
              age int32
              books ->> Book.author cascade
              unique name
            Editor: Author
              level int16
            Book
              name string
              isbn string
              edition int16
              author -> Author.books
              unique isbn, edition
            Shelf
              name string
              favourite -> Author noAction
            """
        ).model
    }
}

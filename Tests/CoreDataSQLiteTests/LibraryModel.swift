import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues
import Foundation

/// The model of the store tests: every attribute type, inheritance, and every way in which relationships are
/// stored.
enum LibraryModel {
    static let model: CompiledModel = {
        let document = ModelDocument(entities: [author, book, novel, member, shelf, tag])
        do {
            return try ModelCompiler(document, parseExpression: { .keyPath($0) }).compile()
        } catch {
            preconditionFailure("the model of the tests does not compile: \(error)")
        }
    }()

    static let layouts = RowLayouts(model)

    private static let author = EntityElement(
        name: "Author",
        attributes: [AttributeElement(name: "name", type: .string)],
        relationships: [
            RelationshipElement(
                name: "books", destinationName: "Book", inverseName: "author", isOrdered: true,
                maximumCount: 0)
        ])

    private static let book = EntityElement(
        name: "Book",
        attributes: [
            AttributeElement(name: "cover", type: .binary, allowsExternalStorage: true),
            AttributeElement(name: "data", type: .binary),
            AttributeElement(name: "identifier", type: .uuid),
            AttributeElement(name: "isLent", type: .boolean),
            AttributeElement(name: "pages", type: .integer32),
            AttributeElement(name: "price", type: .decimal),
            AttributeElement(name: "published", type: .date),
            AttributeElement(name: "rating", type: .double),
            AttributeElement(name: "site", type: .uri),
            AttributeElement(name: "title", type: .string),
        ],
        relationships: [
            RelationshipElement(name: "author", destinationName: "Author", inverseName: "books"),
            RelationshipElement(name: "sequel", destinationName: "Book"),
            RelationshipElement(
                name: "tags", destinationName: "Tag", inverseName: "books", isOrdered: true, maximumCount: 0),
        ])

    private static let novel = EntityElement(
        name: "Novel", parentName: "Book", attributes: [AttributeElement(name: "genre", type: .string)])

    private static let member = EntityElement(
        name: "Member",
        attributes: [AttributeElement(name: "name", type: .string)],
        relationships: [
            RelationshipElement(
                name: "friends", destinationName: "Member", inverseName: "friends", maximumCount: 0)
        ])

    private static let shelf = EntityElement(
        name: "Shelf",
        relationships: [RelationshipElement(name: "contents", destinationName: "Book", maximumCount: 0)])

    private static let tag = EntityElement(
        name: "Tag",
        attributes: [AttributeElement(name: "label", type: .string)],
        relationships: [
            RelationshipElement(name: "books", destinationName: "Book", inverseName: "tags", maximumCount: 0)
        ],
        uniquenessConstraints: [["label"]])

    // MARK: Rows

    static func index(_ entity: String) -> EntityIndex { model.indexByName[entity] ?? -1 }

    static func slot(_ entity: String, _ name: String) -> Int {
        model.entity(named: entity)?.slotByName[name] ?? -1
    }

    static func column(_ entity: String, _ name: String) -> Int {
        model.entity(named: entity)?.slot(named: name)?.column ?? -1
    }

    /// A new row with a temporary key.
    static func row(_ entity: String, _ key: Int64, _ values: [String: AttributeValue] = [:]) -> Snapshot {
        let row = Snapshot.make(layouts[index(entity)], key: key, version: 0)
        for (name, value) in values { row.setValue(column(entity, name), value) }
        return row
    }

    /// A change of a committed row.
    static func update(_ row: Snapshot, _ values: [String: AttributeValue]) -> RowUpdate {
        let proposed = row.clone()
        let entity = row.layout.entity.name
        for (name, value) in values { proposed.setValue(column(entity, name), value) }
        return RowUpdate(
            committed: row, proposed: proposed, changed: ColumnMask(values.keys.map { column(entity, $0) }))
    }
}

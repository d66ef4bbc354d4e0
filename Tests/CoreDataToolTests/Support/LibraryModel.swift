import CoreDataModelFormat
import CoreDataModelSource
import CoreDataValues
import Foundation

/// A model with one of everything that a store keeps: every type of attribute, inheritance, all kinds of
/// relationships.
enum LibraryModel {
    static let document = ModelDocument(
        versionIdentifiers: ["library 1"],
        entities: [author, book, novel, chapter, tag, card])

    private static let author = EntityElement(
        name: "Author", className: "Author",
        attributes: [
            AttributeElement(name: "born", type: .date, isOptional: true),
            AttributeElement(name: "isAlive", type: .boolean, isOptional: true),
            AttributeElement(name: "name", type: .string),
            AttributeElement(name: "notes", type: .transformable, isOptional: true),
            AttributeElement(name: "royalty", type: .decimal, isOptional: true),
            AttributeElement(name: "score", type: .double, isOptional: true),
            AttributeElement(name: "site", type: .uri, isOptional: true),
            AttributeElement(name: "token", type: .uuid, isOptional: true),
        ],
        relationships: [
            RelationshipElement(
                name: "books", destinationName: "Book", inverseName: "author", inverseEntityName: "Book",
                isOptional: true, maximumCount: 0),
            RelationshipElement(name: "masterpiece", destinationName: "Novel", isOptional: true),
        ])

    private static let book = EntityElement(
        name: "Book", className: "Book",
        attributes: [
            AttributeElement(
                name: "cover", type: .binary, isOptional: true, allowsExternalStorage: true),
            AttributeElement(name: "pages", type: .integer32, isOptional: true, defaultValue: .integer(0)),
            AttributeElement(name: "published", type: .date, isOptional: true),
            AttributeElement(name: "title", type: .string),
            AttributeElement(name: "weight", type: .float, isOptional: true),
        ],
        relationships: [
            RelationshipElement(
                name: "author", destinationName: "Author", inverseName: "books", inverseEntityName: "Author",
                isOptional: true),
            RelationshipElement(
                name: "card", destinationName: "Card", inverseName: "book", inverseEntityName: "Card",
                isOptional: true, deleteRule: .cascade),
            RelationshipElement(
                name: "chapters", destinationName: "Chapter", inverseName: "book",
                inverseEntityName: "Chapter",
                isOptional: true, isOrdered: true, maximumCount: 0, deleteRule: .cascade),
            RelationshipElement(
                name: "related", destinationName: "Book", inverseName: "related", inverseEntityName: "Book",
                isOptional: true, maximumCount: 0),
            RelationshipElement(
                name: "shelf", destinationName: "Tag", isOptional: true, maximumCount: 0),
            RelationshipElement(
                name: "tags", destinationName: "Tag", inverseName: "books", inverseEntityName: "Tag",
                isOptional: true, maximumCount: 0),
        ])

    private static let novel = EntityElement(
        name: "Novel", className: "Novel", parentName: "Book",
        attributes: [AttributeElement(name: "genre", type: .string, isOptional: true)])

    private static let chapter = EntityElement(
        name: "Chapter", className: "Chapter",
        attributes: [AttributeElement(name: "title", type: .string, isOptional: true)],
        relationships: [
            RelationshipElement(
                name: "book", destinationName: "Book", inverseName: "chapters", inverseEntityName: "Book",
                isOptional: false)
        ])

    private static let tag = EntityElement(
        name: "Tag", className: "Tag",
        attributes: [AttributeElement(name: "word", type: .string, isOptional: true)],
        relationships: [
            RelationshipElement(
                name: "books", destinationName: "Book", inverseName: "tags", inverseEntityName: "Book",
                isOptional: true, isOrdered: true, maximumCount: 0)
        ],
        uniquenessConstraints: [["word"]])

    private static let card = EntityElement(
        name: "Card", className: "Card",
        attributes: [AttributeElement(name: "number", type: .integer64, isOptional: true)],
        relationships: [
            RelationshipElement(
                name: "book", destinationName: "Book", inverseName: "card", inverseEntityName: "Book",
                isOptional: true)
        ])
}

extension LibraryModel {
    /// Writes the model as a `.mom`, or as an `.xcdatamodeld` by its name.
    static func write(_ document: ModelDocument = document, to url: URL) throws {
        let package = try ModelPackage(
            name: "Library", versions: [ModelVersion(name: "Library", document: document)],
            currentVersionName: "Library", isVersioned: false)
        if url.pathExtension == "mom" {
            try ModelPackageWriter(package).compileCurrentVersion(to: url)
        } else {
            try ModelPackageWriter(package).writeSource(to: url)
        }
    }
}

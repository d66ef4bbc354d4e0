import CoreDataModelFormat
import CoreDataValues

/// A model with one of everything that a store keeps.
enum SampleModel {
    static let document: ModelDocument = {
        var document = ModelDocument(
            versionIdentifiers: ["sample 1"], entities: [author, book, novel, chapter, tag])
        document.composites = [place]
        document.fetchRequests = [
            FetchRequestElement(name: "long", entityName: "Book", predicate: "pages > 300 AND title != nil")
        ]
        document.configurations = [ConfigurationElement(name: "Words", entityNames: ["Tag"])]
        return document
    }()

    private static let place = CompositeElement(
        name: "Place",
        attributes: [
            AttributeElement(name: "street", type: .string, isOptional: true),
            AttributeElement(name: "number", type: .integer16, isOptional: true),
        ])

    private static let author = EntityElement(
        name: "Author", className: ".Author",
        attributes: [
            AttributeElement(
                name: "bookCount", type: .integer64, isOptional: true, derivationExpression: "books.@count"),
            AttributeElement(name: "born", type: .date, isOptional: true),
            AttributeElement(name: "home", type: .composite, isOptional: true, compositeName: "Place"),
            AttributeElement(name: "isAlive", type: .boolean, isOptional: true),
            AttributeElement(name: "latitude", type: .double, isOptional: true),
            AttributeElement(name: "longitude", type: .double, isOptional: true),
            AttributeElement(name: "name", type: .string, renamingIdentifier: "name"),
            AttributeElement(name: "notes", type: .transformable, isOptional: true),
            AttributeElement(name: "royalty", type: .decimal, isOptional: true),
            AttributeElement(name: "score", type: .double, isOptional: true, minimum: .double(0)),
            AttributeElement(name: "site", type: .uri, isOptional: true),
            AttributeElement(name: "token", type: .uuid, isOptional: true, preservesValueOnDeletion: true),
        ],
        relationships: [
            RelationshipElement(
                name: "books", destinationName: "Book", inverseName: "author", inverseEntityName: "Book",
                isOptional: true, maximumCount: 0),
            RelationshipElement(name: "masterpiece", destinationName: "Novel", isOptional: true),
        ],
        fetchedProperties: [
            FetchedPropertyElement(
                name: "thick",
                fetchRequest: FetchRequestElement(
                    name: "thick", entityName: "Book", predicate: "author == $FETCH_SOURCE AND pages > 500"))
        ],
        fetchIndexes: [
            FetchIndexElement(
                name: "place",
                elements: [
                    .init(propertyName: "latitude", kind: .rTree),
                    .init(propertyName: "longitude", kind: .rTree),
                ]),
            FetchIndexElement(
                name: "alive", elements: [.init(propertyName: "name")], partialPredicate: "isAlive = YES"),
        ])

    private static let book = EntityElement(
        name: "Book", className: ".Book",
        userInfo: [UserInfoEntry(key: "shelf", value: "1")],
        attributes: [
            AttributeElement(
                name: "cover", type: .binary, isOptional: true, allowsExternalStorage: true),
            AttributeElement(name: "pages", type: .integer32, isOptional: true, defaultValue: .integer(0)),
            AttributeElement(name: "published", type: .date, isOptional: true),
            AttributeElement(
                name: "title", type: .string,
                userInfo: [UserInfoEntry(key: AttributeElement.fullTextIndexKey, value: "YES")]),
            AttributeElement(name: "weight", type: .float, isOptional: true),
        ],
        relationships: [
            RelationshipElement(
                name: "author", destinationName: "Author", inverseName: "books", inverseEntityName: "Author",
                isOptional: true),
            RelationshipElement(
                name: "chapters", destinationName: "Chapter", inverseName: "book",
                inverseEntityName: "Chapter",
                isOptional: true, isOrdered: true, maximumCount: 0, deleteRule: .cascade),
            RelationshipElement(
                name: "tags", destinationName: "Tag", inverseName: "books", inverseEntityName: "Tag",
                isOptional: true, maximumCount: 0),
        ])

    private static let novel = EntityElement(
        name: "Novel", className: ".Novel", parentName: "Book",
        attributes: [AttributeElement(name: "genre", type: .string, isOptional: true)])

    private static let chapter = EntityElement(
        name: "Chapter", className: ".Chapter",
        attributes: [AttributeElement(name: "title", type: .string, isOptional: true)],
        relationships: [
            RelationshipElement(
                name: "book", destinationName: "Book", inverseName: "chapters", inverseEntityName: "Book")
        ])

    private static let tag = EntityElement(
        name: "Tag", className: ".Tag",
        attributes: [AttributeElement(name: "word", type: .string, isOptional: true)],
        relationships: [
            RelationshipElement(
                name: "books", destinationName: "Book", inverseName: "tags", inverseEntityName: "Book",
                isOptional: true, isOrdered: true, maximumCount: 0)
        ],
        uniquenessConstraints: [["word"]])
}

import CoreDataEditing
import CoreDataModelFormat
import CoreDataModelSource
import CoreDataValues
import Foundation
import Testing

@Suite("Fixes of what the linter finds")
struct FixTests {
    /// A problem, and the fix that is expected first.
    struct Problem: Sendable, CustomTestStringConvertible {
        let path: String
        let message: String
        let fix: String
        let entities: [EntityElement]
        var configurations: [ConfigurationElement] = []
        var fetchRequests: [FetchRequestElement] = []

        var testDescription: String { "\(path): \(message)" }
    }

    private static func book(_ attribute: AttributeElement) -> [EntityElement] {
        [EntityElement(name: "Book", attributes: [attribute])]
    }

    private static func pair(_ author: RelationshipElement, _ books: RelationshipElement? = nil)
        -> [EntityElement]
    {
        [
            EntityElement(name: "Book", relationships: [author]),
            EntityElement(name: "Author", relationships: books.map { [$0] } ?? []),
        ]
    }

    static let problems: [Problem] = [
        Problem(
            path: "Book.author", message: "should have an inverse", fix: "addInverse",
            entities: pair(RelationshipElement(name: "author", destinationName: "Author"))),
        Problem(
            path: "Book.author", message: "should have an inverse", fix: "setInverse",
            entities: pair(
                RelationshipElement(name: "author", destinationName: "Author"),
                RelationshipElement(name: "books", destinationName: "Book", maximumCount: 0))),
        Problem(
            path: "Book.author", message: "the inverse \"books\" is no relationship", fix: "addInverse",
            entities: pair(
                RelationshipElement(
                    name: "author", destinationName: "Author", inverseName: "books",
                    inverseEntityName: "Author"))),
        Problem(
            path: "Book.author", message: "does not have this relationship as its inverse", fix: "setInverse",
            entities: pair(
                RelationshipElement(
                    name: "author", destinationName: "Author", inverseName: "books",
                    inverseEntityName: "Author"),
                RelationshipElement(name: "books", destinationName: "Book", maximumCount: 0))),
        Problem(
            path: "Author.novel", message: "should have an inverse", fix: "addInverse",
            entities: [
                EntityElement(
                    name: "Author",
                    relationships: [RelationshipElement(name: "novel", destinationName: "Novel")]),
                EntityElement(name: "Book", attributes: [AttributeElement(name: "author", type: .string)]),
                EntityElement(name: "Novel", parentName: "Book"),
            ]),
        Problem(
            path: "Book.author", message: "unknown destination entity", fix: "addEntity",
            entities: [
                EntityElement(
                    name: "Book",
                    relationships: [RelationshipElement(name: "author", destinationName: "Author")])
            ]),
        Problem(
            path: "Book.author", message: "cannot be ordered", fix: "removeOrder",
            entities: pair(RelationshipElement(name: "author", destinationName: "Author", isOrdered: true))),
        Problem(
            path: "Book.author", message: "minimum count 3 is above", fix: "removeMinimumCount",
            entities: pair(RelationshipElement(name: "author", destinationName: "Author", minimumCount: 3))),
        Problem(
            path: "Book.author", message: "delete rule No Action", fix: "nullify",
            entities: pair(
                RelationshipElement(name: "author", destinationName: "Author", deleteRule: .noAction))),
        Problem(
            path: "Book.title", message: "must have a type", fix: "setType",
            entities: book(AttributeElement(name: "title", type: .undefined))),
        Problem(
            path: "Book.pages", message: "is no value of type", fix: "removeDefault",
            entities: book(
                AttributeElement(
                    name: "pages", type: .integer16, editorAttributes: ["defaultValueString": "many"]))),
        Problem(
            path: "Book.pages", message: "the minimum is above the maximum", fix: "swapLimits",
            entities: book(
                AttributeElement(name: "pages", type: .integer16, minimum: .integer(9), maximum: .integer(1)))
        ),
        Problem(
            path: "Book.pages", message: "the default value is below", fix: "limitDefault",
            entities: book(
                AttributeElement(
                    name: "pages", type: .integer16, defaultValue: .integer(0), minimum: .integer(1)))),
        Problem(
            path: "Book.title", message: "bad regular expression", fix: "removeRegularExpression",
            entities: book(AttributeElement(name: "title", type: .string, regularExpression: "["))),
        Problem(
            path: "Book.tags", message: "insecure value transformer", fix: "secureTransformer",
            entities: book(AttributeElement(name: "tags", type: .transformable))),
        Problem(
            path: "Book.place", message: "unknown composite", fix: "addComposite",
            entities: book(AttributeElement(name: "place", type: .composite, compositeName: "Place"))),
        Problem(
            path: "Book.title", message: "bad derivation expression", fix: "removeDerivation",
            entities: book(
                AttributeElement(name: "title", type: .string, derivationExpression: "canonical:("))),
        Problem(
            path: "Book.title", message: "external storage is for binary data", fix: "removeExternalStorage",
            entities: book(AttributeElement(name: "title", type: .string, allowsExternalStorage: true))),
        Problem(
            path: "Book.pages", message: "a full-text index is for strings", fix: "removeFullTextIndex",
            entities: book(
                AttributeElement(
                    name: "pages", type: .integer16,
                    userInfo: [UserInfoEntry(key: AttributeElement.fullTextIndexKey, value: "YES")]))),
        Problem(
            path: "Book.Title", message: "begin with a lower-case letter", fix: "rename",
            entities: book(AttributeElement(name: "Title", type: .string))),
        Problem(
            path: "Book.hash", message: "is reserved", fix: "rename",
            entities: book(AttributeElement(name: "hash", type: .string))),
        Problem(
            path: "Book.a b", message: "is no legal property name", fix: "rename",
            entities: book(AttributeElement(name: "a b", type: .string))),
        Problem(
            path: "book", message: "begin with a capital letter", fix: "rename",
            entities: [EntityElement(name: "book")]),
        Problem(
            path: "Book", message: "two entities have the name", fix: "rename",
            entities: [EntityElement(name: "Book"), EntityElement(name: "Book")]),
        Problem(
            path: "Book", message: "unknown parent entity", fix: "removeParent",
            entities: [EntityElement(name: "Book", parentName: "Item")]),
        Problem(
            path: "Book", message: "is its own ancestor", fix: "removeParent",
            entities: [EntityElement(name: "Book", parentName: "Book")]),
        Problem(
            path: "Book", message: "is abstract and has no subentities", fix: "makeConcrete",
            entities: [EntityElement(name: "Book", isAbstract: true)]),
        Problem(
            path: "Book", message: "names the unknown property", fix: "removeUnknownNames",
            entities: [EntityElement(name: "Book", uniquenessConstraints: [["isbn"]])]),
        Problem(
            path: "Book.index:byTitle", message: "names the unknown property", fix: "removeUnknownNames",
            entities: [
                EntityElement(
                    name: "Book",
                    fetchIndexes: [
                        FetchIndexElement(name: "byTitle", elements: [.init(propertyName: "title")])
                    ])
            ]),
        Problem(
            path: "configuration:Cloud", message: "contains the unknown entity", fix: "removeMember",
            entities: [],
            configurations: [ConfigurationElement(name: "Cloud", entityNames: ["Book"])]),
        Problem(
            path: "fetchRequest:Recent", message: "unknown entity", fix: "addEntity", entities: [],
            fetchRequests: [FetchRequestElement(name: "Recent", entityName: "Book")]),
        Problem(
            path: "fetchRequest:Recent", message: "bad predicate", fix: "removePredicate",
            entities: [EntityElement(name: "Book")],
            fetchRequests: [FetchRequestElement(name: "Recent", entityName: "Book", predicate: "a ==")]),
    ]

    @Test("A problem that a machine can mend has a fix, after which it is gone", arguments: problems)
    func fix(_ problem: Problem) throws {
        var document = ModelDocument.empty
        document.entities = problem.entities
        document.configurations = problem.configurations
        document.fetchRequests = problem.fetchRequests
        var editor = ModelEditor(document)
        let found = ModelLinter(document).lint().filter {
            $0.elementPath == problem.path && $0.message.contains(problem.message)
        }
        let diagnostic = try #require(found.first)
        let fixes = editor.fixes(for: diagnostic)
        #expect(fixes.first?.name == problem.fix)
        for fix in fixes {
            var mended = editor
            try mended.perform(fix.commands.map { .edit($0, version: nil) })
            let left = ModelLinter(mended.document).lint().filter { $0 == diagnostic }
            #expect(left.count < found.count, "\(fix.title)")
        }
        try editor.edit(.applyFix(problem.fix, of: .path(problem.path)))
    }

    @Test("A fix that does not help is refused, with the names of those that do")
    func noSuchFix() throws {
        let editor = ModelEditor(
            ModelDocument(entities: [EntityElement(name: "Book", parentName: "Item")]))
        #expect(
            editor.refusal(of: .applyFix("makeConcrete", of: "Book"))
                == .noSuchFix("makeConcrete", ["addEntity", "removeParent"]))
    }
}

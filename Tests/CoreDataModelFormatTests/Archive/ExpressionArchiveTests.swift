import CoreDataPredicates
import CoreDataValues
import Foundation
import Testing

@testable import CoreDataModelFormat

@Suite("Predicates in archives")
struct ExpressionArchiveTests {
    static let predicates = [
        "name == \"x\"", "age != 3", "age < 3 AND age >= 1", "NOT (a == 1 OR b == nil)", "a BETWEEN {1, 5}",
        "name CONTAINS[cd] $TEXT", "name BEGINSWITH \"a\"", "name ENDSWITH[c] \"z\"", "name LIKE \"a*\"",
        "name MATCHES \"[a-z]+\"", "kind IN {1, 2, 3}", "ANY tracks.length > 600", "ALL tracks.length > 600",
        "owner.name == $FETCH_SOURCE.name", "SELF IN $OBJECTS", "tracks.@count > 2", "TRUEPREDICATE",
        "FALSEPREDICATE", "SUBQUERY(tracks, $t, $t.length > 3).@count > 0", "a + b * 2 > 4",
        "TERNARY(a == 1, b, c) == 2", "date < CAST(10, \"NSDate\")", "a.b.c == TRUE",
    ]

    @Test("A predicate in a model is the same after compiling", arguments: predicates)
    func predicate(text: String) throws {
        let request = FetchRequestElement(name: "r", entityName: "E", predicate: text)
        let model = ModelDocument(entities: [EntityElement(name: "E")], fetchRequests: [request])
        let again = try CompiledModelReader().read(CompiledModelWriter(model).mom())
        #expect(again.diagnostics == [])
        let read = try #require(again.document.fetchRequests.first?.predicate)
        let expected = NodePrinter.format(try FormatParser.predicate(text))
        #expect(read == expected)
    }

    @Test("Derivation expressions compile to the form that the version hash covers")
    func derivations() throws {
        func text(_ source: String) throws -> String {
            NodePrinter.format(try DerivationExpression.parse(source))
        }
        #expect(try text("tracks.@count") == "count:(tracks)")
        #expect(try text("album.tracks.@sum.length") == "sum:(album.tracks.length)")
        #expect(try text("album.title") == "album.title")
        #expect(try text("canonical:(title)") == "canonical:(title)")
        #expect(try text("now()") == "now()")
    }

    @Test("Limits and validation rules of an attribute are read as they were compiled")
    func validation() throws {
        let attribute = AttributeElement(
            name: "title", type: .string, minimum: .integer(3), maximum: .integer(9),
            regularExpression: "a.*",
            validationRules: [
                ValidationRule(predicate: "SELF CONTAINS \"a\"", warning: .message("needs an a")),
                ValidationRule(predicate: "length > 1", warning: .code(1550)),
            ])
        let model = ModelDocument(entities: [EntityElement(name: "E", attributes: [attribute])])
        let again = try CompiledModelReader().read(CompiledModelWriter(model).mom()).document
        #expect(again.entities.first?.attributes == [attribute])
    }

    @Test("A predicate of an unknown class is reported and left out, the rest is read")
    func unknownPredicate() throws {
        var archive = ArchiveBuilder()
        let model = archive.reserve()
        let request = archive.object(
            "NSFetchRequest",
            ["NSPredicate": archive.object("VendorPredicate", [:]), "NSFetchLimit": .integer(4)])
        let templates = archive.dictionary([(key: "r", value: request)])
        archive.fill(model, "NSManagedObjectModel", ["NSFetchRequestTemplates": templates])
        let result = try CompiledModelReader().read(archive.data(root: model))
        #expect(result.document.fetchRequests.first?.fetchLimit == 4)
        #expect(result.diagnostics.map(\.elementPath) == ["fetchRequest:r"])
    }
}

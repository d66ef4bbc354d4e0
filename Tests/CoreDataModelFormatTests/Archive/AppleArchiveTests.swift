@testable import CoreDataModelSource
import Foundation
import Testing

@testable import CoreDataModelFormat

@Suite("Archives compared with Apple's", .enabled(if: Corpus.isPresent))
struct AppleArchiveTests {
    private static let folder = "alemar11__CoreDataPlus/Tests/Resources/SampleModel"

    @Test(
        "A compiled source has Apple's fields in every property", arguments: ["SampleModel2", "SampleModel3"])
    func fields(version: String) throws {
        let real = Corpus.url("\(Self.folder)/Fixtures/SampleModel.momd/\(version).mom")
        let source = Corpus.url("\(Self.folder)/SampleModel.xcdatamodeld/\(version).xcdatamodel")
        let ours = try CompiledModelWriter(ModelPackage.read(at: source).current.document).mom()
        let expected = try properties(of: Data(contentsOf: real))
        let written = try properties(of: ours)
        #expect(written.keys.sorted() == expected.keys.sorted())
        for (path, fields) in expected { #expect(written[path] == fields, "\(path)") }
    }

    /// The plain fields of every property by path.
    private func properties(of data: Data) throws -> [String: [String: PropertyList]] {
        let keys = [
            "_P", "NSAttributeType", "NSAttributeValueClassName", "NSDefaultValue", "NSFlagsKey",
            "NSIsIndexed",
            "NSIsOptional", "NSIsTransient", "NSIsOrdered", "NSMinCount", "NSMaxCount", "NSDeleteRule",
            "NSPropertyName", "NSRenamingIdentifier", "NSValueTransformerName", "NSVersionHashModifier",
            "_NSDestinationEntityName", "_NSInverseRelationshipName",
        ]
        var result: [String: [String: PropertyList]] = [:]
        for (entity, object) in try KeyedArchive(data).root().namedObjects("NSEntities") {
            for (name, property) in object.namedObjects("NSProperties") {
                var fields: [String: PropertyList] = ["class": .string(property.className)]
                for key in keys { fields[key] = property.value(key) }
                result["\(entity).\(name)"] = fields
            }
        }
        return result
    }
}

import CoreDataModelFormat
import CoreDataPredicates
import CoreDataValues
import Foundation
import Testing

@testable import CoreData

@Suite("Model thawing")
struct ModelThawerTests {
    private func thawed(_ attributes: [AttributeElement]) throws -> NSEntityDescription {
        var entity = EntityElement(name: "E")
        entity.attributes = attributes
        let model = NSManagedObjectModel()
        try model.thaw(ModelDocument(entities: [entity]))
        _ = try model.freeze()
        return try #require(model.frozenModel?.entity(0))
    }

    @Test("Limits and patterns become validation rules with Apple's codes")
    func limits() throws {
        let date = Date(timeIntervalSinceReferenceDate: 1000)
        let entity = try thawed([
            AttributeElement(
                name: "text", type: .string, minimum: .integer(3), maximum: .integer(5),
                regularExpression: "[a-z\\\\]+\"?"),
            AttributeElement(name: "number", type: .integer32, minimum: .integer(0), maximum: .integer(10)),
            AttributeElement(name: "date", type: .date, minimum: .date(date)),
            AttributeElement(
                name: "ruled", type: .string,
                validationRules: [ValidationRule(predicate: "length > 1", warning: .message("too short"))]),
        ])
        func failures(_ name: String, _ value: Any) throws -> [Int] {
            let attribute = try #require(entity.attributesByName[name])
            return zip(attribute.validationPredicates, attribute.validationWarnings).compactMap {
                predicate, warning in
                predicate.evaluate(with: value) ? nil : (warning as? NSNumber)?.intValue
            }
        }
        #expect(try failures("text", "abc\"") == [])
        #expect(
            try failures("text", "A") == [
                NSValidationStringTooShortError, NSValidationStringPatternMatchingError,
            ])
        #expect(try failures("text", "abcdef") == [NSValidationStringTooLongError])
        #expect(try failures("number", NSNumber(value: -1)) == [NSValidationNumberTooSmallError])
        #expect(try failures("number", NSNumber(value: 11)) == [NSValidationNumberTooLargeError])
        #expect(try failures("number", NSNumber(value: 10)) == [])
        #expect(try failures("date", date.addingTimeInterval(-1)) == [NSValidationDateTooSoonError])
        #expect(try failures("date", date) == [])
        #expect(entity.attributesByName["ruled"]?.validationWarnings as? [String] == ["too short"])
    }

    @Test("Default values are objects; numbers are NSNumber")
    func defaults() throws {
        let entity = try thawed([
            AttributeElement(name: "a", type: .integer16, defaultValue: .integer(4)),
            AttributeElement(name: "b", type: .boolean, defaultValue: .boolean(true)),
            AttributeElement(name: "c", type: .decimal, defaultValue: .decimal(2.5)),
            AttributeElement(name: "d", type: .string, defaultValue: .string("")),
        ])
        #expect(entity.attributesByName["a"]?.defaultValue as? NSNumber == 4)
        #expect(entity.attributesByName["b"]?.defaultValue as? Bool == true)
        #expect(
            entity.attributesByName["c"]?.defaultValue as? NSDecimalNumber == NSDecimalNumber(string: "2.5"))
        #expect(entity.attributesByName["d"]?.defaultValue as? String == "")
    }

    @Test("A rule that cannot be parsed is an error, not a trap")
    func badRule() {
        #expect(throws: (any Error).self) {
            try thawed([
                AttributeElement(
                    name: "a", type: .string,
                    validationRules: [ValidationRule(predicate: "length >", warning: .code(1))])
            ])
        }
    }

    @Test("Derived and composite attributes have descriptions of their own")
    func specialAttributes() throws {
        var document = ModelDocument()
        document.composites = [
            CompositeElement(name: "Point", attributes: [AttributeElement(name: "x", type: .double)]),
            CompositeElement(
                name: "Line",
                attributes: [AttributeElement(name: "from", type: .composite, compositeName: "Point")]),
        ]
        var entity = EntityElement(name: "E")
        entity.attributes = [
            AttributeElement(name: "line", type: .composite, compositeName: "Line"),
            AttributeElement(name: "name", type: .string),
            AttributeElement(name: "folded", type: .string, derivationExpression: "name"),
        ]
        document.entities = [entity]
        let model = NSManagedObjectModel()
        try model.thaw(document)
        let attributes = try #require(model.entitiesByName["E"]?.attributesByName)
        let line = try #require(attributes["line"] as? NSCompositeAttributeDescription)
        let from = try #require(line.elements.first as? NSCompositeAttributeDescription)
        #expect(from.elements.map(\.name) == ["x"])
        #expect(attributes["folded"] is NSDerivedAttributeDescription)
        let frozen = try model.freeze()
        #expect(frozen.compiled.document.composites.map(\.name) == ["Line", "Point"])
        #expect(
            frozen.compiled.entity(named: "E")?.slot(named: "folded")?.attribute?.derivation
                == .keyPath("name"))
    }

    @Test("Inheritance, relationships, indexes, constraints, templates and configurations are linked")
    func links() throws {
        var parent = EntityElement(name: "Parent")
        parent.attributes = [AttributeElement(name: "key", type: .string)]
        parent.uniquenessConstraints = [["key"]]
        parent.relationships = [
            RelationshipElement(
                name: "children", destinationName: "Child", inverseName: "owner", maximumCount: 0,
                deleteRule: .cascade)
        ]
        var child = EntityElement(name: "Child", parentName: "Parent")
        child.relationships = [
            RelationshipElement(name: "owner", destinationName: "Parent", inverseName: "children")
        ]
        child.fetchIndexes = [
            FetchIndexElement(name: "byKey", elements: [.init(propertyName: "key", isAscending: false)])
        ]
        child.fetchedProperties = [
            FetchedPropertyElement(
                name: "all", fetchRequest: FetchRequestElement(name: "f", entityName: "Parent"))
        ]
        let document = ModelDocument(
            versionIdentifiers: ["7"], entities: [child, parent],
            fetchRequests: [
                FetchRequestElement(
                    name: "some", entityName: "Child", predicate: "key == $KEY",
                    sort: [.init(keyPath: "key", isAscending: false)], fetchLimit: 5)
            ],
            configurations: [ConfigurationElement(name: "C", entityNames: ["Child"])])
        let model = NSManagedObjectModel()
        try model.thaw(document)
        let entities = model.entitiesByName
        #expect(entities["Child"]?.superentity === entities["Parent"])
        let owner = try #require(entities["Child"]?.relationshipsByName["owner"])
        #expect(owner.inverseRelationship === entities["Parent"]?.relationshipsByName["children"])
        #expect(owner.inverseRelationship?.deleteRule == .cascadeDeleteRule)
        let index = try #require(entities["Child"]?.indexes.first)
        #expect(index.elements.map(\.propertyName) == ["key"])
        #expect(index.elements.map(\.isAscending) == [false])
        #expect(entities["Parent"]?.uniquenessConstraints as? [[String]] == [["key"]])
        let fetched = entities["Child"]?.propertiesByName["all"] as? NSFetchedPropertyDescription
        #expect(fetched?.fetchRequest?.entity === entities["Parent"])
        let template = try #require(model.fetchRequestTemplate(forName: "some"))
        #expect(template.entity === entities["Child"])
        #expect(template.fetchLimit == 5)
        #expect(template.sortDescriptors?.map(\.ascending) == [false])
        let bound = model.fetchRequestFromTemplate(withName: "some", substitutionVariables: ["KEY": "x"])
        #expect(bound?.predicate?.evaluate(with: ["key": "x"] as NSDictionary) == true)
        #expect(bound?.predicate?.evaluate(with: ["key": "y"] as NSDictionary) == false)
        #expect(model.entities(forConfigurationName: "C")?.map(\.name) == ["Child"])
        #expect(model.versionIdentifiers == ["7"])
    }

    @Test("Freezing a thawed model gives an equal document")
    func roundTrip() throws {
        let model = ModelFixtures.company()
        let document = model.document
        let copy = NSManagedObjectModel()
        try copy.thaw(document)
        #expect(copy.document == document)
        #expect(copy == model)
    }
}

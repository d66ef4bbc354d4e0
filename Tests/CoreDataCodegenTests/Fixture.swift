import CoreDataCodegen
import CoreDataModelFormat
import CoreDataValues
import Testing

/// A model and sources whose generated file is kept in `Reference/`. `UPDATE_REFERENCES=1 swift test`
/// rewrites the references.
struct Fixture: Sendable, CustomTestStringConvertible {
    var name: String
    var document: ModelDocument
    var sources: [String: String] = [:]

    var testDescription: String { name }

    static let all = [classDefinition, category, manual]

    private static let classDefinition = Fixture(
        name: "ClassDefinition",
        document: ModelDocument(entities: [
            EntityElement(
                name: "Vehicle", className: ".Vehicle", isAbstract: true, codeGeneration: .class,
                attributes: AttributeType.allCases.flatMap { type in
                    let name = "\(type)"
                    return [
                        AttributeElement(name: name, type: type, usesScalarType: true),
                        AttributeElement(name: "boxed_" + name, type: type, isOptional: true),
                    ]
                } + [
                    AttributeElement(name: "default", type: .string),
                    AttributeElement(name: "tags", type: .transformable, customClassName: "[String]"),
                ]),
            EntityElement(
                name: "Car", className: "App.Auto", parentName: "Vehicle", codeGeneration: .class,
                relationships: [
                    RelationshipElement(name: "owner", destinationName: "Person", maximumCount: 1),
                    RelationshipElement(name: "drivers", destinationName: "Person", maximumCount: 0),
                    RelationshipElement(
                        name: "stops", destinationName: "Plain", isOrdered: true, maximumCount: 0),
                ]),
            EntityElement(name: "Person", className: "Person", codeGeneration: .manual),
            EntityElement(name: "Plain", codeGeneration: .class),
        ]),
        sources: ["Person.swift": "class Person: NSManagedObject {}"])

    private static let category = Fixture(
        name: "Category",
        document: ModelDocument(entities: [
            EntityElement(
                name: "Person", className: "Person", codeGeneration: .category,
                attributes: [AttributeElement(name: "name", type: .string)],
                fetchedProperties: [
                    FetchedPropertyElement(
                        name: "namesakes", fetchRequest: FetchRequestElement(name: "r", entityName: "Person"))
                ]),
            EntityElement(
                name: "Student", className: "Student", parentName: "Person", codeGeneration: .category,
                attributes: [AttributeElement(name: "id", type: .uuid)]),
            EntityElement(name: "Room", className: "Room", codeGeneration: .category),
        ]),
        sources: [
            "Classes.swift": """
            public class Person: NSManagedObject {}
            public class Student: Person {
                func validateName(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
            }
            class Room: NSManagedObject, Identifiable {}
            """
        ])

    private static let manual = Fixture(
        name: "Manual",
        document: ModelDocument(entities: [EntityElement(name: "Tweet", className: "Tweet")]),
        sources: [
            "Tweet.swift": """
            import Foundation
            import CoreData
            import CoreLocation
            #if FANCY
            import Fancy
            #endif
            open class Tweet: NSManagedObject {
                @NSManaged public var text: String
                @NSManaged public internal(set) var likes: Int32
                @NSManaged private var secret: Data?
                @NSManaged var primitiveText: String
                @NSManaged var tags: Set<Tweet>
                @NSManaged public func addToTags(_ value: Tweet)
                @NSManaged func addToTags(_ values: NSSet)
                @NSManaged func insertIntoTags(_ values: [Tweet], at indexes: NSIndexSet)
                #if FANCY
                @NSManaged var fancy: Bool
                #endif
                @available(*, deprecated) @NSManaged var old: Int
            }
            class Box<T>: NSManagedObject { @NSManaged var value: T }
            enum Space { class Star: Tweet { enum Kind { case red }; @NSManaged var kind: Kind } }
            @MainActor class Screen: NSManagedObject { @NSManaged var width: Double }
            """
        ])
}

import Foundation

@testable import CoreData

/// Models the tests build in code.
enum ModelFixtures {
    static func attribute(
        _ name: String, _ type: NSAttributeType, default value: Any? = nil, isOptional: Bool = true
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.defaultValue = value
        attribute.isOptional = isOptional
        return attribute
    }

    static func entity(_ name: String, _ properties: [NSPropertyDescription] = []) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = properties
        return entity
    }

    /// Person (abstract) with Employee below it; an employee belongs to a company.
    static func company() -> NSManagedObjectModel {
        let person = entity("Person", [attribute("name", .stringAttributeType, isOptional: false)])
        person.isAbstract = true
        let employee = entity(
            "Employee", [attribute("salary", .decimalAttributeType, default: Decimal(1000))])
        let company = entity(
            "Company",
            [
                attribute("name", .stringAttributeType), attribute("founded", .dateAttributeType),
                attribute("size", .integer32AttributeType, default: 1),
            ])
        person.subentities = [employee]
        link(
            company, relationship("staff", .many, to: employee), relationship("employer", .one, to: company))
        let model = NSManagedObjectModel()
        model.entities = [person, employee, company]
        model.versionIdentifiers = ["1"]
        return model
    }

    /// How many objects one side of a relationship refers to.
    enum Arity {
        case one, many, ordered
    }

    static func relationship(
        _ name: String, _ arity: Arity, to destination: NSEntityDescription,
        _ rule: NSDeleteRule = .nullifyDeleteRule
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = destination
        relationship.maxCount = arity == .one ? 1 : 0
        relationship.isOrdered = arity == .ordered
        relationship.deleteRule = rule
        relationship.isOptional = true
        return relationship
    }

    /// A relationship and its inverse.
    @discardableResult
    static func link(
        _ source: NSEntityDescription, _ forward: NSRelationshipDescription,
        _ back: NSRelationshipDescription
    ) -> NSRelationshipDescription {
        forward.inverseRelationship = back
        back.inverseRelationship = forward
        source.properties.append(forward)
        if forward !== back { forward.destinationEntity?.properties.append(back) }
        return forward
    }
}

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

    /// Links two entities by a to-many relationship and its to-one inverse.
    static func link(
        _ owner: NSEntityDescription, _ many: String, _ member: NSEntityDescription, _ one: String
    ) {
        let toMany = NSRelationshipDescription()
        toMany.name = many
        toMany.destinationEntity = member
        let toOne = NSRelationshipDescription()
        toOne.name = one
        toOne.destinationEntity = owner
        toOne.maxCount = 1
        toMany.inverseRelationship = toOne
        toOne.inverseRelationship = toMany
        owner.properties.append(toMany)
        member.properties.append(toOne)
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
        link(company, "staff", employee, "employer")
        let model = NSManagedObjectModel()
        model.entities = [person, employee, company]
        model.versionIdentifiers = ["1"]
        return model
    }
}

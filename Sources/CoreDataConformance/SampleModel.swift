import CoreData
import Foundation

/// The model of the checks: every type of attribute, every kind of relationship, inheritance.
///
///     Person (abstract)  <- Employee <- Manager
///     Employee.department <->> Department.employees        Employee.tags <<->> Tag.employees
///     Employee.steps (ordered) <->> Step.employee          Manager.reports <<-> Employee.boss
///     Sample: an attribute of each type
enum SampleModel {
    /// - Parameter derives: Whether it has derived attributes, which not every store can keep.
    static func make(derives: Bool) -> NSManagedObjectModel {
        let sample = entity(
            "Sample",
            [
                attribute("name", .stringAttributeType), attribute("int16", .integer16AttributeType),
                attribute("int32", .integer32AttributeType), attribute("int64", .integer64AttributeType),
                attribute("flag", .booleanAttributeType), attribute("double", .doubleAttributeType),
                attribute("float", .floatAttributeType), attribute("decimal", .decimalAttributeType),
                attribute("date", .dateAttributeType), attribute("data", .binaryDataAttributeType),
                attribute("uuid", .UUIDAttributeType), attribute("uri", .URIAttributeType),
                transformable("list"), transient("note"),
            ])
        let person = entity(
            "Person", [attribute("name", .stringAttributeType), attribute("age", .integer16AttributeType)])
        person.isAbstract = true
        let employee = entity("Employee", [attribute("salary", .doubleAttributeType), transient("mood")])
        let manager = entity("Manager", [attribute("title", .stringAttributeType)])
        employee.subentities = [manager]
        person.subentities = [employee]
        let department = entity(
            "Department",
            [
                attribute("name", .stringAttributeType), attribute("floor", .integer16AttributeType),
            ] + (derives ? derivedAttributes : []))
        let tag = entity("Tag", [attribute("name", .stringAttributeType)])
        let step = entity("Step", [attribute("name", .stringAttributeType)])
        link(
            department, relationship("employees", many: true, employee, .cascadeDeleteRule), employee,
            relationship("department", many: false, department))
        link(
            employee, relationship("tags", many: true, tag), tag,
            relationship("employees", many: true, employee))
        link(
            employee, relationship("steps", many: true, step, .cascadeDeleteRule, isOrdered: true), step,
            relationship("employee", many: false, employee))
        link(
            manager, relationship("reports", many: true, employee), employee,
            relationship("boss", many: false, manager))
        let model = NSManagedObjectModel()
        model.entities = [sample, person, employee, manager, department, tag, step]
        return model
    }

    private static func entity(_ name: String, _ properties: [NSPropertyDescription]) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = properties
        return entity
    }

    private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
        return attribute
    }

    private static func transformable(_ name: String) -> NSAttributeDescription {
        let attribute = attribute(name, .transformableAttributeType)
        attribute.valueTransformerName =
            NSValueTransformerName.secureUnarchiveFromDataTransformerName.rawValue
        return attribute
    }

    private static func transient(_ name: String) -> NSAttributeDescription {
        let attribute = attribute(name, .stringAttributeType)
        attribute.isTransient = true
        return attribute
    }

    private static var derivedAttributes: [NSAttributeDescription] {
        [
            derived("headcount", "employees.@count", .integer64AttributeType),
            derived("plainName", "canonical:(name)", .stringAttributeType),
        ]
    }

    private static func derived(
        _ name: String, _ expression: String, _ type: NSAttributeType
    ) -> NSDerivedAttributeDescription {
        let attribute = NSDerivedAttributeDescription()
        (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
        attribute.derivationExpression = NSExpression(format: expression)
        return attribute
    }

    private static func relationship(
        _ name: String, many: Bool, _ destination: NSEntityDescription,
        _ rule: NSDeleteRule = .nullifyDeleteRule, isOrdered: Bool = false
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        (relationship.name, relationship.destinationEntity) = (name, destination)
        (relationship.maxCount, relationship.isOrdered) = (many ? 0 : 1, isOrdered)
        (relationship.deleteRule, relationship.isOptional) = (rule, true)
        return relationship
    }

    private static func link(
        _ first: NSEntityDescription, _ there: NSRelationshipDescription, _ second: NSEntityDescription,
        _ back: NSRelationshipDescription
    ) {
        there.inverseRelationship = back
        back.inverseRelationship = there
        first.properties.append(there)
        second.properties.append(back)
    }
}

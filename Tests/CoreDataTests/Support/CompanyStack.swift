import CoreData
import Foundation

/// A stack over a model with every kind of relationship.
final class CompanyStack: ContainerStack {
    init(folder: ScratchFolder? = nil) throws {
        try super.init(Self.model(), in: folder)
    }

    /// Returns a new stack on the same file.
    func reopened() throws -> CompanyStack { try CompanyStack(folder: folder) }

    static func model() -> NSManagedObjectModel {
        let company = ModelFixtures.entity("Company", [ModelFixtures.attribute("name", .stringAttributeType)])
        let department = ModelFixtures.entity(
            "Department",
            [
                ModelFixtures.attribute("name", .stringAttributeType, isOptional: false),
                ModelFixtures.attribute("floor", .integer32AttributeType),
            ])
        let person = ModelFixtures.entity(
            "Person",
            [
                ModelFixtures.attribute("name", .stringAttributeType),
                ModelFixtures.attribute("born", .dateAttributeType),
            ])
        person.isAbstract = true
        let mood = ModelFixtures.attribute("mood", .stringAttributeType)
        mood.isTransient = true
        let salary = ModelFixtures.attribute("salary", .integer64AttributeType)
        salary.defaultValue = NSNumber(value: 10)
        salary.setValidationPredicates(
            [NSPredicate(format: "SELF >= 0")], withValidationWarnings: ["A salary is never negative."])
        let employee = ModelFixtures.entity(
            "Employee",
            [
                salary, ModelFixtures.attribute("badge", .UUIDAttributeType),
                ModelFixtures.attribute("photo", .binaryDataAttributeType),
                ModelFixtures.attribute("home", .URIAttributeType),
                ModelFixtures.attribute("bonus", .decimalAttributeType),
                ModelFixtures.attribute("score", .doubleAttributeType),
                ModelFixtures.attribute("ratio", .floatAttributeType),
                ModelFixtures.attribute("active", .booleanAttributeType),
                ModelFixtures.attribute("rank", .integer16AttributeType),
                ModelFixtures.attribute("tags", .transformableAttributeType),
                mood,
            ])
        employee.managedObjectClassName = NSStringFromClass(Employee.self)
        let manager = ModelFixtures.entity(
            "Manager", [ModelFixtures.attribute("level", .integer16AttributeType)])
        let project = ModelFixtures.entity("Project", [ModelFixtures.attribute("name", .stringAttributeType)])
        let desk = ModelFixtures.entity("Desk", [ModelFixtures.attribute("name", .stringAttributeType)])
        let task = ModelFixtures.entity("Task", [ModelFixtures.attribute("name", .stringAttributeType)])
        person.subentities = [employee]
        employee.subentities = [manager]

        ModelFixtures.link(
            company, ModelFixtures.relationship("departments", .many, to: department, .denyDeleteRule),
            ModelFixtures.relationship("company", .one, to: company))
        ModelFixtures.link(
            department, ModelFixtures.relationship("employees", .many, to: employee, .cascadeDeleteRule),
            ModelFixtures.relationship("department", .one, to: department))
        ModelFixtures.link(
            employee, ModelFixtures.relationship("projects", .many, to: project),
            ModelFixtures.relationship("members", .many, to: employee))
        ModelFixtures.link(
            employee, ModelFixtures.relationship("desk", .one, to: desk),
            ModelFixtures.relationship("owner", .one, to: employee))
        ModelFixtures.link(
            project, ModelFixtures.relationship("tasks", .ordered, to: task, .cascadeDeleteRule),
            ModelFixtures.relationship("project", .one, to: project))
        let friends = ModelFixtures.relationship("friends", .many, to: employee)
        ModelFixtures.link(employee, friends, friends)
        employee.properties.append(ModelFixtures.relationship("favourites", .many, to: project))
        desk.uniquenessConstraints = [["name"]]

        let model = NSManagedObjectModel()
        model.entities = [company, department, person, employee, manager, project, desk, task]
        return model
    }
}

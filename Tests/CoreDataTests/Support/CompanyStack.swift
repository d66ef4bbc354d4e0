import CoreData

/// A stack over a model with every kind of relationship. Objects are fetched by name.
final class CompanyStack: TestStack {
    init(folder: ScratchFolder? = nil) throws {
        try super.init(Self.model(), in: folder, sortedBy: "name")
    }

    static func model() -> NSManagedObjectModel {
        let model = ModelSketch(
            """
            Company
              name string
              departments ->> Department.company deny
            Department
              name string!
              floor int32
              company -> Company.departments
              employees ->> Employee.department cascade
            Person abstract
              name string
              born date
            Employee: Person
              salary int64 = 10
              badge uuid
              photo data
              home uri
              bonus decimal
              score double
              ratio float
              active bool
              rank int16
              tags transformable
              mood string transient
              department -> Department.employees
              projects ->> Project.members
              desk -> Desk.owner
              friends ->> Employee.friends
              favourites ->> Project
            Manager: Employee
              level int16
            Project
              name string
              members ->> Employee.projects
              tasks ->>> Task.project cascade
            Desk
              name string
              owner -> Employee.desk
              unique name
            Task
              name string
              project -> Project.tasks
            """
        ).model(classes: ["Employee": Employee.self])
        model.entitiesByName["Employee"]!.attributesByName["salary"]!.setValidationPredicates(
            [NSPredicate(format: "SELF >= 0")], withValidationWarnings: ["A salary is never negative."])
        return model
    }
}

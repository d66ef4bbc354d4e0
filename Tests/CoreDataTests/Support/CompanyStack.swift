import CoreData
import Foundation

/// A stack over a model with every kind of relationship, in a folder of its own.
final class CompanyStack {
    private let folder: ScratchFolder
    let container: NSPersistentContainer
    var context: NSManagedObjectContext { container.viewContext }
    var storeURL: URL { folder.file("Company.sqlite") }

    init(folder: ScratchFolder? = nil) throws {
        self.folder = try folder ?? ScratchFolder()
        container = NSPersistentContainer(name: "Company", managedObjectModel: CompanyModelBuilder.model())
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: storeURL)]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
    }

    /// The same file, opened anew.
    func reopened() throws -> CompanyStack { try CompanyStack(folder: folder) }

    @discardableResult
    func insert(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        object.setValuesForKeys(values)
        return object
    }

    func fetch(_ entity: String, _ format: String? = nil, _ arguments: [Any] = []) throws -> [NSManagedObject]
    {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        if let format { request.predicate = NSPredicate(format: format, argumentArray: arguments) }
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return try context.fetch(request)
    }

    func names(_ entity: String, _ format: String? = nil, _ arguments: Any...) throws -> [String] {
        try fetch(entity, format, arguments).map { $0.value(forKey: "name") as? String ?? "nil" }
    }
}

/// The entity classes log what the framework calls.
final class Employee: NSManagedObject {
    nonisolated(unsafe) static var calls: [String] = []
    nonisolated(unsafe) static var onDeletion: (Employee) -> Void = { _ in }
    private static let nameProperty = ManagedProperty("name")
    private static let salaryProperty = ManagedProperty("salary")
    private static let bornProperty = ManagedProperty("born")
    private static let departmentProperty = ManagedProperty("department")

    var name: String? {
        get { ManagedAccess.read(self, Self.nameProperty) }
        set { ManagedAccess.write(self, Self.nameProperty, newValue) }
    }
    var salary: Int64 {
        get { ManagedAccess.read(self, Self.salaryProperty) }
        set { ManagedAccess.write(self, Self.salaryProperty, newValue) }
    }
    var born: Date? {
        get { ManagedAccess.read(self, Self.bornProperty) }
        set { ManagedAccess.write(self, Self.bornProperty, newValue) }
    }
    var department: NSManagedObject? {
        get { ManagedAccess.read(self, Self.departmentProperty) }
        set { ManagedAccess.write(self, Self.departmentProperty, newValue) }
    }

    private func log(_ call: String) { Self.calls.append(call) }
    override func awakeFromInsert() {
        super.awakeFromInsert()
        log("awakeFromInsert")
    }
    override func awakeFromFetch() {
        super.awakeFromFetch()
        log("awakeFromFetch")
    }
    override func willSave() {
        super.willSave()
        log("willSave")
    }
    override func didSave() {
        super.didSave()
        log("didSave")
    }
    override func prepareForDeletion() {
        super.prepareForDeletion()
        log("prepareForDeletion")
        Self.onDeletion(self)
    }
    override func willTurnIntoFault() {
        super.willTurnIntoFault()
        log("willTurnIntoFault")
    }
    override func validateForInsert() throws {
        log("validateForInsert")
        try super.validateForInsert()
    }
}

enum CompanyModelBuilder {
    static func model() -> NSManagedObjectModel {
        let company = entity("Company", [attribute("name", .stringAttributeType)])
        let department = entity(
            "Department",
            [
                attribute("name", .stringAttributeType, isOptional: false),
                attribute("floor", .integer32AttributeType),
            ])
        let person = entity(
            "Person", [attribute("name", .stringAttributeType), attribute("born", .dateAttributeType)])
        person.isAbstract = true
        let salary = attribute("salary", .integer64AttributeType)
        salary.defaultValue = NSNumber(value: 10)
        salary.setValidationPredicates(
            [NSPredicate(format: "SELF >= 0")], withValidationWarnings: ["A salary is never negative."])
        let employee = entity(
            "Employee",
            [
                salary, attribute("badge", .UUIDAttributeType), attribute("photo", .binaryDataAttributeType),
                attribute("home", .URIAttributeType), attribute("bonus", .decimalAttributeType),
                attribute("score", .doubleAttributeType), attribute("ratio", .floatAttributeType),
                attribute("active", .booleanAttributeType), attribute("rank", .integer16AttributeType),
                attribute("tags", .transformableAttributeType),
                transient(attribute("mood", .stringAttributeType)),
            ])
        employee.managedObjectClassName = NSStringFromClass(Employee.self)
        let manager = entity("Manager", [attribute("level", .integer16AttributeType)])
        let project = entity("Project", [attribute("name", .stringAttributeType)])
        let desk = entity("Desk", [attribute("name", .stringAttributeType)])
        let task = entity("Task", [attribute("name", .stringAttributeType)])
        person.subentities = [employee]
        employee.subentities = [manager]

        link(
            company, "departments", many: true, .denyDeleteRule, department, "company", many: false,
            .nullifyDeleteRule)
        link(
            department, "employees", many: true, .cascadeDeleteRule, employee, "department", many: false,
            .nullifyDeleteRule)
        link(
            employee, "projects", many: true, .nullifyDeleteRule, project, "members", many: true,
            .nullifyDeleteRule)
        link(
            employee, "desk", many: false, .nullifyDeleteRule, desk, "owner", many: false, .nullifyDeleteRule)
        let (tasks, _) = link(
            project, "tasks", many: true, .cascadeDeleteRule, task, "project", many: false, .nullifyDeleteRule
        )
        tasks.isOrdered = true
        let friends = relationship("friends", many: true, employee, .nullifyDeleteRule)
        friends.inverseRelationship = friends
        employee.properties.append(friends)
        let favourites = relationship("favourites", many: true, project, .nullifyDeleteRule)
        employee.properties.append(favourites)
        desk.uniquenessConstraints = [["name"]]

        let model = NSManagedObjectModel()
        model.entities = [company, department, person, employee, manager, project, desk, task]
        return model
    }

    private static func entity(_ name: String, _ properties: [NSPropertyDescription]) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = properties
        return entity
    }

    private static func attribute(
        _ name: String, _ type: NSAttributeType, isOptional: Bool = true
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = isOptional
        return attribute
    }

    private static func transient(_ attribute: NSAttributeDescription) -> NSAttributeDescription {
        attribute.isTransient = true
        return attribute
    }

    private static func relationship(
        _ name: String, many: Bool, _ destination: NSEntityDescription, _ rule: NSDeleteRule
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = destination
        relationship.maxCount = many ? 0 : 1
        relationship.deleteRule = rule
        relationship.isOptional = true
        return relationship
    }

    @discardableResult
    private static func link(
        _ source: NSEntityDescription, _ name: String, many: Bool, _ rule: NSDeleteRule,
        _ destination: NSEntityDescription, _ inverseName: String, many inverseMany: Bool,
        _ inverseRule: NSDeleteRule
    ) -> (NSRelationshipDescription, NSRelationshipDescription) {
        let forward = relationship(name, many: many, destination, rule)
        let back = relationship(inverseName, many: inverseMany, source, inverseRule)
        forward.inverseRelationship = back
        back.inverseRelationship = forward
        source.properties.append(forward)
        destination.properties.append(back)
        return (forward, back)
    }
}

import Classic
import CoreData
import Testing

class Box<Content>: NSManagedObject {
    @NSManaged var label: String?
}

final class Crate: Box<Int> {}

extension Box where Content == Int {
    @NSManaged var size: Int64
}

@objc(CLSHidden) private class Hidden: NSManagedObject {
    @NSManaged var label: String?
    @objc private var length: Int { label?.count ?? 0 }

    @objc private func validateLabel(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
        if value.pointee as? String == "" { throw NSError(domain: "Hidden", code: 1) }
    }
}

private final class Listener: NSObject, NSFetchedResultsControllerDelegate {
    private(set) var changes = 0

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        changes += 1
    }
}

@Suite("Declarations that only ported sources may have")
@MainActor
struct OverlayTests {
    private func context(
        for managedClass: NSManagedObject.Type, _ attributes: [String: NSAttributeType],
        named className: String? = nil
    ) throws -> NSManagedObjectContext {
        let entity = NSEntityDescription()
        entity.name = "Entity"
        entity.managedObjectClassName = className ?? String(reflecting: managedClass)
        entity.properties = attributes.map { name, type in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            return attribute
        }
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    @Test("A constrained extension has managed properties")
    func constrained() throws {
        let context = try context(
            for: Crate.self, ["label": .stringAttributeType, "size": .integer64AttributeType])
        let crate = try #require(
            NSEntityDescription.insertNewObject(forEntityName: "Entity", into: context) as? Crate)
        crate.size = 3
        crate.label = "three"
        try context.save()
        context.reset()
        let found = try context.fetch(NSFetchRequest<Crate>(entityName: "Entity"))
        #expect(found.map(\.size) == [3])
        #expect(found.map(\.label) == ["three"])
    }

    @Test("Private members are found by name like those visible in the module")
    func privateMembers() throws {
        let context = try context(
            for: Hidden.self, ["label": .stringAttributeType], named: "CLSHidden")
        let hidden = try #require(
            NSEntityDescription.insertNewObject(forEntityName: "Entity", into: context) as? Hidden)
        hidden.label = "three"
        #expect(hidden.value(forKey: "length") as? Int == 5)
        try context.save()
        let request = NSFetchRequest<Hidden>(entityName: "Entity")
        request.predicate = NSPredicate(#Predicate<Hidden> { $0.label == "three" })
        #expect(try context.fetch(request) == [hidden])
        hidden.label = ""
        #expect(throws: NSError.self) { try hidden.validateForUpdate() }
    }

    @Test("A generic class observes by selector and forwards optional delegate methods")
    func genericObservers() throws {
        let context = try container("Classic").viewContext
        let request = NSFetchRequest<Employee>(entityName: "Employee")
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Employee.name, ascending: true)]
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        let (feed, listener) = (Feed<Employee>(context: context), Listener())
        controller.delegate = feed
        feed.delegate = listener
        try controller.performFetch()
        Employee(context: context).name = "Ann"
        context.processPendingChanges()
        try context.save()
        #expect(listener.changes == 1)
        #expect(feed.saves == 1)
    }

    @Test("A class's bundle has the resources of its module")
    func bundles() throws {
        #expect(try NSManagedObjectModel(contentsOf: #require(modelOfEmployees()))?.entities.count == 3)
    }

    @Test("Classes are found by the names that models use")
    func classNames() throws {
        let model = try container("Classic").managedObjectModel
        for entity in model.entities {
            let found = NSClassFromString(entity.managedObjectClassName) as? NSManagedObject.Type
            #expect(found?.entity().name == entity.name)
        }
    }

    @Test("An extension can override a method that a generated class inherits")
    func overridesOfGenerated() throws {
        let office = Office(context: try container("Classic").viewContext)
        #expect(office.city == "Zug")
    }

    @Test("Private members in extensions validate and are read by name")
    func privateMembersElsewhere() throws {
        let context = try container("Classic").viewContext
        let employee = Employee(context: context)
        employee.name = "Ann"
        #expect(employee.value(forKey: "shout") as? String == "ANN")
        try employee.validateForInsert()
        employee.name = ""
        #expect(throws: NSError.self) { try employee.validateForInsert() }
    }
}

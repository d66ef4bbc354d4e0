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

@Suite("What only ported sources may declare")
@MainActor
struct OverlayTests {
    private func context(for managedClass: NSManagedObject.Type, _ attributes: [String: NSAttributeType])
        throws
        -> NSManagedObjectContext
    {
        let entity = NSEntityDescription()
        entity.name = "Entity"
        entity.managedObjectClassName = String(reflecting: managedClass)
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

    @Test("An extension with constraints has managed properties")
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
        #expect(found.map(\.size) == [3] && found.map(\.label) == ["three"])
    }

    @Test("An extension overrides what a generated class inherits")
    func overridesOfGenerated() throws {
        let office = Office(context: try container("Classic").viewContext)
        #expect(office.city == "Zug")
    }
}

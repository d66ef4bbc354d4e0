import CoreData
import Foundation
import Testing

/// Every call by the framework or a client, in order.
private final class LoggingContext: NSManagedObjectContext, @unchecked Sendable {
    var calls: [String] = []

    override func save() throws {
        calls.append("save")
        try super.save()
    }
    override func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] {
        calls.append("fetch \(request.entityName ?? "")")
        return try super.fetch(request)
    }
    override func count(for request: NSFetchRequest<any NSFetchRequestResult>) throws -> Int {
        calls.append("count")
        return try super.count(for: request)
    }
    override func insert(_ object: NSManagedObject) {
        calls.append("insert")
        super.insert(object)
    }
    override func delete(_ object: NSManagedObject) {
        calls.append("delete")
        super.delete(object)
    }
    override func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
        calls.append("refresh \(flag)")
        super.refresh(object, mergeChanges: flag)
    }
    override func perform(_ block: @escaping () -> Void) {
        calls.append("perform")
        super.perform(block)
    }
    override func performAndWait(_ block: () -> Void) {
        calls.append("performAndWait")
        super.performAndWait(block)
    }
    override func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
        calls.append("obtainPermanentIDs")
        try super.obtainPermanentIDs(for: objects)
    }
    override func mergeChanges(fromContextDidSave notification: Notification) {
        calls.append("mergeChanges")
        super.mergeChanges(fromContextDidSave: notification)
    }
    override func rollback() {
        calls.append("rollback")
        super.rollback()
    }
    override func reset() {
        calls.append("reset")
        super.reset()
    }
    override func object(with objectID: NSManagedObjectID) -> NSManagedObject {
        calls.append("object")
        return super.object(with: objectID)
    }
}

private final class LoggingContainer: NSPersistentContainer, @unchecked Sendable {
    let made: LoggingContext

    override init(name: String, managedObjectModel model: NSManagedObjectModel) {
        made = LoggingContext(concurrencyType: .privateQueueConcurrencyType)
        super.init(name: name, managedObjectModel: model)
        made.persistentStoreCoordinator = persistentStoreCoordinator
    }

    override func newBackgroundContext() -> NSManagedObjectContext { made }
}

private final class Refusing: NSPersistentStoreCoordinator, @unchecked Sendable {
    override func addPersistentStore(
        ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        throw CocoaError(.userCancelled)
    }
}

private final class AtMostOne: NSFetchRequest<NSManagedObject> {
    override var fetchLimit: Int {
        get { 1 }
        set { super.fetchLimit = newValue }
    }
}

@Suite("Methods that apps may override")
struct OverridingTests {
    private func stack() throws -> (TestStack, LoggingContext) {
        let stack = try CompanyStack()
        let context = LoggingContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = stack.coordinator
        return (stack, context)
    }

    @Test("The framework calls overrides of a context's methods")
    @MainActor
    func context() throws {
        let (stack, context) = try stack()
        try context.performAndWait {
            let red = NSEntityDescription.insertNewObject(forEntityName: "Project", into: context)
            red.setValue("red", forKey: "name")
            try context.obtainPermanentIDs(for: [red])
            try context.save()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Project")
            #expect(try context.fetch(request) == [red])
            #expect(try context.count(for: request) == 1)
            context.refreshAllObjects()
            context.delete(red)
            context.rollback()
            context.reset()
        }
        #expect(
            context.calls == [
                "performAndWait", "insert", "obtainPermanentIDs", "save", "fetch Project", "count",
                "refresh true", "delete", "rollback", "reset",
            ])
        withExtendedLifetime(stack) {}
    }

    @Test("Automatic merging calls an override of a context's mergeChanges")
    func merging() async throws {
        let (stack, context) = try stack()
        context.automaticallyMergesChangesFromParent = true
        try await MainActor.run {
            stack.insert("Project", ["name": "red"])
            try stack.context.save()
        }
        let calls = await context.perform { context.calls }
        // In a block of its own, or before this one begins.
        #expect(calls.filter { $0 != "perform" } == ["mergeChanges", "object"])
    }

    @Test("Background tasks use an override of a container's newBackgroundContext")
    func container() async throws {
        let container = LoggingContainer(name: "Company", managedObjectModel: CompanyStack.model())
        let isIt = await container.performBackgroundTask { $0 === container.made }
        #expect(isIt)
        #expect(container.made.calls == ["perform"])
    }

    @Test("Every way to add a store calls an override of a coordinator's addPersistentStore")
    func coordinator() {
        let coordinator = Refusing(managedObjectModel: CompanyStack.model())
        var failure: (any Error)?
        coordinator.addPersistentStore(with: NSPersistentStoreDescription()) { _, error in failure = error }
        #expect((failure as? CocoaError)?.code == .userCancelled)
        #expect(throws: CocoaError.self) {
            try coordinator.addPersistentStore(type: .sqlite, at: URL(fileURLWithPath: "/nowhere/at/all"))
        }
    }

    @Test("A subclass of a request has its initializers and may override its properties")
    func request() {
        #expect(AtMostOne(entityName: "Project").fetchLimit == 1)
    }
}

import CoreData
import Foundation
import Testing

/// The events that a context reports, as names of employees. Used on the context's queue, and between its
/// blocks by the test, which waits for each.
private final class EventLog: @unchecked Sendable {
    private(set) var events: [String] = []
    private var token: (any NSObjectProtocol)?

    init(_ context: NSManagedObjectContext) {
        token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
        ) { [unowned self] notification in
            let info = notification.userInfo ?? [:]
            let keys = [
                NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey, NSRefreshedObjectsKey,
            ]
            let groups = keys.compactMap { key in
                (info[key] as? Set<NSManagedObject>).map { "\(key) \(Self.names($0))" }
            }
            events.append(groups.joined(separator: ", "))
        }
    }

    deinit { token.map(NotificationCenter.default.removeObserver) }

    private static func names(_ objects: Set<NSManagedObject>) -> String {
        objects.map { $0.value(forKey: "name") as? String ?? "nil" }.sorted().joined(separator: " ")
    }

    func take() -> [String] {
        defer { events = [] }
        return events
    }
}

/// The names that a controller has when it calls its delegate. Used as `EventLog` is.
private final class ShownNames: NSObject, NSFetchedResultsControllerDelegate, @unchecked Sendable {
    private(set) var told: [String] = []

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        let objects = controller.fetchedObjects as? [NSManagedObject] ?? []
        told.append(
            objects.map { $0.value(forKey: "name") as? String ?? "nil" }.joined(separator: " "))
    }
}

@Suite("Events of a context")
struct EventTests {
    private let stack: TestStack
    private let context: NSManagedObjectContext
    private let log: EventLog

    init() throws {
        stack = try CompanyStack()
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = stack.context.persistentStoreCoordinator
        try context.performAndWait {
            _ = context.insert("Employee", ["name": "Ann"])
            try context.save()
        }
        self.context = context
        log = EventLog(context)
    }

    private func employee(_ name: String) throws -> NSManagedObject {
        try context.fetch("Employee", "name == %@", [name], sortedBy: nil)[0]
    }

    private func followed() -> (NSFetchedResultsController<NSManagedObject>, ShownNames) {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        let delegate = ShownNames()
        controller.delegate = delegate
        return (controller, delegate)
    }

    // MARK: What ends no event

    /// The calls that query a context or read objects again.
    enum Question: String, CaseIterable {
        case fetch, fetchOfTheStored, count, ids, dictionaries, batchUpdate, existingObject, object
        case permanentIDs, refresh, insertedObjects, blockInside, fault, fetchByChild

        func ask(_ context: NSManagedObjectContext, about object: NSManagedObject) throws {
            for entity in ["Employee", "Project"] {
                let request = NSFetchRequest<any NSFetchRequestResult>(entityName: entity)
                switch self {
                case .fetchOfTheStored: request.includesPendingChanges = false
                case .ids: request.resultType = .managedObjectIDResultType
                case .dictionaries:
                    request.resultType = .dictionaryResultType
                    request.propertiesToFetch = ["name"]
                default: break
                }
                switch self {
                case .fetch, .fetchOfTheStored, .ids, .dictionaries: _ = try context.fetch(request)
                case .count: _ = try context.count(for: request)
                case .batchUpdate:
                    let update = NSBatchUpdateRequest(entityName: entity)
                    update.propertiesToUpdate = ["name": "Bo"]
                    update.predicate = NSPredicate(value: false)
                    _ = try context.execute(update)
                case .existingObject: _ = try context.existingObject(with: object.objectID)
                case .object: _ = context.object(with: object.objectID)
                case .permanentIDs: try context.obtainPermanentIDs(for: [object])
                case .refresh: context.refresh(object, mergeChanges: true)
                case .insertedObjects: _ = (context.insertedObjects, context.hasChanges)
                case .blockInside: context.performAndWait { object.setValue(1, forKey: "rank") }
                case .fault: _ = context.object(with: object.objectID).value(forKey: "projects")
                case .fetchByChild:
                    let child = NSManagedObjectContext(.privateQueue)
                    child.parent = context
                    try child.performAndWait { _ = try child.fetch(request) }
                }
            }
        }
    }

    @Test(
        "A fetch does not end the event: observers are notified once, after the block",
        arguments: Question.allCases)
    func questions(_ question: Question) throws {
        try context.performAndWait {
            let bo = context.insert("Employee", [:])
            try question.ask(context, about: bo)
            #expect(log.take() == [])
            bo.setValue("Bo", forKey: "name")
            try question.ask(context, about: bo)
            #expect(bo.changedValuesForCurrentEvent()["name"] is NSNull)
            #expect(log.take() == [])
        }
        #expect(log.take() == ["inserted Bo"])
    }

    @Test("A controller reports a new object completely, even if a fetch ran while it was set up")
    func controller() throws {
        let (controller, delegate) = followed()
        try context.performAndWait {
            try controller.performFetch()
            let bo = context.insert("Employee", [:])
            _ = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Project"))
            _ = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Employee"))
            bo.setValue("Bo", forKey: "name")
        }
        #expect(delegate.told == ["Ann Bo"])
        withExtendedLifetime(controller) {}
    }

    @Test("On the main thread outside of blocks, an event lasts one pass of the run loop")
    @MainActor
    func mainThread() async throws {
        let stack = try CompanyStack()
        let log = EventLog(stack.context)
        let bo = stack.context.insert("Employee", [:])
        #expect(try stack.context.fetch("Employee", nil, [], sortedBy: nil) == [bo])
        // On the main queue itself, performAndWait's block belongs to the current event.
        stack.context.performAndWait { bo.setValue("Bo", forKey: "name") }
        #expect(try stack.context.fetch("Project", nil, [], sortedBy: nil) == [])
        #expect(log.take() == [])
        await withCheckedContinuation { end in DispatchQueue.main.async { end.resume() } }
        #expect(log.take() == ["inserted Bo"])
    }

    @Test("A change after a save of the same pass of the run loop is told when the pass ends")
    @MainActor
    func changeAfterSave() async throws {
        let stack = try CompanyStack()
        let bo = stack.context.insert("Employee", ["name": "Bo"])
        try stack.context.save()
        let log = EventLog(stack.context)
        bo.setValue("Al", forKey: "name")
        #expect(log.take() == [])
        await withCheckedContinuation { end in DispatchQueue.main.async { end.resume() } }
        #expect(log.take() == ["updated Al"])
        // The block that told it was the only one, and others are queued after it.
        bo.setValue("Cy", forKey: "name")
        await withCheckedContinuation { end in DispatchQueue.main.async { end.resume() } }
        #expect(log.take() == ["updated Cy"])
    }

    // MARK: What a fetch sees of an event that goes on

    @Test("A fetch sees all changes of its event and its delete rules, before observers do")
    func settled() throws {
        try context.performAndWait {
            let (sales, lab) = (
                context.insert("Department", ["name": "Sales"]), context.insert("Department", ["name": "Lab"])
            )
            let ann = try employee("Ann")
            ann.setValue(sales, forKey: "department")
            context.insert("Employee", ["name": "Bo"]).setValue(lab, forKey: "department")
            try context.save()
            _ = log.take()
            ann.setValue(lab, forKey: "department")
            #expect(
                try context.fetch("Department", "employees.@count == 2", [], sortedBy: nil) == [lab])
            context.delete(lab)
            #expect(try context.fetch("Employee", nil, [], sortedBy: nil).isEmpty)
            #expect(ann.isDeleted)
            #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Employee")) == 0)
            #expect(log.take() == [])
        }
        #expect(log.take() == ["updated Sales, deleted Ann Bo Lab"])
    }

    @Test("A fetch that excludes pending changes does not run delete rules")
    func stored() throws {
        try context.performAndWait {
            let sales = context.insert("Department", ["name": "Sales"])
            let ann = try employee("Ann")
            ann.setValue(sales, forKey: "department")
            try context.save()
            context.delete(sales)
            let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
            request.includesPendingChanges = false
            #expect(try context.fetch(request) == [ann])
            #expect(!ann.isDeleted)
            context.processPendingChanges()
            #expect(ann.isDeleted)
        }
    }

    @Test("An object deleted and reinserted in one event keeps its relationships unreported")
    func takenBack() throws {
        try context.performAndWait {
            let sales = context.insert("Department", ["name": "Sales"])
            let ann = try employee("Ann")
            ann.setValue(sales, forKey: "department")
            try context.save()
            _ = log.take()
            context.delete(sales)
            context.insert(sales)
            #expect(try context.fetch("Employee", nil, [], sortedBy: nil) == [ann])
        }
        #expect(log.take() == [])
        let department = try context.performAndWait { try employee("Ann").value(forKey: "department") }
        #expect(department != nil)
    }

    // MARK: What ends an event

    /// The ways to end an event, and the reports on an object inserted and one changed before.
    enum Ending: String, CaseIterable {
        case processing, save, undo, rollback, merge, saveOfChild

        var told: [String] {
            switch self {
            case .processing, .save, .merge, .saveOfChild: ["inserted Bo, updated Cid"]
            case .undo: ["inserted Bo, updated Cid", "updated Ann, deleted Bo"]
            case .rollback: ["inserted Bo, updated Cid", "deleted Bo, refreshed Ann"]
            }
        }

        func end(_ context: NSManagedObjectContext) throws {
            switch self {
            case .processing: context.processPendingChanges()
            case .save: try context.save()
            case .undo: context.undo()
            case .rollback: context.rollback()
            case .merge:
                context.mergeChanges(
                    fromContextDidSave: Notification(name: .NSManagedObjectContextDidSave, userInfo: [:]))
            case .saveOfChild:
                let child = NSManagedObjectContext(.privateQueue)
                child.parent = context
                try child.performAndWait {
                    _ = child.insert("Project", [:])
                    try child.save()
                }
            }
        }
    }

    @Test(
        "A save, a merge, a rollback and an undo end the current event",
        arguments: Ending.allCases)
    func endings(_ ending: Ending) throws {
        try context.performAndWait {
            context.undoManager = UndoManager()
            let ann = try employee("Ann")
            _ = context.insert("Employee", ["name": "Bo"])
            ann.setValue("Cid", forKey: "name")
            try ending.end(context)
            let told = log.take()
            if ending == .saveOfChild {
                #expect(told == ["inserted Bo nil, updated Cid"])
            } else {
                #expect(told == ending.told)
            }
            context.undoManager = nil
        }
        #expect(log.take() == [])
    }

    @Test("A reset discards the current event")
    func reset() throws {
        context.performAndWait {
            _ = context.insert("Employee", ["name": "Bo"])
            context.reset()
            #expect(log.take() == [""])
        }
        #expect(log.take() == [])
    }

    @Test("A block is undone as one step, even with fetches in between")
    func undoing() throws {
        let manager = UndoManager()
        manager.groupsByEvent = false
        try context.performAndWait {
            context.undoManager = manager
            let ann = try employee("Ann")
            manager.beginUndoGrouping()
            ann.setValue("Bo", forKey: "name")
            _ = try employee("Bo")
            ann.setValue("Cid", forKey: "name")
            _ = try employee("Cid")
            context.processPendingChanges()
            manager.endUndoGrouping()
            context.undo()
            #expect(ann.value(forKey: "name") as? String == "Ann")
            #expect(!manager.canUndo)
            context.undoManager = nil
        }
    }

    @Test("A child's fetch does not end its parent's event, and sees the parent's delete rules")
    func parent() throws {
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = context
        try context.performAndWait {
            let sales = context.insert("Department", ["name": "Sales"])
            try employee("Ann").setValue(sales, forKey: "department")
            try context.save()
            _ = log.take()
            context.delete(sales)
            let found = try child.performAndWait { try child.fetch("Employee", nil, [], sortedBy: nil).count }
            #expect(found == 0)
            #expect(log.take() == [])
        }
        #expect(log.take() == ["deleted Ann Sales"])
    }

    // MARK: Inserted and deleted in one event

    @Test("An object inserted and deleted in one event is reported as deleted, but not saved")
    func brief() throws {
        var brief: NSManagedObject?
        context.performAndWait {
            let bo = context.insert("Employee", ["name": "Bo"])
            context.delete(bo)
            brief = bo
            #expect(bo.isDeleted)
            #expect(context.insertedObjects.isEmpty)
            #expect(context.deletedObjects == [bo])
        }
        #expect(log.take() == ["deleted Bo"])
        try context.performAndWait {
            #expect(brief?.isDeleted == false)
            #expect(brief?.managedObjectContext == nil)
            #expect(!context.hasChanges)
            nonisolated(unsafe) var saved: [AnyHashable: Any] = ["not": "told"]
            let token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextDidSave, object: context, queue: nil
            ) { saved = $0.userInfo ?? [:] }
            defer { NotificationCenter.default.removeObserver(token) }
            try context.save()
            #expect(saved.isEmpty)
        }
    }

    @Test("Streams report an object inserted and deleted in one event; controllers and undo do not")
    func briefFollowers() async throws {
        let (controller, delegate) = followed()
        let manager = UndoManager()
        let (changes, ofObject, id) = try await context.perform {
            try controller.performFetch()
            context.undoManager = manager
            let bo = context.insert("Employee", ["name": "Bo"])
            defer { context.delete(bo) }
            return (context.changes(), bo.objectChanges(), bo.objectID)
        }
        var first = changes.makeAsyncIterator()
        let told = await first.next()
        #expect(told?.deleted == [id])
        #expect(told?.inserted == [])
        #expect(told?.updated == [])
        var all: [ManagedObjectChange] = []
        for await change in ofObject { all.append(change) }
        #expect(all == [.deleted])
        await context.perform {
            #expect(delegate.told == [])
            #expect(!manager.canUndo)
            context.undoManager = nil
        }
    }

    @Test("Results fetched in an event contain an object that it inserts and deletes until it ends")
    func briefResult() throws {
        let (controller, delegate) = followed()
        try context.performAndWait {
            let bo = context.insert("Employee", ["name": "Bo"])
            try controller.performFetch()
            #expect(controller.fetchedObjects?.count == 2)
            context.delete(bo)
        }
        #expect(controller.fetchedObjects?.count == 1)
        #expect(delegate.told == ["Ann"])
    }
}

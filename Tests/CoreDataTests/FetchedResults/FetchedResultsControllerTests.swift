import CoreData
import Foundation
import Testing

@Suite("Fetched results controllers")
@MainActor
struct FetchedResultsControllerTests {
    private let stack: TestStack
    private let controller: TaskStack.Controller
    private let recorder = DelegateRecorder()

    init() throws {
        stack = try TaskStack.make()
        for (title, group, rank) in [("milk", "home", 1), ("rent", "home", 2), ("mail", "work", 1)] {
            stack.task(title, group, rank: rank)
        }
        try stack.context.save()
        controller = TaskStack.controller(stack.context)
        controller.delegate = recorder
    }

    private func object(_ title: String) throws -> NSManagedObject {
        try #require(try stack.fetch("Task", "title == %@", title).first)
    }

    private func settled(_ body: () throws -> Void) rethrows -> [String] {
        try body()
        stack.context.processPendingChanges()
        return recorder.take()
    }

    // MARK: Content

    @Test("Results are in sections, and are found by index path and by object")
    func content() throws {
        #expect(controller.fetchedObjects == nil)
        #expect(controller.sections == nil)
        try controller.performFetch()
        #expect(controller.fetchedObjects?.map(TaskStack.title) == ["milk", "rent", "mail"])
        let sections = try #require(controller.sections)
        #expect(sections.map(\.name) == ["home", "work"])
        #expect(sections.map(\.numberOfObjects) == [2, 1])
        #expect(sections[0].objects?.map(TaskStack.title) == ["milk", "rent"])
        let rent = controller.object(at: IndexPath(row: 1, section: 0))
        #expect(TaskStack.title(rent) == "rent")
        #expect(controller.indexPath(forObject: rent) == IndexPath(item: 1, section: 0))
        #expect(controller.indexPath(forObject: stack.insert("Note")) == nil)
        #expect(controller.sectionNameKeyPath == "group")
        #expect(controller.cacheName == nil)
        #expect(controller.managedObjectContext === stack.context)
    }

    @Test("Without a key path there is one section, even if it is empty")
    func noSections() throws {
        let plain = TaskStack.controller(stack.context, isSectioned: false)
        try plain.performFetch()
        #expect(plain.sections?.map(\.numberOfObjects) == [3])
        plain.fetchRequest.predicate = NSPredicate(value: false)
        try plain.performFetch()
        #expect(plain.sections?.map(\.numberOfObjects) == [0])
        controller.fetchRequest.predicate = NSPredicate(value: false)
        try controller.performFetch()
        #expect(controller.sections?.count == 0)
    }

    @Test("A section whose objects are not adjacent fails the fetch with an error that names it")
    func outOfOrder() throws {
        controller.fetchRequest.sortDescriptors = [NSSortDescriptor(key: "rank", ascending: true)]
        let error = #expect(throws: NSError.self) { try controller.performFetch() }
        #expect(error?.localizedFailureReason?.contains("out of order section name") == true)
    }

    @Test("Names of sections are the text of their values, nil included")
    func sectionNames() throws {
        stack.insert("Task", ["title": "none", "rank": 7])
        let byRank = NSFetchedResultsController(
            fetchRequest: TaskStack.request(), managedObjectContext: stack.context,
            sectionNameKeyPath: "rank", cacheName: nil)
        byRank.fetchRequest.sortDescriptors = [NSSortDescriptor(key: "rank", ascending: true)]
        try byRank.performFetch()
        #expect(byRank.sections?.map(\.name) == ["1", "2", "7"])
        try controller.performFetch()
        #expect(controller.sections?.map(\.name) == ["", "home", "work"])
    }

    @Test("Results may also be IDs and dictionaries")
    func otherResults() throws {
        let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Task")
        ids.resultType = .managedObjectIDResultType
        ids.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        let byID = NSFetchedResultsController(
            fetchRequest: ids, managedObjectContext: stack.context, sectionNameKeyPath: nil, cacheName: nil)
        try byID.performFetch()
        #expect(byID.fetchedObjects?.count == 3)
        #expect(byID.object(at: IndexPath(row: 0, section: 0)) == (try object("mail")).objectID)
        let dictionaries = NSFetchRequest<NSDictionary>(entityName: "Task")
        dictionaries.resultType = .dictionaryResultType
        dictionaries.propertiesToFetch = ["group", "title"]
        dictionaries.sortDescriptors = [NSSortDescriptor(key: "group", ascending: true)]
        let grouped = NSFetchedResultsController(
            fetchRequest: dictionaries, managedObjectContext: stack.context, sectionNameKeyPath: "group",
            cacheName: nil)
        try grouped.performFetch()
        #expect(grouped.sections?.map(\.name) == ["home", "work"])
    }

    @Test("A request without an order traps, and so does an index path out of range")
    func misuse() async {
        await #expect(processExitsWith: .failure) {
            let stack = try TaskStack.make()
            _ = NSFetchedResultsController(
                fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Task"),
                managedObjectContext: stack.context, sectionNameKeyPath: nil, cacheName: nil)
        }
        await #expect(processExitsWith: .failure) {
            let stack = try TaskStack.make()
            let controller = TaskStack.controller(stack.context)
            try controller.performFetch()
            _ = controller.object(at: IndexPath(row: 0, section: 0))
        }
    }

    // MARK: Changes

    @Test("An event's changes come between will- and did-change, which see old and new content")
    func changes() throws {
        try controller.performFetch()
        let (milk, mail) = (try object("milk"), try object("mail"))
        #expect(
            settled { stack.task("bread", "home", rank: 0) } == ["will 3", "bread insert - 0.0", "did 4"])
        #expect(
            settled { mail.setValue("post", forKey: "title") } == ["will 4", "post update 1.0 1.0", "did 4"])
        #expect(settled { milk.setValue(9, forKey: "rank") } == ["will 4", "milk move 0.1 0.2", "did 4"])
        #expect(settled { stack.context.delete(milk) } == ["will 4", "milk delete 0.2 -", "did 3"])
        #expect(settled { stack.insert("Note") } == [])
        try stack.context.save()
        #expect(recorder.take() == [])
    }

    @Test("Objects enter and leave the results with the predicate, and subentities are included")
    func predicate() throws {
        try controller.performFetch()
        let rent = try object("rent")
        #expect(
            settled { rent.setValue(true, forKey: "isDone") } == ["will 3", "rent delete 0.1 -", "did 2"])
        #expect(settled { rent.setValue(5, forKey: "rank") } == [])
        #expect(
            settled { rent.setValue(false, forKey: "isDone") } == ["will 2", "rent insert - 0.1", "did 3"])
        #expect(
            settled { stack.task("dust", "home", rank: 6, entity: "Chore") }
                == ["will 3", "dust insert - 0.2", "did 4"])
        #expect(settled { stack.insert("Task", ["isDone": true]) } == [])
    }

    @Test("Sections are reported before their objects")
    func sectionChanges() throws {
        try controller.performFetch()
        let mail = try object("mail")
        #expect(
            settled { mail.setValue("away", forKey: "group") } == [
                "will 3", "section work delete 1", "section away insert 0", "mail move 1.0 0.0", "did 3",
            ])
        #expect(
            settled {
                stack.context.delete(mail)
                stack.task("swim", "zoo", rank: 1)
            } == [
                "will 3", "section away delete 0", "section zoo insert 1", "mail delete 0.0 -",
                "swim insert - 1.0", "did 3",
            ])
    }

    @Test(
        "Without a delegate nothing is tracked; a delegate without methods receives nothing"
    )
    func delegates() throws {
        final class Silent: NSObject, NSFetchedResultsControllerDelegate {}
        let silent = Silent()
        controller.delegate = silent
        try controller.performFetch()
        stack.task("bread", "home", rank: 0)
        stack.context.processPendingChanges()
        #expect(controller.fetchedObjects?.count == 4)
        controller.delegate = nil
        stack.task("tea", "home", rank: 0)
        stack.context.processPendingChanges()
        #expect(controller.fetchedObjects?.count == 4)
        #expect(recorder.take() == [])
        do {
            let brief = DelegateRecorder()
            controller.delegate = brief
        }
        #expect(controller.delegate == nil)
    }

    @Test("The delegate's controller equals the original by == and ===")
    func identity() throws {
        let typed = controller
        var seen: [Bool] = []
        recorder.didChange = { [weak recorder] given, _ in
            let other = TaskStack.controller(typed.managedObjectContext)
            let perhaps: TaskStack.Controller? = typed
            seen = [given == typed, given === typed, given !== typed, given === other, given == other]
            seen += [given === perhaps, perhaps === given, given !== perhaps]
            seen.append(given.delegate === recorder)
            seen.append(given.object(at: IndexPath(row: 0, section: 0)) is NSManagedObject)
        }
        try controller.performFetch()
        _ = settled { stack.task("bread", "home", rank: 0) }
        #expect(seen == [true, true, false, false, false, true, true, false, true, true])
    }

    @Test("A released controller is freed with its delegate or stream, and the context is not")
    func lifetime() throws {
        weak var gone: TaskStack.Controller?
        do {
            let brief = TaskStack.controller(stack.context)
            brief.delegate = recorder
            try brief.performFetch()
            _ = settled { stack.task("bread", "home", rank: 0) }
            _ = brief.changes()
            gone = brief
        }
        #expect(gone == nil)
        #expect(settled { stack.task("tea", "home", rank: 0) } == [])
    }

    @Test("Changes that a delegate makes are reported in a batch of their own, afterwards")
    func reentrancy() throws {
        try controller.performFetch()
        var rest = ["tea", "salt"]
        recorder.didChange = { [stack] _, _ in
            guard let title = rest.popLast() else { return }
            stack.task(title, "home", rank: 0)
            stack.context.processPendingChanges()
        }
        #expect(
            settled { stack.task("bread", "home", rank: 0) } == [
                "will 3", "bread insert - 0.0", "did 4", "will 4", "salt insert - 0.1", "did 5", "will 5",
                "tea insert - 0.2", "did 6",
            ])
    }

    // MARK: Merging

    @Test("Changes that other contexts save are reported when they are merged")
    func merging() throws {
        try controller.performFetch()
        #expect(controller.fetchedObjects?.map(TaskStack.title) == ["milk", "rent", "mail"])
        let sibling = stack.sibling()
        let other = try #require(try sibling.fetch("Task", "title == 'rent'", [], sortedBy: nil).first)
        other.setValue(0, forKey: "rank")
        let gone = try #require(try sibling.fetch("Task", "title == 'mail'", [], sortedBy: nil).first)
        sibling.delete(gone)
        _ = sibling.insert("Task", ["title": "bread", "group": "home", "rank": 5])
        try sibling.save(mergingInto: stack.context)
        #expect(
            recorder.take() == [
                "will 3", "section work delete 1", "mail delete 1.0 -", "bread insert - 0.2",
                "rent move 0.1 0.0",
                "did 3",
            ])
    }

    @Test("Results of batches are reported when they are merged")
    func batchMerging() throws {
        try controller.performFetch()
        let update = NSBatchUpdateRequest(entityName: "Task")
        update.predicate = NSPredicate(format: "title == 'rent'")
        update.propertiesToUpdate = ["isDone": true]
        update.resultType = .updatedObjectIDsResultType
        let result = try stack.context.execute(update) as? NSBatchUpdateResult
        let ids = try #require(result?.result as? [NSManagedObjectID])
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSUpdatedObjectIDsKey: ids], into: [stack.context])
        #expect(recorder.take() == ["will 3", "rent delete 0.1 -", "did 2"])
    }

    @Test("Merged rows are read together, once for all controllers")
    func mergedReading() throws {
        try controller.performFetch()
        let plain = TaskStack.controller(stack.context, isSectioned: false)
        plain.delegate = recorder
        try plain.performFetch()
        let insert = NSBatchInsertRequest(
            entityName: "Task", objects: (0..<40).map { ["title": "x\($0)", "group": "new", "rank": $0] })
        insert.resultType = .objectIDs
        let result = try stack.context.execute(insert) as? NSBatchInsertResult
        let selects = stack.selects {
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSInsertedObjectIDsKey: result?.result ?? []], into: [stack.context])
        }
        #expect(controller.fetchedObjects?.count == 43)
        #expect(plain.fetchedObjects?.count == 43)
        #expect(selects.count == 1)
    }

    @Test("A rollback reports the changes that undo earlier ones")
    func rollback() throws {
        try controller.performFetch()
        let milk = try object("milk")
        _ = settled {
            stack.task("bread", "home", rank: 0)
            milk.setValue("work", forKey: "group")
            stack.context.delete((try? object("rent")) ?? milk)
        }
        #expect(controller.fetchedObjects?.map(TaskStack.title) == ["bread", "mail", "milk"])
        stack.context.rollback()
        #expect(controller.fetchedObjects?.map(TaskStack.title) == ["milk", "rent", "mail"])
    }

    @Test("Neither a reset nor any change after it is reported until the next fetch")
    func reset() throws {
        try controller.performFetch()
        stack.context.reset()
        let milk = try object("milk")
        milk.setValue(8, forKey: "rank")
        try stack.context.save()
        #expect(recorder.take() == [])
        #expect(controller.fetchedObjects?.count == 3)
        try controller.performFetch()
        #expect(controller.fetchedObjects?.map(TaskStack.title) == ["rent", "milk", "mail"])
        #expect(settled { milk.setValue(1, forKey: "rank") } == ["will 3", "milk move 0.1 0.0", "did 3"])
    }

    @Test("A request without an order shows the store's order, with new objects last")
    func noOrder() throws {
        controller.fetchRequest.sortDescriptors = []
        let plain = NSFetchedResultsController(
            fetchRequest: controller.fetchRequest, managedObjectContext: stack.context,
            sectionNameKeyPath: nil, cacheName: nil)
        plain.delegate = recorder
        try plain.performFetch()
        #expect(
            settled { stack.task("bread", "home", rank: 0) } == ["will 3", "bread insert - 0.3", "did 4"])
    }

    @Test("A removed section has no objects any more, and an added one has all of its objects")
    func sectionInfo() throws {
        try controller.performFetch()
        let mail = try object("mail")
        _ = settled { mail.setValue("away", forKey: "group") }
        #expect(recorder.sectionSizes == [0, 1])
    }

    @Test("The fetch limit still applies: an object that leaves is replaced by the next one")
    func limit() throws {
        controller.fetchRequest.fetchLimit = 2
        try controller.performFetch()
        let milk = try object("milk")
        #expect(
            settled { stack.context.delete(milk) } == [
                "will 2", "section work insert 1", "milk delete 0.0 -", "mail insert - 1.0", "did 2",
            ])
        #expect(
            settled { stack.task("bread", "home", rank: 0) } == [
                "will 2", "section work delete 1", "mail delete 1.0 -", "bread insert - 0.0", "did 2",
            ])
    }
}

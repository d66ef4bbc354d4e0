@testable import CoreData
import Foundation
import Testing

/// The forms in which a batch is reported: differences, snapshots, streams.
@Suite("Fetched results controllers: differences, snapshots and streams")
@MainActor
struct FetchedResultsFormTests {
    private let stack: TestStack

    init() throws {
        stack = try TaskStack.make()
        for (title, group, rank) in [("milk", "home", 1), ("rent", "home", 2), ("mail", "work", 1)] {
            stack.task(title, group, rank: rank)
        }
        try stack.context.save()
    }

    private func object(_ title: String) throws -> NSManagedObject {
        try #require(try stack.fetch("Task", "title == %@", title).first)
    }

    private func settle(_ body: () throws -> Void) rethrows {
        try body()
        stack.context.processPendingChanges()
    }

    private func titles(_ ids: [Any]) -> [String] {
        ids.compactMap { $0 as? NSManagedObjectID }.map { TaskStack.title(stack.context.object(with: $0)) }
    }

    private final class Differences: NSObject, NSFetchedResultsControllerDelegate {
        typealias Controller = NSFetchedResultsController<any NSFetchRequestResult>
        var differences: [CollectionDifference<NSManagedObjectID>] = []
        var otherCalls = 0

        func controller(
            _ controller: Controller, didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
        ) {
            differences.append(diff)
        }
        func controllerWillChangeContent(_ controller: Controller) { otherCalls += 1 }
        func controllerDidChangeContent(_ controller: Controller) { otherCalls += 1 }
    }

    private final class Snapshots: NSObject, NSFetchedResultsControllerDelegate {
        typealias Controller = NSFetchedResultsController<any NSFetchRequestResult>
        var snapshots: [NSDiffableDataSourceSnapshotReference] = []
        var otherCalls = 0

        func controller(
            _ controller: Controller, didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
        ) {
            snapshots.append(snapshot)
        }
        func controller(
            _ controller: Controller, didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
        ) {
            otherCalls += 1
        }
        func controllerWillChangeContent(_ controller: Controller) { otherCalls += 1 }
        func controllerDidChangeContent(_ controller: Controller) { otherCalls += 1 }
    }

    // MARK: Differences

    @Test("A delegate with the difference method gets only differences, which lead to the new list")
    func differences() throws {
        let controller = TaskStack.controller(stack.context, isSectioned: false)
        let delegate = Differences()
        controller.delegate = delegate
        try controller.performFetch()
        var shown = (controller.fetchedObjects ?? []).map(\.objectID)
        let (milk, rent) = (try object("milk"), try object("rent"))
        try settle {
            let new = stack.task("bread", "home", rank: 5)
            try stack.context.obtainPermanentIDs(for: [new])
            milk.setValue("work", forKey: "group")
            rent.setValue("lease", forKey: "title")
        }
        settle { stack.context.delete(rent) }
        #expect(delegate.differences.count == 2)
        for difference in delegate.differences { shown = shown.applying(difference) ?? [] }
        #expect(shown == controller.fetchedObjects?.map(\.objectID))
        #expect(titles(shown) == ["bread", "mail", "milk"])
        #expect(delegate.otherCalls == 0)
        let first = try #require(delegate.differences.first)
        let updates = first.insertions.compactMap { step in
            if case .insert(let offset, let id, let from?) = step { (offset, from, id) } else { nil }
        }
        #expect(updates.contains { $0 == (0, 1, rent.objectID) })
        #expect(updates.contains { $0 == (3, 0, milk.objectID) })
    }

    /// Forwards differences to another delegate, which may not implement them.
    private final class Forwarder: NSObject, NSFetchedResultsControllerDelegate {
        let target: any NSFetchedResultsControllerDelegate
        init(_ target: any NSFetchedResultsControllerDelegate) { self.target = target }

        func controller(
            _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
            didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
        ) {
            target.controller(controller, didChangeContentWith: diff)
        }
    }

    @Test(
        "A class's missing methods are cached, except for classes that forward messages"
    )
    func methodsOfClasses() throws {
        func lacksDifferences(_ delegate: any NSFetchedResultsControllerDelegate) throws -> Bool {
            let controller = TaskStack.controller(stack.context, isSectioned: false)
            controller.delegate = delegate
            try controller.performFetch()
            let milk = try object("milk")
            let rank = milk.value(forKey: "rank") as? Int ?? 0
            settle { milk.setValue(rank + 100, forKey: "rank") }
            return DelegateCalls(to: delegate, of: controller).lacks(.difference)
        }
        #expect(try lacksDifferences(DelegateRecorder()))
        #expect(!(try lacksDifferences(Forwarder(DelegateRecorder()))))
        let differences = Differences()
        #expect(!(try lacksDifferences(Forwarder(differences))))
        #expect(differences.differences.count == 1)
    }

    @Test("Permanent IDs after a save are reported as a difference, but performFetch is not")
    func differencesOfIDs() throws {
        let controller = TaskStack.controller(stack.context, isSectioned: false)
        let delegate = Differences()
        controller.delegate = delegate
        try controller.performFetch()
        var shown = (controller.fetchedObjects ?? []).map(\.objectID)
        let new = stack.task("bread", "home", rank: 5)
        try stack.context.save()
        #expect(delegate.differences.count == 2)
        #expect(!new.objectID.isTemporaryID)
        for difference in delegate.differences { shown = shown.applying(difference) ?? [] }
        #expect(shown.contains(new.objectID))
        #expect(shown == controller.fetchedObjects?.map(\.objectID))
        try controller.performFetch()
        #expect(delegate.differences.count == 2)
        #expect(delegate.otherCalls == 0)
    }

    @Test("With sections there are no differences, and the other methods are called")
    func noDifferencesOfSections() throws {
        let controller = TaskStack.controller(stack.context)
        let delegate = Differences()
        controller.delegate = delegate
        try controller.performFetch()
        settle { stack.task("bread", "home", rank: 0) }
        #expect(delegate.differences.isEmpty)
        #expect(delegate.otherCalls == 2)
    }

    // MARK: Snapshots

    @Test(
        "A delegate with the snapshot method gets only snapshots: sections of IDs, and reloads")
    func snapshots() throws {
        let controller = TaskStack.controller(stack.context)
        let delegate = Snapshots()
        controller.delegate = delegate
        try controller.performFetch()
        let rent = try object("rent")
        settle {
            rent.setValue("lease", forKey: "title")
            stack.task("swim", "zoo", rank: 1)
        }
        #expect(delegate.snapshots.count == 2)
        #expect(delegate.otherCalls == 0)
        #expect(titles(delegate.snapshots[0].itemIdentifiers) == ["milk", "lease", "mail"])
        let snapshot = delegate.snapshots[1]
        #expect(snapshot.sectionIdentifiers as? [String] == ["home", "work", "zoo"])
        #expect(titles(snapshot.itemIdentifiers) == ["milk", "lease", "mail", "swim"])
        #expect(titles(snapshot.itemIdentifiers(inSectionWithIdentifier: "home")) == ["milk", "lease"])
        #expect(titles(snapshot.reloadedItemIdentifiers) == ["lease"])
        #expect(snapshot.numberOfItems == 4)
        #expect(snapshot.numberOfSections == 3)
        #expect(snapshot.index(ofItemIdentifier: rent.objectID) == 1)
        #expect(
            snapshot.sectionIdentifier(forSectionContainingItemIdentifier: rent.objectID) as? String == "home"
        )
    }

    @Test("A snapshot does not change after it was delivered")
    func keptSnapshots() throws {
        let controller = TaskStack.controller(stack.context)
        let delegate = Snapshots()
        controller.delegate = delegate
        try controller.performFetch()
        let new = stack.task("bread", "home", rank: 0)
        stack.context.processPendingChanges()
        let temporary = new.objectID
        try stack.context.save()
        #expect(delegate.snapshots[1].itemIdentifiers.first as? NSManagedObjectID == temporary)
    }

    @Test("Permanent IDs after a save are reported to delegates with IDs, not to those with objects")
    func permanentIDs() async throws {
        let controller = TaskStack.controller(stack.context)
        let (delegate, recorder) = (Snapshots(), DelegateRecorder())
        controller.delegate = delegate
        try controller.performFetch()
        var changes = controller.changes().makeAsyncIterator()
        let other = TaskStack.controller(stack.context)
        other.delegate = recorder
        try other.performFetch()
        let new = stack.task("bread", "home", rank: 0)
        try stack.context.save()
        #expect(recorder.take().count == 3)
        #expect(delegate.snapshots.count == 3)
        #expect(delegate.snapshots.last?.itemIdentifiers.first as? NSManagedObjectID == new.objectID)
        #expect(!new.objectID.isTemporaryID)
        _ = await changes.next()
        let place = IndexPath(row: 0, section: 0)
        #expect(await changes.next()?.objects == [.update(new.objectID, from: place, to: place)])
        new.setValue("toast", forKey: "title")
        try stack.context.save()
        #expect(delegate.snapshots.count == 4)
    }

    @Test("Snapshots are edited by identifier")
    func editing() {
        let snapshot = NSDiffableDataSourceSnapshotReference()
        snapshot.appendSections(withIdentifiers: ["a", "c"])
        snapshot.insertSections(withIdentifiers: ["b"], beforeSectionWithIdentifier: "c")
        snapshot.appendItems(withIdentifiers: [1, 2], intoSectionWithIdentifier: "a")
        snapshot.appendItems(withIdentifiers: [5])
        snapshot.insertItems(withIdentifiers: [4], beforeItemWithIdentifier: 5)
        snapshot.insertItems(withIdentifiers: [3], afterItemWithIdentifier: 2)
        #expect(snapshot.itemIdentifiers as? [Int] == [1, 2, 3, 4, 5])
        snapshot.moveItem(withIdentifier: 1, afterItemWithIdentifier: 4)
        snapshot.moveSection(withIdentifier: "c", beforeSectionWithIdentifier: "a")
        #expect(snapshot.sectionIdentifiers as? [String] == ["c", "a", "b"])
        #expect(snapshot.itemIdentifiers as? [Int] == [4, 1, 5, 2, 3])
        let copy = snapshot.copy() as? NSDiffableDataSourceSnapshotReference
        snapshot.reloadItems(withIdentifiers: [2, 3])
        snapshot.deleteItems(withIdentifiers: [2, 9])
        snapshot.deleteSections(withIdentifiers: ["c"])
        #expect(snapshot.itemIdentifiers as? [Int] == [3])
        #expect(snapshot.reloadedItemIdentifiers as? [Int] == [3])
        #expect(snapshot.index(ofItemIdentifier: 5) == NSNotFound)
        #expect(copy?.numberOfItems == 5)
        snapshot.deleteAllItems()
        #expect(snapshot.numberOfSections == 0)
    }

    // MARK: Streams

    @Test("Snapshots arrive at once and after each batch, also without a delegate")
    func streamOfSnapshots() async throws {
        let controller = TaskStack.controller(stack.context)
        try controller.performFetch()
        var snapshots = controller.snapshots().makeAsyncIterator()
        let first = await snapshots.next()
        #expect(first?.sections.map(\.name) == ["home", "work"])
        settle { stack.task("swim", "zoo", rank: 1) }
        let second = await snapshots.next()
        #expect(second.map { titles($0.objectIDs) } == ["milk", "rent", "mail", "swim"])
    }

    @Test("A controller's changes arrive batch by batch, and end with the controller")
    func streamOfChanges() async throws {
        var controller: TaskStack.Controller? = TaskStack.controller(stack.context)
        try controller?.performFetch()
        let changes = try #require(controller?.changes())
        let (milk, mail) = (try object("milk"), try object("mail"))
        settle { stack.context.delete(mail) }
        settle { milk.setValue(3, forKey: "rank") }
        controller = nil
        settle { stack.context.delete(milk) }
        var batches: [FetchedResultsChanges] = []
        for await batch in changes { batches.append(batch) }
        #expect(batches.count == 2)
        #expect(batches.first?.deletedSections == [.init(name: "work", index: 1)])
        #expect(batches.first?.objects == [.delete(mail.objectID, at: IndexPath(row: 0, section: 1))])
        #expect(
            batches.last?.objects == [
                .move(
                    milk.objectID, from: IndexPath(row: 0, section: 0), to: IndexPath(row: 1, section: 0))
            ])
    }

    @Test("A context's stream of results follows changes as long as it is read")
    func streamOfARequest() async throws {
        let context = stack.sibling()
        weak var results: AnyObject?
        do {
            let stream = try context.snapshots(of: TaskStack.request(), sectionNameKeyPath: "group")
            var snapshots = stream.makeAsyncIterator()
            let first = await snapshots.next()
            #expect(first?.objectIDs.count == 3)
            let other = try #require(try context.fetch("Task", "title == 'milk'", [], sortedBy: nil).first)
            other.setValue(true, forKey: "isDone")
            context.processPendingChanges()
            let second = await snapshots.next()
            #expect(second?.objectIDs.count == 2)
            context.reset()
            let third = await snapshots.next()
            #expect(third?.objectIDs.count == 3)
            results = context.changeFeed.followers.first
            #expect(results != nil)
        }
        #expect(results == nil)
    }
}

import CoreData
import Foundation
import Testing

@Suite("Cached sections and section index")
@MainActor
struct SectionCacheTests {
    private let stack: TestStack
    private let name = "Sections \(UUID().uuidString)"

    init() throws {
        stack = try TaskStack.make()
        for (title, group, rank) in [("milk", "home", 1), ("rent", "home", 2), ("mail", "work", 1)] {
            stack.task(title, group, rank: rank)
        }
        try stack.context.save()
    }

    /// - Returns: The sections, and the number of statements that read rows. Without a valid file, a
    ///   second statement reads the names.
    private func sections(
        _ stack: TestStack, _ change: (NSFetchRequest<NSManagedObject>) -> Void = { _ in }
    ) throws -> (names: [String], selects: Int) {
        let controller = TaskStack.controller(stack.context, cacheName: name)
        controller.fetchRequest.fetchBatchSize = 1
        change(controller.fetchRequest)
        let selects = try stack.selects { try controller.performFetch() }
        return ((controller.sections ?? []).map { "\($0.name) \($0.numberOfObjects)" }, selects.count)
    }

    @Test("Cached sections are read from a file until the request, its order or the store differ")
    func cache() throws {
        defer { TaskStack.Controller.deleteCache(withName: name) }
        #expect(try sections(stack.reopened()).selects == 2)
        let cached = try sections(stack.reopened())
        #expect(cached.names == ["home 2", "work 1"])
        // Files tell by size and time whether they changed; what is on a server is read each time.
        let fewest = NSPersistentStore.StoreType.tested == .sqlite ? 1 : 2
        #expect(cached.selects == fewest)
        let narrower = try sections(stack.reopened()) { $0.predicate = NSPredicate(format: "rank == 1") }
        #expect(narrower.names == ["home 1", "work 1"])
        #expect(narrower.selects == 2)
        #expect(try sections(stack.reopened()).selects == 2)
        #expect(try sections(stack.reopened()).selects == fewest)
        let other = try stack.reopened()
        other.task("swim", "zoo", rank: 1)
        try other.context.save()
        let changed = try sections(stack.reopened())
        #expect(changed.names == ["home 2", "work 1", "zoo 1"])
        #expect(changed.selects == 2)
        TaskStack.Controller.deleteCache(withName: name)
        #expect(try sections(stack.reopened()).selects == 2)
    }

    @Test("The file is not used if there are unsaved changes or if the predicate is a block")
    func unbelievable() throws {
        defer { TaskStack.Controller.deleteCache(withName: name) }
        _ = try sections(stack)
        stack.task("swim", "zoo", rank: 1)
        #expect(try sections(stack).names == ["home 2", "work 1", "zoo 1"])
        stack.context.rollback()
        for _ in 0..<2 {
            let read = try sections(stack.reopened()) { $0.predicate = NSPredicate { _, _ in true } }
            // The statements of the objects, which the closure loads one by one.
            #expect(read.names == ["home 2", "work 1"])
            #expect(read.selects == 4)
        }
    }

    @Test("The index has the sections' first letters, each leading to the first of its sections")
    func index() throws {
        for group in ["Wood", "hall", "Äpfel", ""] { stack.task("x", group, rank: 1) }
        let controller = TaskStack.controller(stack.context)
        try controller.performFetch()
        let names = (controller.sections ?? []).map(\.name)
        #expect(names == ["", "Wood", "hall", "home", "work", "Äpfel"])
        #expect(controller.sectionIndexTitles == ["W", "H", "W", "Ä"])
        #expect(controller.section(forSectionIndexTitle: "H", at: 1) == 2)
        #expect(controller.section(forSectionIndexTitle: "W", at: 2) == 4)
        #expect(controller.sectionIndexTitle(forSectionName: "zoo") == "Z")
        #expect(controller.sections?.map(\.indexTitle) == [nil, "W", "H", "H", "W", "Ä"])
    }

    private final class Titles: NSObject, NSFetchedResultsControllerDelegate {
        func controller(
            _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
            sectionIndexTitleForSectionName sectionName: String
        ) -> String? {
            "<\(sectionName)>"
        }
    }

    private final class Upper: NSFetchedResultsController<NSManagedObject> {
        override func sectionIndexTitle(forSectionName sectionName: String) -> String? {
            sectionName.uppercased()
        }
    }

    @Test("Delegates and subclasses can change the index titles")
    func titles() throws {
        let controller = TaskStack.controller(stack.context)
        let delegate = Titles()
        controller.delegate = delegate
        try controller.performFetch()
        #expect(controller.sectionIndexTitles == ["<home>", "<work>"])
        let upper = Upper(
            fetchRequest: TaskStack.request(), managedObjectContext: stack.context,
            sectionNameKeyPath: "group", cacheName: nil)
        try upper.performFetch()
        #expect(upper.sectionIndexTitles == ["HOME", "WORK"])
        #expect(upper.section(forSectionIndexTitle: "WORK", at: 1) == 1)
    }
}

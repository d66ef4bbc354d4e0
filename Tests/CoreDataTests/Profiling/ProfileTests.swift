import CoreData
import Foundation
import Synchronization
import Testing

@Suite("Profiles")
@MainActor
struct ProfileTests {
    private static let model = ModelSketch(
        """
        Author
          name string
          books ->> Book.author
        Book
          title string! = "untitled"
          author -> Author.books
        """
    ).model

    /// What happened on this thread in contexts of one name; tests of other suites run beside it.
    private final class Events: Profiling.Sink {
        private let all = Mutex<[ProfileEvent]>([])
        private let hitCount = Mutex(0)

        func note(_ event: ProfileEvent) { all.withLock { $0.append(event) } }
        var wantsDetails: Bool { true }
        func noteCacheHit(entity: String, store: StoreMark?) { hitCount.withLock { $0 += 1 } }

        var hits: Int { hitCount.withLock { $0 } }

        func events(of context: NSManagedObjectContext) -> [ProfileEvent] {
            all.withLock { all in all.filter { $0.context == context.name } }
        }

        func statements(on store: String) -> [ProfileEvent] {
            all.withLock { all in all.filter { $0.kind == .statement && $0.store == store } }
        }
    }

    private let stack: TestStack
    private let events = Events()

    init() throws {
        stack = try TestStack(Self.model)
        let context = stack.context
        for number in 0..<3 {
            let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
            author.setValue("author \(number)", forKey: "name")
            let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
            book.setValue(author, forKey: "author")
        }
        try context.save()
    }

    private func recording(_ body: (NSManagedObjectContext) throws -> Void) rethrows -> [ProfileEvent] {
        let context = stack.sibling()
        context.name = "profiled \(UUID())"
        let listener = Profiling.listen(events)
        defer { listener.stop() }
        try body(context)
        return events.events(of: context)
    }

    @Test("A fetch, a count, faults and relationships are events with what was asked and how much came")
    func reading() throws {
        // Nothing holds the rows, so that faults read them.
        stack.context.reset()
        let found = try recording { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
            request.predicate = NSPredicate(format: "name BEGINSWITH 'author'")
            request.includesPropertyValues = false
            let authors = try context.fetch(request)
            for author in authors { _ = author.value(forKey: "name") }
            _ = (authors[0].value(forKey: "books") as? Set<NSManagedObject>)?.count
            _ = try context.count(for: request)
        }
        #expect(found.map(\.kind) == [.fetch, .fault, .fault, .fault, .relationship, .count])
        #expect(found.map(\.count) == [3, 1, 1, 1, 1, nil])
        #expect(found.allSatisfy { $0.entity == "Author" && $0.thread == found[0].thread })
        #expect(found[0].detail?.contains("predicate: (name BEGINSWITH \"author\")") == true)
        #expect(found[4].detail == "books")
        #expect(found.allSatisfy { !$0.callers.isEmpty })
        let path = try #require(stack.coordinator.persistentStores.first?.url?.path)
        let statements = events.statements(on: path)
        #expect(statements.count >= 6)
        let fetched = try #require(statements.first { $0.detail?.contains("ZAUTHOR") == true })
        #expect(fetched.count == 3)
    }

    @Test("Values that the row cache has are counted, and are no faults")
    func hits() throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
        let holders = try stack.context.fetch(request)
        let found = try recording { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
            request.includesPropertyValues = false
            for author in try context.fetch(request) { _ = author.value(forKey: "name") }
        }
        withExtendedLifetime(holders) {}
        #expect(found.map(\.kind) == [.fetch])
        #expect(events.hits >= 3)
    }

    @Test("A save and a merge are events with the number of objects; a save that fails says why")
    func writing() throws {
        let reader = stack.sibling()
        reader.name = "merging \(UUID())"
        let found = try recording { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
            let authors = try context.fetch(request)
            authors[0].setValue("changed", forKey: "name")
            context.delete(authors[1])
            nonisolated(unsafe) var saved: Notification?
            let token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextDidSave, object: context, queue: nil
            ) { saved = $0 }
            try context.save()
            NotificationCenter.default.removeObserver(token)
            reader.mergeChanges(fromContextDidSave: try #require(saved))
            let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
            book.setValue(nil, forKey: "title")
            #expect(throws: (any Error).self) { try context.save() }
        }
        let saves = found.filter { $0.kind == .save }
        // The author, the deleted one, and the book that lost it.
        #expect(saves.map(\.count) == [3, nil])
        #expect(saves.map { $0.failure == nil } == [true, false])
        #expect(events.events(of: reader).map(\.kind) == [.merge])
    }

    @Test(
        "A file has a line for each event and each new stack and text, and the places of calls in their images"
    )
    func file() throws {
        let url = stack.folder.url.appendingPathComponent("run.profile")
        let file = try ProfileFile(at: url)
        let context = stack.sibling()
        context.name = "filed"
        for _ in 0..<2 { _ = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author")) }
        file.close()
        _ = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author"))
        file.flush()
        let decoder = JSONDecoder()
        let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map {
            try decoder.decode(ProfileLine.self, from: Data($0.utf8))
        }
        #expect(lines.first?.header?.process == ProcessInfo.processInfo.processIdentifier)
        let fetches = lines.compactMap(\.event).filter { $0.context == "filed" }
        #expect(fetches.map(\.kind) == [.fetch, .fetch])
        #expect(fetches.map(\.count) == [3, 3])
        let number = try #require(fetches[0].stack)
        #expect(fetches[1].stack == number, "both are called from one place")
        let text = try #require(fetches[0].text)
        #expect(fetches[1].text == text && fetches[0].detail == nil, "both ask the same")
        let texts = lines.compactMap(\.text).filter { $0.number == text }
        #expect(texts.count == 1 && texts[0].value.contains("Author"))
        let stores = try #require(fetches[0].stores)
        #expect(fetches[1].stores == stores, "both ask the same stores")
        #expect(
            lines.compactMap(\.text).filter { stores.contains($0.number) }.map(\.value)
                == stack.coordinator.persistentStores.map(\.identifier))
        #expect(fetches[0].resolved(by: [text: "a text"]).detail == "a text")
        let stacks = lines.compactMap(\.stack).filter { $0.number == number }
        #expect(stacks.count == 1)
        let images = lines.compactMap(\.image)
        let own = try #require(images.first { $0.path.hasSuffix("OpenCoreDataPackageTests.xctest") })
        #expect(stacks[0].frames.first?.first == UInt(own.number))
    }

    @Test("A store whose option names a file that cannot be written is not opened; the error names the file")
    func unwritable() throws {
        let url = stack.folder.url.appendingPathComponent("missing/run.profile")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model)
        let error = #expect(throws: NSError.self) {
            try coordinator.addPersistentStore(
                ofType: NSInMemoryStoreType, configurationName: nil, at: nil,
                options: [ProfileFileURLKey: url])
        }
        #expect(error?.localizedFailureReason?.contains("missing/run.profile") == true)
        #expect(error?.code == NSPersistentStoreOpenError)
    }
}

import CoreData
import Observation
import Testing

/// An app's model layer as it is written today, built once for each compiler mode (see `Package.swift`) and
/// used from the main actor. Blocks contain closures throughout: these end a program in Swift 6 mode if they
/// are taken for an actor other than the one they run on.
@MainActor @Suite struct JournalTests {
    @Test("Blocks passed on by a view model run on a background context's queue")
    func viewModel() async throws {
        try await withLibrary { library in
            let model = try PagesViewModel(library.container)
            #expect(try await model.add(["b", "a"]) == ["a", "b"])
            let count = await withCheckedContinuation { continuation in
                model.add(["c"]) { continuation.resume(returning: $0) }
            }
            #expect(count == 1)
            await until { model.titles == ["a", "b", "c"] }
            let page = try #require(try library.container.viewContext.fetch(Page.titled("a")).first)
            #expect(try await model.attach(["x": 2, "y": 2_000_000], to: page.objectID) == 2_000_002)
            #expect(try model.countElsewhere() == 3)
        }
    }

    @Test("Blocks of the view context can use main-actor state")
    func mainQueue() async throws {
        try await withLibrary { library in
            let page = Page(context: library.container.viewContext)
            let model = try PagesViewModel(library.container)
            await model.rename(page, to: "first")
            #expect(model.progress == "FIRST RENAMED")
            model.renameLater(page, to: "second")
            await until { model.progress == "SECOND LATER" }
            #expect(try model.count() == 1)
            #expect(model.progress == "counted")
            #expect(page.priority == .low)
            #expect(page.title == "second")
        }
    }

    @Test("An importer's blocks can use the importer's context")
    func importer() async throws {
        try await withLibrary { library in
            let model = try PagesViewModel(library.container)
            let importer = Importer(library.container)
            let ids = try await importer.add([
                Article(title: "a", tags: ["x", "y"]), Article(title: "b", tags: ["y"]),
            ])
            await until { model.titles == ["a", "b"] }
            #expect(await importer.count == 2)
            let pages = ids.compactMap { library.container.viewContext.object(with: $0) as? Page }
            #expect(pages.map { $0.tags.compactMap(\.name).sorted() } == [["x", "y"], ["y"]])
        }
    }

    @Test("An actor on a context's queue can use the context's objects")
    func contextActor() async throws {
        try await withLibrary { library in
            let tags = TagStore(library.container)
            let ids = try await tags.add(["x", "y"])
            let context = library.container.viewContext
            let page = Page(context: context)
            page.tags = Set(ids.compactMap { context.object(with: $0) as? Tag })
            try context.save()
            await tags.context.perform { tags.executor.context.refreshAllObjects() }
            #expect(await tags.pageCounts() == ["x": 1, "y": 1])
        }
    }

    @Test("Changes are read as asynchronous sequences")
    func sequences() async throws {
        try await withLibrary { library in
            let context = library.container.viewContext
            let page = Page(context: context)
            page.title = "draft"
            try context.save()

            let changes = context.changes()
            let changesOfPage = page.objectChanges()
            let snapshots = try context.snapshots(of: Page.byTitle())
            page.title = "final"
            context.processPendingChanges()

            let id = page.objectID
            #expect(await first(of: changes)?.updated == [id])
            #expect(await first(of: changesOfPage) == .updated(keys: ["title"]))
            #expect(await first(of: snapshots)?.objectIDs == [id])
        }
    }

    @Test("Handlers created on the main actor run where the framework calls them")
    func handlers() async throws {
        try await withLibrary { library in
            let context = library.container.newBackgroundContext()
            var names = ["a", "b"]
            let insertion = NSBatchInsertRequest(entityName: "Page") { (row: NSMutableDictionary) in
                guard let name = names.popLast() else { return true }
                row.setValuesForKeys([
                    "title": [name, name].map { $0 }.joined(), "id": UUID(), "created": Date(),
                ])
                return false
            }
            try await context.perform { _ = try context.execute(insertion) }

            let titles: [String] = try await withCheckedThrowingContinuation { continuation in
                let fetch = NSAsynchronousFetchRequest(fetchRequest: Page.byTitle()) { result in
                    continuation.resume(
                        returning: (result.finalResult ?? []).compactMap { page in
                            page.title.map { $0.uppercased() }
                        })
                }
                context.perform {
                    do { _ = try context.execute(fetch) } catch { continuation.resume(throwing: error) }
                }
            }
            #expect(titles == ["AA", "BB"])

            let seen: [String] = try await context.perform {
                var seen: [String] = []
                let page = try context.fetch(Page.titled("aa"))[0]
                let observation = page.observe(\.title, options: [.new]) { _, change in
                    seen += [change.newValue].compactMap { $0?.map { $0.uppercased() } }
                }
                page.title = "c"
                observation.invalidate()
                return seen
            }
            #expect(seen == ["C"])
        }
    }

    @Test("Adding stores asynchronously calls a completion handler of the main actor")
    func asynchronousStores() async throws {
        let library = try Library()
        library.container.persistentStoreDescriptions[0].shouldAddStoreAsynchronously = true
        let kinds: [String] = await withCheckedContinuation { continuation in
            library.container.loadPersistentStores { description, error in
                continuation.resume(returning: [description.type].filter { _ in error == nil }.map { $0 })
            }
        }
        #expect(kinds == [NSSQLiteStoreType])
        try library.close()
    }

    @Test("Wrappers around the framework can pass on blocks, objects and completion handlers")
    func wrappers() async throws {
        try await withLibrary { library in
            let background = Background(library.container)
            let page = Page(context: library.container.viewContext)
            await background.rename(page, to: "page")
            try library.container.viewContext.save()
            let read = try await background.value { try $0.fetch(Page.byTitle()).map { $0.title } }
            #expect(read == ["page"])
            let titles = try await withCheckedThrowingContinuation { continuation in
                background.titles { continuation.resume(with: $0) }
            }
            #expect(titles == ["PAGE"])
            await withCheckedContinuation { continuation in background.run { continuation.resume() } }

            let counting = CountingContext(.privateQueue)
            let performing: any Performing = counting
            await withCheckedContinuation { continuation in performing.perform { continuation.resume() } }
            #expect(counting.performAndWait { counting.blocks } == 1)
        }
    }

    // MARK: Waiting

    private func withLibrary(_ body: @MainActor (Library) async throws -> Void) async throws {
        let library = try Library()
        try library.load()
        try await body(library)
        try library.close()
    }

    /// Returns when a condition on observed values holds.
    private func until(_ holds: @escaping @MainActor () -> Bool) async {
        while true {
            let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
            let isReached = withObservationTracking {
                holds()
            } onChange: {
                continuation.finish()
            }
            if isReached { return }
            for await _ in changes {}
        }
    }

    private func first<Element: Sendable>(of stream: AsyncStream<Element>) async -> Element? {
        var iterator = stream.makeAsyncIterator()
        return await iterator.next(isolation: #isolation)
    }
}

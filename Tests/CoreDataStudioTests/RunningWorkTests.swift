import CoreDataJSON
import CoreDataStudio
import CoreDataStudioInterface
import Synchronization
import Testing

@Suite("What the studio tells of statements and tasks that run")
struct RunningWorkTests {
    private func list(_ work: RunningWork) throws -> [JSONValue] {
        guard case .json(let list) = try work.answer(StudioRequest(.get, []), []).body else { return [] }
        return list.elements
    }

    @Test("Work is listed with its beginning as long as it runs, in the order of the beginnings")
    func listing() throws {
        let work = RunningWork(EventLog())
        try work.run("Count of Book", cancel: {}) {
            try work.run("Check Shop", cancel: {}) {
                let running = try list(work)
                #expect(running.map { $0["title"]?.string } == ["Count of Book", "Check Shop"])
                #expect(running.allSatisfy { $0["since"]?.string?.hasSuffix("Z") == true })
            }
            #expect(try list(work).count == 1)
        }
        #expect(try list(work).isEmpty)
        struct Broken: Error {}
        #expect(throws: Broken.self) { try work.run("Export", cancel: {}) { throw Broken() } }
        #expect(try list(work).isEmpty)
    }

    @Test("Work is cancelled by its number, alone")
    func cancelling() throws {
        let work = RunningWork(EventLog())
        let cancelled = Mutex<[String]>([])
        func run(_ title: String, _ body: () throws -> Void) throws {
            try work.run(title, cancel: { cancelled.withLock { $0.append(title) } }, body)
        }
        try run("first") {
            try run("second") {
                let number = try #require(try list(work).last?["id"]?.whole)
                _ = try work.answer(StudioRequest(.delete, []), ["\(number)"])
                _ = try work.answer(StudioRequest(.delete, []), ["99"])
            }
        }
        #expect(cancelled.withLock { $0 } == ["second"])
    }

    @Test("Pages are told of the statements of a list, and of tasks")
    func events() async throws {
        let shop = try ShopStore { context in ShopStore.insert("Author", ["name": "One"], context) }
        let client = try shop.studio()
        _ = try await client.post(
            "stores/s1/windows", #"{"entity": "Author", "filter": "name != nil", "sort": ["name"]}"#)
        _ = try await client.post("stores/s1/tasks", "{\"kind\":\"check\"}")
        for title in ["First rows of Author where name != nil by name in ", "Check "] {
            _ = try await client.event(.work) { list in
                list.elements.contains { $0["title"]?.string?.hasPrefix(title) == true }
            }
        }
        _ = try await client.event(.progress) { $0["state"]?.string == "done" }
        #expect(try await client.get("work").elements.isEmpty)
    }

    @Test("A list whose predicate is tested in memory can be cancelled, too")
    func cancellingInMemory() async throws {
        // Each book is compared with all that the author's other books lead to.
        let client = try ShopStore(bookCount: 2000).studio()
        let window = Task {
            try await client.post(
                "stores/s1/windows",
                #"""
                {"entity": "Book", "sort": ["title"], "filter":
                    "SUBQUERY(author.books, $a, SUBQUERY($a.author.books, $b, $b.title == 'none').@count > 0).@count > 0"}
                """#)
        }
        let running = try await client.event(.work) { !$0.elements.isEmpty }
        try await client.delete("work/\(try #require(running.elements.first?["id"]?.whole))")
        let failure = await #expect(throws: StudioClient.Failure.self) { _ = try await window.value }
        #expect(failure?.message == "the query was cancelled")
    }
}

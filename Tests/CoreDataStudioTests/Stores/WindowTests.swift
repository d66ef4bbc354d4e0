import CoreData
import CoreDataJSON
import CoreDataStudio
import CoreDataStudioInterface
import Foundation
import Testing

@Suite("Lists of a store")
struct WindowTests {
    /// Reads all rows of a list, page by page, and returns one column's texts.
    private func column(_ client: StudioClient, _ window: JSONValue, _ name: String) async throws -> [String]
    {
        let position = try #require(
            window.at("columns").elements.firstIndex { $0["name"]?.string == name })
        let id = try #require(window["window"]?.string)
        var texts: [String] = []
        while true {
            let page = try await client.get(
                "stores/s1/windows/\(id)/rows", ["from": "\(texts.count)", "count": "73"])
            let rows = page.at("rows").elements
            if rows.isEmpty { return texts }
            texts += rows.map { $0.elements[position + 1].string ?? "" }
        }
    }

    @Test(
        "A list has the rows of a fetch, in its order, in stores of every kind",
        arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func sameAsFetch(_ type: String) async throws {
        let shop = try ShopStore(type)
        let client = try shop.studio()
        for (entity, filter, sort) in [
            ("Book", "", "title"), ("Book", "pages > 12 AND author.name CONTAINS \"3\"", "pages:desc"),
            ("Novel", "ANY tags.word == \"dream\"", "title:desc"), ("Book", "author == nil", "price"),
            ("Author", "books.@count > 2", "name"),
        ] {
            let key = entity == "Author" ? "name" : "title"
            let sorts = [sort, key]
            let window = try await client.post(
                "stores/s1/windows",
                .object([
                    .init("entity", .string(entity)), .init("filter", .string(filter)),
                    .init("sort", .array(sorts.map { .string($0) })),
                ]))
            let expected = try shop.values(
                entity, filter.isEmpty ? nil : filter, sort: sorts, key: key)
            #expect(try await column(client, window, key) == expected, "\(entity) \(filter)")
            #expect(!expected.isEmpty)
        }
    }

    @Test("The first hundred rows are there at once, and the number of all follows")
    func firstRows() async throws {
        let client = try ShopStore(bookCount: 777).studio()
        let window = try await client.post("stores/s1/windows", #"{"entity":"Book","sort":["title"]}"#)
        #expect(window.at("rows").elements.count == 100)
        let id = try #require(window["window"]?.string)
        let told = try await client.event(.progress) { $0["isComplete"] == .boolean(true) }
        #expect(told.at("window") == .string(id))
        #expect(told.at("total.count").whole == 777)
        #expect(told.at("total.isExact") == .boolean(true))
    }

    @Test(
        "Cells have types: exact decimals, titles of objects, numbers of members, beginnings of long values")
    func cells() async throws {
        let shop = try ShopStore(bookCount: 0) { context in
            let author = ShopStore.insert("Author", ["name": "Ursula"], context)
            let tags = ["a", "b"].map { ShopStore.insert("Tag", ["word": $0], context) }
            let book = ShopStore.insert(
                "Book",
                [
                    "title": String(repeating: "x", count: 5000), "price": NSDecimalNumber(string: "0.10"),
                    "cover": Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + Data(count: 200_000),
                    "pages": Int64.max, "author": author,
                    "isbn": try #require(UUID(uuidString: "0D7F9C10-6C0B-4D53-8A3B-9A8B0E3C6F11")),
                ], context)
            book.mutableOrderedSetValue(forKey: "tags").addObjects(from: tags)
        }
        let window = try await shop.studio().post(
            "stores/s1/windows",
            #"{"entity":"Book","columns":["title","price","cover","pages","isbn","author","tags"]}"#)
        let cells = window.at("rows.0").elements
        #expect(cells[0] == .string("Book/p1"))
        #expect(cells[1].at("text").string?.count == 200)
        #expect(cells[1].at("length").whole == 5000)
        #expect(cells[2] == .string("0.1"))
        #expect(cells[3].at("length").whole == 200_008)
        #expect(cells[3].at("kind") == .string("png"))
        #expect(cells[3].at("bytes") == .string("89504e470d0a1a0a0000000000000000"))
        #expect(cells[4] == .string("9223372036854775807"))
        #expect(cells[5] == .string("0D7F9C10-6C0B-4D53-8A3B-9A8B0E3C6F11"))
        #expect(cells[6].at("title") == .string("Ursula"))
        #expect(cells[7].at("count").whole == 2)
    }

    @Test("A list stays as it was while another program writes, and says that it is old")
    func otherWriter() async throws {
        let shop = try ShopStore(bookCount: 30, history: true)
        let client = try shop.studio()
        let window = try await client.post(
            "stores/s1/windows", #"{"entity":"Book","sort":["title"],"columns":["title"]}"#)
        let id = try #require(window["window"]?.string)
        try shop.write { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            for book in try context.fetch(request) { book.setValue("changed", forKey: "title") }
        }
        let told = try await client.event(.store)
        #expect(told.at("store") == .string("s1"))
        #expect(told.at("changes").elements.count == 30)
        #expect(told.at("changes.0.kind") == .string("update"))
        let page = try await client.get("stores/s1/windows/\(id)/rows", ["from": "0", "count": "30"])
        #expect(page.at("rows") == window.at("rows"))
        #expect(page.at("isOld") == .boolean(true))
        let again = try await client.post("stores/s1/windows", #"{"entity":"Book","columns":["title"]}"#)
        #expect(again.at("rows").elements.allSatisfy { $0.elements[1] == .string("changed") })
    }

    @Test("A closed list ends, and tells so to those who wait for its rows")
    func closing() async throws {
        let client = try ShopStore(bookCount: 400).studio()
        let window = try await client.post("stores/s1/windows", #"{"entity":"Book"}"#)
        let id = try #require(window["window"]?.string)
        try await client.delete("stores/s1/windows/\(id)")
        let failure = await #expect(throws: StudioClient.Failure.self) {
            try await client.get("stores/s1/windows/\(id)/rows")
        }
        #expect(failure?.status == 404)
    }

    @Test(
        "A filter that cannot be run is refused with a reason, and the store goes on",
        arguments: [
            "title ==", "titel == 1", "\"", "FUNCTION(title, 'foo')", "title MATCHES '('", "SUBQUERY(",
            String(repeating: "(", count: 5000) + "TRUE" + String(repeating: ")", count: 5000),
            String(repeating: "NOT ", count: 20_000) + "TRUE",
            String(repeating: "title == 'x' OR ", count: 5000) + "TRUE",
            "title == \"" + String(repeating: "x", count: 70_000) + "\"", "author.name.length.foo == 1",
            "FETCH(FUNCTION(SELF, 'x'), nil, NO) == 1",
        ])
    func hostileFilters(_ filter: String) async throws {
        let client = try ShopStore(bookCount: 3).studio()
        let body = JSONValue.object([.init("entity", .string("Book")), .init("filter", .string(filter))])
        do {
            // A long chain of alternatives is no mistake where the database takes it.
            let window = try await client.post("stores/s1/windows", body)
            #expect(filter.hasPrefix("title == 'x'"))
            #expect(window.at("rows").elements.count == 3)
        } catch let failure as StudioClient.Failure {
            #expect(failure.status == 400 || failure.status == 413, "\(failure.body)")
            #expect(!failure.message.isEmpty)
        }
        let all = try await client.post("stores/s1/windows", #"{"entity":"Book"}"#)
        #expect(all.at("rows").elements.count == 3)
    }

    @Test("What SQL cannot express is tested in memory, in the same order")
    func inMemory() async throws {
        let shop = try ShopStore(bookCount: 60)
        let client = try shop.studio()
        let filter = "FUNCTION(title, 'length') > 6"
        let isFunction = (try? shop.values("Book", filter, sort: ["title"], key: "title")) != nil
        let usable = isFunction ? filter : "title MATCHES 'Book [0-9]*1'"
        let window = try await client.post(
            "stores/s1/windows",
            .object([
                .init("entity", .string("Book")), .init("filter", .string(usable)),
                .init("sort", .array([.string("title")])), .init("columns", .array([.string("title")])),
            ]))
        let expected = try shop.values("Book", usable, sort: ["title"], key: "title")
        #expect(window.at("rows").elements.map { $0.elements[1].string ?? "" } == expected)
        #expect(!expected.isEmpty)
    }

    @Test("A store that is only read has no trace beside it once it is closed")
    func noTrace() async throws {
        let shop = try ShopStore(bookCount: 150)
        let before = try shop.files()
        do {
            let client = try shop.studio()
            _ = try await client.post("stores/s1/windows", #"{"entity":"Book","sort":["title"]}"#)
            _ = try await client.get("stores/s1/objects/Author/p1")
            _ = try await client.post("stores/s1/statement", #"{"entity":"Book","filter":"pages > 3"}"#)
            client.studio.close()
        }
        #expect(try shop.files() == before)
    }

    @Test("A store whose log nobody has open is read from a copy, and both files stay")
    func abandonedLog() async throws {
        let shop = try ShopStore(bookCount: 5)
        try shop.run("PRAGMA wal_autocheckpoint = 0")
        try Data(repeating: 7, count: 5000).write(to: URL(fileURLWithPath: shop.url.path + "-shm"))
        let before = try shop.files()
        let client = try shop.studio()
        #expect(try await client.get("documents").at("stores.0.isCopy") == .boolean(true))
        let window = try await client.post("stores/s1/windows", #"{"entity":"Book"}"#)
        #expect(window.at("rows").elements.count == 5)
        #expect(try shop.files() == before)
    }
}

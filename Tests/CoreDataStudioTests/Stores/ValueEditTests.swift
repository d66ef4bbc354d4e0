import CoreData
import CoreDataJSON
import CoreDataStudio
import CoreDataStudioInterface
import Foundation
import Testing

@Suite("Edits of data, of members, and of what deletions take along")
struct ValueEditTests {
    private func perform(_ edits: String, _ client: StudioClient) async throws {
        _ = try await client.post("stores/s1/edits", "{\"edits\":[\(edits)]}")
    }

    private func bytes(_ response: StudioResponse) -> Data? {
        if case .bytes(let bytes, _, _) = response.body { Data(bytes) } else { nil }
    }

    @Test("Data that waits to be saved is read as it will be, and then from the store")
    func data() async throws {
        let shop = try ShopStore { ShopStore.insert("Book", ["title": "a", "cover": Data([1, 2, 3])], $0) }
        let client = try shop.studio(editing: true)
        try await perform(
            #"{"kind":"set","object":"Book/p1","key":"cover","value":"CQgH"}"#, client)
        let record = try await client.get("stores/s1/objects/Book/p1")
        #expect(record.at("values.cover.bytes") == .string("090807"))
        #expect(
            bytes(await client.response(.get, "stores/s1/objects/Book/p1/cover/data")) == Data([9, 8, 7]))
        _ = try await client.post("stores/s1/edits/save")
        #expect(
            bytes(await client.response(.get, "stores/s1/objects/Book/p1/cover/data")) == Data([9, 8, 7]))
        try await perform(#"{"kind":"set","object":"Book/p1","key":"cover","value":null}"#, client)
        #expect(await client.response(.get, "stores/s1/objects/Book/p1/cover/data").status == 404)
        _ = try await client.post("stores/s1/edits/undo")
        _ = try await client.post("stores/s1/edits/undo")
        _ = try await client.post("stores/s1/edits/save")
        #expect(
            bytes(await client.response(.get, "stores/s1/objects/Book/p1/cover/data")) == Data([1, 2, 3]))
        let failure = await #expect(throws: StudioClient.Failure.self) {
            try await perform(#"{"kind":"set","object":"Book/p1","key":"cover","value":"%"}"#, client)
        }
        #expect(failure?.status == 422)
    }

    @Test(
        "An object comes with the first twenty members of a relationship, and the others part by part",
        arguments: [NSSQLiteStoreType, NSXMLStoreType])
    func members(_ type: String) async throws {
        let shop = try ShopStore(type) { context in
            let author = ShopStore.insert("Author", ["name": "One"], context)
            let tag = ShopStore.insert("Tag", ["word": "sf"], context)
            for number in 0..<57 {
                let book = ShopStore.insert("Book", ["title": "Book \(number)", "author": author], context)
                book.setValue(NSOrderedSet(object: tag), forKey: "tags")
            }
        }
        let client = try shop.studio(editing: true)
        for (entity, key) in [("Author", "books"), ("Tag", "books")] {
            let window = try await client.post(
                "stores/s1/windows", "{\"entity\":\"\(entity)\",\"columns\":[]}")
            let object = try #require(window.at("rows.0.0").string)
            func all() async throws -> [String] {
                let record = try await client.get("stores/s1/objects/\(object)")
                #expect(record.at("values.\(key).count").whole == 57)
                var ids = record.at("values.\(key).members").elements.compactMap { $0["id"]?.string }
                #expect(ids.count == 20)
                while ids.count < 57 {
                    let part = try await client.get(
                        "stores/s1/objects/\(object)/\(key)", ["from": "\(ids.count)", "count": "30"])
                    #expect(part.at("count").whole == 57)
                    let found = part.at("members").elements.compactMap { $0["id"]?.string }
                    guard !found.isEmpty else { break }
                    ids += found
                }
                return ids
            }
            let stored = try await all()
            #expect(Set(stored).count == 57)
            let name = entity == "Author" ? "name" : "word"
            try await perform(
                "{\"kind\":\"set\",\"object\":\"\(object)\",\"key\":\"\(name)\",\"value\":\"new\"}", client)
            #expect(Set(try await all()) == Set(stored))
        }
    }

    @Test("Objects that a relationship may lead to are found part by part")
    func search() async throws {
        let client = try ShopStore(bookCount: 50).studio()
        var names: Set<String> = []
        for from in [0, 20, 40] {
            let found = try await client.get(
                "stores/s1/objects/Author/p1/books", ["search": "", "from": "\(from)", "count": "20"])
            names.formUnion(found.at("members").elements.compactMap { $0["id"]?.string })
        }
        #expect(names.count == 50)
    }

    @Test("Relationships without an inverse lead to an object again when its deletion is undone after a save")
    func withoutInverse() async throws {
        let shop = try ShopStore { context in
            let books = ["a", "b", "c"].map { ShopStore.insert("Book", ["title": $0], context) }
            let shelf = ShopStore.insert("Shelf", ["place": "left", "best": books[1]], context)
            shelf.setValue(NSSet(array: books), forKey: "others")
        }
        let client = try shop.studio(editing: true)
        let window = try await client.post(
            "stores/s1/windows", #"{"entity":"Book","filter":"title == 'b'","columns":[]}"#)
        let book = try #require(window.at("rows.0.0").string)
        try await perform("{\"kind\":\"delete\",\"object\":\"\(book)\"}", client)
        _ = try await client.post("stores/s1/edits/save")
        #expect(try shop.values("Book", nil, sort: ["title"], key: "title") == ["a", "c"])
        _ = try await client.post("stores/s1/edits/undo")
        _ = try await client.post("stores/s1/edits/save")
        #expect(try shop.values("Shelf", nil, sort: [], key: "best.title") == ["b"])
        #expect(try shop.values("Shelf", "others.@count == 3", sort: [], key: "place") == ["left"])
    }

    @Test("All objects that another program deleted are told at once")
    func deleted() async throws {
        let shop = try ShopStore { context in
            for title in ["a", "b", "c"] { ShopStore.insert("Book", ["title": title], context) }
        }
        let client = try shop.studio(editing: true)
        let window = try await client.post("stores/s1/windows", #"{"entity":"Book","columns":[]}"#)
        let names = window.at("rows").elements.compactMap { $0.at("0").string }
        for name in names {
            try await perform(
                "{\"kind\":\"set\",\"object\":\"\(name)\",\"key\":\"pages\",\"value\":1}", client)
        }
        try shop.write { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.predicate = NSPredicate(format: "title != 'b'")
            for book in try context.fetch(request) { context.delete(book) }
        }
        let failure = await #expect(throws: StudioClient.Failure.self) {
            try await client.post("stores/s1/edits/save")
        }
        let gone = failure?.body.at("conflicts").elements ?? []
        #expect(gone.map { $0["kind"] } == [.string("deleted"), .string("deleted")])
        let choices = gone.compactMap { $0["object"]?.string }
            .map { "{\"object\":\"\($0)\",\"keep\":\"theirs\"}" }.joined(separator: ",")
        _ = try await client.post("stores/s1/edits/save", "{\"keep\":[\(choices)]}")
        #expect(try shop.values("Book", "pages == 1", sort: [], key: "title") == ["b"])
    }
}

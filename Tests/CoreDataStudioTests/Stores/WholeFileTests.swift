import CoreData
import CoreDataJSON
import CoreDataStudio
import CoreDataStudioInterface
import Foundation
import Testing

@Suite("Stores that are read as a whole")
struct WholeFileTests {
    private static let types = [NSXMLStoreType, NSBinaryStoreType]

    private func titles(_ client: StudioClient) async throws -> [String] {
        let window = try await client.post(
            "stores/s1/windows", #"{"entity":"Book","sort":["title"],"columns":["title"]}"#)
        return window.at("rows").elements.compactMap { $0.at("1").string }
    }

    private func small(_ type: String) throws -> ShopStore {
        try ShopStore(type) { context in
            for title in ["a", "b"] {
                ShopStore.insert("Book", ["title": title], context)
                try context.save()
            }
        }
    }

    private func book(_ title: String, _ client: StudioClient) async throws -> String {
        let window = try await client.post(
            "stores/s1/windows", "{\"entity\":\"Book\",\"filter\":\"title == '\(title)'\",\"columns\":[]}")
        return try #require(window.at("rows.0.0").string)
    }

    private func set(_ object: String, _ key: String, _ value: String) -> String {
        "{\"edits\":[{\"kind\":\"set\",\"object\":\"\(object)\",\"key\":\"\(key)\",\"value\":\(value)}]}"
    }

    private func rename(_ title: String, _ new: String, in shop: ShopStore) throws {
        try shop.write { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.predicate = NSPredicate(format: "title == %@", title)
            for book in try context.fetch(request) { book.setValue(new, forKey: "title") }
        }
    }

    @Test("Edits are saved into the file, one save after the other", arguments: types)
    func saving(_ type: String) async throws {
        let shop = try small(type)
        let client = try shop.studio(editing: true)
        _ = try await client.post("stores/s1/edits", set(book("a", client), "title", "\"A\""))
        _ = try await client.post(
            "stores/s1/edits", #"{"edits":[{"kind":"insert","entity":"Novel","values":{"title":"c"}}]}"#)
        _ = try await client.post("stores/s1/edits/save")
        #expect(try shop.values("Book", nil, sort: ["title"], key: "title") == ["A", "b", "c"])
        _ = try await client.post("stores/s1/edits", set(book("c", client), "title", "\"C\""))
        _ = try await client.post("stores/s1/edits/save")
        #expect(try shop.values("Book", nil, sort: ["title"], key: "title") == ["A", "C", "b"])
        #expect(try await titles(client) == ["A", "C", "b"])
        _ = try await client.post("stores/s1/edits/undo")
        _ = try await client.post("stores/s1/edits/save")
        #expect(try shop.values("Book", nil, sort: ["title"], key: "title") == ["A", "b", "c"])
    }

    @Test("A file that another program replaced is read again, and pending edits stay", arguments: types)
    func replaced(_ type: String) async throws {
        let shop = try small(type)
        let client = try shop.studio(editing: true)
        _ = try await client.post("stores/s1/edits", set(book("a", client), "title", "\"A\""))
        try rename("b", "theirs", in: shop)
        await client.studio.look()
        _ = try await client.event(.store)
        #expect(try await titles(client) == ["a", "theirs"])
        #expect(try await client.get("stores/s1/edits").at("changes.0.values.title.to") == .string("A"))
        _ = try await client.post("stores/s1/edits/save")
        #expect(try shop.values("Book", nil, sort: ["title"], key: "title") == ["A", "theirs"])
    }

    @Test("A save over a file that was replaced meanwhile asks which value is kept", arguments: types)
    func conflicts(_ type: String) async throws {
        for keep in ["mine", "theirs"] {
            let shop = try small(type)
            let client = try shop.studio(editing: true)
            let a = try await book("a", client)
            _ = try await client.post("stores/s1/edits", set(a, "title", "\"mine\""))
            _ = try await client.post("stores/s1/edits", set(a, "pages", "7"))
            try rename("a", "theirs", in: shop)
            let failure = await #expect(throws: StudioClient.Failure.self) {
                try await client.post("stores/s1/edits/save")
            }
            #expect(failure?.status == 409)
            #expect(failure?.body.at("conflicts.0.theirs") == .string("theirs"))
            _ = try await client.post(
                "stores/s1/edits/save",
                "{\"keep\":[{\"object\":\"\(a)\",\"key\":\"title\",\"keep\":\"\(keep)\"}]}")
            #expect(try shop.values("Book", "pages == 7", sort: [], key: "title") == [keep])
        }
    }

    @Test("The deletion of an object that another program changed asks first", arguments: types)
    func deletion(_ type: String) async throws {
        let shop = try small(type)
        let client = try shop.studio(editing: true)
        let a = try await book("a", client)
        _ = try await client.post(
            "stores/s1/edits", "{\"edits\":[{\"kind\":\"delete\",\"object\":\"\(a)\"}]}")
        try rename("a", "theirs", in: shop)
        let failure = await #expect(throws: StudioClient.Failure.self) {
            try await client.post("stores/s1/edits/save")
        }
        #expect(failure?.body.at("conflicts.0.kind") == .string("changed"))
        _ = try await client.post(
            "stores/s1/edits/save", "{\"keep\":[{\"object\":\"\(a)\",\"keep\":\"mine\"}]}")
        #expect(try shop.values("Book", nil, sort: ["title"], key: "title") == ["b"])
    }

    @Test("A file that is no store any more is told once, and the rows that were read stay", arguments: types)
    func damaged(_ type: String) async throws {
        let shop = try small(type)
        let client = try shop.studio(editing: true)
        _ = try await client.post("stores/s1/edits", set(book("a", client), "title", "\"A\""))
        try Data("nothing".utf8).write(to: shop.url)
        await client.studio.look()
        let told = try await client.event(.store)
        #expect(told.at("failure").string?.contains("cannot be read") == true)
        #expect(try await titles(client) == ["a", "b"])
        let failure = await #expect(throws: StudioClient.Failure.self) {
            try await client.post("stores/s1/edits/save")
        }
        #expect(failure?.message.isEmpty == false)
        #expect(try Data(contentsOf: shop.url) == Data("nothing".utf8))
        #expect(try await client.get("stores/s1/edits").at("steps").elements.count == 1)
    }
}

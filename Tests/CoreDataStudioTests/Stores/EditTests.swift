import CoreData
import CoreDataJSON
import CoreDataStudio
import CoreDataStudioInterface
import Foundation
import Testing

@Suite("Pending edits of a store")
struct EditTests {
    private func titles(_ shop: ShopStore) throws -> [String] {
        try shop.values("Book", nil, sort: ["title"], key: "title")
    }

    /// Returns a store with two authors, of whom the first has the books a and b.
    private func small(_ type: String = NSSQLiteStoreType) throws -> ShopStore {
        try ShopStore(type) { context in
            let author = ShopStore.insert("Author", ["name": "One"], context)
            for title in ["a", "b"] {
                // Keys follow the order in which objects were saved.
                ShopStore.insert("Book", ["title": title, "author": author], context)
                try context.save()
            }
            ShopStore.insert("Author", ["name": "Two"], context)
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

    @Test("Edits are pending until they are saved, in one transaction")
    func saving() async throws { try await save(in: NSSQLiteStoreType) }

    /// Changes an object and makes another one, and saves both.
    func save(in type: String) async throws {
        let shop = try small(type)
        let client = try shop.studio(editing: true)
        let a = try await book("a", client)
        var pending = try await client.post("stores/s1/edits", set(a, "title", "\"A\""))
        #expect(pending.at("changes.0.values.title.from") == .string("a"))
        #expect(pending.at("changes.0.values.title.to") == .string("A"))
        pending = try await client.post(
            "stores/s1/edits",
            """
            {"edits": [{"kind": "insert", "entity": "Novel", "values": {"title": "c", "price": "0.10"}},
                {"kind": "set", "object": "Novel/new1", "key": "author", "value": {"id": "Author/p1"}}]}
            """)
        #expect(pending.at("changes.0.id") == .string("Novel/new1"))
        #expect(try titles(shop) == ["a", "b"])
        pending = try await client.post("stores/s1/edits/save")
        #expect(pending.at("changes").elements.isEmpty)
        #expect(try titles(shop) == ["A", "b", "c"])
        #expect(try shop.values("Novel", nil, sort: [], key: "price") == ["0.1"])
        #expect(try shop.values("Novel", nil, sort: [], key: "author.name") == ["One"])
    }

    @Test("Of values that come together, the refused ones can be left out, and the others are one step")
    func skippingRefused() async throws {
        let shop = try small()
        let client = try shop.studio(editing: true)
        let (a, b) = (try await book("a", client), try await book("b", client))
        func edits(_ sets: [(object: String, key: String, value: String)]) -> String {
            let list = sets.map {
                #"{"kind": "set", "object": "\#($0.object)", "key": "\#($0.key)", "value": \#($0.value)}"#
            }
            return #"{"title": "Paste", "skipsRefused": true, "edits": [\#(list.joined(separator: ","))]}"#
        }
        var pending = try await client.post(
            "stores/s1/edits",
            edits([
                (a, "title", "\"A\""), (a, "pages", "\"many\""), ("Book/p999", "title", "\"x\""),
                (b, "nothing", "1"), (b, "title", "\"B\""),
            ]))
        #expect(pending.at("refused").elements.map { $0["index"]?.whole } == [1, 2, 3])
        #expect(pending.at("refused.1.error").string == "there is no object Book/p999")
        #expect(pending.at("refused.2.error").string == "there is no property nothing")
        #expect(pending.at("steps") == .array([.string("Paste")]))
        #expect(pending.at("changes").elements.count == 2)
        pending = try await client.post(
            "stores/s1/edits/undo", "{\"revision\":\(pending.at("revision").whole ?? 0)}")
        #expect(pending.at("changes").elements.isEmpty && pending.at("redo").string == "Paste")
        // Of nothing but refused values no step is left, and what was undone can still be done again.
        pending = try await client.post("stores/s1/edits", edits([(a, "pages", "\"many\"")]))
        #expect(pending.at("refused").elements.count == 1 && pending.at("steps").elements.isEmpty)
        #expect(pending.at("redo").string == "Paste")
        pending = try await client.post(
            "stores/s1/edits/redo", "{\"revision\":\(pending.at("revision").whole ?? 0)}")
        _ = try await client.post("stores/s1/edits/save")
        #expect(try titles(shop) == ["A", "B"])
        // Only values can be left out: half a new object is none.
        await #expect(throws: StudioClient.Failure.self) {
            _ = try await client.post(
                "stores/s1/edits",
                """
                {"skipsRefused": true,
                    "edits": [{"kind": "insert", "entity": "Book", "values": {"pages": "x"}}]}
                """)
        }
        #expect(try await client.get("stores/s1/edits").at("changes").elements.isEmpty)
    }

    @Test("The first save of a session leaves a copy of the store as it was beside it")
    func backup() async throws {
        let shop = try small()
        let client = try shop.studio(editing: true)
        _ = try await client.post("stores/s1/edits", set(book("a", client), "title", "\"A\""))
        let saved = try await client.post("stores/s1/edits/save")
        let path = try #require(saved.at("backup").string)
        _ = try await client.post("stores/s1/edits", set(book("b", client), "title", "\"B\""))
        #expect(try await client.post("stores/s1/edits/save").at("backup").string == path)
        let copy = try ShopStore(copying: path)
        #expect(try titles(copy) == ["a", "b"])
        #expect(try titles(shop) == ["A", "B"])
    }

    @Test("Undo takes edits back one by one, redo does them again, and after a save undo makes new edits")
    func undo() async throws {
        let shop = try small()
        let client = try shop.studio(editing: true)
        let a = try await book("a", client)
        for value in ["A1", "A2"] {
            _ = try await client.post("stores/s1/edits", set(a, "title", "\"\(value)\""))
        }
        var pending = try await client.post("stores/s1/edits/undo")
        #expect(pending.at("changes.0.values.title.to") == .string("A1"))
        pending = try await client.post("stores/s1/edits/redo")
        #expect(pending.at("changes.0.values.title.to") == .string("A2"))
        _ = try await client.post("stores/s1/edits/save")
        #expect(try titles(shop) == ["A2", "b"])
        pending = try await client.post("stores/s1/edits/undo")
        #expect(pending.at("changes.0.values.title.to") == .string("A1"))
        _ = try await client.post("stores/s1/edits/undo")
        _ = try await client.post("stores/s1/edits/save")
        #expect(try titles(shop) == ["A2", "b"])
    }

    @Test("Pages are told what others change, and take back only a step that they have seen")
    func twoPages() async throws {
        let shop = try small()
        let client = try shop.studio(editing: true)
        let a = try await book("a", client)
        let first = try await client.post("stores/s1/edits", set(a, "title", "\"A1\""))
        let second = try await client.post("stores/s1/edits", set(a, "title", "\"A2\""))
        let (seen, newest) = (
            try #require(first.at("revision").whole), try #require(second.at("revision").whole)
        )
        let news = try await client.event(.edits) { $0.at("revision").whole == newest }
        #expect(news.at("store") == .string("s1"))
        for name in ["undo", "redo"] {
            let failure = await #expect(throws: StudioClient.Failure.self) {
                try await client.post("stores/s1/edits/\(name)", "{\"revision\":\(seen)}")
            }
            #expect(failure?.status == 409)
        }
        let undone = try await client.post("stores/s1/edits/undo", "{\"revision\":\(newest)}")
        #expect(undone.at("changes.0.values.title.to") == .string("A1"))
        let saved = try await client.post("stores/s1/edits/save")
        let end = try #require(saved.at("revision").whole)
        _ = try await client.event(.edits) { $0.at("revision").whole == end }
    }

    @Test("A changed object keeps the title by which lists know it")
    func title() async throws {
        let shop = try ShopStore { context in
            let book = ShopStore.insert("Book", ["title": "a"], context)
            ShopStore.insert("Shelf", ["place": "Left", "best": book], context)
        }
        let client = try shop.studio(editing: true)
        #expect(try await client.get("stores/s1/objects/Shelf/p1").at("title") == .string("Left"))
        let pending = try await client.post("stores/s1/edits", set("Shelf/p1", "best", "null"))
        #expect(pending.at("changes.0.title") == .string("Left"))
        #expect(try await client.get("stores/s1/objects/Shelf/p1").at("title") == .string("Left"))
    }

    @Test("A saved deletion with all that it took along is made again by undo, relationships too")
    func undoDeletion() async throws {
        let shop = try small()
        let client = try shop.studio(editing: true)
        let pending = try await client.post(
            "stores/s1/edits", #"{"edits": [{"kind": "delete", "object": "Author/p1"}]}"#)
        #expect(pending.at("changes").elements.count == 3)
        _ = try await client.post("stores/s1/edits/save")
        #expect(try titles(shop) == [])
        _ = try await client.post("stores/s1/edits/undo")
        _ = try await client.post("stores/s1/edits/save")
        #expect(try titles(shop) == ["a", "b"])
        #expect(try shop.values("Book", nil, sort: ["title"], key: "author.name") == ["One", "One"])
        _ = try await client.post("stores/s1/edits/undo")
        _ = try await client.post("stores/s1/edits/save")
        #expect(try shop.values("Author", nil, sort: ["name"], key: "name") == ["Two"])
    }

    @Test("Members are linked and unlinked, at their places in an ordered relationship")
    func links() async throws {
        let shop = try ShopStore(bookCount: 4)
        let client = try shop.studio(editing: true)
        let book = try await client.post(
            "stores/s1/windows", #"{"entity":"Book","filter":"tags.@count == 3","columns":["tags"]}"#
        ).at("rows.0.0").string
        let name = try #require(book)
        let members = try await client.get("stores/s1/objects/\(name)/tags").at("members").elements
        let ids = members.compactMap { $0["id"]?.string }
        #expect(ids.count == 3)
        _ = try await client.post(
            "stores/s1/edits",
            "{\"edits\":[{\"kind\":\"unlink\",\"object\":\"\(name)\",\"key\":\"tags\",\"member\":\"\(ids[0])\"}]}"
        )
        var record = try await client.get("stores/s1/objects/\(name)")
        #expect(record.at("values.tags.count").whole == 2)
        _ = try await client.post("stores/s1/edits/undo")
        _ = try await client.post(
            "stores/s1/edits",
            """
            {"edits":[{"kind":"link","object":"\(name)","key":"tags","member":"\(ids[2])","position":0}]}
            """)
        _ = try await client.post("stores/s1/edits/save")
        record = try await client.get("stores/s1/objects/\(name)")
        #expect(
            record.at("values.tags.members").elements.map { $0["id"]?.string } == [ids[2], ids[0], ids[1]])
    }

    @Test("What the model forbids is told for object and property, and nothing is saved")
    func validation() async throws {
        let shop = try small()
        let client = try shop.studio(editing: true)
        let a = try await book("a", client)
        let pending = try await client.post("stores/s1/edits", set(a, "title", "null"))
        #expect(pending.at("problems.0.object") == .string(a))
        #expect(pending.at("problems.0.key") == .string("title"))
        let failure = await #expect(throws: StudioClient.Failure.self) {
            try await client.post("stores/s1/edits/save")
        }
        #expect(failure?.status == 422)
        #expect(try titles(shop) == ["a", "b"])
        let malformed = await #expect(throws: StudioClient.Failure.self) {
            try await client.post("stores/s1/edits", set(a, "pages", "\"many\""))
        }
        #expect(malformed?.status == 422)
        #expect(malformed?.body.at("key") == .string("pages"))
        let after = try await client.get("stores/s1/edits")
        #expect(after.at("steps").elements.count == 1)
    }

    @Test("A unique value that is taken is refused, and the edits stay")
    func constraint() async throws {
        let shop = try ShopStore(bookCount: 1)
        let client = try shop.studio(editing: true)
        _ = try await client.post(
            "stores/s1/edits", #"{"edits":[{"kind":"insert","entity":"Tag","values":{"word":"sf"}}]}"#)
        let failure = await #expect(throws: StudioClient.Failure.self) {
            try await client.post("stores/s1/edits/save")
        }
        #expect(failure?.status == 422)
        #expect(failure?.message.contains("word") == true)
        #expect(try await client.get("stores/s1/edits").at("changes.0.kind") == .string("insert"))
    }

    @Test(
        "A value that another program changed meanwhile is a conflict, and the choice is kept",
        arguments: ["mine", "theirs"])
    func conflicts(keep: String) async throws {
        try await conflict(keeping: keep, in: NSSQLiteStoreType)
    }

    /// Has two programs change a value, and keeps that of one.
    func conflict(keeping keep: String, in type: String) async throws {
        let shop = try small(type)
        let client = try shop.studio(editing: true)
        let a = try await book("a", client)
        _ = try await client.post("stores/s1/edits", set(a, "title", "\"mine\""))
        _ = try await client.post("stores/s1/edits", set(a, "pages", "7"))
        try shop.write { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.predicate = NSPredicate(format: "title == 'a'")
            for book in try context.fetch(request) {
                book.setValue("theirs", forKey: "title")
                book.setValue(NSDecimalNumber(string: "3"), forKey: "price")
            }
        }
        let failure = await #expect(throws: StudioClient.Failure.self) {
            try await client.post("stores/s1/edits/save")
        }
        #expect(failure?.status == 409)
        let conflicts = failure?.body.at("conflicts") ?? .null
        #expect(conflicts.elements.count == 1)
        #expect(conflicts.at("0.base") == .string("a"))
        #expect(conflicts.at("0.theirs") == .string("theirs"))
        #expect(conflicts.at("0.mine") == .string("mine"))
        _ = try await client.post(
            "stores/s1/edits/save",
            "{\"keep\":[{\"object\":\"\(a)\",\"key\":\"title\",\"keep\":\"\(keep)\"}]}")
        #expect(try titles(shop) == ["b", keep].sorted())
        // What only one of both changed is kept, whoever it was.
        #expect(try shop.values("Book", "pages == 7", sort: [], key: "price") == ["3"])
    }

    @Test("An object that another program deleted is a conflict, which ends by giving up the edit")
    func deletedElsewhere() async throws {
        let shop = try small()
        let client = try shop.studio(editing: true)
        let (a, b) = (try await book("a", client), try await book("b", client))
        _ = try await client.post("stores/s1/edits", set(a, "title", "\"mine\""))
        _ = try await client.post("stores/s1/edits", set(b, "title", "\"B\""))
        try shop.write { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.predicate = NSPredicate(format: "title == 'a'")
            for book in try context.fetch(request) { context.delete(book) }
        }
        let failure = await #expect(throws: StudioClient.Failure.self) {
            try await client.post("stores/s1/edits/save")
        }
        #expect(failure?.status == 409)
        #expect(failure?.body.at("conflicts.0.kind") == .string("deleted"))
        _ = try await client.post(
            "stores/s1/edits/save", "{\"keep\":[{\"object\":\"\(a)\",\"keep\":\"theirs\"}]}")
        #expect(try titles(shop) == ["B"])
    }

    @Test("Without editing, and with everything read-only, edits are refused and the store keeps its bytes")
    func readOnly() async throws {
        let shop = try small()
        let before = try shop.files()
        for isEditing in [false, true] {
            let client = try shop.studio(editing: isEditing, readOnly: isEditing)
            for path in ["edits", "edits/undo", "edits/save", "edits/discard"] {
                let failure = await #expect(throws: StudioClient.Failure.self) {
                    try await client.post("stores/s1/\(path)", set("Book/p1", "title", "\"x\""))
                }
                #expect(failure?.status == 403)
            }
            client.studio.close()
        }
        #expect(try shop.files() == before)
    }
}

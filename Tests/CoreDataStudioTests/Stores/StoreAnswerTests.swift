import CoreData
import CoreDataJSON
import CoreDataStudio
import CoreDataStudioInterface
import Foundation
import Testing

@Suite("Answers about a store")
struct StoreAnswerTests {
    @Test("The description names entities with their properties, and counts follow on request")
    func description() async throws {
        let client = try ShopStore(bookCount: 9).studio()
        let store = try await client.get("stores/s1")
        #expect(
            store.at("entities").elements.map { $0["name"]?.string } == [
                "Author", "Book", "Novel", "Shelf", "Tag",
            ])
        #expect(store.at("entities.2.parent") == .string("Book"))
        #expect(store.at("mayEdit") == .boolean(false))
        #expect(store.at("differences").elements.isEmpty)
        let count = try await client.post("stores/s1/count", #"{"entity":"Book"}"#)
        #expect(count.at("own").whole == 6)
        #expect(count.at("all").whole == 9)
    }

    @Test("An object comes with all values, titles of what it leads to, and the first members")
    func record() async throws {
        let shop = try ShopStore(bookCount: 70)
        let client = try shop.studio()
        let author = try await client.post(
            "stores/s1/windows", #"{"entity":"Author","filter":"books.@count > 5","columns":[]}"#)
        let name = try #require(author.at("rows.0.0").string)
        let record = try await client.get("stores/s1/objects/\(name)")
        let count = try #require(record.at("values.books.count").whole)
        #expect(record.at("values.books.members").elements.count == min(count, 20))
        let books = try await client.get("stores/s1/objects/\(name)/books", ["from": "1", "count": "2"])
        #expect(books.at("members").elements.count == 2)
        #expect(books.at("members.0") == record.at("values.books.members.1"))
        let member = try #require(books.at("members.0.id").string)
        let book = try await client.get("stores/s1/objects/\(member)")
        #expect(book.at("values.author.id").string == name)
        #expect(book.at("values.author.title") == record.at("values.name"))
    }

    @Test("Objects that a relationship may lead to are found by a part of their titles, whatever it contains")
    func candidates() async throws {
        let client = try ShopStore(bookCount: 0) { context in
            for name in ["Ann \"A\" O'Brien \\ x", "Bob", "bobby"] {
                ShopStore.insert("Author", ["name": name], context)
            }
            ShopStore.insert("Book", ["title": "t"], context)
        }.studio()
        for (text, count) in [("\"a\" o'b", 1), ("BOB", 2), ("\\", 1), ("", 3), ("') OR TRUEPREDICATE", 0)] {
            let found = try await client.get("stores/s1/objects/Book/p1/author", ["search": text])
            #expect(found.at("members").elements.count == count, "\(text)")
        }
    }

    @Test("Data comes whole or in ranges, and only pictures have a type of their own")
    func data() async throws {
        let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + Data(repeating: 7, count: 150_000)
        let svg = Data("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>".utf8)
        let client = try ShopStore(bookCount: 0) { context in
            ShopStore.insert("Book", ["title": "a", "cover": png], context)
            try context.save()
            ShopStore.insert("Book", ["title": "b", "cover": svg], context)
        }.studio()
        guard
            case .bytes(let whole, let type, _) =
                await client.response(.get, "stores/s1/objects/Book/p1/cover/data").body,
            case .bytes(let part, let partType, _) =
                await client.response(
                    .get, "stores/s1/objects/Book/p1/cover/data", query: ["from": "4", "count": "3"]
                ).body,
            case .bytes(let text, let textType, _) =
                await client.response(.get, "stores/s1/objects/Book/p2/cover/data").body
        else {
            Issue.record("an answer is not of bytes")
            return
        }
        #expect(Data(whole) == png)
        #expect(type == .png)
        #expect(part == [0x0D, 0x0A, 0x1A])
        #expect(partType == .bytes)
        #expect(Data(text) == svg)
        #expect(textType == .bytes)
    }

    @Test("Missing objects, attributes and stores are answered with 404, and malformed names too")
    func missing() async throws {
        let client = try ShopStore(bookCount: 1).studio()
        for path in [
            "stores/s2", "stores/s1/objects/Book/p99", "stores/s1/objects/Book/x1",
            "stores/s1/objects/Nothing/p1",
            "stores/s1/objects/Book/p1/title2/data", "stores/s1/objects/Book/p1/title",
            "stores/s1/windows/w9/rows",
            "stores/s1/nothing", "tasks/t9/file", "stores/s1/objects/Book/p-1",
        ] {
            let failure = await #expect(throws: StudioClient.Failure.self, "\(path)") {
                try await client.get(path)
            }
            #expect(failure?.status == 404, "\(path)")
        }
    }

    // MARK: Completion

    private func completion(_ text: String) async throws -> JSONValue {
        let client = try ShopStore(bookCount: 0) { _ in }.studio()
        let caret = text.unicodeScalars.firstIndex(of: "|") ?? text.unicodeScalars.endIndex
        let position = text.unicodeScalars.distance(from: text.unicodeScalars.startIndex, to: caret)
        return try await client.post(
            "stores/s1/completion",
            .object([
                .init("entity", .string("Book")),
                .init("text", .string(text.replacingOccurrences(of: "|", with: ""))),
                .init("caret", .integer(Int64(position))),
            ]))
    }

    @Test(
        "Properties come where a value is due, operators after it, nothing inside of strings",
        arguments: [
            ("ti|", "title", 0), ("author.n|", "author.name", 0), ("title == 'a' AND pa|", "pages", 17),
            ("author.name CON|", "CONTAINS[cd]", 12), ("title == 'a' O|", "OR", 13),
            ("ANY tags.w|", "tags.word", 4), ("tags.@c|", "tags.@count", 0), ("NOT (auth|", "author", 5),
            ("title == 'tit|", nil, 13),
        ])
    func items(_ text: String, _ first: String?, _ start: Int) async throws {
        let answer = try await completion(text)
        #expect(answer.at("items.0.text").string == first)
        #expect(answer.at("start").whole == start)
    }

    @Test("Mistakes are placed: where the text ends too early, and at keys that the model does not have")
    func mistakes() async throws {
        let early = try await completion("title ==")
        #expect(early.at("mistake.position").whole == 8)
        let key = try await completion("pages > 3 AND author.nam == 'x'")
        #expect(key.at("mistake.position").whole == 14)
        #expect(key.at("mistake.length").whole == 10)
        #expect(key.at("mistake.message").string?.contains("nam") == true)
        #expect(try await completion("title CONTAINS[cd] 'a'").at("mistake") == .null)
        #expect(try await completion("  ").at("mistake") == .null)
    }

    // MARK: Statement, history, tasks

    @Test("A list's statement comes with its values, and steps that read a whole table are marked")
    func statement() async throws {
        let client = try ShopStore(bookCount: 20).studio()
        let answer = try await client.post("stores/s1/statement", #"{"entity":"Book","filter":"pages > 3"}"#)
        #expect(answer.at("sql").string?.contains("WHERE") == true)
        #expect(answer.at("bindings").elements.contains(.integer(3)))
        #expect(answer.at("plan").elements.contains { $0.at("isScan") == .boolean(true) })
        let author = try await client.post(
            "stores/s1/statement", #"{"entity":"Book","filter":"author == nil"}"#)
        #expect(author.at("plan").elements.allSatisfy { $0.at("isScan") == .boolean(false) })
        #expect(author.at("rows").whole == 4)
    }

    @Test("The history lists transactions, and is null for a store that keeps none")
    func history() async throws {
        let kept = try await ShopStore(bookCount: 2, history: true).studio().get("stores/s1/history")
        #expect(kept.elements.count == 1)
        #expect(kept.at("0.changes").elements.count == 12)
        #expect(try await ShopStore(bookCount: 2).studio().get("stores/s1/history") == .null)
    }

    @Test("A check reports its findings, and an export is fetched once")
    func tasks() async throws {
        let shop = try ShopStore(bookCount: 10)
        try shop.run("UPDATE ZBOOK SET ZAUTHOR = 99 WHERE Z_PK = 1")
        let client = try shop.studio()
        let check = try await client.post("stores/s1/tasks", #"{"kind":"check"}"#)
        let checked = try await client.event(.progress) { told in
            told.at("task") == check.at("task") && told.at("state") == .string("done")
        }
        #expect(!checked.at("result").elements.isEmpty)
        let export = try await client.post(
            "stores/s1/tasks",
            #"{"kind":"export","format":"csv","entity":"Tag","columns":["word"],"sort":["word"]}"#)
        let exported = try await client.event(.progress) { told in
            told.at("task") == export.at("task") && told.at("state") == .string("done")
        }
        let path = try #require(exported.at("file").string)
        guard case .parts(let parts, let type, let name) = await client.response(.get, path).body else {
            Issue.record("the file is not sent in parts")
            return
        }
        var bytes: [UInt8] = []
        for try await part in parts { bytes += part }
        #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("objectID,word\nTag/p"))
        #expect(type == .csv)
        #expect(name == "Tag.csv")
        #expect(await client.response(.get, path).status == 404)
    }

    @Test("An export that nobody takes leaves no file, and of many the last ones can be taken")
    func untakenExports() async throws {
        let client = try ShopStore(bookCount: 1).studio()
        var paths: [String] = []
        for _ in 1...10 {
            let export = try await client.post("stores/s1/tasks", #"{"kind":"export"}"#)
            let exported = try await client.event(.progress) { told in
                told.at("task") == export.at("task") && told.at("state") == .string("done")
            }
            paths.append(try #require(exported.at("file").string))
        }
        // What has no name any more is gone when the program ends.
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }.filter { $0.contains("coredata-export-") && !$0.hasSuffix(" (deleted)") }
        #expect(open == [])
        var statuses: [Int] = []
        for path in paths { statuses.append(await client.response(.get, path).status) }
        #expect(statuses == [404, 404] + Array(repeating: 200, count: 8))
    }
}

import CoreData
import CoreDataJSON
import CoreDataPostgreSQL
import CoreDataStudio
import CoreDataStudioInterface
import Foundation
import PostgreSQLTestSupport
import Testing

/// What is asked of stores in files, asked of stores in a database.
@Suite(
    "The studio on a store in a database", .enabled(if: TestServer.isAvailable, "\(TestServer.absence)"))
struct ServerStoreTests {
    @Test("A list has the rows of a fetch, in its order")
    func lists() async throws { try await WindowTests().sameAsFetch(PostgreSQLStoreType) }

    @Test("Edits are pending until they are saved, in one transaction")
    func saving() async throws { try await EditTests().save(in: PostgreSQLStoreType) }

    @Test(
        "A value that another program changed meanwhile is a conflict, and the choice is kept",
        arguments: ["mine", "theirs"])
    func conflicts(keep: String) async throws {
        try await EditTests().conflict(keeping: keep, in: PostgreSQLStoreType)
    }

    @Test("A list says that it is old when another program has written")
    func changes() async throws {
        let shop = try ShopStore(PostgreSQLStoreType, bookCount: 3)
        let client = try shop.studio()
        let window = try await client.post("stores/s1/windows", #"{"entity":"Book","sort":["title"]}"#)
        #expect(window.at("rows").elements.count == 3)
        try shop.write { ShopStore.insert("Book", ["title": "A new one"], $0) }
        _ = try await client.event(.store)
        let later = try await client.post("stores/s1/windows", #"{"entity":"Book","sort":["title"]}"#)
        #expect(later.at("rows").elements.count == 4)
    }

    @Test("Objects, statements, history and a check are answered")
    func answers() async throws {
        let shop = try ShopStore(PostgreSQLStoreType, bookCount: 20, history: true)
        let client = try shop.studio()
        let count = try await client.post("stores/s1/count", #"{"entity":"Book"}"#)
        #expect(count.at("all").whole == 20)
        let window = try await client.post(
            "stores/s1/windows", #"{"entity":"Book","filter":"author != nil","columns":[]}"#)
        let name = try #require(window.at("rows.0.0").string)
        let record = try await client.get("stores/s1/objects/\(name)")
        #expect(record.at("values.author.title").string?.hasPrefix("Author ") == true)
        let statement = try await client.post(
            "stores/s1/statement", #"{"entity":"Book","filter":"pages > 3"}"#)
        #expect(statement.at("sql").string?.contains("WHERE") == true)
        #expect(statement.at("rows").whole == 16)
        let history = try await client.get("stores/s1/history")
        #expect(history.elements.count == 1)
        let check = try await client.post("stores/s1/tasks", #"{"kind":"check"}"#)
        let checked = try await client.event(.progress) { told in
            told.at("task") == check.at("task") && told.at("state") == .string("done")
        }
        #expect(checked["result"] == .array([]))
    }
}

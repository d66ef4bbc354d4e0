#if PostgreSQL
import CoreDataLibpq
import CoreDataPostgreSQL
import CoreDataSQL
import CoreDataSyncCore
import CoreDataSyncServer
import CoreDataValues
import Testing

/// Each trip to a database on another machine takes a millisecond, during which the zone is locked.
@Suite("Trips to PostgreSQL", .enabled(if: TestedDatabase.hasServer))
struct TripTests {
    private static let zone = ZoneName(owner: "anna", name: "Library")!
    private static let device = SyncID(high: 2, low: 1)
    private static let stamp = Stamp(time: HybridTime(milliseconds: 5), replica: device)

    private static func change(_ item: ItemKey, _ entity: String, _ edit: Change.Edit) -> Change {
        Change(number: 0, item: item, entity: entity, edit: edit, stamp: stamp)
    }

    /// Returns changes that make books with shelves, tags and numbers of their own.
    private static func library(_ count: Int) -> [Change] {
        (0..<UInt64(count)).flatMap { number -> [Change] in
            let (shelf, tag) = (SyncID(high: 3, low: number), SyncID(high: 4, low: number))
            let book = SyncID(high: 5, low: number)
            return [
                change(.object(shelf), "Shelf", .existence(1, seen: 0)),
                change(.object(tag), "Tag", .existence(1, seen: 0)),
                change(.object(tag), "Tag", .set("name", .string("tag \(number)"))),
                change(.object(book), "Book", .existence(1, seen: 0)),
                change(.object(book), "Book", .set("isbn", .string("\(number)"))),
                change(.object(book), "Book", .set("shelf", .reference(shelf))),
                change(.pair("Book.tags", book, tag), "Book.tags", .set(ItemState.presence, .boolean(true))),
            ]
        }
    }

    private static func deletion(_ count: Int) -> [Change] {
        (0..<UInt64(count)).flatMap { number in
            [3, 4].map { high in
                change(
                    .object(SyncID(high: high, low: number)), high == 3 ? "Shelf" : "Tag",
                    .existence(2, seen: 1))
            }
        }
    }

    /// Returns how many trips it takes to make so many books, to read them, and to delete their shelves and tags.
    private static func trips(_ count: Int) throws -> [Int] {
        let schema = try TestSchema()
        let database = try PostgreSQLDatabase(url: schema.url)
        defer { database.close() }
        let connection = try schema.connect()
        defer { connection.close() }
        let session = Session(connection)
        let server = ZoneServer(schema: try TestModel.library.compiled(), replica: SyncID(high: 9, low: 9))
        let number = try ZoneDirectory(session).add(zone, at: 0, atMost: 1)
        var receipt: [UInt8] = []
        func push(_ changes: [Change]) throws -> Int {
            let request = PushRequest(epoch: 1, replica: device, previous: receipt, changes: changes)
            return try TripCounter.count {
                try session.begin(.immediate)
                let response = try SyncService.push(request, server, number, session, 10).response
                try session.commit()
                guard case .push(let answer) = response.answer else {
                    Issue.record("\(response)")
                    return
                }
                receipt = answer.receipt
                #expect(answer.outcomes.allSatisfy { $0 == .applied })
            }
        }
        let made = try push(library(count))
        let read = try TripCounter.count {
            var storage = try #require(try SQLZone(number, schema: server.schema, on: session))
            let pull = PullRequest(epoch: 1, cursor: Cursor(complete: 0), limit: 1000)
            let response = try server.answer(.pull(pull), &storage, milliseconds: 10)
            guard case .pull(let page) = response.answer else {
                Issue.record("\(response)")
                return
            }
            #expect(page.updates.count == 4 * count)
            let buckets = storage.header.digest.buckets.map { $0 ^ 1 }
            _ = try server.answer(
                .reconcile(ReconcileRequest(epoch: 1, buckets: buckets)), &storage, milliseconds: 10)
        }
        return [made, read, try push(deletion(count))]
    }

    @Test("A push and a pull take as many trips for many objects as for few")
    func count() throws {
        let few = try Self.trips(3)
        let many = try Self.trips(100)
        #expect(many == few)
        // The transaction, the zone, the device; the items and what they refer to; what the rules ask; the writes.
        #expect(few[0] <= 12 && few[1] <= 4 && few[2] <= 16, "\(few)")
    }
}
#endif

import CoreData
import CoreDataLibpq
import CoreDataPostgreSQL
import CoreDataSQL
import Foundation
import Testing

@MainActor @Suite("The history of PostgreSQL stores beside other transactions", .needsServer)
struct ConcurrentHistoryTests {
    @Test("A transaction that is open while tokens advance is neither skipped nor repeated")
    func openTransaction() throws {
        let place = try HistoryPlace()
        let long = try place.session()
        defer { long.close() }
        try long.beginWriting()
        try place.save("a")
        let transaction = try place.lastToken(after: nil)
        let saved = try place.save("b")
        let current = try place.token
        try long.record("long")
        #expect(try place.names(after: transaction) == ["b"])
        #expect(try place.names(after: saved) == [])
        #expect(try place.names(after: current) == [])
        try long.commit()
        #expect(try place.names(after: transaction.revived) == ["b", "long"])
        #expect(try place.names(after: saved.revived) == ["long"])
        #expect(try place.names(after: current.revived) == ["long"])
        let last = try place.lastToken(after: current)
        #expect(try place.names(after: last) == [])
        try place.save("c")
        #expect(try place.names(after: last) == ["c"])
        #expect(try place.names(after: nil) == ["a", "b", "long", "c"])
    }

    /// A writer among others, and what it does next.
    private final class Writer {
        let session: PostgreSQLConnection
        var name: String?
        var hasRecorded = false

        init(_ session: PostgreSQLConnection) { self.session = session }
    }

    /// A reader that keeps a token, and what it was told.
    private struct Reader {
        var token: NSPersistentHistoryToken?
        var names: [String] = []
    }

    @Test(
        "Writers that commit and roll back in any order are each read once, wherever readers stop",
        arguments: [1, 2, 3] as [UInt64])
    func randomOrder(seed: UInt64) throws {
        var state = seed
        func random(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        let place = try HistoryPlace()
        let writers = try (0..<6).map { _ in Writer(try place.session()) }
        defer { for writer in writers { writer.session.close() } }
        var readers = Array(repeating: Reader(token: try place.token), count: 3)
        var committed: [String] = []
        var count = 0
        func advance(_ writer: Writer) throws {
            guard let name = writer.name else {
                count += 1
                writer.name = "\(count)"
                return try writer.session.beginWriting()
            }
            if !writer.hasRecorded {
                try writer.session.record(name)
                writer.hasRecorded = true
                return
            }
            if random(4) == 0 {
                writer.session.rollback()
            } else {
                try writer.session.commit()
                committed.append(name)
            }
            (writer.name, writer.hasRecorded) = (nil, false)
        }
        func read(_ index: Int) throws {
            let found = try place.transactions(after: readers[index].token)
            #expect(found.map(\.transactionNumber) == found.map(\.transactionNumber).sorted())
            // The first reader goes on where it is now, the second after any transaction.
            let part = index == 1 ? found.prefix(random(found.count + 1)) : found[...]
            readers[index].names += part.compactMap(\.author)
            if let last = part.last?.token { readers[index].token = try index == 2 ? last.revived : last }
        }
        for _ in 0..<400 {
            if random(5) == 0 { try read(random(3)) } else { try advance(writers[random(6)]) }
        }
        for index in readers.indices {
            while try !place.transactions(after: readers[index].token).isEmpty { try read(index) }
            #expect(readers[index].names.count == committed.count)
            #expect(Set(readers[index].names) == Set(committed))
        }
        #expect(committed.count > 50)
    }

    @Test("Two transactions that write the same row are in their order, whichever began first")
    func orderOfWrites() throws {
        let place = try HistoryPlace()
        try place.save("a")
        let second = try place.session()
        defer { second.close() }
        try second.beginWriting()
        try place.save("first")
        try second.execute("UPDATE ZITEM SET Z_OPT = Z_OPT + 1")
        try second.record("second")
        try second.commit()
        #expect(try place.names(after: nil) == ["a", "first", "second"])
        let all = try place.transactions(after: nil)
        for (index, transaction) in all.enumerated() {
            #expect(try place.transactions(after: transaction.token) == Array(all[(index + 1)...]))
        }
    }

    @Test("Equal tokens stand for the same moment")
    func equality() throws {
        let place = try HistoryPlace()
        let empty = try place.token
        #expect(try place.token == empty)
        let saved = try place.save("a")
        #expect(try place.token != empty)
        // Other programs may have transactions in progress, which tokens note.
        #expect(try place.names(after: saved) == [])
        #expect(try place.names(after: empty) == ["a"])
        #expect(try saved.revived == saved)
        #expect(try HistoryPlace(place.url).names(after: saved.revived) == [])
    }

    @Test("A save with history is one round trip")
    func trips() throws {
        let place = try HistoryPlace()
        try place.save("first")
        #expect(try TripCounter.count { _ = try place.save("second") } == 1)
        #expect(try place.names(after: nil) == ["first", "second"])
    }

    // MARK: Deleting

    @Test("Deleted history expires the tokens before it, and no others")
    func deletion() throws {
        let place = try HistoryPlace()
        let empty = try place.token
        let long = try place.session()
        defer { long.close() }
        for name in ["a", "b", "c"] { try place.save(name) }
        // Other tests have transactions, too.
        try long.waitForOthers()
        try long.beginWriting()
        try place.save("d")
        let all = try place.transactions(after: nil)
        let end = try place.token
        #expect(try place.delete(.deleteHistory(before: all[2])) == 2)
        #expect(try place.names(after: nil) == ["c", "d"])
        #expect(try place.names(after: all[1].token) == ["c", "d"])
        for token in [empty, all[0].token] {
            let error = try #require(throws: NSError.self) { try place.names(after: token) }
            #expect(error.code == NSPersistentHistoryTokenExpiredError)
        }
        // What the open transaction may precede stays.
        #expect(try place.delete(.deleteHistory(before: end)) == 1)
        #expect(try place.names(after: nil) == ["d"])
        try long.record("long")
        try long.commit()
        #expect(try place.names(after: end) == ["long"])
        let last = try place.token
        #expect(try place.delete(.deleteHistory(before: Date.distantFuture)) <= 2)
        #expect(try place.names(after: last) == [])
        try place.save("e")
        #expect(try place.names(after: last) == ["e"])
    }

    // MARK: Other histories of the data

    @Test("A token of transactions that a failover lost is expired, though others have their identifiers")
    func lostTransactions() throws {
        let place = try HistoryPlace()
        try place.save("a")
        let kept = try place.token
        try place.save("b")
        let lost = try place.token
        let session = try place.session()
        defer { session.close() }
        // The server that took over did not get the last transaction, and has given its identifier away.
        try session.execute(
            "UPDATE ATRANSACTION SET ZTIMESTAMP = ZTIMESTAMP + 1, ZAUTHOR = 'other' WHERE ZAUTHOR = 'b'")
        #expect(try place.names(after: kept) == ["other"])
        func code() throws -> Int { try #require(throws: NSError.self) { try place.names(after: lost) }.code }
        #expect(try code() == NSPersistentHistoryTokenExpiredError)
        try session.execute("DELETE FROM ATRANSACTION WHERE ZAUTHOR = 'other'")
        #expect(try code() == NSPersistentHistoryTokenExpiredError)
        #expect(try place.names(after: kept) == [])
    }

    @Test("A history that was copied to another server goes on there, with new tokens")
    func otherServer() throws {
        let place = try HistoryPlace()
        for name in ["a", "b", "c"] { try place.save(name) }
        let old = try place.token
        let session = try place.session()
        defer { session.close() }
        // The identifiers are those of a server that has handed out more of them.
        try session.execute("UPDATE ATRANSACTION SET X = X + 1000000000000")
        let restored = try HistoryPlace(place.url)
        #expect(try restored.names(after: nil) == ["a", "b", "c"])
        let error = try #require(throws: NSError.self) { try restored.names(after: old) }
        #expect(error.code == NSPersistentHistoryTokenExpiredError)
        let all = try restored.transactions(after: nil)
        #expect(try restored.transactions(after: all[0].token) == Array(all[1...]))
        try restored.save("d")
        #expect(try restored.names(after: all[2].token) == ["d"])
        #expect(try restored.names(after: nil) == ["a", "b", "c", "d"])
    }

    // MARK: Programs with other models

    @Test("What a program with a former model updates is named rightly in one with more attributes")
    func formerModel() throws {
        let url = try Place.new()
        func attributes(_ names: String...) -> NSManagedObjectModel {
            ItemStore.model(names.map { ItemStore.attribute($0, .integer64AttributeType) })
        }
        let history = [NSPersistentHistoryTrackingKey: true as NSNumber]
        let former = try ItemStore(attributes("b", "d"), at: url, options: history)
        let item = former.insert(["b": 1, "d": 1])
        try former.context.save()
        let migrating = [
            NSPersistentHistoryTrackingKey: true as NSNumber,
            NSMigratePersistentStoresAutomaticallyOption: true as NSNumber,
            NSInferMappingModelAutomaticallyOption: true as NSNumber,
        ]
        let later = try ItemStore(attributes("a", "b", "c", "d"), at: url, options: migrating)
        item.setValue(2, forKey: "d")
        try former.context.save()
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
        request.resultType = .changesOnly
        let result = try later.context.execute(request) as? NSPersistentHistoryResult
        let changes = try #require(result?.result as? [NSPersistentHistoryChange])
        #expect(changes.last?.updatedProperties?.map(\.name) == ["d"])
    }
}

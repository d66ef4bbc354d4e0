import CoreData
import Foundation
import Testing

@Suite("History tokens", .ofSQLite("Tokens that are equal whatever else is in progress"))
struct HistoryTokenTests {
    @Test("A token is equal after secure archiving")
    func archive() throws {
        let stack = try HistoryStack()
        let before = try #require(stack.token)
        try stack.saveCar()
        let token = try #require(stack.token)
        let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
        let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: data)
        #expect(back == token)
        #expect(back?.hash == token.hash)
        #expect(back != before)
        #expect(try stack.transactions(after: back).isEmpty)
        #expect(token.copy() as? NSPersistentHistoryToken == token)
    }

    @Test("Every coordinator has the same token for the same moment of a store")
    func siblings() throws {
        let stack = try HistoryStack()
        try stack.saveCar()
        #expect(try stack.sibling().token == stack.token)
    }

    @Test("The history of several stores is one list ordered by time, and one token covers all")
    func severalStores() throws {
        let stack = try HistoryStack()
        let second = try stack.coordinator.addPersistentStore(
            type: .tested, at: stack.folder.place(.tested, "second.sqlite"),
            options: [NSPersistentHistoryTrackingKey: true as NSNumber])
        let plain = try stack.coordinator.addPersistentStore(
            type: .tested, at: stack.folder.place(.tested, "plain.sqlite"))
        for (number, store) in [stack.store, second, plain, stack.store, second].enumerated() {
            let car = stack.insert("Car", ["plate": "\(number)"])
            stack.context.assign(car, to: store)
            try stack.context.save()
        }
        let all = try stack.transactions()
        #expect(all.map(\.storeID) == [stack.store, second, stack.store, second].map(\.identifier))
        #expect(all.last?.token == stack.token)
        #expect(try stack.transactions(after: all[1].token) == Array(all[2...]))
        // A token without the second store: all history of that store is new.
        let first = stack.coordinator.currentPersistentHistoryToken(fromStores: [stack.store])
        #expect(
            try stack.transactions(after: first).map(\.storeID) == [second.identifier, second.identifier])
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
        request.affectedStores = [second]
        #expect(try stack.result(request, as: .count) as Int == 2)
        let both = NSPersistentHistoryChangeRequest.deleteHistory(before: stack.token)
        #expect(try stack.result(both, as: .count) as Int == 2)
        #expect(try stack.numbers("author == nil") == [2, 2])
        let sorted = try #require(NSPersistentHistoryTransaction.fetchRequest)
        sorted.fetchLimit = 1
        #expect(stack.code(of: .fetchHistory(withFetch: sorted)) == NSCoreDataError)
    }
}

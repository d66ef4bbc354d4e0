import CoreDataStore
import Foundation
import Testing

@testable import CoreData

@MainActor @Suite("Cached rows and rows that arrive")
struct RowCacheTests {
    private let stack: TestStack
    private let old: Snapshot
    private let new: Snapshot

    init() throws {
        let stack = try TestStack("Item\n  number int64")
        self.stack = stack
        let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: stack.context)
        func committed(_ number: Int) throws -> Snapshot {
            item.setValue(number, forKey: "number")
            try stack.context.save()
            return try #require(item.committed)
        }
        (old, new) = (try committed(1), try committed(2))
    }

    private func cache(keepsNewer: Bool) -> RowCache {
        RowCache(model: stack.coordinator.frozen, keepsNewer: keepsNewer)
    }

    @Test("Where reads overtake each other a row gives way to a cached one of a higher version")
    func older() {
        let cache = cache(keepsNewer: true)
        let start = cache.changeCount
        #expect(cache.insert(new, readAt: start) === new)
        #expect(cache.insert(old, readAt: start) === new)
        #expect(cache.insert([old], readAt: start).first === new)
        #expect(cache.current(old.reference) === new)
        // As after a failover that lost commits.
        #expect(cache.insert(old, readAt: start, isLatest: true) === old)
        #expect(cache.insert(new, readAt: start) === new)
    }

    @Test("A row that is deleted while it is read does not come back into the cache")
    func deleted() {
        let cache = cache(keepsNewer: true)
        let start = cache.changeCount
        cache.remove(new.reference)
        #expect(cache.insert(old, readAt: start) === old)
        #expect(cache.current(old.reference) == nil)
    }

    @Test("Elsewhere the row that arrives last is cached")
    func latest() {
        let cache = cache(keepsNewer: false)
        #expect(cache.insert(new, readAt: 0) === new)
        #expect(cache.insert(old, readAt: 0) === old)
        #expect(cache.current(old.reference) === old)
    }
}

import CoreDataSQL
import CoreDataSQLite
import CoreDataStore
import CoreDataValues
import Foundation
import Testing

@Suite("Checkpoints of the write-ahead log")
struct CheckpointTests {
    private let large = Data(repeating: 0x5A, count: 90_000)

    private func save(megabytes: Int, to store: TestStore) throws {
        let rows = (0..<megabytes * 11).map {
            LibraryModel.row("Book", Int64(-$0 - 1), ["data": .data(large)])
        }
        _ = try store.backend.commit(ChangeSet(inserted: rows))
    }

    private func size(_ path: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }

    @Test("A long log is checkpointed soon after the commit that made it long, a short one is not")
    func copied() throws {
        let store = try TestStore()
        try save(megabytes: 2, to: store)
        Thread.sleep(forTimeInterval: 0.3)
        #expect(size(store.path) < 1_000_000)
        try save(megabytes: 50, to: store)
        let latest = Date(timeIntervalSinceNow: 60)
        while size(store.path) < 40_000_000, latest.timeIntervalSinceNow > 0 {
            Thread.sleep(forTimeInterval: 0.02)
        }
        #expect(size(store.path) > 40_000_000)
        #expect(try store.query("PRAGMA integrity_check") == [[.text("ok")]])
    }
}

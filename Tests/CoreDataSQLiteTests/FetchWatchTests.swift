import CoreDataSQL
import CoreDataSQLite
import CoreDataStore
import CoreDataValues
import Synchronization
import Testing

@Suite("Watched fetches")
struct FetchWatchTests {
    private func store(_ count: Int) throws -> TestStore {
        let store = try TestStore()
        _ = try store.backend.commit(
            ChangeSet(inserted: (1...count).map { LibraryModel.row("Member", Int64(-$0)) }))
        return store
    }

    private let shapes: [ResultShape] = [.rows, .references]

    @Test("Progress is reported every hundred rows, for every form of result")
    func reports() throws {
        let store = try store(350)
        for shape in shapes {
            let reports = Mutex<[Int]>([])
            let watch = FetchWatch { count in reports.withLock { $0.append(count) } }
            _ = try FetchWatch.$current.withValue(watch) {
                try store.backend.fetch(FetchQuery(entity: LibraryModel.index("Member"), shape: shape))
            }
            #expect(reports.withLock { $0 } == [100, 200, 300])
        }
    }

    @Test("Cancelling a watch ends its own fetches and no others")
    func cancelled() throws {
        let store = try store(350)
        let query = FetchQuery(entity: LibraryModel.index("Member"))
        let watch = FetchWatch { _ in }
        watch.cancel()
        let error = try FetchWatch.$current.withValue(watch) {
            try storeError { try store.backend.fetch(query) }
        }
        guard case .cancelled = error.kind else {
            Issue.record("\(error)")
            return
        }
        guard case .rows(let rows) = try store.backend.fetch(query) else { return }
        #expect(rows.count == 350)
    }
}

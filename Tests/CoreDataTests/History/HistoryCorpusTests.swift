import CoreDataModelFormat
import Foundation
import Testing

@testable import CoreData

@Suite(
    "Histories written by Apple's framework",
    .enabled(if: !CorpusStore.openable.isEmpty, "the corpus is absent"))
struct HistoryCorpusTests {
    /// The stores that have a history.
    static let stores = CorpusStore.openable.filter { store in
        guard let folder = try? ScratchFolder(), let url = try? store.copy(to: folder) else { return false }
        return (try? PlainDatabase(url).has(table: "ATRANSACTION")) ?? false
    }

    private static let known =
        "SELECT COUNT(*) FROM ACHANGE WHERE ZENTITY IN (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_ENT < 16000)"

    @Test("The corpus has stores with a history")
    func existence() {
        #expect(Self.stores.count > 2)
    }

    @Test("Every transaction and change is read with its stored values", arguments: stores)
    func reading(store: CorpusStore) throws {
        let folder = try ScratchFolder()
        let url = try store.copy(to: folder)
        let database = try PlainDatabase(url)
        let opened = try OpenedStore(url, try store.model())
        let transactions = try history(opened)
        let stored = try database.rows(
            """
            SELECT t.Z_PK, COALESCE(a.ZNAME, t.ZAUTHOR), COALESCE(c.ZNAME, t.ZCONTEXTNAME) FROM ATRANSACTION t \
            LEFT JOIN ATRANSACTIONSTRING a ON a.Z_PK = t.ZAUTHORTS \
            LEFT JOIN ATRANSACTIONSTRING c ON c.Z_PK = t.ZCONTEXTNAMETS ORDER BY t.Z_PK
            """)
        func cell(_ text: String?) -> PlainDatabase.Cell { text.map { .text($0) } ?? .null }
        #expect(
            transactions.map { [.integer($0.transactionNumber), cell($0.author), cell($0.contextName)] }
                == stored)
        let changes = transactions.flatMap { $0.changes ?? [] }
        #expect(Int64(changes.count) == (try database.integer(Self.known)))
        for (kind, number) in [(NSPersistentHistoryChangeType.insert, 0), (.update, 1), (.delete, 2)] {
            #expect(
                Int64(changes.count { $0.changeType == kind })
                    == (try database.integer(Self.known + " AND ZCHANGETYPE = \(number)")))
        }
        #expect(changes.allSatisfy { $0.tombstone == nil || $0.changeType == .delete })
        try opened.close()
    }

    @Test("The updated properties of a change are properties of its entity", arguments: stores)
    func properties(store: CorpusStore) throws {
        let folder = try ScratchFolder()
        let opened = try OpenedStore(try store.copy(to: folder), try store.model())
        let updates = try history(opened).flatMap { $0.changes ?? [] }.filter { $0.changeType == .update }
        for update in updates {
            let names = Set(update.changedObjectID.entity.propertiesByName.keys)
            let written = Set((update.updatedProperties ?? []).map(\.name))
            #expect(written.isSubset(of: names))
        }
        try opened.close()
    }

    @Test("A save continues the history where Apple's framework ended", arguments: stores)
    func continuing(store: CorpusStore) throws {
        let folder = try ScratchFolder()
        let opened = try OpenedStore(try store.copy(to: folder), try store.model())
        let (context, coordinator) = (opened.context, opened.coordinator)
        let before = try #require(coordinator.currentPersistentHistoryToken(fromStores: nil))
        let last = try history(opened).last?.transactionNumber ?? 0
        context.performAndWait {
            context.transactionAuthor = "here"
            let samples = SampleObjects(context)
            for entity in coordinator.managedObjectModel.entities where !entity.isAbstract {
                guard (try? samples.insert(entity)) != nil, (try? context.save()) != nil else {
                    context.rollback()
                    continue
                }
                break
            }
        }
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: before)
        let result = try context.performAndWait { try context.execute(request) }
        let new = try #require(
            (result as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryTransaction])
        #expect(new.map(\.transactionNumber) == [last + 1])
        #expect(new.first?.author == "here")
        #expect(new.first?.changes?.isEmpty == false)
        try opened.close()
    }

    private func history(_ opened: OpenedStore) throws -> [NSPersistentHistoryTransaction] {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
        let result = try opened.context.performAndWait { try opened.context.execute(request) }
        return try #require(
            (result as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryTransaction])
    }
}

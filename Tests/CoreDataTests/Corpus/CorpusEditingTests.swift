import Foundation
import Testing

@testable import CoreData

@Suite("Editing stores written by Apple's framework", .enabled(if: !CorpusStore.all.isEmpty))
struct CorpusEditingTests {
    @Test(
        "Inserts, updates, deletions and relationships are saved, and nothing else changes",
        arguments: CorpusStore.openable)
    func edits(store: CorpusStore) throws {
        let folder = try ScratchFolder()
        let url = try store.copy(to: folder)
        let model = try store.model(withOpaqueTransformers: true)
        try addForeignContents(to: url)
        let before = try StoreContents(url)
        let edits = try edit(url, model)
        let again = try OpenedStore(url, model)
        #expect(again.coordinator.metadata(for: again.store)["com.example.note"] as? String == "kept")
        try again.context.performAndWait {
            let plain = try PlainStore(url, model)
            _ = try StoreComparison(context: again.context, store: plain).compareAll()
            try check(edits, in: again, besides: try plain.triggerColumns())
            let indexes = StoreIndexCheck(context: again.context, store: plain)
            for tree in before.rTrees { try indexes.checkTree(tree) }
            let derived = try indexes.checkDerivedAttributes()
            #expect(
                (derived > 0)
                    == model.entities.contains { entity in
                        entity.attributesByName.values.contains { $0 is NSDerivedAttributeDescription }
                    })
        }
        try again.close()
        let (after, plain) = (try StoreContents(url), try PlainStore(url, model))
        try StoreDifferenceCheck(ledger: edits.ledger, store: plain, before: before, after: after).check()
        #expect(try plain.database.integrity() == ["ok"])
        guard before.tables["ATRANSACTION"] != nil else { return }
        StoreHistoryCheck(ledger: edits.ledger, store: plain, before: before, after: after).check()
    }

    /// Edits a store, and closes it.
    private func edit(_ url: URL, _ model: NSManagedObjectModel) throws -> StoreEdits {
        let opened = try OpenedStore(url, model)
        opened.context.transactionAuthor = "tester"
        opened.context.name = "editor"
        let token = opened.coordinator.currentPersistentHistoryToken(fromStores: nil)
        var edits = StoreEdits(opened)
        try opened.context.performAndWait {
            try edits.run(on: model)
            // The context's values equal those in the file.
            let plain = try PlainStore(url, model)
            _ = try StoreComparison(context: opened.context, store: plain, isBeforeRefresh: true).compareAll()
            if let token { try checkHistory(after: token, edits, opened.context) }
        }
        let concrete = model.entities.filter { !$0.isAbstract }
        #expect(Set(edits.ledger.inserted.map(\.entity.name)) == Set(concrete.map(\.name)))
        // Only deletions of mandatory destinations, and duplicates of unique values, are refused.
        for refusal in edits.refused {
            let isRule = refusal.hasSuffix("is a required value.") || refusal.contains("constraint conflicts")
            #expect(isRule, "\(refusal)")
            #expect(!refusal.contains(" of "), "\(refusal)")
        }
        try opened.close()
        return edits
    }

    private func checkHistory(
        after token: NSPersistentHistoryToken, _ edits: StoreEdits, _ context: NSManagedObjectContext
    ) throws {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
        let result = try context.execute(request) as? NSPersistentHistoryResult
        let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
        #expect(transactions.count == edits.ledger.saves)
        #expect(transactions.allSatisfy { $0.author == "tester" && $0.contextName == "editor" })
        let changes = transactions.flatMap { $0.changes ?? [] }
        for (kind, ids) in [
            (NSPersistentHistoryChangeType.insert, edits.ledger.inserted), (.delete, edits.ledger.deleted),
        ] {
            #expect(Set(changes.filter { $0.changeType == kind }.map(\.changedObjectID)) == ids)
        }
        var written: [NSManagedObjectID: Set<String>] = [:]
        for change in changes where change.changeType == .update {
            let names = (change.updatedProperties ?? []).map(\.name)
            // A member that only changes its position does not change in any property.
            if !names.isEmpty { written[change.changedObjectID, default: []].formUnion(names) }
        }
        #expect(Set(written.keys) == Set(edits.ledger.changed.keys))
        for (id, names) in edits.ledger.changed {
            #expect(
                written[id] == names.filter { id.entity.propertiesByName[$0]?.isTransient == false }, "\(id)")
        }
    }

    /// Columns computed by triggers are left out.
    private func check(
        _ edits: StoreEdits, in opened: OpenedStore, besides triggers: [String: Set<String>]
    ) throws {
        let gone = Set(edits.ledger.deleted.map { $0.uriRepresentation() })
        for (uri, expected) in edits.given where !gone.contains(uri) {
            let object = try opened.context.existingObject(with: try opened.id(uri))
            let table = "Z" + (PlainStore.root(of: object.entity).name ?? "").uppercased()
            for (key, value) in expected where triggers[table]?.contains("Z\(key.uppercased())") != true {
                let actual = object.value(forKey: key).map { $0 as AnyObject } as? NSObject
                let isSame = value is NSNull ? actual == nil : (value as AnyObject) as? NSObject == actual
                #expect(isSame, "\(uri).\(key): \(String(describing: actual)) is not \(value)")
            }
        }
    }

    /// Adds tables of other programs to the file.
    private func addForeignContents(to url: URL) throws {
        let database = try PlainDatabase(url)
        try database.execute(
            """
            CREATE TABLE FOREIGN_NOTES (ID INTEGER PRIMARY KEY, TEXT VARCHAR);
            CREATE INDEX FOREIGN_NOTES_INDEX ON FOREIGN_NOTES (TEXT);
            CREATE TRIGGER FOREIGN_NOTES_GUARD BEFORE DELETE ON FOREIGN_NOTES
            BEGIN SELECT RAISE(ABORT, 'kept'); END;
            INSERT INTO FOREIGN_NOTES VALUES (1, 'kept');
            ANALYZE FOREIGN_NOTES;
            """)
        let metadata = try #require(try database.metadata().mutableCopy() as? NSMutableDictionary)
        metadata["com.example.note"] = "kept"
        let plist = try PropertyListSerialization.data(
            fromPropertyList: metadata, format: .binary, options: 0)
        let hex = plist.map { String(format: "%02x", $0) }.joined()
        try database.execute("UPDATE Z_METADATA SET Z_PLIST = x'\(hex)'")
    }
}

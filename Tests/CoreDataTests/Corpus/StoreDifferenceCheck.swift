import CoreData
import Foundation
import Testing

/// Compares a file's differences after edits with the edits: nothing else may differ.
struct StoreDifferenceCheck {
    let ledger: EditLedger
    /// The current file.
    let store: PlainStore
    let before: StoreContents
    let after: StoreContents

    func check() throws {
        #expect(after.schema == before.schema)
        for (name, value) in after.pragmas where value != before.pragmas[name] {
            // Opening a store enables the write-ahead log, as on Apple's systems.
            #expect(name == "journal_mode", "\(name) is \(value)")
            #expect(value == [[.text("wal")]], "\(name) is \(value)")
        }
        let entityTables = Set(store.model.entities.map { store.table(of: $0) })
        let allowed = ledger.columns(of: store)
        let triggers = try store.triggerColumns()
        for (table, difference) in after.differences(from: before) {
            if entityTables.contains(table) {
                checkEntityTable(table, difference, allowed[table] ?? [:], triggers[table] ?? [])
            } else if after.rTrees.contains(table) {
                checkTree(table, difference)
            } else if table.hasPrefix("Z_"), table.dropFirst(2).first?.isNumber == true {
                checkJoin(table, difference)
            } else if table == "Z_PRIMARYKEY" {
                #expect(difference.inserted.isEmpty)
                #expect(difference.deleted.isEmpty)
                #expect(difference.updated.values.allSatisfy { $0 == ["Z_MAX"] })
            } else if ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"].contains(table) {
                #expect(difference.deleted.isEmpty, "\(table)")
                #expect(difference.updated.isEmpty, "\(table)")
            } else {
                Issue.record("\(table) is not as it was: \(difference)")
            }
        }
        checkHighestKeys()
    }

    private func checkEntityTable(
        _ table: String, _ difference: StoreContents.Difference,
        _ allowed: [Int64?: Set<String>], _ triggers: Set<String>
    ) {
        let inserted = EditLedger.keys(ledger.inserted, in: table, of: store)
        let deleted = EditLedger.keys(ledger.deleted, in: table, of: store)
        #expect(difference.inserted == Set(inserted.subtracting(deleted).map { .key($0) }), "\(table)")
        #expect(difference.deleted == Set(deleted.subtracting(inserted).map { .key($0) }), "\(table)")
        for (id, columns) in difference.updated {
            guard case .key(let key) = id else { continue }
            let free = (allowed[key] ?? []).union(allowed[nil] ?? []).union(triggers)
            #expect(columns.isSubset(of: free), "\(table) p\(key): \(columns.subtracting(free))")
        }
        for key in EditLedger.keys(ledger.changed.keys, in: table, of: store).subtracting(inserted)
            .subtracting(deleted)
        {
            #expect(
                difference.updated[.key(key)]?.contains("Z_OPT") == true,
                "\(table) p\(key) has its old version")
        }
    }

    /// Checks that a spatial index has changed only with the rows of its table.
    private func checkTree(_ tree: String, _ difference: StoreContents.Difference) {
        let touched = Set(ledger.touched.map(StoreComparison.key).map { StoreContents.RowID.key($0) })
        let rows = difference.inserted.union(difference.deleted).union(difference.updated.keys)
        #expect(rows.isSubset(of: touched), "\(tree): \(rows.subtracting(touched))")
    }

    /// Checks that pairs have changed only with an object at one of their ends.
    private func checkJoin(_ table: String, _ difference: StoreContents.Difference) {
        let touched = Set(ledger.touched.map(StoreComparison.key))
        for id in difference.inserted.union(difference.deleted) {
            guard case .row(let cells) = id else { continue }
            let keys = cells.prefix(2).compactMap { if case .integer(let key) = $0 { key } else { nil } }
            #expect(!touched.isDisjoint(with: keys), "\(table): \(cells)")
        }
    }

    private func checkHighestKeys() {
        for root in store.model.entities where root.superentity == nil {
            let number = StoreContents.RowID.key(store.numbers[root.name ?? ""] ?? 0)
            let highest = [before, after].map { contents -> Int64 in
                guard case .integer(let key)? = contents.tables["Z_PRIMARYKEY"]?[number]?.values["Z_MAX"]
                else { return 0 }
                return key
            }
            let table = store.table(of: root)
            let inserted = EditLedger.keys(ledger.inserted, in: table, of: store)
            #expect(highest[1] == max(highest[0], inserted.max() ?? 0), "\(table)")
            #expect(inserted.allSatisfy { $0 > highest[0] }, "\(table): a key was used before")
        }
    }
}

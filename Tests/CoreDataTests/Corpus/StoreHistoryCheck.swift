import CoreData
import Foundation
import Testing

/// Compares the history that edits left in a store with the edits, and its rows with those that Apple's
/// framework wrote (sqlite-store §12).
struct StoreHistoryCheck {
    typealias Cell = PlainDatabase.Cell

    let ledger: EditLedger
    /// The current file.
    let store: PlainStore
    let before: StoreContents
    let after: StoreContents

    private func rows(_ table: String, in contents: StoreContents) -> [Int64: [String: Cell]] {
        var result: [Int64: [String: Cell]] = [:]
        for (id, row) in contents.tables[table] ?? [:] {
            if case .key(let key) = id { result[key] = row.values }
        }
        return result
    }

    private func added(_ table: String) -> [Int64: [String: Cell]] {
        let old = rows(table, in: before)
        return rows(table, in: after).filter { old[$0.key] == nil }
    }

    func check() {
        let (transactions, changes) = (added("ATRANSACTION"), added("ACHANGE"))
        let first = (rows("ATRANSACTION", in: before).keys.max() ?? 0) + 1
        #expect(transactions.keys.sorted() == Array(first..<first + Int64(ledger.saves)))
        // Apps' transactions may have no author and no name; a column that is NULL in all of them is NULL
        // here.
        compareTypes("ATRANSACTION", transactions, optional: ["ZAUTHORTS", "ZCONTEXTNAMETS"])
        compareTypes("ACHANGE", changes, optional: ["ZCOLUMNS"])
        compareTypes("ATRANSACTIONSTRING", added("ATRANSACTIONSTRING"), optional: [])
        checkNames(transactions)
        checkChanges(changes, Set(transactions.keys))
        for (table, number) in [("ACHANGE", 16001), ("ATRANSACTION", 16002), ("ATRANSACTIONSTRING", 16003)] {
            let counter = after.tables["Z_PRIMARYKEY"]?[.key(Int64(number))]?.values["Z_MAX"]
            #expect(counter == .integer(rows(table, in: after).keys.max() ?? 0), "\(table)")
        }
    }

    // MARK: Rows like Apple's

    private static func type(_ cell: Cell) -> String {
        switch cell {
        case .null: "null"
        case .integer: "integer"
        case .real: "real"
        case .text: "text"
        case .blob: "blob"
        }
    }

    private func compareTypes(_ table: String, _ added: [Int64: [String: Cell]], optional: Set<String>) {
        var theirs: [String: Set<String>] = [:]
        for row in rows(table, in: before).values {
            for (column, cell) in row { theirs[column, default: []].insert(Self.type(cell)) }
        }
        for row in added.values {
            for (column, cell) in row where !column.hasPrefix("ZTOMBSTONE") {
                let type = Self.type(cell)
                let isKnown = theirs[column]?.contains(type) == true
                let mayDiffer = optional.contains(column) && ["null", "integer", "blob"].contains(type)
                #expect(
                    isKnown || mayDiffer, "\(table).\(column) is \(type), Apple's are \(theirs[column] ?? [])"
                )
            }
        }
    }

    private func checkNames(_ transactions: [Int64: [String: Cell]]) {
        let names = rows("ATRANSACTIONSTRING", in: after)
        #expect(Set(names.values.map { $0["ZNAME"] }).count == names.count, "a name is there twice")
        for row in transactions.values {
            func name(_ column: String) -> Cell? {
                guard case .integer(let key)? = row[column] else { return nil }
                return names[key]?["ZNAME"]
            }
            #expect(name("ZAUTHORTS") == .text("tester"))
            #expect(name("ZCONTEXTNAMETS") == .text("editor"))
            #expect(name("ZPROCESSIDTS") == .text(ProcessInfo.processInfo.processName))
            let age = (row["ZTIMESTAMP"]?.number).map { Date().timeIntervalSinceReferenceDate - $0 }
            #expect(age.map { $0 >= 0 && $0 < 3600 } == true)
        }
    }

    // MARK: Changes

    private func key(_ id: NSManagedObjectID) -> [Int64] {
        [store.numbers[id.entity.name ?? ""] ?? 0, StoreComparison.key(of: id)]
    }

    private func checkChanges(_ changes: [Int64: [String: Cell]], _ transactions: Set<Int64>) {
        var recorded: [Int64: Set<[Int64]>] = [:]
        let maskLengths = maskLengths
        for row in changes.values {
            guard case .integer(let kind)? = row["ZCHANGETYPE"], case .integer(let entity)? = row["ZENTITY"],
                case .integer(let object)? = row["ZENTITYPK"],
                case .integer(let transaction)? = row["ZTRANSACTIONID"]
            else {
                Issue.record("a change lacks something: \(row)")
                continue
            }
            #expect(transactions.contains(transaction))
            recorded[kind, default: []].insert([entity, object])
            guard case .blob(let mask)? = row["ZCOLUMNS"] else {
                #expect(kind != 1, "an update does not say of what")
                continue
            }
            #expect(kind == 1)
            if let length = maskLengths[entity] { #expect(mask.count == length, "\(row)") }
        }
        #expect(recorded[0] ?? [] == Set(ledger.inserted.map(key)))
        #expect(recorded[2] ?? [] == Set(ledger.deleted.map(key)))
        #expect(recorded[1]?.isSuperset(of: ledger.changed.keys.map(key)) ?? ledger.changed.isEmpty)
        checkTombstones(changes)
    }

    /// The lengths of the masks that Apple's framework wrote, by entity.
    private var maskLengths: [Int64: Int] {
        var result: [Int64: Int] = [:]
        for row in rows("ACHANGE", in: before).values {
            if case .integer(let entity)? = row["ZENTITY"], case .blob(let mask)? = row["ZCOLUMNS"] {
                result[entity] = mask.count
            }
        }
        return result
    }

    /// Checks that values preserved after deletion are in the object's change, by name.
    private func checkTombstones(_ changes: [Int64: [String: Cell]]) {
        let deleted = Dictionary(uniqueKeysWithValues: ledger.deleted.map { (key($0), $0) })
        for row in changes.values where row["ZCHANGETYPE"] == .integer(2) {
            guard case .integer(let entity)? = row["ZENTITY"], case .integer(let object)? = row["ZENTITYPK"],
                let id = deleted[[entity, object]], ledger.changed[id] == nil,
                let old = before.tables[store.table(of: id.entity)]?[.key(object)]?.values
            else { continue }
            let preserved = id.entity.attributesByName.filter { $1.preservesValueInHistoryOnDeletion }.keys
                .sorted()
            for (index, name) in preserved.enumerated() {
                let column = store.column(name, of: id.entity) ?? ""
                #expect(row["ZTOMBSTONE\(index)"] == old[column], "\(id).\(name)")
            }
        }
    }
}

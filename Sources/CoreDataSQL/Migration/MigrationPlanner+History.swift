import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

// The history goes on: it speaks of entities by number, of rows by key, of properties by their place among all names
// of an entity (sqlite-store §12).
extension MigrationPlanner {
    mutating func rewriteHistory() {
        guard catalog.hasHistory else { return }
        let gone = moves.removed.compactMap { source[$0]?.number }.sorted()
        if !gone.isEmpty {
            plan.run(
                "forget the history of entities that are gone",
                SQLFragment("DELETE FROM ACHANGE WHERE \(Self.isOne(of: gone, "ZENTITY"))"))
        }
        addTombstones()
        for move in moves.moves.values.sorted(by: { $0.oldNumber < $1.oldNumber }) { rewriteColumns(move) }
        // All at once: a number may be another entity's by now.
        let numbers = moves.changedNumbers
        let offsets = moves.copies.filter { $0.copiedWithOffset != 0 }
        var assignments: [String] = []
        if !offsets.isEmpty {
            let byNumber = Dictionary(
                uniqueKeysWithValues: offsets.map { ($0.oldNumber, $0.copiedWithOffset!) })
            assignments.append("ZENTITYPK = ZENTITYPK + \(Self.choice("ZENTITY", byNumber, otherwise: "0"))")
        }
        if !numbers.isEmpty {
            assignments.append("ZENTITY = \(Self.choice("ZENTITY", numbers, otherwise: "ZENTITY"))")
        }
        let changed = Set(numbers.keys).union(offsets.map(\.oldNumber)).sorted()
        guard !changed.isEmpty else { return }
        plan.run(
            "follow the entities in the history",
            SQLFragment(
                """
                UPDATE ACHANGE SET \(assignments.joined(separator: ", ")) \
                WHERE \(Self.isOne(of: changed, "ZENTITY"))
                """))
    }

    private mutating func addTombstones() {
        let present = catalog.tables["ACHANGE"]?.keys.count { $0.hasPrefix("ZTOMBSTONE") } ?? 0
        for index in present..<max(present, HistorySchema(target.schema).tombstoneCount) {
            plan.run("add columns", SQLFragment("ALTER TABLE ACHANGE ADD COLUMN ZTOMBSTONE\(index) BLOB"))
        }
    }

    /// Of an entity, before it gets its new number.
    private mutating func rewriteColumns(_ move: EntityMoves.Move) {
        let old = HistoryColumns(evolution.source[move.source])
        let new = HistoryColumns(evolution.destination[move.destination])
        var successors: [Int: Int] = [:]
        for (slot, former) in (evolution[move.destination]?.slots ?? []).enumerated() {
            if let former { successors[former] = slot }
        }
        var cases: [SQLFragment] = []
        for mask in (details.historyMasks[move.oldNumber] ?? []).sorted(by: {
            $0.lexicographicallyPrecedes($1)
        }) {
            let successor = new.mask(Set(old.slots(in: mask).compactMap { successors[$0] }))
            if successor != mask { cases.append("WHEN \(bind: .blob(mask)) THEN \(bind: .blob(successor))") }
        }
        if !cases.isEmpty {
            plan.run(
                "follow the properties of \(name(of: move.destination)) in the history",
                """
                UPDATE ACHANGE SET ZCOLUMNS = CASE ZCOLUMNS \(cases.joined(separator: " ")) ELSE ZCOLUMNS END \
                WHERE ZENTITY = \(bind: .integer(move.oldNumber))
                """)
        }
        rewriteTombstones(move, old, new, successors)
    }

    private mutating func rewriteTombstones(
        _ move: EntityMoves.Move, _ old: HistoryColumns, _ new: HistoryColumns, _ successors: [Int: Int]
    ) {
        let places = new.preserved.map { slot in
            old.preserved.firstIndex { successors[$0.index] == slot.index }
        }
        guard places != Array(old.preserved.indices) else { return }
        let assignments = (0..<max(old.preserved.count, places.count)).map { place in
            let former = place < places.count ? places[place] : nil
            return "ZTOMBSTONE\(place) = \(former.map { "ZTOMBSTONE\($0)" } ?? "NULL")"
        }
        plan.run(
            "follow the properties of \(name(of: move.destination)) in the history",
            SQLFragment(
                """
                UPDATE ACHANGE SET \(assignments.joined(separator: ", ")) WHERE ZENTITY = \(String(move.oldNumber))
                """))
    }
}

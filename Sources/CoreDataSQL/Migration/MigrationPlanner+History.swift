import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

// The history is continued: it names entities by number, rows by key, properties by their position among those
// of an entity (sqlite-store §12, history-columns §2).
extension MigrationPlanner {
    /// The column of a change with the number of the entity.
    private static let entity = SQLIdentifier("ZENTITY")
    private static let changes = SQLIdentifier("ACHANGE")

    mutating func rewriteHistory() {
        guard catalog.hasHistory else { return }
        let gone = moves.removed.compactMap { source[$0]?.number }.sorted()
        if !gone.isEmpty {
            plan.run(
                "forget the history of entities that are gone", .scans(Self.changes),
                SQLFragment("DELETE FROM ACHANGE WHERE \(Self.isOne(of: gone, Self.entity))"))
        }
        addTombstones()
        for move in moves.moves.values.sorted(by: { $0.oldNumber < $1.oldNumber }) { rewriteColumns(move) }
        if details.historyMasks.values.joined().contains(where: \.isAnonymous) {
            for (touches, statement) in HistorySchema.nameAnonymous(hasStrings: catalog.hasHistoryStrings) {
                plan.run("mark the history as being in its present form", touches, statement)
            }
        }
        // All numbers are replaced at once, since a number may be that of another entity by now.
        let numbers = moves.changedNumbers
        let offsets = moves.copies.filter { $0.copiedWithOffset != 0 }
        var assignments: [SQLText] = []
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
            "update the entities in the history", .scans(Self.changes),
            SQLFragment(
                """
                UPDATE ACHANGE SET \(assignments.joined(separator: ", ")) \
                WHERE \(Self.isOne(of: changed, Self.entity))
                """))
    }

    private mutating func addTombstones() {
        let present = catalog.tombstoneCount
        for index in present..<max(present, HistorySchema(target.schema).tombstoneCount) {
            plan.run(
                "add columns", .definition,
                SQLFragment("ALTER TABLE ACHANGE ADD COLUMN ZTOMBSTONE\(index) BLOB"))
        }
    }

    /// Rewrites the masks of an entity, before it gets its new number.
    private mutating func rewriteColumns(_ move: EntityMoves.Move) {
        let old = HistoryColumns(evolution.source[move.source], in: source)
        let new = HistoryColumns(evolution.destination[move.destination], in: target.schema)
        var successors: [Int: Int] = [:]
        for (slot, former) in (evolution[move.destination]?.slots ?? []).enumerated() {
            if let former { successors[former] = slot }
        }
        let masks = details.historyMasks[move.oldNumber] ?? []
        for isAnonymous in [false, true] {
            let ofKind = masks.filter { $0.isAnonymous == isAnonymous }.map(\.bytes)
            var cases: [SQLFragment] = []
            for mask in ofKind.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                let columns = old.columns(in: mask, isAnonymous: isAnonymous)
                let successor = new.mask(columns.compactMap { $0.succeeded(by: successors) })
                if successor != mask {
                    cases.append("WHEN \(bind: .blob(mask)) THEN \(bind: .blob(successor))")
                }
            }
            if cases.isEmpty { continue }
            let anonymous = HistorySchema.isAnonymous(hasStrings: catalog.hasHistoryStrings)
            let transactions: SQLText = "(SELECT Z_PK FROM ATRANSACTION t WHERE \(anonymous))"
            let isWithin: SQLText = isAnonymous ? "IN" : "NOT IN"
            let condition: SQLText =
                ofKind.count == masks.count ? "" : " AND ZTRANSACTIONID \(isWithin) \(transactions)"
            plan.run(
                "update the properties of \(name(of: move.destination)) in the history", .scans(Self.changes),
                """
                UPDATE ACHANGE SET ZCOLUMNS = CASE ZCOLUMNS \(cases.joined(separator: " ")) ELSE ZCOLUMNS END \
                WHERE ZENTITY = \(bind: .integer(move.oldNumber))\(condition)
                """)
        }
        rewriteTombstones(move, old, new, successors)
    }

    private mutating func rewriteTombstones(
        _ move: EntityMoves.Move, _ old: HistoryColumns, _ new: HistoryColumns, _ successors: [Int: Int]
    ) {
        let formers = new.preserved.map { slot in
            old.preserved.firstIndex { successors[$0.index] == slot.index }
        }
        guard formers != Array(old.preserved.indices) else { return }
        let assignments = (0..<max(old.preserved.count, formers.count)).map { index -> SQLText in
            let former = index < formers.count ? formers[index] : nil
            let value: SQLText = former.map { "ZTOMBSTONE\($0)" } ?? "NULL"
            return "ZTOMBSTONE\(index) = \(value)"
        }
        plan.run(
            "update the properties of \(name(of: move.destination)) in the history", .scans(Self.changes),
            SQLFragment(
                """
                UPDATE ACHANGE SET \(assignments.joined(separator: ", ")) WHERE ZENTITY = \(move.oldNumber)
                """))
    }
}

extension HistoryColumns.Column {
    /// Returns the column in the new model, given the new slots of the old ones; nil if it is gone.
    fileprivate func succeeded(by successors: [Int: Int]) -> Self? {
        switch self {
        case .property(let slot): successors[slot].map(Self.property)
        case .entityNumber(let slot): successors[slot].map(Self.entityNumber)
        case .position(let slot): successors[slot].map(Self.position)
        }
    }
}

import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The phase that adapts the history, which names entities by number, rows by key, and properties by their
/// position among those of an entity (sqlite-store §12, history-columns §2).
///
/// It writes to the history's tables, which no other phase reads. Changes have the old entity numbers until
/// its last step.
struct HistoryRewrite {
    /// The column of a change with the number of the entity.
    private static let entity = SQLIdentifier("ZENTITY")

    let change: SchemaChange

    /// The condition that a transaction `t` has no bundle identifier.
    private var hasNoBundle: SQLText {
        HistorySchema.isAnonymous(hasStrings: change.catalog.hasHistoryStrings)
    }

    func add(to plan: inout MigrationPlan) {
        guard change.catalog.hasHistory else { return }
        forgetRemoved(&plan)
        addTombstones(&plan)
        for move in change.moves.moves.values.sorted(by: \.oldNumber) {
            rewriteProperties(of: move, &plan)
        }
        nameAnonymous(&plan)
        renumber(&plan)
    }

    private func forgetRemoved(_ plan: inout MigrationPlan) {
        let gone = change.moves.removed.compactMap { change.source[$0]?.number }.sorted()
        if gone.isEmpty { return }
        plan.run(
            "forget the history of entities that are gone", .scans(HistorySchema.changes),
            "DELETE FROM ACHANGE WHERE \(SQLText.isOne(of: gone, Self.entity))")
    }

    private func addTombstones(_ plan: inout MigrationPlan) {
        let present = change.catalog.tombstoneCount
        let bytes = change.dialect.type(of: .attribute(.binary))
        for index in present..<max(present, HistorySchema(change.target.schema).tombstoneCount) {
            plan.run(
                "add columns", .definition,
                "ALTER TABLE ACHANGE ADD COLUMN ZTOMBSTONE\(index) \(bytes)")
        }
    }

    /// Gives transactions without bundle identifier an empty one, since the masks of their changes have been
    /// rewritten in the present form.
    private func nameAnonymous(_ plan: inout MigrationPlan) {
        guard change.details.historyMasks.values.joined().contains(where: \.isAnonymous) else { return }
        for (touches, statement) in HistorySchema.nameAnonymous(hasStrings: change.catalog.hasHistoryStrings)
        {
            plan.run("mark the history as being in its present form", touches, statement)
        }
    }

    /// Replaces keys and entity numbers, all at once, since an entity's new number may be another one's old
    /// number.
    private func renumber(_ plan: inout MigrationPlan) {
        let numbers = change.moves.changedNumbers
        let offsets = Dictionary(
            uniqueKeysWithValues: change.moves.shifted.map { ($0.oldNumber, $0.offset) })
        var assignments: [SQLText] = []
        if !offsets.isEmpty {
            let offset = SQLText.choice("ZENTITY", offsets, otherwise: "0")
            assignments.append("ZENTITYPK = ZENTITYPK + \(offset)")
        }
        if !numbers.isEmpty {
            let number = SQLText.choice("ZENTITY", numbers, otherwise: "ZENTITY")
            assignments.append("ZENTITY = \(number)")
        }
        let changed = Set(numbers.keys).union(offsets.keys).sorted()
        if changed.isEmpty { return }
        plan.run(
            "update the entities in the history", .scans(HistorySchema.changes),
            """
            UPDATE ACHANGE SET \(assignments.joined(separator: ", ")) \
            WHERE \(SQLText.isOne(of: changed, Self.entity))
            """)
    }

    // MARK: Properties

    /// Rewrites the masks and tombstones of an entity's changes, before these get its new number.
    private func rewriteProperties(of move: EntityMoves.Move, _ plan: inout MigrationPlan) {
        let columns = HistoryColumnSuccession(of: move, change)
        let masks = change.details.historyMasks[move.oldNumber] ?? []
        for isAnonymous in [false, true] {
            rewriteMasks(masks, isAnonymous: isAnonymous, of: move, columns, &plan)
        }
        rewriteTombstones(of: move, columns, &plan)
    }

    private func title(of move: EntityMoves.Move) -> String {
        "update the properties of \(change.name(of: move.destination)) in the history"
    }

    private func rewriteMasks(
        _ masks: Set<MigrationCatalog.HistoryMask>, isAnonymous: Bool, of move: EntityMoves.Move,
        _ columns: HistoryColumnSuccession, _ plan: inout MigrationPlan
    ) {
        let ofKind = masks.filter { $0.isAnonymous == isAnonymous }
        var cases: [SQLFragment] = []
        for mask in ofKind.map(\.bytes).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            let successor = columns.successor(of: mask, isAnonymous: isAnonymous)
            if successor != mask {
                cases.append("WHEN \(bind: .blob(mask)) THEN \(bind: .blob(successor))")
            }
        }
        if cases.isEmpty { return }
        let transactions: SQLText = "(SELECT Z_PK FROM ATRANSACTION t WHERE \(hasNoBundle))"
        let isWithin: SQLText = isAnonymous ? "IN" : "NOT IN"
        let condition: SQLText =
            ofKind.count == masks.count ? "" : " AND ZTRANSACTIONID \(isWithin) \(transactions)"
        plan.run(
            title(of: move), .scans(HistorySchema.changes),
            """
            UPDATE ACHANGE SET ZCOLUMNS = CASE ZCOLUMNS \(cases.joined(separator: " ")) ELSE ZCOLUMNS END \
            WHERE ZENTITY = \(bind: .integer(move.oldNumber))\(condition)
            """)
    }

    private func rewriteTombstones(
        of move: EntityMoves.Move, _ columns: HistoryColumnSuccession, _ plan: inout MigrationPlan
    ) {
        let (formers, count) = (columns.formerTombstones, columns.old.preserved.count)
        guard formers != Array(0..<count) else { return }
        let assignments = (0..<max(count, formers.count)).map { index -> SQLText in
            let former = index < formers.count ? formers[index] : nil
            let value: SQLText = former.map { "ZTOMBSTONE\($0)" } ?? "NULL"
            return "ZTOMBSTONE\(index) = \(value)"
        }
        plan.run(
            title(of: move), .scans(HistorySchema.changes),
            "UPDATE ACHANGE SET \(assignments.joined(separator: ", ")) WHERE ZENTITY = \(move.oldNumber)")
    }
}

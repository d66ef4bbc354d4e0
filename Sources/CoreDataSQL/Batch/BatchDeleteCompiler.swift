import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The statements of a batch deletion.
///
/// The rows to delete are marked in a temporary table, so that each delete rule is one statement over all of
/// them, however many they are.
struct BatchDeletePlan: Sendable, Equatable {
    /// A select that must find nothing.
    struct Obstacle: Sendable, Equatable {
        let rows: SQLFragment
        let message: String
    }

    /// The rows that stay and lose their reference to a deleted one.
    struct Release: Sendable, Equatable {
        let update: SQLFragment
        /// The property that changes, by the entity that declares it.
        let property: PropertyID
    }

    let batch: BatchDelete
    /// The entities of which rows may be deleted.
    let entities: [EntityIndex]
    var mark: SQLFragment
    /// The statements that mark further rows, to be repeated until none marks another.
    var cascades: [SQLFragment] = []
    var obstacles: [Obstacle] = []
    var releases: [Release] = []
    var links: [SQLFragment] = []
    var externals: [SQLFragment] = []
    var deletes: [SQLFragment] = []
    /// The whole deletion as one statement, which is run if neither the caller nor the history asks which
    /// rows were deleted; nil if relationships or external files are affected, or if the batch lists its
    /// rows.
    var plain: SQLFragment?
}

/// The planner of a batch deletion, with the delete rules of every entity that it may reach.
///
/// Pure.
struct BatchDeleteCompiler {
    private let batch: BatchDelete
    private let compiler: SelectCompiler
    private let entity: CompiledEntity
    private let marks: MarkTable
    private let members: MemberCompiler
    private var schema: StoreSchema { compiler.schema }

    init(_ batch: BatchDelete, _ compiler: SelectCompiler, _ dialect: any WriteDialect) {
        self.batch = batch
        self.compiler = compiler
        marks = MarkTable(schema: compiler.schema, dialect: dialect)
        members = MemberCompiler(schema: compiler.schema, marks: marks)
        entity =
            switch batch.targets {
            case .query(let query): compiler.schema.model[query.entity]
            case .rows(_, let root): compiler.schema.model[root]
            }
    }

    func plan() throws(StoreError) -> BatchDeletePlan {
        let table = try schema.table(of: entity.index)
        let reached = reachedEntities()
        var plan = BatchDeletePlan(batch: batch, entities: reached, mark: try mark(in: table))
        for index in reached {
            // A rule covers all subentities, so an inherited relationship is added for the topmost of the
            // reached entities alone.
            let parent = schema.model[index].superentity
            let isTop = parent.map { !reached.contains($0) } ?? true
            for slot in schema.model[index].slots where isTop || slot.declaringEntity == index {
                add(slot, of: index, to: &plan)
            }
        }
        addTables(reached, to: &plan)
        plan.plain = try plain(plan)
        return plan
    }

    private func plain(_ plan: BatchDeletePlan) throws(StoreError) -> SQLFragment? {
        let isAlone =
            plan.cascades.isEmpty && plan.obstacles.isEmpty && plan.releases.isEmpty && plan.links.isEmpty
            && plan.externals.isEmpty
        guard isAlone, case .query(var query) = batch.targets, let table = schema[entity.index] else {
            return nil
        }
        query.shape = .references
        if query.limit == 0, query.offset == 0 { query.sort = [] }
        return "DELETE FROM \(table.tableName) AS t0\(try compiler.condition(query))"
    }

    /// Returns the entity, its subentities, and all entities that cascades lead to.
    private func reachedEntities() -> [EntityIndex] {
        var result: Set<EntityIndex> = []
        var open = [entity]
        while let entity = open.popLast() {
            for index in entity.family where schema[index] != nil && result.insert(index).inserted {
                for slot in schema.model[index].slots {
                    guard let relationship = slot.relationship, relationship.deleteRule == .cascade,
                        !slot.isTransient
                    else { continue }
                    open.append(schema.model[relationship.destination])
                }
            }
        }
        return result.sorted()
    }

    private func mark(in table: EntityTable) throws(StoreError) -> SQLFragment {
        switch batch.targets {
        case .query(var query):
            query.shape = .references
            return marks.insert(try compiler.compile(query).select, root: entity.root)
        case .rows(let rows, _):
            let isTarget = compiler.dialect.isMember("t0.Z_PK", of: "\(bind: SelectCompiler.keys(rows))")
            return marks.insert(
                "SELECT t0.Z_PK, t0.Z_ENT FROM \(table.tableName) t0 WHERE \(isTarget)", root: entity.root)
        }
    }

    // MARK: Rules

    private func add(_ slot: PropertySlot, of index: EntityIndex, to plan: inout BatchDeletePlan) {
        guard let relationship = slot.relationship, !slot.isTransient, schema[relationship.destination] != nil
        else { return }
        let name = "\(schema.model[index].name).\(slot.name)"
        switch relationship.deleteRule {
        case .cascade:
            if let rows = members.members(of: slot, in: index) {
                plan.cascades.append(
                    marks.insert(rows, root: schema.model[relationship.destination].root))
            }
        case .deny:
            if let rows = members.remaining(of: slot, in: index) {
                plan.obstacles.append(
                    .init(
                        rows: rows, message: "the delete rule of \(name) denies the deletion: it is not empty"
                    ))
            }
        case .nullify:
            addNullification(slot, relationship, of: index, to: &plan)
        case .noAction: break
        }
        addOwnStorage(slot, of: index, to: &plan)
    }

    private func addNullification(
        _ slot: PropertySlot,
        _ relationship: RelationshipSlot,
        of index: EntityIndex,
        to plan: inout BatchDeletePlan
    ) {
        guard let inverse = schema.model.inverse(of: relationship), inverse.isToOne, !inverse.isTransient,
            let column = inverse.column, let table = schema[relationship.destination]
        else { return }
        if !inverse.isOptional, let rows = members.remaining(of: slot, in: index) {
            let destination = schema.model[relationship.destination].name
            plan.obstacles.append(
                .init(
                    rows: rows,
                    message: "batch delete failed due to mandatory \(slot.isToMany ? "MTO" : "OTO") nullify "
                        + "inverse on \(destination)/\(inverse.name)"))
        }
        let stored = table.columns[column]
        let cleared = [stored.name, stored.entityColumn, stored.orderColumn].compactMap { $0 }
        let assignments: [SQLText] = cleared.map { "\($0) = NULL" } + ["Z_OPT = Z_OPT + 1"]
        let isKept = marks.isNotMarked(
            "Z_PK", root: schema.model[relationship.destination].root)
        plan.releases.append(
            .init(
                update: """
                    UPDATE \(table.tableName) SET \(assignments.joined(separator: ", ")) \
                    WHERE \(stored.name) IN (\(marks.keys(of: index))) AND \(isKept)
                    """,
                property: PropertyID(inverse)))
    }

    /// Adds the removal of the row from join tables, and from the members' column of a to-many without
    /// inverse. Every delete rule includes it.
    private func addOwnStorage(_ slot: PropertySlot, of index: EntityIndex, to plan: inout BatchDeletePlan) {
        switch schema[index]?.toMany[slot.index] {
        case .join(let table, let owner, let member, _, let isReflexive):
            for column in isReflexive ? [owner, member] : [owner] {
                plan.links.append("DELETE FROM \(table) WHERE \(column) IN (\(marks.keys(of: index)))")
            }
        case .foreignKey(let table, let column, let order, true):
            let assignments: [SQLText] = [column, order].compactMap { $0 }.map { "\($0) = NULL" }
            plan.links.append(
                """
                UPDATE \(table) SET \(assignments.joined(separator: ", ")) \
                WHERE \(column) IN (\(marks.keys(of: index)))
                """)
        case .foreignKey, nil: break
        }
    }

    // MARK: Rows

    private func addTables(_ reached: [EntityIndex], to plan: inout BatchDeletePlan) {
        for index in reached {
            guard let table = schema[index] else { continue }
            for column in schema.externalColumns(of: index) {
                let name = table.columns[column].name
                plan.externals.append(
                    """
                    SELECT \(name) FROM \(table.tableName) \
                    WHERE Z_PK IN (\(marks.keys(ofExactly: index))) AND length(\(name)) = 38
                    """)
            }
        }
        for root in Set(reached.map { schema.model[$0].root }).sorted() {
            guard let table = schema[root] else { continue }
            plan.deletes.append(
                "DELETE FROM \(table.tableName) WHERE Z_PK IN (\(marks.keys(ofRoot: root)))")
        }
    }
}

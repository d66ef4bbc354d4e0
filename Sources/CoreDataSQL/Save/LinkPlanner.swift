import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The planning of changed to-many relationships as statements on join tables, owner columns and positions.
struct LinkPlanner {
    private let schema: StoreSchema
    private let permanent: ReferenceMap
    private let positions: [Int: [Int64: Int64]]
    private(set) var removals: [LinkStep] = []
    private(set) var insertions: [LinkStep] = []
    private(set) var moved: [ObjectReference: ColumnMask] = [:]
    /// The pairs written already, by join table, since both sides of a many-to-many report them.
    private var removed: [Set<Pair>] = []
    private var added: [Set<Pair>] = []
    private var joinTables: [SQLIdentifier] = []
    /// The members of ordered relationships whose position is set.
    private var positioned: Set<Member> = []
    /// The to-many relationships of the entity whose rows were deleted last, in the order of its slots.
    private var storages: (entity: EntityIndex, toMany: [ToManyStorage])?

    private struct Pair: Hashable {
        let first: Int64
        let second: Int64
    }

    private struct Member: Hashable {
        let table: SQLIdentifier
        let column: SQLIdentifier
        let key: Int64
    }

    init(
        schema: StoreSchema,
        permanent: ReferenceMap,
        positions: [Int: [Int64: Int64]]
    ) {
        self.schema = schema
        self.permanent = permanent
        self.positions = positions
    }

    private func key(_ reference: ObjectReference) -> Int64 { (permanent[reference] ?? reference).key }

    // MARK: Changed relationships

    /// Plans one changed relationship.
    ///
    /// - Parameter deleted: The rows that the save deletes, whose pairs `clear` removes.
    mutating func add(_ change: LinkChange, _ index: Int, deleted: Set<ObjectReference>) {
        guard let storage = schema[change.owner.entity]?.toMany[change.slot] else { return }
        let owner = key(change.owner)
        let before = change.before.map(key)
        let after = change.after.map(key)
        let positions = positions[index] ?? [:]
        switch storage {
        case .foreignKey(let table, let column, let order, true):
            let kept = Set(after)
            for member in before where !kept.contains(member) {
                removals.append(.set(table: table, column: column, value: nil, key: member))
                if let order { removals.append(.set(table: table, column: order, value: nil, key: member)) }
            }
            let known = Set(before)
            for member in after where !known.contains(member) {
                insertions.append(.set(table: table, column: column, value: owner, key: member))
            }
            if let order { setPositions(after, table, order, positions) }
        case .foreignKey(let table, _, let order?, false):
            let changes = setPositions(after, table, order, positions)
            guard let column = ownerColumn(change) else { return }
            for member in change.after where !member.isTemporary && changes[member.key] != nil {
                moved[member, default: ColumnMask()].insert(column)
            }
        case .foreignKey: break
        case .join(let table, let ownerColumn, let memberColumn, let order, let isReflexive):
            let join = Join(table: table, owner: ownerColumn, member: memberColumn, isReflexive: isReflexive)
            let remaining = deleted.isEmpty ? before : change.before.filter { !deleted.contains($0) }.map(key)
            addJoin(join, owner, before: remaining, after: after)
            guard let order, !isReflexive else { return }
            let changes = OrderKeys.changes(members: after, current: positions)
            for member in after {
                guard let position = changes[member] else { continue }
                insertions.append(
                    .setPosition(
                        table: table, column: order, value: position,
                        owner: .init(name: ownerColumn, key: owner),
                        member: .init(name: memberColumn, key: member)))
            }
        }
    }

    /// Returns the column of the inverse in the members' rows.
    private func ownerColumn(_ change: LinkChange) -> Int? {
        let relationship = schema.model.slot(change.slot, of: change.owner.entity).relationship
        return relationship.flatMap(schema.model.inverse)?.column
    }

    /// Sets positions, and returns those that change, by member.
    @discardableResult
    private mutating func setPositions(
        _ members: [Int64],
        _ table: SQLIdentifier,
        _ column: SQLIdentifier,
        _ current: [Int64: Int64]
    ) -> [Int64: Int64] {
        let changes = OrderKeys.changes(members: members, current: current)
        for member in members {
            positioned.insert(Member(table: table, column: column, key: member))
            if let position = changes[member] {
                insertions.append(.set(table: table, column: column, value: position, key: member))
            } else if let position = current[member] {
                // An update of the member's to-one to its owner clears the position, so it is written again.
                insertions.append(.set(table: table, column: column, value: position, key: member))
            }
        }
        return changes
    }

    private struct Join {
        let table: SQLIdentifier
        let owner: SQLIdentifier
        let member: SQLIdentifier
        let isReflexive: Bool
    }

    private mutating func addJoin(_ join: Join, _ owner: Int64, before: [Int64], after: [Int64]) {
        let number = number(of: join.table)
        let isFirst = join.owner < join.member
        func pair(_ member: Int64) -> Pair {
            let isOwnerFirst = join.isReflexive ? owner <= member : isFirst
            return Pair(first: isOwnerFirst ? owner : member, second: isOwnerFirst ? member : owner)
        }
        let kept = before.isEmpty ? [] : Set(after)
        for member in before where !kept.contains(member) && removed[number].insert(pair(member)).inserted {
            removals.append(
                .unlink(
                    table: join.table, owner: .init(name: join.owner, key: owner),
                    member: .init(name: join.member, key: member), isReflexive: join.isReflexive))
        }
        let known = Set(before)
        for member in after where !known.contains(member) && added[number].insert(pair(member)).inserted {
            insertions.append(
                .link(
                    table: join.table, owner: .init(name: join.owner, key: owner),
                    member: .init(name: join.member, key: member)))
        }
    }

    /// Returns the index of a join table in `removed` and `added`.
    ///
    /// The tables are few, and the last one is usually asked for again.
    private mutating func number(of table: SQLIdentifier) -> Int {
        if let number = joinTables.lastIndex(of: table) { return number }
        joinTables.append(table)
        removed.append([])
        added.append([])
        return joinTables.count - 1
    }

    // MARK: Rows

    /// Removes the references to deleted rows with consecutive keys that these rows' own relationships have
    /// stored elsewhere: in join tables, and in the columns of to-many relationships without inverse.
    mutating func clear(_ entity: EntityIndex, _ keys: ClosedRange<Int64>) {
        if storages?.entity != entity {
            let toMany = schema[entity]?.toMany ?? [:]
            storages = (entity, toMany.sorted { $0.key < $1.key }.map(\.value))
        }
        for storage in storages?.toMany ?? [] {
            switch storage {
            case .join(let table, let owner, let member, _, let isReflexive):
                removals.append(.unlinkAll(table: table, column: owner, keys: keys))
                if isReflexive {
                    removals.append(.unlinkAll(table: table, column: member, keys: keys))
                }
            case .foreignKey(let table, let column, _, true):
                removals.append(.clear(table: table, column: column, keys: keys))
            case .foreignKey: break
            }
        }
    }

    /// Puts a row at the end of each ordered to-many that its to-one columns add it to, unless a change of
    /// the to-many itself sets its position.
    ///
    /// - Parameter columns: The columns of to-one relationships.
    mutating func append(_ row: Snapshot, key rowKey: Int64, _ columns: [Int]) {
        guard !columns.isEmpty, let table = schema[row.entity] else { return }
        for column in columns {
            let stored = table.columns[column]
            guard let order = stored.orderColumn, let owner = row.toOne(column),
                !positioned.contains(Member(table: table.tableName, column: order, key: rowKey))
            else { continue }
            insertions.append(
                .append(
                    table: table.tableName, column: order,
                    owner: .init(name: stored.name, key: key(owner)),
                    key: .init(name: NameMangling.key, key: rowKey)))
        }
    }
}

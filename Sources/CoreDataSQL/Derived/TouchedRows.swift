import CoreDataStore
import CoreDataValues

/// The rows and pairs that a write changes, as far as attributes that are derived from other rows depend on
/// them.
struct TouchedRows {
    /// The keys of rows, as an array or as a select.
    enum Keys {
        case array(SQLFragment)
        case select(SQLFragment)

        static func listed(_ keys: [Int64]) -> Keys { .array("\(bind: .integers(keys))") }

        /// The keys, one a row.
        var rows: SQLFragment {
            switch self {
            case .array(let array): "SELECT unnest(\(array))"
            case .select(let select): select
            }
        }

        /// Returns the condition that a column has one of the keys.
        func contain(_ column: SQLText) -> SQLFragment {
            switch self {
            case .array(let array): "\(column) = ANY (\(array))"
            case .select(let select): "\(column) IN (\(select))"
            }
        }
    }

    enum Change {
        /// - Parameter returning: The keys of rows that are not new to the store: rows may lead to them
        ///   already.
        case insert(returning: [Int64])
        case update(ColumnMask)
        /// - Parameter isChecked: Whether the write checks the versions of the rows. If not, others may change
        ///   the rows until they are locked.
        case delete(isChecked: Bool)
    }

    /// Rows of one entity that change in one way.
    struct Rows {
        let entity: EntityIndex
        let change: Change
        let keys: Keys
    }

    private struct Column: Hashable {
        let table: SQLIdentifier
        let column: SQLIdentifier
    }

    private(set) var rows: [Rows] = []
    private var keys: [Column: Set<Int64>] = [:]

    init() {}

    /// Makes the rows that a plan changes.
    init(_ plan: SavePlan) {
        for run in plan.inserts.runs {
            let references = plan.inserts.references[run.indices]
            let returning = references.filter { !$0.isTemporary }.map(\.key)
            append(
                .insert(returning: returning), of: run.key, references.map { plan.permanent.current($0).key })
        }
        struct Shape: Hashable {
            let entity: EntityIndex
            let changed: ColumnMask
        }
        for (shape, updates) in Dictionary(
            grouping: plan.updates, by: { Shape(entity: $0.reference.entity, changed: $0.changed) })
        {
            append(.update(shape.changed), of: shape.entity, updates.map(\.reference.key))
        }
        struct Fate: Hashable {
            let entity: EntityIndex
            let isChecked: Bool
        }
        for (fate, deletes) in Dictionary(
            grouping: plan.deletes, by: { Fate(entity: $0.reference.entity, isChecked: $0.version != nil) })
        {
            append(.delete(isChecked: fate.isChecked), of: fate.entity, deletes.map(\.reference.key))
        }
        for link in plan.linkRemovals + plan.linkInsertions {
            switch link {
            case .unlink(let table, let owner, let member, _), .link(let table, let owner, let member):
                for side in [owner, member] { append(side.key, of: side.name, in: table) }
            case .set(let table, let column, _, let key): append(key, of: column, in: table)
            // Pairs of deleted rows are found by these; the rest are positions.
            case .unlinkAll, .clear, .append, .setPosition: break
            }
        }
    }

    /// Makes rows that were written in one way.
    init(_ references: [ObjectReference], _ change: Change) {
        for (entity, rows) in Dictionary(grouping: references, by: \.entity) {
            append(change, of: entity, rows.map(\.key))
        }
    }

    mutating func append(_ change: Change, of entity: EntityIndex, _ keys: Keys) {
        rows.append(Rows(entity: entity, change: change, keys: keys))
    }

    private mutating func append(_ change: Change, of entity: EntityIndex, _ keys: [Int64]) {
        append(change, of: entity, .listed(keys.sorted()))
    }

    private mutating func append(_ key: Int64, of column: SQLIdentifier, in table: SQLIdentifier) {
        keys[Column(table: table, column: column), default: []].insert(key)
    }

    /// Returns the keys in a column of the pairs that come and go, or those of the rows in which a column is
    /// set; nil if there are none.
    func keys(of column: SQLIdentifier, in table: SQLIdentifier) -> Keys? {
        keys[Column(table: table, column: column)].map { .listed($0.sorted()) }
    }
}

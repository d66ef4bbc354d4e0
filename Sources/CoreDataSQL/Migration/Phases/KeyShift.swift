import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The phase that changes references to rows which move into another table, where they get keys above those
/// of the rows that are there.
///
/// It comes after `EntityRenumbering`, since it finds offsets by the new entity numbers, and before
/// references or rows are copied. The rows themselves get their keys in `RowTransfer`, so that owners are
/// found here by their old keys.
struct KeyShift {
    let change: SchemaChange
    let store: EvolvingStore

    private var shifted: [EntityMoves.Move] { change.moves.shifted }

    func add(to plan: inout MigrationPlan) {
        if shifted.isEmpty { return }
        for (table, slot, relationship) in change.formerRelationships {
            if let column = slot.column.map({ table.columns[$0] }) {
                shiftDestinations(column, of: relationship, in: store[table.tableName], &plan)
            }
            switch table.toMany[slot.index] {
            case .join(let name, let owner, let member, _, let isReflexive):
                let join = store[name]
                for column in isReflexive ? [owner, member] : [owner] {
                    shiftUniqueOwners(join(column), in: join.name, table, &plan)
                }
            case .foreignKey(let name, let column, _, true):
                let members = store[name]
                shiftOwners(members(column), in: members.name, table, &plan)
            case .foreignKey, nil: break
            }
        }
    }

    /// Shifts the keys of a to-one relationship.
    ///
    /// If there is no column of entity numbers, all are keys of one entity.
    private func shiftDestinations(
        _ column: StoredColumn, of relationship: RelationshipSlot, in table: EvolvingStore.Table,
        _ plan: inout MigrationPlan
    ) {
        let offsets = offsets(below: relationship.destination)
        guard let offset = offsets.values.first else { return }
        let key = table(column.name)
        if let entity = column.entityColumn.map({ table($0) }) {
            shift(
                key, in: table.name, by: .choice("\(entity)", offsets),
                where: .isOne(of: offsets.keys.sorted(), entity), &plan)
        } else {
            shift(key, in: table.name, by: "\(offset)", where: "\(key) IS NOT NULL", &plan)
        }
    }

    /// Shifts the keys of owners in the rows of members, which do not have the owners' entity numbers.
    private func shiftOwners(
        _ column: SQLIdentifier, in table: SQLIdentifier, _ owners: EntityTable, _ plan: inout MigrationPlan
    ) {
        guard let offset = offset(of: column, in: table, owners) else { return }
        shift(column, in: table, by: offset, where: "\(column) IS NOT NULL", &plan)
    }

    /// Shifts the keys of owners in a join table. They become negative in between, so that pairs stay unique
    /// meanwhile.
    private func shiftUniqueOwners(
        _ column: SQLIdentifier, in table: SQLIdentifier, _ owners: EntityTable, _ plan: inout MigrationPlan
    ) {
        guard let offset = offset(of: column, in: table, owners) else { return }
        for value in ["-(\(column) + \(offset))", "-\(column)"] as [SQLText] {
            plan.run(Self.title, .scans(table), "UPDATE \(table) SET \(column) = \(value)")
        }
    }

    private static let title = "update references to objects that change their keys"

    private func shift(
        _ column: SQLIdentifier, in table: SQLIdentifier, by offset: SQLText, where condition: SQLText,
        _ plan: inout MigrationPlan
    ) {
        plan.run(
            Self.title, .scans(table),
            "UPDATE \(table) SET \(column) = \(column) + \(offset) WHERE \(condition)")
    }

    // MARK: Offsets

    /// Returns the offset of a key as SQL, which depends on the owner's entity; nil if no owner's key
    /// changes.
    private func offset(
        of column: SQLIdentifier, in table: SQLIdentifier, _ owners: EntityTable
    ) -> SQLText? {
        let offsets = offsets(below: owners.entity)
        guard !offsets.isEmpty else { return nil }
        let name = store[owners.tableName].name
        return .choice(
            "(SELECT o.Z_ENT FROM \(name) o WHERE o.Z_PK = \(table).\(column))", offsets, otherwise: "0")
    }

    /// Returns the offsets by new number, for an entity of the old model and its subentities.
    private func offsets(below entity: EntityIndex) -> [Int64: Int64] {
        let family = change.evolution.source[entity].family
        return Dictionary(
            uniqueKeysWithValues: shifted.filter { family.contains($0.source) }
                .map { ($0.newNumber, $0.offset) })
    }
}

import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The links of a relationship as the store has them: the key of an owner (`o`), the key of a member (`m`),
/// and the position of the member (`p`).
///
/// The links have the new keys of rows, although the rows themselves still have the old ones.
struct FormerLinks {
    let select: SQLText
    /// The table that the links are read from.
    let table: SQLIdentifier
    /// Whether the store has positions.
    let hasOrder: Bool
    /// The column of the new model for the positions; nil if there are none, or the relationship is not
    /// ordered any more.
    let order: SQLIdentifier?

    /// Finds the links of a relationship of the new model; nil if it is new.
    init?(of slot: PropertySlot, _ change: SchemaChange, _ store: EvolvingStore) {
        guard let former = change.finder.former(of: slot), let table = change.source[former.entity] else {
            return nil
        }
        let target = slot.relationship?.isOrdered == true ? change.storage(of: slot)?.orderColumn : nil
        if let column = former.slot.column.map({ table.columns[$0] }) {
            let owners = store[table.tableName]
            let key = owners(column.name)
            self.init(
                change.moves.newKey(in: table.tableName), "\(key)", nil, from: owners.name, where: key, target
            )
            return
        }
        switch table.toMany[former.slot.index] {
        case .foreignKey(let name, let column, let order, _):
            let members = store[name]
            let key = members(column)
            self.init(
                "\(key)", change.moves.newKey(in: name), order.map { members($0) }, from: members.name,
                where: key, target)
        case .join(let name, let owner, let member, let order, _):
            let join = store[name]
            self.init(
                "\(join(owner))", "\(join(member))", order.map { join($0) }, from: join.name, where: nil,
                target)
        case nil: return nil
        }
    }

    private init(
        _ owner: SQLText, _ member: SQLText, _ order: SQLIdentifier?, from table: SQLIdentifier,
        where key: SQLIdentifier?, _ target: SQLIdentifier?
    ) {
        let position: SQLText = order.map { "\($0)" } ?? "NULL"
        let condition: SQLText = key.map { " WHERE \($0) IS NOT NULL" } ?? ""
        select = "SELECT \(owner) AS o, \(member) AS m, \(position) AS p FROM \(table)\(condition)"
        self.table = table
        hasOrder = order != nil
        self.order = hasOrder ? target : nil
    }
}

extension ToManyStorage {
    fileprivate var orderColumn: SQLIdentifier? {
        switch self {
        case .foreignKey(_, _, let order, _), .join(_, _, _, let order, _): order
        }
    }
}

import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// A join table of the new model and its origin.
struct JoinOrigin {
    enum Origin {
        /// A join table of the store, with its columns' new names by the old ones.
        case kept(SQLIdentifier, [SQLIdentifier: SQLIdentifier])
        case made
    }

    /// A column of members' positions, with the columns of the owner and the member.
    typealias Order = (order: SQLIdentifier, owner: SQLIdentifier, member: SQLIdentifier)

    let table: JoinTable
    let master: PropertySlot
    let detail: PropertySlot
    let origin: Origin
    /// The positions that the store does not have.
    let newOrders: [Order]

    init(of table: JoinTable, in target: StoreSchema, _ finder: TargetColumnFinder) {
        let model = finder.evolution.destination
        let master = model.slot(table.masterSlot, of: table.master)
        let detail = master.relationship.flatMap(model.inverse) ?? master
        var columns: [SQLIdentifier: SQLIdentifier]?
        var former: SQLIdentifier?
        for side in [master, detail] {
            guard case .join(let name, let owner, let member, _, _)? = finder.storage(of: side),
                case .join(_, let newOwner, let newMember, _, _)? = target.storage(of: side)
            else { continue }
            former = name
            columns = [owner: newOwner, member: newMember]
        }
        var orders: [Order] = []
        for side in PropertyID(master) == PropertyID(detail) ? [master] : [master, detail] {
            guard case .join(_, let owner, let member, let order?, _)? = target.storage(of: side) else {
                continue
            }
            if case .join(_, _, _, let formerOrder?, _)? = finder.storage(of: side) {
                columns?[formerOrder] = order
            } else {
                orders.append((order, owner, member))
            }
        }
        self.table = table
        self.master = master
        self.detail = detail
        if let former, let columns { origin = .kept(former, columns) } else { origin = .made }
        newOrders = orders
    }

    /// The join table of the store that this one is made from; nil for a new one.
    var former: SQLIdentifier? {
        if case .kept(let name, _) = origin { name } else { nil }
    }
}

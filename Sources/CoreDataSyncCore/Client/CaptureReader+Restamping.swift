/// Orders of members while edits get other stamps.
///
/// Members without a place stand in the order in which they came, which their stamps tell. If an edit that waits gets
/// another stamp than a member that came with or after it has, the store shows another order than the stamps tell.
extension CaptureReader {
    /// An owner of members, or an object with partners, whose order is kept.
    private struct Order: Hashable {
        var owner: SyncID
        /// The stable name of the to-many relationship, or the side of a many-to-many one.
        var relationship: String
        var side: PairSide?
    }

    /// Changes stamps of edits that the server has not answered, and gives members that stand in another order by the new
    /// ones a place, so that the order stays the one that the store shows.
    mutating func keepingOrders(_ milliseconds: UInt64, _ restamp: (inout Ledger) -> Void) {
        let shown = orders().map { ($0, members(of: $0).map(\.id)) }
        restamp(&ledger)
        for (order, ids) in shown {
            if let side = order.side {
                place(ids, of: order.owner, members(of: order), side.place, milliseconds) {
                    .pair(side, order.owner, $0)
                }
            } else if let rule = rule(of: order) {
                let register = SchemaCompiler.position(rule.reference)
                place(ids, of: order.owner, members(of: order), register, milliseconds) { .object($0) }
            }
        }
    }

    private func rule(of order: Order) -> CollectionRule? {
        ledger.entry(.object(order.owner))
            .flatMap { schema.entities[$0.entity]?.collections[order.relationship] }
    }

    private func members(of order: Order) -> [OrderedMember] {
        let known = LedgerOrder(ledger: ledger)
        if let side = order.side { return known.partners(of: order.owner, side) }
        return rule(of: order).map { known.members(of: order.owner, $0) } ?? []
    }

    /// Returns the orders in which edits that the server has not answered have brought a member, sorted.
    private func orders() -> [Order] {
        var orders: Set<Order> = []
        for change in ledger.unanswered.map(\.change) {
            switch change.item {
            case .object:
                guard let name = change.register,
                    let target = ledger.entry(change.item)?.registers[name]?.kept?.reference
                else { continue }
                let owner = ledger.resolved(target)
                let entity = ledger.entry(.object(owner)).flatMap { schema.entities[$0.entity] }
                for (relationship, rule) in entity?.collections ?? [:]
                where rule.isOrdered && rule.reference == name {
                    orders.insert(Order(owner: owner, relationship: relationship))
                }
            case .pair(let name, let first, let second):
                for (owner, isFirst) in [(first, true), (second, false)] {
                    let side = PairSide(name: name, isFirst: isFirst)
                    guard schema.rule(of: side)?.isOrdered ?? false else { continue }
                    orders.insert(Order(owner: owner, relationship: name, side: side))
                }
            }
        }
        return orders.sorted { first, second in
            if first.owner != second.owner { return first.owner < second.owner }
            if first.relationship != second.relationship {
                return first.relationship.isBefore(second.relationship)
            }
            return first.side?.isFirst ?? false && !(second.side?.isFirst ?? false)
        }
    }
}

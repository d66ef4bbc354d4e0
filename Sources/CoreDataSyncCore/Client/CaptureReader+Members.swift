/// Ordered members, and the partners of many-to-many relationships.
extension CaptureReader {
    mutating func readMembers(of row: CapturedRow) {
        let id = id(of: row.local, row.milliseconds)
        let collections = schema.entities[row.entity]?.collections ?? [:]
        for (name, rule) in collections.sorted(by: { $0.key.isBefore($1.key) }) where rule.isOrdered {
            let known = LedgerOrder(ledger: ledger).members(of: id, rule)
            let register = SchemaCompiler.position(rule.reference)
            readOrder(of: id, row, name, known, register) { .object($0) }
        }
        for (side, locals) in row.partners.sorted(by: { $0.key < $1.key }) {
            readPartners(of: id, side, Set(locals.compactMap { ledger.id(of: $0) }), row.milliseconds)
            guard let rule = schema.rule(of: side), rule.isOrdered, let name = rule.relationship else {
                continue
            }
            let known = LedgerOrder(ledger: ledger).partners(of: id, side)
            readOrder(of: id, row, name, known, side.place) { .pair(side, id, $0) }
        }
    }

    private mutating func readPartners(
        of id: SyncID, _ side: PairSide, _ partners: Set<SyncID>, _ milliseconds: UInt64
    ) {
        let known = ledger.pairs(of: id).filter { ledger.entry($0)?.isShown ?? false }
            .compactMap { $0.partner(of: id, side) }
        for partner in partners.symmetricDifference(known).sorted() {
            let key = ItemKey.pair(side, id, partner)
            let isPresent = partners.contains(partner)
            let stamp = ledger.tick(milliseconds)
            // With one stamp, whatever wins over one of them wins over the other.
            for key in schema.images(of: key) { set(isPresent, key, side.name, stamp, milliseconds) }
        }
    }

    private mutating func set(
        _ isPresent: Bool, _ key: ItemKey, _ name: String, _ stamp: Stamp, _ milliseconds: UInt64
    ) {
        var entry =
            ledger.entry(key) ?? LedgerEntry(entity: name, existence: Existence(length: 1, stamp: stamp))
        entry.isShown = isPresent
        ledger.set(entry, for: key)
        set(.boolean(isPresent), ItemState.presence, key, stamp, milliseconds)
    }

    private mutating func readOrder(
        of owner: SyncID, _ row: CapturedRow, _ relationship: String, _ known: [OrderedMember],
        _ register: String, _ key: (SyncID) -> ItemKey
    ) {
        guard let locals = row.lists[relationship] else { return }
        let members = locals.compactMap { ledger.id(of: $0) }
        place(members, of: owner, known, register, row.milliseconds, key)
    }

    /// Gives members that do not stand where the ledger knows them a place, which is a register of an item that `key`
    /// returns.
    mutating func place(
        _ members: [SyncID], of owner: SyncID, _ known: [OrderedMember], _ register: String,
        _ milliseconds: UInt64, _ key: (SyncID) -> ItemKey
    ) {
        guard known.map(\.id) != members else { return }
        let current = Dictionary(
            known.compactMap { member in member.key(in: owner).map { (member.id, $0) } },
            uniquingKeysWith: { $1 })
        let changes = OrderPlan.changes(members: members, current: current, by: ledger.header.replica)
        for (member, place) in changes.sorted(by: { $0.key < $1.key }) {
            // Two members may be merged into one, so that their places need stamps of their own.
            let stamp = ledger.tick(milliseconds)
            set(.position(owner: owner, key: place), register, key(member), stamp, milliseconds)
        }
    }
}

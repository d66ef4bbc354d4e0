/// The order of members as a ledger knows it.
struct LedgerOrder<Ledger: LedgerReading> {
    let ledger: Ledger

    /// Returns the members of an owner that the store shows, in their order.
    func members(of owner: SyncID, _ rule: CollectionRule) -> [OrderedMember] {
        members(of: owner, rule) { id, register in
            ledger.entry(.object(id))?.local != nil && register.shown != SyncValue.null.stableHash
        }
    }

    /// Returns those members of an owner that count, in their order.
    func members(
        of owner: SyncID, _ rule: CollectionRule, where counts: (SyncID, LedgerRegister) -> Bool
    ) -> [OrderedMember] {
        let members = allReferrers(of: owner).compactMap { id -> OrderedMember? in
            guard let entry = ledger.entry(.object(id)), let register = entry.registers[rule.reference],
                let target = register.kept?.reference, ledger.resolved(target) == owner, counts(id, register)
            else { return nil }
            let position = entry.registers[SchemaCompiler.position(rule.reference)]?.kept ?? .null
            return OrderedMember(id: id, position: position, joined: register.stamp)
        }
        return OrderedMember.sorted(members, in: owner)
    }

    /// Returns the partners of an object that the store shows on a side of a many-to-many relationship, in their
    /// order.
    func partners(of object: SyncID, _ side: PairSide) -> [OrderedMember] {
        let partners = ledger.pairs(of: object).compactMap { key -> OrderedMember? in
            guard let partner = key.partner(of: object, side), let entry = ledger.entry(key), entry.isShown
            else { return nil }
            return OrderedMember(
                id: partner, position: entry.registers[side.place]?.kept ?? .null,
                joined: entry.registers[ItemState.presence]?.stamp ?? .never)
        }
        return OrderedMember.sorted(partners, in: object)
    }

    /// Returns the objects that refer to one, or to one that was merged into it.
    func allReferrers(of target: SyncID) -> Set<SyncID> {
        var result: Set<SyncID> = []
        for id in ledger.referrers(of: target) {
            if ledger.entry(.object(id))?.alias == target { result.formUnion(allReferrers(of: id)) }
            result.insert(id)
        }
        return result
    }
}

extension LedgerEntry {
    /// Whether the ledger has all that was received of an item, and the store shows it. So it is with what the device has
    /// pushed itself, unless somebody else has written, too.
    func has(_ item: InboxItem, as key: ItemKey) -> Bool {
        let state = item.state
        guard !item.isDropped, held.isEmpty, entity == state.entity, existence == state.existence,
            created == state.created,
            // What else is the survivor's of a merged object is found when that is imported.
            alias == nil, state.alias == nil,
            key.object == nil ? isShown == isPresent : isAlive == (local != nil)
        else { return false }
        let isComplete =
            !item.isWhole || registers.allSatisfy { !$1.isDigested || state.registers[$0] != nil }
        return isComplete && state.registers.allSatisfy { registers[$0]?.shows($1, as: key) ?? false }
    }
}

extension LedgerRegister {
    fileprivate func shows(_ register: Register, as key: ItemKey) -> Bool {
        switch register {
        case .counter(let counter): self.counter == counter && shown == counter.sum.stableHash
        case .value(let value, let stamp):
            self.stamp == stamp && self.counter == nil && (kept.map { $0 == value } ?? true)
                && (isShownOtherwise(value, as: key) || shown == value.stableHash)
        }
    }

    /// Whether hashes say nothing of a value: the presence of a pair, and places in an order.
    private func isShownOtherwise(_ value: SyncValue, as key: ItemKey) -> Bool {
        if case .position = value { true } else { key.object == nil }
    }
}

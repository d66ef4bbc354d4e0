/// Which objects the store will show.
extension ImportPlanner {
    /// Returns the received objects and those whose look depends on whether these are shown.
    mutating func affectedObjects() -> [SyncID] {
        var affected: Set<SyncID> = []
        var waiting = Set(merged.entries.keys.compactMap(\.object)).union(ledger.header.kept)
            .union(ledger.header.parked)
        while !waiting.isEmpty {
            affected.formUnion(waiting)
            loadReferrers(of: waiting)
            while let id = waiting.popFirst() {
                for referrer in movedReferrers(of: id) where affected.insert(referrer).inserted {
                    waiting.insert(referrer)
                }
            }
            for id in affected { shows[id] = isWanted(id) }
            hideIncomplete(affected)
            // An object that goes without being deleted takes itself from what refers to it, too.
            for id in affected where shows[id] == false && merged.entry(.object(id))?.isAlive ?? false {
                waiting.formUnion(referrers(of: id).subtracting(affected))
            }
        }
        keepNeeded(affected)
        return affected.sorted()
    }

    /// Has the ledger read the referrers that are asked for next.
    private func loadReferrers(of ids: Set<SyncID>) {
        ledger.load(WorkingSet(referrers: ids.filter(isMoved)))
    }

    /// Returns the objects that refer to one which comes, goes, or is another one of the store from now on.
    private func movedReferrers(of id: SyncID) -> Set<SyncID> { isMoved(id) ? referrers(of: id) : [] }

    private func isMoved(_ id: SyncID) -> Bool {
        let was = ledger.entry(.object(id))
        let new = merged.entry(.object(id))
        return new?.local != was?.local || new?.alias != was?.alias || ledger.header.kept.contains(id)
            || new?.isAlive ?? false != (was?.local != nil)
    }

    private func referrers(of id: SyncID) -> Set<SyncID> { LedgerOrder(ledger: merged).allReferrers(of: id) }

    /// Whether an object is to be shown if what it needs is. What the store does not take changes nothing there:
    /// it neither makes an object nor deletes one.
    private mutating func isWanted(_ id: SyncID) -> Bool {
        let entry = merged.entry(.object(id))
        let isAlive = entry?.isAlive ?? false
        guard rejected.contains(id) else { return isAlive }
        let isThere = entry?.local != nil
        if isThere, !isAlive { kept.insert(id) }
        return isThere
    }

    private mutating func hideIncomplete(_ affected: Set<SyncID>) {
        var isStable = false
        while !isStable {
            isStable = true
            for id in affected where shows[id] == true && !isComplete(id) {
                shows[id] = false
                isStable = false
            }
        }
    }

    /// Leaves deleted objects in the store as long as something new there cannot be without them. The server
    /// decides about both once it has heard of it.
    private mutating func keepNeeded(_ affected: Set<SyncID>) {
        var isStable = false
        while !isStable {
            isStable = true
            for id in affected.subtracting(kept)
            where !isShown(id) && merged.entry(.object(id))?.local != nil && isNeeded(id) {
                kept.insert(id)
                shows[id] = true
                isStable = false
            }
        }
    }

    private func isNeeded(_ id: SyncID) -> Bool {
        referrers(of: id).contains { referrer in
            guard isShown(referrer), let entry = merged.entry(.object(referrer)) else { return false }
            return schema.entities[entry.entity]?.references.contains { reference in
                !reference.rule.isOptional
                    && entry.registers[reference.name]?.kept?.reference.map { merged.resolved($0) } == id
            } ?? false
        }
    }

    func isShown(_ id: SyncID) -> Bool {
        shows[id] ?? (merged.entry(.object(id))?.local != nil)
    }

    /// Whether the targets are shown that an object cannot be without. One that is shown already stays as long
    /// as it has targets: the server deletes what cannot be.
    private func isComplete(_ id: SyncID) -> Bool {
        guard let entry = merged.entry(.object(id)), let entity = schema.entities[entry.entity] else {
            return false
        }
        return entity.references.allSatisfy { reference in
            guard !reference.rule.isOptional else { return true }
            guard let target = entry.registers[reference.name]?.kept?.reference else { return false }
            return entry.local != nil || isShown(merged.resolved(target))
        }
    }
}

/// Stamps of a device's own edits.
extension SyncLedger {
    /// Returns a wall clock's time as the server's clock would have it.
    func corrected(_ milliseconds: UInt64) -> UInt64 {
        UInt64(clamping: Int64(clamping: milliseconds).addingReportingOverflow(header.offset).partialValue)
    }

    /// Returns a stamp for an edit: later than all that were given and received.
    mutating func tick(_ milliseconds: UInt64) -> Stamp {
        var clock = HybridClock(last: max(header.last, header.received))
        header.last = clock.tick(milliseconds: corrected(milliseconds))
        return Stamp(time: header.last, replica: header.replica)
    }

    mutating func receive(_ stamp: Stamp) {
        header.received = max(header.received, stamp.time)
    }

    /// Stamps all edits again that the server has not taken, by the clock as it is corrected now, as writes
    /// of a replica. Their order stays, and each stays later than what it replaced.
    mutating func restamp(now: UInt64) {
        let latest = corrected(now)
        var changes = takeUnanswered()
        var clock = HybridClock(last: header.received)
        var stamps: [Stamp: Stamp] = [:]
        let groups = Dictionary(grouping: changes.filter { !$0.change.isRelayed }) { $0.change.stamp }
        for (old, group) in groups.sorted(by: { $0.key < $1.key }) {
            let edited = group.map { min(corrected($0.milliseconds), latest) }.max() ?? 0
            stamps[old] = Stamp(time: clock.tick(milliseconds: edited), replica: header.replica)
        }
        header.last = clock.last
        replace(stamps, in: &changes)
        pending = PendingChanges(changes)
    }

    /// Stamps all edits again if one of them lies ahead of the server's clock: a device with the same ID had to
    /// stamp it again, too, before the server took it. What was sent stays together.
    mutating func restampAhead(now: UInt64) {
        let latest = corrected(now)
        let isAhead = unanswered.contains {
            !$0.change.isRelayed && $0.change.stamp.time.milliseconds > latest
        }
        guard isAhead else { return }
        let sent = header.frozen.count
        restamp(now: now)
        header.frozen = pending.takeFirst(sent)
    }

    /// Takes another replica's ID for this device and its edits that the server has not taken, since another
    /// device has the old one. Times stay, so that the server can tell what it may have forgotten.
    mutating func rename(to replica: ReplicaID) {
        var changes = takeUnanswered()
        header.replica = replica
        var stamps: [Stamp: Stamp] = [:]
        for stamp in changes.filter({ !$0.change.isRelayed }).map(\.change.stamp) {
            stamps[stamp] = Stamp(time: stamp.time, replica: replica)
        }
        replace(stamps, in: &changes)
        for index in changes.indices { changes[index].markCreation() }
        pending = PendingChanges(changes)
    }

    /// Leaves the totals of counters that were sent to the replica that sent them, so that they count once,
    /// however often they come.
    mutating func keepTotals() {
        for index in header.frozen.indices {
            if case .count = header.frozen[index].change.edit { header.frozen[index].change.isRelayed = true }
        }
    }

    /// Takes the changes that the server has not answered, which are to be pushed anew.
    mutating func takeUnanswered() -> [PendingChange] {
        defer { header.frozen = [] }
        return unanswered
    }

    private mutating func replace(_ stamps: [Stamp: Stamp], in changes: inout [PendingChange]) {
        var sums: [ItemRegister: SyncValue] = [:]
        load(WorkingSet(entries: changes.lazy.map(\.change.item)))
        for index in changes.indices where !changes[index].change.isRelayed {
            replace(stamps, in: &changes[index], &sums)
        }
    }

    private mutating func replace(
        _ stamps: [Stamp: Stamp], in pending: inout PendingChange, _ sums: inout [ItemRegister: SyncValue]
    ) {
        let old = pending.change.stamp
        let new = stamps[old] ?? old
        let item = pending.change.item
        pending.change.stamp = new
        pending.change.base = pending.change.base.map { stamps[$0] ?? $0 }
        if let time = pending.addition?.before?.time {
            let before = Stamp(time: time, replica: old.replica)
            if let after = stamps[before], after.replica == old.replica {
                pending.addition?.before?.time = after.time
            }
        }
        guard var entry = entry(item) else { return }
        if case .count(let name, _) = pending.change.edit, let addition = pending.addition {
            var parts = entry.registers[name]?.counter?.parts ?? [:]
            let register = ItemRegister(item: item, name: name)
            if old.replica != new.replica {
                if sums[register] == nil { parts[old.replica] = addition.before }
                let sum = Counter.sum(sums[register] ?? .integer(0), addition.amount) ?? addition.amount
                sums[register] = sum
                pending.change.edit = .count(name, sum)
                pending.addition?.before = parts[new.replica]
            }
            parts[new.replica] = Counter.Part(total: pending.change.value, time: new.time)
            entry.registers[name]?.counter = Counter(parts)
        }
        if let name = pending.change.register {
            if entry.registers[name]?.stamp == old { entry.registers[name]?.stamp = new }
        } else if entry.existence.stamp == old {
            entry.existence.stamp = new
        }
        if entry.created == old { entry.created = new }
        set(entry, for: item)
    }
}

extension PendingChange {
    /// Notes that the server may have heard of the making of an object, from the same edit on another way.
    mutating func markCreation() {
        if change.edit.isCreation { change.isRelayed = true }
    }
}

/// A register of an item.
struct ItemRegister: Hashable {
    var item: ItemKey
    var name: String
}

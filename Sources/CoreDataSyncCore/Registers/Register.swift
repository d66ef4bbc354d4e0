/// The smallest unit that is merged: an attribute or a group of them, a reference, a place in an order, the
/// presence of a pair.
package enum Register: Hashable, Sendable, DigestedRegister {
    case value(SyncValue, Stamp)
    case counter(Counter)

    /// The stamp of the latest write.
    package var stamp: Stamp {
        switch self {
        case .value(_, let stamp): stamp
        case .counter(let counter): counter.stamp
        }
    }

    /// What an app sees.
    package var value: SyncValue {
        switch self {
        case .value(let value, _): value
        case .counter(let counter): counter.sum
        }
    }

    /// Returns what an object contributes to the one that it is merged into.
    func inherited(from id: SyncID) -> Register {
        if case .counter(let counter) = self { .counter(counter.inherited(from: id)) } else { self }
    }

    /// Returns the merge of two states, which does not depend on their order, nor on how often either came.
    package func merged(with other: Register, _ rule: MergeRule) -> Register {
        switch (self, other) {
        case (.counter(let first), .counter(let second)): .counter(first.merged(with: second))
        // The schema has another rule now than when one of them was written; the state by replicas has more.
        case (.counter, .value): self
        case (.value, .counter): other
        case (.value(let value, let stamp), .value(let otherValue, let otherStamp)):
            Self.wins(otherValue, otherStamp, over: value, stamp, rule) ? other : self
        }
    }

    private static func wins(
        _ value: SyncValue, _ stamp: Stamp, over present: SyncValue, _ presentStamp: Stamp, _ rule: MergeRule
    ) -> Bool {
        switch rule {
        case .max where value != present: return value > present
        case .min where value != present: return isBelow(value, present)
        case .first where stamp != presentStamp: return stamp < presentStamp
        default: break
        }
        // Equal stamps of different values are no honest replica's; the value decides, so that all agree.
        // Of the presence and absence of a pair it is the presence.
        return stamp != presentStamp ? stamp > presentStamp : value > present
    }

    /// Whether a value is the smaller one. Null, which is no value yet, is not.
    private static func isBelow(_ value: SyncValue, _ present: SyncValue) -> Bool {
        present.isNull || (!value.isNull && value < present)
    }

    package var isDigested: Bool { true }

    package var fingerprint: UInt64 {
        var hash = CanonicalHash()
        switch self {
        case .value(_, let stamp): hash.append(stamp)
        case .counter(let counter): counter.append(to: &hash)
        }
        return hash.value
    }
}

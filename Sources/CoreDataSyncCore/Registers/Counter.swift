import Foundation

/// A number that each replica adds to, kept as one total a replica; a replica's later total replaces
/// its earlier one.
package struct Counter: Hashable, Sendable {
    package struct Part: Hashable, Sendable {
        /// What the replica has added in all: an integer or a decimal.
        package var total: SyncValue
        /// When it last added.
        package var time: HybridTime

        package init(total: SyncValue, time: HybridTime) {
            self.total = total
            self.time = time
        }
    }

    package private(set) var parts: [ReplicaID: Part]

    package init(_ parts: [ReplicaID: Part] = [:]) {
        self.parts = parts
    }

    package var stamp: Stamp {
        parts.map { Stamp(time: $0.value.time, replica: $0.key) }.max() ?? .never
    }

    /// The sum of all parts. It stops at the least and the greatest number and never wraps.
    ///
    /// Integers are added in the order of their size from both ends, so that the sum does not depend on the
    /// order of replicas even where a partial sum would overflow.
    package var sum: SyncValue {
        let totals = parts.values.map(\.total)
        let decimals = totals.compactMap { if case .decimal(let value) = $0 { value.decimal } else { nil } }
        let integers = totals.compactMap { if case .integer(let value) = $0 { value } else { nil } }
        if decimals.isEmpty { return .integer(Self.saturatedSum(integers)) }
        let sum = (decimals + integers.map { Decimal($0) }).sorted().reduce(Decimal(0), +)
        return CanonicalDecimal(sum).map(SyncValue.decimal) ?? .null
    }

    private static func saturatedSum(_ integers: [Int64]) -> Int64 {
        var negative = integers.filter { $0 < 0 }
        var positive = integers.filter { $0 > 0 }
        // Taking from the side that the sum leans away from never overflows unless the whole sum does.
        var sum: Int64 = 0
        while let next = sum > 0
            ? negative.popLast() ?? positive.popLast() : positive.popLast() ?? negative.popLast()
        {
            let (result, overflow) = sum.addingReportingOverflow(next)
            if overflow { return next < 0 ? .min : .max }
            sum = result
        }
        return sum
    }

    package func merged(with other: Counter) -> Counter {
        Counter(
            parts.merging(other.parts) { first, second in
                if first.time != second.time { return first.time > second.time ? first : second }
                return first.total > second.total ? first : second
            })
    }

    /// Returns the counter of an object as a part of that of the object which it is merged into. A replica may
    /// have added to both, so its part of this one gets an ID of its own, the same on all ways.
    func inherited(from id: SyncID) -> Counter {
        let moved = parts.map { replica, part in
            (replica.isDerived ? replica : SyncID(entity: "", identity: [.uuid(id), .uuid(replica)]), part)
        }
        return Counter(Dictionary(uniqueKeysWithValues: moved))
    }

    func append(to hash: inout CanonicalHash) {
        for (replica, part) in parts.sorted(by: { $0.key < $1.key }) {
            hash.append(Stamp(time: part.time, replica: replica))
            hash.append(part.total)
        }
    }

    /// Returns the difference of two values of a counter, saturated; nil if one is no number.
    package static func difference(_ value: SyncValue, _ base: SyncValue) -> SyncValue? {
        switch (value, base) {
        case (.integer(let value), .integer(let base)):
            let (result, overflow) = value.subtractingReportingOverflow(base)
            return .integer(overflow ? (value > base ? .max : .min) : result)
        case (.integer, .null), (.decimal, .null): return value
        case (.null, .null): return .integer(0)
        default:
            guard let value = decimal(value), let base = decimal(base) else { return nil }
            return CanonicalDecimal(value - base).map(SyncValue.decimal)
        }
    }

    /// Returns a total after something was added to it, saturated; nil if one is no number.
    package static func sum(_ total: SyncValue, _ added: SyncValue) -> SyncValue? {
        switch (total, added) {
        case (.integer(let total), .integer(let added)): return .integer(saturatedSum([total, added]))
        default:
            guard let total = decimal(total), let added = decimal(added) else { return nil }
            return CanonicalDecimal(total + added).map(SyncValue.decimal)
        }
    }

    private static func decimal(_ value: SyncValue) -> Decimal? {
        switch value {
        case .null: 0
        case .integer(let value): Decimal(value)
        case .decimal(let value): value.decimal
        default: nil
        }
    }
}

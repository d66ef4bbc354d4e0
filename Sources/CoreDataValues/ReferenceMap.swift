/// A table of the current references of objects by their former ones, which are mostly the temporary
/// references of a save.
///
/// A save looks up every row several times. `Dictionary` makes this expensive, because its hashing resists
/// attackers, which is not needed here: the framework chooses the keys. Temporary keys are handed out in
/// descending order, so that those of a save lie in a range with few gaps; an array holds them by their
/// distance from the first. A dictionary holds the keys that are too far away. Entries are never removed.
@usableFromInline
package struct ReferenceMap: Sendable, ExpressibleByDictionaryLiteral {
    /// An entry of the array; vacant if `entity` is negative.
    @frozen @usableFromInline
    struct Entry: Sendable {
        @usableFromInline let entity: EntityIndex
        @usableFromInline let current: ObjectReference

        @usableFromInline
        init(entity: EntityIndex, current: ObjectReference) {
            self.entity = entity
            self.current = current
        }

        static let vacant = Entry(entity: -1, current: ObjectReference(entity: -1, key: 0))
    }

    /// The entries by their distance below `first`, since temporary keys descend.
    @usableFromInline var entries: ContiguousArray<Entry> = []
    @usableFromInline var first: Int64 = 0
    @usableFromInline var others: [ObjectReference: ObjectReference] = [:]
    @usableFromInline package private(set) var count = 0

    package init(minimumCapacity: Int = 0) {
        if minimumCapacity > 0 { entries.reserveCapacity(minimumCapacity) }
    }

    @usableFromInline
    package init(dictionaryLiteral elements: (ObjectReference, ObjectReference)...) {
        for (former, current) in elements { self[former] = current }
    }

    @inlinable package var isEmpty: Bool { count == 0 }

    @inlinable
    package subscript(former: ObjectReference) -> ObjectReference? {
        get {
            let index = first.subtractingReportingOverflow(former.key)
            if !index.overflow, index.partialValue >= 0, index.partialValue < entries.count {
                let entry = entries[Int(truncatingIfNeeded: index.partialValue)]
                if entry.entity == former.entity { return entry.current }
            }
            return others.isEmpty ? nil : others[former]
        }
        set {
            guard let newValue else { preconditionFailure("entries are never removed") }
            set(former, newValue)
        }
    }

    /// Returns the current reference, which is the given one if the table has no entry for it.
    @inlinable
    package func current(_ reference: ObjectReference) -> ObjectReference {
        isEmpty ? reference : self[reference] ?? reference
    }

    @usableFromInline
    mutating func set(_ former: ObjectReference, _ current: ObjectReference) {
        if count == 0 { first = former.key }
        let index = first.subtractingReportingOverflow(former.key)
        // The limit allows gaps for as many keys again, which other objects may have got meanwhile.
        guard !index.overflow, index.partialValue >= 0, index.partialValue < 2 * count + 64 else {
            return setOther(former, current)
        }
        let position = Int(truncatingIfNeeded: index.partialValue)
        let entry = Entry(entity: former.entity, current: current)
        if position == entries.count {
            entries.append(entry)
        } else {
            while entries.count <= position { entries.append(.vacant) }
            guard entries[position].entity < 0 || entries[position].entity == former.entity else {
                return setOther(former, current)
            }
            if entries[position].entity == former.entity { count -= 1 }
            entries[position] = entry
        }
        count += 1
        if !others.isEmpty, others.removeValue(forKey: former) != nil { count -= 1 }
    }

    private mutating func setOther(_ former: ObjectReference, _ current: ObjectReference) {
        if others.updateValue(current, forKey: former) == nil { count += 1 }
    }

    package func forEach(_ body: (_ former: ObjectReference, _ current: ObjectReference) -> Void) {
        for (index, entry) in entries.enumerated() where entry.entity >= 0 {
            body(ObjectReference(entity: entry.entity, key: first - Int64(index)), entry.current)
        }
        for (former, current) in others { body(former, current) }
    }
}

import CoreDataModelFormat
import CoreDataValues

/// A many-to-many relationship and its inverse. The join table bears the name of `master`.
struct JoinPair {
    let master: PropertySlot
    let detail: PropertySlot

    /// Whether the relationship is its own inverse.
    var isReflexive: Bool { PropertyID(master) == PropertyID(detail) }
}

/// The many-to-many pairs of a model, with their masters (sqlite-store §8).
struct JoinPairs {
    let model: CompiledModel
    let numbers: EntityNumbers

    func pairs() -> [JoinPair] {
        var seen: Set<PropertyID> = []
        var result: [JoinPair] = []
        for entity in numbers.ordered {
            for slot in model[entity].slots
            where slot.declaringEntity == entity && slot.isToMany && !slot.isTransient {
                guard seen.insert(PropertyID(slot)).inserted,
                    let inverse = slot.relationship.flatMap(model.inverse), inverse.isToMany,
                    !inverse.isTransient, numbers[inverse.declaringEntity] != nil
                else { continue }
                seen.insert(PropertyID(inverse))
                result.append(
                    isMaster(slot, over: inverse)
                        ? JoinPair(master: slot, detail: inverse)
                        : JoinPair(master: inverse, detail: slot))
            }
        }
        return result
    }

    /// Returns whether a side is the master: the entity with subentities wins, then the lower number; within
    /// one entity the last name.
    private func isMaster(_ left: PropertySlot, over right: PropertySlot) -> Bool {
        let (a, b) = (model[left.declaringEntity], model[right.declaringEntity])
        if a.index == b.index { return !left.name.precedesByCodePoint(right.name) }
        if a.hasSubentities != b.hasSubentities { return a.hasSubentities }
        return numbers[a.index]! < numbers[b.index]!
    }
}

/// A join table with the relationships it stores. Its first column has the keys of the rows of the master's
/// entity.
struct JoinLayout {
    let table: JoinTable
    let pair: JoinPair
    /// The column for the positions of detail rows in the master's relationship. `detailOrder` is the column
    /// for the positions of master rows in the inverse.
    let masterOrder: SQLIdentifier?
    let detailOrder: SQLIdentifier?

    /// Returns the table as storage of one of its relationships.
    func storage(from side: PropertyID) -> ToManyStorage {
        let isMaster = side == PropertyID(pair.master)
        return .join(
            table: table.name,
            ownerColumn: isMaster ? table.firstColumn : table.secondColumn,
            memberColumn: isMaster ? table.secondColumn : table.firstColumn,
            orderColumn: isMaster ? masterOrder : detailOrder,
            isReflexive: pair.isReflexive)
    }
}

/// The compiler of the join tables of a new store.
struct JoinCompiler {
    let model: CompiledModel
    let numbers: EntityNumbers
    let dialect: any SchemaDialect

    /// Returns the join tables.
    ///
    /// - Parameter names: The names that tables have already.
    func layouts(_ names: inout NameScope) -> [JoinLayout] {
        let suffixes = columnSuffixes()
        var result: [JoinLayout] = []
        for pair in JoinPairs(model: model, numbers: numbers).pairs() {
            let master = pair.master
            let name = names.claim(table: NameMangling.join(numbers[master.declaringEntity]!, master.name))
            result.append(layout(pair, name, suffixes))
        }
        return result
    }

    private func layout(
        _ pair: JoinPair, _ name: SQLIdentifier, _ suffixes: [PropertyID: String]
    ) -> JoinLayout {
        let (master, detail) = (pair.master, pair.detail)
        var columns = NameScope(in: dialect)
        let first = columns.claim(column(to: master, named: detail, suffixes))
        let second = columns.claim(
            pair.isReflexive ? NameMangling.reflexive : column(to: detail, named: master, suffixes))
        let masterOrder = order(master, second, &columns)
        let detailOrder = pair.isReflexive ? masterOrder : order(detail, first, &columns)
        return JoinLayout(
            table: JoinTable(
                name: name, firstColumn: first, secondColumn: second,
                orderColumns: pair.isReflexive
                    ? [masterOrder].compactMap { $0 } : [masterOrder, detailOrder].compactMap { $0 },
                master: master.declaringEntity, masterSlot: master.index),
            pair: pair, masterOrder: masterOrder, detailOrder: detailOrder)
    }

    private func order(
        _ slot: PropertySlot, _ column: SQLIdentifier, _ columns: inout NameScope
    ) -> SQLIdentifier? {
        guard let relationship = slot.relationship, relationship.isOrdered else { return nil }
        return columns.claim(NameMangling.joinOrderColumn(column))
    }

    /// Returns the column that points to the rows of `side`'s entity, named by the relationship that leads to
    /// them.
    private func column(
        to side: PropertySlot,
        named inverse: PropertySlot,
        _ suffixes: [PropertyID: String]
    ) -> SQLIdentifier {
        NameMangling.join(
            numbers[side.declaringEntity]!, inverse.name + (suffixes[PropertyID(side)] ?? ""))
    }

    /// Returns the suffixes of the columns of relationships whose entity has several with equal inverse
    /// names, numbered in the order of their own names.
    private func columnSuffixes() -> [PropertyID: String] {
        var counts: [SQLIdentifier: Int] = [:]
        var result: [PropertyID: String] = [:]
        for entity in numbers.ordered {
            for slot in model[entity].slots where slot.declaringEntity == entity && slot.isToMany {
                guard let inverse = slot.relationship.flatMap(model.inverse), inverse.isToMany,
                    !inverse.isTransient, !slot.isTransient
                else { continue }
                let name = NameMangling.join(numbers[entity]!, inverse.name)
                let count = counts[name, default: 0]
                if count > 0 { result[PropertyID(slot)] = String(count) }
                counts[name] = count + 1
            }
        }
        return result
    }
}

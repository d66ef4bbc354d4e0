import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The derived attributes of a store that are made of other rows, which a write keeps up to date itself.
///
/// Around its own statements a write runs these, all in the same round trip:
///
/// 1. Members that others could still change are locked, and the owners that the write is about to leave
///    are noted.
/// 2. After the write, all owners whose values may have changed are locked, in the order of their keys.
/// 3. Their values are computed, by one statement however many they are.
///
/// A write that changes members of the same owner at the same time waits at 2 and computes after the other's
/// commit, when each statement sees what is committed by then: so none is forgotten. The keys of owners are
/// handed on from statement to statement in settings that end with the transaction.
package struct DerivedTotals: Sendable {
    /// The totals. One that is made of values that others derive comes after them.
    private let totals: [DerivedTotal]

    /// Makes the totals; nil if the store has none.
    init?(_ schema: StoreSchema, _ dialect: PostgreSQLDialect) {
        var totals: [DerivedTotal] = []
        for table in schema.entities.compactMap({ $0 }) {
            let entity = schema.model[table.entity]
            for relationship in entity.slots where relationship.relationship != nil {
                guard var total = DerivedTotal(relationship, of: entity, in: schema) else { continue }
                for slot in entity.columns where slot.declaringEntity == entity.index {
                    guard let derivation = Derivation(slot, of: entity, in: schema.model),
                        derivation.relationship?.index == relationship.index
                    else { continue }
                    _ = total.add(derivation, slot, in: schema, dialect)
                }
                if !total.values.isEmpty { totals.append(total) }
            }
        }
        if totals.isEmpty { return nil }
        self.totals = Self.sorted(totals)
    }

    /// Returns whether a derived attribute can be computed.
    static func computes(
        _ derivation: Derivation, _ slot: PropertySlot, of entity: CompiledEntity, in schema: StoreSchema,
        _ dialect: PostgreSQLDialect
    ) -> Bool {
        guard let relationship = derivation.relationship,
            var total = DerivedTotal(relationship, of: entity, in: schema)
        else { return false }
        return total.add(derivation, slot, in: schema, dialect)
    }

    /// Returns totals in an order in which each comes after those that it is made of. In a circle, one of them
    /// does not.
    private static func sorted(_ totals: [DerivedTotal]) -> [DerivedTotal] {
        var (sorted, seen): ([DerivedTotal], Set<Int>) = ([], [])
        func visit(_ index: Int) {
            guard seen.insert(index).inserted else { return }
            for other in totals.indices where totals[index].isMade(of: totals[other]) { visit(other) }
            sorted.append(totals[index])
        }
        for index in totals.indices { visit(index) }
        return sorted
    }

    /// Returns whether totals have owners or members of the entities.
    func concern(_ entities: some Sequence<EntityIndex>) -> Bool {
        entities.contains { entity in
            totals.contains { $0.owner.includes(entity) || $0.member.includes(entity) }
        }
    }

    /// Returns whether an update of rows has them leave owners.
    func losesOwners(_ write: TouchedRows) -> Bool { totals.contains { !$0.left(by: write).isEmpty } }

    // MARK: Steps

    /// Returns the steps before a write.
    func stepsBefore(_ write: TouchedRows) -> [WriteStep] {
        var (locks, notes): ([WriteStep], [WriteStep]) = ([], [])
        for (number, total) in totals.enumerated() {
            let left = total.left(by: write)
            guard !left.isEmpty else { continue }
            locks += total.locks(before: write)
            let setting = Setting(.left, number)
            let all = (left + [setting.keys.rows]).joined(separator: " UNION ")
            notes.append(.run("SELECT \(setting.set(to: all))", changing: nil))
        }
        return locks + notes
    }

    /// Returns the steps after a write.
    func stepsAfter(_ write: TouchedRows) -> [WriteStep] {
        var steps: [WriteStep] = []
        var computed: [Int] = []
        for (number, total) in totals.enumerated() {
            let owners = Setting(.owners, number)
            var changed = total.changed(by: write)
            for other in computed where total.isMade(of: totals[other]) {
                changed.append(total.owners(of: Setting(.owners, other).keys))
            }
            if changed.isEmpty, total.left(by: write).isEmpty { continue }
            computed.append(number)
            let left = Setting(.left, number)
            let all = (changed + [left.keys.rows]).joined(separator: " UNION ")
            let locked: SQLFragment = """
                SELECT e.Z_PK FROM \(total.owners) AS e WHERE e.Z_PK = ANY (ARRAY(\(all))) \
                ORDER BY e.Z_PK FOR UPDATE
                """
            steps.append(.run("SELECT \(owners.set(to: locked)), \(left.cleared)", changing: nil))
            if let lock = total.lockOfMembers(of: owners.keys) { steps.append(.run(lock, changing: nil)) }
            steps.append(.run(total.computation(owners.keys), changing: total.owners))
        }
        return steps
    }

    /// The setting of a transaction that has keys of a total's owners.
    private struct Setting {
        enum Purpose: String {
            /// Owners that members have left, whose values are not computed yet.
            case left
            /// Owners whose values are computed.
            case owners
        }

        let name: String

        init(_ purpose: Purpose, _ number: Int) { name = "opencoredata.\(purpose.rawValue)_\(number)" }

        /// The keys; none before any are set. After a transaction that has set them, the server has an empty
        /// text.
        var keys: TouchedRows.Keys {
            .array("CAST(NULLIF(current_setting(\(quoting: name), true), '') AS bigint[])")
        }

        func set(to keys: SQLFragment) -> SQLFragment {
            "set_config(\(quoting: name), CAST(ARRAY(\(keys)) AS text), true)"
        }

        var cleared: SQLFragment { "set_config(\(quoting: name), '', true)" }
    }
}

extension DerivedTotal {
    /// Returns whether its values are made of some that another total derives.
    fileprivate func isMade(of other: DerivedTotal) -> Bool {
        other.owners == members && other.values.contains { sources.contains($0.column) }
    }

    /// Returns steps that lock the members of a write whose versions it does not check, so that they have the
    /// owners that are read next until they are written.
    fileprivate func locks(before write: TouchedRows) -> [WriteStep] {
        var keys = write.rows.compactMap { rows -> TouchedRows.Keys? in
            guard case .delete(isChecked: false) = rows.change, member.includes(rows.entity) else {
                return nil
            }
            return rows.keys
        }
        if let set = setMembers(in: write) { keys.append(set) }
        return keys.map { keys in
            .run(
                """
                SELECT COUNT(*) FROM (SELECT 1 FROM \(members) WHERE \(keys.contain("Z_PK")) \
                ORDER BY Z_PK FOR UPDATE) AS l
                """, changing: nil)
        }
    }

    /// Returns the statement that keeps the members which owners copy from as they are; nil if the total has no
    /// copies. Owners of a member cannot be locked before they lead to it.
    fileprivate func lockOfMembers(of owners: TouchedRows.Keys) -> SQLFragment? {
        guard case .owner(let column, _) = link else { return nil }
        return """
            SELECT COUNT(*) FROM (SELECT 1 FROM \(members) WHERE Z_PK = ANY (ARRAY(SELECT \(column) \
            FROM \(self.owners) WHERE \(owners.contain("Z_PK")))) ORDER BY Z_PK FOR SHARE) AS l
            """
    }

    /// Returns the statement that computes the values of owners; it returns the keys of those whose values
    /// change.
    fileprivate func computation(_ owners: TouchedRows.Keys) -> SQLFragment {
        let names = values.indices.map { "c\($0)" as SQLText }
        let columns = zip(values, names)
        let cells = columns.map { "\($0.expression) AS \($1)" as SQLText }.joined(separator: ", ")
        let assignments = columns.map { "\($0.column) = n.\($1)" as SQLText }.joined(separator: ", ")
        let differ = columns.map { "t.\($0.column) IS DISTINCT FROM n.\($1)" as SQLText }
            .joined(separator: " OR ")
        // OFFSET 0 has each value computed once.
        return """
            UPDATE \(self.owners) AS t SET \(assignments) \
            FROM (SELECT o.Z_PK AS k, \(cells) FROM \(self.owners) AS o \
            WHERE \(owners.contain("o.Z_PK")) OFFSET 0) AS n \
            WHERE t.Z_PK = n.k AND (\(differ)) RETURNING t.Z_PK
            """
    }
}

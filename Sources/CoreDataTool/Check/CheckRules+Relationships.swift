import CoreDataModelFormat
import CoreDataSQL

extension CheckRules {
    @Sendable
    static func danglingReferences(_ store: CheckedStore) throws -> [Finding] {
        try findings(store.toOnes.map(\.column) + store.ownColumns, store) { column in
            (column.table, column.isDangling, { .danglingReference(column, count: $0) })
        }
    }

    @Sendable
    static func misdirectedReferences(_ store: CheckedStore) throws -> [Finding] {
        try findings(store.toOnes.map(\.column) + store.ownColumns, store) { column in
            (column.table, column.isMisdirected, { .misdirectedReference(column, count: $0) })
        }
    }

    @Sendable
    static func wrongEntityColumns(_ store: CheckedStore) throws -> [Finding] {
        try findings(store.toOnes.map(\.column).filter { $0.entityColumn != nil }, store) { column in
            (column.table, column.hasWrongEntity, { .wrongEntityColumn(column, count: $0) })
        }
    }

    /// Checks one-to-one relationships, the only ones that are stored on both sides.
    @Sendable
    static func oneSided(_ store: CheckedStore) throws -> [Finding] {
        let pairs = store.toOnes.compactMap { column, slot in
            store.inverse(of: slot).map { (column: column, inverse: $0) }
        }
        return try findings(pairs, store) { pair in
            (
                pair.column.table, pair.column.isOneSided(pair.inverse),
                { .oneSided(pair.column, inverse: pair.inverse, count: $0) }
            )
        }
    }

    @Sendable
    static func missingPositions(_ store: CheckedStore) throws -> [Finding] {
        try findings(store.orders, store) { column in
            (column.table, column.isWithoutPosition, { .missingPosition(column, count: $0) })
        }
    }

    @Sendable
    static func danglingMembers(_ store: CheckedStore) throws -> [Finding] {
        try findings(store.joins, store) { join in
            (join.table, join.isDangling, { .danglingMember(join, count: $0) })
        }
    }

    @Sendable
    static func misdirectedMembers(_ store: CheckedStore) throws -> [Finding] {
        try findings(store.joins, store) { join in
            (join.table, join.isMisdirected, { .misdirectedMember(join, count: $0) })
        }
    }

    /// Returns a finding for each subject that has rows meeting its condition.
    private static func findings<Subject>(
        _ subjects: [Subject], _ store: CheckedStore,
        _ question: (Subject) -> (table: SQLIdentifier, condition: SQLFragment, finding: (Int64) -> Finding)
    ) throws(SQLError) -> [Finding] {
        var findings: [Finding] = []
        for subject in subjects {
            let (table, condition, finding) = question(subject)
            let count = try store.connection.number(
                "SELECT COUNT(*) FROM \(table) t WHERE \(condition)")
            if count > 0 { findings.append(finding(count)) }
        }
        return findings
    }
}

package import CoreDataStore
package import CoreDataValues

/// The record of the rows that a migration has made from the source's rows. It is a table in a separate
/// database, so that the memory it takes does not grow with the rows.
///
/// Associations come in groups, one for each mapping. They are numbered by group, and within a group in the
/// order in which they were made, so that each group is a range of numbers.
package final class AssociationTable: AssociationRecord {
    private let connection: any SQLConnection
    private var lastOrder: Int64 = 0

    package init(on connection: any SQLConnection) throws(StoreError) {
        self.connection = connection
        try translating { () throws(SQLError) in
            // `isFirst`: whether the row is the first of its group with this destination.
            try connection.execute(
                """
                CREATE TABLE association (
                    number INTEGER PRIMARY KEY, source INTEGER, sourceEntity INTEGER,
                    destination INTEGER, destinationEntity INTEGER, isFirst INTEGER);
                CREATE INDEX association_source ON association (source, sourceEntity);
                CREATE INDEX association_destination ON association (destination, destinationEntity);
                """)
        }
    }

    package func close() { connection.close() }

    // MARK: Writing

    /// Notes an association, unless the group has it already.
    package func add(_ source: ObjectReference, _ destination: ObjectReference, group: Int) throws(StoreError)
    {
        let range = Self.numbers(of: group)
        let ends: [SQLValue] = [.integer(range.lowerBound), .integer(range.upperBound)]
        let (from, to) = (Self.columns(source), Self.columns(destination))
        try translating { () throws(SQLError) in
            let isFirst = try connection.count(SQLFragment(Self.isMade, bindings: to + ends)) == 0
            if !isFirst, try connection.count(SQLFragment(Self.isKnown, bindings: from + to + ends)) > 0 {
                return
            }
            lastOrder += 1
            try connection.run(
                SQLFragment(
                    "INSERT INTO association VALUES (?, ?, ?, ?, ?, ?)",
                    bindings: [.integer(range.lowerBound + lastOrder)] + from + to
                        + [.integer(isFirst ? 1 : 0)]))
        }
    }

    /// Replaces the reference of a destination by its present one.
    package func rename(_ old: ObjectReference, to new: ObjectReference) throws(StoreError) {
        try translating { () throws(SQLError) in
            try connection.run(
                SQLFragment(
                    "UPDATE association SET destination = ? WHERE destination = ? AND destinationEntity = ?",
                    bindings: [.integer(new.key)] + Self.columns(old)))
        }
    }

    /// Removes the associations of a destination that has been deleted.
    package func remove(_ destination: ObjectReference) throws(StoreError) {
        try translating { () throws(SQLError) in
            try connection.run(
                SQLFragment(
                    "DELETE FROM association WHERE destination = ? AND destinationEntity = ?",
                    bindings: Self.columns(destination)))
        }
    }

    // MARK: Reading

    /// Returns the destinations of a source in a group; if `group` is nil, those in all groups, group by
    /// group.
    package func destinations(
        of source: ObjectReference, group: Int?
    ) throws(StoreError) -> [ObjectReference] {
        try translating { () throws(SQLError) in
            try references(Self.destinations, source, group.map(Self.numbers) ?? 0..<Int64.max)
        }
    }

    package func sources(of destination: ObjectReference, group: Int) throws(StoreError) -> [ObjectReference]
    {
        try translating { () throws(SQLError) in
            try references(Self.sources, destination, Self.numbers(of: group))
        }
    }

    package func madeCount(in group: Int) throws(StoreError) -> Int {
        let range = Self.numbers(of: group)
        return try translating { () throws(SQLError) in
            try connection.count(
                SQLFragment(
                    "SELECT COUNT(*) FROM association WHERE number >= ? AND number < ? AND isFirst",
                    bindings: [.integer(range.lowerBound), .integer(range.upperBound)]))
        }
    }

    /// Returns the next destinations of a group in the order in which they were made.
    ///
    /// - Parameters:
    ///   - mark: The number at which the last call ended; 0 for the first call.
    ///   - limit: The greatest number of destinations to return.
    package func made(
        in group: Int, after mark: inout Int64, limit: Int
    ) throws(StoreError) -> [ObjectReference] {
        let range = Self.numbers(of: group)
        var result: [ObjectReference] = []
        var last = max(mark, range.lowerBound)
        try translating { () throws(SQLError) in
            let query = SQLFragment(
                """
                SELECT destination, destinationEntity, number FROM association \
                WHERE number > ? AND number < ? AND isFirst ORDER BY number LIMIT ?
                """,
                bindings: [.integer(last), .integer(range.upperBound), .integer(Int64(limit))])
            try connection.forEachRow(of: query) { row in
                result.append(Self.reference(row))
                last = row.integer(at: 2)
            }
        }
        mark = last
        return result
    }

    // MARK: Statements

    private static let isMade: SQLText = """
        SELECT EXISTS (SELECT 1 FROM association \
        WHERE destination = ? AND destinationEntity = ? AND number >= ? AND number < ?)
        """
    private static let isKnown: SQLText = """
        SELECT EXISTS (SELECT 1 FROM association WHERE source = ? AND sourceEntity = ? \
        AND destination = ? AND destinationEntity = ? AND number >= ? AND number < ?)
        """
    private static let destinations: SQLText = """
        SELECT destination, destinationEntity FROM association \
        WHERE source = ? AND sourceEntity = ? AND number >= ? AND number < ? ORDER BY number
        """
    private static let sources: SQLText = """
        SELECT source, sourceEntity FROM association \
        WHERE destination = ? AND destinationEntity = ? AND number >= ? AND number < ? ORDER BY number
        """

    private func references(
        _ sql: SQLText, _ of: ObjectReference, _ range: Range<Int64>
    ) throws(SQLError) -> [ObjectReference] {
        let query = SQLFragment(
            sql, bindings: Self.columns(of) + [.integer(range.lowerBound), .integer(range.upperBound)])
        var result: [ObjectReference] = []
        try connection.forEachRow(of: query) { row in result.append(Self.reference(row)) }
        return result
    }

    private static func columns(_ reference: ObjectReference) -> [SQLValue] {
        [.integer(reference.key), .integer(Int64(reference.entity))]
    }

    private static func reference(_ row: any SQLStatement) -> ObjectReference {
        ObjectReference(entity: EntityIndex(row.integer(at: 1)), key: row.integer(at: 0))
    }

    private static func numbers(of group: Int) -> Range<Int64> {
        Int64(group) << 40..<Int64(group + 1) << 40
    }

    @discardableResult
    private func translating<Result>(_ body: () throws(SQLError) -> Result) throws(StoreError) -> Result {
        do throws(SQLError) {
            return try body()
        } catch {
            throw StoreError(error, path: nil)
        }
    }
}

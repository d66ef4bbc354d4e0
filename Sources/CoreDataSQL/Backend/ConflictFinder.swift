import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The search for the reasons why a save was refused: every row whose version is not the one that the context
/// knows, every unique value that is taken.
///
/// It runs after the rollback, in a read transaction of its own.
struct ConflictFinder {
    private let backend: SQLBackend
    private let changes: ChangeSet
    private var schema: StoreSchema { backend.schema }

    init(_ backend: SQLBackend, _ changes: ChangeSet) {
        self.backend = backend
        self.changes = changes
    }

    /// Returns the reasons for a constraint error: taken unique values, or else rows that exist already; nil
    /// if only the order of the statements violated a constraint.
    func refusal(on connection: any SQLConnection) throws(SQLError) -> StoreError.Kind? {
        try connection.begin(.deferred)
        defer { connection.rollback() }
        let violations = try violations(on: connection)
        guard violations.isEmpty else { return .constraints(violations) }
        let revivals = try revivals(on: connection)
        return revivals.isEmpty ? nil : .conflicts(revivals)
    }

    // MARK: Versions

    func conflicts(on connection: any SQLConnection) throws(SQLError) -> [Conflict] {
        try connection.begin(.deferred)
        defer { connection.rollback() }
        let expected = changes.allExpected
        let current = try rows(expected.map(\.reference), on: connection)
        return expected.compactMap { row in
            let persisted = current[key(row.reference)]
            guard persisted?.version != row.version else { return nil }
            return Conflict(
                reference: row.reference, expectedVersion: row.version, persisted: persisted)
        }
    }

    /// Returns the conflicts of deleted rows that the save inserts again under their old keys, although
    /// another connection has already inserted them again.
    private func revivals(on connection: any SQLConnection) throws(SQLError) -> [Conflict] {
        let written = changes.inserted.rows.filter { $0.key > 0 }
        let current = try rows(written.map(\.reference), on: connection)
        return written.compactMap { row in
            current[key(row.reference)].map {
                Conflict(reference: row.reference, expectedVersion: row.version, persisted: $0)
            }
        }
    }

    private struct RowKey: Hashable {
        let root: EntityIndex
        let key: Int64
    }

    private func key(_ reference: ObjectReference) -> RowKey {
        RowKey(root: schema.model[reference.entity].root, key: reference.key)
    }

    private func rows(
        _ references: [ObjectReference],
        on connection: any SQLConnection
    ) throws(SQLError) -> [RowKey: Snapshot] {
        var result: [RowKey: Snapshot] = [:]
        let byRoot = Dictionary(grouping: references) { schema.model[$0.entity].root }
        for (root, references) in byRoot {
            // An entity of the change set is in the schema: its statements could not have run otherwise.
            guard let query = try? backend.rowQuery(root, isBatch: true) else { continue }
            let keys = SelectCompiler.keys(references)
            for row in try SQLBackend.snapshots(query, [keys], connection) {
                result[key(row.reference)] = row
            }
        }
        return result
    }

    // MARK: Unique values

    func violations(on connection: any SQLConnection) throws(SQLError) -> [ConstraintViolation] {
        let claims = UniqueClaims(changes, schema)
        let holders = try holders(of: claims, on: connection)
        let held = try rows(holders.compactMap(\.self), on: connection)
        // Rows that the save deletes or updates keep no unique values but those they claim.
        let gone = Set((changes.deleted.map(\.reference) + changes.updated.map(\.reference)).map(key))
        return zip(claims.all, holders).compactMap { claim, holder in
            var existing = holder.flatMap { held[key($0)] }
            if let holder = holder.map(key),
                gone.contains(holder) || key(claim.first.reference) == holder
                    || claim.others.contains(where: { key($0.reference) == holder })
            {
                existing = nil
            }
            guard existing != nil || !claim.others.isEmpty else { return nil }
            return ConstraintViolation(
                entity: claim.first.entity, slots: claim.slots, values: claim.values,
                existing: existing, proposed: claim.rows.map(\.reference))
        }
    }

    /// Returns the row that has the values of each claim.
    private func holders(
        of claims: UniqueClaims,
        on connection: any SQLConnection
    ) throws(SQLError) -> [ObjectReference?] {
        let statements = try claims.constraints.map { constraint throws(SQLError) in
            try connection.prepare(constraint.holderQuery(in: backend.dialect))
        }
        var result: [ObjectReference?] = []
        result.reserveCapacity(claims.all.count)
        for claim in claims.all {
            let statement = statements[claim.constraint]
            try statement.bind(claim.first, columns: claim.columns, from: 1)
            defer { statement.reset() }
            let root = claims.constraints[claim.constraint].root
            result.append(
                try statement.step()
                    ? ObjectReference(entity: root, key: statement.integer(at: 0)) : nil)
        }
        return result
    }
}

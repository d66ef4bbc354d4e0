import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// Finds out why a save was refused: every row that is not what the context thinks, every unique value that is
/// taken. Runs after the rollback, in a read transaction of its own.
struct ConflictFinder {
    private let backend: SQLBackend
    private let changes: ChangeSet
    private var schema: StoreSchema { backend.schema }

    init(_ backend: SQLBackend, _ changes: ChangeSet) {
        self.backend = backend
        self.changes = changes
    }

    // MARK: Versions

    func conflicts(on connection: any SQLConnection) throws(SQLError) -> [Conflict] {
        var expected: [(reference: ObjectReference, version: Int64)] = []
        expected += changes.updated.map { ($0.reference, $0.version) }
        for row in changes.deleted + changes.locked {
            if let version = row.version { expected.append((row.reference, version)) }
        }
        let current = try rows(expected.map(\.reference), on: connection)
        return expected.compactMap { row in
            let persisted = current[key(row.reference)]
            guard persisted?.version != row.version else { return nil }
            return Conflict(
                reference: row.reference, expectedVersion: row.version, persisted: persisted)
        }
    }

    /// Rows that the changes write again under their keys, since they were gone, and that somebody else has written again
    /// before.
    func revivals(on connection: any SQLConnection) throws(SQLError) -> [Conflict] {
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

    private struct Claim: Hashable {
        let root: EntityIndex
        let columns: [String]
        let values: [AttributeValue]
    }

    /// The rows of the change set that want the values.
    private struct Claimants {
        let slots: [Int]
        var rows: [Snapshot] = []
    }

    func violations(on connection: any SQLConnection) throws(SQLError) -> [ConstraintViolation] {
        // Rows that the save deletes or changes hold no value but those they claim below.
        let gone = Set(
            (changes.deleted.map(\.reference) + changes.updated.map(\.reference)).map(key))
        var claims: [Claim: Claimants] = [:]
        var order: [Claim] = []
        for row in changes.inserted.rows + changes.updated.map(\.proposed) {
            let entity = row.layout.entity
            for constraint in schema.constraints(of: entity) {
                guard let claim = claim(row, constraint) else { continue }
                if claims[claim] == nil { order.append(claim) }
                claims[claim, default: Claimants(slots: constraint)].rows.append(row)
            }
        }
        var result: [ConstraintViolation] = []
        for claim in order {
            guard let claimants = claims[claim], let first = claimants.rows.first else { continue }
            let free = gone.union(claimants.rows.map { key($0.reference) })
            var existing = try holder(of: claim, as: first, claimants.slots, on: connection)
            if let row = existing, free.contains(key(row.reference)) { existing = nil }
            guard existing != nil || claimants.rows.count > 1 else { continue }
            result.append(
                ConstraintViolation(
                    entity: first.entity, slots: claimants.slots, values: claim.values,
                    existing: existing,
                    proposed: claimants.rows.map(\.reference)))
        }
        return result
    }

    /// Nil when a value is null: null equals nothing.
    private func claim(_ row: Snapshot, _ constraint: [Int]) -> Claim? {
        let entity = row.layout.entity
        let columns = constraint.compactMap { entity.slots[$0].column }
        guard columns.count == constraint.count, let table = schema[entity.index],
            !columns.contains(where: row.isNull)
        else { return nil }
        return Claim(
            root: entity.root, columns: columns.map { table.columns[$0].name }, values: columns.map(row.value)
        )
    }

    private func holder(
        of claim: Claim,
        as claimant: Snapshot,
        _ slots: [Int],
        on connection: any SQLConnection
    ) throws(SQLError) -> Snapshot? {
        let entity = claimant.layout.entity
        guard let table = schema[entity.index],
            let query = try? backend.rowQuery(claim.root, isBatch: true)
        else { return nil }
        let conditions = claim.columns.map { "\($0) = ?" }.joined(separator: " AND ")
        let statement = try connection.prepare("SELECT Z_PK FROM \(table.tableName) WHERE \(conditions)")
        try statement.bind(claimant, columns: slots.compactMap { entity.slots[$0].column }, from: 1)
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        let found = ObjectReference(entity: claim.root, key: statement.integer(at: 0))
        return try SQLBackend.snapshots(query, [SelectCompiler.keys([found])], connection).first
    }
}

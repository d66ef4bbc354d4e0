import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSQL

/// The history has exactly the changes that were made: rows and properties according to the context's
/// objects, the columns beside a relationship according to the file before and after.
@Suite("Random edits: the history contains every change")
@MainActor
struct RandomHistoryTests {
    private static let rounds = 6

    @Test(
        "Each save is one transaction with its rows, properties, entities and positions",
        arguments: RandomRun.seeds)
    func saves(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var objects = try RandomObjects(
            &random, options: [NSPersistentHistoryTrackingKey: true as NSNumber])
        let coordinator = objects.stack.coordinator
        let backend = try #require(coordinator.handles.first?.backend as? SQLBackend)
        let columns = HistoryColumnTable(backend.schema, backend.history?.form ?? .serial)
        let database = try objects.stack.tables()
        for round in 0..<Self.rounds {
            for _ in 0..<random.number(1...12) { _ = objects.edit(&random) }
            let token = coordinator.currentPersistentHistoryToken(fromStores: nil)
            let ledger = EditLedger(objects.stack.context)
            let before = try ReferenceColumns(backend.schema, database)
            try objects.stack.context.save()
            let after = try ReferenceColumns(backend.schema, database)
            let changes = try Self.changes(after: token, objects.stack.context)
            #expect(changes.count == Set(changes.map(\.changedObjectID)).count)
            for (kind, ids) in [
                (NSPersistentHistoryChangeType.insert, ledger.inserted), (.delete, ledger.deleted),
            ] {
                #expect(Set(changes.filter { $0.changeType == kind }.map(\.changedObjectID)) == ids)
            }
            let updates = changes.filter { $0.changeType == .update }
            for update in updates {
                let id = update.changedObjectID
                let names = Set(update.updatedProperties?.map(\.name) ?? ["nothing"])
                #expect(names == ledger.changed[id] ?? [], "seed \(seed), round \(round), \(id)")
            }
            #expect(Set(ledger.changed.keys).isSubset(of: updates.map(\.changedObjectID)))
            // The columns beside relationships.
            let masks = try Self.masks(changeIDs: updates.map(\.changeID), database)
            var told: Set<ReferenceColumns.Column> = []
            for update in updates {
                let row = update.changedObjectID.reference
                let mask = try #require(masks[update.changeID])
                for place in columns[row.entity].columns(in: mask, isAnonymous: false) {
                    switch place {
                    case .property: break
                    case .entityNumber(let slot): told.insert(.init(row: row, slot: slot, isPosition: false))
                    case .position(let slot): told.insert(.init(row: row, slot: slot, isPosition: true))
                    }
                }
            }
            let changed = after.changed(since: before)
            #expect(changed.isSubset(of: told), "seed \(seed), round \(round): \(changed.subtracting(told))")
            // A member that moves to another owner may get the position there that it had with the old one.
            let others = told.subtracting(changed).filter {
                let name = backend.schema.model.slot($0.slot, of: $0.row.entity).name
                let id = $0.row
                let change = updates.first { $0.changedObjectID.reference == id }
                return !$0.isPosition || change?.updatedProperties?.contains { $0.name == name } != true
            }
            #expect(others.isEmpty, "seed \(seed), round \(round): \(others)\n\(objects.model.text)")
        }
    }

    private static func changes(
        after token: NSPersistentHistoryToken?, _ context: NSManagedObjectContext
    ) throws -> [NSPersistentHistoryChange] {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
        request.resultType = .changesOnly
        let result = try context.execute(request) as? NSPersistentHistoryResult
        return try #require(result?.result as? [NSPersistentHistoryChange])
    }

    private static func masks(changeIDs: [Int64], _ database: any PlainTables) throws -> [Int64: Data] {
        guard !changeIDs.isEmpty else { return [:] }
        let keys = changeIDs.map(String.init).joined(separator: ", ")
        var result: [Int64: Data] = [:]
        for row in try database.rows("SELECT Z_PK, ZCOLUMNS FROM ACHANGE WHERE Z_PK IN (\(keys))") {
            if case .integer(let key) = row[0], case .blob(let mask) = row[1] { result[key] = mask }
        }
        return result
    }
}

/// The values of a store's rows in the columns beside their to-one relationships.
private struct ReferenceColumns {
    struct Column: Hashable {
        let row: ObjectReference
        let slot: Int
        let isPosition: Bool
    }

    private var cells: [Column: PlainDatabase.Cell] = [:]
    private var rows: Set<ObjectReference> = []

    init(_ schema: StoreSchema, _ database: any PlainTables) throws {
        for table in schema.entities.compactMap(\.self) {
            let keys = try database.rows(
                "SELECT Z_PK FROM \(table.tableName) WHERE Z_ENT = \(table.number)")
            for case .integer(let key) in keys.joined() {
                rows.insert(ObjectReference(entity: table.entity, key: key))
            }
            for column in table.columns {
                for (name, isPosition) in [(column.entityColumn, false), (column.orderColumn, true)] {
                    guard let name else { continue }
                    let found = try database.rows(
                        "SELECT Z_PK, \(name) FROM \(table.tableName) WHERE Z_ENT = \(table.number)")
                    for row in found {
                        guard case .integer(let key) = row[0] else { continue }
                        let reference = ObjectReference(entity: table.entity, key: key)
                        cells[Column(row: reference, slot: column.slot, isPosition: isPosition)] = row[1]
                    }
                }
            }
        }
    }

    /// Returns the changed columns of rows that existed before and still do.
    func changed(since before: ReferenceColumns) -> Set<Column> {
        let kept = rows.intersection(before.rows)
        return Set(cells.keys.filter { kept.contains($0.row) && cells[$0] != before.cells[$0] })
    }
}

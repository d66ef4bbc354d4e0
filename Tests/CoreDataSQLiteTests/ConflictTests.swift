import CoreDataSQL
import CoreDataSQLite
import CoreDataStore
import CoreDataValues
import Foundation
import Testing

@Suite("Conflicts of a save")
struct ConflictTests {
    private func conflicts(_ store: TestStore, _ changes: ChangeSet) throws -> [Conflict] {
        let error = try storeError { try store.backend.commit(changes) }
        guard case .conflicts(let conflicts) = error.kind else {
            Issue.record("expected conflicts, not \(error)")
            return []
        }
        return conflicts
    }

    private func violations(_ store: TestStore, _ changes: ChangeSet) throws -> [ConstraintViolation] {
        let error = try storeError { try store.backend.commit(changes) }
        guard case .constraints(let violations) = error.kind else {
            Issue.record("expected violations, not \(error)")
            return []
        }
        return violations
    }

    @Test("Every row changed by another writer is reported with its stored values")
    func updates() throws {
        let store = try TestStore()
        let rows = try store.insert(
            LibraryModel.row("Book", -1), LibraryModel.row("Book", -2), LibraryModel.row("Book", -3))
        _ = try store.backend.commit(
            ChangeSet(updated: rows.prefix(2).map { LibraryModel.update($0, ["title": .string("theirs")]) }))
        let mine = ChangeSet(
            inserted: [LibraryModel.row("Author", -4)],
            updated: rows.map { LibraryModel.update($0, ["title": .string("mine")]) })
        let found = try conflicts(store, mine)
        #expect(Set(found.map(\.reference)) == Set(rows.prefix(2).map(\.reference)))
        for conflict in found {
            #expect(conflict.expectedVersion == 1)
            #expect(conflict.persisted?.version == 2)
            #expect(
                conflict.persisted?.value(LibraryModel.column("Book", "title")) == .string("theirs"))
        }
        #expect(try store.query("SELECT COUNT(*) FROM ZAUTHOR") == [[.integer(0)]])
        #expect(try store.query("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Author'") == [[.integer(0)]])
        #expect(try store.query("SELECT COUNT(*) FROM ZBOOK WHERE ZTITLE = 'mine'") == [[.integer(0)]])
    }

    @Test("A row that no longer exists is a conflict without a persisted row")
    func vanished() throws {
        let store = try TestStore()
        let row = try store.insert(LibraryModel.row("Book", -1))[0]
        try store.execute("DELETE FROM ZBOOK")
        let found = try conflicts(
            store, ChangeSet(updated: [LibraryModel.update(row, ["pages": .integer(1)])]))
        #expect(found.map(\.reference) == [row.reference])
        #expect(found.first?.persisted == nil)
        let deletion = RowDeletion(reference: row.reference, version: 1, committed: row)
        #expect(try conflicts(store, ChangeSet(deleted: [deletion])).count == 1)
    }

    @Test("A run of rows is deleted completely or not at all, and changed or missing rows are named")
    func deletedRun() throws {
        let store = try TestStore()
        let rows = try store.insert(
            LibraryModel.row("Book", -1), LibraryModel.row("Book", -2), LibraryModel.row("Novel", -3),
            LibraryModel.row("Book", -4), LibraryModel.row("Book", -5), LibraryModel.row("Book", -6))
        try store.execute("UPDATE ZBOOK SET Z_OPT = 5 WHERE Z_PK = \(rows[1].key)")
        try store.execute("DELETE FROM ZBOOK WHERE Z_PK = \(rows[4].key)")
        let doomed = [rows[0], rows[1], rows[3], rows[4], rows[5]].map {
            RowDeletion(reference: $0.reference, version: 1, committed: $0)
        }
        let found = try conflicts(store, ChangeSet(deleted: doomed))
        #expect(Set(found.map(\.reference)) == [rows[1].reference, rows[4].reference])
        #expect(try store.query("SELECT COUNT(*) FROM ZBOOK") == [[.integer(5)]])
        // Rows that were never read are deleted in whatever version they are, and the rows between them stay.
        let blind = doomed.map { RowDeletion(reference: $0.reference, version: nil, committed: nil) }
        _ = try store.backend.commit(ChangeSet(deleted: blind))
        #expect(try store.query("SELECT Z_PK FROM ZBOOK") == [[.integer(rows[2].key)]])
    }

    @Test("An expected row must have its version, even if the save does not change it")
    func expected() throws {
        let store = try TestStore()
        let row = try store.insert(LibraryModel.row("Book", -1))[0]
        let expected = RowExpectation(row.reference, version: 1)
        _ = try store.backend.commit(ChangeSet(expected: [expected]))
        try store.execute("UPDATE ZBOOK SET Z_OPT = 5")
        #expect(try conflicts(store, ChangeSet(expected: [expected])).first?.persisted?.version == 5)
    }

    @Test("A duplicate of a unique value is reported with the row that has it")
    func constraint() throws {
        let store = try TestStore()
        let existing = try store.insert(LibraryModel.row("Tag", -1, ["label": .string("red")]))[0]
        let new = LibraryModel.row("Tag", -2, ["label": .string("red")])
        let found = try violations(
            store, ChangeSet(inserted: [new, LibraryModel.row("Tag", -3, ["label": .string("blue")])]))
        #expect(found.count == 1)
        #expect(found.first?.existing?.reference == existing.reference)
        #expect(found.first?.proposed == [new.reference])
        #expect(found.first?.values == [.string("red")])
        #expect(found.first?.slots == [LibraryModel.slot("Tag", "label")])
        #expect(try store.query("SELECT COUNT(*) FROM ZTAG") == [[.integer(1)]])
    }

    @Test("One duplicate value among many new rows rolls back all of them")
    func constraintAmongMany() throws {
        let store = try TestStore()
        let existing = try store.insert(LibraryModel.row("Tag", -1, ["label": .string("7")]))[0]
        let rows = (0..<45).map { LibraryModel.row("Tag", Int64(-2 - $0), ["label": .string("\($0)")]) }
        let found = try violations(store, ChangeSet(inserted: rows))
        #expect(found.map(\.existing?.reference) == [existing.reference])
        #expect(found.first?.proposed == [rows[7].reference])
        #expect(try store.query("SELECT Z_PK FROM ZTAG") == [[.integer(existing.key)]])
        _ = try store.backend.commit(ChangeSet(inserted: rows.filter { $0.key != rows[7].key }))
        #expect(try store.query("SELECT COUNT(*), MAX(Z_PK) FROM ZTAG") == [[.integer(45), .integer(45)]])
    }

    @Test("Duplicate values are looked up one by one, and their rows read at once, in one transaction")
    func statementsOfConstraint() throws {
        let store = try TestStore()
        let labels = ["a", "b", "c"]
        let taken = try store.insert(
            LibraryModel.row("Tag", -1, ["label": .string("a")]),
            LibraryModel.row("Tag", -2, ["label": .string("b")]))
        let pool = try RecordingPool(store.path)
        let backend = SQLBackend(
            schema: store.backend.schema, layouts: LibraryModel.layouts, dialect: SQLiteDialect(),
            keys: KeyCounter(store.backend.schema), pool: pool, history: nil, path: store.path)
        let rows = labels.enumerated().map {
            LibraryModel.row("Tag", Int64(-1 - $0), ["label": .string($1)])
        }
        let error = try storeError { try backend.commit(ChangeSet(inserted: rows)) }
        guard case .constraints(let violations) = error.kind else {
            Issue.record("expected violations, not \(error)")
            return
        }
        #expect(violations.map(\.existing?.reference) == taken.map(\.reference))
        let statements = pool.take()
        let questions = statements[(statements.lastIndex(of: "BEGIN") ?? 0)...].dropFirst()
        #expect(questions.count == labels.count + 1)
        #expect(questions.dropLast().allSatisfy { $0 == "SELECT Z_PK FROM ZTAG WHERE ZLABEL = ?" })
        #expect(questions.last?.contains("json_each") == true)
    }

    @Test("Two new rows with the same unique value violate the constraint without an existing row")
    func constraintWithinSave() throws {
        let store = try TestStore()
        let rows = [-1, -2].map { LibraryModel.row("Tag", $0, ["label": .string("red")]) }
        let found = try violations(store, ChangeSet(inserted: rows))
        #expect(found.count == 1)
        #expect(found.first?.existing == nil)
        #expect(found.first?.proposed == rows.map(\.reference))
    }

    @Test("A unique value freed by the same save may be used, and null is never a duplicate")
    func freedValue() throws {
        let store = try TestStore()
        let old = try store.insert(LibraryModel.row("Tag", -1, ["label": .string("red")]))[0]
        _ = try store.backend.commit(
            ChangeSet(
                inserted: [
                    LibraryModel.row("Tag", -2, ["label": .string("red")]), LibraryModel.row("Tag", -3),
                    LibraryModel.row("Tag", -4),
                ],
                deleted: [RowDeletion(reference: old.reference, version: 1, committed: old)]))
        #expect(try store.query("SELECT COUNT(*) FROM ZTAG") == [[.integer(3)]])
    }

    @Test("Rows may exchange and rotate unique values in one save")
    func exchangedValues() throws {
        let store = try TestStore()
        let labels = ["a", "b", "c", "d"]
        let rows = try store.backend.snapshots(
            for: try labels.enumerated().map { index, label in
                try store.insert(LibraryModel.row("Tag", Int64(-index - 1), ["label": .string(label)]))[0]
                    .reference
            })
        let new = ["b", "a", "d", "e"]
        _ = try store.backend.commit(
            ChangeSet(
                updated: zip(rows, new).map { LibraryModel.update($0, ["label": .string($1)]) }))
        #expect(
            try store.query("SELECT ZLABEL, Z_OPT FROM ZTAG ORDER BY Z_PK")
                == new.map { [.text($0), .integer(2)] })
    }

    @Test("A fault sees what another backend has committed")
    func staleFault() throws {
        let store = try TestStore()
        let row = try store.insert(LibraryModel.row("Book", -1))[0]
        let other = try store.reopened()
        #expect(try other.snapshot(for: row.reference)?.version == 1)
        _ = try store.backend.commit(
            ChangeSet(updated: [LibraryModel.update(row, ["pages": .integer(7)])]))
        #expect(try other.snapshot(for: row.reference)?.version == 2)
    }
}

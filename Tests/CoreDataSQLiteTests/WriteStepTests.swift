import CoreDataSQL
import CoreDataSQLite
import CoreDataStore
import CoreDataValues
import Testing

@Suite("Write steps")
struct WriteStepTests {
    private let store: TestStore
    private let books: [Snapshot]
    private let tag: Snapshot

    init() throws {
        store = try TestStore()
        let rows = try store.insert(
            LibraryModel.row("Tag", -1, ["label": .string("a")]), LibraryModel.row("Book", -2),
            LibraryModel.row("Book", -3), LibraryModel.row("Book", -4), LibraryModel.row("Book", -5),
            LibraryModel.row("Book", -6))
        (tag, books) = (rows[0], Array(rows.dropFirst()))
    }

    private func steps(_ changes: ChangeSet, _ permanent: ReferenceMap = [:]) -> [WriteStep] {
        SavePlanner(changes, schema: store.backend.schema, permanent: permanent, positions: [:]).plan()
            .steps(in: store.backend.schema, TriggeredTables())
    }

    private func deletion(_ row: Snapshot, isRead: Bool = true) -> RowDeletion {
        RowDeletion(
            reference: row.reference, version: isRead ? row.version : nil, committed: isRead ? row : nil)
    }

    private func expectation(_ row: Snapshot) -> RowExpectation {
        RowExpectation(row.reference, version: row.version)
    }

    private func describe(_ step: WriteStep) -> String {
        switch step {
        case .require(let rows, let table): "require \(rows.count) \(table.tableName)"
        case .delete(let rows, let table): "delete \(rows.count) \(table.tableName)"
        case .update(let rows, let changed, let table, _):
            "update \(changed.columns.count) of \(rows.count) \(table.tableName)"
        case .insert(_, let indices, let table, _, _): "insert \(indices.count) \(table.tableName)"
        case .link(let links): "\(describe(links.first)) \(links.count)"
        case .assign(let rows): "assign \(rows.values.count)"
        case .run(let statement, _), .ask(let statement, _): statement.sql.string
        case .record(let rows): "record \(rows.count)"
        case .commit: "commit"
        }
    }

    private func describe(_ link: LinkStep?) -> String {
        switch link {
        case .unlinkAll: "unlink"
        case .link: "link"
        case .setPosition: "set position of"
        default: "\(link as Any)"
        }
    }

    @Test("Rows that are written alike are one step, in the order of the save")
    func grouping() {
        let new = (1...3).map { LibraryModel.row($0 < 3 ? "Member" : "Author", Int64(-$0)) }
        var permanent: ReferenceMap = [:]
        for row in new {
            permanent[row.reference] = ObjectReference(entity: row.reference.entity, key: 10 - row.key)
        }
        let links = books[..<2].map {
            LinkChange(
                owner: $0.reference, slot: LibraryModel.slot("Book", "tags"), before: [],
                after: [tag.reference])
        }
        let changes = ChangeSet(
            inserted: new,
            updated: [
                LibraryModel.update(books[0], ["title": .string("t")]),
                LibraryModel.update(books[1], ["title": .string("u")]),
                LibraryModel.update(books[2], ["title": .string("v"), "pages": .integer(1)]),
            ],
            deleted: [deletion(books[3]), deletion(books[4], isRead: false)], links: links,
            expected: [expectation(tag)])
        #expect(
            steps(changes, permanent).map(describe) == [
                "require 1 ZTAG", "unlink 2", "delete 1 ZBOOK", "delete 1 ZBOOK", "update 1 of 2 ZBOOK",
                "update 2 of 1 ZBOOK", "insert 1 ZAUTHOR", "insert 2 ZMEMBER", "link 1", "set position of 1",
                "link 1", "set position of 1",
            ])
    }

    @Test("Steps end at the first row that is not in its version, and the outcome names the step")
    func refusal() throws {
        _ = try store.backend.commit(
            ChangeSet(updated: [LibraryModel.update(books[1], ["title": .string("theirs")])]))
        let stale = books[1]
        let connection = try SQLiteConnection(path: store.path, access: .readWrite)
        defer { connection.close() }
        let compiler = SaveCompiler(schema: store.backend.schema, dialect: SQLiteDialect())
        func run(_ changes: ChangeSet) throws -> StepOutcome {
            try connection.begin(.immediate)
            defer { connection.rollback() }
            return try connection.run(steps(changes), by: compiler)
        }
        let mine: [String: AttributeValue] = ["title": .string("mine")]
        let expected = [expectation(books[0]), expectation(stale)]
        #expect(try run(ChangeSet(expected: expected)) == .refused(step: 0))
        #expect(
            try run(
                ChangeSet(
                    updated: [LibraryModel.update(books[0], mine), LibraryModel.update(stale, mine)],
                    expected: [expectation(tag)])) == .refused(step: 1))
        // The rows have keys that follow one another, and one of them another version.
        #expect(
            try run(ChangeSet(deleted: books.map { deletion($0) }, expected: [expectation(tag)]))
                != .done)
        #expect(
            try run(
                ChangeSet(
                    updated: [LibraryModel.update(books[0], mine)],
                    deleted: [deletion(books[2]), deletion(stale, isRead: false)])) == .done)
    }
}

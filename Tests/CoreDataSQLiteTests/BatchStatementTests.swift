import CoreDataPredicates
import CoreDataSQL
import CoreDataSQLite
import CoreDataStore
import CoreDataValues
import Foundation
import Testing

@Suite("Statements of batches")
struct BatchStatementTests {
    private let store: TestStore
    private let pool: RecordingPool
    private let backend: SQLBackend

    init() throws {
        store = try TestStore()
        pool = try RecordingPool(store.path)
        backend = SQLBackend(
            schema: store.backend.schema, layouts: LibraryModel.layouts, dialect: SQLiteDialect(),
            keys: KeyCounter(store.backend.schema), pool: pool, history: nil, path: store.path)
    }

    @discardableResult
    private func insert(
        _ entity: String, _ rows: [[String: AttributeValue]], _ policy: TakenValuePolicy = .fail,
        wantsReferences: Bool = true
    ) throws -> BatchReceipt {
        var rest = rows[...]
        let batch = BatchInsert(
            entity: LibraryModel.index(entity), policy: policy,
            terms: BatchTerms(wantsReferences: wantsReferences))
        return try backend.run(batch) {
            guard let values = rest.popFirst() else { return .end }
            let given = ColumnMask(values.keys.map { LibraryModel.column(entity, $0) })
            return .row(BatchRow(values: LibraryModel.row(entity, 0, values), given: given))
        }
    }

    @Test("Twenty rows are inserted per statement, and five hundred keys are reserved at a time")
    func insertions() throws {
        let receipt = try insert("Member", (0..<1201).map { ["name": .string("\($0)")] })
        #expect(receipt.count == 1201)
        #expect(receipt.references.map(\.key) == Array(1...1201))
        #expect(!receipt.changesExistingRows)
        let statements = pool.take()
        #expect(statements.first == "BEGIN IMMEDIATE")
        #expect(statements.last == "COMMIT")
        let insertions = statements.filter { $0.hasPrefix("INSERT") }
        #expect(insertions.count == 25 + 25 + 10 + 1)
        // `OR FAIL` avoids the statement's journal, except where triggers would inherit it.
        #expect(insertions.dropLast().allSatisfy { $0.hasPrefix("INSERT OR FAIL INTO ZMEMBER ") })
        #expect(insertions.last?.hasPrefix("INSERT INTO ZMEMBER ") == true)
        #expect(statements.count { $0.hasPrefix("UPDATE Z_PRIMARYKEY") } == 3)
        // Keys are read before, and the tables with triggers once.
        #expect(statements.count == 2 + 1 + insertions.count + 2 * 3)
        #expect(
            try store.query("SELECT COUNT(*), MAX(Z_PK), MIN(Z_OPT), MAX(Z_OPT) FROM ZMEMBER")
                == [[.integer(1201), .integer(1201), .integer(1), .integer(1)]])
    }

    @Test(
        "Conflicts of unique values are resolved by the INSERT statement itself",
        arguments: [
            (.keepStored, "DO NOTHING"),
            (
                .fillStored,
                "DO UPDATE SET ZLABEL = COALESCE(ZLABEL, excluded.ZLABEL), Z_OPT = Z_OPT + 1 "
                    + "WHERE ZLABEL IS NULL AND excluded.ZLABEL IS NOT NULL"
            ),
            (.updateStored, "DO UPDATE SET ZLABEL = excluded.ZLABEL, Z_OPT = Z_OPT + 1"),
            (.replaceStored, "DO UPDATE SET ZLABEL = excluded.ZLABEL, Z_OPT = Z_OPT + 1"),
        ] as [(TakenValuePolicy, String)])
    func upserts(_ policy: TakenValuePolicy, _ resolution: String) throws {
        try insert("Tag", [["label": .string("a")]])
        _ = pool.take()
        let receipt = try insert("Tag", [["label": .string("b")], ["label": .string("a")]], policy)
        let insertions = pool.take().filter { $0.hasPrefix("INSERT") }
        #expect(
            insertions
                == Array(
                    repeating: "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZLABEL) VALUES (?, ?, ?, ?) "
                        + "ON CONFLICT \(resolution) RETURNING Z_PK, Z_ENT", count: 2))
        let writes = policy == .updateStored || policy == .replaceStored
        #expect(receipt.references.map(\.key) == (writes ? [2, 1] : [2]))
        #expect(receipt.changesExistingRows == writes)
        #expect(
            try store.query("SELECT Z_PK, ZLABEL, Z_OPT FROM ZTAG ORDER BY 1")
                == [
                    [.integer(1), .text("a"), .integer(writes ? 2 : 1)],
                    [.integer(2), .text("b"), .integer(1)],
                ])
    }

    @Test("Keys of written or existing rows are queried only if the caller asks for them")
    func countedUpserts() throws {
        let policies: [(TakenValuePolicy, count: Int)] = [
            (.keepStored, 1), (.updateStored, 2), (.replaceStored, 2), (.fillStored, 1),
        ]
        for (number, (policy, count)) in policies.enumerated() {
            try insert("Tag", [["label": .string("a\(number)")]])
            _ = pool.take()
            let rows: [[String: AttributeValue]] = [
                ["label": .string("b\(number)")], ["label": .string("a\(number)")],
            ]
            let receipt = try insert("Tag", rows, policy, wantsReferences: false)
            #expect(pool.take().allSatisfy { !$0.contains("RETURNING") })
            #expect(receipt.count == count)
            #expect(receipt.references.isEmpty)
            #expect(receipt.changesExistingRows == (policy != .keepStored))
        }
        #expect(
            try store.query("SELECT Z_OPT, COUNT(*) FROM ZTAG GROUP BY 1")
                == [[.integer(1), .integer(6)], [.integer(2), .integer(2)]])
    }

    @Test("Inserting into a table with triggers keeps the triggers' own conflict handling")
    func triggered() throws {
        try store.execute(
            """
            CREATE TABLE NOTED (NAME UNIQUE); CREATE TRIGGER NOTE AFTER INSERT ON ZMEMBER BEGIN \
            INSERT OR IGNORE INTO NOTED VALUES (NEW.ZNAME); END
            """)
        _ = pool.take()
        try insert("Member", (0..<45).map { ["name": .string("\($0 % 10)")] })
        #expect(pool.take().allSatisfy { !$0.contains("OR FAIL") })
        #expect(
            try store.query("SELECT (SELECT COUNT(*) FROM ZMEMBER), (SELECT COUNT(*) FROM NOTED)")
                == [[.integer(45), .integer(10)]])
    }

    @Test("A duplicate value fails the batch, names its row and frees the reserved keys")
    func takenValue() throws {
        try insert("Tag", [["label": .string("a")]])
        // In the middle of a group of rows, whose first rows are written by then.
        var labels = (0..<45).map { "b\($0)" }
        labels[27] = "a"
        let error = try storeError { try insert("Tag", labels.map { ["label": .string($0)] }) }
        guard case .constraints(let violations) = error.kind else {
            Issue.record("\(error)")
            return
        }
        #expect(violations.count == 1)
        #expect(violations.first?.values == [.string("a")])
        #expect(violations.first?.existing?.key == 1)
        #expect(try store.query("SELECT COUNT(*) FROM ZTAG") == [[.integer(1)]])
        #expect(try insert("Tag", [["label": .string("c")]]).references.map(\.key) == [2])
    }

    @Test("A row that cannot be inserted rolls back all rows before it")
    func invalidRow() throws {
        var count = 0
        let error = try storeError {
            try backend.run(BatchInsert(entity: LibraryModel.index("Member"))) {
                count += 1
                guard count <= 700 else { return .invalid("Member.name is bad") }
                return .row(BatchRow(values: LibraryModel.row("Member", 0), given: ColumnMask()))
            }
        }
        #expect(error.message == "Member.name is bad")
        #expect(try store.query("SELECT COUNT(*) FROM ZMEMBER") == [[.integer(0)]])
    }

    @Test("An update is one statement, and its rows are queried only if the caller asks for them")
    func updates() throws {
        try insert("Book", (0..<50).map { ["title": .string("t"), "pages": .integer(Int64($0))] })
        _ = pool.take()
        let pages = LibraryModel.slot("Book", "pages")
        var batch = BatchUpdate(
            entity: LibraryModel.index("Book"),
            predicate: .comparison(
                ComparisonNode(.keyPath("pages"), .lessThan, .constant(.value(.integer(10))))),
            assignments: [
                .init(
                    slot: pages,
                    value: .expression(
                        .function(
                            operand: nil, name: "add:to:",
                            arguments: [.keyPath("pages"), .constant(.value(.integer(100)))])))
            ])
        let update =
            "UPDATE ZBOOK AS t0 SET ZPAGES = (t0.ZPAGES + ?), Z_OPT = t0.Z_OPT + 1 WHERE t0.ZPAGES < ?"
        #expect(try backend.run(batch).count == 10)
        #expect(pool.take() == ["BEGIN IMMEDIATE", update, "COMMIT"])
        #expect(
            try store.query("SELECT COUNT(*) FROM ZBOOK WHERE ZPAGES >= 100 AND Z_OPT = 2") == [
                [.integer(10)]
            ])
        _ = pool.take()
        batch.predicate = nil
        batch.terms.wantsReferences = true
        let receipt = try backend.run(batch)
        #expect(receipt.references.count == 50)
        #expect(receipt.changesExistingRows)
        #expect(
            pool.take() == [
                "BEGIN IMMEDIATE",
                "UPDATE ZBOOK AS t0 SET ZPAGES = (t0.ZPAGES + ?), Z_OPT = t0.Z_OPT + 1 RETURNING Z_PK, Z_ENT",
                "COMMIT",
            ])
    }

    @Test("A deletion takes as many statements for many rows as for one")
    func deletions() throws {
        var counts: [Int] = []
        for number in [1, 300] {
            try insert("Book", (0..<number).map { _ in ["title": .string("t")] })
            _ = pool.take()
            let receipt = try backend.run(BatchDelete(.query(FetchQuery(entity: LibraryModel.index("Book")))))
            #expect(receipt.count == number)
            counts.append(pool.take().count)
        }
        #expect(counts[0] == counts[1])
        #expect(counts[0] < 20)
        #expect(try store.query("SELECT COUNT(*) FROM ZBOOK") == [[.integer(0)]])
    }

    @Test("Deleting rows deletes their pairs in join tables and their external files")
    func links() throws {
        let author = try store.insert(LibraryModel.row("Author", -1))[0].reference
        let tag = try store.insert(LibraryModel.row("Tag", -1))[0].reference
        let book = LibraryModel.row("Novel", -1, ["author": .reference(author)])
        let tags = LinkChange(
            owner: book.reference, slot: LibraryModel.slot("Novel", "tags"), before: [], after: [tag])
        let shelf = LibraryModel.row("Shelf", -2)
        let contents = LinkChange(
            owner: shelf.reference, slot: LibraryModel.slot("Shelf", "contents"), before: [],
            after: [book.reference])
        _ = try store.insert(book, shelf, links: [tags, contents])
        let batch = BatchDelete(.query(FetchQuery(entity: LibraryModel.index("Shelf"))))
        #expect(try backend.run(batch).count == 1)
        let own = try store.query("SELECT name FROM pragma_table_info('ZBOOK') WHERE name LIKE 'Z%CONTENTS'")
        guard case .text(let column) = own.first?.first else {
            Issue.record("no column for Shelf.contents")
            return
        }
        #expect(try store.query("SELECT \(SQLIdentifier(column)) FROM ZBOOK") == [[.null]])
        #expect(try backend.run(BatchDelete(.rows([tag], of: LibraryModel.index("Tag")))).count == 1)
        let joins = backend.schema.joinTables.map(\.name)
        for join in joins { #expect(try store.query("SELECT COUNT(*) FROM \(join)") == [[.integer(0)]]) }
        let error = try storeError {
            try backend.run(BatchDelete(.rows([author], of: LibraryModel.index("Author"))))
        }
        #expect(error.message.contains("mandatory MTO nullify inverse on Book/author"))
    }
}

import CoreDataTool
import Testing

@Suite("SQL of fetches")
struct StatementTests {
    private func statement(_ specification: FetchSpecification, isCount: Bool = false) throws
        -> RequestStatement
    {
        let library = try LibraryStore()
        return try RequestStatement(specification, of: OpenedStore(at: library.url), isCount: isCount)
    }

    @Test("The statement is printed clause by clause, with its values and its plan")
    func text() throws {
        let books = FetchSpecification(
            entity: "Chapter", predicate: "book.title == 'x' OR title IN {'a', 'b'}", sort: ["title:desc"],
            limit: 3)
        #expect(
            try statement(books).text == """
                SELECT t0.Z_PK, t0.Z_ENT, t0.Z_OPT, t0.ZBOOK, t0.Z2_BOOK, t0.ZTITLE
                FROM ZCHAPTER t0
                LEFT OUTER JOIN ZBOOK t1 ON t0.ZBOOK = t1.Z_PK
                WHERE (t1.ZTITLE = ? OR t0.ZTITLE IN (?, ?))
                ORDER BY t0.ZTITLE DESC
                LIMIT ?

                  ?1 = 'x'
                  ?2 = 'a'
                  ?3 = 'b'
                  ?4 = 3

                  SCAN t0
                  SEARCH t1 USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
                  USE TEMP B-TREE FOR ORDER BY
                """)
    }

    @Test("A count selects a number, and a subquery's steps are indented in the plan")
    func count() throws {
        let authors = FetchSpecification(
            entity: "Author", predicate: "SUBQUERY(books, $b, $b.pages > 1).@count > 2")
        let statement = try statement(authors, isCount: true)
        #expect(statement.sql.hasPrefix("SELECT COUNT(*)"))
        #expect(statement.plan.contains { $0.hasPrefix("  SEARCH t1 USING INDEX ZBOOK_ZAUTHOR_INDEX") })
    }

    @Test("An unknown key is an error that names it")
    func mistakes() throws {
        let error = #expect(throws: (any Error).self) {
            try statement(FetchSpecification(entity: "Book", predicate: "titel == 'x'"))
        }
        #expect(error.map { ErrorText.describe($0) }?.contains("titel") == true)
    }
}

import Testing

@testable import CoreDataSQL

@Suite("Changes in PostgreSQL's dialect")
struct PostgreSQLWritingTests {
    private let dialect = PostgreSQLDialect()

    @Test("An upsert names its constraint, and the columns of the stored row with their table")
    func upsert() {
        let stored = dialect.stored("ZAGE", of: "ZPERSON")
        #expect(stored == "ZPERSON.ZAGE")
        let update: SQLText = "ZAGE = COALESCE(\(stored), excluded.ZAGE)"
        let upsert = Upsert(
            table: "ZPERSON", names: ["ZNAME", "ZSITE", "ZAGE"], row: "(1, 2, 3)",
            constraints: [[IndexedColumn("ZNAME"), IndexedColumn("ZSITE")]], assignments: [update],
            condition: "\(stored) IS NULL",
            answersRow: true)
        #expect(
            dialect.upsert(upsert) == """
                INSERT INTO ZPERSON (ZNAME, ZSITE, ZAGE) VALUES (1, 2, 3) \
                ON CONFLICT (ZNAME, ZSITE) DO UPDATE SET \
                ZAGE = COALESCE(ZPERSON.ZAGE, excluded.ZAGE) WHERE ZPERSON.ZAGE IS NULL RETURNING Z_PK, Z_ENT
                """)
    }

    @Test("An upsert over several constraints changes a row that is found by the first of them")
    func constraints() {
        let upsert = Upsert(
            table: "ZPERSON", names: ["ZNAME", "ZSITE"], row: "(1, 2)",
            constraints: [[IndexedColumn("ZNAME")], [IndexedColumn("ZSITE")]],
            assignments: ["ZNAME = excluded.ZNAME"], condition: nil,
            answersRow: false)
        #expect(
            dialect.upsert(upsert).string.hasPrefix(
                """
                WITH excluded (ZNAME, ZSITE) AS (VALUES (1, 2)), holder AS (SELECT k FROM \
                (SELECT h.Z_PK AS k, 0 AS place FROM ZPERSON AS h, excluded WHERE (h.ZNAME = excluded.ZNAME) \
                UNION ALL SELECT h.Z_PK AS k, 1 AS place FROM ZPERSON AS h, excluded \
                WHERE (h.ZSITE = excluded.ZSITE)) AS h ORDER BY place LIMIT 1), updated AS (UPDATE ZPERSON \
                SET ZNAME = excluded.ZNAME FROM excluded, holder
                """))
    }

    @Test("An index has the beginnings of three texts, a constraint's also a digest of each longer text")
    func indexes() {
        let columns = ["ZA", "ZB", "ZC", "ZD"].map {
            IndexedColumn($0, isText: true, isAscending: $0 != "ZB")
        }
        let beginnings: SQLText =
            "substr(ZA, 1, 200) NULLS FIRST, substr(ZB, 1, 200) DESC NULLS LAST, substr(ZC, 1, 200) NULLS FIRST"
        let number = IndexedColumn("ZN")
        #expect(dialect.indexed(columns + [number], isUnique: false) == "\(beginnings), ZN NULLS FIRST")
        let digests = ["ZA", "ZB", "ZC"].map { (name: SQLIdentifier) -> SQLText in
            "substr(md5(\(name)), 1, length(\(name)) / 201 * 32)"
        }.joined(separator: ", ")
        #expect(dialect.indexed(columns, isUnique: true) == "\(beginnings), \(digests), md5(ZD)")
        let text = IndexedColumn("ZA", isText: true)
        let digest: SQLText = "substr(md5(ZA), 1, length(ZA) / 201 * 32)"
        let upsert = Upsert(
            table: "ZPERSON", names: ["ZA"], row: "(1)", constraints: [[text, number]],
            assignments: ["ZB = 1"], condition: nil, answersRow: false)
        #expect(
            dialect.upsert(upsert).string.hasSuffix(
                " ON CONFLICT (substr(ZA, 1, 200), ZN, \(digest)) DO UPDATE SET ZB = 1"))
    }

    @Test("Rows that a save relies on are locked against changes, not against reads")
    func locks() {
        let compiler = SaveCompiler(schema: CompanyModel.schema, dialect: dialect)
        let table = CompanyModel.schema[CompanyModel.index("Tag")]!
        #expect(
            compiler.version(in: table) == "SELECT 1 FROM ZTAG WHERE Z_PK = ? AND Z_OPT = ? FOR SHARE")
    }
}

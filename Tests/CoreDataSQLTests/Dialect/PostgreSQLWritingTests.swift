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
        #expect(
            dialect.onConflict(
                of: [[IndexedColumn("ZNAME"), IndexedColumn("ZSITE")]], update: [update],
                where: "\(stored) IS NULL")
                    == """
                     ON CONFLICT (ZNAME, ZSITE) DO UPDATE SET \
                    ZAGE = COALESCE(ZPERSON.ZAGE, excluded.ZAGE) WHERE ZPERSON.ZAGE IS NULL
                    """)
    }

    @Test("An upsert has no words for several constraints")
    func constraints() {
        #expect(
            dialect.onConflict(
                of: [[IndexedColumn("ZNAME")], [IndexedColumn("ZSITE")]], update: [], where: nil) == nil)
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
        #expect(
            dialect.onConflict(of: [[text, number]], update: ["ZB = 1"], where: nil)
                == " ON CONFLICT (substr(ZA, 1, 200), ZN, \(digest)) DO UPDATE SET ZB = 1")
    }

    @Test("Rows that a save relies on are locked against changes, not against reads")
    func locks() {
        let compiler = SaveCompiler(schema: CompanyModel.schema, dialect: dialect)
        let table = CompanyModel.schema[CompanyModel.index("Tag")]!
        #expect(
            compiler.version(in: table) == "SELECT 1 FROM ZTAG WHERE Z_PK = ? AND Z_OPT = ? FOR SHARE")
    }
}

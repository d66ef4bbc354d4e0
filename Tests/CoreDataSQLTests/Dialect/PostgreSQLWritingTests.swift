import CoreDataSQL
import Testing

@Suite("Changes in PostgreSQL's dialect")
struct PostgreSQLWritingTests {
    private let dialect = PostgreSQLDialect()

    @Test("An upsert names its constraint, and the columns of the stored row with their table")
    func upsert() {
        let stored = dialect.stored("ZAGE", of: "ZPERSON")
        #expect(stored == "ZPERSON.ZAGE")
        let update: SQLText = "ZAGE = COALESCE(\(stored), excluded.ZAGE)"
        #expect(
            dialect.onConflict(of: [["ZNAME", "ZSITE"]], update: [update], where: "\(stored) IS NULL")
                == """
                 ON CONFLICT (ZNAME, ZSITE) DO UPDATE SET \
                ZAGE = COALESCE(ZPERSON.ZAGE, excluded.ZAGE) WHERE ZPERSON.ZAGE IS NULL
                """)
    }

    @Test("An upsert has no words for several constraints")
    func constraints() {
        #expect(dialect.onConflict(of: [["ZNAME"], ["ZSITE"]], update: [], where: nil) == nil)
    }

    @Test("Rows that a save relies on are locked against changes, not against reads")
    func locks() {
        let compiler = SaveCompiler(schema: CompanyModel.schema, dialect: dialect)
        let table = CompanyModel.schema[CompanyModel.index("Tag")]!
        #expect(
            compiler.version(in: table) == "SELECT 1 FROM ZTAG WHERE Z_PK = ? AND Z_OPT = ? FOR SHARE")
    }
}

import Testing

@testable import CoreDataSQL

@Suite("Changes in PostgreSQL's dialect")
struct PostgreSQLWritingTests {
    private let dialect = PostgreSQLDialect()

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
    }

    @Test("Rows that a save relies on are locked against changes, not against reads")
    func locks() {
        let compiler = SaveCompiler(schema: CompanyModel.schema, dialect: dialect)
        let table = CompanyModel.schema[CompanyModel.index("Tag")]!
        #expect(
            compiler.version(in: table) == "SELECT 1 FROM ZTAG WHERE Z_PK = ? AND Z_OPT = ? FOR SHARE")
    }
}

import CoreDataModelFormat
import CoreDataPredicates
import CoreDataSQL
import CoreDataStore
import CoreDataValues
import Testing

@Suite("Types of placeholders")
struct PlaceholderTests {
    private static let employee = CompanyModel.index("Employee")
    private static let table = CompanyModel.schema[employee]!
    private static let saver = SaveCompiler(schema: CompanyModel.schema, dialect: SQLiteDialect())

    private func types(_ predicate: PredicateNode, of entity: String = "Employee") throws -> [SQLPlaceholder]
    {
        let query = FetchQuery(entity: CompanyModel.index(entity), predicate: predicate, shape: .count)
        return try CompanyModel.compiler.compile(query).select.sql.placeholders
    }

    @Test("A constant has the type of the column beside it")
    func constants() throws {
        #expect(
            try types(compare(key("birthday"), .lessThan, constant(.integer(5)))).last
                == .value(.attribute(.date)))
        #expect(
            try types(compare(key("name"), .in, CoreDataSQLTests.constants((1...9).map { .string("\($0)") })))
                .last == .texts)
        #expect(
            try types(
                .compound(
                    .and,
                    [
                        compare(
                            key("department"), .equalTo,
                            constant(.reference(CompanyModel.reference("Department", 1)))),
                        compare(
                            key("token"), .equalTo, constant(.string("30084A1C-76CF-4976-8312-8E8EFCF6F510"))),
                    ])
            ).suffix(2) == [.value(.reference(CompanyModel.index("Department"))), .value(.attribute(.uuid))])
    }

    @Test("A null has the type of its column")
    func nulls() {
        let null: SQLFragment = "UPDATE T SET A = \(bind: .null, as: .attribute(.double)), B = \(bind: .null)"
        #expect(null.sql.placeholders == [.value(.attribute(.double)), .value(.unknown)])
        let joined: SQLFragment = "\(null) WHERE C = \(bind: .text("c"))"
        #expect(joined.sql.placeholders == null.sql.placeholders + [.text])
    }

    @Test("Rows are written with a type for each column")
    func rows() throws {
        let name = try #require(CompanyModel.model[Self.employee].slot(named: "name")?.column)
        let boss = try #require(CompanyModel.model[Self.employee].slot(named: "boss")?.column)
        let update = Self.saver.update(Self.table, ColumnMask([name, boss]))
        let columns = update.columns.map { column -> SQLPlaceholder in
            column == name ? .text : .value(.reference(CompanyModel.index("Employee")))
        }
        let numbers = update.entityColumns.map { _ in SQLPlaceholder.value(.entity) }
        #expect(update.sql.placeholders == columns + numbers + [.integer, .integer, .integer])
    }

    @Test("Every placeholder of a statement about known rows has a type")
    func all() throws {
        let compiler = CompanyModel.compiler
        let deletes = [(false, false), (false, true), (true, false), (true, true)].map {
            Self.saver.delete(from: Self.table, isRun: $0, checksVersion: $1)
        }
        let texts =
            deletes + [
                try compiler.row(of: Self.employee).select.sql,
                try compiler.rows(of: Self.employee).select.sql,
                Self.saver.version(in: Self.table), Self.saver.update(Self.table, ColumnMask([0])).sql,
            ]
        for text in texts {
            #expect(text.placeholders.count == text.string.count { $0 == "?" }, "\(text)")
            #expect(!text.placeholders.contains(.value(.unknown)))
        }
    }
}

import CoreDataModelFormat
import CoreDataPredicates
import CoreDataSQL
import CoreDataStore
import CoreDataValues
import Foundation
import Testing

@Suite("History queries become SQL")
struct HistorySQLTests {
    private func schema() throws -> StoreSchema {
        let car = EntityElement(
            name: "Car",
            attributes: [AttributeElement(name: "plate", type: .string, preservesValueOnDeletion: true)])
        let model = try ModelCompiler(ModelDocument(entities: [car])).compile()
        return try SchemaCompiler(model, dialect: SQLiteDialect()).compile().schema
    }

    private func compiler(hasStrings: Bool = true) throws -> HistoryCompiler {
        HistoryCompiler(
            try schema(), dialect: SQLiteDialect(), hasStrings: hasStrings, tombstoneCount: 1)
    }

    private func comparison(
        _ path: String, _ operator: ComparisonOperator, _ value: ExpressionValue
    ) -> PredicateNode {
        .comparison(ComparisonNode(.keyPath(path), `operator`, .constant(value)))
    }

    @Test("The history after a transaction is a range of keys")
    func range() throws {
        let select = try compiler().matches(HistoryQuery(start: .mark(HistoryMark(7))))
        #expect(
            select.sql.string
                == "SELECT t0.Z_PK, t0.Z_ENT FROM ATRANSACTION t0 WHERE t0.Z_PK > ? ORDER BY t0.Z_PK")
        #expect(select.bindings == [.integer(7)])
        let count = try compiler().matches(HistoryQuery(), isCount: true)
        #expect(count.sql.string == "SELECT COUNT(*) FROM ATRANSACTION t0")
    }

    @Test("An author is looked up in the table of names, or in its column in older stores")
    func names() throws {
        let filter = HistoryFilter(
            .transactions, predicate: comparison("author", .equalTo, .value(.string("me"))))
        let select = try compiler().matches(HistoryQuery(filter: filter))
        #expect(select.sql.string.contains("JOIN ATRANSACTIONSTRING t1 ON t0.ZAUTHORTS = t1.Z_PK"))
        #expect(select.sql.string.contains("t1.ZNAME = ?"))
        let old = try compiler(hasStrings: false).matches(HistoryQuery(filter: filter))
        #expect(
            old.sql
                == "SELECT t0.Z_PK, t0.Z_ENT FROM ATRANSACTION t0 WHERE t0.ZAUTHOR = ? ORDER BY t0.Z_PK")
    }

    @Test("An object is an entity's number and a key")
    func objects() throws {
        let row = ObjectReference(entity: 0, key: 5)
        let filter = HistoryFilter(
            .changes, predicate: comparison("changedObjectID", .equalTo, .value(.reference(row))))
        let select = try compiler().matches(HistoryQuery(filter: filter))
        #expect(select.sql.string.contains("t0.ZENTITY = ? AND t0.ZENTITYPK"))
        #expect(select.bindings == [.integer(1), .integer(5)])
        #expect(select.sql.string.hasPrefix("SELECT t0.Z_PK, t0.Z_ENT FROM ACHANGE t0 WHERE"))
    }

    @Test("Pruning deletes changes, transactions and names without a reference")
    func pruning() {
        let statements = HistoryPruner.statements(before: 9, hasStrings: true)
        #expect(
            statements.prefix(2) == [
                "DELETE FROM ACHANGE WHERE ZTRANSACTIONID < \(bind: .integer(9))",
                "DELETE FROM ATRANSACTION WHERE Z_PK < \(bind: .integer(9))",
            ])
        #expect(statements[2].sql.string.hasPrefix("DELETE FROM ATRANSACTIONSTRING"))
        #expect(HistoryPruner.statements(before: 9, hasStrings: false).count == 2)
    }
}

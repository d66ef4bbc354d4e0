import CoreDataPredicates
import CoreDataSQL
import CoreDataStore
import CoreDataValues
import Foundation
import Testing

@Suite("Dictionary results")
struct DictionaryQueryTests {
    private func sql(
        _ entity: String,
        _ shape: DictionaryShape,
        sort: [SortKey] = []
    ) throws -> SQLFragment {
        let query = FetchQuery(entity: CompanyModel.index(entity), sort: sort, shape: .dictionaries(shape))
        return try CompanyModel.compiler.compile(query).select
    }

    private func column(_ name: String, _ type: AttributeType = .undefined) -> DictionaryShape.Column {
        DictionaryShape.Column(name: name, expression: key(name), type: type)
    }

    private func call(_ name: String, _ path: String) -> ExpressionNode {
        .function(operand: nil, name: name, arguments: [key(path)])
    }

    @Test("The requested columns are selected, distinct if the request says so")
    func columns() throws {
        let shape = DictionaryShape(
            columns: [column("title"), column("members.@count")], isDistinct: true)
        #expect(
            try sql("Project", shape).sql.string == """
                SELECT DISTINCT t0.ZTITLE, (SELECT COUNT(*) FROM Z_3PROJECTS t1 \
                WHERE t1.Z_5PROJECTS = t0.Z_PK) FROM ZPROJECT t0
                """)
    }

    @Test("A relationship is selected with the column that holds its entity")
    func references() throws {
        let shape = DictionaryShape(columns: [column("boss"), column("department"), column("self")])
        #expect(
            try sql("Employee", shape).sql.string == """
                SELECT t0.ZBOSS, t0.Z3_BOSS, t0.ZDEPARTMENT, t0.Z_PK, t0.Z_ENT FROM ZPERSON t0 \
                WHERE t0.Z_ENT IN (?, ?)
                """)
    }

    @Test("ORDER BY counts two result columns for each reference that is selected")
    func orderBehindReferences() throws {
        let shape = DictionaryShape(columns: [
            column("self"), column("boss"), column("name"), column("department"),
        ])
        let sorted = try sql(
            "Employee", shape,
            sort: [SortKey(keys: ["name"]), SortKey(keys: ["department"]), SortKey(keys: ["boss"])])
        #expect(
            sorted.sql.string == """
                SELECT t0.Z_PK, t0.Z_ENT, t0.ZBOSS, t0.Z3_BOSS, t0.ZNAME, t0.ZDEPARTMENT FROM ZPERSON t0 \
                WHERE t0.Z_ENT IN (?, ?) ORDER BY 5, 6, 3
                """)
    }

    @Test("Binary values stored in external files are selected, grouped and sorted by content")
    func contents() throws {
        let shape = DictionaryShape(
            columns: [
                column("photo"),
                DictionaryShape.Column(name: "most", expression: call("max:", "photo"), type: .binary),
                DictionaryShape.Column(name: "photos", expression: call("count:", "photo"), type: .integer32),
            ], groupBy: [key("photo")])
        #expect(
            try sql("Manager", shape, sort: [SortKey(keys: ["photo"])]).sql.string == """
                SELECT NSCoreDataContents(t0.ZPHOTO), MAX(NSCoreDataContents(t0.ZPHOTO)), COUNT(t0.ZPHOTO) \
                FROM ZPERSON t0 WHERE t0.Z_ENT = ? GROUP BY NSCoreDataContents(t0.ZPHOTO) ORDER BY 1
                """)
    }

    @Test("Functions fold groups, HAVING and ORDER BY name their results")
    func groups() throws {
        let shape = DictionaryShape(
            columns: [
                column("department.name"),
                DictionaryShape.Column(name: "total", expression: call("sum:", "salary"), type: .double),
                DictionaryShape.Column(name: "oldest", expression: call("max:", "age"), type: .integer32),
                DictionaryShape.Column(name: "heads", expression: call("count:", "name"), type: .integer32),
                DictionaryShape.Column(name: "mean", expression: call("average:", "age"), type: .double),
            ],
            groupBy: [key("department.name")],
            having: compare(.variable("total"), .greaterThan, constant(.integer(10))))
        let sorted = try sql(
            "Employee", shape,
            sort: [SortKey(keys: ["total"], isAscending: false), SortKey(keys: ["department", "name"])])
        #expect(
            sorted.sql.string == """
                SELECT t1.ZNAME, coalesce(SUM(t0.ZSALARY), 0), MAX(t0.ZAGE), COUNT(t0.ZNAME), AVG(t0.ZAGE) \
                FROM ZPERSON t0 LEFT OUTER JOIN ZDEPARTMENT t1 ON t0.ZDEPARTMENT = t1.Z_PK \
                WHERE t0.Z_ENT IN (?, ?) GROUP BY t1.ZNAME HAVING coalesce(SUM(t0.ZSALARY), 0) > ? \
                ORDER BY 2 DESC, t1.ZNAME
                """)
        #expect(sorted.bindings == [.integer(3), .integer(4), .integer(10)])
    }

    @Test("A predicate with an aggregate is refused outside of a dictionary query")
    func aggregateInPredicate() {
        let predicate = compare(call("max:", "age"), .equalTo, key("age"))
        #expect(failure("Person", predicate).contains("only dictionary results aggregate rows"))
    }

    @Test(
        "Cells are read as the type of their column",
        arguments: [
            (SQLValue.integer(1), AttributeType.boolean, AttributeValue.boolean(true)),
            (.integer(2), .double, .double(2)),
            (.double(2.5), .decimal, .decimal(2.5)),
            (.double(2), .integer64, .integer(2)),
            (.integer(60), .date, .date(.init(timeIntervalSinceReferenceDate: 60))),
            (.text("x"), .undefined, .string("x")),
            (.null, .string, .null),
        ])
    func cells(_ stored: SQLValue, _ type: AttributeType, _ value: AttributeValue) {
        #expect(AttributeValue(stored, as: type) == value)
    }
}

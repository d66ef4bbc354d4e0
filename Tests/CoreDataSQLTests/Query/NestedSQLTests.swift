import CoreDataPredicates
import CoreDataSQL
import CoreDataStore
import CoreDataValues
import Testing

@Suite("Sub-selects: nested fetches, chosen members, sets, aggregates")
struct NestedSQLTests {
    private struct Nobody: FetchEvaluating {
        func fetchedValue(in context: Any?, isCountOnly: Bool) -> ExpressionValue { .null }
    }

    private func expect(
        _ entity: String, _ predicate: PredicateNode, _ sql: String, _ bindings: [SQLValue],
        location: SourceLocation = #_sourceLocation
    ) throws {
        let found = try condition(entity, predicate)
        #expect(found.sql.string == sql, sourceLocation: location)
        #expect(found.bindings == bindings, sourceLocation: location)
    }

    private func fetch(_ query: FetchQuery, isCountOnly: Bool = false) -> ExpressionNode {
        .fetch(
            request: .constant(.opaque(AnyHashable(FetchSource(query, Nobody())))), context: constant(.null),
            isCountOnly: isCountOnly)
    }

    private func element(_ path: String, _ index: ExpressionNode) -> ExpressionNode {
        .function(operand: nil, name: "objectFrom:withIndex:", arguments: [key(path), index])
    }

    private func symbol(_ name: String) -> ExpressionNode {
        .function(operand: nil, name: name, arguments: [])
    }

    private let named = compare(key("name"), .equalTo, constant(.string("x")))
    private let department = CompanyModel.index("Department")

    @Test("A fetch within a predicate is a sub-select")
    func nestedFetches() throws {
        let query = FetchQuery(entity: department, predicate: named, sort: [SortKey(keys: ["name"])])
        try expect(
            "Employee", compare(key("department"), .in, fetch(query)),
            """
            t0.Z_ENT IN (?, ?) AND t0.ZDEPARTMENT IN (SELECT t1.Z_PK FROM ZDEPARTMENT t1 WHERE t1.ZNAME = ?)
            """, [.integer(3), .integer(4), .text("x")])
        var cut = query
        (cut.limit, cut.offset) = (2, 1)
        try expect(
            "Department", compare(fetch(cut), .contains, .evaluatedObject),
            """
            t0.Z_PK IN (SELECT t1.Z_PK FROM ZDEPARTMENT t1 WHERE t1.ZNAME = ? ORDER BY t1.ZNAME \
            LIMIT ? OFFSET ?)
            """, [.text("x"), .integer(2), .integer(1)])
        let names = DictionaryShape(columns: [.init(name: "name", expression: key("name"), type: .string)])
        var dictionaries = query
        dictionaries.shape = .dictionaries(names)
        try expect(
            "Person", compare(key("name"), .in, fetch(dictionaries)),
            "t0.ZNAME IN (SELECT t1.ZNAME FROM ZDEPARTMENT t1 WHERE t1.ZNAME = ?)", [.text("x")])
    }

    @Test("A fetch that counts is one value")
    func nestedCounts() throws {
        var query = FetchQuery(entity: CompanyModel.index("Employee"), predicate: named)
        try expect(
            "Person", compare(key("age"), .lessThan, fetch(query, isCountOnly: true)),
            "t0.ZAGE < (SELECT COUNT(*) FROM ZPERSON t1 WHERE t1.Z_ENT IN (?, ?) AND t1.ZNAME = ?)",
            [.integer(3), .integer(4), .text("x")])
        (query.entity, query.limit) = (department, 4)
        try expect(
            "Person", compare(key("age"), .lessThan, fetch(query, isCountOnly: true)),
            """
            t0.ZAGE < (SELECT COUNT(*) FROM (SELECT t1.Z_PK FROM ZDEPARTMENT t1 WHERE t1.ZNAME = ? LIMIT ?) r)
            """, [.text("x"), .integer(4)])
    }

    @Test("A member of an ordered relationship is chosen by its order")
    func chosenMembers() throws {
        let members = "FROM Z_3PROJECTS t1"
        let person = "LEFT OUTER JOIN ZPERSON t2 ON t1.Z_3MEMBERS = t2.Z_PK"
        let owner = "WHERE t1.Z_5PROJECTS = t0.Z_PK ORDER BY t1.Z_FOK_3MEMBERS"
        func name(_ index: ExpressionNode) -> PredicateNode {
            let name = ExpressionNode.keyPath(operand: element("members", index), keys: ["name"])
            return compare(name, .beginsWith, constant(.string("\u{10FFFF}")))
        }
        func named(_ window: String) -> String {
            "NSCoreDataStringSearch(1, (SELECT t2.ZNAME \(members) \(person) \(owner)\(window)), ?, 0)"
        }
        let end = SQLValue.text("\u{10FFFF}")
        try expect("Project", name(symbol("FIRST")), named(" LIMIT 1"), [end])
        try expect("Project", name(symbol("LAST")), named(" DESC LIMIT 1"), [end])
        try expect(
            "Project", name(constant(.integer(2))), named(" LIMIT 1 OFFSET ?"), [.integer(2), end])
        try expect(
            "Project", compare(element("members", symbol("SIZE")), .greaterThan, constant(.integer(2))),
            "(SELECT COUNT(*) \(members) WHERE t1.Z_5PROJECTS = t0.Z_PK) > ?", [.integer(2)])
        // Without an order, the member is chosen in memory.
        #expect(
            failure(
                "Department",
                compare(element("employees", symbol("FIRST")), .equalTo, constant(.null))
            ).hasPrefix("SQL cannot express"))
    }

    @Test("Membership in a combined set is a combination of memberships")
    func sets() throws {
        let (left, right) = (key("department.employees"), key("boss.reports"))
        let first =
            "EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZDEPARTMENT = t0.ZDEPARTMENT AND t1.Z_PK = t0.Z_PK)"
        let second = "EXISTS (SELECT 1 FROM ZPERSON t2 WHERE t2.ZBOSS = t0.ZBOSS AND t2.Z_PK = t0.Z_PK)"
        let cases: [(ExpressionNode, String)] = [
            (.unionSet(left, right), "(\(first) OR \(second))"),
            (.intersectSet(left, right), "\(first) AND \(second)"),
            (.minusSet(left, right), "\(first) AND NOT \(second)"),
        ]
        for (set, sql) in cases {
            let found = try condition("Employee", compare(.evaluatedObject, .in, set))
            #expect(found.sql.string == "t0.Z_ENT IN (?, ?) AND \(sql)")
        }
    }

    @Test("Aggregates over a relationship are sub-selects, by functions of SQLite or the driver")
    func aggregates() throws {
        let cases = [
            ("sum:", "coalesce((SELECT SUM(t1.ZSALARY) FROM %), 0)"),
            ("min:", "(SELECT MIN(t1.ZSALARY) FROM %)"), ("max:", "(SELECT MAX(t1.ZSALARY) FROM %)"),
            ("average:", "(SELECT AVG(t1.ZSALARY) FROM %)"), ("count:", "(SELECT COUNT(t1.ZSALARY) FROM %)"),
            ("median:", "(SELECT NSCoreDataMedian(t1.ZSALARY) FROM %)"),
            ("mode:", "(SELECT NSCoreDataMode(t1.ZSALARY) FROM %)"),
            ("stddev:", "(SELECT NSCoreDataStandardDeviation(t1.ZSALARY) FROM %)"),
        ]
        for (name, sql) in cases {
            let function = ExpressionNode.function(
                operand: nil, name: name, arguments: [key("employees.salary")])
            let source = "ZPERSON t1 WHERE t1.ZDEPARTMENT = t0.Z_PK"
            try expect(
                "Department", compare(function, .greaterThan, constant(.integer(2))),
                sql.replacing("%", with: source) + " > ?", [.integer(2)])
        }
    }
}

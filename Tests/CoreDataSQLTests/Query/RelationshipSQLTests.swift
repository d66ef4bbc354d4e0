import CoreDataPredicates
import CoreDataSQL
import CoreDataStore
import CoreDataValues
import Testing

@Suite("Predicates through relationships")
struct RelationshipSQLTests {
    private final class Row: KeyedValues {
        let rowReference: ObjectReference?
        init(rowReference: ObjectReference?) { self.rowReference = rowReference }
        var identity: AnyHashable { rowReference }
        func expressionValue(forKey key: String) -> ExpressionValue { .null }
    }

    private func object(_ entity: String, _ key: Int64) -> ExpressionNode {
        .constant(.object(Row(rowReference: CompanyModel.reference(entity, key))))
    }

    private let marketing = constant(.string("Marketing"))
    private func expect(
        _ entity: String,
        _ predicate: PredicateNode,
        _ sql: String,
        _ bindings: [SQLValue]? = nil,
        location: SourceLocation = #_sourceLocation
    ) throws {
        let found = try condition(entity, predicate)
        // The rows of employees share their table.
        let prefix = "t0.Z_ENT IN (?, ?) AND "
        let text =
            found.sql.string.hasPrefix(prefix)
            ? String(found.sql.string.dropFirst(prefix.count)) : found.sql.string
        #expect(text == sql, sourceLocation: location)
        if let bindings {
            #expect(Array(found.bindings.suffix(bindings.count)) == bindings, sourceLocation: location)
        }
    }

    @Test("To-one steps share one outer join")
    func toOne() throws {
        let name = compare(key("department.name"), .equalTo, marketing)
        let budget = compare(key("department.budget"), .greaterThan, constant(.integer(1)))
        try expect(
            "Employee", .compound(.or, [name, budget]),
            """
            LEFT OUTER JOIN ZDEPARTMENT t1 ON t0.ZDEPARTMENT = t1.Z_PK WHERE t0.Z_ENT IN (?, ?) \
            AND (t1.ZNAME = ? OR t1.ZBUDGET > ?)
            """)
        try expect(
            "Employee", compare(key("boss.boss.department.name"), .equalTo, marketing),
            """
            LEFT OUTER JOIN ZPERSON t1 ON t0.ZBOSS = t1.Z_PK LEFT OUTER JOIN ZPERSON t2 ON t1.ZBOSS = t2.Z_PK \
            LEFT OUTER JOIN ZDEPARTMENT t3 ON t2.ZDEPARTMENT = t3.Z_PK WHERE t0.Z_ENT IN (?, ?) AND t3.ZNAME = ?
            """)
    }

    @Test("Objects are compared by key, and never equal one of another tree")
    func objects() throws {
        try expect(
            "Employee", compare(key("department"), .equalTo, object("Department", 7)), "t0.ZDEPARTMENT = ?",
            [.integer(7)])
        try expect(
            "Employee", compare(key("department"), .notEqualTo, object("Department", 7)),
            "(t0.ZDEPARTMENT <> ? OR t0.ZDEPARTMENT IS NULL)", [.integer(7)])
        try expect(
            "Employee", compare(key("department"), .equalTo, constant(.null)), "t0.ZDEPARTMENT IS NULL")
        try expect(
            "Employee", compare(key("department"), .equalTo, object("Tag", 7)), "t0.ZDEPARTMENT = ?",
            [.integer(.min)])
        try expect(
            "Tag",
            compare(.evaluatedObject, .equalTo, constant(.reference(CompanyModel.reference("Tag", 2)))),
            "t0.Z_PK = ?", [.integer(2)])
        try expect("Tag", compare(.evaluatedObject, .notEqualTo, object("Tag", 2)), "t0.Z_PK <> ?")
        try expect("Tag", compare(key("objectID"), .equalTo, object("Tag", 2)), "t0.Z_PK = ?")
        try expect(
            "Tag", compare(key("self"), .in, .aggregate([object("Tag", 2), object("Tag", 3)])),
            "t0.Z_PK IN (?, ?)", [.integer(2), .integer(3)])
        try expect("Employee", compare(key("boss"), .equalTo, .evaluatedObject), "t0.ZBOSS = t0.Z_PK")
        try expect("Employee", compare(key("department"), .equalTo, .evaluatedObject), "1 = 0")
        #expect(
            failure("Employee", compare(key("department"), .equalTo, constant(.integer(7))))
                .hasPrefix("SQL compares Department objects with objects"))
    }

    @Test("An entity is compared by its number")
    func entities() throws {
        try expect(
            "Person", compare(key("entity"), .equalTo, constant(.string("Manager"))), "t0.Z_ENT = ?",
            [.integer(4)])
        try expect(
            "Person", compare(key("entity.name"), .equalTo, constant(.string("Nobody"))), "t0.Z_ENT = ?",
            [.integer(.min)])
        try expect(
            "Employee", compare(key("boss.entity"), .equalTo, constant(.string("Manager"))), "t0.Z3_BOSS = ?",
            [.integer(4)])
    }

    @Test("ANY is a sub-select, NONE its negation")
    func any() throws {
        let any = compare(key("employees.name"), .equalTo, marketing, .any)
        let sql = "EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZDEPARTMENT = t0.Z_PK AND t1.ZNAME = ?)"
        try expect("Department", any, sql, [.text("Marketing")])
        try expect("Department", .compound(.not, [any]), "NOT " + sql, [.text("Marketing")])
        try expect(
            "Department", compare(key("employees.boss.name"), .equalTo, marketing, .any),
            """
            EXISTS (SELECT 1 FROM ZPERSON t1 LEFT OUTER JOIN ZPERSON t2 ON t1.ZBOSS = t2.Z_PK \
            WHERE t1.ZDEPARTMENT = t0.Z_PK AND t2.ZNAME = ?)
            """)
    }

    @Test("ALL holds if no element fails")
    func all() throws {
        try expect(
            "Department", compare(key("employees.age"), .greaterThan, constant(.integer(5)), .all),
            """
            NOT EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZDEPARTMENT = t0.Z_PK AND (t1.ZAGE > ?) IS NOT TRUE)
            """, [.integer(5)])
    }

    @Test("A to-many behind a to-one is joined by the key, without the row between")
    func toManyBehindToOne() throws {
        try expect(
            "Employee", compare(key("department.employees.age"), .equalTo, constant(.integer(5)), .any),
            "EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZDEPARTMENT = t0.ZDEPARTMENT AND t1.ZAGE = ?)")
    }

    @Test("Many-to-many goes through the join table from either side")
    func manyToMany() throws {
        try expect(
            "Employee", compare(key("projects.title"), .equalTo, marketing, .any),
            """
            EXISTS (SELECT 1 FROM Z_3PROJECTS t1 LEFT OUTER JOIN ZPROJECT t2 ON t1.Z_5PROJECTS = t2.Z_PK \
            WHERE t1.Z_3MEMBERS = t0.Z_PK AND t2.ZTITLE = ?)
            """)
        try expect(
            "Project", compare(key("members"), .contains, object("Manager", 4)),
            "EXISTS (SELECT 1 FROM Z_3PROJECTS t1 WHERE t1.Z_5PROJECTS = t0.Z_PK AND t1.Z_3MEMBERS = ?)",
            [.integer(4)])
        try expect(
            "Project", compare(object("Manager", 4), .in, key("members")),
            "EXISTS (SELECT 1 FROM Z_3PROJECTS t1 WHERE t1.Z_5PROJECTS = t0.Z_PK AND t1.Z_3MEMBERS = ?)")
        try expect(
            "Person", compare(key("friends"), .contains, object("Person", 4)),
            """
            EXISTS (SELECT 1 FROM (SELECT Z_2FRIENDS, REFLEXIVE FROM Z_2FRIENDS \
            UNION SELECT REFLEXIVE, Z_2FRIENDS FROM Z_2FRIENDS) t1 \
            WHERE t1.Z_2FRIENDS = t0.Z_PK AND t1.REFLEXIVE = ?)
            """)
    }

    @Test("Two to-many steps are joined in one sub-select")
    func twoToMany() throws {
        try expect(
            "Department", compare(key("employees.projects.title"), .equalTo, marketing, .any),
            """
            EXISTS (SELECT 1 FROM ZPERSON t1 JOIN Z_3PROJECTS t2 ON t1.Z_PK = t2.Z_3MEMBERS \
            LEFT OUTER JOIN ZPROJECT t3 ON t2.Z_5PROJECTS = t3.Z_PK \
            WHERE t1.ZDEPARTMENT = t0.Z_PK AND t3.ZTITLE = ?)
            """)
    }

    @Test("A to-many is compared with nil by its emptiness")
    func emptiness() throws {
        let tags = "EXISTS (SELECT 1 FROM ZTAG t1 WHERE t1.Z5TAGS = t0.Z_PK)"
        try expect("Project", compare(key("tags"), .equalTo, constant(.null)), "NOT " + tags)
        try expect("Project", compare(key("tags"), .notEqualTo, constant(.null)), tags)
    }

    @Test(
        "Comparing a count with 0 or 1 becomes EXISTS",
        arguments: [
            (ComparisonOperator.greaterThan, Int64(0), true), (.notEqualTo, 0, true),
            (.greaterThanOrEqualTo, 1, true), (.equalTo, 0, false), (.lessThanOrEqualTo, 0, false),
            (.lessThan, 1, false),
        ])
    func existence(_ relation: ComparisonOperator, _ limit: Int64, _ exists: Bool) throws {
        let sql = (exists ? "" : "NOT ") + "EXISTS (SELECT 1 FROM ZTAG t1 WHERE t1.Z5TAGS = t0.Z_PK)"
        try expect("Project", compare(key("tags.@count"), relation, constant(.integer(limit))), sql, [])
    }

    @Test("Collection operators are scalar sub-selects")
    func operators() throws {
        let two = constant(.integer(2))
        let from = "FROM ZPERSON t1 WHERE t1.ZDEPARTMENT = t0.Z_PK)"
        let cases = [
            ("employees.@count", "(SELECT COUNT(*) \(from) > ?"),
            ("employees.@sum.salary", "coalesce((SELECT SUM(t1.ZSALARY) \(from), 0) > ?"),
            ("employees.@avg.salary", "(SELECT AVG(t1.ZSALARY) \(from) > ?"),
            ("employees.@min.age", "(SELECT MIN(t1.ZAGE) \(from) > ?"),
            ("employees.@max.age", "(SELECT MAX(t1.ZAGE) \(from) > ?"),
            ("employees.@distinctUnionOfObjects.name.@count", "(SELECT COUNT(DISTINCT t1.ZNAME) \(from) > ?"),
        ]
        for (path, sql) in cases {
            try expect("Department", compare(key(path), .greaterThan, two), sql, [.integer(2)])
        }
        let function = ExpressionNode.function(operand: nil, name: "max:", arguments: [key("employees.age")])
        try expect("Department", compare(function, .greaterThan, two), "(SELECT MAX(t1.ZAGE) \(from) > ?")
        try expect(
            "Department", compare(key("employees.@count"), .notEqualTo, two), "(SELECT COUNT(*) \(from) <> ?")
        try expect(
            "Project", compare(key("members.@count"), .equalTo, two),
            "(SELECT COUNT(*) FROM Z_3PROJECTS t1 WHERE t1.Z_5PROJECTS = t0.Z_PK) = ?")
        try expect(
            "Project", compare(key("members.@max.age"), .equalTo, two),
            """
            (SELECT MAX(t2.ZAGE) FROM Z_3PROJECTS t1 LEFT OUTER JOIN ZPERSON t2 ON t1.Z_3MEMBERS = t2.Z_PK \
            WHERE t1.Z_5PROJECTS = t0.Z_PK) = ?
            """)
    }

    @Test("SUBQUERY counts what its predicate accepts, nested and correlated")
    func subqueries() throws {
        func count(_ subquery: ExpressionNode) -> ExpressionNode {
            .keyPath(operand: subquery, keys: ["@count"])
        }
        let old = compare(key("e", "age"), .greaterThan, constant(.integer(60)))
        let own = compare(key("e", "name"), .equalTo, key("name"))
        try expect(
            "Department",
            compare(
                count(
                    .subquery(
                        collection: key("employees"), variable: "e", predicate: .compound(.and, [old, own]))),
                .greaterThan, constant(.integer(3))),
            """
            (SELECT COUNT(*) FROM ZPERSON t1 WHERE t1.ZDEPARTMENT = t0.Z_PK AND t1.ZAGE > ? \
            AND t1.ZNAME IS t0.ZNAME) > ?
            """, [.integer(60), .integer(3)])
        let titled = compare(key("p", "title"), .equalTo, marketing)
        let busy = compare(
            count(.subquery(collection: key("e", "projects"), variable: "p", predicate: titled)),
            .equalTo, constant(.integer(2)))
        try expect(
            "Department",
            compare(
                count(.subquery(collection: key("employees"), variable: "e", predicate: busy)),
                .equalTo, constant(.integer(1))),
            """
            (SELECT COUNT(*) FROM ZPERSON t1 WHERE t1.ZDEPARTMENT = t0.Z_PK AND \
            (SELECT COUNT(*) FROM Z_3PROJECTS t2 LEFT OUTER JOIN ZPROJECT t3 ON t2.Z_5PROJECTS = t3.Z_PK \
            WHERE t2.Z_3MEMBERS = t1.Z_PK AND t3.ZTITLE = ?) = ?) = ?
            """, [.text("Marketing"), .integer(2), .integer(1)])
        let namesake = compare(key("e", "name"), .equalTo, key("boss.name"))
        try expect(
            "Employee",
            compare(
                count(.subquery(collection: key("reports"), variable: "e", predicate: namesake)),
                .greaterThan, constant(.integer(0))),
            """
            LEFT OUTER JOIN ZPERSON t2 ON t0.ZBOSS = t2.Z_PK WHERE t0.Z_ENT IN (?, ?) AND \
            EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZBOSS = t0.Z_PK AND t1.ZNAME IS t2.ZNAME)
            """)
        let elder = ExpressionNode.subquery(collection: key("reports"), variable: "e", predicate: old)
        try expect(
            "Employee", compare(key("boss"), .in, elder),
            "EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZBOSS = t0.Z_PK AND t1.ZAGE > ? AND t1.Z_PK = t0.ZBOSS)"
        )
    }
}

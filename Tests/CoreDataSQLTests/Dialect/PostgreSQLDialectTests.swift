import CoreDataModelFormat
import CoreDataPredicates
import CoreDataSQL
import CoreDataStore
import CoreDataValues
import Foundation
import Testing

@Suite("Queries in PostgreSQL's dialect")
struct PostgreSQLDialectTests {
    private static let schema = {
        var schema = CompanyModel.schema
        schema.keepsExternalFiles = false
        return schema
    }()
    private static let compiler = SelectCompiler(
        schema: schema, layouts: RowLayouts(CompanyModel.model), dialect: PostgreSQLDialect())

    private func expect(
        _ entity: String, _ predicate: PredicateNode, _ sql: String, _ bindings: [SQLValue]? = nil,
        location: SourceLocation = #_sourceLocation
    ) throws {
        let found = try condition(entity, predicate, by: Self.compiler)
        #expect(found.sql.string == sql, sourceLocation: location)
        if let bindings { #expect(found.bindings == bindings, sourceLocation: location) }
    }

    private func expectMemory(
        _ entity: String, _ predicate: PredicateNode, location: SourceLocation = #_sourceLocation
    ) {
        let query = FetchQuery(entity: CompanyModel.index(entity), predicate: predicate, shape: .count)
        let error = #expect(throws: StoreError.self, sourceLocation: location) {
            try Self.compiler.compile(query)
        }
        let isLeftToMemory = if case .inexpressible = error?.kind { true } else { false }
        #expect(isLeftToMemory, sourceLocation: location)
    }

    private func select(
        _ entity: String, _ change: (inout FetchQuery) -> Void = { _ in }
    ) throws -> SQLFragment {
        var query = FetchQuery(entity: CompanyModel.index(entity), shape: .references)
        change(&query)
        return try Self.compiler.compile(query).select
    }

    private func call(_ name: String, _ arguments: ExpressionNode...) -> ExpressionNode {
        .function(operand: nil, name: name, arguments: arguments)
    }

    // MARK: Rows

    @Test("Rows are sorted by their keys, after any other sort keys")
    func order() throws {
        #expect(try select("Tag").sql == "SELECT t0.Z_PK, t0.Z_ENT FROM ZTAG t0 ORDER BY t0.Z_PK")
        let sorted = try select("Employee") { query in
            query.sort = [
                SortKey(keys: ["department", "name"]),
                SortKey(keys: ["age"], isAscending: false),
            ]
            (query.limit, query.offset) = (3, 2)
        }
        #expect(
            sorted.sql.string == """
                SELECT t0.Z_PK, t0.Z_ENT FROM ZPERSON t0 \
                LEFT OUTER JOIN ZDEPARTMENT t1 ON t0.ZDEPARTMENT = t1.Z_PK WHERE t0.Z_ENT IN (?, ?) \
                ORDER BY t1.ZNAME NULLS FIRST, t0.ZAGE DESC NULLS LAST, t0.Z_PK \
                LIMIT ? OFFSET ?
                """)
        #expect(
            try select("Tag") { $0.offset = 20 }.sql
                == "SELECT t0.Z_PK, t0.Z_ENT FROM ZTAG t0 ORDER BY t0.Z_PK OFFSET ?")
    }

    @Test("A count has no order, unless it counts a window")
    func count() throws {
        #expect(
            try select("Department") { query in
                query.shape = .count
                query.sort = [SortKey(keys: ["name"])]
            }.sql == "SELECT COUNT(*) FROM ZDEPARTMENT t0")
        #expect(
            try select("Department") { query in
                query.shape = .count
                query.limit = 3
            }.sql == "SELECT COUNT(*) FROM (SELECT t0.Z_PK FROM ZDEPARTMENT t0 ORDER BY t0.Z_PK LIMIT ?) r")
    }

    @Test("Known rows are found by an array of keys")
    func keys() throws {
        let columns = "t0.Z_PK, t0.Z_ENT, t0.Z_OPT, t0.ZLABEL"
        let many = try Self.compiler.rows(of: CompanyModel.index("Tag")).select.sql
        #expect(many == "SELECT \(SQLText(stored: columns)) FROM ZTAG t0 WHERE t0.Z_PK = ANY (?)")
        #expect(many.placeholders == [.integers])
    }

    @Test("Members of one owner follow one another, in their order if they have one")
    func members() throws {
        func sql(_ relationship: String, _ keys: [Int64]) throws -> String? {
            try Self.compiler.relatedRows(
                CompanyModel.slot(relationship, of: "Project"),
                ofEach: keys.map { CompanyModel.reference("Project", $0) })?.select.sql.string
        }
        let columns = "t0.Z_PK, t0.Z_ENT, t0.Z_OPT, t0.ZLABEL"
        #expect(
            try sql("tags", [7, 3])
                == "SELECT \(columns), t0.Z5TAGS FROM ZTAG t0 WHERE t0.Z5TAGS = ANY (?) ORDER BY t0.Z5TAGS")
        #expect(
            try sql("tags", [7])
                == "SELECT \(columns), t0.Z5TAGS FROM ZTAG t0 WHERE t0.Z5TAGS = ? ORDER BY t0.Z5TAGS")
        #expect(
            try sql("members", [7])?.hasSuffix(
                """
                , j.Z_5PROJECTS FROM Z_3PROJECTS j JOIN ZPERSON t0 ON j.Z_3MEMBERS = t0.Z_PK \
                WHERE j.Z_5PROJECTS = ? ORDER BY j.Z_5PROJECTS, j.Z_FOK_3MEMBERS
                """) == true)
        let friends = try Self.compiler.related(
            CompanyModel.slot("friends", of: "Manager"), of: CompanyModel.index("Manager"),
            ofEach: [CompanyModel.reference("Manager", 7)])
        #expect(
            friends.sql.string == """
                SELECT t0.owner, t1.Z_PK, t1.Z_ENT FROM \
                (SELECT j.Z_2FRIENDS AS owner, j.REFLEXIVE AS member FROM Z_2FRIENDS j WHERE j.Z_2FRIENDS = ANY (?) \
                UNION SELECT j.REFLEXIVE, j.Z_2FRIENDS FROM Z_2FRIENDS j WHERE j.REFLEXIVE = ANY (?)) t0 \
                JOIN ZPERSON t1 ON t0.member = t1.Z_PK
                """)
    }

    // MARK: Conditions

    @Test("Equality treats null as a value")
    func same() throws {
        try expect(
            "Person", compare(key("name"), .equalTo, key("site")), "t0.ZNAME IS NOT DISTINCT FROM t0.ZSITE")
        try expect(
            "Person", compare(key("name"), .notEqualTo, key("site")), "t0.ZNAME IS DISTINCT FROM t0.ZSITE")
        try expect(
            "Department", compare(key("name"), .notEqualTo, constant(.string("x"))),
            "(t0.ZNAME <> ? OR t0.ZNAME IS NULL)", [.text("x")])
    }

    @Test("A long list is an array")
    func lists() throws {
        let numbers = (1...10).map { AttributeValue.integer($0) }
        try expect(
            "Person", compare(key("age"), .in, constants(numbers)), "t0.ZAGE = ANY (?)",
            [.integers(Array(1...10))])
        let names = (1...9).map { AttributeValue.string("\($0)") }
        try expect(
            "Department", compare(key("name"), .in, constants(names + [.null])),
            "(t0.ZNAME = ANY (?) OR t0.ZNAME IS NULL)", [.texts((1...9).map(String.init))])
    }

    @Test("Plain string searches are built in, a prefix is a range")
    func strings() throws {
        let needle = constant(.string("ab"))
        try expect(
            "Tag", compare(key("label"), .beginsWith, needle), "(t0.ZLABEL >= ? AND t0.ZLABEL < ?)",
            [.text("ab"), .text("ac")])
        try expect(
            "Tag", compare(key("label"), .contains, needle), "position(? IN t0.ZLABEL) > 0", [.text("ab")])
        try expect(
            "Tag", compare(key("label"), .endsWith, needle), "right(t0.ZLABEL, length(?)) = ?",
            [.text("ab"), .text("ab")])
        try expect(
            "Person", compare(key("name"), .beginsWith, key("site")),
            "(t0.ZSITE <> '' AND starts_with(t0.ZNAME, t0.ZSITE))")
        try expect(
            "Tag", compare(key("label"), .like, constant(.string(#"a*_?%\*\\"#))), "t0.ZLABEL LIKE ?",
            [.text(#"a%\__\%\*\\"#)])
    }

    @Test("Searches that ignore case or diacritics, and regular expressions, are left to memory")
    func memory() {
        let both: ComparisonOptions = [.caseInsensitive, .diacriticInsensitive]
        let text = constant(.string("é"))
        for relation in [ComparisonOperator.equalTo, .notEqualTo, .beginsWith, .contains, .like, .lessThan] {
            expectMemory("Tag", compare(key("label"), relation, text, .direct, both))
        }
        expectMemory("Tag", compare(key("label"), .matches, text))
        let names = (1...9).map { AttributeValue.string("é\($0)") }
        expectMemory("Tag", compare(key("label"), .in, constants(names), .direct, both))
        expectMemory("Tag", compare(call("canonical:", key("label")), .equalTo, text))
    }

    @Test("Values that a column cannot have are compared in memory")
    func types() throws {
        expectMemory("Person", compare(key("age"), .equalTo, constant(.string("old"))))
        expectMemory("Person", compare(key("token"), .equalTo, constant(.string("no UUID"))))
        expectMemory("Person", compare(key("name"), .equalTo, constant(.string("a\0b"))))
        expectMemory("Person", compare(key("name"), .equalTo, constant(.data(Data([1])))))
        expectMemory("Person", compare(key("name"), .equalTo, key("age")))
        try expect(
            "Person", compare(key("age"), .equalTo, constant(.string("5"))), "t0.ZAGE = ?", [.integer(5)])
        try expect(
            "Person", compare(key("age"), .lessThan, constant(.double(2.5))), "t0.ZAGE < ?", [.double(2.5)])
    }

    @Test("Bytes of any length are compared in SQL if no bytes are in external files")
    func bytes() throws {
        let photo = Data(repeating: 7, count: 200_000)
        try expect(
            "Person", compare(key("photo"), .equalTo, constant(.data(photo))), "t0.ZPHOTO = ?",
            [.blob(photo)])
        try expect(
            "Person", compare(key("photo"), .lessThan, constant(.data(photo))), "t0.ZPHOTO < ?",
            [.blob(photo)])
    }

    // MARK: Expressions

    @Test("Functions yield null outside of their domain")
    func functions() throws {
        let age = key("age")
        let cases: [(ExpressionNode, String)] = [
            (call("add:to:", age, constant(.integer(1))), "(CAST(t0.ZAGE AS numeric) + ?) > ?"),
            (call("divide:by:", age, constant(.integer(2))), "div(t0.ZAGE, NULLIF(?, 0)) > ?"),
            (
                call("divide:by:", key("birthday"), age),
                "(CAST(t0.ZBIRTHDAY AS double precision) / NULLIF(t0.ZAGE, 0)) > ?"
            ),
            (
                call("modulus:by:", age, constant(.integer(2))),
                "mod(CAST(t0.ZAGE AS numeric), NULLIF(?, 0)) > ?"
            ),
            (
                call("bitwiseAnd:with:", age, constant(.integer(6))),
                "(CAST(t0.ZAGE AS bigint) & CAST(? AS bigint)) > ?"
            ),
            (
                call("leftshift:by:", age, constant(.integer(1))),
                "(CAST(t0.ZAGE AS bigint) << CAST(? AS integer)) > ?"
            ),
            (call("onesComplement:", age), "(~CAST(t0.ZAGE AS bigint)) > ?"),
            (call("abs:", age), "abs(t0.ZAGE) > ?"),
            (
                call("sqrt:", age),
                "CASE WHEN t0.ZAGE >= 0 THEN sqrt(CAST(t0.ZAGE AS double precision)) END > ?"
            ),
            (call("log:", age), "CASE WHEN t0.ZAGE > 0 THEN log(CAST(t0.ZAGE AS double precision)) END > ?"),
            (call("ln:", age), "CASE WHEN t0.ZAGE > 0 THEN ln(CAST(t0.ZAGE AS double precision)) END > ?"),
            (
                call("exp:", age),
                """
                CASE WHEN t0.ZAGE > 709.78 THEN CAST('Infinity' AS double precision) \
                WHEN t0.ZAGE < -708 THEN 0 ELSE exp(CAST(t0.ZAGE AS double precision)) END > ?
                """
            ),
            (
                call("raise:toPower:", age, key("birthday")),
                """
                CASE WHEN $1 = 0 THEN CASE WHEN $2 >= 0 THEN power($1, $2) END \
                WHEN $1 < 0 AND $2 <> trunc($2) THEN NULL \
                WHEN $2 * ln(abs($1)) > 709.78 THEN power(sign($1), $2) * CAST('Infinity' AS double precision) \
                WHEN $2 * ln(abs($1)) < -708 THEN 0 ELSE power($1, $2) END > ?
                """
                .replacing("$1", with: "CAST(t0.ZAGE AS double precision)")
                .replacing("$2", with: "CAST(t0.ZBIRTHDAY AS double precision)")
            ),
            (call("trunc:", age), "trunc(t0.ZAGE) > ?"),
            (call("random"), "CAST(floor(random() * 9007199254740992) AS bigint) > ?"),
            (
                call("random:", age),
                "mod(CAST(floor(random() * 9007199254740992) AS bigint), NULLIF(t0.ZAGE, 0)) > ?"
            ),
            (
                call("max:", .aggregate([age, constant(.integer(2))])),
                "GREATEST(COALESCE(t0.ZAGE, ?), ?) > ?"
            ),
            (call("noindex:", age), "t0.ZAGE > ?"),
            (
                call("length:", key("name")),
                """
                (length(t0.ZNAME) \
                + length(regexp_replace(t0.ZNAME, '[\\U00000001-\\U0000FFFF]', '', 'g'))) > ?
                """
            ),
        ]
        for (expression, sql) in cases {
            try expect("Person", compare(expression, .greaterThan, constant(.integer(3))), sql)
        }
        try expect(
            "Tag", compare(call("lowercase:", key("label")), .equalTo, constant(.string("x"))),
            #"(lower(t0.ZLABEL COLLATE "und-x-icu") COLLATE "C") = ?"#)
        try expect(
            "Person", compare(key("birthday"), .lessThan, call("now")),
            """
            t0.ZBIRTHDAY < (CAST(extract(epoch FROM clock_timestamp()) AS double precision) - 978307200)
            """)
        try expect(
            "Tag",
            compare(
                call("castObject:toType:", key("label"), constant(.string("NSNumber"))), .lessThan,
                constant(.integer(5))),
            """
            CAST(CASE WHEN t0.ZLABEL IS NOT NULL THEN COALESCE(substring(t0.ZLABEL \
            FROM '^ *([-+]{0,1}[0-9]+([.][0-9]*){0,1}([eE][-+]{0,1}[0-9]+){0,1})'), '0') END \
            AS double precision) < ?
            """)
    }

    @Test("A shift by any number of places, also a negative one, is what memory makes of it")
    func shifts() throws {
        try expect(
            "Person",
            compare(
                call("rightshift:by:", constant(.integer(5)), key("age")), .equalTo, constant(.integer(3))),
            """
            CASE WHEN $2 >= 64 THEN $1 >> 63 WHEN $2 >= 0 THEN $1 >> CAST($2 AS integer) \
            WHEN $2 > -64 THEN $1 << CAST(-$2 AS integer) WHEN $2 <= -64 THEN $1 & 0 END = ?
            """
            .replacing("$1", with: "CAST(? AS bigint)").replacing("$2", with: "CAST(t0.ZAGE AS bigint)"))
    }

    @Test(
        "Values that are no numbers are computed with in memory, and so are choices between kinds of values")
    func kinds() throws {
        let (name, age) = (key("name"), key("age"))
        expectMemory("Person", compare(call("add:to:", name, age), .greaterThan, constant(.integer(3))))
        expectMemory("Person", compare(call("abs:", name), .greaterThan, constant(.integer(3))))
        expectMemory(
            "Department", compare(key("employees.@sum.name"), .greaterThan, constant(.integer(3))))
        expectMemory(
            "Person", compare(call("max:", .aggregate([age, name])), .greaterThan, constant(.integer(3))))
        let choice = ExpressionNode.conditional(compare(age, .equalTo, constant(.null)), name, age)
        expectMemory("Person", compare(choice, .equalTo, constant(.integer(3))))
    }

    @Test("Aggregates have the types that readers expect")
    func aggregates() throws {
        let from = "FROM ZPERSON t1 WHERE t1.ZDEPARTMENT = t0.Z_PK)"
        let cases = [
            ("employees.@count", "(SELECT COUNT(*) \(from) > ?"),
            ("employees.@sum.age", "COALESCE((SELECT CAST(SUM(t1.ZAGE) AS bigint) \(from), 0) > ?"),
            ("employees.@sum.salary", "COALESCE((SELECT SUM(t1.ZSALARY) \(from), 0) > ?"),
            ("employees.@avg.age", "(SELECT CAST(AVG(t1.ZAGE) AS double precision) \(from) > ?"),
            ("employees.@min.age", "(SELECT MIN(t1.ZAGE) \(from) > ?"),
            ("employees.@distinctUnionOfObjects.name.@count", "(SELECT COUNT(DISTINCT t1.ZNAME) \(from) > ?"),
        ]
        for (path, sql) in cases {
            try expect("Department", compare(key(path), .greaterThan, constant(.integer(2))), sql)
        }
        let functions = [
            (
                "median:",
                "(SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY CAST(t1.ZSALARY AS double precision)) "
            ),
            ("mode:", "(SELECT mode() WITHIN GROUP (ORDER BY t1.ZSALARY) "),
            ("stddev:", "(SELECT CAST(stddev_pop(t1.ZSALARY) AS double precision) "),
        ]
        for (name, sql) in functions {
            let function = call(name, key("employees.salary"))
            try expect(
                "Department", compare(function, .greaterThan, constant(.integer(2))), "\(sql)\(from) > ?")
        }
        let distinct = [
            (
                "median:",
                """
                (SELECT (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY d.v) \
                FROM unnest(array_agg(DISTINCT CAST(t1.ZSALARY AS double precision))) d (v)) 
                """
            ), ("mode:", "(SELECT MIN(t1.ZSALARY) "),
        ]
        for (name, sql) in distinct {
            let function = call(name, call("distinct:", key("employees.salary")))
            try expect(
                "Department", compare(function, .greaterThan, constant(.integer(2))), "\(sql)\(from) > ?")
        }
    }

    // MARK: Dictionaries

    private func dictionaries(
        _ shape: DictionaryShape, sort: [SortKey] = [], of entity: String = "Employee"
    ) throws -> String {
        let query = FetchQuery(
            entity: CompanyModel.index(entity), sort: sort, shape: .dictionaries(shape))
        return try Self.compiler.compile(query).select.sql.string
    }

    private func column(_ name: String) -> DictionaryShape.Column {
        DictionaryShape.Column(name: name, expression: key(name), type: .undefined)
    }

    @Test("Distinct rows that are sorted by an expression that is not selected are grouped")
    func distinct() throws {
        let shape = DictionaryShape(columns: [column("name")], isDistinct: true)
        #expect(
            try dictionaries(shape, sort: [SortKey(keys: ["name"])], of: "Person")
                == "SELECT DISTINCT t0.ZNAME FROM ZPERSON t0 ORDER BY 1 NULLS FIRST")
        #expect(
            try dictionaries(shape, sort: [SortKey(keys: ["age"], isAscending: false)], of: "Person")
                == "SELECT t0.ZNAME FROM ZPERSON t0 GROUP BY t0.ZNAME ORDER BY MIN(t0.ZAGE) DESC NULLS LAST")
    }

    @Test("Dictionaries are sorted by the keys of their rows, unless they stand for several rows")
    func dictionaryOrder() throws {
        #expect(
            try dictionaries(DictionaryShape(columns: [column("name")]), of: "Person")
                == "SELECT t0.ZNAME FROM ZPERSON t0 ORDER BY t0.Z_PK")
        let count = DictionaryShape.Column(
            name: "count", expression: call("count:", key("name")), type: .integer64)
        #expect(
            try dictionaries(DictionaryShape(columns: [count]), of: "Person")
                == "SELECT COUNT(t0.ZNAME) FROM ZPERSON t0")
        #expect(
            try dictionaries(
                DictionaryShape(columns: [column("name"), count], groupBy: [key("name")]), of: "Person")
                == "SELECT t0.ZNAME, COUNT(t0.ZNAME) FROM ZPERSON t0 GROUP BY t0.ZNAME")
    }
}

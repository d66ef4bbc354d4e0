import CoreDataPredicates
import CoreDataSQL
import CoreDataStore
import CoreDataValues
import Foundation
import Testing

@Suite("Predicates on values")
struct PredicateSQLTests {
    private func expect(
        _ predicate: PredicateNode,
        _ sql: String,
        _ bindings: [SQLValue] = [],
        of entity: String = "Department",
        location: SourceLocation = #_sourceLocation
    ) throws {
        let found = try condition(entity, predicate)
        #expect(found.sql.string == sql, sourceLocation: location)
        #expect(found.bindings == bindings, sourceLocation: location)
    }

    @Test("Comparisons bind their constants")
    func comparisons() throws {
        let five = constant(.integer(5))
        try expect(compare(key("age"), .equalTo, five), "t0.ZAGE = ?", [.integer(5)], of: "Person")
        try expect(compare(key("age"), .lessThan, five), "t0.ZAGE < ?", [.integer(5)], of: "Person")
        try expect(compare(key("age"), .lessThanOrEqualTo, five), "t0.ZAGE <= ?", [.integer(5)], of: "Person")
        try expect(compare(key("age"), .greaterThan, five), "t0.ZAGE > ?", [.integer(5)], of: "Person")
        try expect(
            compare(key("age"), .greaterThanOrEqualTo, five), "t0.ZAGE >= ?", [.integer(5)], of: "Person")
        try expect(compare(five, .lessThan, key("age")), "? < t0.ZAGE", [.integer(5)], of: "Person")
    }

    @Test("Nothing but null equals null")
    func nulls() throws {
        let null = constant(.null)
        try expect(compare(key("name"), .equalTo, null), "t0.ZNAME IS NULL")
        try expect(compare(null, .equalTo, key("name")), "t0.ZNAME IS NULL")
        try expect(compare(key("name"), .notEqualTo, null), "t0.ZNAME IS NOT NULL")
        try expect(compare(key("name"), .lessThan, null), "1 = 0")
        try expect(
            compare(key("name"), .notEqualTo, constant(.string("x"))),
            "(t0.ZNAME <> ? OR t0.ZNAME IS NULL)", [.text("x")])
    }

    @Test("Two key paths are equal if both are null")
    func twoKeyPaths() throws {
        try expect(compare(key("name"), .equalTo, key("site")), "t0.ZNAME IS t0.ZSITE", of: "Person")
        try expect(compare(key("name"), .notEqualTo, key("site")), "t0.ZNAME IS NOT t0.ZSITE", of: "Person")
        try expect(compare(key("name"), .lessThan, key("site")), "t0.ZNAME < t0.ZSITE", of: "Person")
    }

    @Test("AND, OR and NOT keep their grouping")
    func compounds() throws {
        let a = compare(key("name"), .equalTo, constant(.string("a")))
        let b = compare(key("name"), .equalTo, constant(.string("b")))
        try expect(.compound(.and, [a, b]), "t0.ZNAME = ? AND t0.ZNAME = ?", [.text("a"), .text("b")])
        try expect(.compound(.or, [a, b]), "(t0.ZNAME = ? OR t0.ZNAME = ?)", [.text("a"), .text("b")])
        try expect(.compound(.not, [a]), "NOT (t0.ZNAME = ?)", [.text("a")])
        try expect(
            .compound(.or, [.compound(.and, [a, b]), .compound(.not, [b])]),
            "((t0.ZNAME = ? AND t0.ZNAME = ?) OR NOT (t0.ZNAME = ?))", [.text("a"), .text("b"), .text("b")])
        try expect(.compound(.and, []), "1 = 1")
        try expect(.compound(.or, []), "1 = 0")
        try expect(.constant(true), "1 = 1")
        try expect(.constant(false), "1 = 0")
    }

    @Test("Constants are encoded as the column stores its values")
    func encoding() throws {
        let uuid = UUID()
        let bytes = withUnsafeBytes(of: uuid.uuid) { Data($0) }
        func bound(_ name: String, _ value: AttributeValue) throws -> [SQLValue] {
            try condition("Person", compare(key(name), .equalTo, constant(value))).bindings
        }
        #expect(try bound("isActive", .boolean(true)) == [.integer(1)])
        #expect(try bound("isActive", .string("NO")) == [.integer(0)])
        #expect(try bound("age", .string("5")) == [.integer(5)])
        #expect(try bound("age", .double(2.5)) == [.double(2.5)])
        #expect(try bound("name", .integer(5)) == [.text("5")])
        #expect(try bound("birthday", .date(Date(timeIntervalSinceReferenceDate: 60))) == [.double(60)])
        #expect(try bound("token", .uuid(uuid)) == [.blob(bytes)])
        #expect(try bound("token", .string(uuid.uuidString)) == [.blob(bytes)])
        let url = try #require(URL(string: "https://example.com/a"))
        #expect(try bound("site", .uri(url)) == [.text("https://example.com/a")])
        #expect(try bound("photo", .data(Data([7]))) == [.blob(Data([1, 7]))])
        let small = try #require(Decimal(string: "1.5"))
        let large = try #require(Decimal(string: "12345678901234567.89"))
        let budgets = try [small, 3, large].map { value in
            try condition("Department", compare(key("budget"), .equalTo, constant(.decimal(value)))).bindings
        }
        #expect(budgets == [[.double(1.5)], [.integer(3)], [.text("12345678901234567.89")]])
    }

    @Test("BETWEEN takes two bounds")
    func between() throws {
        let bounds = constants([.integer(1), .string("9")])
        try expect(
            compare(key("age"), .between, bounds), "t0.ZAGE BETWEEN ? AND ?", [.integer(1), .integer(9)],
            of: "Person")
        let list = ExpressionNode.aggregate([constant(.integer(1)), key("age")])
        try expect(
            compare(constant(.integer(5)), .between, list), "? BETWEEN ? AND t0.ZAGE",
            [.integer(5), .integer(1)], of: "Person")
        #expect(
            failure("Person", compare(key("age"), .between, constants([.integer(1)])))
                .hasPrefix("BETWEEN needs a list of two values"))
    }

    @Test("Short lists are spelled, long ones are one bound array")
    func lists() throws {
        try expect(
            compare(key("name"), .in, constants([.string("a"), .string("b")])), "t0.ZNAME IN (?, ?)",
            [.text("a"), .text("b")])
        try expect(
            compare(constants([.string("a"), .null]), .contains, key("name")),
            "(t0.ZNAME IN (?) OR t0.ZNAME IS NULL)", [.text("a")])
        try expect(compare(key("name"), .in, constants([])), "1 = 0")
        let many = (1...10).map { AttributeValue.integer($0) }
        try expect(
            compare(key("age"), .in, constants(many)), "t0.ZAGE IN (SELECT value FROM json_each(?))",
            [.integers(Array(1...10))], of: "Person")
        let names = (1...9).map { AttributeValue.string("\"\($0)\\\n") }
        try expect(
            compare(key("name"), .in, constants(names)), "t0.ZNAME IN (SELECT value FROM json_each(?))",
            [.texts((1...9).map { "\"\($0)\\\n" })])
        try expect(
            compare(key("name"), .in, constants([.string("a"), .string("b")]), .direct, .caseInsensitive),
            "(NSCoreDataStringSearch(0, t0.ZNAME, ?, 1) OR NSCoreDataStringSearch(0, t0.ZNAME, ?, 1))",
            [.text("a"), .text("b")])
    }

    @Test("A long list without case or diacritics is folded once, and so is the text of each row")
    func foldedLists() throws {
        let both: ComparisonOptions = [.caseInsensitive, .diacriticInsensitive]
        let names = (1...9).map { AttributeValue.string("É\($0)") }
        func list(_ prefix: String) -> SQLValue {
            .texts((1...9).map { "\(prefix)\($0)" })
        }
        let sql = "NSCoreDataFolded(t0.ZNAME, ?) IN (SELECT value FROM json_each(?))"
        try expect(compare(key("name"), .in, constants(names), .direct, both), sql, [.integer(3), list("e")])
        try expect(
            compare(key("name"), .in, constants(names + [.null]), .direct, .caseInsensitive),
            "(\(sql) OR t0.ZNAME IS NULL)", [.integer(1), list("é")])
    }

    @Test("Several values compared with one column in an OR become one list")
    func equalities() throws {
        func named(_ number: Int) -> PredicateNode {
            compare(key("name"), .equalTo, constant(.string("\(number)")))
        }
        let list = SQLValue.texts((1...17).map { "\($0)" })
        let sql = "t0.ZNAME IN (SELECT value FROM json_each(?))"
        try expect(.compound(.or, (1...17).map(named)), sql, [list])
        let other = compare(key("name"), .equalTo, constant(.null))
        try expect(
            .compound(.or, [other] + (1...17).map(named)), "(t0.ZNAME IS NULL OR \(sql))", [list])
        let few = try condition("Department", .compound(.or, (1...16).map(named)))
        #expect(few.bindings.count == 16)
    }

    @Test("A long chain of conditions becomes a chain of shorter ones")
    func chains() throws {
        let part = compare(key("name"), .lessThan, constant(.string("a")))
        func chain(_ count: Int, _ word: String) -> String {
            Array(repeating: "t0.ZNAME < ?", count: count).joined(separator: " \(word) ")
        }
        let bindings = Array(repeating: SQLValue.text("a"), count: 250)
        let parts = Array(repeating: part, count: 250)
        try expect(
            .compound(.or, parts), "((\(chain(100, "OR"))) OR (\(chain(100, "OR"))) OR (\(chain(50, "OR"))))",
            bindings)
        try expect(
            .compound(.and, parts),
            "(\(chain(100, "AND"))) AND (\(chain(100, "AND"))) AND (\(chain(50, "AND")))", bindings)
    }

    @Test("Conditions nested deeper than SQL parsers allow are left to memory")
    func nesting() throws {
        func nested(_ levels: Int) -> PredicateNode {
            (0..<levels).reduce(compare(key("name"), .lessThan, constant(.string("a")))) { inner, level in
                let other = compare(key("name"), .greaterThan, constant(.string("(\(level)")))
                return .compound(level % 2 == 0 ? .and : .or, [inner, other])
            }
        }
        #expect(!failure("Department", nested(20)).hasPrefix("SQL cannot nest"))
        #expect(failure("Department", nested(30)).hasPrefix("SQL cannot nest"))
    }

    @Test("Plain string searches are built in, a prefix is a range")
    func plainStrings() throws {
        let needle = constant(.string("ab"))
        try expect(
            compare(key("name"), .beginsWith, needle), "(t0.ZNAME >= ? AND t0.ZNAME < ?)",
            [.text("ab"), .text("ac")])
        try expect(compare(key("name"), .contains, needle), "instr(t0.ZNAME, ?) > 0", [.text("ab")])
        try expect(
            compare(key("name"), .endsWith, needle),
            "NSCoreDataStringSearch(2, t0.ZNAME, ?, 0)", [.text("ab")])
        try expect(compare(needle, .in, key("name")), "instr(t0.ZNAME, ?) > 0", [.text("ab")])
        try expect(
            compare(key("name"), .beginsWith, key("site")),
            "NSCoreDataStringSearch(1, t0.ZNAME, t0.ZSITE, 0)",
            of: "Person")
        try expect(compare(key("name"), .contains, constant(.null)), "1 = 0")
    }

    @Test("The end of a prefix's range steps over the surrogates and the last scalar")
    func prefixRange() throws {
        func end(_ prefix: String) throws -> SQLValue? {
            try condition("Tag", compare(key("label"), .beginsWith, constant(.string(prefix)))).bindings.last
        }
        #expect(try end("a\u{D7FF}") == .text("a\u{E000}"))
        #expect(try end("a\u{10FFFF}") == .text("b"))
        #expect(
            try condition("Tag", compare(key("label"), .beginsWith, constant(.string("\u{10FFFF}")))).sql
                == "NSCoreDataStringSearch(1, t0.ZLABEL, ?, 0)")
    }

    @Test("Options and patterns call the driver's functions")
    func stringFunctions() throws {
        let text = constant(.string("é*"))
        let both: ComparisonOptions = [.caseInsensitive, .diacriticInsensitive]
        let bound: [SQLValue] = [.text("é*")]
        let cases: [(ComparisonOperator, ComparisonOptions, String)] = [
            (.equalTo, both, "NSCoreDataStringSearch(0, t0.ZNAME, ?, 3)"),
            (.beginsWith, .caseInsensitive, "NSCoreDataStringSearch(1, t0.ZNAME, ?, 1)"),
            (.endsWith, .diacriticInsensitive, "NSCoreDataStringSearch(2, t0.ZNAME, ?, 2)"),
            (.contains, both, "NSCoreDataStringSearch(3, t0.ZNAME, ?, 3)"),
            (.like, [], "NSCoreDataStringSearch(4, t0.ZNAME, ?, 0)"),
            (.like, both, "NSCoreDataStringSearch(4, t0.ZNAME, ?, 3)"),
            (.matches, .localeSensitive, "NSCoreDataStringSearch(5, t0.ZNAME, ?, 8)"),
            (.notEqualTo, both, "(NOT (NSCoreDataStringSearch(0, t0.ZNAME, ?, 3)) OR t0.ZNAME IS NULL)"),
            (.lessThan, .caseInsensitive, "NSCoreDataStringCompare(t0.ZNAME, ?, 1) < 0"),
        ]
        for (relation, options, sql) in cases {
            try expect(compare(key("name"), relation, text, .direct, options), sql, bound)
        }
        try expect(
            compare(key("age"), .equalTo, constant(.integer(1)), .direct, both), "t0.ZAGE = ?",
            [.integer(1)], of: "Person")
    }

    @Test("Functions are spelled in SQL")
    func functions() throws {
        func call(_ name: String, _ arguments: ExpressionNode...) -> ExpressionNode {
            .function(operand: nil, name: name, arguments: arguments)
        }
        let age = key("age")
        let cases: [(ExpressionNode, String)] = [
            (call("add:to:", age, constant(.integer(1))), "(t0.ZAGE + ?) > ?"),
            (call("multiply:by:", age, age), "(t0.ZAGE * t0.ZAGE) > ?"),
            (call("divide:by:", age, constant(.integer(2))), "(t0.ZAGE / ?) > ?"),
            (call("divide:by:", key("birthday"), age), "(CAST(t0.ZBIRTHDAY AS REAL) / t0.ZAGE) > ?"),
            (call("modulus:by:", age, constant(.integer(2))), "(t0.ZAGE % ?) > ?"),
            (call("abs:", age), "abs(t0.ZAGE) > ?"),
            (call("raise:toPower:", age, constant(.integer(2))), "pow(t0.ZAGE, ?) > ?"),
            (call("length:", key("name")), "NSCoreDataLength(t0.ZNAME) > ?"),
            (call("log:", age), "log10(t0.ZAGE) > ?"), (call("ln:", age), "ln(t0.ZAGE) > ?"),
            (call("sqrt:", age), "sqrt(t0.ZAGE) > ?"), (call("exp:", age), "exp(t0.ZAGE) > ?"),
            (call("floor:", age), "floor(t0.ZAGE) > ?"), (call("ceiling:", age), "ceil(t0.ZAGE) > ?"),
            (call("trunc:", age), "trunc(t0.ZAGE) > ?"),
            (call("from:subtract:", age, constant(.integer(1))), "(t0.ZAGE - ?) > ?"),
            (call("bitwiseAnd:with:", age, constant(.integer(6))), "(t0.ZAGE & ?) > ?"),
            (call("bitwiseOr:with:", age, constant(.integer(6))), "(t0.ZAGE | ?) > ?"),
            (
                call("bitwiseXor:with:", age, constant(.integer(6))),
                "((t0.ZAGE | ?) - (t0.ZAGE & ?)) > ?"
            ),
            (call("leftshift:by:", age, constant(.integer(1))), "(t0.ZAGE << ?) > ?"),
            (call("rightshift:by:", age, constant(.integer(1))), "(t0.ZAGE >> ?) > ?"),
            (call("onesComplement:", age), "~t0.ZAGE > ?"),
            (call("random"), "(random() & 9223372036854775807) > ?"),
            (call("random:", age), "((random() & 9223372036854775807) % t0.ZAGE) > ?"),
            (call("max:", .aggregate([age, constant(.integer(2))])), "max(coalesce(t0.ZAGE, ?), ?) > ?"),
            (call("sum:", .aggregate([age, constant(.integer(2))])), "(coalesce(t0.ZAGE, ?) + ?) > ?"),
            (call("noindex:", age), "+t0.ZAGE > ?"),
            (
                .conditional(compare(age, .equalTo, constant(.null)), constant(.integer(0)), age),
                "CASE WHEN t0.ZAGE IS NULL THEN ? ELSE t0.ZAGE END > ?"
            ),
        ]
        for (expression, sql) in cases {
            #expect(
                try condition("Person", compare(expression, .greaterThan, constant(.integer(3)))).sql.string
                    == sql)
        }
        try expect(
            compare(call("lowercase:", key("name")), .equalTo, constant(.string("x"))),
            "NSCoreDataLowercase(t0.ZNAME) = ?", [.text("x")])
        try expect(
            compare(key("birthday"), .lessThan, call("now")), "t0.ZBIRTHDAY < NSCoreDataNow()", of: "Person")
        try expect(
            compare(
                call("castObject:toType:", key("name"), constant(.string("NSNumber"))), .equalTo,
                constant(.integer(5))),
            "CAST(t0.ZNAME AS REAL) = ?", [.integer(5)])
        #expect(
            failure("Person", compare(call("nosuch:", age), .equalTo, constant(.integer(1))))
                .hasPrefix("SQL has no function nosuch:"))
    }

    @Test("Functions of constants are computed once, and bound")
    func foldedConstants() throws {
        func call(_ name: String, _ arguments: ExpressionNode...) -> ExpressionNode {
            .function(operand: nil, name: name, arguments: arguments)
        }
        let sum = call("add:to:", constant(.integer(2)), call("abs:", constant(.integer(-3))))
        try expect(compare(key("age"), .equalTo, sum), "t0.ZAGE = ?", [.integer(5)], of: "Person")
        let median = call("median:", .aggregate([1, 2, 9].map { constant(.integer($0)) }))
        try expect(compare(key("age"), .lessThan, median), "t0.ZAGE < ?", [.double(2)], of: "Person")
        let date = call("castObject:toType:", constant(.integer(60)), constant(.string("NSDate")))
        try expect(compare(key("birthday"), .equalTo, date), "t0.ZBIRTHDAY = ?", [.double(60)], of: "Person")
        let set = ExpressionNode.minusSet(constants([.integer(1), .integer(2)]), constants([.integer(2)]))
        try expect(
            compare(key("age"), .in, set), "t0.ZAGE IN (?, ?) AND NOT (t0.ZAGE IN (?))",
            [.integer(1), .integer(2), .integer(2)], of: "Person")
    }

    @Test(
        "Hostile texts are bound as values, and as names they are unknown keys",
        arguments: ["x' OR '1'='1", "\"; DROP TABLE ZPERSON; --", "?", "a\0b", "%@", "t0.Z_PK", "1) OR (1=1"])
    func injection(_ text: String) throws {
        for relation in [ComparisonOperator.equalTo, .contains, .beginsWith, .endsWith, .like, .lessThan] {
            for options in [ComparisonOptions(), .caseInsensitive] {
                let value = constant(.string(text))
                let found = try condition("Person", compare(key("name"), relation, value, .direct, options))
                let plain = try condition(
                    "Person", compare(key("name"), relation, constant(.string("plain")), .direct, options))
                #expect(found.sql == plain.sql)
                #expect(found.bindings.first == .text(text))
            }
        }
        let name = ExpressionNode.keyPath(operand: .evaluatedObject, keys: [text])
        #expect(
            failure("Person", compare(name, .equalTo, constant(.integer(1)))).contains("not found in entity"))
        let query = FetchQuery(entity: CompanyModel.index("Person"), sort: [SortKey(keys: [text])])
        #expect(throws: StoreError.self) { try CompanyModel.compiler.compile(query) }
        let function = ExpressionNode.function(operand: nil, name: text, arguments: [key("age")])
        #expect(failure("Person", compare(function, .equalTo, key("age"))).contains("SQL has no function"))
    }

    @Test("A condition that SQL cannot express is refused with the reason")
    func errors() {
        let x = constant(.string("x"))
        #expect(
            failure("Person", compare(key("foo.bar"), .equalTo, x))
                == "keypath foo.bar not found in entity Person")
        #expect(
            failure("Department", compare(key("name.length"), .equalTo, x))
                == "keypath name.length not found in entity Department")
        #expect(
            failure("Person", compare(key("draft"), .equalTo, x))
                == "keypath draft leads to the transient property Person.draft: the store has no values for it"
        )
        #expect(
            failure("Department", compare(key("employees.name"), .equalTo, x))
                .hasPrefix("to-many key not allowed here"))
        #expect(
            failure("Department", .block(PredicateBlock { _, _ in true })).hasPrefix("SQL cannot run a block")
        )
        #expect(
            failure("Department", compare(.variable("who"), .equalTo, x)) == "no value for the variable $who")
        #expect(
            failure("Department", compare(key("name.@count"), .equalTo, x)).contains("not found in entity"))
        #expect(failure("Department", compare(key("@count"), .equalTo, x)).contains("needs a to-many"))
        #expect(
            failure("Department", compare(key("employees.@count.foo"), .equalTo, x))
                == "keypath employees.@count.foo not found in entity Employee")
        #expect(
            failure("Department", compare(key("employees.@sum"), .equalTo, x))
                == "keypath employees.@sum: objects have no @sum")
    }
}

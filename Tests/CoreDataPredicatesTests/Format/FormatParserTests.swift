import CoreDataPredicates
import CoreDataValues
import Foundation
import Testing

@Suite("Predicate formats")
struct FormatParserTests {
    /// Parses, compares with the tree, prints, compares with Apple's form, and parses that again.
    private func expect(
        _ format: String,
        _ arguments: ExpressionNode...,
        is tree: PredicateNode,
        prints printed: String? = nil,
        location: SourceLocation = #_sourceLocation
    ) throws {
        let parsed = try FormatParser.predicate(format, arguments: arguments)
        #expect(parsed == tree, sourceLocation: location)
        let text = NodePrinter.format(parsed)
        #expect(text == printed ?? format, sourceLocation: location)
        #expect(try FormatParser.predicate(text) == tree, sourceLocation: location)
    }

    private func expectValue(
        _ format: String,
        _ arguments: ExpressionNode...,
        is tree: ExpressionNode,
        prints printed: String? = nil,
        location: SourceLocation = #_sourceLocation
    ) throws {
        let parsed = try FormatParser.expression(format, arguments: arguments)
        #expect(parsed == tree, sourceLocation: location)
        let text = NodePrinter.format(parsed)
        #expect(text == printed ?? format, sourceLocation: location)
        #expect(try FormatParser.expression(text) == tree, sourceLocation: location)
    }

    @Test(
        "Every spelling of a comparison operator prints in one form",
        arguments: [
            ("=", "==", .equalTo), ("==", "==", .equalTo), ("!=", "!=", .notEqualTo),
            ("<>", "!=", .notEqualTo), ("<", "<", .lessThan), ("<=", "<=", .lessThanOrEqualTo),
            ("=<", "<=", .lessThanOrEqualTo), (">", ">", .greaterThan), (">=", ">=", .greaterThanOrEqualTo),
            ("=>", ">=", .greaterThanOrEqualTo), ("contains", "CONTAINS", .contains),
            ("BeginsWith", "BEGINSWITH", .beginsWith), ("ENDSWITH", "ENDSWITH", .endsWith),
            ("like", "LIKE", .like), ("matches", "MATCHES", .matches), ("in", "IN", .in),
        ] as [(String, String, ComparisonOperator)])
    func operators(spelling: String, printed: String, relation: ComparisonOperator) throws {
        try expect(
            "name \(spelling) 'x'", is: compare(key("name"), relation, string("x")),
            prints: "name \(printed) \"x\"")
    }

    @Test("Options are written in brackets after the operator")
    func options() throws {
        let both: ComparisonOptions = [.caseInsensitive, .diacriticInsensitive]
        try expect(
            #"name CONTAINS[cd] "x""#, is: compare(key("name"), .contains, string("x"), options: both))
        try expect(
            #"name == [dc] "x""#, is: compare(key("name"), .equalTo, string("x"), options: both),
            prints: #"name ==[cd] "x""#)
        try expect(
            #"name LIKE[n] "x""#, is: compare(key("name"), .like, string("x"), options: .normalized))
        try expect(
            #"name <[l] "x""#, is: compare(key("name"), .lessThan, string("x"), options: .localeSensitive))
    }

    @Test("A list is written in braces or given as an argument")
    func lists() throws {
        try expect(
            "age BETWEEN {1, 10}", is: compare(key("age"), .between, .aggregate([integer(1), integer(10)])))
        try expect(
            "name IN {'a', \"b\"}", is: compare(key("name"), .in, .aggregate([string("a"), string("b")])),
            prints: #"name IN {"a", "b"}"#)
        try expect("name IN {}", is: compare(key("name"), .in, .aggregate([])))
        let list = ExpressionValue.collection([.value(.integer(1)), .null], isOrdered: true)
        let given = try FormatParser.predicate("x IN %@", arguments: [.constant(list)])
        #expect(given == compare(key("x"), .in, .constant(list)))
        #expect(NodePrinter.format(given) == "x IN {1, nil}")
    }

    @Test("AND binds tighter than OR, NOT binds tighter than both, and chains stay flat")
    func compounds() throws {
        let (a, b, c) = (
            compare(key("a"), .equalTo, integer(1)), compare(key("b"), .greaterThan, integer(2)),
            compare(key("c"), .lessThan, integer(3))
        )
        try expect("a == 1 AND b > 2", is: .compound(.and, [a, b]))
        try expect(
            "a == 1 && b > 2 and c < 3", is: .compound(.and, [a, b, c]), prints: "a == 1 AND b > 2 AND c < 3")
        try expect(
            "a == 1 || b > 2 AND c < 3", is: .compound(.or, [a, .compound(.and, [b, c])]),
            prints: "a == 1 OR (b > 2 AND c < 3)")
        try expect(
            "(a == 1 OR b > 2) AND c < 3", is: .compound(.and, [.compound(.or, [a, b]), c]))
        try expect(
            "(a == 1 AND b > 2) AND c < 3", is: .compound(.and, [.compound(.and, [a, b]), c]))
        try expect("NOT a == 1", is: .compound(.not, [a]))
        try expect("!(a == 1)", is: .compound(.not, [a]), prints: "NOT a == 1")
        try expect("NOT (a == 1 OR b > 2)", is: .compound(.not, [.compound(.or, [a, b])]))
        try expect(
            "NOT a == 1 AND b > 2", is: .compound(.and, [.compound(.not, [a]), b]),
            prints: "(NOT a == 1) AND b > 2")
        try expect("((((a == 1))))", is: a, prints: "a == 1")
        try expect("TRUEPREDICATE", is: .constant(true))
        try expect("falsepredicate", is: .constant(false), prints: "FALSEPREDICATE")
    }

    @Test("ANY, SOME, ALL and NONE quantify a comparison")
    func quantifiers() throws {
        let red = string("red")
        let any = compare(key("cars.color"), .equalTo, red, modifier: .any)
        try expect(#"ANY cars.color == "red""#, is: any)
        try expect(#"some cars.color == "red""#, is: any, prints: #"ANY cars.color == "red""#)
        try expect(#"ALL cars.color == "red""#, is: compare(key("cars.color"), .equalTo, red, modifier: .all))
        try expect(
            #"NONE cars.color == "red""#, is: .compound(.not, [any]), prints: #"NOT ANY cars.color == "red""#)
    }

    @Test("Key paths go through operators, reserved words and arguments")
    func keyPaths() throws {
        try expect("pages.@count > 0", is: compare(key("pages.@count"), .greaterThan, integer(0)))
        try expect(
            "pages.@sum.size > 0", is: compare(key("pages.@sum.size"), .greaterThan, integer(0)),
            prints: "pages.@sum.#size > 0")
        try expect("#and.#any == nil", is: compare(key("and.any"), .equalTo, .constant(.null)))
        try expect(
            "%K.%K == null", string("a.b"), string("c"),
            is: compare(key("a.b.c"), .equalTo, .constant(.null)),
            prints: "a.b.c == nil")
        try expect("SELF == 1", is: compare(.evaluatedObject, .equalTo, integer(1)))
        try expect("self.a == 1", is: compare(key("a"), .equalTo, integer(1)), prints: "a == 1")
        try expect("größe == 1", is: compare(key("größe"), .equalTo, integer(1)))
        try expect(
            "first == last", is: compare(key("first"), .equalTo, key("last")), prints: "#first == #last")
        func at(_ index: ExpressionNode) -> ExpressionNode {
            call("objectFrom:withIndex:", key("a"), index)
        }
        try expectValue("a[0]", is: at(integer(0)))
        try expectValue("a[FIRST]", is: at(call("FIRST")))
        try expectValue(
            "a[last].b", is: .keyPath(operand: at(call("LAST")), keys: ["b"]), prints: "a[LAST].b")
        try expectValue("a[SIZE]", is: at(call("SIZE")))
        try expectValue("a[\"key\"]", is: at(string("key")))
    }

    @Test("Variables stand for values and elements of subqueries")
    func variables() throws {
        try expect("a == $VALUE", is: compare(key("a"), .equalTo, .variable("VALUE")))
        let inner = compare(.keyPath(operand: .variable("x"), keys: ["n"]), .greaterThan, integer(1))
        let subquery = ExpressionNode.subquery(collection: key("cars"), variable: "x", predicate: inner)
        try expect(
            "subquery(cars, $x, $x.n > 1).@count == 0",
            is: compare(.keyPath(operand: subquery, keys: ["@count"]), .equalTo, integer(0)),
            prints: "SUBQUERY(cars, $x, $x.n > 1).@count == 0")
    }

    @Test("Strings with escapes, numbers of all bases and truth values are literals")
    func literals() throws {
        try expectValue(
            #"'it\'s \n\t\\ \u00e9 \x41'"#, is: string("it's \n\t\\ é A"), prints: #""it's \n\t\\ é A""#)
        try expectValue(#""%@ and %K 'here'""#, is: string("%@ and %K 'here'"))
        for (text, value) in [
            ("12", .integer(12)), ("-12", .integer(-12)), ("0x1F", .integer(31)), ("0o17", .integer(15)),
            ("0b101", .integer(5)), ("1.5", .double(1.5)), (".25", .double(0.25)),
            ("-2.5e-3", .double(-0.0025)),
            ("1e25", .double(1e25)), ("9223372036854775807", .integer(.max)),
            ("-9223372036854775808", .integer(.min)), ("TRUE", .boolean(true)), ("no", .boolean(false)),
            ("NIL", .null),
        ] as [(String, AttributeValue)] {
            #expect(try FormatParser.expression(text) == .constant(.value(value)), "\(text)")
        }
        #expect(NodePrinter.format(.constant(.value(.boolean(true)))) == "1")
        #expect(NodePrinter.format(.constant(.value(.double(5)))) == "5")
    }

    @Test("Dates print as casts, with six decimals or as many as they have")
    func dates() throws {
        let date = Date(timeIntervalSinceReferenceDate: 123)
        try expect(
            "d > %@", .constant(.value(.date(date))),
            is: compare(key("d"), .greaterThan, .constant(.value(.date(date)))),
            prints: #"d > CAST(123.000000, "NSDate")"#)
        let fine = ExpressionNode.constant(.value(.date(Date(timeIntervalSinceReferenceDate: 1.23456789))))
        #expect(try FormatParser.expression(NodePrinter.format(fine)) == fine)
    }

    @Test("Arithmetic follows the usual precedence and prints with the parentheses it needs")
    func arithmetic() throws {
        let (a, b, c) = (key("a"), key("b"), key("c"))
        try expectValue("a + b", is: call("add:to:", a, b))
        try expectValue("a - b - c", is: call("from:subtract:", call("from:subtract:", a, b), c))
        try expectValue("a - (b - c)", is: call("from:subtract:", a, call("from:subtract:", b, c)))
        try expectValue("a + b * c", is: call("add:to:", a, call("multiply:by:", b, c)))
        try expectValue("(a + b) / c", is: call("divide:by:", call("add:to:", a, b), c))
        try expectValue("a ** b ** c", is: call("raise:toPower:", a, call("raise:toPower:", b, c)))
        try expectValue("(a ** b) ** c", is: call("raise:toPower:", call("raise:toPower:", a, b), c))
        try expectValue("(-2) ** a", is: call("raise:toPower:", integer(-2), a))
        try expectValue("-a", is: call("from:subtract:", integer(0), a), prints: "0 - a")
        try expectValue("a - -2", is: call("from:subtract:", a, integer(-2)))
        try expectValue("a & b | c", is: call("bitwiseOr:with:", call("bitwiseAnd:with:", a, b), c))
        try expectValue("a ^ ~b", is: call("bitwiseXor:with:", a, call("onesComplement:", b)))
        try expectValue(
            "a << 2 >> 1", is: call("rightshift:by:", call("leftshift:by:", a, integer(2)), integer(1)))
        try expect(
            "(flags & 5) == 5",
            is: compare(call("bitwiseAnd:with:", key("flags"), integer(5)), .equalTo, integer(5)),
            prints: "flags & 5 == 5")
        try expect(
            "(a + b) > 5", is: compare(call("add:to:", a, b), .greaterThan, integer(5)), prints: "a + b > 5")
        try expect(
            "((a) + 1) * 2 == 5",
            is: compare(
                call("multiply:by:", call("add:to:", a, integer(1)), integer(2)), .equalTo, integer(5)),
            prints: "(a + 1) * 2 == 5")
    }

    @Test("Functions can be written in both spellings")
    func functions() throws {
        try expectValue("sum(a)", is: call("sum:", key("a")), prints: "sum:(a)")
        try expectValue("sum:(a)", is: call("sum:", key("a")))
        try expectValue(
            "max({1, b})", is: call("max:", .aggregate([integer(1), key("b")])), prints: "max:({1, b})")
        try expectValue("add:to:(a, 1)", is: call("add:to:", key("a"), integer(1)), prints: "a + 1")
        try expectValue(
            "modulus(a, 2)", is: call("modulus:by:", key("a"), integer(2)), prints: "modulus:by:(a, 2)")
        try expectValue("now()", is: call("now"))
        try expectValue("canonical:(name)", is: call("canonical:", key("name")))
        try expectValue(
            "CAST(a, \"NSNumber\")", is: call("castObject:toType:", key("a"), string("NSNumber")))
        try expectValue(
            "FUNCTION(a, \"foo:\", 1)",
            is: .function(operand: key("a"), name: "foo:", arguments: [integer(1)]))
        try expectValue(
            "TERNARY(a == nil, 0, a)",
            is: .conditional(compare(key("a"), .equalTo, .constant(.null)), integer(0), key("a")))
        try expectValue("a UNION b", is: .unionSet(key("a"), key("b")))
        try expectValue("a MINUS (b INTERSECT c)", is: .minusSet(key("a"), .intersectSet(key("b"), key("c"))))
    }

    @Test(
        "Arguments fill their specifiers in order",
        arguments: [
            "%@", "%d", "%i", "%u", "%ld", "%lu", "%lld", "%llu", "%hd", "%f", "%lf", "%c", "%s", "%x", "%g",
        ])
    func arguments(specifier: String) throws {
        try expect(
            "%K == \(specifier)", string("a"), integer(7), is: compare(key("a"), .equalTo, integer(7)),
            prints: "a == 7")
    }

    @Test("%K alone means that the key is true, but a key written out alone is refused")
    func keyAlone() throws {
        let hidden = compare(key("hidden"), .equalTo, .constant(.value(.boolean(true))))
        func parsed(_ format: String) throws -> PredicateNode {
            try FormatParser.predicate(format, arguments: [string("hidden"), string("a")])
        }
        #expect(try parsed("%K") == hidden)
        #expect(try parsed("(%K)") == hidden)
        #expect(try parsed("NOT %K") == .compound(.not, [hidden]))
        let one = compare(key("a"), .equalTo, integer(1))
        #expect(try parsed("%K AND %K == 1") == .compound(.and, [hidden, one]))
        #expect(try parsed("a == 1 OR (%K)") == .compound(.or, [one, hidden]))
        #expect(NodePrinter.format(hidden) == "hidden == 1")
        for format in ["hidden", "%K a", "ANY %K", "%K + 1", "%@"] {
            #expect(throws: PredicateSyntaxError.self) { try parsed(format) }
        }
    }

    @Test("A syntax error names the position, what was expected and what was found")
    func faults() {
        func fault(_ format: String, _ arguments: ExpressionNode...) -> PredicateSyntaxError? {
            do {
                _ = try FormatParser.predicate(format, arguments: arguments)
                return nil
            } catch {
                return error
            }
        }
        #expect(
            fault("a ==") == PredicateSyntaxError(position: 4, expected: "an expression", found: "the end"))
        #expect(fault("") == PredicateSyntaxError(position: 0, expected: "an expression", found: "the end"))
        #expect(fault("a")?.expected == "a comparison operator")
        #expect(fault("a == 1 b")?.position == 7)
        #expect(fault("(a == 1")?.expected == "')'")
        #expect(fault("a == 'x")?.expected == "' to close the string that begins at 5")
        #expect(
            fault("a == %@")
                == PredicateSyntaxError(position: 5, expected: "an argument for %@", found: "no arguments"))
        #expect(fault("a == %@ AND b == %d", integer(1))?.found == "only 1 arguments")
        #expect(fault("%K == 1", integer(1))?.expected == "a string with a key path for %K")
        #expect(fault("a == %y")?.found == "'%y'")
        #expect(fault("a ==[q] 'x'")?.expected == "the options c, d, n and l")
        #expect(
            fault("frobnicate(a) == 1")
                == PredicateSyntaxError(
                    position: 0, expected: "a known function of 1 arguments", found: "'frobnicate'"))
        #expect(fault("SUBQUERY(a, x, b == 1).@count > 0")?.expected.hasPrefix("the variable") == true)
        #expect(fault("a IN {1, 2")?.expected == "',' or '}'")
        #expect(fault("a..b == 1")?.expected == "a key")
        #expect(fault("a == 12x")?.found == "'12x'")
        #expect(fault("a == 1 AND")?.found == "the end")
        #expect(fault("a ; 1")?.found == "';'")
        #expect(fault(String(repeating: "(", count: 100_000)) != nil)
        #expect(
            fault(String(repeating: "NOT ", count: 100_000) + "a == 1")?.expected
                == "at most 100 nested terms")
    }
}

import CoreDataPredicates
import CoreDataValues
import Foundation
import Testing

@Suite("The format grammar")
struct GrammarTests {
    @Test("Options c, d, n and l combine in every way and order", arguments: 0..<16)
    func options(bits: UInt) throws {
        let letters = zip("cdnl", 0..<4).filter { bits & 1 << UInt($1) != 0 }.map { String($0.0) }
        for spelling in [letters, letters.reversed(), letters.map { $0.uppercased() }] {
            let brackets = spelling.isEmpty ? "" : "[\(spelling.joined())]"
            for (word, relation) in [
                ("==", .equalTo), ("<", .lessThan), ("CONTAINS", .contains), ("LIKE", .like),
                ("MATCHES", .matches), ("BEGINSWITH", .beginsWith), ("ENDSWITH", .endsWith), ("IN", .in),
                ("BETWEEN", .between),
            ] as [(String, ComparisonOperator)] {
                let parsed = try FormatParser.predicate("name \(word)\(brackets) 'x'")
                let options = ComparisonOptions(rawValue: bits)
                #expect(parsed == compare(key("name"), relation, string("x"), options: options))
                #expect(
                    NodePrinter.format(parsed)
                        == "name \(word)\(letters.isEmpty ? "" : "[\(letters.joined())]") \"x\"")
            }
        }
    }

    @Test(
        "Formats print in Apple's form, which parses to the same tree",
        arguments: [
            // Comparisons
            ("a = 1", "a == 1"), ("a <> 1", "a != 1"), ("a => 1", "a >= 1"), ("a =< 1", "a <= 1"),
            ("1<a", "1 < a"), ("a==b&&c==d", "a == b AND c == d"),
            ("a BETWEEN {1, $upper}", "a BETWEEN {1, $upper}"),
            ("a between {b.c, 2+3}", "a BETWEEN {b.c, 2 + 3}"),
            ("a IN {1, b, $c, {2}}", "a IN {1, b, $c, {2}}"), ("a IN b.c", "a IN b.c"),
            ("a IN $list", "a IN $list"),
            ("{1, 2} CONTAINS a", "{1, 2} CONTAINS a"), ("$list contains[c] a", "$list CONTAINS[c] a"),
            // Logic
            ("not(a == 1)", "NOT a == 1"), ("!(a == 1 or b == 2)", "NOT (a == 1 OR b == 2)"),
            ("NOT NOT a == 1", "NOT (NOT a == 1)"),
            ("a == 1 OR b == 2 AND NOT c == 3", "a == 1 OR (b == 2 AND (NOT c == 3))"),
            ("TruePredicate AND falsepredicate", "TRUEPREDICATE AND FALSEPREDICATE"),
            ("(TRUEPREDICATE)", "TRUEPREDICATE"),
            // Quantifiers
            ("any a.b in {1}", "ANY a.b IN {1}"), ("Some a.b > 1", "ANY a.b > 1"),
            ("all a.b > 1", "ALL a.b > 1"),
            ("none a.b > 1 and c == 2", "(NOT ANY a.b > 1) AND c == 2"),
            // Subqueries
            (
                "SUBQUERY(a, $x, SUBQUERY($x.b, $y, $y.c == $x.d AND ANY $y.e > 1).@count > 2).@count == 0",
                "SUBQUERY(a, $x, SUBQUERY($x.b, $y, $y.c == $x.d AND ANY $y.e > 1).@count > 2).@count == 0"
            ),
            ("subquery(self, $x, $x == 1)[SIZE] > 0", "SUBQUERY(SELF, $x, $x == 1)[SIZE] > 0"),
            // Collection operators
            ("a.@count > 0", "a.@count > 0"), ("a.@sum.b > 0", "a.@sum.b > 0"),
            ("a.@avg.b > 0", "a.@avg.b > 0"),
            ("a.@min.b < a.@max.b", "a.@min.b < a.@max.b"),
            ("a.@distinctUnionOfObjects.b CONTAINS 1", "a.@distinctUnionOfObjects.b CONTAINS 1"),
            ("a.@unionOfObjects.b.@count == 1", "a.@unionOfObjects.b.@count == 1"),
            ("a.@unionOfArrays.b == c.@unionOfSets.b", "a.@unionOfArrays.b == c.@unionOfSets.b"),
            (
                "a.@distinctUnionOfArrays.b == c.@distinctUnionOfSets.b",
                "a.@distinctUnionOfArrays.b == c.@distinctUnionOfSets.b"
            ),
            ("SELF.@count == @count", "@count == @count"),
            // Indexes
            ("a[FIRST] == a[last]", "a[FIRST] == a[LAST]"), ("a[size] > 2", "a[SIZE] > 2"),
            ("a[1][2].b == a['key']", "a[1][2].b == a[\"key\"]"), ("a[b + 1] == 2", "a[b + 1] == 2"),
            ("SELF[0] == self", "SELF[0] == SELF"), ("a['first'] == 1", "a[\"first\"] == 1"),
            // Arithmetic
            ("a + b * c ** d == 1", "a + b * c ** d == 1"), ("(a + b) * c == 1", "(a + b) * c == 1"),
            ("a - b - c == -d", "a - b - c == 0 - d"),
            ("a / b / c == a / (b / c)", "a / b / c == a / (b / c)"),
            ("2 ** 3 ** 2 == (2 ** 3) ** 2", "2 ** 3 ** 2 == (2 ** 3) ** 2"),
            ("-2 ** 2 == (-2) ** 2", "0 - 2 ** 2 == (-2) ** 2"), ("a*-1 == - -1", "a * -1 == 1"),
            ("a & b | c ^ d << 1 == ~e", "a & b | c ^ d << 1 == ~e"),
            // Functions
            ("sum({1, 2}) == sum:({1, 2})", "sum:({1, 2}) == sum:({1, 2})"),
            (
                "count(a) + min(a) + max(a) + average(a) > 0",
                "count:(a) + min:(a) + max:(a) + average:(a) > 0"
            ),
            ("median(a) + mode(a) + stddev(a) > 0", "median:(a) + mode:(a) + stddev:(a) > 0"),
            ("sqrt(a) + log(a) + ln(a) + exp(a) > 0", "sqrt:(a) + log:(a) + ln:(a) + exp:(a) > 0"),
            (
                "abs(a) + floor(a) + ceiling(a) + trunc(a) > 0",
                "abs:(a) + floor:(a) + ceiling:(a) + trunc:(a) > 0"
            ),
            ("add:to:(a, b) == from:subtract:(a, b)", "a + b == a - b"),
            ("multiply:by:(a, b) == divide:by:(a, b)", "a * b == a / b"),
            ("raise:toPower:(a, b) == modulus:by:(a, b)", "a ** b == modulus:by:(a, b)"),
            ("lowercase(a) == uppercase(b)", "lowercase:(a) == uppercase:(b)"),
            ("length(a) == 2 AND canonical(a) == 'b'", "length:(a) == 2 AND canonical:(a) == \"b\""),
            ("now() > a", "now() > a"), ("random() > random(5)", "random() > random:(5)"),
            ("bitwiseAnd:with:(a, b) == bitwiseOr:with:(a, b)", "a & b == a | b"),
            ("bitwiseXor:with:(a, b) == onesComplement(a)", "a ^ b == ~a"),
            ("leftshift:by:(a, 1) == rightshift:by:(a, 1)", "a << 1 == a >> 1"),
            ("cast(a, 'NSNumber') == 1", "CAST(a, \"NSNumber\") == 1"),
            ("cast(a, 'NSDate') > CAST(12.5, 'NSDate')", "CAST(a, \"NSDate\") > CAST(12.500000, \"NSDate\")"),
            ("function(a, 'foo:', 1) == 2", "FUNCTION(a, \"foo:\", 1) == 2"),
            (
                "Ternary(a == 1, 2, TERNARY(b == 1, 2, 3)) == 4",
                "TERNARY(a == 1, 2, TERNARY(b == 1, 2, 3)) == 4"
            ),
            ("objectFrom:withIndex:(a, 2) == 1", "a[2] == 1"), ("noindex(a) == 1", "noindex:(a) == 1"),
            ("a IN fetch($r, $c, no)", "a IN FETCH($r, $c, NO)"),
            ("FETCH($r, $c, TRUE) == 3", "FETCH($r, $c, YES) == 3"),
            ("distanceToLocation:fromLocation:(a, $b) < 5", "distanceToLocation:fromLocation:(a, $b) < 5"),
            ("a UNION b INTERSECT c == d MINUS e", "a UNION b INTERSECT c == d MINUS e"),
            // Literals
            ("a == 0x1F", "a == 31"), ("a == 0o17", "a == 15"), ("a == 0B101", "a == 5"),
            ("a == 1e3", "a == 1000"),
            ("a == 'x' AND b == \"it's\"", "a == \"x\" AND b == \"it's\""),
            (#"a == "\n\t\r\x41\u00e9\"\\""#, #"a == "\n\t\rAé\"\\""#),
            (#"a == '\ud83d\ude00'"#, "a == \"😀\""),
            ("a == YES OR a == nO", "a == 1 OR a == 0"), ("a == Null", "a == nil"),
            // Reserved words
            ("#select == #in AND a.#between == #null", "select == #in AND a.#between == #null"),
            ("anykey == 1", "ANYKEY == 1"), ("a.in == 1", "a.#in == 1"),
        ] as [(String, String)])
    func printing(format: String, printed: String) throws {
        let parsed = try FormatParser.predicate(format)
        let text = NodePrinter.format(parsed)
        #expect(text == printed)
        let again = try FormatParser.predicate(text)
        #expect(NodePrinter.format(again) == text)
        // A double without a fraction prints, and is read again, as an integer.
        if !format.contains("1e3"), !format.contains("YES") { #expect(again == parsed) }
    }

    @Test(
        "Flags, width and precision of a format specifier are ignored",
        arguments: [
            "%@", "%5@", "%d", "%5d", "%-5d", "%05ld", "%+i", "%D", "%u", "%U", "%lu", "%llu", "%lld", "%hd",
            "%hhd", "%qd", "%zu", "%x", "%X", "%#x", "%o", "%O", "%f", "%.2f", "%8.3lf", "%Lf", "%e", "%E",
            "%g", "%G", "%a", "%c", "%C", "%s", "%S", "%p",
        ])
    func specifiers(specifier: String) throws {
        let parsed = try FormatParser.predicate(
            "%K == \(specifier) AND b == 1", arguments: [string("a"), integer(7)])
        #expect(NodePrinter.format(parsed) == "a == 7 AND b == 1")
        #expect(try FormatLexer.specifiers(of: "%K == \(specifier)") == ["%K", specifier])
    }

    @Test(
        "An invalid specifier is refused with its position",
        arguments: ["%%", "%y", "%1$@", "%*d", "% d", "%", "%5"])
    func badSpecifiers(specifier: String) {
        #expect {
            try FormatParser.predicate("a == \(specifier)", arguments: [integer(1)])
        } throws: { ($0 as? PredicateSyntaxError)?.position ?? 0 >= 5 }
    }

    @Test("Within quotes percent signs, dollars and hashes are text")
    func quoted() throws {
        let parsed = try FormatParser.predicate("a LIKE '100%%' AND b == \"%@ $x #y\"")
        #expect(NodePrinter.format(parsed) == "a LIKE \"100%%\" AND b == \"%@ $x #y\"")
    }

    @Test("A text argument stays a value, and a key path argument stays a key path")
    func injection() throws {
        let evil = "x\" OR 1 == 1 OR \"\" == \""
        let parsed = try FormatParser.predicate("a == %@", arguments: [string(evil)])
        #expect(parsed == compare(key("a"), .equalTo, string(evil)))
        #expect(try FormatParser.predicate(NodePrinter.format(parsed)) == parsed)
        let path = try FormatParser.predicate("%K == 1", arguments: [string("a == 1 OR b")])
        #expect(
            path == compare(.keyPath(operand: .evaluatedObject, keys: ["a == 1 OR b"]), .equalTo, integer(1)))
    }

    @Test("Every reserved word can be a key after a #, and is printed with it")
    func reservedWords() throws {
        for word in [
            "AND", "OR", "IN", "NOT", "ALL", "ANY", "SOME", "NONE", "LIKE", "CASEINSENSITIVE", "CI",
            "MATCHES",
            "CONTAINS", "BEGINSWITH", "ENDSWITH", "BETWEEN", "NULL", "NIL", "SELF", "TRUE", "YES", "FALSE",
            "NO",
            "FIRST", "LAST", "SIZE", "ANYKEY", "SUBQUERY", "FETCH", "CAST", "TRUEPREDICATE", "FALSEPREDICATE",
        ] {
            for spelling in [word, word.lowercased()] {
                let tree = compare(
                    .keyPath(operand: .evaluatedObject, keys: [spelling]), .equalTo, integer(1))
                #expect(try FormatParser.predicate("#\(spelling) == 1") == tree)
                #expect(NodePrinter.format(tree) == "#\(spelling) == 1")
            }
        }
    }
}

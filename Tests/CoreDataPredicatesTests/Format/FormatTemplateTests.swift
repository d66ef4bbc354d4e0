import CoreDataPredicates
import CoreDataValues
import Testing

/// A format in the cache is not parsed again: its result with other arguments must equal the parser's.
@Suite("Cached predicate formats")
struct FormatTemplateTests {
    private static let formats = [
        "a == %@", "%@ == a", "%@ == %@", "a == %@ AND b != %@ OR NOT (c > %d)", "NONE a.b == %@",
        "ANY a IN %@",
        "a == 1", "TRUEPREDICATE AND a == %@", "a CONTAINS[cd] %@", "a BETWEEN %@", "a BETWEEN {%@, %@}",
        "a == -%@",
        "a == %@.name", "%K == %@", "a.%K == 1", "a == (%@)", "a + %@ == %@", "CAST(%@, 'NSDate') == a",
        "a == $b",
        "a == %@ AND $b == %@", "SUBQUERY(a, $x, $x.b == %@).@count > %@", "a == %@ AND", "a == %@ b", "%@",
        "",
        "a[%@] == %@", "FUNCTION(%@, 'length') == %@", "TERNARY(a == %@, %@, 1) == %@",
        "a == '%@' AND b == %@",
        "e\u{301} == %@", "\u{e9} == %@",
    ]

    private static let arguments: [[ExpressionNode]] = [
        [], ["x", "y", "z"].map { .constant(.value(.string($0))) },
        (1...5).map { .constant(.value(.integer($0))) },
        [.keyPath("p.q"), .evaluatedObject, .variable("v")],
        [.variable("%0"), .variable("%1"), .variable("%0")],
        [.constant(.null), .constant(.collection([.value(.integer(1))], isOrdered: true)), .constant(.null)],
        [.constant(.value(.double(1.5)))],
    ]

    private func outcome(_ parse: () throws -> PredicateNode) -> String {
        do { return "\(try parse())" } catch { return "\(error)" }
    }

    @Test("A cached format gives the same predicate as the parser, for all arguments", arguments: 0..<2)
    func agreement(_ round: Int) {
        for format in Self.formats {
            for arguments in Self.arguments {
                let expected = outcome { try FormatParser.parse(format, arguments: arguments) }
                let found = outcome { try FormatParser.predicate(format, arguments: arguments) }
                #expect(found == expected, "\(format) \(arguments)")
            }
        }
    }
}

import CoreDataPredicates
import CoreDataValues
import Testing

@Suite("Full-text queries")
struct FullTextQueryTests {
    private typealias Node = FullTextQuery.Node

    private func word(_ text: String) -> Node { .phrase(FullTextWords(text), isPrefix: false) }
    private func beginning(_ text: String) -> Node { .phrase(FullTextWords(text), isPrefix: true) }

    @Test("Words consist of letters and digits, and case and accents are ignored")
    func words() {
        #expect(FullTextWords("The Café, réouvert—2024!").text == "the cafe reouvert 2024")
        #expect(FullTextWords("e\u{301}te\u{301}").text == "ete")
        #expect(FullTextWords("ΣΊΣΥΦΟΣ straße Ærø").text == "σίσυφοσ straße ærø")
        #expect(FullTextWords("don't a_b x\u{0}y").text == "don t a b x y")
        #expect(FullTextWords(" -- ").isEmpty)
    }

    @Test("Words in a row must all match; NOT binds tighter than AND, and AND tighter than OR")
    func operators() {
        let (a, b, c, d) = (word("a"), word("b"), word("c"), word("d"))
        let expected: [(String, Node?)] = [
            ("a b", .all([a, b])),
            ("a OR b c", .any([a, .all([b, c])])),
            ("a OR b AND c", .any([a, .all([b, c])])),
            ("a b NOT c d", .excluding(.all([a, b]), .all([c, d]))),
            ("a AND b NOT c", .all([a, .excluding(b, c)])),
            ("a NOT b NOT c", .excluding(a, .any([b, c]))),
            ("(a OR b) c", .all([.any([a, b]), c])),
            ("a AND NOT b", .excluding(a, b)),
            ("NOT b AND a", .excluding(a, b)),
            ("a OR NOT b", a),
            ("a or b", .all([a, word("or"), b])),
            ("\"A, b\"", word("a b")),
            ("a*", beginning("a")),
            ("\"a b\"*", beginning("a b")),
            ("e-mail*", beginning("e mail")),
        ]
        for (text, node) in expected { #expect(FullTextQuery(text).root == node, "\(text)") }
    }

    @Test("Every string is a valid query, and meaningless parts of it are ignored")
    func anything() {
        let (a, b) = (word("a"), word("b"))
        let expected: [(String, Node?)] = [
            ("", nil), (" ", nil), ("*", nil), ("\"", nil), ("()", nil), ("-- !", nil), ("AND", nil),
            ("NOT a", nil), ("a AND", a), ("OR a", a), ("a NOT", a), ("a NOT -", a), ("(a", a), ("a)", a),
            (")a(b)", .all([a, b])), ("a) b", .all([a, b])), ("\"a", a), ("a * b", .all([a, b])),
            ("a\"\"b", .all([a, b])), ("title:a", word("title a")), ("^a", a), ("a+b", word("a b")),
            ("'a'", a), ("a & b", .all([a, b])),
        ]
        for (text, node) in expected { #expect(FullTextQuery(text).root == node, "\(text)") }
    }

    @Test("Parentheses nested too deep are ignored")
    func depth() {
        let deep = String(repeating: "(a OR (b AND ", count: 20_000) + "c"
        let query = FullTextQuery(deep + String(repeating: "))", count: 20_000))
        #expect(query.matches(["a"]))
        #expect(!query.matches(["c"]))
        #expect(FullTextQuery(String(repeating: "(", count: 100_000) + "a").root == word("a"))
        #expect(FullTextQuery(String(repeating: ")", count: 100_000) + "a").root == word("a"))
    }

    @Test("Only the first thousand words of a query count")
    func length() {
        let many = (0..<100_000).map { "w\($0)" }
        let first = many.prefix(1000)
        #expect(FullTextQuery(many.joined(separator: " ")).root == .all(first.map(word)))
        #expect(
            FullTextQuery("\"" + many.joined(separator: " ") + "\"").root
                == word(first.joined(separator: " ")))
        #expect(FullTextQuery(many.joined(separator: " OR ")).matches(["w999"]))
        #expect(!FullTextQuery(many.joined(separator: " OR ")).matches(["w1000"]))
    }

    @Test("The words of a query may be in different attributes, a phrase must be in one")
    func matching() {
        let texts = ["The quick brown fox", "jumps over Zoë's dog"]
        for found in [
            "quick", "QUICK dog", "\"brown fox\"", "bro*", "\"quick bro\"*", "cat OR zoe", "fox NOT cat",
            "zoe's",
            "\"over zoe s dog\"",
        ] {
            #expect(FullTextQuery(found).matches(texts), "\(found)")
        }
        for missed in [
            "quic", "\"fox jumps\"", "\"brown quick\"", "fox NOT dog", "\"qui brown\"*", "cat", "NOT cat", "",
            "\"over dog\"",
        ] {
            #expect(!FullTextQuery(missed).matches(texts), "\(missed)")
        }
        #expect(!FullTextQuery("a").matches([]))
    }

    // MARK: Predicates

    private let note = Person(
        number: 1,
        values: [
            "title": value(.string("Grüne Äpfel")), "text": value(.string("Every apple is green.")),
            "draft": .null, "pages": value(.integer(3)),
        ])

    private func isMatch(_ format: String, _ arguments: ExpressionNode...) throws -> Bool {
        let predicate = try FormatParser.predicate(format, arguments: arguments)
        return try NodeEvaluator(predicate).matches(.object(note))
    }

    @Test("A format searches one attribute or several, and prints as it was parsed")
    func formats() throws {
        for format in [
            "title matchesFullText: \"apfel\"", "{title, text} matchesFullText: \"green AND grune\"",
            "ANY {title, text} matchesFullText: \"green\"", "NOT title matchesFullText: \"green\"",
            "{title, draft} matchesFullText: \"grune\"",
            "title matchesFullText: \"x\" OR (text matchesFullText: \"gr*\" AND pages == 3)",
        ] {
            #expect(try isMatch(format), "\(format)")
            let node = try FormatParser.predicate(format)
            #expect(NodePrinter.format(node) == format)
            #expect(try FormatParser.predicate(NodePrinter.format(node)) == node)
        }
        #expect(try isMatch("(title) matchesFullText:%@", string("apf*")))
        #expect(try !isMatch("ALL {title, text} matchesFullText: \"green\""))
        #expect(try !isMatch("draft matchesFullText: \"a\""))
        #expect(try !isMatch("title matchesFullText: nil"))
    }

    @Test("Searching a value that is not a string is an error, and so is any other method")
    func errors() {
        #expect(throws: EvaluationError.self) { try isMatch("pages matchesFullText: \"3\"") }
        #expect(throws: EvaluationError.self) { try isMatch("title matchesFullText: 3") }
        #expect(throws: EvaluationError.unsupportedSelector("isKindOfClass:")) {
            try isMatch("SELF isKindOfClass: \"Note\"")
        }
        #expect(throws: PredicateSyntaxError.self) { try isMatch("title matchesFullText \"a\"") }
    }
}

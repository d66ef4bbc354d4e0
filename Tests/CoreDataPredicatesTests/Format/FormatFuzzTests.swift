import CoreDataPredicates
import CoreDataValues
import Foundation
import Testing

@Suite("Random formats")
struct FormatFuzzTests {
    private static let seeds = [
        "name CONTAINS[cd] %@ AND age BETWEEN {1, %d}", "ANY pages.author.name IN {'a', \"b\", $c}",
        "SUBQUERY(books, $b, $b.year > 1970 AND SUBQUERY($b.x, $y, $y == 1).@count > 0).@count > 2",
        "TERNARY(a == nil, 0, a ** -2) + sum:({1, 2.5e-3, 0xFF}) >= %K",
        "NOT (a[FIRST].b == a['k'] || !TRUEPREDICATE)",
        "FUNCTION(now(), 'dateByAddingTimeInterval:', -3600) < CAST(12.5, 'NSDate')",
        "a UNION b MINUS (c INTERSECT d) == ~1 & 2 | 3 ^ 4 << 5",
        "#select.#in == '\\u00e9\\x41\\'' && NONE a.b <> 1",
    ]

    private static let pieces = [
        "(", ")", "[", "]", "{", "}", ",", ".", "==", "=>", "<>", "!", "-", "~", "**", "+", "&&", "||", "%",
        "%@", "%K",
        "%d", "%%", "$", "$x", "#", "#in", "@", "@count", "'", "\"", "\\", "\\u12", "\\ud83d", "0x", "0b2",
        "1e", "1.5",
        "99999999999999999999", "NOT ", "ANY ", "ALL ", "AND ", " OR ", " IN ", " BETWEEN ", " LIKE", "[cd]",
        "[q]",
        "SELF", "nil", "TRUEPREDICATE", "SUBQUERY(", "TERNARY(", "FUNCTION(", "CAST(", "sum(", "foo:bar:(",
        "now()",
        "a", "a.b", "[FIRST]", "é", "e\u{301}", "\u{0}", "😀", "\u{2028}", " ", "UNION ", ";", "`",
    ]

    /// Parses with both parsers; the printed form of an accepted format must parse again.
    private func check(_ format: String) {
        let arguments = [string("a.b"), integer(3), string("x")]
        let count = format.unicodeScalars.count
        do throws(PredicateSyntaxError) {
            let node = try FormatParser.predicate(format, arguments: arguments)
            let text = NodePrinter.format(node)
            #expect(throws: Never.self, "\(format) printed as \(text)") { try FormatParser.predicate(text) }
        } catch {
            #expect((0...count).contains(error.position), "\(format): \(error)")
            #expect(!error.expected.isEmpty)
            #expect(!error.found.isEmpty)
        }
        do throws(PredicateSyntaxError) {
            _ = try FormatParser.expression(format, arguments: arguments)
        } catch {
            #expect((0...count).contains(error.position), "\(format): \(error)")
        }
    }

    @Test("Mutated formats are parsed or refused with a position, without a crash", arguments: UInt64(0)..<20)
    func mutations(seed: UInt64) {
        var random = SplitMix(state: seed)
        for _ in 0..<300 {
            var scalars = Array(Self.seeds.randomElement(using: &random)!.unicodeScalars)
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                let place = Int.random(in: 0...scalars.count, using: &random)
                let end = min(scalars.count, place + Int.random(in: 0..<6, using: &random))
                switch Int.random(in: 0..<4, using: &random) {
                case 0: scalars.removeSubrange(place..<end)
                case 1: scalars.insert(contentsOf: scalars[place..<end], at: place)
                case 2:
                    scalars.insert(
                        contentsOf: Self.pieces.randomElement(using: &random)!.unicodeScalars, at: place)
                default: scalars.removeLast(scalars.count - place)
                }
            }
            check(String(String.UnicodeScalarView(scalars)))
        }
    }

    @Test("Formats of random pieces are parsed or refused with a position", arguments: UInt64(0)..<20)
    func pieces(seed: UInt64) {
        var random = SplitMix(state: seed &+ 1000)
        for _ in 0..<300 {
            let count = Int.random(in: 0..<14, using: &random)
            check((0..<count).map { _ in Self.pieces.randomElement(using: &random)! }.joined())
        }
    }
}

/// A generator of equal numbers for equal seeds, on every machine.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }
}

import CoreDataPredicates
import Foundation
import Testing

@Suite("Strings without case and diacritics")
struct StringComparisonTests {
    private static let strings = [
        "", "a", "A", "z", "abc", "ABC", "Élan", "elan", "e\u{301}lan", "ÉLAN", "straße", "STRASSE",
        "ΣΊΣΥΦΟΣ",
        "σίσυφος", "й", "и", "İstanbul", "istanbul", "ıI", "Ångström", "angstrom", "Å", "が", "か", "日本語",
        "한국어",
        "naïve café", "NAIVE CAFE", "ﬁn", "FIN", "øre", "ore", "Łódź", "łodz", "👩‍👩‍👧", "🇩🇪x", "x", "ȩ̈", "Ǽ", "ᾳ",
        "µ", "μ",
        "ὈΔΥΣΣΕΎΣ", "οδυσσευς", "≠", "=", "ｱ", "Ａ", "1 000", "Zoë", "zoe\u{308}",
    ]

    private static let modes: [(ComparisonOptions, String.CompareOptions)] = [
        (.caseInsensitive, .caseInsensitive), (.diacriticInsensitive, .diacriticInsensitive),
        ([.caseInsensitive, .diacriticInsensitive], [.caseInsensitive, .diacriticInsensitive]),
    ]

    private func test(
        _ haystack: String,
        _ needle: String,
        _ options: ComparisonOptions,
        _ body: (UnsafeBufferPointer<UInt8>, FoldedNeedle) -> Bool
    ) -> Bool {
        var haystack = haystack
        return haystack.withUTF8 { body($0, FoldedNeedle(needle, options: options)) }
    }

    @Test("Equality agrees with Foundation for every pair of a table")
    func equality() {
        for (options, rules) in Self.modes {
            for left in Self.strings {
                for right in Self.strings {
                    let expected = left.compare(right, options: rules) == .orderedSame
                    #expect(
                        test(left, right, options, StringComparison.equals) == expected,
                        "\(left) == \(right), options \(options.rawValue)")
                }
            }
        }
    }

    @Test("Containment agrees with Foundation for every pair of a table")
    func containment() {
        for (options, rules) in Self.modes {
            for haystack in Self.strings {
                for needle in Self.strings {
                    let expected = haystack.range(of: needle, options: rules) != nil
                    #expect(
                        test("<\(haystack)>", needle, options, StringComparison.contains) == expected,
                        "\(haystack) contains \(needle), options \(options.rawValue)")
                }
            }
        }
    }

    @Test("Folding a text gives the same as folding its parts, ASCII or not")
    func foldsByParts() {
        let letters = "ABCxyz[@`{019ZzAaGhIjKl"
        for (options, _) in Self.modes {
            for before in 0...18 {
                for after in 0...18 {
                    for middle in ["", "É", "ß", "日", "ǼÅ", "Ａ"] {
                        let parts =
                            letters.prefix(before).map(String.init) + [middle]
                            + letters.suffix(after).map(String.init)
                        let folded = parts.map { StringComparison.foldedKey($0, options: options) }.joined()
                        #expect(StringComparison.foldedKey(parts.joined(), options: options) == folded)
                    }
                }
            }
        }
    }

    @Test("Tests for prefixes and suffixes ignore case and diacritics on request")
    func ends() {
        let both: ComparisonOptions = [.caseInsensitive, .diacriticInsensitive]
        #expect(test("Élan vital", "ELAN", both, StringComparison.hasPrefix))
        #expect(!test("Élan vital", "ELAN", .caseInsensitive, StringComparison.hasPrefix))
        #expect(!test("e\u{301}lan", "e", .caseInsensitive, StringComparison.hasPrefix))
        #expect(test("un café", "CAFE", both, StringComparison.hasSuffix))
        #expect(!test("un café", "cafe", .caseInsensitive, StringComparison.hasSuffix))
        #expect(!test("cafe", "un cafe", both, StringComparison.hasSuffix))
    }

    @Test("A byte pattern is found at every place, in every length and in either case")
    func everyPlace() {
        for length in 0..<40 {
            // A text full of near misses: the first and the last letter of the pattern, but not the rest.
            let haystack = String(repeating: "NxM-", count: 10).prefix(length)
            for needle in ["n", "nm", "nem", "n123456m", "n1234567m", "n123456789012345m", "n,", ",n"] {
                for place in 0...length {
                    let index = haystack.index(haystack.startIndex, offsetBy: place)
                    let text = haystack[..<index] + needle.uppercased() + haystack[index...]
                    #expect(
                        test(String(text), needle, .caseInsensitive, StringComparison.contains), "\(text)")
                    #expect(test(String(text), needle.uppercased(), [], StringComparison.contains), "\(text)")
                    let isFound = text.contains(needle)
                    #expect(test(String(text), needle, [], StringComparison.contains) == isFound, "\(text)")
                }
                let isFound = haystack.lowercased().contains(needle)
                #expect(
                    test(String(haystack), needle, .caseInsensitive, StringComparison.contains) == isFound,
                    "\(needle) in \(haystack)")
            }
        }
    }

    @Test("Ignoring case applies only to letters, not to other characters with the same bit")
    func signs() {
        for needle in ["@bcdefgh`", "[", "{", "[bcdefgh{", "`"] {
            let other = String(decoding: needle.utf8.map { $0 ^ 0x20 }, as: UTF8.self)
            #expect(!test("12345678\(other)12345678", needle, .caseInsensitive, StringComparison.contains))
            #expect(test("12345678\(needle)12345678", needle, .caseInsensitive, StringComparison.contains))
        }
    }

    @Test("Comparisons and folded keys ignore case and diacritics on request")
    func order() {
        #expect(StringComparison.compare("a", "B", options: .caseInsensitive) == -1)
        #expect(StringComparison.compare("a", "B", options: []) == 1)
        #expect(StringComparison.compare("É", "e", options: [.caseInsensitive, .diacriticInsensitive]) == 0)
        #expect(
            StringComparison.foldedKey("Élan", options: [.caseInsensitive, .diacriticInsensitive]) == "elan")
    }

    @Test("Bytes that are not UTF-8 are compared unchanged")
    func malformed() {
        let bytes: [UInt8] = [0xFF, 0x41, 0xC3]
        let found = bytes.withUnsafeBufferPointer {
            StringComparison.contains($0, FoldedNeedle("a", options: .caseInsensitive))
        }
        #expect(found)
    }

    @Test(
        "LIKE matches whole strings",
        arguments: [
            ("abc", "abc", true), ("abc", "a*", true), ("abc", "*", true), ("", "*", true), ("", "?", false),
            ("abc", "a?c", true), ("abc", "a?", false), ("abc", "*b*", true), ("aXbXc", "a*X*c", true),
            ("a*c", #"a\*c"#, true), ("abc", #"a\*c"#, false), ("a?", #"a\?"#, true), ("a\\", #"a\\"#, true),
            ("a\nb", "a*b", true), ("e\u{301}", "?", true), ("mississippi", "m*iss*pi", true),
            ("mississippi", "m*issx*", false),
        ])
    func like(string: String, pattern: String, fits: Bool) {
        #expect(LikePattern(pattern, options: []).matches(string) == fits)
    }
}

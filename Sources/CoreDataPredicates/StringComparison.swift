import Foundation

/// Compares strings with the options of predicates, without asking Foundation per string.
package enum StringComparison {
    /// A string folded for comparison: case and diacritics removed as the options say. ASCII takes the short way.
    package static func folded(_ text: String, _ options: ComparisonOptions) -> String {
        guard !options.isDisjoint(with: [.caseInsensitive, .diacriticInsensitive, .localeSensitive]) else {
            return text
        }
        let foldsCase = !options.isDisjoint(with: [.caseInsensitive])
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            return foldsCase ? asciiLowercased(text) : text
        }
        var scalars = String.UnicodeScalarView()
        let source =
            options.contains(.diacriticInsensitive) ? text.decomposedStringWithCanonicalMapping : text
        for scalar in source.unicodeScalars {
            if options.contains(.diacriticInsensitive), isDiacritic(scalar) { continue }
            if foldsCase {
                scalars.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
            } else {
                scalars.append(scalar)
            }
        }
        return String(scalars)
    }

    private static func asciiLowercased(_ text: String) -> String {
        String(decoding: text.utf8.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    private static func isDiacritic(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x300 && scalar.properties.generalCategory == .nonspacingMark
    }

    package static func areEqual(_ left: String, _ right: String, _ options: ComparisonOptions) -> Bool {
        folded(left, options).utf8.elementsEqual(folded(right, options).utf8)
    }

    package static func contains(_ text: String, _ part: String, _ options: ComparisonOptions) -> Bool {
        contains(bytes: Array(folded(text, options).utf8), Array(folded(part, options).utf8))
    }

    package static func hasPrefix(_ text: String, _ part: String, _ options: ComparisonOptions) -> Bool {
        folded(text, options).utf8.starts(with: folded(part, options).utf8)
    }

    package static func hasSuffix(_ text: String, _ part: String, _ options: ComparisonOptions) -> Bool {
        folded(text, options).utf8.reversed().starts(with: folded(part, options).utf8.reversed())
    }

    /// As on Apple's systems the empty string is contained in nothing.
    private static func contains(bytes: [UInt8], _ part: [UInt8]) -> Bool {
        guard !part.isEmpty, part.count <= bytes.count else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            part.withUnsafeBufferPointer { part in
                var start = 0
                let last = bytes.count - part.count
                while start <= last {
                    if bytes[start] == part[0],
                        memcmp(bytes.baseAddress! + start, part.baseAddress!, part.count) == 0
                    {
                        return true
                    }
                    start += 1
                }
                return false
            }
        }
    }

    /// `LIKE`: `?` is one character, `*` any number; a backslash escapes.
    package static func isLike(_ text: String, _ pattern: String, _ options: ComparisonOptions) -> Bool {
        let text = Array(folded(text, options))
        let pattern = wildcards(folded(pattern, options))
        var (position, place) = (0, 0)
        var star: (place: Int, position: Int)?
        while position < text.count {
            if place < pattern.count, case .many = pattern[place] {
                star = (place, position)
                place += 1
            } else if place < pattern.count, pattern[place].matches(text[position]) {
                (position, place) = (position + 1, place + 1)
            } else if let last = star {
                star = (last.place, last.position + 1)
                (place, position) = (last.place + 1, last.position + 1)
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { if case .many = $0 { true } else { false } }
    }

    private enum Wildcard {
        case one
        case many
        case character(Character)

        func matches(_ other: Character) -> Bool {
            switch self {
            case .one: true
            case .many: false
            case .character(let character): character == other
            }
        }
    }

    private static func wildcards(_ pattern: String) -> [Wildcard] {
        var result: [Wildcard] = []
        var isEscaped = false
        for character in pattern {
            if isEscaped {
                result.append(.character(character))
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                result.append(character == "?" ? .one : character == "*" ? .many : .character(character))
            }
        }
        return result
    }

    /// `MATCHES`: the whole string against a regular expression. A pattern that cannot be compiled matches nothing.
    package static func matches(_ text: String, _ pattern: String, _ options: ComparisonOptions) -> Bool {
        let isInsensitive = options.contains(.caseInsensitive)
        guard
            let expression = try? NSRegularExpression(
                pattern: "^(?:\(pattern))$", options: isInsensitive ? [.caseInsensitive] : [])
        else { return false }
        let range = NSRange(text.startIndex..., in: text)
        return expression.firstMatch(in: text, range: range)?.range == range
    }

    /// The order of `[c]`, `[d]` and plain comparisons: by folded scalar values.
    package static func order(_ left: String, _ right: String, _ options: ComparisonOptions) -> Int {
        let (a, b) = (folded(left, options), folded(right, options))
        return a == b ? 0 : a.unicodeScalars.lexicographicallyPrecedes(b.unicodeScalars) ? -1 : 1
    }
}

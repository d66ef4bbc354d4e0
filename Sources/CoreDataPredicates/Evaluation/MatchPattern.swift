import Foundation
import Synchronization

/// The right side of `MATCHES`: a regular expression in ICU's syntax that has to match the whole string.
package final class MatchPattern: @unchecked Sendable {
    private let expression: NSRegularExpression
    private let options: ComparisonOptions

    /// Compiles a pattern; nil for a malformed one.
    private init?(_ pattern: String, options: ComparisonOptions) {
        let foldsMarks = options.contains(.diacriticInsensitive)
        let text =
            foldsMarks ? StringComparison.foldedKey(pattern, options: .diacriticInsensitive) : pattern
        let rules: NSRegularExpression.Options = options.contains(.caseInsensitive) ? .caseInsensitive : []
        guard let expression = try? NSRegularExpression(pattern: "\\A(?:\(text))\\z", options: rules) else {
            return nil
        }
        self.expression = expression
        self.options = options
    }

    package func matches(_ string: String) -> Bool {
        let foldsMarks = options.contains(.diacriticInsensitive)
        let text =
            foldsMarks ? StringComparison.foldedKey(string, options: .diacriticInsensitive) : string
        let range = NSRange(location: 0, length: text.utf16.count)
        return expression.firstMatch(in: text, range: range) != nil
    }

    // MARK: Cache

    private struct Key: Hashable {
        let pattern: String
        let options: ComparisonOptions
    }

    private static let cache = Mutex<[Key: MatchPattern]>([:])
    /// Code contains few patterns, but patterns computed from rows must not accumulate.
    private static let capacity = 64

    /// Returns the compiled pattern, and caches it for the next strings; nil if the pattern is malformed.
    package static func pattern(_ pattern: String, options: ComparisonOptions) -> MatchPattern? {
        let key = Key(pattern: pattern, options: options)
        return cache.withLock { cache in
            if let known = cache[key] { return known }
            guard let compiled = MatchPattern(pattern, options: options) else { return nil }
            if cache.count >= capacity { cache.removeAll(keepingCapacity: true) }
            cache[key] = compiled
            return compiled
        }
    }
}

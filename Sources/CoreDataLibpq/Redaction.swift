import Foundation

/// The words that a message must not contain: passwords and names of users.
struct Redaction: Sendable {
    static let mark = "…"

    /// Texts that are removed wherever they occur.
    private var secrets: Set<String> = []
    /// Texts that are removed where they are a whole word.
    private var names: Set<String> = []

    mutating func add(secret: String) {
        secrets.formUnion(Self.spellings(secret))
    }

    mutating func add(name: String) {
        names.formUnion(Self.spellings(name))
    }

    /// Returns the forms in which a text may be in a message: also percent-encoded, as in a URL.
    private static func spellings(_ text: String) -> [String] {
        guard !text.isEmpty else { return [] }
        return [text]
            + [CharacterSet.alphanumerics, .urlPasswordAllowed, .urlQueryAllowed].compactMap {
                text.addingPercentEncoding(withAllowedCharacters: $0)
            }
    }

    /// Returns a message without the words, and without spaces around it.
    func redacted(_ message: String) -> String {
        var result = message.trimmingCharacters(in: .whitespacesAndNewlines)
        // Longer ones first, of which a shorter one may be a part.
        for secret in secrets.sorted(by: { $0.utf8.count > $1.utf8.count }) {
            result = result.replacing(secret, with: Self.mark)
        }
        for name in names.sorted(by: { $0.utf8.count > $1.utf8.count }) {
            result = Self.removing(name, from: result)
        }
        return result
    }

    private static func removing(_ name: String, from message: String) -> String {
        var result = ""
        var rest = message[...]
        var previous: Character?
        while let range = rest.firstRange(of: name) {
            let before = range.lowerBound == rest.startIndex ? previous : rest[..<range.lowerBound].last
            let after = rest[range.upperBound...].first
            result += rest[..<range.lowerBound]
            let isWord = ![before, after].contains {
                $0.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
            }
            result += isWord ? mark[...] : rest[range]
            previous = rest[range].last
            rest = rest[range.upperBound...]
        }
        return result + rest
    }
}

extension Redaction: CustomStringConvertible, CustomReflectable {
    var description: String { Self.mark }

    /// Shows nothing, since `dump` of a connection would print the words.
    var customMirror: Mirror { Mirror(self, children: []) }
}

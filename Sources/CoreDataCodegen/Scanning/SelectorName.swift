/// The selectors that Swift gives to members marked `@objc`.
package enum SelectorName {
    /// Returns the selector of a method: `changed:`, `handleWithNote:`, `handleForNote:`, `move:to:`. A nil
    /// label is `_`.
    package static func method(_ name: String, labels: [String?]) -> String {
        guard let first = labels.first else { return name }
        let rest = labels.dropFirst().map { ($0 ?? "") + ":" }.joined()
        guard let first else { return name + ":" + rest }
        let isJoined = isPreposition(firstWord(of: first)) || isPreposition(lastWord(of: name))
        return name + (isJoined ? "" : "With") + NameEscaping.capitalized(first) + ":" + rest
    }

    /// Returns the selector of the setter that belongs to a getter.
    package static func setter(_ getter: String) -> String { "set\(NameEscaping.capitalized(getter)):" }

    private static func isPreposition(_ word: Substring) -> Bool { prepositions.contains(word.lowercased()) }

    private static func firstWord(of name: String) -> Substring {
        name.prefix(1) + name.dropFirst().prefix { !$0.isUppercase }
    }

    private static func lastWord(of name: String) -> Substring {
        name.lastIndex(where: \.isUppercase).map { name[$0...] } ?? name[...]
    }

    /// Prepositions before or after which the Swift compiler inserts no "With".
    private static let prepositions: Set<String> = [
        "above", "after", "along", "alongside", "as", "at", "before", "below", "by", "following", "for",
        "from",
        "given", "in", "including", "inside", "into", "matching", "of", "on", "passing", "preceding", "since",
        "to", "until", "using", "via", "when", "with", "within",
    ]
}

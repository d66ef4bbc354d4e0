/// Words that are read as keys only if `#` precedes them.
package enum ReservedWords {
    private static let words: Set<String> = [
        "AND", "OR", "IN", "NOT", "ALL", "ANY", "SOME", "NONE", "LIKE", "CASEINSENSITIVE", "CI", "MATCHES",
        "CONTAINS", "BEGINSWITH", "ENDSWITH", "BETWEEN", "NULL", "NIL", "SELF", "TRUE", "YES", "FALSE", "NO",
        "FIRST", "LAST", "SIZE", "ANYKEY", "SUBQUERY", "FETCH", "CAST", "TRUEPREDICATE", "FALSEPREDICATE",
    ]

    /// Reserved words that are nevertheless read as keys where only a key is possible.
    private static let contextual: Set<String> = [
        "FIRST", "LAST", "SIZE", "SUBQUERY", "FETCH", "CAST", "CI", "CASEINSENSITIVE",
    ]

    package static func contains(_ word: String) -> Bool { words.contains(word.uppercased()) }

    /// Returns whether a word, given in capitals, can never begin a key path.
    static func isStrict(_ keyword: String) -> Bool {
        words.contains(keyword) && !contextual.contains(keyword)
    }
}

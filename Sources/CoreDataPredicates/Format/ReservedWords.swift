/// Words that are keys only with `#` before them.
enum ReservedWords {
    private static let words: Set<String> = [
        "AND", "OR", "IN", "NOT", "ALL", "ANY", "SOME", "NONE", "LIKE", "CASEINSENSITIVE", "CI", "MATCHES",
        "CONTAINS", "BEGINSWITH", "ENDSWITH", "BETWEEN", "NULL", "NIL", "SELF", "TRUE", "YES", "FALSE", "NO",
        "FIRST", "LAST", "SIZE", "ANYKEY", "SUBQUERY", "FETCH", "CAST", "TRUEPREDICATE", "FALSEPREDICATE",
    ]

    /// Reserved words that are still read as keys where nothing else can stand.
    private static let contextual: Set<String> = [
        "FIRST", "LAST", "SIZE", "SUBQUERY", "FETCH", "CAST", "CI", "CASEINSENSITIVE",
    ]

    static func contains(_ word: String) -> Bool { words.contains(word.uppercased()) }

    /// Returns whether a word, in capitals, can never begin a key path.
    static func isStrict(_ keyword: String) -> Bool {
        words.contains(keyword) && !contextual.contains(keyword)
    }
}

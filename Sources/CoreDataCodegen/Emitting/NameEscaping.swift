/// The rules for writing names in generated code: backticks around keywords of the language, and the case of
/// first letters.
package enum NameEscaping {
    private static let keywords: Set<String> = [
        "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import", "init",
        "inout",
        "internal", "let", "operator", "precedencegroup", "private", "protocol", "public", "rethrows",
        "static",
        "struct", "subscript", "typealias", "var", "break", "case", "catch", "continue", "default", "defer",
        "do",
        "else", "fallthrough", "for", "guard", "if", "in", "repeat", "return", "switch", "throw", "where",
        "while",
        "Any", "as", "await", "false", "is", "nil", "self", "Self", "super", "throws", "true", "try",
    ]

    package static func escaped(_ name: String) -> String {
        keywords.contains(name) && name != "Any" && name != "Self" ? "`\(name)`" : name
    }

    /// Returns the name with a capital first letter: `tweets` becomes `Tweets`, as in `addToTweets`.
    package static func capitalized(_ name: String) -> String {
        name.prefix(1).uppercased() + name.dropFirst()
    }

    /// Returns the name with a small first letter: `Store` becomes `store`.
    package static func lowercased(_ name: String) -> String {
        name.prefix(1).lowercased() + name.dropFirst()
    }
}

/// A word, literal or sign of a predicate format, with its position.
struct FormatToken: Hashable {
    enum Kind: Hashable {
        /// A key, a keyword or a function's name; a function's name may contain colons.
        case word(String)
        /// `#word`: a key, even if the word is reserved.
        case escapedWord(String)
        /// `$name`, without the dollar sign.
        case variable(String)
        /// `@count`, including its sign.
        case collectionOperator(String)
        case string(String)
        case integer(Int64)
        case double(Double)
        /// `%@`, `%d` and all other specifiers of a value, as in the format.
        case argument(String)
        /// `%K`.
        case keyArgument
        case sign(String)
        case end
    }

    let kind: Kind
    let position: Int
    /// The keyword that this token may be, in capitals.
    let keyword: String?

    init(kind: Kind, position: Int) {
        self.kind = kind
        self.position = position
        keyword = if case .word(let word) = kind { word.uppercased() } else { nil }
    }

    /// The name of a method with one argument that this token may be.
    var selector: String? {
        if case .word(let word) = kind, word.hasSuffix(":") { word } else { nil }
    }

    func isSign(_ sign: String) -> Bool {
        if case .sign(let own) = kind { own == sign } else { false }
    }

    /// The token as error messages show it.
    var text: String {
        switch kind {
        case .word(let word): "'\(word)'"
        case .escapedWord(let word): "'#\(word)'"
        case .variable(let name): "'$\(name)'"
        case .collectionOperator(let name): "'\(name)'"
        case .string(let string): "the string \"\(string)\""
        case .integer(let number): "the number \(number)"
        case .double(let number): "the number \(number)"
        case .argument(let specifier): "'\(specifier)'"
        case .keyArgument: "'%K'"
        case .sign(let sign): "'\(sign)'"
        case .end: "the end"
        }
    }
}

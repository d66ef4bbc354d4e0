/// The text of a predicate up to the caret, read as far as is needed to know what may come next.
struct PredicateBeginning {
    /// Whether the caret is inside of a string.
    private(set) var isInString = false
    /// Where the word at the caret begins; the caret if there is none.
    private(set) var wordStart: Int
    /// Whether a value comes next, and not an operator.
    private(set) var expectsOperand = true
    /// Whether a comparison ends before the caret.
    private(set) var endsComparison = false

    init(_ text: [Unicode.Scalar]) {
        wordStart = text.count
        var quote: Unicode.Scalar?
        var position = 0
        while position < text.count {
            let scalar = text[position]
            if let open = quote {
                if scalar == "\\" {
                    position += 1
                } else if scalar == open {
                    quote = nil
                    noteOperand()
                }
                position += 1
            } else if scalar == "\"" || scalar == "'" {
                quote = scalar
                position += 1
            } else if Self.isOfWord(scalar) {
                let start = position
                while position < text.count, Self.isOfWord(text[position]) { position += 1 }
                if position == text.count {
                    wordStart = start
                } else {
                    note(word: String(String.UnicodeScalarView(text[start..<position])))
                }
            } else {
                note(symbol: scalar)
                position += 1
            }
        }
        isInString = quote != nil
        if isInString { wordStart = text.count }
    }

    static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
            || "_.@$#".unicodeScalars.contains(scalar)
    }

    private var hasOperator = false

    private mutating func noteOperand() {
        endsComparison = hasOperator
        hasOperator = false
        expectsOperand = false
    }

    private mutating func note(word: String) {
        switch word.uppercased() {
        case "AND", "OR":
            (expectsOperand, hasOperator, endsComparison) = (true, false, false)
        case "NOT", "ANY", "ALL", "NONE", "SOME":
            expectsOperand = true
        case "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES", "IN", "BETWEEN":
            (expectsOperand, hasOperator, endsComparison) = (true, true, false)
        case "C", "D", "CD", "DC", "N":
            // The options of an operator stand in brackets.
            if !(hasOperator && expectsOperand) { noteOperand() }
        default: noteOperand()
        }
    }

    private mutating func note(symbol: Unicode.Scalar) {
        switch symbol {
        case "=", "<", ">", "!": (expectsOperand, hasOperator, endsComparison) = (true, true, false)
        case "&", "|": (expectsOperand, hasOperator, endsComparison) = (true, false, false)
        case "(", "{", ",", "+", "-", "*", "/": expectsOperand = true
        case ")", "}":
            expectsOperand = false
            endsComparison = true
        default: break
        }
    }
}

/// A word, a quoted phrase, an operator or a parenthesis of a query.
enum FullTextSign: Hashable {
    case text(String, isPrefix: Bool)
    case and, or, not
    case open, close

    static func signs(of query: String) -> [FullTextSign] {
        var rest = query.unicodeScalars[...]
        var signs: [FullTextSign] = []
        while let first = rest.first {
            switch first {
            case "(", ")":
                signs.append(first == "(" ? .open : .close)
                rest.removeFirst()
            case "\"": signs.append(phrase(&rest))
            case _ where first.properties.isWhitespace: rest.removeFirst()
            default: signs.append(word(&rest))
            }
        }
        return signs
    }

    /// Reads up to the next quotation mark, or to the end.
    private static func phrase(_ rest: inout Substring.UnicodeScalarView) -> FullTextSign {
        rest.removeFirst()
        let text = rest.prefix { $0 != "\"" }
        rest = rest[text.endIndex...].dropFirst()
        let isPrefix = rest.first == "*"
        if isPrefix { rest.removeFirst() }
        return .text(String(text), isPrefix: isPrefix)
    }

    private static func word(_ rest: inout Substring.UnicodeScalarView) -> FullTextSign {
        let text = rest.prefix { !"()\"".unicodeScalars.contains($0) && !$0.properties.isWhitespace }
        rest = rest[text.endIndex...]
        switch String(text) {
        case "AND": return .and
        case "OR": return .or
        case "NOT": return .not
        default: return .text(String(text), isPrefix: text.last == "*")
        }
    }

    /// Returns the signs without the parentheses that are nested more deeply than `deepest`.
    static func flattened(_ signs: [FullTextSign], below deepest: Int) -> [FullTextSign] {
        var depth = 0
        return signs.filter { sign in
            switch sign {
            case .open:
                depth += 1
                return depth <= deepest
            case .close:
                // A closing parenthesis without an opening one is kept; the parser skips it.
                defer { depth = max(0, depth - 1) }
                return depth <= deepest
            default: return true
            }
        }
    }
}

/// The spelling of names and texts in a model's text form: bare if they are read back as they are, else in
/// quotation marks.
enum TextSpelling {
    static func isPartOfName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }

    static func isPartOfText(_ character: Character) -> Bool {
        !character.isWhitespace && !"\",[]{}".contains(character)
    }

    /// Spells a name.
    ///
    /// - Parameter reserved: The words that mean something else where the name is written.
    static func name(_ name: String, reserved: Set<String> = []) -> String {
        let isBare = !name.isEmpty && name.allSatisfy(isPartOfName) && name.allSatisfy(isPlain)
        return isBare && !reserved.contains(name) ? name : quoted(name)
    }

    static func text(_ text: String) -> String {
        let isBare =
            !text.isEmpty && text.allSatisfy(isPartOfText) && text.allSatisfy(isPlain)
            && !"(#".contains(text.first!)
        return isBare ? text : quoted(text)
    }

    /// Spells a predicate that ends a line.
    static func rest(_ text: String) -> String {
        let isBare =
            text.first.map { $0 != "\"" && !$0.isWhitespace } == true && text.last?.isWhitespace == false
            && text.allSatisfy(isPlain)
        return isBare ? text : quoted(text)
    }

    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                if isPlain(scalar) {
                    result.unicodeScalars.append(scalar)
                } else {
                    result += "\\u{\(String(scalar.value, radix: 16))}"
                }
            }
        }
        return result + "\""
    }

    private static func isPlain(_ character: Character) -> Bool {
        character.unicodeScalars.allSatisfy(isPlain)
    }

    /// Whether the character can be seen, and does not join its neighbours, as accents do: those would become
    /// part of a quotation mark.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value >= 32 && scalar.value != 127 }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            return false
        default:
            return String(String.UnicodeScalarView(["\"", scalar, "\""])).count == 3
        }
    }
}

import CoreDataStore

/// The escaping of text between and in the tags of an XML file.
enum XMLText {
    /// Escapes text between tags.
    ///
    /// - Parameters:
    ///   - value: The text.
    ///   - name: The name of the text's owner, for the error.
    /// - Throws: An error for characters that no XML file can contain.
    static func escaped(_ value: String, of name: String) throws(StoreError) -> String {
        var result = ""
        result.reserveCapacity(value.utf8.count)
        for scalar in value.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\r": result += "&#13;"
            case "\t", "\n": result.unicodeScalars.append(scalar)
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}":
                throw StoreError(
                    .invalidValue,
                    "\(name) has the character U+\(String(scalar.value, radix: 16, uppercase: true)), which an XML "
                        + "store cannot hold: take it out, or use another type of store")
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Escapes a name as the value of an XML attribute, in which a plain line break or tab would be read as a
    /// blank.
    static func escapedName(_ name: String, of owner: String) throws(StoreError) -> String {
        try escaped(name, of: "the name \(owner)").replacing("\n", with: "&#10;").replacing(
            "\t", with: "&#9;")
    }
}

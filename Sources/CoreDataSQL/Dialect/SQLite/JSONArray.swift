import Foundation

/// The JSON text by which a list is passed to SQLite, which has no arrays.
package enum JSONArray {
    package static func text(of numbers: [Int64]) -> String {
        var text = "["
        for number in numbers {
            if text.utf8.count > 1 { text += "," }
            text += String(number)
        }
        return text + "]"
    }

    package static func text(of strings: [String]) -> String {
        var text = "["
        for string in strings {
            if text.utf8.count > 1 { text += "," }
            append(string, to: &text)
        }
        return text + "]"
    }

    private static func append(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\0"..."\u{1F}":
                let code = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - code.count) + code
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}

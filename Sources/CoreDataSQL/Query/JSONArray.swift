import Foundation

/// Lists of constants as one JSON text to bind.
enum JSONArray {
    /// Returns the list as JSON, or nil where JSON would not return the values bit by bit: doubles, blobs and
    /// anything computed.
    static func text(of values: [BoundExpression]) -> String? {
        var text = "["
        for (index, value) in values.enumerated() {
            if index > 0 { text += "," }
            switch value.form {
            case .value(.integer(let number)): text += String(number)
            case .value(.text(let string)):
                guard append(string, to: &text) else { return nil }
            default: return nil
            }
        }
        return text + "]"
    }

    static func text(of keys: some Sequence<Int64>) -> String {
        var text = "["
        for key in keys {
            if text.utf8.count > 1 { text += "," }
            text += String(key)
        }
        return text + "]"
    }

    /// Appends a string; returns false for one with NUL, at which databases end it.
    private static func append(_ string: String, to text: inout String) -> Bool {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\0": return false
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\u{1}"..."\u{1F}":
                let code = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - code.count) + code
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
        return true
    }
}

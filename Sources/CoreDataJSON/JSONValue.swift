import Foundation

/// A JSON document as a value. Objects preserve the order of their keys, and whole numbers stay integers.
package enum JSONValue: Sendable, Hashable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case double(Double)
    case string(String)
    case array([JSONValue])
    case object([Member])

    package struct Member: Sendable, Hashable {
        package let key: String
        package let value: JSONValue

        package init(_ key: String, _ value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// Returns the value of a key; nil if this is not an object or has no such key.
    package subscript(_ key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    // MARK: Writing

    /// The document in one line.
    package var line: String {
        var text = ""
        write(to: &text)
        return text
    }

    /// The document on several lines, for people to read.
    package var indented: String {
        var text = ""
        writeIndented(to: &text, depth: 0)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .boolean(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .double(let value): text += Self.text(of: value)
        case .string(let value): Self.quote(value, into: &text)
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += "," }
                element.write(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                Self.quote(member.key, into: &text)
                text += ":"
                member.value.write(to: &text)
            }
            text += "}"
        }
    }

    private func writeIndented(to text: inout String, depth: Int) {
        let indent = "\n" + String(repeating: "  ", count: depth + 1)
        switch self {
        case .array(let elements) where !elements.isEmpty:
            for (index, element) in elements.enumerated() {
                text += (index > 0 ? "," : "[") + indent
                element.writeIndented(to: &text, depth: depth + 1)
            }
            text += "\n" + String(repeating: "  ", count: depth) + "]"
        case .object(let members) where !members.isEmpty:
            for (index, member) in members.enumerated() {
                text += (index > 0 ? "," : "{") + indent
                Self.quote(member.key, into: &text)
                text += ": "
                member.value.writeIndented(to: &text, depth: depth + 1)
            }
            text += "\n" + String(repeating: "  ", count: depth) + "}"
        default: write(to: &text)
        }
    }

    /// Returns the text of a number; a string for infinities and NaN, which JSON cannot express.
    private static func text(of value: Double) -> String {
        value.isFinite ? value.description : "\"\(value)\""
    }

    private static func quote(_ value: String, into text: inout String) {
        text += "\""
        if value.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) {
            for scalar in value.unicodeScalars { escape(scalar, into: &text) }
        } else {
            text += value
        }
        text += "\""
    }

    private static func escape(_ scalar: Unicode.Scalar, into text: inout String) {
        switch scalar {
        case "\"": text += "\\\""
        case "\\": text += "\\\\"
        case "\n": text += "\\n"
        case "\r": text += "\\r"
        case "\t": text += "\\t"
        case _ where scalar.value < 0x20:
            let digits = String(scalar.value, radix: 16)
            text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: text.unicodeScalars.append(scalar)
        }
    }
}

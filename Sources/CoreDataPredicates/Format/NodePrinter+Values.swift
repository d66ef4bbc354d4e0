import CoreDataValues
import Foundation

extension NodePrinter {
    package static func format(_ value: ExpressionValue) -> String {
        switch value {
        case .value(let value): format(value)
        case .collection(let elements, let isOrdered): list(elements.map(format), isOrdered)
        case .object(let object): String(describing: object)
        case .opaque(let value): String(describing: value.base)
        }
    }

    /// Returns a list in braces. Sets are sorted by the texts of their elements, so that equal sets have the
    /// same text.
    private static func list(_ elements: [String], _ isOrdered: Bool) -> String {
        "{\((isOrdered ? elements : elements.sorted()).joined(separator: ", "))}"
    }

    private static func format(_ value: AttributeValue) -> String {
        switch value {
        case .null: "nil"
        case .boolean(let value): value ? "1" : "0"
        case .integer(let number): String(number)
        case .double(let number): text(of: number)
        case .decimal(let number): "\(number)"
        case .string(let string): quoted(string)
        case .date(let date): "CAST(\(seconds(of: date)), \"NSDate\")"
        case .data(let data): "<\(data.map(hexadecimal).joined())>"
        case .uuid(let uuid): uuid.uuidString
        case .uri(let url): url.absoluteString
        case .reference(let reference): "<entity \(reference.entity), key \(reference.key)>"
        case .composite(let elements):
            "{\(elements.sorted(by: \.key).map { "\($0.key) = \(format($0.value))" }.joined(separator: ", "))}"
        }
    }

    /// Returns a number as `NSNumber` describes it: a whole number has no fraction.
    private static func text(of number: Double) -> String {
        let text = String(number)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// Returns the seconds of a date with six decimal places, or with as many as there are if there are more.
    private static func seconds(of date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        let text = String(format: "%.6f", seconds)
        return Double(text) == seconds ? text : String(seconds)
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let text = String(byte, radix: 16)
        return byte < 16 ? "0" + text : text
    }

    private static func quoted(_ string: String) -> String {
        var text = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}

import CoreDataModelFormat
import CoreDataValues
import Foundation

extension AttributeElement {
    /// The limits and the regular expression as the validation rules they stand for (mom §4): lengths for
    /// texts, bounds on the value for numbers and dates.
    var limitRules: [ValidationRule] {
        var rules: [ValidationRule] = []
        let subject = type == .string ? "length" : "SELF"
        if let text = limitText(minimum) {
            rules.append(ValidationRule(predicate: "\(subject) >= \(text)", warning: .code(codes.below)))
        }
        if let text = limitText(maximum) {
            rules.append(ValidationRule(predicate: "\(subject) <= \(text)", warning: .code(codes.above)))
        }
        if let regularExpression {
            let escaped = regularExpression.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            rules.append(
                ValidationRule(
                    predicate: "SELF MATCHES \"\(escaped)\"",
                    warning: .code(NSValidationStringPatternMatchingError)))
        }
        return rules
    }

    /// The error codes for values below and above the limits.
    private var codes: (below: Int, above: Int) {
        switch type {
        case .string: (NSValidationStringTooShortError, NSValidationStringTooLongError)
        case .date: (NSValidationDateTooSoonError, NSValidationDateTooLateError)
        default: (NSValidationNumberTooSmallError, NSValidationNumberTooLargeError)
        }
    }

    /// Returns a limit as it is written in a predicate format.
    private func limitText(_ limit: AttributeValue) -> String? {
        switch limit {
        case .integer(let value): "\(value)"
        case .double(let value): "\(value)"
        case .decimal(let value): "\(value)"
        case .boolean(let value): value ? "1" : "0"
        case .date(let value): "CAST(\(value.timeIntervalSinceReferenceDate), \"NSDate\")"
        default: nil
        }
    }
}

package import Foundation

/// The reason why a predicate or expression cannot be evaluated.
package enum EvaluationError: Error, Hashable, CustomStringConvertible {
    case noValue(variable: String)
    case unknownKey(String, of: String)
    case unsupportedFunction(String)
    case unsupportedSelector(String)
    case malformedPattern(String)
    case malformedRange(String)
    case notACollection(String, operator: String)
    case notANumber(String, function: String)
    case notAString(String, function: String)
    case notADate(String, function: String)
    case unknownMethod(String, of: String)
    case wrongArguments(Int, of: String)
    case failedFetch(String)
    /// The error that a method of an app's own object threw.
    case failedMethod(String, NSError)

    package var description: String {
        switch self {
        case .noValue(let name): "no value for the variable $\(name); give one in the substitution variables"
        case .unknownKey(let key, let value): "\(value) has no value for the key '\(key)'"
        case .unsupportedFunction(let name): "the function \(name) cannot be evaluated in memory"
        case .unsupportedSelector(let name): "comparing by the selector \(name) is not supported"
        case .failedFetch(let reason): reason
        case .failedMethod(let name, let error): "the method '\(name)' failed: \(error.localizedDescription)"
        case .malformedPattern(let pattern): "MATCHES needs a regular expression, not \"\(pattern)\""
        case .malformedRange(let value): "BETWEEN needs a collection of two values, not \(value)"
        case .notACollection(let value, let name): "\(name) needs a collection, not \(value)"
        case .notANumber(let value, let function): "\(function) needs a number, not \(value)"
        case .notAString(let value, let function): "\(function) needs a string, not \(value)"
        case .notADate(let value, let function): "\(function) needs a date, not \(value)"
        case .unknownMethod(let name, let value): "\(value) has no method '\(name)' that FUNCTION can call"
        case .wrongArguments(let count, let name): "\(count) arguments do not fit the method '\(name)'"
        }
    }
}

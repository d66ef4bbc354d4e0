import CoreDataValues
import Foundation

/// The methods that `FUNCTION(receiver, "name:", …)` calls in memory: the common methods of Foundation's
/// values, any key of the receiver as a method without arguments, and the methods of a `MethodReceiver`.
/// Other methods of an app's own classes cannot be called on Linux. A null receiver gives null, as a message
/// to nil does.
enum ReceiverMethods {
    static func call(
        _ name: String,
        on receiver: ExpressionValue,
        _ arguments: [ExpressionValue]
    ) throws(EvaluationError) -> ExpressionValue {
        if receiver.isNull { return .null }
        guard arguments.count == name.count(where: { $0 == ":" }) else {
            throw .wrongArguments(arguments.count, of: name)
        }
        if let value = try own(name, receiver, arguments) { return value }
        if let value = try common(name, receiver, arguments) { return value }
        if let value = try specific(name, receiver, arguments) { return value }
        guard arguments.isEmpty else { throw .unknownMethod(name, of: receiver.summary) }
        return try receiver.value(at: [name])
    }

    private static func own(
        _ name: String,
        _ receiver: ExpressionValue,
        _ arguments: [ExpressionValue]
    ) throws(EvaluationError) -> ExpressionValue? {
        guard case .object(let object) = receiver, let object = object as? any MethodReceiver else {
            return nil
        }
        do {
            return try object.call(name, arguments)
        } catch {
            throw .failedMethod(name, error as NSError)
        }
    }

    private static func common(
        _ name: String,
        _ receiver: ExpressionValue,
        _ arguments: [ExpressionValue]
    ) throws(EvaluationError) -> ExpressionValue? {
        switch name {
        case "self": return receiver
        case "description":
            if case .object = receiver { return nil }
            return .value(.string(receiver.text ?? receiver.summary))
        case "isEqual:", "isEqualToString:", "isEqualToNumber:", "isEqualToDate:", "isEqualToArray:",
            "isEqualToSet:":
            return .value(.boolean(ValueComparison.equals(receiver, arguments[0])))
        case "compare:":
            return ValueComparison.order(receiver, arguments[0]).map { .value(.integer(Int64($0))) }
        case "valueForKey:": return try receiver.value(at: [try string(arguments[0], name)])
        case "valueForKeyPath:":
            let keys = try string(arguments[0], name).split(separator: ".").map(String.init)
            return try receiver.value(at: keys[...])
        default: return nil
        }
    }

    private static func specific(
        _ name: String,
        _ receiver: ExpressionValue,
        _ arguments: [ExpressionValue]
    ) throws(EvaluationError) -> ExpressionValue? {
        switch receiver {
        case .value(.string(let text)):
            if let value = try string(name, text, arguments) { return value }
            return number(name, PromotedNumber(parsing: text))
        case .value(.date(let date)): return try self.date(name, date, arguments)
        case .value(.uri(let url)): return self.url(name, url)
        case .value(.uuid(let uuid)): return name == "UUIDString" ? .value(.string(uuid.uuidString)) : nil
        case .value(.data(let data)): return name == "length" ? .value(.integer(Int64(data.count))) : nil
        case .collection(let elements, let isOrdered):
            return try collection(name, elements, isOrdered, arguments)
        case .value:
            guard let value = PromotedNumber(receiver) else { return nil }
            return name == "stringValue" ? .value(.string(receiver.summary)) : number(name, value)
        default: return nil
        }
    }

    // MARK: Values

    private static func string(
        _ name: String,
        _ text: String,
        _ arguments: [ExpressionValue]
    ) throws(EvaluationError) -> ExpressionValue? {
        func argument(_ index: Int) throws(EvaluationError) -> String { try string(arguments[index], name) }
        switch name {
        case "capitalizedString": return .value(.string(text.capitalized))
        case "lastPathComponent": return .value(.string((text as NSString).lastPathComponent))
        case "pathExtension": return .value(.string((text as NSString).pathExtension))
        case "stringByAppendingString:": return .value(.string(text + (try argument(0))))
        case "stringByReplacingOccurrencesOfString:withString:":
            return .value(.string(text.replacingOccurrences(of: try argument(0), with: try argument(1))))
        case "componentsSeparatedByString:":
            let parts = text.components(separatedBy: try argument(0))
            return .collection(parts.map { .value(.string($0)) }, isOrdered: true)
        case "substringFromIndex:", "substringToIndex:":
            let index = try integer(arguments[0], name)
            let units = text.utf16.count
            guard (0...units).contains(index) else { throw .notANumber("\(index)", function: name) }
            let position = text.utf16.index(text.startIndex, offsetBy: index)
            return .value(
                .string(String(name == "substringToIndex:" ? text[..<position] : text[position...])))
        case "hasPrefix:": return .value(.boolean(text.hasPrefix(try argument(0))))
        case "hasSuffix:": return .value(.boolean(text.hasSuffix(try argument(0))))
        case "containsString:": return .value(.boolean(text.contains(try argument(0))))
        case "caseInsensitiveCompare:":
            return .value(.integer(Int64(text.caseInsensitiveCompare(try argument(0)).rawValue)))
        default: return nil
        }
    }

    private static func number(_ name: String, _ number: PromotedNumber) -> ExpressionValue? {
        switch name {
        case "intValue", "integerValue", "longLongValue": .value(.integer(number.integer ?? 0))
        case "doubleValue", "floatValue": .value(.double(number.double))
        case "boolValue": .value(.boolean(number.double != 0))
        default: nil
        }
    }

    private static func date(
        _ name: String,
        _ date: Date,
        _ arguments: [ExpressionValue]
    ) throws(EvaluationError) -> ExpressionValue? {
        func other() throws(EvaluationError) -> Date {
            if case .value(.date(let date)) = arguments[0] { return date }
            throw .notADate(arguments[0].summary, function: name)
        }
        switch name {
        case "timeIntervalSinceNow": return .value(.double(date.timeIntervalSinceNow))
        case "timeIntervalSinceDate:": return .value(.double(date.timeIntervalSince(try other())))
        case "dateByAddingTimeInterval:":
            guard let seconds = PromotedNumber(arguments[0]) else {
                throw .notANumber(arguments[0].summary, function: name)
            }
            return .value(.date(date.addingTimeInterval(seconds.double)))
        case "earlierDate:": return .value(.date(min(date, try other())))
        case "laterDate:": return .value(.date(max(date, try other())))
        default: return nil
        }
    }

    private static func url(_ name: String, _ url: URL) -> ExpressionValue? {
        func text(_ text: String?) -> ExpressionValue { text.map { .value(.string($0)) } ?? .null }
        return switch name {
        case "absoluteString": text(url.absoluteString)
        case "host": text(url.host)
        case "path": text(url.path)
        case "scheme": text(url.scheme)
        case "query": text(url.query)
        case "fragment": text(url.fragment)
        case "lastPathComponent": text(url.lastPathComponent)
        case "pathExtension": text(url.pathExtension)
        default: nil
        }
    }

    private static func collection(
        _ name: String,
        _ elements: [ExpressionValue],
        _ isOrdered: Bool,
        _ arguments: [ExpressionValue]
    ) throws(EvaluationError) -> ExpressionValue? {
        switch name {
        case "count": return .value(.integer(Int64(elements.count)))
        case "firstObject", "anyObject": return elements.first ?? .null
        case "lastObject": return elements.last ?? .null
        case "allObjects": return .collection(elements, isOrdered: true)
        case "containsObject:":
            return .value(.boolean(elements.contains { ValueComparison.equals($0, arguments[0]) }))
        case "objectAtIndex:":
            let index = try integer(arguments[0], name)
            guard elements.indices.contains(index) else { throw .notANumber("\(index)", function: name) }
            return elements[index]
        case "componentsJoinedByString:":
            let separator = try string(arguments[0], name)
            return .value(.string(elements.map { $0.text ?? $0.summary }.joined(separator: separator)))
        default: return nil
        }
    }

    // MARK: Arguments

    private static func string(_ value: ExpressionValue, _ name: String) throws(EvaluationError) -> String {
        guard let text = value.text else { throw .notAString(value.summary, function: name) }
        return text
    }

    private static func integer(_ value: ExpressionValue, _ name: String) throws(EvaluationError) -> Int {
        guard let number = PromotedNumber(value)?.integer else {
            throw .notANumber(value.summary, function: name)
        }
        return Int(number)
    }
}

extension PromotedNumber {
    /// Reads the number at the beginning of a text; zero if there is none.
    init(parsing text: String) {
        let digits = text.drop(while: \.isWhitespace).prefix {
            $0.isASCII && ($0.isNumber || "+-.eE".contains($0))
        }
        self = Int64(digits).map { .integer($0) } ?? .double((String(digits) as NSString).doubleValue)
    }
}

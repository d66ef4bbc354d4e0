import CoreDataValues
import Foundation

extension ExpressionNode {
    private typealias Function = @Sendable ([ExpressionValue]) throws(EvaluationError) -> ExpressionValue

    static func call(
        _ name: String,
        _ arguments: [ExpressionNode]
    ) throws(EvaluationError) -> CompiledExpression {
        if name == "objectFrom:withIndex:", arguments.count == 2 {
            return try element(of: arguments[0], at: arguments[1])
        }
        if let fold = aggregate(name), case .keyPath(let operand, let keys)? = arguments.first,
            arguments.count == 1, name != "distinct:"
        {
            let root = try operand.compiled()
            return { scope throws(EvaluationError) in try fold([root(scope).foldedValue(at: keys)]) }
        }
        guard let function = aggregate(name) ?? numeric(name) ?? textual(name) ?? other(name) else {
            throw .unsupportedFunction(name)
        }
        let arity = name.filter { $0 == ":" }.count
        guard arguments.count >= arity else { throw .unsupportedFunction(name) }
        let compiled = try compiled(arguments)
        return { scope throws(EvaluationError) in try function(compiled.values(in: scope)) }
    }

    // MARK: Collections

    /// Returns a function whose argument is a collection, or any number of values.
    private static func aggregate(_ name: String) -> Function? {
        let fold: Function
        switch name {
        case "count:": fold = { values throws(EvaluationError) in .value(.integer(Int64(values.count))) }
        case "sum:": fold = { values throws(EvaluationError) in try Aggregates.sum(values) }
        case "average:": fold = { values throws(EvaluationError) in try Aggregates.average(values) }
        case "min:": fold = { values throws(EvaluationError) in Aggregates.minimum(values) }
        case "max:": fold = { values throws(EvaluationError) in Aggregates.maximum(values) }
        case "median:": fold = { values throws(EvaluationError) in try Aggregates.median(values) }
        case "mode:": fold = { values throws(EvaluationError) in Aggregates.mode(values) }
        case "stddev:": fold = { values throws(EvaluationError) in try Aggregates.deviation(values) }
        case "distinct:":
            fold = { values throws(EvaluationError) in
                .collection(ExpressionValue.distinct(values), isOrdered: false)
            }
        default: return nil
        }
        return { arguments throws(EvaluationError) in
            guard arguments.count == 1 else { return try fold(arguments) }
            switch arguments[0] {
            case .collection(let elements, _):
                // As in SQL, nulls are left out, except by `count:`.
                return try fold(name == "count:" ? elements : elements.filter { !$0.isNull })
            case .value(.null): return try fold([])
            default: return try fold(arguments)
            }
        }
    }

    private static func element(
        of collection: ExpressionNode,
        at index: ExpressionNode
    ) throws(EvaluationError) -> CompiledExpression {
        let collection = try collection.compiled()
        if let symbol = FunctionName.symbolicIndex(index) {
            return { scope throws(EvaluationError) in
                let elements = try collection(scope).elements(for: "[\(symbol)]")
                switch symbol {
                case "FIRST": return elements.first ?? .null
                case "LAST": return elements.last ?? .null
                default: return .value(.integer(Int64(elements.count)))
                }
            }
        }
        let index = try index.compiled()
        return { scope throws(EvaluationError) in
            let (container, position) = (try collection(scope), try index(scope))
            if case .value(.string(let key)) = position { return try container.value(at: [key]) }
            guard let number = PromotedNumber(position)?.integer else {
                throw .notANumber(position.summary, function: "objectFrom:withIndex:")
            }
            let elements = try container.elements(for: "objectFrom:withIndex:")
            // An index out of range gives null and does not trap.
            return elements.indices.contains(Int(number)) ? elements[Int(number)] : .null
        }
    }

    // MARK: Strings and others

    private static func textual(_ name: String) -> Function? {
        let change: @Sendable (String) -> AttributeValue
        switch name {
        case "uppercase:": change = { .string($0.uppercased()) }
        case "lowercase:": change = { .string($0.lowercased()) }
        case "canonical:":
            change = {
                let both: ComparisonOptions = [.caseInsensitive, .diacriticInsensitive]
                return .string(StringComparison.foldedKey($0, options: both))
            }
        case "length:": change = { .integer(Int64($0.utf16.count)) }
        default: return nil
        }
        return { arguments throws(EvaluationError) in arguments[0].text.map { .value(change($0)) } ?? .null }
    }

    private static func other(_ name: String) -> Function? {
        switch name {
        case "now": return { _ throws(EvaluationError) in .value(.date(Date())) }
        case "random": return { _ throws(EvaluationError) in .value(.integer(.random(in: 0...Int64.max))) }
        case "random:":
            return { arguments throws(EvaluationError) in
                guard let limit = PromotedNumber(arguments[0])?.integer, limit > 0 else {
                    throw .notANumber(arguments[0].summary, function: "random:")
                }
                return .value(.integer(.random(in: 0..<limit)))
            }
        case "noindex:", "indexed:by:": return { arguments throws(EvaluationError) in arguments[0] }
        case "distanceToLocation:fromLocation:":
            return { arguments throws(EvaluationError) in try Distance.metres(arguments[0], arguments[1]) }
        case "castObject:toType:":
            return { arguments throws(EvaluationError) in try cast(arguments[0], to: arguments[1]) }
        default: return nil
        }
    }

    private static func cast(
        _ value: ExpressionValue,
        to type: ExpressionValue
    ) throws(EvaluationError) -> ExpressionValue {
        if value.isNull { return .null }
        if let entity = type.text, let seen = value.seen(as: entity) { return seen }
        var seconds: Double?
        if case .value(.date(let date)) = value { seconds = date.timeIntervalSinceReferenceDate }
        // Text is read as a number, as in SQL.
        let number =
            PromotedNumber(value)?.double ?? seconds ?? value.text.map { PromotedNumber(parsing: $0).double }
        switch type.text {
        case "NSString": return .value(.string(value.text ?? value.summary))
        case "NSDate": return number.map { .value(.date(Date(timeIntervalSinceReferenceDate: $0))) } ?? .null
        case "NSNumber": return PromotedNumber(value)?.value ?? number.map { .value(.double($0)) } ?? .null
        case "NSDecimalNumber":
            if let number = PromotedNumber(value) { return .value(.decimal(number.decimal)) }
            return value.text.flatMap { Decimal(string: $0) }.map { .value(.decimal($0)) } ?? .null
        case "NSUUID": return value.text.flatMap(UUID.init).map { .value(.uuid($0)) } ?? .null
        case "NSURL": return value.text.flatMap { URL(string: $0) }.map { .value(.uri($0)) } ?? .null
        default: throw .unsupportedFunction("CAST to \(type.summary)")
        }
    }
}

extension ExpressionValue {
    /// Returns the object, or null if it is not of the entity; for a collection, the members that are of the
    /// entity. Nil for other values.
    fileprivate func seen(as entity: String) -> ExpressionValue? {
        switch self {
        case .object(let object): return object.isOf(entity: entity) ? self : .null
        case .collection(let elements, let isOrdered):
            return .collection(
                elements.filter { $0.seen(as: entity).map { !$0.isNull } ?? false }, isOrdered: isOrdered)
        default: return nil
        }
    }
}

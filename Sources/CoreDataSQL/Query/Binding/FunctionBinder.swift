import CoreDataPredicates
import CoreDataStore
import CoreDataValues

/// The binding of a function's call.
struct FunctionBinder {
    /// The call, for errors.
    let expression: ExpressionNode
    let scope: BindingScope

    private static let aggregates: [String: AggregateFunction] = [
        "count:": .count, "sum:": .sum, "min:": .minimum, "max:": .maximum, "average:": .average,
        "median:": .median, "mode:": .mode, "stddev:": .deviation,
    ]

    private static let infix: [String: ArithmeticOperator] = [
        "add:to:": .add, "from:subtract:": .subtract, "multiply:by:": .multiply, "divide:by:": .divide,
        "modulus:by:": .modulus, "bitwiseAnd:with:": .bitwiseAnd, "bitwiseOr:with:": .bitwiseOr,
        "leftshift:by:": .shiftLeft, "rightshift:by:": .shiftRight,
    ]

    private static let numeric: [String: ScalarFunction] = [
        "abs:": .absolute, "sqrt:": .squareRoot, "log:": .logarithm, "ln:": .naturalLogarithm,
        "exp:": .exponential, "ceiling:": .ceiling, "floor:": .floor, "trunc:": .truncate,
        "raise:toPower:": .power, "onesComplement:": .onesComplement,
    ]

    private static let textual: [String: ScalarFunction] = [
        "lowercase:": .lowercase, "uppercase:": .uppercase, "canonical:": .canonical, "length:": .length,
    ]

    func call(
        _ name: String,
        _ arguments: [ExpressionNode]
    ) throws(StoreError) -> BoundExpression {
        if let function = Self.aggregates[name] {
            return try aggregate(function, arguments)
        }
        if let function = Self.infix[name], arguments.count == 2 {
            return try arithmetic(function, arguments[0], arguments[1])
        }
        if let function = Self.numeric[name] {
            var operands: [BoundExpression] = []
            for argument in arguments { operands.append(try scalar(argument)) }
            try scope.requireNumbers(operands, in: expression)
            let keepsType: Set<ScalarFunction> = [.absolute, .onesComplement]
            let type = keepsType.contains(function) ? operands.first?.type : .attribute(.double)
            return BoundExpression(form: .call(function, operands), type: type ?? .unknown)
        }
        if let function = Self.textual[name], arguments.count == 1, scope.frame.dialect.canCall(function) {
            let operand = try scalar(arguments[0])
            let type = AttributeType.string
            return BoundExpression(
                form: .call(function, [operand]),
                type: .attribute(function == .length ? .integer64 : type))
        }
        switch (name, arguments.count) {
        case ("now", 0):
            return BoundExpression(form: .call(.now, []), type: .attribute(.date), isNullable: false)
        case ("random", 0):
            return BoundExpression(form: .call(.random, []), type: .attribute(.integer64), isNullable: false)
        case ("random:", 1):
            let limit = try scalar(arguments[0], as: .attribute(.integer64))
            try scope.requireNumbers([limit], in: expression)
            return BoundExpression(form: .call(.random, [limit]), type: .attribute(.integer64))
        case ("noindex:", 1):
            let operand = try scalar(arguments[0])
            return BoundExpression(form: .withoutIndex(operand), type: operand.type)
        case ("indexed:by:", 2):
            _ = try IndexBinder(scope: scope).index(named: arguments[1], of: arguments[0])
            return try scalar(arguments[0])
        case ("bitwiseXor:with:", 2):
            // SQL has no exclusive or: it is (a | b) - (a & b).
            let union = try arithmetic(.bitwiseOr, arguments[0], arguments[1])
            let common = try arithmetic(.bitwiseAnd, arguments[0], arguments[1])
            return BoundExpression(form: .infix(.subtract, union, common), type: union.type)
        case ("castObject:toType:", 2):
            return try cast(arguments[0], to: arguments[1])
        default:
            throw StoreError(.inexpressible, "SQL has no function \(name): \(expression)")
        }
    }

    // MARK: Arithmetic

    private func arithmetic(
        _ function: ArithmeticOperator,
        _ first: ExpressionNode,
        _ second: ExpressionNode
    ) throws(StoreError) -> BoundExpression {
        var (left, right) = (try scalar(first), try scalar(second))
        try scope.requireNumbers([left, right], in: expression)
        if function == .divide { try scope.requireKnownDivision([left, right], in: expression) }
        let types = [left.type, right.type]
        let isFractional = types.contains(where: \.isFractional)
        // Whole decimals and dates are stored as integers, whose quotient would lose its fraction.
        if function == .divide, isFractional {
            left = BoundExpression(form: .cast(left, to: .double), type: left.type)
        }
        let dates = types.count { $0 == .attribute(.date) }
        // A constant may have a fraction though the column beside it has none.
        let yieldsFraction = isFractional || left.typeOfValue.isFractional || right.typeOfValue.isFractional
        let type: BoundType =
            switch (yieldsFraction, dates) {
            case (true, 1): .attribute(.date)
            case (true, _): .attribute(.double)
            case (false, _): left.isConstant ? right.type : left.type
            }
        return BoundExpression(form: .infix(function, left, right), type: type)
    }

    /// Binds `CAST(x, "NSDate")`: dates and numbers are stored alike, so only texts are converted.
    private func cast(
        _ operand: ExpressionNode,
        to type: ExpressionNode
    ) throws(StoreError) -> BoundExpression {
        guard case .constant(.value(.string(let name))) = type else { throw .inexpressible(expression) }
        var value = try scalar(operand)
        let isText = value.type.isText
        switch name {
        case "NSDate", "NSNumber", "NSDecimalNumber":
            if isText { value = BoundExpression(form: .cast(value, to: .double), type: value.type) }
            let types: [String: AttributeType] = ["NSDate": .date, "NSDecimalNumber": .decimal]
            value.type = .attribute(types[name] ?? .double)
        case "NSString":
            if !isText { value = BoundExpression(form: .cast(value, to: .text), type: value.type) }
            value.type = .attribute(.string)
        default:
            throw StoreError(.inexpressible, "SQL cannot cast to \(name): \(expression)")
        }
        return value
    }

    // MARK: Aggregates

    private func aggregate(
        _ function: AggregateFunction,
        _ arguments: [ExpressionNode]
    ) throws(StoreError) -> BoundExpression {
        guard let first = arguments.first else { throw .inexpressible(expression) }
        if arguments.count > 1 { return try foldList(function, arguments) }
        if case .aggregate(let elements) = first { return try foldList(function, elements) }
        if case .function(nil, "distinct:", let inner) = first, inner.count == 1 {
            guard var end = try scope.paths.end(of: inner[0], isOnce: true) else {
                throw .inexpressible(expression)
            }
            end.isDistinct = true
            return try fold(function, end)
        }
        if let end = try scope.paths.end(of: first, isOnce: true) { return try fold(function, end) }
        return try fold(function, PathEnd(value: try scalar(first)))
    }

    private func fold(_ function: AggregateFunction, _ end: PathEnd) throws(StoreError) -> BoundExpression {
        guard end.collection != nil || scope.allowsAggregates else {
            throw StoreError(
                .unsupported,
                "\(expression) needs a to-many key path here: only dictionary results aggregate rows"
            )
        }
        if function.needsNumbers { try scope.requireNumbers([end.value], in: expression) }
        return try end.folded(by: function, describing: ["\(expression)"])
    }

    /// Binds `max({a, b})` and other aggregates over values of one row.
    private func foldList(
        _ function: AggregateFunction,
        _ elements: [ExpressionNode]
    ) throws(StoreError) -> BoundExpression {
        var values: [BoundExpression] = []
        for element in elements { values.append(try scalar(element)) }
        guard let first = values.first else { throw .inexpressible(expression) }
        if function.needsNumbers { try scope.requireNumbers(values, in: expression) }
        try scope.requireOneKind(values, in: expression)
        let list = ListFold(values)
        switch function {
        case .median, .mode, .deviation: throw .inexpressible(expression)
        case .count: return .value(.integer(Int64(values.count)), .attribute(.integer64))
        case .sum: return list.sum
        case .average: return list.average
        // With one argument, SQLite's MIN and MAX are aggregate functions.
        case .minimum: return values.count == 1 ? first : list.extreme(.least)
        case .maximum: return values.count == 1 ? first : list.extreme(.greatest)
        }
    }

    private func scalar(
        _ expression: ExpressionNode,
        as type: BoundType = .unknown
    ) throws(StoreError) -> BoundExpression {
        try scope.expressions.scalar(expression, as: type)
    }
}

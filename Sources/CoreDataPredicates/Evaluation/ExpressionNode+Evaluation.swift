import CoreDataValues

extension ExpressionNode {
    func compiled() throws(EvaluationError) -> CompiledExpression {
        switch self {
        case .constant(let value): return { _ throws(EvaluationError) in value }
        case .evaluatedObject: return { scope throws(EvaluationError) in scope.object }
        case .variable(let name):
            return { scope throws(EvaluationError) in
                guard let value = scope.variables[name] else { throw .noValue(variable: name) }
                return value
            }
        case .keyPath(let operand, let keys): return try Self.path(keys, of: operand)
        case .function(let operand, let name, let arguments):
            guard let operand else { return try Self.call(name, arguments) }
            let (receiver, compiled) = (try operand.compiled(), try Self.compiled(arguments))
            return { scope throws(EvaluationError) in
                try ReceiverMethods.call(name, on: receiver(scope), compiled.values(in: scope))
            }
        case .aggregate(let elements):
            if let values = constantElements {
                let list = ExpressionValue.collection(values, isOrdered: true)
                return { _ throws(EvaluationError) in list }
            }
            let compiled = try Self.compiled(elements)
            return { scope throws(EvaluationError) in
                .collection(try compiled.values(in: scope), isOrdered: true)
            }
        case .subquery(let collection, let variable, let predicate):
            return try Self.subquery(collection, variable, predicate)
        case .unionSet(let left, let right): return try Self.set("UNION", left, right) { $0.union($1) }
        case .intersectSet(let left, let right):
            return try Self.set("INTERSECT", left, right) { $0.intersection($1) }
        case .minusSet(let left, let right):
            return try Self.set("MINUS", left, right) { $0.subtracting($1) }
        case .conditional(let predicate, let first, let second):
            let condition = try predicate.compiled()
            let (first, second) = (try first.compiled(), try second.compiled())
            return { scope throws(EvaluationError) in
                try condition(scope) ? try first(scope) : try second(scope)
            }
        case .fetch(let request, let context, let isCountOnly):
            let (request, context) = (try request.compiled(), try context.compiled())
            return { scope throws(EvaluationError) in
                try Self.fetch(request(scope), context(scope), isCountOnly: isCountOnly)
            }
        case .anyKey: throw .unsupportedFunction("ANYKEY")
        case .block(let block, let arguments):
            let compiled = try Self.compiled(arguments)
            return { scope throws(EvaluationError) in
                let values = try compiled.values(in: scope).map(\.unboxed)
                return ExpressionValue(boxing: block.evaluate(scope.object.unboxed, values))
            }
        }
    }

    static func compiled(
        _ expressions: [ExpressionNode]
    ) throws(EvaluationError) -> [CompiledExpression] {
        var compiled: [CompiledExpression] = []
        for expression in expressions { compiled.append(try expression.compiled()) }
        return compiled
    }

    private static func path(
        _ keys: [String],
        of operand: ExpressionNode
    ) throws(EvaluationError) -> CompiledExpression {
        if case .evaluatedObject = operand, keys.count == 1, !keys[0].hasPrefix("@") {
            let key = keys[0]
            return { scope throws(EvaluationError) in
                if case .object(let object) = scope.object { return try object.expressionValue(forKey: key) }
                return try scope.object.value(at: [key])
            }
        }
        let root = try operand.compiled()
        if keys == ["@count"], let (key, condition) = operand.conditionOnMembers {
            return { scope throws(EvaluationError) in
                if case .object(let object) = scope.object,
                    let count = object.memberCount(forKey: key, meeting: condition, upTo: .max)
                {
                    return .value(.integer(Int64(count)))
                }
                return try root(scope).value(at: keys[...])
            }
        }
        return { scope throws(EvaluationError) in try root(scope).value(at: keys[...]) }
    }

    /// The relationship that a subquery filters, and the condition on its members; nil for any other
    /// expression.
    private var conditionOnMembers: (key: String, condition: BareCondition)? {
        guard case .subquery(let members, let variable, let predicate) = self,
            let keys = members.propertyNames, keys.count == 1, let own = predicate.asking(onlyAbout: variable)
        else { return nil }
        return BareCondition(own).map { (keys[0], $0) }
    }

    private static func fetch(
        _ request: ExpressionValue,
        _ context: ExpressionValue,
        isCountOnly: Bool
    ) throws(EvaluationError) -> ExpressionValue {
        guard let source = request.unboxed as? any FetchEvaluating else {
            throw .failedFetch("FETCH needs a fetch request, not \(request.summary)")
        }
        do {
            return try source.fetchedValue(in: context.unboxed, isCountOnly: isCountOnly)
        } catch {
            throw .failedFetch("\(error)")
        }
    }

    private static func subquery(
        _ collection: ExpressionNode,
        _ variable: String,
        _ predicate: PredicateNode
    ) throws(EvaluationError) -> CompiledExpression {
        let collection = try collection.compiled()
        // A predicate that depends only on the element is evaluated with the element as the object.
        if let own = predicate.asking(onlyAbout: variable) {
            let evaluator = try NodeEvaluator(own)
            return { scope throws(EvaluationError) in
                try Self.filter(try collection(scope)) { element throws(EvaluationError) in
                    if case .object(let object) = element { return try evaluator.matches(object) }
                    return try evaluator.matches(element)
                }
            }
        }
        let condition = try predicate.compiled()
        return { scope throws(EvaluationError) in
            var inner = scope
            return try Self.filter(try collection(scope)) { element throws(EvaluationError) in
                inner.variables[variable] = element
                return try condition(inner)
            }
        }
    }

    /// Returns the elements that match; none for null.
    private static func filter(
        _ collection: ExpressionValue, _ matches: (ExpressionValue) throws(EvaluationError) -> Bool
    ) throws(EvaluationError) -> ExpressionValue {
        if collection.isNull { return .collection([], isOrdered: true) }
        guard case .collection(let elements, let isOrdered) = collection else {
            throw .notACollection(collection.summary, operator: "SUBQUERY")
        }
        var found: [ExpressionValue] = []
        for element in elements where try matches(element) { found.append(element) }
        return .collection(found, isOrdered: isOrdered)
    }

    private static func set(
        _ name: String,
        _ left: ExpressionNode,
        _ right: ExpressionNode,
        _ combine: @escaping @Sendable (Set<ExpressionValue>, Set<ExpressionValue>) -> Set<ExpressionValue>
    ) throws(EvaluationError) -> CompiledExpression {
        let (left, right) = (try left.compiled(), try right.compiled())
        return { scope throws(EvaluationError) in
            let first = try left(scope).elements(for: name)
            let second = try right(scope).elements(for: name)
            return .collection(Array(combine(Set(first), Set(second))), isOrdered: false)
        }
    }
}

extension [CompiledExpression] {
    func values(in scope: EvaluationScope) throws(EvaluationError) -> [ExpressionValue] {
        var values: [ExpressionValue] = []
        values.reserveCapacity(count)
        for expression in self { values.append(try expression(scope)) }
        return values
    }
}

extension ExpressionValue {
    /// Returns the elements of a collection; none for null.
    func elements(for name: String) throws(EvaluationError) -> [ExpressionValue] {
        switch self {
        case .collection(let elements, _): return elements
        case .value(.null): return []
        default: throw .notACollection(summary, operator: name)
        }
    }
}

import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues

/// The binding of expressions that are paths from an object.
struct PathBinder {
    let scope: BindingScope

    /// Returns the end of a path; nil for any other expression.
    ///
    /// - Parameters:
    ///   - expression: The expression.
    ///   - isOnce: Whether rows will be counted or added up, so that each object must occur once.
    func end(of expression: ExpressionNode, isOnce: Bool = false) throws(StoreError) -> PathEnd? {
        switch expression {
        case .evaluatedObject:
            return PathEnd(at: scope.root)
        case .variable(let name):
            if let point = scope.variables[name] { return PathEnd(at: point) }
            if let cell = scope.cells[name] { return PathEnd(value: cell.value) }
            throw StoreError(.unsupported, "no value for the variable $\(name)")
        case .keyPath(let operand, let keys):
            return try end(of: operand, keys, expression, isOnce: isOnce)
        case .function(nil, "objectFrom:withIndex:", let arguments) where arguments.count == 2:
            return try element(of: arguments[0], at: arguments[1], expression)
        case .subquery(let collection, let variable, let predicate):
            guard let end = try end(of: collection, isOnce: true), let point = end.point,
                let select = end.collection
            else { throw .inexpressible(expression) }
            select.add(try scope.binding(variable, to: point).predicates.bind(predicate))
            return end
        case .function(nil, "castObject:toType:", let arguments):
            return try castObject(arguments)
        default:
            return nil
        }
    }

    private func end(
        of operand: ExpressionNode,
        _ keys: [String],
        _ expression: ExpressionNode,
        isOnce: Bool
    ) throws(StoreError) -> PathEnd? {
        if operand == .evaluatedObject, keys.count == 1, let cell = scope.cells[keys[0]],
            scope.schema.model[scope.root.entity].slot(named: keys[0]) == nil
        {
            return PathEnd(value: cell.value)
        }
        guard let start = try end(of: operand) else { return nil }
        guard let point = start.point else { throw .inexpressible(expression) }
        let end = try KeyPathWalker(scope: scope, path: keys).walk(keys[...], from: point, isOnce: isOnce)
        guard let element = start.element else { return end }
        guard end.collection == nil else { throw .inexpressible(expression) }
        return PathEnd(value: element.value(end.value), point: end.point, element: element)
    }

    /// Binds `tasks[SIZE]` of any to-many relationship, and `[FIRST]`, `[LAST]` and `[n]` of an ordered one.
    private func element(
        of collection: ExpressionNode,
        at index: ExpressionNode,
        _ expression: ExpressionNode
    ) throws(StoreError) -> PathEnd? {
        let symbol = FunctionName.symbolicIndex(index)
        guard let end = try end(of: collection, isOnce: symbol == "SIZE") else { return nil }
        guard let select = end.collection, var point = end.point else { throw .inexpressible(expression) }
        if symbol == "SIZE" {
            return PathEnd(value: try end.folded(by: .count, describing: ["\(expression)"]))
        }
        guard let order = point.order, order.alias == select.source.alias else {
            throw .inexpressible(expression)
        }
        let offset: Int
        switch (symbol, index) {
        case (nil, .constant(.value(.integer(let number)))) where number >= 0: offset = Int(number)
        case (nil, _): throw .inexpressible(expression)
        default: offset = 0
        }
        let element = PathElement(
            select: select,
            choice: ElementChoice(order: order, isFromEnd: symbol == "LAST", offset: offset))
        let key = BoundExpression.column(point.key, .reference(point.entity))
        point.isMember = false
        return PathEnd(value: element.value(key), point: point, element: element)
    }

    // MARK: Casts

    /// Binds `CAST(SELF, "Manager")`: the object with the properties of a subentity, or null if it is of
    /// another entity.
    ///
    /// Returns nil for casts of values.
    private func castObject(_ arguments: [ExpressionNode]) throws(StoreError) -> PathEnd? {
        guard arguments.count == 2, case .constant(.value(.string(let name))) = arguments[1],
            let entity = scope.schema.model.entity(named: name), let end = try end(of: arguments[0]),
            let point = end.point
        else { return nil }
        var result = PathEnd(at: try cast(point, to: entity))
        if let element = end.element {
            result.value = element.value(result.value)
            result.element = element
        }
        return result
    }

    private func cast(_ point: PathPoint, to entity: CompiledEntity) throws(StoreError) -> PathPoint {
        let schema = scope.schema
        var result = point
        result.entity = entity.index
        // A cast to a superentity changes nothing.
        if entity.includes(point.entity) { return result }
        guard entity.root == schema.model[point.entity].root else {
            throw StoreError(
                .unsupported, "CAST: no \(schema.model[point.entity].name) is ever of entity \(entity.name)")
        }
        let alias = point.select.join(
            point.isMember ? .inner : .leftOuter, .named(try schema.table(of: entity.index).tableName),
            by: NameMangling.key, equalTo: point.key,
            entities: entity.family.compactMap { schema[$0]?.number })
        result.key = BoundColumn(alias: alias, name: NameMangling.key)
        (result.row, result.entityColumn, result.isPartial) = (alias, nil, !point.isMember)
        return result
    }
}

extension ExpressionNode {
    /// The last key of a key path, and the expression that leads to its owner; nil for any other expression.
    var lastStep: (owner: ExpressionNode, key: String)? {
        guard case .keyPath(let operand, let keys) = self, let key = keys.last else { return nil }
        return (keys.count == 1 ? operand : .keyPath(operand: operand, keys: Array(keys.dropLast())), key)
    }
}

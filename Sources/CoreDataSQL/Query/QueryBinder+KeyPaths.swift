import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues

extension QueryBinder {
    /// Returns the end of an expression that is a path from an object; nil for any other expression.
    ///
    /// - Parameter isOnce: Whether rows will be counted or added up, so that each object must occur once.
    mutating func path(_ expression: ExpressionNode, isOnce: Bool = false) throws(StoreError) -> PathEnd? {
        switch expression {
        case .evaluatedObject:
            return end(at: root, collection: nil)
        case .variable(let name):
            if let point = variables[name] { return end(at: point, collection: nil) }
            if let cell = cells[name] { return PathEnd(value: cell) }
            throw StoreError(.unsupported, "no value for the variable $\(name)")
        case .keyPath(let operand, let keys):
            if operand == .evaluatedObject, keys.count == 1, let cell = cells[keys[0]],
                entity.slot(named: keys[0]) == nil
            {
                return PathEnd(value: cell)
            }
            guard let start = try path(operand) else { return nil }
            guard let point = start.point else { throw inexpressible(expression) }
            let end = try walk(
                keys[...], from: point, collection: start.collection, of: keys, isOnce: isOnce)
            guard let element = start.element else { return end }
            guard end.collection == nil else { throw inexpressible(expression) }
            return PathEnd(value: element.value(end.value), point: end.point, element: element)
        case .function(nil, "objectFrom:withIndex:", let arguments) where arguments.count == 2:
            return try element(of: arguments[0], at: arguments[1], expression)
        case .subquery(let collection, let variable, let predicate):
            guard let end = try path(collection, isOnce: true), let point = end.point,
                let scope = end.collection
            else { throw inexpressible(expression) }
            let outer = variables
            variables[variable] = point
            scope.add(try bind(predicate))
            variables = outer
            return end
        case .function(nil, "castObject:toType:", let arguments):
            return try castObject(arguments)
        default:
            return nil
        }
    }

    /// Binds `tasks[SIZE]` of any to-many relationship, and `[FIRST]`, `[LAST]` and `[n]` of an ordered one.
    private mutating func element(
        of collection: ExpressionNode,
        at index: ExpressionNode,
        _ expression: ExpressionNode
    ) throws(StoreError) -> PathEnd? {
        let symbol = FunctionName.symbolicIndex(index)
        guard let end = try path(collection, isOnce: symbol == "SIZE") else { return nil }
        guard let scope = end.collection, let point = end.point else { throw inexpressible(expression) }
        if symbol == "SIZE" { return PathEnd(value: try fold(.count, end, describing: ["\(expression)"])) }
        guard let order = point.order, order.alias == scope.source.alias else {
            throw inexpressible(expression)
        }
        let offset: Int
        switch (symbol, index) {
        case (nil, .constant(.value(.integer(let number)))) where number >= 0: offset = Int(number)
        case (nil, _): throw inexpressible(expression)
        default: offset = 0
        }
        let element = PathElement(
            scope: scope,
            choice: ElementChoice(order: order, isFromEnd: symbol == "LAST", offset: offset))
        let key = BoundExpression.column(point.key, .reference(point.entity))
        return PathEnd(value: element.value(key), point: point, element: element)
    }

    func end(at point: PathPoint, collection: QueryScope?) -> PathEnd {
        let key = BoundExpression.column(point.key, .reference(point.entity), isNullable: point.isNullable)
        return PathEnd(value: key, point: point, collection: collection)
    }

    mutating func walk(
        _ keys: ArraySlice<String>,
        from start: PathPoint,
        collection: QueryScope?,
        of path: [String],
        isOnce: Bool = false
    ) throws(StoreError) -> PathEnd {
        var point = start
        var collection = collection
        var rest = keys
        while let key = rest.popFirst() {
            if key.hasPrefix("@") {
                return try apply(key, to: rest, from: point, collection: collection, of: path)
            }
            let entity = schema.model[point.entity]
            guard let slot = entity.slot(named: key) else {
                if let end = try special(key, rest, at: point, collection: collection) {
                    guard let end = end else { continue }
                    return end
                }
                throw unknownKey(path, from: start)
            }
            if slot.isTransient, slot.relationship != nil || slot.attribute != nil {
                throw StoreError(
                    .unsupported,
                    "keypath \(path.joined(separator: ".")) leads to the transient property "
                        + "\(entity.name).\(slot.name): the store has no values for it")
            }
            switch slot.kind {
            case .attribute(let attribute) where rest == ["@count"] && collection != nil:
                // The count is that of the objects that have a value.
                let values = PathEnd(value: try value(of: slot, attribute, at: point), collection: collection)
                return PathEnd(value: try fold(.count, values, describing: path))
            case .attribute(let attribute):
                guard let leaf = attribute.element(at: rest) else { throw unknownKey(path, from: start) }
                if isOnce { try meetOnce(&point, &collection) }
                let value =
                    attribute.type == .composite
                    ? try element(Array(rest), leaf, of: slot, at: point)
                    : try value(of: slot, attribute, at: point)
                return PathEnd(value: value, collection: collection)
            case .relationship(let relationship) where relationship.isToMany:
                point = try enter(slot, relationship, from: point, collection: &collection)
            case .relationship(let relationship):
                point = try follow(slot, relationship, from: point)
                point.mayRepeat = collection != nil
            case .fetchedProperty:
                throw StoreError(
                    .unsupported,
                    "keypath \(path.joined(separator: ".")) goes through the fetched property \(slot.name)")
            }
        }
        if isOnce { try meetOnce(&point, &collection) }
        return end(at: point, collection: collection)
    }

    /// Binds `self`, `objectID` and `entity`; returns nil for another key, and `.some(nil)` where the path
    /// just continues.
    private mutating func special(
        _ key: String,
        _ rest: ArraySlice<String>,
        at point: PathPoint,
        collection: QueryScope?
    ) throws(StoreError) -> PathEnd?? {
        switch key {
        case "self", "SELF": return .some(nil)
        case "objectID" where rest.isEmpty: return end(at: point, collection: collection)
        case "entity" where rest.isEmpty || rest == ["name"]:
            let column: BoundColumn
            if point.row == nil, let name = point.entityColumn {
                column = BoundColumn(alias: point.key.alias, name: name)
            } else {
                column = BoundColumn(alias: try row(of: point), name: NameMangling.entity)
            }
            let value = BoundExpression.column(column, .entity, isNullable: point.isNullable)
            return PathEnd(value: value, collection: collection)
        default: return nil
        }
    }

    private func unknownKey(_ path: [String], from start: PathPoint) -> StoreError {
        let name = schema.model[start.entity].name
        return StoreError(
            .unsupported, "keypath \(path.joined(separator: ".")) not found in entity \(name)")
    }
}

package import CoreDataModelFormat
import CoreDataPredicates
package import CoreDataStore
import CoreDataValues

/// A check of a query's key paths against the model before anything is evaluated. A path that does not exist
/// is an error that names it. A path to a property that rows do not have, only objects, is noted.
package struct KeyPathSurvey {
    let model: CompiledModel
    private let entity: CompiledEntity
    /// The names that may be used besides keys: the columns of a dictionary.
    var columns: Set<String> = []
    /// Whether the query needs objects, for closures, methods, transient attributes or transformable
    /// attributes.
    private(set) var needsObjects = false
    /// Whether operators may aggregate the rows of the query.
    private var allowsAggregates = false
    private var variables: [String: Point] = [:]

    /// The end of a path: objects of an entity.
    struct Point {
        var entity: EntityIndex
        var isToMany = false
    }

    init(_ entity: EntityIndex, in model: CompiledModel) {
        self.model = model
        self.entity = model[entity]
    }

    /// Returns whether a query needs objects. Throws if one of its key paths does not exist.
    @discardableResult
    package static func needsObjects(_ query: FetchQuery, in model: CompiledModel) throws(StoreError) -> Bool
    {
        var survey = KeyPathSurvey(query.entity, in: model)
        if let predicate = query.predicate { try survey.follow(predicate) }
        if let shape = query.shape.dictionary {
            survey.allowsAggregates = true
            try survey.follow(shape.columns.map(\.expression) + shape.groupBy)
            survey.columns = Set(shape.columns.map(\.name))
            if let having = shape.having { try survey.follow(having) }
            survey.allowsAggregates = false
        }
        for key in query.sort {
            try survey.follow(.keyPath(operand: .evaluatedObject, keys: key.keys))
        }
        return survey.needsObjects
    }

    mutating func follow(_ predicate: PredicateNode) throws(StoreError) {
        switch predicate {
        case .constant: break
        case .block: needsObjects = true
        case .comparison(let comparison):
            try follow([comparison.left, comparison.right])
            if comparison.isFullTextSearch {
                try checkSearch(comparison)
            } else if comparison.operator == .customSelector {
                // The comparison calls a method of the app's objects.
                needsObjects = true
            }
        case .compound(_, let operands):
            for operand in operands { try follow(operand) }
        }
    }

    mutating func follow(_ expressions: [ExpressionNode]) throws(StoreError) {
        for expression in expressions { _ = try follow(expression) }
    }

    /// Checks an expression. Returns the entity of the objects that are its value; nil if its value is not
    /// objects.
    @discardableResult
    mutating func follow(_ expression: ExpressionNode) throws(StoreError) -> Point? {
        switch expression {
        case .constant, .anyKey: return nil
        case .evaluatedObject: return Point(entity: entity.index)
        case .variable(let name): return variables[name]
        case .keyPath(let operand, let keys):
            if operand == .evaluatedObject, keys.count == 1, columns.contains(keys[0]) { return nil }
            guard let start = try follow(operand) else { return nil }
            return try follow(keys, from: start)
        case .function(nil, "castObject:toType:", let arguments) where arguments.count == 2:
            try follow(arguments)
            guard case .constant(.value(.string(let name))) = arguments[1] else { return nil }
            return model.entity(named: name).map { Point(entity: $0.index) }
        case .function(nil, "objectFrom:withIndex:", let arguments) where arguments.count == 2:
            try follow(arguments[1])
            return try follow(arguments[0]).map { Point(entity: $0.entity) }
        case .function(let operand, _, let arguments):
            if let operand {
                needsObjects = true
                try follow(operand)
            }
            try follow(arguments)
            return nil
        case .aggregate(let elements):
            try follow(elements)
            return nil
        case .subquery(let collection, let variable, let predicate):
            let point = try follow(collection)
            let outer = variables
            variables[variable] = point.map { Point(entity: $0.entity) }
            try follow(predicate)
            variables = outer
            return point.map { Point(entity: $0.entity, isToMany: true) }
        case .unionSet(let left, let right), .intersectSet(let left, let right),
            .minusSet(let left, let right):
            try follow(right)
            return try follow(left).map { Point(entity: $0.entity, isToMany: true) }
        case .conditional(let predicate, let first, let second):
            try follow(predicate)
            try follow(second)
            return try follow(first)
        case .fetch(let request, let context, _):
            try follow([request, context])
            return nil
        case .block(_, let arguments):
            needsObjects = true
            try follow(arguments)
            return nil
        }
    }

    mutating func follow(_ keys: [String], from start: Point) throws(StoreError) -> Point? {
        try follow(keys, from: start, of: keys)
    }

    /// - Parameters:
    ///   - keys: The keys to follow.
    ///   - start: The objects that have the first key.
    ///   - path: The whole path, for errors.
    private mutating func follow(
        _ keys: [String], from start: Point, of path: [String]
    ) throws(StoreError) -> Point? {
        var point = start
        for (index, key) in keys.enumerated() {
            let rest = keys[(index + 1)...]
            if key == "self" || key == "SELF" { continue }
            if key.hasPrefix("@") {
                if try !isFold(key, of: point, in: path) { continue }
                let end = try follow(Array(rest), from: point, of: path)
                // `@count` counts objects, whatever keys follow it.
                if key == "@count" || end == nil { return nil }
                throw .objectsHaveNo(key, in: path)
            }
            guard let slot = model[point.entity].slot(named: key) else {
                if key == "objectID" || key == "entity" { return nil }
                throw unknownKey(path, from: start)
            }
            if slot.isTransient { needsObjects = true }
            switch slot.kind {
            case .attribute(let attribute):
                if attribute.type == .transformable { needsObjects = true }
                if rest == ["@count"], point.isToMany { return nil }
                // One more key, such as `@sum`, may follow a key path whose values a union operator collects.
                let isCollected = keys[..<index].contains(where: KeyPathOperators.unions.contains)
                if rest.count == 1, isCollected { return nil }
                let isText = attribute.type == .string || attribute.type == .date
                if let next = rest.first, isText ? next.hasPrefix("@") : !needsObjects,
                    attribute.type != .composite
                {
                    throw unknownKey(path, from: start)
                }
                return nil
            case .relationship(let relationship):
                point = Point(
                    entity: relationship.destination, isToMany: point.isToMany || relationship.isToMany)
            case .fetchedProperty:
                needsObjects = true
                return nil
            }
        }
        return point
    }

    /// Returns whether a name is an operator that aggregates many values into one. Throws if the operator is
    /// not allowed in this place. A name that is not an operator may be a key of the objects.
    private func isFold(
        _ name: String, of point: Point, in path: [String]
    ) throws(StoreError) -> Bool {
        let isFold = KeyPathOperators.folds[name] != nil
        guard isFold || KeyPathOperators.unions.contains(name) else { return false }
        guard point.isToMany || isFold && allowsAggregates else {
            throw .operatorNeedsToMany(name, in: path)
        }
        return isFold
    }

    private func unknownKey(_ path: [String], from start: Point) -> StoreError {
        StoreError(
            .unsupported,
            "keypath \(path.joined(separator: ".")) not found in entity \(model[start.entity].name)")
    }
}

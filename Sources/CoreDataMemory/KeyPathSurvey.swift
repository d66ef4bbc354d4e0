package import CoreDataModelFormat
import CoreDataPredicates
package import CoreDataStore
import CoreDataValues

/// Follows the key paths of a query through the model before anything is evaluated: those that lead nowhere are errors
/// that name them, and some lead to what only objects have.
package struct KeyPathSurvey {
    let model: CompiledModel
    private let entity: CompiledEntity
    /// What names may stand for beside keys: the columns of a dictionary.
    var columns: Set<String> = []
    /// Whether rows are not enough: for closures, methods, transient and transformed values.
    private(set) var needsObjects = false
    private var variables: [String: EntityIndex] = [:]

    init(_ entity: EntityIndex, in model: CompiledModel) {
        self.model = model
        self.entity = model[entity]
    }

    /// Whether a query needs more than rows. Throws if one of its key paths leads nowhere.
    @discardableResult
    package static func needsObjects(_ query: FetchQuery, in model: CompiledModel) throws(StoreError) -> Bool
    {
        var survey = KeyPathSurvey(query.entity, in: model)
        if let predicate = query.predicate { try survey.follow(predicate) }
        if let shape = query.shape.dictionary {
            try survey.follow(shape.columns.map(\.expression) + shape.groupBy)
            survey.columns = Set(shape.columns.map(\.name))
            if let having = shape.having { try survey.follow(having) }
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
                // Methods that the app's own objects compare by.
                needsObjects = true
            }
        case .compound(_, let operands):
            for operand in operands { try follow(operand) }
        }
    }

    mutating func follow(_ expressions: [ExpressionNode]) throws(StoreError) {
        for expression in expressions { _ = try follow(expression) }
    }

    /// The entity of the objects that an expression yields; nil if it yields something else.
    @discardableResult
    mutating func follow(_ expression: ExpressionNode) throws(StoreError) -> EntityIndex? {
        switch expression {
        case .constant, .anyKey: return nil
        case .evaluatedObject: return entity.index
        case .variable(let name): return variables[name]
        case .keyPath(let operand, let keys):
            if operand == .evaluatedObject, keys.count == 1, columns.contains(keys[0]) { return nil }
            guard let start = try follow(operand) else { return nil }
            return try follow(keys, from: start)
        case .function(nil, "castObject:toType:", let arguments) where arguments.count == 2:
            try follow(arguments)
            guard case .constant(.value(.string(let name))) = arguments[1] else { return nil }
            return model.entity(named: name)?.index
        case .function(nil, "objectFrom:withIndex:", let arguments) where arguments.count == 2:
            try follow(arguments[1])
            return try follow(arguments[0])
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
            let place = try follow(collection)
            let outer = variables
            variables[variable] = place
            try follow(predicate)
            variables = outer
            return place
        case .unionSet(let left, let right), .intersectSet(let left, let right),
            .minusSet(let left, let right):
            try follow(right)
            return try follow(left)
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

    mutating func follow(_ keys: [String], from start: EntityIndex) throws(StoreError) -> EntityIndex? {
        var place = model[start]
        for (index, key) in keys.enumerated() {
            if key.hasPrefix("@") || key == "self" || key == "SELF" { continue }
            guard let slot = place.slot(named: key) else {
                if key == "objectID" || key == "entity" { return nil }
                throw StoreError(
                    .unsupported,
                    "keypath \(keys.joined(separator: ".")) not found in entity \(model[start].name)")
            }
            if slot.isTransient { needsObjects = true }
            switch slot.kind {
            case .attribute(let attribute):
                if attribute.type == .transformable { needsObjects = true }
                if index + 1 < keys.count, attribute.type == .string || attribute.type == .date { return nil }
                if keys[(index + 1)...] == ["@count"] { return nil }
                if index + 1 < keys.count, !needsObjects, attribute.type != .composite {
                    throw StoreError(
                        .unsupported,
                        "keypath \(keys.joined(separator: ".")) not found in entity \(model[start].name)")
                }
                return nil
            case .relationship(let relationship): place = model[relationship.destination]
            case .fetchedProperty:
                needsObjects = true
                return nil
            }
        }
        return place.index
    }
}

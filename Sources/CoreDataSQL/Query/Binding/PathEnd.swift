import CoreDataPredicates
import CoreDataStore
import CoreDataValues

/// The end of a key path.
struct PathEnd {
    var value: BoundExpression
    /// The object, if the path ends on one.
    var point: PathPoint?
    /// The rows passed on the way through a to-many; nil if there is just one value.
    var collection: SelectBuilder?
    var isDistinct = false
    /// The member of an ordered relationship that the path goes through; its value is that of a sub-select.
    var element: PathElement?
}

extension PathEnd {
    init(at point: PathPoint) {
        value = .column(point.key, .reference(point.entity), isNullable: point.isNullable)
        self.point = point
        collection = point.collection
    }

    /// Returns the value of a path that has just one.
    func single(in expression: ExpressionNode) throws(StoreError) -> BoundExpression {
        guard collection == nil else {
            throw StoreError(.unsupported, "to-many key not allowed here: \(expression)")
        }
        return value
    }

    /// Returns one value made of the values of the path: those of a sub-select, or of the statement's own
    /// rows.
    ///
    /// - Parameters:
    ///   - function: What makes one value of many.
    ///   - name: The function's name as written, for errors.
    ///   - path: The path as written, for errors.
    func folded(
        by function: AggregateFunction,
        named name: String? = nil,
        describing path: [String]
    ) throws(StoreError) -> BoundExpression {
        if point != nil, function != .count { throw .objectsHaveNo(name ?? "\(function)", in: path) }
        // Objects are rows, which count even where a value is null.
        let countsRows = point != nil && collection != nil && !isDistinct
        // Where values are only counted, their bytes do not matter.
        let counted = function == .count && !isDistinct ? value : value.contents
        let operand = countsRows ? nil : counted
        let type: BoundType =
            switch function {
            case .count: .attribute(.integer64)
            case .average, .median, .deviation: .attribute(.double)
            case .sum, .minimum, .maximum, .mode: counted.type
            }
        let form: BoundExpression.Form
        if let collection {
            form = .subselect(function, operand, isDistinct: isDistinct, collection.source)
        } else {
            form = .aggregate(function, operand, isDistinct: isDistinct)
        }
        return BoundExpression(form: form, type: type, isNullable: function != .count && function != .sum)
    }
}

/// One member of an ordered relationship, with the sub-select it is picked from.
struct PathElement {
    let select: SelectBuilder
    let choice: ElementChoice

    /// Returns a value that a path from the member leads to.
    func value(_ value: BoundExpression) -> BoundExpression {
        BoundExpression(form: .element(value, select.source, choice), type: value.type)
    }
}

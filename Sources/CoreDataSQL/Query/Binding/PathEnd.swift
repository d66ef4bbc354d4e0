import CoreDataPredicates
import CoreDataStore
import CoreDataValues

/// The end of a key path.
struct PathEnd {
    var value: BoundExpression
    /// The object, if the path ends on one.
    var point: PathPoint?
    /// The select of the rows that the to-many relationships on the path lead to; nil if there is just one
    /// value.
    var collection: SelectBuilder?
    var isDistinct = false
    /// The member of an ordered relationship that the path goes through. `value` is then a sub-select.
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
    ///   - function: The aggregate function.
    ///   - name: The function's name as written, for errors.
    ///   - path: The path as written, for errors.
    func folded(
        by function: AggregateFunction,
        named name: String? = nil,
        describing path: [String]
    ) throws(StoreError) -> BoundExpression {
        if point != nil, function != .count { throw .objectsHaveNo(name ?? "\(function)", in: path) }
        // COUNT(*) counts objects; COUNT of a column would leave out nulls.
        let countsRows = point != nil && collection != nil && !isDistinct
        // Counting needs no bytes of external files, unless equal values count once.
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

/// One member of an ordered relationship, with the sub-select that it is chosen from.
struct PathElement {
    let select: SelectBuilder
    let choice: ElementChoice

    /// Returns a value that a path from the member leads to.
    func value(_ value: BoundExpression) -> BoundExpression {
        BoundExpression(form: .element(value, select.source, choice), type: value.type)
    }
}

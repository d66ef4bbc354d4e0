import CoreDataPredicates
import CoreDataStore

/// One side of a comparison, resolved once: resolving a key path twice would join its tables twice.
enum QueryOperand {
    /// A path through a to-many relationship, or a sub-query.
    case collection(PathEnd)
    case value(BoundExpression)
    /// A constant, which is encoded once the other side's type is known.
    case constant(ExpressionValue)
    /// A constant that the query gets when it runs, by its number.
    case parameter(Int)
    case list([QueryOperand])
    /// The result of a nested query: one value per row.
    case query(BoundQuery, BoundExpression)

    /// The elements, where they are known without the database.
    var elements: [QueryOperand]? {
        switch self {
        case .list(let elements): elements
        case .constant(.collection(let values, isOrdered: _)): values.map(QueryOperand.constant)
        case .constant, .parameter, .value, .collection, .query: nil
        }
    }

    /// Whether this is a collection that is no path.
    var isList: Bool {
        if case .query = self { true } else { elements != nil }
    }

    var isNull: Bool {
        switch self {
        case .constant(let value): value == .null
        case .value(let expression): expression.isNull
        case .parameter, .collection, .list, .query: false
        }
    }

    var isConstant: Bool {
        switch self {
        case .constant, .parameter: true
        case .value, .collection, .list, .query: false
        }
    }

    var type: BoundType? {
        switch self {
        case .value(let expression): expression.type
        case .collection(let end): end.value.type
        case .query(_, let value): value.type
        case .constant, .parameter, .list: nil
        }
    }

    /// Returns the operand as one value, with constants as `type` stores them.
    ///
    /// - Parameters:
    ///   - type: The type of the column beside it.
    ///   - expression: The operand as written, for errors.
    ///   - encoder: The encoder of constants.
    func scalar(
        as type: BoundType,
        in expression: ExpressionNode,
        by encoder: ConstantEncoder
    ) throws(StoreError) -> BoundExpression {
        switch self {
        case .value(let value): return value
        case .constant(let value): return .value(try encoder.encode(value, as: type), type)
        case .parameter(let constant): return .parameter(constant, type)
        case .collection(let end): return try end.single(in: expression)
        case .list, .query: throw .inexpressible(expression)
        }
    }
}

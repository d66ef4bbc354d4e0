import CoreDataPredicates
import CoreDataStore
import CoreDataValues

/// A value of SQL with its type.
struct BoundExpression {
    var form: Form
    var type: BoundType
    /// Whether the value may be NULL. If not, comparisons need no test for NULL.
    var isNullable = true

    indirect enum Form {
        case column(BoundColumn)
        case value(SQLValue)
        /// A constant that the query gets when it runs, by its number. Never null.
        case parameter(Int)
        case infix(ArithmeticOperator, BoundExpression, BoundExpression)
        case call(ScalarFunction, [BoundExpression])
        case cast(BoundExpression, to: CastType)
        /// The operand, in a form that keeps the query planner from using an index on it.
        case withoutIndex(BoundExpression)
        case conditional(BoundCondition, BoundExpression, BoundExpression)
        /// An aggregate over the rows of the statement or its groups.
        case aggregate(AggregateFunction, BoundExpression?, isDistinct: Bool)
        /// The number of rows that a nested query finds.
        case rowCount(BoundQuery)
        /// The value of one row of a sub-select, counted from the first or the last.
        case element(BoundExpression, BoundSource, ElementChoice)
        /// An aggregate over the rows of a sub-select.
        case subselect(AggregateFunction, BoundExpression?, isDistinct: Bool, BoundSource)
    }

    static func column(_ column: BoundColumn, _ type: BoundType, isNullable: Bool = true) -> Self {
        Self(form: .column(column), type: type, isNullable: isNullable)
    }

    static func value(_ value: SQLValue, _ type: BoundType) -> Self {
        Self(form: .value(value), type: type, isNullable: value == .null)
    }

    static func parameter(_ constant: Int, _ type: BoundType) -> Self {
        Self(form: .parameter(constant), type: type, isNullable: false)
    }

    /// Returns the value, which one column can hold. Throws for a composite, which has several columns.
    ///
    /// - Parameter expression: The value as written, for errors.
    func inOneColumn(_ expression: ExpressionNode) throws(StoreError) -> BoundExpression {
        if type == .attribute(.composite) { throw .inexpressible(expression) }
        return self
    }

    var isNull: Bool {
        if case .value(.null) = form { true } else { false }
    }

    /// The string, if this is a constant string.
    var constantText: String? {
        if case .value(.text(let text)) = form { text } else { nil }
    }

    /// The type. That of a constant is its own if nothing beside it has a type, that of a number always.
    var typeOfValue: BoundType {
        switch form {
        case .value(.integer) where type == .unknown: .attribute(.integer64)
        case .value(.double) where !type.isFractional: .attribute(.double)
        case .value(.text) where type == .unknown: .attribute(.string)
        case .value(.blob) where type == .unknown: .attribute(.binary)
        default: type
        }
    }

    /// Whether the value may be made of several rows of the statement.
    var mayAggregate: Bool {
        switch form {
        case .aggregate, .conditional: true
        case .infix(_, let left, let right): left.mayAggregate || right.mayAggregate
        case .call(_, let arguments): arguments.contains(where: \.mayAggregate)
        case .cast(let operand, _), .withoutIndex(let operand): operand.mayAggregate
        case .column, .value, .parameter, .rowCount, .element, .subselect: false
        }
    }

    var isConstant: Bool {
        switch form {
        case .value, .parameter: true
        default: false
        }
    }
}

/// The choice of one member of an ordered relationship.
struct ElementChoice {
    let order: BoundColumn
    let isFromEnd: Bool
    let offset: Int
}

package enum ArithmeticOperator: SQLText, Sendable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case modulus = "%"
    case bitwiseAnd = "&"
    case bitwiseOr = "|"
    case shiftLeft = "<<"
    case shiftRight = ">>"
}

package enum AggregateFunction: Sendable {
    case count
    /// The sum; 0 over no rows.
    case sum
    case minimum, maximum, average, median, mode
    /// The standard deviation of a whole population.
    case deviation
}

/// A function of one row, spelled by the dialect.
package enum ScalarFunction: Sendable, Equatable {
    case absolute, squareRoot, logarithm, naturalLogarithm, exponential, power
    case ceiling, floor, truncate, random, now, onesComplement
    case lowercase, uppercase, canonical, length
    /// A text without the differences that the options in the second argument ignore.
    case folded
    /// The bytes that a column has or, if it names an external file, those of the file.
    case contents
    /// The least or greatest of several values of one row.
    case least, greatest
    case coalesce
}

package enum CastType: Sendable, Equatable {
    case text, integer, double
}

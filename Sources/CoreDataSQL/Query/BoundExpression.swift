import CoreDataValues

/// A value of SQL with its type.
struct BoundExpression {
    var form: Form
    var type: BoundType
    /// False where NULL cannot occur, so that no comparison needs to care.
    var isNullable = true

    indirect enum Form {
        case column(BoundColumn)
        case value(SQLValue)
        /// A constant that the query is to be given, by its place among those. Never null.
        case parameter(Int)
        case infix(ArithmeticOperator, BoundExpression, BoundExpression)
        case call(ScalarFunction, [BoundExpression])
        case cast(BoundExpression, to: CastType)
        /// Keeps the planner from using an index on the operand.
        case withoutIndex(BoundExpression)
        case conditional(BoundCondition, BoundExpression, BoundExpression)
        /// Over the rows of the statement or its groups.
        case aggregate(AggregateFunction, BoundExpression?, isDistinct: Bool)
        /// How many rows a nested query finds.
        case rowCount(BoundQuery)
        /// The value of one of the rows of a sub-select, counted from the first or the last.
        case element(BoundExpression, BoundSource, ElementChoice)
        /// Over the rows of a sub-select.
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

    var isNull: Bool {
        if case .value(.null) = form { true } else { false }
    }

    var isConstant: Bool {
        switch form {
        case .value, .parameter: true
        default: false
        }
    }
}

/// Which member of an ordered relationship is meant.
struct ElementChoice {
    let order: BoundColumn
    let isFromEnd: Bool
    let offset: Int
}

enum ArithmeticOperator: SQLText {
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
    /// 0 over no rows.
    case sum
    case minimum, maximum, average, median, mode
    /// Of a whole population.
    case deviation
}

/// Functions of one row, spelled by the dialect.
package enum ScalarFunction: Sendable, Hashable {
    case absolute, squareRoot, logarithm, naturalLogarithm, exponential, power
    case ceiling, floor, truncate, random, now, onesComplement
    case lowercase, uppercase, canonical, length
    /// A text without what the options behind it ignore.
    case folded
    /// The bytes of a column that has them, or the name of a file with them.
    case contents
    /// Over several values of one row.
    case least, greatest
    case coalesce
}

package enum CastType: Sendable, Hashable {
    case text, integer, double
}

import CoreDataValues

/// Several values of one row folded into one.
///
/// Nulls are ignored, as aggregate functions ignore them, while SQL's operators yield null for any null
/// operand.
struct ListFold {
    private let values: [BoundExpression]
    private let type: BoundType

    init(_ values: [BoundExpression]) {
        self.values = values
        type = values.first { !$0.isConstant }?.type ?? .unknown
    }

    var sum: BoundExpression { total(of: values.map { coalesce([$0, Self.number(0)]) }) }

    /// The average; 0 if all values are null.
    var average: BoundExpression {
        let count = total(
            of: values.map { value in
                guard value.isNullable else { return Self.number(1) }
                return BoundExpression(
                    form: .conditional(.isNull(value), Self.number(0), Self.number(1)),
                    type: .attribute(.integer64), isNullable: false)
            })
        let whole = BoundExpression(form: .cast(sum, to: .double), type: .attribute(.double))
        let mean = BoundExpression(form: .infix(.divide, whole, count), type: .attribute(.double))
        return coalesce([mean, Self.number(0)])
    }

    /// Returns the least or greatest value.
    ///
    /// Replaces each null by another of the values, which does not change the result.
    func extreme(_ function: ScalarFunction) -> BoundExpression {
        let certain = values.first { !$0.isNullable }
        let operands = values.indices.map { index in
            coalesce([values[index]] + (certain.map { [$0] } ?? values[..<index] + values[(index + 1)...]))
        }
        return BoundExpression(form: .call(function, operands), type: type, isNullable: certain == nil)
    }

    // MARK: Parts

    private func total(of values: [BoundExpression]) -> BoundExpression {
        values.dropFirst().reduce(values[0]) {
            BoundExpression(
                form: .infix(.add, $0, $1), type: type, isNullable: $0.isNullable || $1.isNullable)
        }
    }

    private func coalesce(_ values: [BoundExpression]) -> BoundExpression {
        guard values[0].isNullable else { return values[0] }
        return BoundExpression(
            form: .call(.coalesce, values), type: values[0].type,
            isNullable: !values.contains { !$0.isNullable })
    }

    private static func number(_ value: Int64) -> BoundExpression {
        .value(.integer(value), .attribute(.integer64))
    }
}

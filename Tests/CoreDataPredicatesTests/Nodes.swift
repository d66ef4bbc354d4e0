import CoreDataPredicates
import CoreDataValues

/// Short spellings of trees.
func key(_ path: String) -> ExpressionNode { .keyPath(path) }

func constant(_ value: AttributeValue) -> ExpressionNode { .constant(.value(value)) }

func string(_ value: String) -> ExpressionNode { constant(.string(value)) }

func integer(_ value: Int64) -> ExpressionNode { constant(.integer(value)) }

func call(_ name: String, _ arguments: ExpressionNode...) -> ExpressionNode {
    .function(operand: nil, name: name, arguments: arguments)
}

func compare(
    _ left: ExpressionNode,
    _ relation: ComparisonOperator,
    _ right: ExpressionNode,
    modifier: ComparisonModifier = .direct,
    options: ComparisonOptions = []
) -> PredicateNode {
    .comparison(ComparisonNode(left, relation, right, modifier: modifier, options: options))
}

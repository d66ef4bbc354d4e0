import CoreDataPredicates
import CoreDataSQL
import CoreDataStore
import CoreDataValues
import Testing

/// Returns the condition compiled from a predicate: the text after the FROM of a count of `entity`, with
/// joins.
func condition(
    _ entity: String, _ predicate: PredicateNode, by compiler: SelectCompiler = CompanyModel.compiler
) throws -> SQLFragment {
    let query = FetchQuery(entity: CompanyModel.index(entity), predicate: predicate, shape: .count)
    let sql = try compiler.compile(query).select
    let table = try #require(CompanyModel.schema[query.entity]).tableName
    let head = "SELECT COUNT(*) FROM \(table) t0 "
    try #require(sql.sql.string.hasPrefix(head), "\(sql)")
    var rest = String(sql.sql.string.dropFirst(head.count))
    if rest.hasPrefix("WHERE ") { rest = String(rest.dropFirst(6)) }
    return SQLFragment(SQLText(stored: rest), bindings: sql.bindings)
}

/// Returns the message of the error that compiling a predicate throws.
func failure(_ entity: String, _ predicate: PredicateNode) -> String {
    let query = FetchQuery(entity: CompanyModel.index(entity), predicate: predicate, shape: .count)
    do {
        return "no error: \(try CompanyModel.compiler.compile(query).select)"
    } catch {
        return error.message
    }
}

func key(_ path: String) -> ExpressionNode { .keyPath(path) }

func key(_ variable: String, _ path: String) -> ExpressionNode {
    .keyPath(operand: .variable(variable), keys: path.split(separator: ".").map(String.init))
}

func constant(_ value: AttributeValue) -> ExpressionNode { .constant(.value(value)) }

func constants(_ values: [AttributeValue]) -> ExpressionNode {
    .constant(.collection(values.map { .value($0) }, isOrdered: true))
}

func compare(
    _ left: ExpressionNode,
    _ relation: ComparisonOperator,
    _ right: ExpressionNode,
    _ modifier: ComparisonModifier = .direct,
    _ options: ComparisonOptions = []
) -> PredicateNode {
    .comparison(ComparisonNode(left, relation, right, modifier: modifier, options: options))
}

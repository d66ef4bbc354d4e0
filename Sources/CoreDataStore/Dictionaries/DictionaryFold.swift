package import CoreDataModelFormat
package import CoreDataPredicates
package import CoreDataValues
import Foundation

/// Grouping and aggregation in memory, for stores that cannot do it and for results of several stores: each
/// store returns the values to aggregate, row by row, and memory aggregates them as SQL would.
package struct DictionaryFold {
    /// The columns that the stores are asked for: one for each value, named by its number.
    package let parts: DictionaryShape
    private let shape: DictionaryShape
    private let cells: [ExpressionNode]
    /// The expressions of GROUP BY, as positions among the parts.
    private let groupBy: [Int]
    private let having: PredicateNode?
    /// Whether all rows are one group, since aggregates are used without GROUP BY.
    private let isTotal: Bool

    /// Plans the aggregation. Nil if each dictionary stands for one row, so that there is nothing to
    /// aggregate.
    package init?(_ shape: DictionaryShape, of entity: CompiledEntity, in model: CompiledModel) {
        var rewriter = FoldRewriter(entity: entity, model: model)
        cells = shape.columns.map { rewriter.cell($0.expression, as: $0.type) }
        groupBy = shape.groupBy.map { rewriter.part($0, as: .undefined) }
        rewriter.cells = Dictionary(zip(shape.columns.map(\.name), cells)) { first, _ in first }
        having = shape.having.map { rewriter.condition($0) }
        isTotal = rewriter.foldsRows && shape.groupBy.isEmpty
        guard isTotal || shape.isDistinct || !shape.groupBy.isEmpty else { return nil }
        self.shape = shape
        parts = DictionaryShape(columns: rewriter.parts)
    }

    /// Groups and aggregates rows.
    ///
    /// - Parameter rows: The values of the parts.
    /// - Returns: The values of the shape's columns.
    package func folded(_ rows: [[ExpressionValue]]) throws(EvaluationError) -> [[ExpressionValue]] {
        let evaluators = try cells.map { cell throws(EvaluationError) in try ExpressionEvaluator(cell) }
        let filter = try having.map { having throws(EvaluationError) in try NodeEvaluator(having) }
        var seen: Set<[ExpressionValue]> = []
        var result: [[ExpressionValue]] = []
        for group in groups(of: rows) {
            let variables = variables(of: group)
            if let filter, try !filter.matches(.null, variables: variables) { continue }
            var row: [ExpressionValue] = []
            for (column, evaluator) in zip(shape.columns, evaluators) {
                row.append(try evaluator.value(for: .null, variables: variables).converted(to: column.type))
            }
            if !shape.isDistinct || seen.insert(row).inserted { result.append(row) }
        }
        return result
    }

    /// Divides rows into groups, in the order of the first row of each.
    private func groups(of rows: [[ExpressionValue]]) -> [[[ExpressionValue]]] {
        if isTotal { return [rows] }
        if groupBy.isEmpty { return rows.map { [$0] } }
        var numbers: [[ExpressionValue]: Int] = [:]
        var groups: [[[ExpressionValue]]] = []
        for row in rows {
            let number = numbers[groupBy.map { row[$0] }, default: groups.count]
            if number == groups.count {
                numbers[groupBy.map { row[$0] }] = number
                groups.append([])
            }
            groups[number].append(row)
        }
        return groups
    }

    private func variables(of group: [[ExpressionValue]]) -> [String: ExpressionValue] {
        var variables: [String: ExpressionValue] = [:]
        for (index, part) in parts.columns.enumerated() {
            variables[part.name] = group.first?[index] ?? .null
            variables[FoldRewriter.all(part.name)] = .collection(
                group.map { $0[index] }.filter { !$0.isNull }, isOrdered: true)
        }
        return variables
    }
}

extension ExpressionValue {
    /// Returns the value as a store returns a result of that type.
    package func converted(to type: AttributeType) -> ExpressionValue {
        switch (type, self) {
        case (.integer16, .value(.double(let number))), (.integer32, .value(.double(let number))),
            (.integer64, .value(.double(let number))):
            Int64(exactly: number.rounded(.towardZero)).map { .value(.integer($0)) } ?? self
        case (.double, .value(.integer(let number))), (.float, .value(.integer(let number))):
            .value(.double(Double(number)))
        // Converted from its digits, since Foundation's conversion does not return the nearest double.
        case (.double, .value(.decimal(let number))), (.float, .value(.decimal(let number))):
            Double(number.description).map { .value(.double($0)) } ?? self
        case (.decimal, .value(.integer(let number))): .value(.decimal(Decimal(number)))
        case (.boolean, .value(.integer(let number))): .value(.boolean(number != 0))
        default: self
        }
    }
}

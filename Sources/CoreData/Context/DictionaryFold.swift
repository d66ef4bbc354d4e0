import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues
import Foundation

/// Groups and totals over the rows of several stores. A store folds its own rows only, so each hands out what is to be
/// folded, row by row, and memory folds it as SQL would.
struct DictionaryFold {
    /// What the stores are asked for: one column a value, named by its number.
    let parts: DictionaryShape
    private let shape: DictionaryShape
    private let cells: [ExpressionNode]
    private let groupBy: [String]
    private let having: PredicateNode?
    /// Whether all rows are one group where nothing else says so.
    private let isTotal: Bool

    /// Nil for dictionaries that stand for one row each.
    init?(_ shape: DictionaryShape, of entity: CompiledEntity, in model: CompiledModel) {
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

    func folded(_ rows: [NSDictionary]) throws(EvaluationError) -> [NSDictionary] {
        let evaluators = try cells.map { cell throws(EvaluationError) in try ExpressionEvaluator(cell) }
        let filter = try having.map { having throws(EvaluationError) in try NodeEvaluator(having) }
        var seen: Set<NSDictionary> = []
        var result: [NSDictionary] = []
        for group in groups(of: rows) {
            let variables = variables(of: group)
            if let filter, try !filter.matches(.null, variables: variables) { continue }
            let dictionary = NSMutableDictionary()
            for (column, evaluator) in zip(shape.columns, evaluators) {
                let value = try evaluator.value(for: .null, variables: variables)
                if let value = value.converted(to: column.type).unboxed {
                    dictionary[column.name as NSString] = value
                }
            }
            let finished = dictionary.copy() as! NSDictionary
            if !shape.isDistinct || seen.insert(finished).inserted { result.append(finished) }
        }
        return result
    }

    /// In the order that the first row of each comes in.
    private func groups(of rows: [NSDictionary]) -> [[NSDictionary]] {
        if isTotal { return [rows] }
        if groupBy.isEmpty { return rows.map { [$0] } }
        var numbers: [[ExpressionValue]: Int] = [:]
        var groups: [[NSDictionary]] = []
        for row in rows {
            let key = groupBy.map { ExpressionValue(boxing: row[$0]) }
            let number = numbers[key, default: groups.count]
            if number == groups.count {
                numbers[key] = number
                groups.append([])
            }
            groups[number].append(row)
        }
        return groups
    }

    private func variables(of group: [NSDictionary]) -> [String: ExpressionValue] {
        var variables: [String: ExpressionValue] = [:]
        for part in parts.columns {
            let values = group.map { ExpressionValue(boxing: $0[part.name]) }
            variables[part.name] = values.first ?? .null
            variables[FoldRewriter.all(part.name)] = .collection(
                values.filter { !$0.isNull }, isOrdered: true)
        }
        return variables
    }
}

extension ExpressionValue {
    /// As a store hands out a result of that type.
    fileprivate func converted(to type: AttributeType) -> ExpressionValue {
        switch (type, self) {
        case (.integer16, .value(.double(let number))), (.integer32, .value(.double(let number))),
            (.integer64, .value(.double(let number))):
            Int64(exactly: number.rounded(.towardZero)).map { .value(.integer($0)) } ?? self
        case (.double, .value(.integer(let number))), (.float, .value(.integer(let number))):
            .value(.double(Double(number)))
        case (.decimal, .value(.integer(let number))): .value(.decimal(Decimal(number)))
        case (.boolean, .value(.integer(let number))): .value(.boolean(number != 0))
        default: self
        }
    }
}

import CoreDataPredicates

extension PredicateNode {
    /// The number of levels that a tree may have.
    ///
    /// Code that walks a tree recurses, and a debug build takes twenty kilobytes of stack to turn a level of
    /// arithmetic into SQL.
    static let deepest = 200

    /// The number of levels of the tree.
    var levels: Int {
        switch self {
        case .constant, .block: 1
        case .comparison(let comparison): 1 + max(comparison.left.levels, comparison.right.levels)
        case .compound(_, let operands): 1 + (operands.lazy.map(\.levels).max() ?? 0)
        }
    }
}

extension ExpressionNode {
    /// The number of levels of the tree.
    var levels: Int {
        func above(_ parts: [ExpressionNode]) -> Int { 1 + (parts.lazy.map(\.levels).max() ?? 0) }
        return switch self {
        case .constant, .evaluatedObject, .variable, .anyKey: 1
        case .keyPath(let operand, _): above([operand])
        case .function(let operand, _, let arguments): max(above(arguments), 1 + (operand?.levels ?? 0))
        case .aggregate(let elements): above(elements)
        case .subquery(let collection, _, let predicate): 1 + max(collection.levels, predicate.levels)
        case .unionSet(let left, let right), .intersectSet(let left, let right),
            .minusSet(let left, let right):
            above([left, right])
        case .conditional(let predicate, let first, let second):
            max(above([first, second]), 1 + predicate.levels)
        case .fetch(let request, let context, _): above([request, context])
        case .block(_, let arguments): above(arguments)
        }
    }
}

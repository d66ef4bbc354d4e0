extension PredicateNode {
    /// The key paths of an object on whose values alone the predicate depends. Nil if it may also depend on
    /// functions, closures, variables or the members of collections.
    package var pathsRead: [[String]]? {
        switch self {
        case .constant: []
        case .block: nil
        case .comparison(let comparison):
            comparison.operator == .customSelector ? nil : [comparison.left, comparison.right].pathsRead
        case .compound(_, let operands): operands.map(\.pathsRead).joinedPaths
        }
    }
}

extension [ExpressionNode] {
    fileprivate var pathsRead: [[String]]? {
        map { expression -> [[String]]? in
            switch expression {
            // The identity of an object does not change.
            case .constant, .evaluatedObject: []
            case .keyPath(.evaluatedObject, let keys): [keys]
            case .aggregate(let elements): elements.pathsRead
            default: nil
            }
        }.joinedPaths
    }
}

extension [[[String]]?] {
    fileprivate var joinedPaths: [[String]]? {
        reduce([]) { joined, paths in joined.flatMap { joined in paths.map { joined + $0 } } }
    }
}

import CoreDataValues

extension ExpressionNode {
    /// The value of a function of constants, computed once instead of by the store for every row. Nil for an
    /// expression that depends on an object, on the current time or on random numbers.
    package var foldedConstant: ExpressionValue? {
        switch self {
        case .function, .unionSet, .intersectSet, .minusSet, .conditional:
            guard isConstant else { return nil }
            do throws(EvaluationError) {
                return try ExpressionEvaluator(self).value(for: .null)
            } catch {
                // The evaluation of the whole expression will report the error.
                return nil
            }
        default: return nil
        }
    }

    private static let changing: Set<String> = ["now", "random", "random:"]

    private var isConstant: Bool {
        !contains { node in
            switch node {
            case .evaluatedObject, .variable, .anyKey, .fetch, .block: true
            case .function(_, let name, _): Self.changing.contains(name)
            default: false
            }
        }
    }
}

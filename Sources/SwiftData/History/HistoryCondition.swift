import CoreData

/// The condition of a history descriptor, as far as a store can be asked.
struct HistoryCondition {
    /// The position after which the transactions lie; nil for the beginning.
    private(set) var start: NSPersistentHistoryToken?
    /// What the store is asked besides; nil for nothing.
    private(set) var predicate: NSPredicate?
    /// What is asked of each transaction, where no store can be.
    private(set) var test: Predicate<DefaultHistoryTransaction>?

    init(_ condition: Predicate<DefaultHistoryTransaction>?) {
        guard let condition else { return }
        KeyPathProbe.install
        guard let translated = try? NSPredicate.translated(condition) else {
            test = condition
            return
        }
        let conjunction = (translated as? CoreData.NSCompoundPredicate).flatMap {
            $0.compoundPredicateType == .and ? $0 : nil
        }
        var parts = conjunction?.subpredicates ?? [translated]
        if let index = parts.firstIndex(where: { Self.lowerBound(of: $0) != nil }) {
            // A position goes before the condition, since it also says which stores were seen how far, and
            // whether what followed it is still there.
            start = Self.lowerBound(of: parts.remove(at: index))
        }
        predicate = parts.isEmpty ? nil : CoreData.NSCompoundPredicate(andPredicateWithSubpredicates: parts)
    }

    /// Returns the token that a condition asks for later ones of.
    private static func lowerBound(of predicate: NSPredicate) -> NSPersistentHistoryToken? {
        guard let comparison = predicate as? CoreData.NSComparisonPredicate else { return nil }
        var sides = [comparison.leftExpression, comparison.rightExpression]
        switch comparison.predicateOperatorType {
        case .greaterThan: break
        case .lessThan: sides.reverse()
        default: return nil
        }
        guard sides[0].expressionType == .keyPath, sides[0].keyPath == "token",
            sides[1].expressionType == .constantValue
        else { return nil }
        return sides[1].constantValue as? NSPersistentHistoryToken
    }
}

extension DefaultHistoryTransaction {
    /// Returns where a key path leads in the history of a store.
    static func target(of keyPath: AnyKeyPath) -> KeyPathNames.Target {
        switch keyPath {
        case \DefaultHistoryTransaction.author: .property("author")
        case \DefaultHistoryTransaction.bundleIdentifier: .property("bundleID")
        case \DefaultHistoryTransaction.processIdentifier: .property("processID")
        case \DefaultHistoryTransaction.timestamp: .property("timestamp")
        case \DefaultHistoryTransaction.token: .property("token")
        case \DefaultHistoryTransaction.transactionIdentifier: .property("transactionNumber")
        default: .other("\(keyPath) is no property of a transaction that a store can be asked for")
        }
    }
}

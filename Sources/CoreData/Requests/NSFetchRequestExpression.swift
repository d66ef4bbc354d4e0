package import CoreDataPredicates
import CoreDataValues
import Foundation

/// The type of an `NSFetchRequestExpression`.
public var NSFetchRequestExpressionType: NSExpression.ExpressionType { .fetchRequest }

/// An expression that is what a fetch request finds: `FETCH(request, context, countOnly)`.
///
/// On the right of `IN` in a predicate of a fetch it becomes a sub-select, unless its context has unsaved changes or
/// another coordinator: then it is asked once, when the fetch begins. Evaluated in memory it fetches each time.
open class NSFetchRequestExpression: NSExpression, @unchecked Sendable {
    /// - Parameters:
    ///   - fetch: An expression whose value is an `NSFetchRequest`.
    ///   - context: One whose value is the context to fetch with.
    ///   - countFlag: Whether the value is the number of results instead of the results.
    open class func expression(
        forFetch fetch: NSExpression, context: NSExpression, countOnly countFlag: Bool
    ) -> NSExpression {
        NSFetchRequestExpression(
            node: .fetch(request: fetch.node, context: context.node, isCountOnly: countFlag))
    }

    open var requestExpression: NSExpression { .expression(for: parts.request) }
    open var contextExpression: NSExpression { .expression(for: parts.context) }
    open var isCountOnlyRequest: Bool { parts.isCountOnly }

    /// An archive names this module's class, and Apple's for readers that do not know it.
    open override class func classFallbacksForKeyedArchiver() -> [String] { ["NSFetchRequestExpression"] }

    private var parts: (request: ExpressionNode, context: ExpressionNode, isCountOnly: Bool) {
        guard case .fetch(let request, let context, let isCountOnly) = node else {
            programmerError("\(self) is no fetch request expression: make it with expression(forFetch:…)")
        }
        return (request, context, isCountOnly)
    }
}

extension NSFetchRequest: FetchEvaluating {
    package final func fetchedValue(in context: Any?, isCountOnly: Bool) throws -> ExpressionValue {
        guard let context = context as? NSManagedObjectContext else {
            throw CoreDataError.error(
                NSCoreDataError, reason: "FETCH needs a managed object context as its second argument.")
        }
        if isCountOnly { return .value(.integer(Int64(try context.countResults(storage)))) }
        return .collection(
            try context.fetchResult(storage).boxed.map(ExpressionValue.init(boxing:)), isOrdered: true)
    }
}

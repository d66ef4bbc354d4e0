package import CoreDataPredicates
import CoreDataValues
import Foundation

/// The expression type of an `NSFetchRequestExpression`.
public var NSFetchRequestExpressionType: NSExpression.ExpressionType { .fetchRequest }

/// An expression whose value is the result of a fetch request: `FETCH(request, context, countOnly)`.
///
/// To the right of `IN` in a predicate of a fetch it becomes a subselect of the same statement. If its
/// context has unsaved changes, a parent or another coordinator, or if the coordinator has several stores, it
/// is executed once, when the fetch begins. Each evaluation in memory fetches.
open class NSFetchRequestExpression: NSExpression, @unchecked Sendable {
    /// Returns an expression whose value is the result of a fetch request.
    ///
    /// - Parameters:
    ///   - fetch: An expression whose value is an `NSFetchRequest`.
    ///   - context: An expression whose value is the context to fetch with. A value that is no context makes
    ///     the fetch throw 134060 (`NSCoreDataError`), and evaluation trap.
    ///   - countFlag: Whether the value is the number of results instead of the results.
    open class func expression(
        forFetch fetch: NSExpression, context: NSExpression, countOnly countFlag: Bool
    ) -> NSExpression {
        NSFetchRequestExpression(
            node: .fetch(request: fetch.node, context: context.node, isCountOnly: countFlag))
    }

    /// The expression whose value is the fetch request.
    open var requestExpression: NSExpression { .expression(for: parts.request) }
    /// The expression whose value is the context to fetch with.
    open var contextExpression: NSExpression { .expression(for: parts.context) }
    /// Whether the value is the number of results instead of the results.
    open var isCountOnlyRequest: Bool { parts.isCountOnly }

    /// Names Apple's class in archives, for readers that do not have this module's class.
    open override class func classFallbacksForKeyedArchiver() -> [String] { ["NSFetchRequestExpression"] }

    private var parts: (request: ExpressionNode, context: ExpressionNode, isCountOnly: Bool) {
        guard case .fetch(let request, let context, let isCountOnly) = node else {
            programmerError("\(self) is no fetch request expression: make it with expression(forFetch:…)")
        }
        return (request, context, isCountOnly)
    }
}

extension NSFetchRequest: FetchEvaluating {
    /// Returns the results, or their number, as a value of an expression.
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

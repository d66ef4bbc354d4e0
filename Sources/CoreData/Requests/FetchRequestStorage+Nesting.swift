import CoreDataPredicates
import CoreDataStore
import Foundation

extension FetchRequestStorage {
    /// Returns the predicate with the requests of its `FETCH` expressions frozen.
    ///
    /// A request becomes a query that the only store of `coordinator` can nest. If that store does not have
    /// everything that the request is to find, the request is executed now.
    func frozenPredicate(
        in model: FrozenModel, asking coordinator: NSPersistentStoreCoordinator?
    ) throws -> PredicateNode? {
        guard let predicate = predicate?.node else { return nil }
        let isNesting = predicate.containsExpression { if case .fetch = $0 { true } else { false } }
        guard isNesting else { return predicate }
        var failure: (any Error)?
        let node = NodeRewriter { node in
            do { return try Self.frozen(node, in: model, asking: coordinator) } catch {
                failure = error
                return node
            }
        }.rewrite(predicate)
        if let failure { throw failure }
        return node
    }

    /// Returns a `FETCH` expression as a nested query or as its results, and any other node unchanged.
    private static func frozen(
        _ node: ExpressionNode, in model: FrozenModel, asking coordinator: NSPersistentStoreCoordinator?
    ) throws -> ExpressionNode {
        guard case .fetch(.constant(let request), .constant(let context), let isCountOnly) = node,
            let nested = request.unboxed as? any FetchEvaluating & FetchRequestStoring
        else { return node }
        let asked = context.unboxed as? NSManagedObjectContext
        guard let coordinator, coordinator.handles.count == 1, asked?.tracker.hasChanges != true,
            asked?.parent == nil,
            asked?.persistentStoreCoordinator ?? coordinator === coordinator
        else {
            return .constant(try nested.fetchedValue(in: asked, isCountOnly: isCountOnly))
        }
        let source = FetchSource(try nested.storage.query(in: model, asking: coordinator), nested)
        return .fetch(
            request: .constant(.opaque(AnyHashable(source))), context: .constant(context),
            isCountOnly: isCountOnly)
    }
}

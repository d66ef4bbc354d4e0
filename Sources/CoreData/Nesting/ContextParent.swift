import CoreDataStore
import CoreDataValues

/// A context's parent, as the stores that the context reads from and saves to.
///
/// Each store of the coordinator has a handle here under the same number, with the parent as its backend;
/// objects that are in no store yet belong to a handle with the number -1. Rows are not shared with other
/// children, since the parent's unsaved rows change without a new version.
final class ContextParent {
    let context: NSManagedObjectContext
    /// The context of the tree that saves to the stores.
    let root: NSManagedObjectContext
    private unowned let child: NSManagedObjectContext
    private var nested: [Int16: StoreHandle] = [:]

    init(_ context: NSManagedObjectContext, of child: NSManagedObjectContext) {
        self.context = context
        self.child = child
        root = context.source?.root ?? context
        root.references.join()
    }

    deinit { root.references.leave() }

    func handle(at index: Int16) -> StoreHandle? {
        if let handle = nested[index] { return handle }
        guard let coordinator = context.coordinator,
            let root = index < 0 ? coordinator.handles.first : coordinator.handle(at: index)
        else { return nil }
        let handle = StoreHandle(
            index: index, store: root.store,
            backend: ParentBackend(context, of: child, coordinator, storeIndex: index),
            cache: RowCache(model: coordinator.frozen, hasVersions: false), entities: root.entities,
            mark: root.mark)
        nested[index] = handle
        return handle
    }
}

extension NSManagedObjectContext {
    /// Sets a context to use instead of the coordinator's stores; nil removes it.
    final func nest(in parent: NSManagedObjectContext?) {
        guard parent !== source?.context else { return }
        guard registry.objects.isEmpty else {
            programmerError("A context that has objects cannot change its parent: reset it first.")
        }
        if let parent { checkNesting(in: parent) }
        mergingContexts?.set(false, for: self)
        source = parent.map { ContextParent($0, of: self) }
        knownReferences = treeReferences.count
        use(parent?.coordinator)
    }

    private final func checkNesting(in parent: NSManagedObjectContext) {
        if parent.concurrencyType == .confinementConcurrencyType {
            programmerError(
                "Parent NSManagedObjectContext must use either NSPrivateQueueConcurrencyType or "
                    + "NSMainQueueConcurrencyType.")
        }
        var ancestor: NSManagedObjectContext? = parent
        while let context = ancestor {
            if context === self { programmerError("A context cannot be its own ancestor.") }
            ancestor = context.source?.context
        }
    }

    // MARK: Stores

    /// Returns the handle of a store: the coordinator's, or in a nested context the parent's.
    final func handle(at index: Int16) -> StoreHandle? {
        if let source { return source.handle(at: index) }
        return coordinator?.handle(at: index).map(bound)
    }

    final var handles: [StoreHandle] {
        let handles = requiredCoordinator.handles
        if let source { return handles.compactMap { source.handle(at: $0.index) } }
        return handles.contains(where: \.isBindable) ? handles.map(bound) : handles
    }

    /// The list through which saves of other contexts reach this one.
    final var mergingContexts: MergingContexts? { source?.context.children ?? coordinator?.merging }
}

import CoreData

/// The models that one part of a program works with, and their changes until they are saved or taken back.
///
/// A context is used by one thread or actor at a time; the container's `mainContext` belongs to the main
/// actor. It takes over what other contexts of the container save, and, soon after, what other containers and
/// programs save to the stores: the main context by itself, any other with its next fetch, save or
/// `processPendingChanges()`. Its own changes stay, property by property.
///
/// Unlike Apple's: contexts merge by themselves, and a model whose row is gone keeps its last values.
public final class ModelContext: Equatable {
    /// The container, unless the context is its main one, which does not keep it.
    private let kept: ModelContainer?
    private weak var weakContainer: ModelContainer?
    let context: NSManagedObjectContext
    /// The container's classes by the names of their entities.
    let types: [String: ModelType]
    /// The models that are kept until the next save.
    var held: [any PersistentModel] = []
    /// The class whose model was inserted last, and its entity.
    var lastInserted: (type: any PersistentModel.Type, entity: NSEntityDescription)?
    /// The models whose deletion is being saved.
    var departures: [Departure] = []
    /// Saved models to which a data store gave other values.
    var changedBySave: [NSManagedObjectID] = []
    /// The container's stores of an app's own.
    let dataStores: [CustomStore]
    var autosave: Autosave
    let identity = UUID()

    /// Makes a context for the caller's thread or actor.
    public convenience init(_ container: ModelContainer) {
        self.init(container, .confinementConcurrencyType)
    }

    init(_ container: ModelContainer, _ type: NSManagedObjectContextConcurrencyType) {
        kept = type == .mainQueueConcurrencyType ? nil : container
        weakContainer = container
        types = container.types
        dataStores = container.dataStores
        autosave = Autosave(isOn: type == .mainQueueConcurrencyType)
        context = NSManagedObjectContext(concurrencyType: type)
        context.persistentStoreCoordinator = container.coordinator
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        context.automaticallyMergesChangesFromParent = true
        context.tracksObservation = type == .mainQueueConcurrencyType
        context.host = self
        context.modelTypes = container.types
        for store in dataStores { try? store.call { $0.initializeState(for: editingState) } }
    }

    deinit {
        let context = self.context
        let saves = autosave.isOn
        let (stores, state) = (dataStores, editingState)
        // Changes hold their objects, and these the Core Data context.
        func end() {
            if saves, context.hasChanges {
                do {
                    try context.save()
                } catch {
                    FrameworkLog.error(
                        "A context that goes could not save, and its changes are lost: \(error)")
                }
            }
            context.rollback()
            for store in stores { try? store.call { $0.invalidateState(for: state) } }
        }
        switch context.concurrencyType {
        case .confinementConcurrencyType: end()
        case .mainQueueConcurrencyType where Thread.isMainThread: end()
        // The last job of an actor may release its context on the queue itself, which must not wait for itself.
        default: context.perform(end)
        }
    }

    /// The container whose stores the context reads and writes.
    ///
    /// Traps if it is gone: whoever uses a main context keeps its container.
    public var container: ModelContainer {
        guard let container = kept ?? weakContainer else {
            programmerError(
                "The container of this main context is gone: keep it as long as the context is used.")
        }
        return container
    }

    /// Returns whether both are the same object.
    public static func == (left: ModelContext, right: ModelContext) -> Bool { left === right }

    /// The name under which the history of the store notes what this context saves.
    public var author: String? {
        get { context.transactionAuthor }
        set { context.transactionAuthor = newValue }
    }

    /// Whether `withObservationTracking` sees which properties of the context's models are read: true for the
    /// main context, false for others unless set.
    ///
    /// Reads then cost several times as much. Observers are told once the property has changed.
    ///
    /// Unlike Apple's: an addition; models that are in no context report no reads.
    public var tracksObservation: Bool {
        get { context.tracksObservation }
        set { context.tracksObservation = newValue }
    }

    /// Whether the context takes over what others save; true unless set.
    ///
    /// Unlike Apple's: an addition. Without it, a model keeps the values that it was first used with.
    public var mergesOtherSaves: Bool {
        get { context.automaticallyMergesChangesFromParent }
        set { context.automaticallyMergesChangesFromParent = newValue }
    }

    /// The Core Data context, once it has taken over what other contexts saved.
    var current: NSManagedObjectContext {
        context.takeOverSaves()
        return context
    }
}

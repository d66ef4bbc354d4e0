import CoreData

/// The models that one part of a program works with, and their changes until they are saved or taken back.
///
/// A context is used by one thread or actor at a time. The container's `mainContext` belongs to the main
/// actor; it takes over what other contexts save.
public final class ModelContext: Equatable {
    /// The container, unless the context is its main one, which does not keep it.
    private let kept: ModelContainer?
    private weak var weakContainer: ModelContainer?
    let context: NSManagedObjectContext
    private var held: [any PersistentModel] = []

    /// Makes a context for the caller's thread or actor.
    public convenience init(_ container: ModelContainer) {
        self.init(container, .confinementConcurrencyType)
    }

    init(_ container: ModelContainer, _ type: NSManagedObjectContextConcurrencyType) {
        kept = type == .mainQueueConcurrencyType ? nil : container
        weakContainer = container
        context = NSManagedObjectContext(concurrencyType: type)
        context.persistentStoreCoordinator = container.coordinator
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        context.automaticallyMergesChangesFromParent = type == .mainQueueConcurrencyType
        context.tracksObservation = type == .mainQueueConcurrencyType
        context.owner = self
    }

    deinit {
        // Changes hold their objects, and these the Core Data context.
        context.rollback()
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

    // MARK: Changing

    /// Inserts a model with all models that its relationships lead to; the next save stores them.
    ///
    /// Does nothing for a model that the context has already.
    public func insert<Model: PersistentModel>(_ model: Model) {
        let begun = model.backing
        guard let destinations = begun.destinations else {
            if begun.managedObjectContext === context { return }
            programmerError(
                "A \(Model.self) of another context, or one that was deleted, cannot be inserted.")
        }
        let name = Schema.entityName(for: Model.self)
        guard let entity = context.persistentStoreCoordinator?.managedObjectModel.entitiesByName[name] else {
            programmerError("The container has no model \(name): add it to its schema.")
        }
        let object = ModelObject(entity: entity, insertInto: context)
        object.adoptValues(of: begun)
        object.serve(model)
        object.isHeld = true
        model._$backing = object
        held.append(model)
        for (relationship, models) in destinations {
            let property = ModelAccess.property(relationship)
            let members = models.map { model in
                insert(model)
                return model.backing
            }
            if entity.relationshipsByName[relationship]?.isToMany == true {
                // Members that an inverse has brought already stay.
                for member in members { ManagedAccess.add(object, property, member) }
            } else if let destination = members.first {
                ManagedAccess.write(object, property, destination)
            }
        }
    }

    /// Deletes a model at the next save; a model that was never saved leaves the context.
    public func delete<Model: PersistentModel>(_ model: Model) {
        let object = model.backing
        guard object.managedObjectContext === context else {
            programmerError("A \(Model.self) that is not in the context cannot be deleted.")
        }
        if !object.isHeld { object.hold() }
        context.delete(object)
    }

    /// Keeps a model, with what it has besides its row, until the next save.
    func hold(_ model: any PersistentModel) { held.append(model) }

    private func release() {
        for model in held { model._$backing?.isHeld = false }
        held = []
    }

    // MARK: Saving

    /// Whether there is anything to save.
    public var hasChanges: Bool { context.hasChanges }

    /// Models that the next save inserts.
    public var insertedModelsArray: [any PersistentModel] { models(context.insertedObjects) }
    /// Saved models with changes.
    public var changedModelsArray: [any PersistentModel] { models(context.updatedObjects) }
    /// Models that the next save deletes.
    public var deletedModelsArray: [any PersistentModel] { models(context.deletedObjects) }

    /// Writes all changes to the stores, or none.
    ///
    /// An inserted model whose unique values another row has takes that row's place, with its own values.
    ///
    /// - Throws: The error of Core Data, in `NSCocoaErrorDomain`; the changes stay.
    public func save() throws {
        context.processPendingChanges()
        let departures = context.deletedObjects.compactMap { Departure($0 as! ModelObject) }
        try context.save()
        for departure in departures { departure.end() }
        release()
    }

    /// Takes all changes back.
    public func rollback() {
        context.rollback()
        release()
    }

    /// Runs a block and saves what it changed; takes everything back if it throws.
    public func transaction(block: () throws -> Void) throws {
        do {
            try block()
            try save()
        } catch {
            rollback()
            throw error
        }
    }

    /// Applies delete rules, and tells observers of changes so far.
    public func processPendingChanges() { context.processPendingChanges() }

    private func models(_ objects: Set<NSManagedObject>) -> [any PersistentModel] {
        objects.sorted { $0.orderInEntity < $1.orderInEntity }.map {
            ($0 as! ModelObject).anyModel(in: container)
        }
    }
}

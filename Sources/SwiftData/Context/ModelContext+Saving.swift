public import CoreData

extension ModelContext {
    /// Whether there is anything to save.
    public var hasChanges: Bool { context.hasChanges }

    /// Models that the next save inserts.
    public var insertedModelsArray: [any PersistentModel] { models(context.insertedObjects) }
    /// Saved models with changes.
    public var changedModelsArray: [any PersistentModel] { models(context.updatedObjects) }
    /// Models that the next save deletes.
    public var deletedModelsArray: [any PersistentModel] { models(context.deletedObjects) }

    /// Writes all changes to the stores, or none; posts `willSave` and `didSave` if there are any.
    ///
    /// An inserted model whose unique values another row has takes that row's place, with its own values.
    ///
    /// - Throws: The error of Core Data, in `NSCocoaErrorDomain`; the changes stay.
    public func save() throws { try current.save() }

    /// Takes all changes back.
    public func rollback() {
        current.rollback()
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

    /// Applies delete rules, tells observers of changes so far, and takes over what other contexts saved.
    public func processPendingChanges() {
        current.processPendingChanges()
        if context.concurrencyType == .confinementConcurrencyType { saveByItself() }
    }

    /// The undo manager that records changes; nil, the default, records nothing.
    ///
    /// What one call of `processPendingChanges()` ends, or one pass of the main queue's run loop, is undone
    /// together.
    public var undoManager: UndoManager? {
        get { context.undoManager }
        set { context.undoManager = newValue }
    }

    private func models(_ objects: Set<NSManagedObject>) -> [any PersistentModel] {
        objects.sorted { $0.orderInEntity < $1.orderInEntity }.map {
            ($0 as! ModelObject).anyModel(in: container)
        }
    }

    private func release() {
        for model in held { model._$backing?.isHeld = false }
        held = []
        departures = []
    }
}

extension ModelContext: ContextHost {
    package func contextWillSave() {
        NotificationCenter.default.post(name: Self.willSave, object: self)
        context.processPendingChanges()
        departures = context.deletedObjects.compactMap { Departure($0 as! ModelObject) }
    }

    package func contextDidSave(_ idInfo: [AnyHashable: Any]) {
        for departure in departures { departure.end() }
        release()
        for id in changedBySave {
            context.registeredObject(for: id).map { context.refresh($0, mergeChanges: true) }
        }
        changedBySave = []
        announceSave(idInfo)
    }

    package func contextWillDetach(_ objects: [NSManagedObject]) {
        for object in objects { Departure(object as! ModelObject)?.end() }
    }

    package func contextDidBringBack(_ object: NSManagedObject) {
        let object = object as! ModelObject
        guard let model = object.model else { return }
        model._$backing = object
        if !object.isHeld { object.hold() }
    }
}

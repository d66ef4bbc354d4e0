import CoreData

/// An actor with a context of its own: `@ModelActor` makes an actor conform.
///
/// Its code runs on the queue of the context. Models stay inside the actor; identifiers go in and out.
public protocol ModelActor: Actor {
    /// The container whose stores the actor works with.
    nonisolated var modelContainer: ModelContainer { get }
    /// The executor that has the actor's context.
    nonisolated var modelExecutor: any ModelExecutor { get }
}

extension ModelActor {
    /// The executor of the actor, which is its model executor.
    ///
    /// Traps if that is no serial executor, since actors do one thing at a time.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        guard let executor = modelExecutor as? any SerialExecutor else {
            programmerError(
                "The modelExecutor of \(Self.self) is no SerialExecutor: use DefaultSerialModelExecutor.")
        }
        return executor.asUnownedSerialExecutor()
    }

    /// The actor's context.
    public var modelContext: ModelContext { modelExecutor.modelContext }

    /// Returns the model of an identifier, which is read if the context does not have it; nil if its row is
    /// gone or cannot be read, or if the model has another class.
    public subscript<Model: PersistentModel>(id: PersistentIdentifier, as type: Model.Type) -> Model? {
        if let model: Model = modelContext.registeredModel(for: id) { return model }
        guard modelContext.container.type(named: id.entityName) is Model.Type,
            let known = modelContext.objectID(of: id)
        else { return nil }
        let object = try? modelContext.current.existingObject(with: known)
        return (object as? ModelObject)?.model(type)
    }
}

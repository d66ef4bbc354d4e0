/// The executor of an actor that works with the models of one context.
public protocol ModelExecutor: Executor {
    /// The context, to be used by code of the actor only.
    var modelContext: ModelContext { get }
}

/// A model executor that runs one job at a time.
public protocol SerialModelExecutor: ModelExecutor, SerialExecutor {}

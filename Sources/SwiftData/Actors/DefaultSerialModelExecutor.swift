import CoreData

/// The executor that runs the code of a model actor on the queue of its context.
///
/// Before each job the context takes over what other contexts saved, and after it tells observers what
/// changed. With `com_apple_CoreData_ConcurrencyDebug` set to 1, use of the context or its models outside of
/// the actor ends the program, and says where.
public final class DefaultSerialModelExecutor: SerialModelExecutor {
    private nonisolated(unsafe) let context: ModelContext

    /// Makes the executor of a context, which belongs to the actor from then on.
    public init(modelContext: ModelContext) {
        context = modelContext
        modelContext.context.moveToPrivateQueue()
    }

    /// The context, to be used by code of the actor only.
    public var modelContext: ModelContext { context }

    /// Runs a job on the context's queue, after those that it has already.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        context.context.enqueueJob { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
    }

    /// The executor as the runtime refers to it.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}

import Dispatch
import Foundation

/// The queue that the blocks of a context or a coordinator run on.
///
/// A block that is waited for from inside a block of the same queue runs at once, even if blocks of other
/// queues that are waited for lie between the two.
final class BlockQueue: Sendable {
    let type: NSManagedObjectContextConcurrencyType
    /// Nil for contexts of the confinement type, which any thread may use.
    private let queue: DispatchQueue?

    static let main = BlockQueue(.mainQueueConcurrencyType)

    private static let mainKey = DispatchSpecificKey<Bool>()
    private static let mainIsMarked: Void = DispatchQueue.main.setSpecific(key: mainKey, value: true)

    init(_ type: NSManagedObjectContextConcurrencyType) {
        self.type = type
        switch type {
        case .mainQueueConcurrencyType:
            queue = .main
        case .privateQueueConcurrencyType: queue = DispatchQueue(label: "NSManagedObjectContext")
        case .confinementConcurrencyType: queue = nil
        }
    }

    var isCurrent: Bool {
        switch type {
        case .mainQueueConcurrencyType: Self.isOnMain
        case .privateQueueConcurrencyType: RunningBlock.holds(self)
        case .confinementConcurrencyType: true
        }
    }

    /// Whether this thread runs the main queue.
    static var isMain: Bool {
        // A program that calls dispatchMain(), or is async, has its main queue run by another thread.
        _ = mainIsMarked
        return Thread.isMainThread || DispatchQueue.getSpecific(key: mainKey) ?? false
    }

    /// Whether this thread runs the main queue, or a block for which code on the main queue waits.
    static var isOnMain: Bool { isMain || RunningBlock.isInsideMain }

    /// Runs a block later.
    ///
    /// - Parameter context: The context that the block belongs to; nil if it is a coordinator's.
    func async(of context: NSManagedObjectContext? = nil, _ work: @escaping () -> Void) {
        guard let queue else {
            programmerError("Can only use -performBlock: on a context that was created with a queue.")
        }
        nonisolated(unsafe) let work = CallerIsolation.keeping(ProfileScope.keeping(work))
        queue.async { RunningBlock.run(work, on: self, of: context, inside: .none) }
    }

    /// Runs a job after some seconds; unlike a block, it does not belong to the caller's actor.
    func asyncJob(
        of context: NSManagedObjectContext, after delay: Double, _ job: @escaping @Sendable () -> Void
    ) {
        let run: @Sendable () -> Void = { RunningBlock.run(job, on: self, of: context, inside: .none) }
        if delay > 0 {
            queue?.asyncAfter(deadline: .now() + delay, execute: run)
        } else {
            queue?.async(execute: run)
        }
    }

    func sync(of context: NSManagedObjectContext? = nil, _ work: () -> Void) {
        let wait = RunningBlock.Wait.current
        func run() { RunningBlock.run(work, on: self, of: context, inside: wait) }
        guard let queue, !isCurrent else { return run() }
        // A block of a private queue runs on the waiting thread, which is its actor's already; a block of the
        // main queue runs on another thread.
        guard type == .mainQueueConcurrencyType else { return queue.sync(execute: run) }
        let caller = CallerIsolation.current
        let scope = ProfileScope.current
        queue.sync { caller.run { scope.run(run) } }
    }
}

import Foundation

/// A queue's block that runs on this thread, with a link to the block that waits for it.
///
/// The chain of these blocks has every queue that the thread occupies: waiting for one of these queues would
/// deadlock. Task-local values cannot hold the chain, since a `Task` inherits them and outlives the block.
final class RunningBlock {
    private unowned let queue: BlockQueue
    /// The context that the block belongs to; nil if it is a coordinator's.
    private let context: NSManagedObjectContext?
    private let wait: Wait
    private var outer: RunningBlock? { wait.block }

    /// The state of a thread that begins to wait for a block of another queue.
    struct Wait {
        fileprivate let block: RunningBlock?
        /// Whether the thread is on the main queue, which also runs code outside of any `RunningBlock`.
        fileprivate let isOnMain: Bool

        static var none: Wait { Wait(block: nil, isOnMain: false) }
        static var current: Wait { Wait(block: innermost, isOnMain: BlockQueue.isOnMain) }
    }

    private init(_ queue: BlockQueue, _ context: NSManagedObjectContext?, inside wait: Wait) {
        self.queue = queue
        self.context = context
        self.wait = wait
    }

    /// The context of the innermost block on this thread that belongs to a context.
    static var context: NSManagedObjectContext? {
        var block = innermost
        while let running = block, running.context == nil { block = running.outer }
        return block?.context
    }

    static func holds(_ queue: BlockQueue) -> Bool {
        var block = innermost
        while let running = block {
            if running.queue === queue { return true }
            block = running.outer
        }
        return false
    }

    /// Whether code on the main queue waits for the thread's innermost block, directly or through other
    /// blocks.
    static var isInsideMain: Bool { innermost?.wait.isOnMain ?? false }

    /// Runs a block of a queue; the thread that waits for it may be another.
    static func run(
        _ work: () -> Void, on queue: BlockQueue, of context: NSManagedObjectContext? = nil,
        inside wait: Wait
    ) {
        let present = innermost
        let block = RunningBlock(queue, context, inside: wait)
        innermost = block
        withExtendedLifetime(block, work)
        innermost = present
    }

    // MARK: State of the thread

    private static let pointer = ThreadPointer()

    /// The innermost block, kept alive by the call of `run` that set it.
    private static var innermost: RunningBlock? {
        get { pointer.value.map { Unmanaged.fromOpaque($0).takeUnretainedValue() } }
        set { pointer.value = newValue.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) } }
    }
}

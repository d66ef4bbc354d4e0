import Foundation

/// A block of a queue that runs on this thread, and the one from inside which it was waited for.
///
/// A thread keeps the queues of all of them: waiting once more for any of these would wait for ever.
/// Task-local values would not do, as a `Task` inherits them and goes on when the block has ended.
final class RunningBlock {
    private unowned let queue: BlockQueue
    /// The context whose block it is, if it is one's.
    private let context: NSManagedObjectContext?
    private let wait: Wait
    private var outer: RunningBlock? { wait.block }

    /// The state of a thread that begins to wait for a block of another queue.
    struct Wait {
        fileprivate let block: RunningBlock?
        /// Whether the thread is on the main queue, which code enters that has nothing to do with contexts.
        fileprivate let isOnMain: Bool

        static var none: Wait { Wait(block: nil, isOnMain: false) }
        static var current: Wait { Wait(block: innermost, isOnMain: BlockQueue.isOnMain) }
    }

    private init(_ queue: BlockQueue, _ context: NSManagedObjectContext?, inside wait: Wait) {
        self.queue = queue
        self.context = context
        self.wait = wait
    }

    /// The context whose block this thread runs.
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

    /// Whether the thread's innermost block was waited for, however far out, from the main queue.
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

    // MARK: This thread's

    private static let pointer = ThreadPointer()

    /// The block that runs, held by the frame of `run` that set it.
    private static var innermost: RunningBlock? {
        get { pointer.value.map { Unmanaged.fromOpaque($0).takeUnretainedValue() } }
        set { pointer.value = newValue.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) } }
    }
}

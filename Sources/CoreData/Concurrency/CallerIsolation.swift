import CRuntime

/// The actor whose code passed a closure to the framework, which runs the closure on another queue.
///
/// Swift isolates a closure to the actor in whose code it is written, unless the closure is `@Sendable` or
/// `sending`. Apple's blocks are neither, so that they may capture objects. In Swift 6 mode, a program traps
/// when an isolated closure runs on another queue and calls a closure inside it. While a thread runs a
/// closure that an actor passed to the framework, it therefore passes for that actor, and for no other. Other
/// code that is called meanwhile, such as observers of notifications and delegates, is checked as usual.
package struct CallerIsolation: Sendable {
    /// The executor of the actor; nil if the code belongs to no actor.
    private let executor: UInt?

    package static let none = CallerIsolation(executor: nil)

    /// The actor of the calling code.
    package static var current: CallerIsolation {
        let executor = opencoredata_current_executor() ?? passedFor
        if let executor { return CallerIsolation(executor: UInt(bitPattern: executor)) }
        return BlockQueue.isMain ? main : none
    }

    /// The main actor, to which code on the main queue belongs outside of tasks.
    private static let main = CallerIsolation(
        executor: unsafeBitCast(MainActor.sharedUnownedExecutor, to: (UInt, UInt).self).0)

    /// Runs a closure that the actor's code passed to the framework.
    package func run<Result>(_ body: () -> Result) -> Result {
        let present = Self.passedFor
        Self.passedFor = executor.flatMap(UnsafeRawPointer.init(bitPattern:))
        defer { Self.passedFor = present }
        return body()
    }

    /// Returns a closure that runs `body` as code of the present actor, on whatever thread it is called.
    package static func keeping<each Argument, Result>(
        _ body: @escaping (repeat each Argument) -> Result
    ) -> (repeat each Argument) -> Result {
        let caller = current
        guard caller.executor != nil else { return body }
        return { (argument: repeat each Argument) in caller.run { body(repeat each argument) } }
    }

    // MARK: State of the thread

    private static let pointer: ThreadPointer = {
        let pointer = ThreadPointer()
        opencoredata_pass_for_executors(pointer.key)
        return pointer
    }()

    private static var passedFor: UnsafeRawPointer? {
        get { pointer.value }
        set { pointer.value = newValue }
    }
}

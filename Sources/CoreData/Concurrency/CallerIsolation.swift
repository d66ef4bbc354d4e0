import CRuntime

/// The actor in whose code a closure was handed to the framework, which runs it elsewhere.
///
/// Swift takes a closure for the actor's in whose code it is written, unless it is `@Sendable` or `sending`;
/// Apple's blocks are neither, so that they may take objects along. In Swift 6 mode such a closure ends the
/// program on another queue as soon as a closure within it is called. While a thread runs a closure that the
/// framework was handed, it passes for the actor that handed it over, and for that one alone; what is called
/// besides, observers of notifications and delegates, is checked as ever.
package struct CallerIsolation: Sendable {
    /// Nil if code belongs to no actor, or the thread passes for none.
    private let executor: UInt?

    package static let none = CallerIsolation(executor: nil)

    /// The actor of the code that asks.
    package static var current: CallerIsolation {
        let executor = opencoredata_current_executor() ?? passedFor
        if let executor { return CallerIsolation(executor: UInt(bitPattern: executor)) }
        return BlockQueue.isMain ? main : none
    }

    /// The main actor, to which code on the main queue belongs outside of tasks.
    private static let main = CallerIsolation(
        executor: unsafeBitCast(MainActor.sharedUnownedExecutor, to: (UInt, UInt).self).0)

    /// Runs a closure that the actor's code handed over.
    package func run<Result>(_ body: () -> Result) -> Result {
        let present = Self.passedFor
        Self.passedFor = executor.flatMap(UnsafeRawPointer.init(bitPattern:))
        defer { Self.passedFor = present }
        return body()
    }

    /// Returns a closure that runs another one as its actor's, which is the present one.
    package static func keeping<each Argument, Result>(
        _ body: @escaping (repeat each Argument) -> Result
    ) -> (repeat each Argument) -> Result {
        let caller = current
        guard caller.executor != nil else { return body }
        return { (argument: repeat each Argument) in caller.run { body(repeat each argument) } }
    }

    // MARK: This thread's

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

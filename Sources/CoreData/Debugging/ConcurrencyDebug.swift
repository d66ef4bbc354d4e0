import Foundation

/// The setting `-com.apple.CoreData.ConcurrencyDebug 1`, which stops the program where it uses a context, or
/// an object of one, off the context's queue. Reads of objects then take longer.
enum ConcurrencyDebug {
    /// Evaluated once: settings are read at the start of a program.
    static let isOn = (LaunchSetting.concurrencyDebug.value ?? 0) > 0
}

extension NSManagedObjectContext {
    /// Whether reads of properties of the context's objects take the slow path, on which they are tracked or
    /// checked.
    final var tracksReads: Bool { tracksObservation || checksQueue }

    /// Traps unless this thread may use the context.
    @inline(__always)
    final func checkQueue(_ call: @autoclosure () -> String) {
        if checksQueue, !queue.isCurrent { reportViolation(call()) }
    }

    private final func reportViolation(_ call: String) -> Never {
        let kind = queue.type == .mainQueueConcurrencyType ? "main" : "private"
        programmerError(
            "\(Printing.head(self, named: name)), a context with a \(kind) queue, is used outside of its queue: \(call) on "
                + "\(Thread.current). Call it in the context's perform or performAndWait.")
    }
}

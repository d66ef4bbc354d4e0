import CoreDataSQL
import CoreDataStore
import Foundation
import Synchronization

/// Returns the statements that a store runs during the body.
enum Statements {
    static func selects(_ stack: NotesStack, _ body: () throws -> Void) rethrows -> Int {
        let count = Counter()
        let path = stack.storeURL.path
        let listener = SQLLog.listen(.statements) { entry in
            if entry.path.hasSuffix(path), entry.sql.hasPrefix("SELECT") { count.increment() }
        }
        defer { listener.stop() }
        try body()
        return count.value
    }
}

/// Counts on any thread.
final class Counter: Sendable {
    private let count = Atomic(0)
    var value: Int { count.load(ordering: .relaxed) }
    func increment() { count.add(1, ordering: .relaxed) }
}

import CoreDataSQL
import CoreDataStore
import Foundation
import Synchronization

extension TestStack {
    /// Returns the statements run on the stack's store during the body.
    func statements(_ body: () throws -> Void) rethrows -> [String] {
        let texts = Texts()
        let place = ScratchFolder.logged(storeURL)
        let listener = SQLLog.listen(.statements) { entry in
            if entry.path.hasSuffix(place) { texts.add(entry.sql) }
        }
        defer { listener.stop() }
        try body()
        return texts.all
    }

    /// Returns the reading statements run during the body.
    func selects(_ body: () throws -> Void) rethrows -> [String] {
        try statements(body).filter { $0.hasPrefix("SELECT") }
    }
}

private final class Texts: Sendable {
    private let texts = Mutex<[String]>([])
    var all: [String] { texts.withLock { $0 } }
    func add(_ text: String) { texts.withLock { $0.append(text) } }
}

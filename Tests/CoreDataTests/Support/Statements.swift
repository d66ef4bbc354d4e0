import CoreDataSQL
import CoreDataStore
import Foundation
import Synchronization

extension TestStack {
    /// Returns the statements run on the stack's file during the body.
    func statements(_ body: () throws -> Void) rethrows -> [String] {
        let texts = Texts()
        let path = folder.file().path
        let listener = SQLLog.listen(.statements) { entry in
            if entry.path.hasSuffix(path) { texts.add(entry.sql) }
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

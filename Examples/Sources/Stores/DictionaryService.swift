import Foundation
import Synchronization

/// A service that keeps records by name, as a web service would: it knows nothing of objects, and every
/// answer is a copy.
public final class DictionaryService: Sendable {
    /// One record: its kind, its values, which are not mutated, and the names of the records it refers to.
    public struct Record: @unchecked Sendable {
        public var kind: String
        public var values: [String: Any]
        public var links: [String: [String]]
        public var version: UInt64

        public init(kind: String, values: [String: Any], links: [String: [String]] = [:], version: UInt64 = 1)
        {
            (self.kind, self.values, self.links, self.version) = (kind, values, links, version)
        }
    }

    private let records = Mutex<[String: Record]>([:])
    private let count = Mutex(0)

    public init() {}

    /// How many times the service was asked.
    public var requestCount: Int { count.withLock { $0 } }

    public func names(of kinds: Set<String>) -> [String] {
        note()
        return records.withLock { records in records.filter { kinds.contains($0.value.kind) }.keys.sorted() }
    }

    public func record(_ name: String) -> Record? {
        note()
        return records.withLock { $0[name] }
    }

    /// Stores what is given and drops what is named, all at once.
    public func put(_ changed: [String: Record], dropping dropped: [String]) {
        note()
        records.withLock { records in
            for (name, record) in changed { records[name] = record }
            for name in dropped { records[name] = nil }
        }
    }

    private func note() { count.withLock { $0 += 1 } }
}

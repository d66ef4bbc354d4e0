import Foundation
import Synchronization

/// The models in use, as long as anything uses them: where a class looks for its entity.
enum LiveModels {
    private struct Entry {
        weak var model: FrozenModel?
    }

    private static let entries = Mutex<[Entry]>([])
    private static let serial = Atomic<UInt64>(0)

    static func nextSerial() -> UInt64 {
        serial.add(1, ordering: .relaxed).newValue
    }

    static func add(_ model: FrozenModel) {
        entries.withLock { entries in
            entries.removeAll { $0.model == nil }
            entries.append(Entry(model: model))
        }
    }

    /// The models in use, the latest first.
    static var all: [FrozenModel] {
        entries.withLock { $0.compactMap(\.model) }.sorted { $0.serial > $1.serial }
    }
}

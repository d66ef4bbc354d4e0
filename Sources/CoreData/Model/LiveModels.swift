import Foundation
import Synchronization

/// The models in use, as long as anything uses them: where a class looks for its entity.
enum LiveModels {
    private static let entries = Mutex<[Backlink<FrozenModel>]>([])
    private static let serial = Atomic<UInt64>(0)

    static func nextSerial() -> UInt64 {
        serial.add(1, ordering: .relaxed).newValue
    }

    static func add(_ model: FrozenModel) {
        entries.withLock { entries in
            entries.removeAll { $0.target == nil }
            entries.append(model.link)
        }
    }

    /// The models in use, the latest first.
    static var all: [FrozenModel] {
        entries.withLock { $0.compactMap(\.target) }.sorted { $0.serial > $1.serial }
    }
}

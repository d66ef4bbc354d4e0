import Foundation
import Synchronization

/// The models in use, as long as anything uses them: where a class looks for its entity.
enum LiveModels {
    /// In the order in which they were used last.
    private static let entries = Mutex<[Backlink<FrozenModel>]>([])

    /// Somebody begins to work with the model.
    static func noteUse(of model: FrozenModel) {
        entries.withLock { entries in
            entries.removeAll { $0 === model.link || $0.target == nil }
            entries.append(model.link)
        }
    }

    /// The models in use, the one used last first.
    static var all: [FrozenModel] {
        entries.withLock { $0.compactMap(\.target) }.reversed()
    }
}

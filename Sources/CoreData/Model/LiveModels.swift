import Foundation
import Synchronization

/// The models in use, as long as anything uses them, among which a class looks for its entity.
enum LiveModels {
    /// The models in the order in which they were used last.
    private static let entries = Mutex<[Backlink<FrozenModel>]>([])

    /// Notes that a coordinator was made with a model, or opened a store for it.
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

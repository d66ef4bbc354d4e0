import Foundation
import Synchronization

/// The models in use, among which the entity of a class is looked up. They are not kept alive.
enum LiveModels {
    /// The models in the order of their last use.
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

import Foundation
import Synchronization

/// The contexts of a coordinator that take over by themselves what others save.
final class MergingContexts: Sendable {
    private let members = Mutex<[Backlink<NSManagedObjectContext>]>([])

    func set(_ merges: Bool, for context: NSManagedObjectContext) {
        members.withLock { members in
            members.removeAll { $0.target == nil || $0 === context.link }
            if merges { members.append(context.link) }
        }
    }

    /// Tells them what another context saved.
    func publish(_ idInfo: [AnyHashable: Any], from source: NSManagedObjectContext) {
        let contexts = members.withLock { $0.compactMap(\.target) }
        for context in contexts where context !== source {
            nonisolated(unsafe) let notification = Notification(
                name: .NSManagedObjectContextDidSaveObjectIDs, object: source, userInfo: idInfo)
            context.perform { context.mergeChanges(fromContextDidSave: notification) }
        }
    }
}

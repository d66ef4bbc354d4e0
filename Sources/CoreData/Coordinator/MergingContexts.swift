import Foundation
import Synchronization

/// The contexts of a coordinator that take over by themselves what others save.
final class MergingContexts: Sendable {
    private let members = Mutex<[Member]>([])

    private struct Member {
        weak var context: NSManagedObjectContext?
    }

    func set(_ merges: Bool, for context: NSManagedObjectContext) {
        members.withLock { members in
            members.removeAll { $0.context == nil || $0.context === context }
            if merges { members.append(Member(context: context)) }
        }
    }

    /// Tells them what another context saved.
    func publish(_ idInfo: [AnyHashable: Any], from source: NSManagedObjectContext) {
        let contexts = members.withLock { $0.compactMap(\.context) }
        for context in contexts where context !== source {
            nonisolated(unsafe) let notification = Notification(
                name: .NSManagedObjectContextDidSaveObjectIDs, object: source, userInfo: idInfo)
            context.perform { context.mergeChanges(fromContextDidSave: notification) }
        }
    }
}

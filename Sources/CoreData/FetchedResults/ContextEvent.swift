import CoreDataModelFormat
import CoreDataValues
import Foundation

/// The changes of one event of a context, sorted once for all followers.
final class ContextEvent {
    /// Whether the context forgot all its objects.
    let isReset: Bool
    private let userInfo: [AnyHashable: Any]
    private let known: [ChangedObjects]?

    /// Makes the event of a notification.
    ///
    /// - Parameters:
    ///   - userInfo: The user info of the notification.
    ///   - known: The changes of the event, if they were noted when it ended.
    init(_ userInfo: [AnyHashable: Any], _ known: [ChangedObjects]? = nil) {
        self.userInfo = userInfo
        self.known = known
        isReset = userInfo[NSInvalidatedAllObjectsKey] != nil
    }

    /// Returns the objects under a key of the notification.
    func objects(_ key: String) -> Set<NSManagedObject> { userInfo[key] as? Set<NSManagedObject> ?? [] }

    /// All objects that were inserted, updated, refreshed or deleted, in groups.
    private(set) lazy var changed: [ChangedObjects] = known ?? told

    /// The changes that the notification lists.
    private var told: [ChangedObjects] {
        var sorting = ChangeSorting()
        for key in [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSRefreshedObjectsKey] {
            for object in objects(key) { sorting.add(object, .everything) }
        }
        for object in objects(NSDeletedObjectsKey) { sorting.add(object, .deletion) }
        return sorting.groups
    }

    func concerns(_ entities: Range<EntityIndex>) -> Bool {
        isReset || changed.contains { entities.contains($0.entity) }
    }

    // MARK: Members of lists

    /// The group of each object, for events of so many objects that one pass over a list is faster than a
    /// search for each.
    private lazy var groups: [ObjectIdentifier: Int] = {
        var groups: [ObjectIdentifier: Int] = [:]
        groups.reserveCapacity(changed.reduce(0) { $0 + $1.objects.count })
        for (number, group) in changed.enumerated() {
            for object in group.objects { groups[ObjectIdentifier(object)] = number }
        }
        return groups
    }()

    /// Returns the results that changed, in the order of the list, each with its group's index in `changed`.
    func members(
        of list: ResultList<NSObject>, in entities: Range<EntityIndex>
    ) -> [ResultList<NSObject>.Member] {
        let count = changed.reduce(0) { $0 + (entities.contains($1.entity) ? $1.objects.count : 0) }
        guard count < 16 else { return list.members(among: groups) }
        var members: [ResultList<NSObject>.Member] = []
        for (number, group) in changed.enumerated() where entities.contains(group.entity) {
            for object in group.objects {
                if let position = list.position(of: object) {
                    members.append(.init(position: position, group: number))
                }
            }
        }
        members.sort { $0.position < $1.position }
        return members
    }
}

import CoreDataModelFormat
import CoreDataValues
import Foundation

/// What changed in one event of a context, sorted once for everybody who follows it.
final class ContextEvent {
    /// The context forgot all its objects.
    let isReset: Bool
    private let userInfo: [AnyHashable: Any]
    private let known: [ChangedObjects]?

    /// - Parameters:
    ///   - userInfo: That of the notification.
    ///   - known: What the event did, if that was noted when it ended.
    init(_ userInfo: [AnyHashable: Any], _ known: [ChangedObjects]? = nil) {
        self.userInfo = userInfo
        self.known = known
        isReset = userInfo[NSInvalidatedAllObjectsKey] != nil
    }

    /// The objects under a key of the notification.
    func objects(_ key: String) -> Set<NSManagedObject> { userInfo[key] as? Set<NSManagedObject> ?? [] }

    /// Every object that was inserted, updated, refreshed or deleted.
    private(set) lazy var changed: [ChangedObjects] = known ?? told

    /// All that the notification tells of what became of its objects.
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

    /// The group of each object, for lists that have more to find in it than they could look for one by one.
    private lazy var groups: [ObjectIdentifier: Int] = {
        var groups: [ObjectIdentifier: Int] = [:]
        groups.reserveCapacity(changed.reduce(0) { $0 + $1.objects.count })
        for (number, group) in changed.enumerated() {
            for object in group.objects { groups[ObjectIdentifier(object)] = number }
        }
        return groups
    }()

    /// The results that changed, in the order of the list, with the group of `changed` that each is in.
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

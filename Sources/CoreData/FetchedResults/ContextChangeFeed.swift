import CoreDataModelFormat
import CoreDataValues
import Foundation

/// What changed in one event of a context, sorted by entity once for everybody who follows it.
struct ContextEvent {
    /// Inserted, updated and refreshed objects.
    var touched: [EntityIndex: [NSManagedObject]] = [:]
    var deleted: [EntityIndex: [NSManagedObject]] = [:]
    /// The context forgot all its objects.
    var isReset = false

    /// Reads the user info of an objects-did-change notification.
    init(_ userInfo: [AnyHashable: Any]) {
        func note(_ key: String, in groups: inout [EntityIndex: [NSManagedObject]]) {
            for object in userInfo[key] as? Set<NSManagedObject> ?? [] {
                groups[object.runtime.compiled.index, default: []].append(object)
            }
        }
        for key in [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSRefreshedObjectsKey] {
            note(key, in: &touched)
        }
        note(NSDeletedObjectsKey, in: &deleted)
        isReset = userInfo[NSInvalidatedAllObjectsKey] != nil
    }

    /// The objects of an entity and those below it.
    static func objects(
        of entities: Range<EntityIndex>, in groups: [EntityIndex: [NSManagedObject]]
    ) -> [NSManagedObject] {
        if entities.count == 1 { return groups[entities.lowerBound] ?? [] }
        return groups.flatMap { entities.contains($0.key) ? $0.value : [] }
    }

    func concerns(_ entities: Range<EntityIndex>) -> Bool {
        isReset || touched.keys.contains(where: entities.contains)
            || deleted.keys.contains(where: entities.contains)
    }
}

/// Somebody who follows the objects of some entities in a context.
protocol ContextChangeFollower: AnyObject {
    var followedEntities: Range<EntityIndex> { get }
    func follow(_ event: ContextEvent)
}

/// Hands the changes of a context to its followers. However many there are, the context's notification is observed
/// and read once. Used on the context's queue.
final class ContextChangeFeed: @unchecked Sendable {
    private struct Member {
        weak var follower: (any ContextChangeFollower)?
    }

    private unowned let context: NSManagedObjectContext
    private var members: [Member] = []
    private var token: (any NSObjectProtocol)?

    init(_ context: NSManagedObjectContext) {
        self.context = context
    }

    deinit {
        if let token { NotificationCenter.default.removeObserver(token) }
    }

    /// Followers are held weakly.
    func add(_ follower: any ContextChangeFollower) {
        members.append(Member(follower: follower))
        guard token == nil else { return }
        token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
        ) { [weak self] notification in
            self?.publish(ContextEvent(notification.userInfo ?? [:]))
        }
    }

    func remove(_ follower: any ContextChangeFollower) {
        members.removeAll { $0.follower == nil || $0.follower === follower }
    }

    var followers: [any ContextChangeFollower] { members.compactMap(\.follower) }

    /// Whether somebody wants to know of objects of an entity that the context may not even have: those that another
    /// one saved may be results now.
    func isFollowed(_ entity: EntityIndex) -> Bool {
        members.contains { $0.follower?.followedEntities.contains(entity) ?? false }
    }

    private func publish(_ event: ContextEvent) {
        let followers = followers
        if followers.count < members.count { members.removeAll { $0.follower == nil } }
        expectReading(of: event)
        for follower in followers { follower.follow(event) }
    }

    /// Followers read the objects that were merged or refreshed: in one statement each, not one an object.
    private func expectReading(of event: ContextEvent) {
        for (entity, objects) in event.touched where objects.count > 1 {
            guard isFollowed(entity) else { continue }
            let faults = objects.filter { $0.isFault && !$0.reference.isTemporary }
            if faults.count > 1 {
                context.faultHandler.noteBatches(faults.map(\.reference), size: 500, prefetching: [])
            }
        }
    }
}

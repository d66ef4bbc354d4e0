import CoreDataModelFormat
import CoreDataValues
import Foundation

/// What changed in one event of a context, sorted by entity once for everybody who follows it.
struct ContextEvent {
    /// Inserted, updated and refreshed objects.
    var touched: [EntityIndex: [NSManagedObject]] = [:]
    var deleted: [EntityIndex: [NSManagedObject]] = [:]
    /// Those of all of them.
    private(set) var identifiers: Set<ObjectIdentifier> = []
    /// The context forgot all its objects.
    var isReset = false
    private let userInfo: [AnyHashable: Any]

    /// Reads the user info of an objects-did-change notification.
    init(_ userInfo: [AnyHashable: Any]) {
        self.userInfo = userInfo
        func note(_ key: String, in groups: inout [EntityIndex: [NSManagedObject]]) {
            for object in userInfo[key] as? Set<NSManagedObject> ?? [] {
                groups[object.runtime.compiled.index, default: []].append(object)
                identifiers.insert(ObjectIdentifier(object))
            }
        }
        for key in [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSRefreshedObjectsKey] {
            note(key, in: &touched)
        }
        note(NSDeletedObjectsKey, in: &deleted)
        isReset = userInfo[NSInvalidatedAllObjectsKey] != nil
    }

    /// The objects under a key of the notification.
    func objects(_ key: String) -> Set<NSManagedObject> { userInfo[key] as? Set<NSManagedObject> ?? [] }

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

/// Somebody who follows the changes of a context.
protocol ContextChangeFollower: AnyObject {
    /// Entities of which every object that changes elsewhere is read, whether the context has it or not.
    var awaitedEntities: Range<EntityIndex> { get }
    func follow(_ event: ContextEvent)
    /// The context saved, which gave inserted objects their IDs.
    func followSave(_ event: ContextEvent)
    /// The context is gone.
    func contextEnds()
}

extension ContextChangeFollower {
    var awaitedEntities: Range<EntityIndex> { 0..<0 }
    func followSave(_ event: ContextEvent) {}
    func contextEnds() {}
}

/// Hands the changes of a context to its followers. However many there are, the context's notification is observed
/// and read once. Used on the context's queue.
final class ContextChangeFeed: @unchecked Sendable {
    private struct Member {
        weak var follower: (any ContextChangeFollower)?
    }

    private unowned let context: NSManagedObjectContext
    private var members: [Member] = []
    private var tokens: [any NSObjectProtocol] = []
    private let observed = ObservedObjects()
    /// Observed objects of which one side of a relationship changed.
    private var waiting: [NSManagedObject] = []

    init(_ context: NSManagedObjectContext) {
        self.context = context
    }

    deinit {
        tokens.forEach(NotificationCenter.default.removeObserver)
        for follower in followers { follower.contextEnds() }
    }

    /// Followers are held weakly.
    func add(_ follower: any ContextChangeFollower) {
        members.append(Member(follower: follower))
        begin()
    }

    private func begin() {
        guard tokens.isEmpty else { return }
        observe(.NSManagedObjectContextObjectsDidChange) { $0.publish($1) }
        observe(.NSManagedObjectContextDidSave) { feed, event in
            for follower in feed.followers { follower.followSave(event) }
        }
    }

    private func observe(
        _ name: NSNotification.Name, _ body: @escaping @Sendable (ContextChangeFeed, ContextEvent) -> Void
    ) {
        let token = NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) {
            [weak self] notification in
            if let self { body(self, ContextEvent(notification.userInfo ?? [:])) }
        }
        tokens.append(token)
    }

    func remove(_ follower: any ContextChangeFollower) {
        members.removeAll { $0.follower == nil || $0.follower === follower }
    }

    var followers: [any ContextChangeFollower] { members.compactMap(\.follower) }

    /// Whether somebody wants to know of objects of an entity that the context may not even have: those that another
    /// one saved may be results now.
    func isFollowed(_ entity: EntityIndex) -> Bool {
        members.contains { $0.follower?.awaitedEntities.contains(entity) ?? false }
    }

    // MARK: Single objects

    /// Has somebody look at an object at each change.
    func observe(_ object: NSManagedObject, with watcher: any ObjectWatcher) {
        observed.add(watcher, of: object)
        begin()
    }

    /// An object that is observed may have changed.
    func lookAgain(at object: NSManagedObject) {
        if !object.isDeleted, object.registry === context.registry { observed.look(at: object) }
    }

    func lookLater(at object: NSManagedObject) { waiting.append(object) }

    func lookAtWaiting() {
        guard !waiting.isEmpty else { return }
        let objects = waiting
        waiting = []
        for object in objects { lookAgain(at: object) }
    }

    /// Notes that somebody read a property of an object that `withObservationTracking` may see.
    func noteRead(of object: NSManagedObject, _ key: String) {
        observed.readTracker(of: object).noteRead(key, of: object)
        begin()
    }

    // MARK: Events

    private func publish(_ event: ContextEvent) {
        let followers = followers
        if followers.count < members.count { members.removeAll { $0.follower == nil } }
        expectReading(of: event)
        lookAtWaiting()
        for objects in event.touched.values {
            for object in objects where object.flags.contains(.observed) { lookAgain(at: object) }
        }
        for follower in followers { follower.follow(event) }
    }

    /// Followers read the objects that were merged or refreshed: in one statement each, not one an object.
    private func expectReading(of event: ContextEvent) {
        for (entity, objects) in event.touched where objects.count > 1 && isFollowed(entity) {
            for (storeIndex, faults) in Dictionary(grouping: objects.filter(\.isFault), by: \.storeIndex) {
                guard let cache = context.readHandle(at: storeIndex)?.cache else { continue }
                let unread = faults.map(\.reference).filter { cache.current($0) == nil }
                if unread.count > 1 {
                    context.faultHandler.noteBatches(unread, size: 500, prefetching: [])
                }
            }
        }
    }
}

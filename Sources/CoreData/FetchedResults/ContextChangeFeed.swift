import CoreDataModelFormat
import CoreDataValues
import Foundation

/// A follower of the changes of a context.
protocol ContextChangeFollower: AnyObject {
    /// The entities whose objects the follower reads when another context changes them, even if this context
    /// does not have them.
    var awaitedEntities: Range<EntityIndex> { get }
    func follow(_ event: ContextEvent)
    /// Called after the context saved and inserted objects have their permanent IDs.
    func followSave(_ event: ContextEvent)
    /// Called when the context is freed.
    func contextEnds()
}

extension ContextChangeFollower {
    var awaitedEntities: Range<EntityIndex> { 0..<0 }
    func followSave(_ event: ContextEvent) {}
    func contextEnds() {}
}

/// The feed that hands the changes of a context to its followers, on the context's queue.
///
/// Followers are told of an event before observers of the context's notification are: Foundation on Linux
/// calls observers in no order, and a follower among them would sometimes be behind what other observers see
/// and change.
final class ContextChangeFeed {
    private struct Member {
        weak var follower: (any ContextChangeFollower)?
    }

    private unowned let context: NSManagedObjectContext
    private var members: [Member] = []
    private let observed = ObservedObjects()
    /// The observed objects of which one side of a relationship changed.
    private var waiting: [NSManagedObject] = []
    /// Whether anything follows the context or has ever followed it.
    private var isFollowed = false
    private var eventsBeingDelivered = 0
    /// Whether objects changed while the last event was delivered: some followers have already seen changes
    /// of the next one.
    private var hasShownMore = false
    /// The number of events of the context that have ended, with followers or without.
    private(set) var eventCount = 0
    /// The number of silent changes: values that changed, and objects that arrived, without being part of an
    /// event.
    private(set) var silentChanges = 0

    init(_ context: NSManagedObjectContext) {
        self.context = context
    }

    deinit {
        for follower in followers { follower.contextEnds() }
    }

    /// Adds a follower, which is held weakly.
    func add(_ follower: any ContextChangeFollower) {
        members.append(Member(follower: follower))
        isFollowed = true
    }

    func remove(_ follower: any ContextChangeFollower) {
        members.removeAll { $0.follower == nil || $0.follower === follower }
    }

    var followers: [any ContextChangeFollower] { members.compactMap(\.follower) }

    /// Returns whether a follower awaits objects of an entity that the context may not have: objects that
    /// another context saved may be results now.
    func isFollowed(_ entity: EntityIndex) -> Bool {
        members.contains { $0.follower?.awaitedEntities.contains(entity) ?? false }
    }

    // MARK: Single objects

    /// Has a watcher check an object after each of its changes.
    func observe(_ object: NSManagedObject, with watcher: any ObjectWatcher) {
        observed.add(watcher, of: object)
        isFollowed = true
    }

    /// Notes that an observed object may have changed.
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

    /// Notes that a property was read of an object that `withObservationTracking` may track.
    func noteRead(of object: NSManagedObject, _ key: String) {
        if observed.noteRead(of: object, key) { isFollowed = true }
    }

    // MARK: Events

    /// Returns the changes of the ending event in groups, while the flags of its objects still show them; nil
    /// without followers.
    func end(_ objects: [NSManagedObject]) -> [ChangedObjects]? {
        eventCount += 1
        guard !members.isEmpty else { return nil }
        let isKnown = eventsBeingDelivered == 0 && !hasShownMore
        return ChangeSorting(ofEvent: objects, isKnown: isKnown).groups
    }

    /// Makes a silent change. At the next event, live results test its objects whatever changed in them.
    func changeSilently(_ change: () -> Void) {
        change()
        silentChanges += 1
    }

    /// Tells the followers of an event.
    func deliver(_ makeEvent: @autoclosure () -> ContextEvent) {
        guard isFollowed else { return }
        let event = makeEvent()
        eventsBeingDelivered += 1
        defer {
            eventsBeingDelivered -= 1
            hasShownMore = context.tracker.hasPending
        }
        let followers = followers
        if followers.count < members.count { members.removeAll { $0.follower == nil } }
        expectReading(of: event)
        lookAtWaiting()
        for group in event.changed where group.change != .deletion {
            group.objects.forEachBorrowed { if $0.flags.contains(.observed) { lookAgain(at: $0) } }
        }
        for follower in followers { follower.follow(event) }
    }

    /// Tells the followers of a save.
    func deliverSave(_ makeEvent: @autoclosure () -> ContextEvent) {
        guard !members.isEmpty else { return }
        let event = makeEvent()
        for follower in followers { follower.followSave(event) }
    }

    /// Prefetches the merged and refreshed objects, which followers will read: by one statement per entity,
    /// not one per object.
    private func expectReading(of event: ContextEvent) {
        for group in event.changed where group.change == .everything && isFollowed(group.entity) {
            let faults = group.objects.filter(\.isFault)
            for (storeIndex, faults) in Dictionary(grouping: faults, by: \.storeIndex) {
                guard let cache = context.readHandle(at: storeIndex)?.cache else { continue }
                let unread = faults.map(\.reference).filter { cache.current($0) == nil }
                if unread.count > 1 {
                    context.faultHandler.noteBatches(unread, size: 500, prefetching: [])
                }
            }
        }
    }
}

import CoreDataModelFormat

/// The changes of one event of a context, by object ID.
///
/// A value, which may go to any thread.
///
/// Unlike Apple's: an addition.
public struct ManagedObjectContextChanges: Sendable, Equatable {
    /// The IDs of inserted objects.
    public let inserted: Set<NSManagedObjectID>
    /// The IDs of updated objects.
    public let updated: Set<NSManagedObjectID>
    /// The IDs of deleted objects.
    public let deleted: Set<NSManagedObjectID>
    /// The IDs of objects that were read again: merged, refreshed or rolled back.
    public let refreshed: Set<NSManagedObjectID>
    /// Whether the context was reset, and no longer has its former objects.
    public let isReset: Bool

    init(_ event: ContextEvent) {
        func ids(_ key: String) -> Set<NSManagedObjectID> { Set(event.objects(key).map(\.objectID)) }
        inserted = ids(NSInsertedObjectsKey)
        updated = ids(NSUpdatedObjectsKey)
        deleted = ids(NSDeletedObjectsKey)
        refreshed = ids(NSRefreshedObjectsKey)
        isReset = event.isReset
    }
}

/// The change of one object in one event of its context.
///
/// A value, which may go to any thread.
///
/// Unlike Apple's: an addition.
public enum ManagedObjectChange: Sendable, Equatable {
    /// Properties were changed, by the object itself or by the other side of a relationship.
    case updated(keys: Set<String>)
    /// The object was read again: merged, refreshed or rolled back.
    case refreshed
    /// The object was deleted, or forgotten by a reset. This is the last change of the stream.
    case deleted
}

extension NSManagedObjectContext {
    /// Returns a stream of the context's changes, event by event, until the context is freed.
    ///
    ///     for await changes in context.changes() { print(changes.updated) }
    ///
    /// Call it on the context's queue; the stream is read anywhere. Changes that are not read yet are kept.
    /// An event costs one value with the IDs of its objects.
    ///
    /// Unlike Apple's: an addition.
    public final func changes() -> AsyncStream<ManagedObjectContextChanges> {
        EventStream.stream(in: self) { event in .next(ManagedObjectContextChanges(event)) }
    }
}

extension NSManagedObject {
    /// Returns a stream of the object's changes, event by event, until it is deleted.
    ///
    ///     for await change in book.objectChanges() { print(change) }
    ///
    /// Call it on the context's queue; the stream is read anywhere. The object is kept alive as long as the
    /// stream is read. For an object without a context the stream is empty.
    ///
    /// Unlike Apple's: an addition.
    public final func objectChanges() -> AsyncStream<ManagedObjectChange> {
        guard let context = managedObjectContext else { return AsyncStream { $0.finish() } }
        return EventStream.stream(in: context) { [self] event in
            func isAmong(_ key: String) -> Bool { event.objects(key).contains(self) }
            if event.isReset || isAmong(NSDeletedObjectsKey) { return .last(.deleted) }
            if isAmong(NSRefreshedObjectsKey) { return .next(.refreshed) }
            guard isAmong(NSUpdatedObjectsKey) || isAmong(NSInsertedObjectsKey) else { return .nothing }
            return .next(.updated(keys: Set(changedValuesForCurrentEvent().keys)))
        }
    }
}

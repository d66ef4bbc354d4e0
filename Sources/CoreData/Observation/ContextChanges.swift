import CoreDataModelFormat

/// What changed in one event of a context, by object ID.
///
/// May go to any thread.
public struct ManagedObjectContextChanges: Sendable, Equatable {
    public let inserted: Set<NSManagedObjectID>
    public let updated: Set<NSManagedObjectID>
    public let deleted: Set<NSManagedObjectID>
    /// Read anew: merged, refreshed or rolled back.
    public let refreshed: Set<NSManagedObjectID>
    /// The context was reset and has none of the objects it had.
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

/// What became of one object in one event of its context.
///
/// May go to any thread.
public enum ManagedObjectChange: Sendable, Equatable {
    /// Properties were changed, of the object or by the other side of a relationship.
    case updated(keys: Set<String>)
    /// Read anew: merged, refreshed or rolled back.
    case refreshed
    /// Deleted, or forgotten by a reset; nothing comes after it.
    case deleted
}

extension NSManagedObjectContext {
    /// What changes in the context, event by event, until it goes.
    ///
    /// An addition to Apple's framework. Called on the context's queue; what comes out is read anywhere.
    ///
    ///     for await changes in context.changes() { print(changes.updated) }
    public final func changes() -> AsyncStream<ManagedObjectContextChanges> {
        EventStream.stream(in: self) { event in .next(ManagedObjectContextChanges(event)) }
    }
}

extension NSManagedObject {
    /// What becomes of the object, event by event, until it is deleted.
    ///
    /// The object is kept as long as the stream is read. An addition to Apple's framework. Called on the
    /// context's queue; what comes out is read anywhere.
    ///
    ///     for await change in book.objectChanges() { print(change) }
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

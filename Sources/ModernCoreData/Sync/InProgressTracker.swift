public import CoreData

/// The objects that a change processor has in progress, so that it sends no object twice at the same time.
///
/// It stores their IDs, so the objects must have been saved. They may become faults, be deleted, or be
/// invalidated by a reset of their context. It is used on the queue of that context.
public final class InProgressTracker<Object: NSManagedObject> {
    private var inProgress: Set<NSManagedObjectID> = []
    /// The number of successive failures of each object.
    private var failures: [NSManagedObjectID: Int] = [:]

    /// Makes a tracker without objects.
    public init() {}

    /// Whether no object is in progress.
    public var isEmpty: Bool { inProgress.isEmpty }

    /// Returns whether an object is in progress.
    public func contains(_ object: Object) -> Bool { inProgress.contains(object.objectID) }

    /// Returns the objects that are not in progress, and marks them as in progress.
    public func objectsToProcess(from objects: [Object]) -> [Object] {
        objects.filter { inProgress.insert($0.objectID).inserted }
    }

    /// Ends the progress of objects, and resets their failure counts.
    public func markObjectsAsComplete(_ objects: [Object]) {
        release(objects)
        for object in objects { failures[object.objectID] = nil }
    }

    /// Ends the progress of objects, and keeps their failure counts.
    public func release(_ objects: [Object]) {
        inProgress.subtract(objects.map(\.objectID))
    }

    /// Counts a failure of each object, and returns the greatest number of successive failures among them.
    public func noteFailure(of objects: [Object]) -> Int {
        for object in objects { failures[object.objectID, default: 0] += 1 }
        return objects.compactMap { failures[$0.objectID] }.max() ?? 0
    }
}

extension InProgressTracker: CustomDebugStringConvertible {
    /// The IDs of the objects in progress, as text.
    public var debugDescription: String {
        let ids = inProgress.map { $0.uriRepresentation().absoluteString }.sorted()
        return "InProgressTracker of \(ids.count): \(ids.joined(separator: ", "))"
    }
}

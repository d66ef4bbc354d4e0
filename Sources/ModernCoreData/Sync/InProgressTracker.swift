public import CoreData

/// The objects that a change processor has in progress, so that none is sent twice meanwhile.
///
/// It knows them by ID: objects have to be saved, and may turn into faults, be deleted, or be forgotten by a
/// reset of their context. It is used on the queue of that context.
public final class InProgressTracker<Object: NSManagedObject> {
    private var inProgress: Set<NSManagedObjectID> = []
    /// How often in a row each object has failed.
    private var failures: [NSManagedObjectID: Int] = [:]

    /// Makes a tracker without objects.
    public init() {}

    /// Whether no object is in progress.
    public var isEmpty: Bool { inProgress.isEmpty }

    /// Returns whether an object is in progress.
    public func contains(_ object: Object) -> Bool { inProgress.contains(object.objectID) }

    /// Returns the objects that are not in progress; they are from now on.
    public func objectsToProcess(from objects: [Object]) -> [Object] {
        objects.filter { inProgress.insert($0.objectID).inserted }
    }

    /// Ends the progress of objects, and forgets their failures.
    public func markObjectsAsComplete(_ objects: [Object]) {
        release(objects)
        for object in objects { failures[object.objectID] = nil }
    }

    /// Ends the progress of objects that have failed so far; their failures stay counted.
    public func release(_ objects: [Object]) {
        inProgress.subtract(objects.map(\.objectID))
    }

    /// Counts a failure of each object, and returns the greatest number of failures in a row among them.
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

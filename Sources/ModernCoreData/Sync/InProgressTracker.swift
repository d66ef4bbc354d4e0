public import CoreData

/// The objects that a change processor has under way, so that none is sent twice meanwhile. Knows them by ID:
/// objects have to be saved, and may turn into faults, be deleted, or be forgotten by a reset of their context.
/// Used on the queue of that context.
public final class InProgressTracker<Object: NSManagedObject> {
    private var inProgress: Set<NSManagedObjectID> = []
    /// How often in a row an object has failed.
    private var failures: [NSManagedObjectID: Int] = [:]

    public init() {}

    public var isEmpty: Bool { inProgress.isEmpty }

    public func contains(_ object: Object) -> Bool { inProgress.contains(object.objectID) }

    /// Those of the objects that are not in progress; they are from now on.
    public func objectsToProcess(from objects: [Object]) -> [Object] {
        objects.filter { inProgress.insert($0.objectID).inserted }
    }

    /// Ends the progress of objects, and their failures.
    public func markObjectsAsComplete(_ objects: [Object]) {
        release(objects)
        for object in objects { failures[object.objectID] = nil }
    }

    /// Ends the progress of objects, which have failed so far.
    public func release(_ objects: [Object]) {
        inProgress.subtract(objects.map(\.objectID))
    }

    /// Counts a failure of each object; returns how often in a row the one has failed that did most often.
    public func noteFailure(of objects: [Object]) -> Int {
        for object in objects { failures[object.objectID, default: 0] += 1 }
        return objects.compactMap { failures[$0.objectID] }.max() ?? 0
    }
}

extension InProgressTracker: CustomDebugStringConvertible {
    public var debugDescription: String {
        let ids = inProgress.map { $0.uriRepresentation().absoluteString }.sorted()
        return "InProgressTracker of \(ids.count): \(ids.joined(separator: ", "))"
    }
}

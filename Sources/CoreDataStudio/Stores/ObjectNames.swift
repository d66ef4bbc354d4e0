import CoreData

/// The names of objects in edits, and what became of them.
struct ObjectNames: Sendable {
    /// The new objects of the context.
    var inserted: [String: NSManagedObjectID] = [:]
    /// The later names of objects that were saved, or made again after they had been deleted.
    private var renamed: [String: String] = [:]
    private var count = 0

    mutating func newName(of entity: String) -> String {
        count += 1
        return "\(entity)/new\(count)"
    }

    mutating func rename(_ name: String, to new: String) { renamed[name] = new }

    /// Returns the name that an object has by now.
    func current(_ name: String) -> String {
        var name = name
        while let new = renamed[name] { name = new }
        return name
    }

    /// Returns the name of an object of the context.
    func name(of object: NSManagedObject) -> String {
        let id = object.objectID
        guard id.isTemporaryID else { return id.rowName }
        return inserted.first { $0.value == id }?.key ?? id.rowName
    }
}

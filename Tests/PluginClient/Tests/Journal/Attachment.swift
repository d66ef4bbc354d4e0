import CoreData

/// Its properties are generated.
nonisolated final class Attachment: NSManagedObject {
    var isLarge: Bool { size > 1_000_000 }
}

import CoreData
import Foundation

/// The calls so far, in order, and the hooks to run: the `userInfo` of a context under test holds one.
final class CallLog {
    var calls: [String] = []
    var willSave: (NSManagedObject) -> Void = { _ in }
    var didSave: (NSManagedObject) -> Void = { _ in }
    var awakeFromInsert: (NSManagedObject) -> Void = { _ in }
    var awakeFromFetch: (NSManagedObject) -> Void = { _ in }
    var prepareForDeletion: (NSManagedObject) -> Void = { _ in }

    init(in context: NSManagedObjectContext) {
        context.userInfo["log"] = self
    }

    static func of(_ object: NSManagedObject) -> CallLog? {
        object.managedObjectContext?.userInfo["log"] as? CallLog
    }

    /// Returns the calls since the last call of this function.
    func take() -> [String] {
        defer { calls = [] }
        return calls
    }
}

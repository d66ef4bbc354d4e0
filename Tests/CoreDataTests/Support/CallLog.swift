import CoreData
import Foundation

/// What happened, in order, and what is to happen: the `userInfo` of a context under test holds one.
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

    /// What was noted since the last call.
    func take() -> [String] {
        defer { calls = [] }
        return calls
    }
}

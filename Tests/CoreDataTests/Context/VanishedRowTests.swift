import CoreData
import Foundation
import Testing

@Suite("Rows deleted by another context", .serialized)
@MainActor
struct VanishedRowTests {
    /// Returns an author changed or deleted in this context, whose row another context has deleted.
    private func vanished(
        _ policy: NSMergePolicy, _ change: (NSManagedObject, NSManagedObjectContext) -> Void
    ) throws -> (TestStack, NSManagedObject) {
        let stack = try CatalogStack(policy: policy)
        let ann = stack.insert("Author", ["name": "Ann", "age": 1])
        stack.insert("Shelf", ["name": "A", "favourite": ann])
        try stack.context.save()
        let other = try stack.reopened()
        other.context.delete(try other.fetch("Author")[0])
        try other.context.save()
        change(ann, stack.context)
        return (stack, ann)
    }

    private func rename(_ object: NSManagedObject, _ context: NSManagedObjectContext) {
        object.setValue("Eve", forKey: "name")
    }

    @Test("The error policy fails with 133020 and a conflict without persisted values")
    func errorPolicy() throws {
        let (stack, ann) = try vanished(.error, rename)
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == NSManagedObjectMergeError)
        let conflict = try #require((error?.userInfo["conflictList"] as? [NSMergeConflict])?.first)
        #expect(conflict.sourceObject === ann)
        #expect(conflict.persistedSnapshot == nil)
        #expect(conflict.newVersionNumber == 0)
        #expect(conflict.oldVersionNumber == 1)
        #expect(ann.isUpdated)
        #expect(ann.value(forKey: "name") as? String == "Eve")
    }

    @Test("Object trump and overwrite write the row again under its key")
    func contextWins() throws {
        for policy in [NSMergePolicy.mergeByPropertyObjectTrump, .overwrite] {
            let (stack, ann) = try vanished(policy, rename)
            let id = ann.objectID
            try stack.context.save()
            #expect(ann.objectID == id)
            #expect(!stack.context.hasChanges)
            #expect(try stack.stored("Author", "name") == ["Eve"])
            #expect(try stack.stored("Author", "age") == [1])
            ann.setValue("Eva", forKey: "name")
            try stack.context.save()
        }
    }

    @Test("Store trump and rollback delete the object in the context, too")
    func storeWins() throws {
        for policy in [NSMergePolicy.mergeByPropertyStoreTrump, .rollback] {
            let (stack, ann) = try vanished(policy, rename)
            try stack.context.save()
            #expect(ann.managedObjectContext == nil)
            #expect(!stack.context.hasChanges)
            #expect(try stack.fetch("Author").isEmpty)
            #expect(try stack.stored("Author", "name", as: String.self).isEmpty)
        }
    }

    @Test("Deleting a deleted row is a conflict only under the error policy")
    func deletedTwice() throws {
        let (failing, _) = try vanished(.error) { $1.delete($0) }
        #expect(throws: NSError.self) { try failing.context.save() }
        for policy in [
            NSMergePolicy.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite, .rollback,
        ] {
            let (stack, ann) = try vanished(policy) { $1.delete($0) }
            try stack.context.save()
            #expect(ann.managedObjectContext == nil)
            #expect(!stack.context.hasChanges)
        }
    }

    @Test("A deletion wins over an update of the row, except under rollback")
    func deletedOverChange() throws {
        for policy in [NSMergePolicy.mergeByPropertyObjectTrump, .overwrite, .rollback] {
            let stack = try CatalogStack(policy: policy)
            let ann = stack.insert("Author", ["name": "Ann", "age": 1])
            try stack.context.save()
            let other = try stack.reopened()
            try other.fetch("Author")[0].setValue(2, forKey: "age")
            try other.context.save()
            stack.context.delete(ann)
            try stack.context.save()
            let left = try stack.stored("Author", "age", as: Int.self)
            #expect(left == (policy === NSMergePolicy.rollback ? [2] : []))
        }
    }

    @Test("Rows of objects given to detectConflicts are checked even without changes")
    func watched() throws {
        let stack = try CatalogStack()
        let ann = stack.insert("Author", ["name": "Ann", "age": 1])
        try stack.context.save()
        stack.context.detectConflicts(for: ann)
        let other = try stack.reopened()
        try other.fetch("Author")[0].setValue(2, forKey: "age")
        try other.context.save()
        stack.insert("Shelf", ["name": "A"])
        #expect(throws: NSError.self) { try stack.context.save() }
        stack.context.mergePolicy = NSMergePolicy.overwrite
        try stack.context.save()
        #expect(ann.value(forKey: "age") as? Int == 2)
        #expect(!ann.hasChanges)
    }
}

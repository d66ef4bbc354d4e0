import CoreData
import Foundation
import Testing

@Suite("Merging results of batches into contexts")
@MainActor
struct BatchMergingTests {
    private let stack: TestStack
    private let authors: [NSManagedObject]
    private let book: NSManagedObject

    init() throws {
        stack = try CatalogStack()
        authors = ["A", "B"].map { [stack] in stack.insert("Author", ["name": $0, "age": 1]) }
        book = stack.insert("Book", ["name": "b", "author": authors[0]])
        try stack.context.save()
    }

    private func merge(_ key: String, _ ids: [NSManagedObjectID]) {
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [key: ids], into: [stack.context])
    }

    @Test("Updated objects are refreshed and keep their own unsaved changes")
    func updated() throws {
        authors[1].setValue("mine", forKey: "town")
        let request = NSBatchUpdateRequest(entityName: "Author")
        request.propertiesToUpdate = ["age": NSExpression(format: "age + 1"), "town": "theirs"]
        request.resultType = .updatedObjectIDsResultType
        let result = try stack.context.execute(request) as? NSBatchUpdateResult
        let ids = try #require(result?.result as? [NSManagedObjectID])
        #expect(authors.map { $0.value(forKey: "age") as? Int } == [1, 1])
        merge(NSUpdatedObjectIDsKey, ids)
        #expect(authors.map { $0.value(forKey: "age") as? Int } == [2, 2])
        #expect(authors.map { $0.value(forKey: "town") as? String } == ["theirs", "mine"])
        try stack.context.save()
        #expect(try stack.stored("Author", "town", as: String.self) == ["theirs", "mine"])
    }

    @Test(
        "Deleted objects leave the context with its next save, and relationships drop them",
        arguments: [true, false])
    func deleted(_ isOldKey: Bool) throws {
        #expect((authors[0].value(forKey: "books") as? Set<NSManagedObject>)?.count == 1)
        let request = NSBatchDeleteRequest(objectIDs: [book.objectID])
        request.resultType = .resultTypeObjectIDs
        let result = try stack.context.execute(request) as? NSBatchDeleteResult
        let ids = try #require(result?.result as? [NSManagedObjectID])
        nonisolated(unsafe) var seen: [NSManagedObjectID] = []
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: stack.context, queue: nil
        ) { note in
            seen += (note.userInfo?[NSDeletedObjectsKey] as? Set<NSManagedObject> ?? []).map(\.objectID)
        }
        merge(isOldKey ? NSDeletedObjectsKey : NSDeletedObjectIDsKey, ids)
        NotificationCenter.default.removeObserver(observer)
        #expect(seen == ids)
        #expect(book.isDeleted)
        #expect((authors[0].value(forKey: "books") as? Set<NSManagedObject>)?.isEmpty == true)
        try stack.context.save()
        #expect(book.managedObjectContext == nil)
        #expect(!stack.context.hasChanges)
    }

    @Test("Inserted objects are reported by the context")
    func inserted() throws {
        let request = NSBatchInsertRequest(entityName: "Author", objects: [["name": "C"]])
        request.resultType = .objectIDs
        let result = try stack.context.execute(request) as? NSBatchInsertResult
        let ids = try #require(result?.result as? [NSManagedObjectID])
        #expect(stack.context.registeredObject(for: ids[0]) == nil)
        nonisolated(unsafe) var seen: [NSManagedObjectID] = []
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: stack.context, queue: nil
        ) { note in
            seen += (note.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? []).map(\.objectID)
        }
        merge(NSInsertedObjectIDsKey, ids)
        NotificationCenter.default.removeObserver(observer)
        #expect(seen == ids)
        #expect(stack.context.object(with: ids[0]).value(forKey: "name") as? String == "C")
    }

    @Test("Batches change only the store, and unsaved changes stay unsaved")
    func unsaved() throws {
        stack.insert("Author", ["name": "new", "age": 1])
        let request = NSBatchUpdateRequest(entityName: "Author")
        request.propertiesToUpdate = ["age": 5]
        request.resultType = .updatedObjectsCountResultType
        #expect((try stack.context.execute(request) as? NSBatchUpdateResult)?.result as? Int == 2)
        try stack.context.save()
        #expect(try stack.stored("Author", "age", as: Int.self) == [5, 5, 1])
    }
}

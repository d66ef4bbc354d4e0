import CoreData
import Foundation
import Testing

@Suite("Relationships changed by two contexts", .serialized)
@MainActor
struct ChangedRelationshipTests {
    private func stack() throws -> (NSManagedObjectContext, NSManagedObjectContext) {
        let model = CatalogStack.model()
        model.entitiesByName["Author"]?.managedObjectClassName = NSStringFromClass(CountingAuthor.self)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"))
        let contexts = (0..<2).map { _ in
            let context = coordinator.context(.mainQueue)
            return context
        }
        return (contexts[0], contexts[1])
    }

    private func insert(_ entity: String, _ name: String, _ context: NSManagedObjectContext)
        -> NSManagedObject
    {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        object.setValue(name, forKey: "name")
        return object
    }

    private func books(_ author: NSManagedObject) -> Set<String> {
        Set(
            (author.value(forKey: "books") as? Set<NSManagedObject> ?? []).compactMap {
                $0.value(forKey: "name") as? String
            })
    }

    @Test("A merging refresh reads the members again and applies unsaved additions and removals")
    func refreshKeepingChanges() throws {
        let (here, there) = try stack()
        let author = insert("Author", "Ursula", here)
        let first = insert("Book", "first", here)
        first.setValue(author, forKey: "author")
        insert("Book", "second", here).setValue(author, forKey: "author")
        try here.save()
        let twin = try there.existingObject(with: author.objectID)
        insert("Book", "third", there).setValue(twin, forKey: "author")
        try there.save()

        #expect(books(author) == ["first", "second"])
        insert("Book", "fourth", here).setValue(author, forKey: "author")
        first.setValue(nil, forKey: "author")
        here.refresh(author, mergeChanges: true)
        #expect(books(author) == ["second", "third", "fourth"])
        #expect(author.hasChanges)
    }

    @Test("Objects changed by resolving a conflict also get willSave")
    func preparingAfterMerge() throws {
        let (here, there) = try stack()
        here.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        let author = insert("Author", "Ursula", here)
        let book = insert("Book", "first", here)
        book.setValue(author, forKey: "author")
        let rival = insert("Author", "Ursula", there)
        insert("Book", "second", there).setValue(rival, forKey: "author")
        try there.save()

        try here.save()
        let kept = try #require(book.value(forKey: "author") as? NSManagedObject)
        #expect(kept.objectID == rival.objectID)
        #expect(books(kept) == ["first", "second"])
        #expect(kept.value(forKey: "age") as? Int == 2)
        there.refreshAllObjects()
        #expect(rival.value(forKey: "age") as? Int == 2)
    }

    @Test("A rollback leaves nothing to save, even if the store has only one side of a relationship")
    func rollbackOfOneSide() throws {
        let stack = try CompanyStack()
        stack.insert("Employee", ["name": "Ann", "desk": stack.insert("Desk", ["name": "1"])])
        stack.insert("Desk", ["name": "2"])
        try stack.context.save()
        let database = try stack.tables()
        try database.execute("UPDATE ZDESK SET ZOWNER = NULL")
        let other = try stack.reopened()
        let ann = try #require(try other.fetch("Employee").first)
        let desks = try other.fetch("Desk")
        ann.setValue(desks[1], forKey: "desk")
        other.context.rollback()
        #expect(!other.context.hasChanges)
        #expect(ann.value(forKey: "desk") as? NSManagedObject === desks[0])
        #expect(desks.allSatisfy { $0.value(forKey: "owner") == nil })
    }
}

/// Keeps the number of its books in its age, as apps keep counts.
final class CountingAuthor: NSManagedObject {
    override func willSave() {
        super.willSave()
        let count = (value(forKey: "books") as? NSSet)?.count ?? 0
        if value(forKey: "age") as? Int != count { setValue(count, forKey: "age") }
    }
}

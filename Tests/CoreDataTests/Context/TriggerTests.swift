import CoreData
import Foundation
import Testing

@Suite("Rows that the store's triggers change", .serialized, .ofSQLite("Triggers of the store's own"))
@MainActor
struct TriggerTests {
    /// Returns a store in which triggers set an author's age to the number of books, and the town to the name
    /// in capitals.
    private func stack() throws -> TestStack {
        let stack = try CatalogStack()
        try stack.coordinator.remove(stack.coordinator.persistentStores[0])
        let database = try PlainDatabase(stack.storeURL)
        try database.execute(
            """
            CREATE TRIGGER COUNT_INSERT AFTER INSERT ON ZBOOK BEGIN
              UPDATE ZAUTHOR SET ZAGE = (SELECT COUNT(*) FROM ZBOOK WHERE ZAUTHOR = NEW.ZAUTHOR)
              WHERE Z_PK = NEW.ZAUTHOR;
              SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZAUTHOR', Z_ENT, Z_PK, 'age', ZAGE)
              FROM ZAUTHOR WHERE Z_PK = NEW.ZAUTHOR;
            END;
            CREATE TRIGGER SHOUT_INSERT AFTER INSERT ON ZAUTHOR BEGIN
              UPDATE ZAUTHOR SET ZTOWN = upper(NEW.ZNAME) WHERE Z_PK = NEW.Z_PK;
            END;
            CREATE TRIGGER SHOUT_UPDATE AFTER UPDATE OF ZNAME ON ZAUTHOR BEGIN
              UPDATE ZAUTHOR SET ZTOWN = upper(NEW.ZNAME) WHERE Z_PK = NEW.Z_PK;
            END;
            """)
        return try stack.reopened()
    }

    @Test("A refresh, another context and a new fetch see what the store's triggers wrote")
    func inserted() throws {
        let stack = try stack()
        let ann = stack.insert("Author", ["name": "Ann"])
        stack.insert("Book", ["name": "a", "author": ann])
        try stack.context.save()
        #expect(ann.value(forKey: "town") == nil)
        let other = stack.sibling(.privateQueue)
        let id = ann.objectID
        other.performAndWait {
            #expect(other.object(with: id).value(forKey: "town") as? String == "ANN")
        }
        stack.context.refresh(ann, mergeChanges: true)
        #expect(ann.value(forKey: "town") as? String == "ANN")
        #expect(ann.value(forKey: "age") as? Int == 1)
        ann.setValue("Eve", forKey: "name")
        try stack.context.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
        request.shouldRefreshRefetchedObjects = true
        #expect(try stack.context.fetch(request).first?.value(forKey: "town") as? String == "EVE")
    }

    @Test("A row that only a trigger changed is read again by faults")
    func touched() throws {
        let stack = try stack()
        let ann = stack.insert("Author", ["name": "Ann"])
        try stack.context.save()
        stack.context.refresh(ann, mergeChanges: false)
        #expect(ann.value(forKey: "age") as? Int ?? 0 == 0)
        let other = stack.sibling(.privateQueue)
        let id = ann.objectID
        try other.performAndWait {
            let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: other)
            book.setValue(other.object(with: id), forKey: "author")
            try other.save()
            #expect(other.object(with: id).value(forKey: "age") as? Int ?? 0 == 0)
            other.refreshAllObjects()
            #expect(other.object(with: id).value(forKey: "age") as? Int == 1)
        }
        #expect(ann.value(forKey: "age") as? Int ?? 0 == 0)
        stack.context.refresh(ann, mergeChanges: false)
        #expect(ann.value(forKey: "age") as? Int == 1)
    }

    @Test("Saving again after a refresh is no conflict, and keeps the trigger's values")
    func savingAgain() throws {
        let stack = try stack()
        let ann = stack.insert("Author", ["name": "Ann"])
        try stack.context.save()
        stack.insert("Book", ["name": "a", "author": ann])
        try stack.context.save()
        stack.insert("Book", ["name": "b", "author": ann])
        try stack.context.save()
        #expect(try stack.stored("Author", "age") == [2])
        stack.context.refresh(ann, mergeChanges: true)
        ann.setValue("Ann Lee", forKey: "name")
        try stack.context.save()
        #expect(try stack.stored("Author", "age") == [2])
        #expect(try stack.stored("Author", "town") == ["ANN LEE"])
    }
}

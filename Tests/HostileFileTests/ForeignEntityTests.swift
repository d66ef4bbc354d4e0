import CoreData
import CoreDataModelFormat
import Foundation
import Testing

/// Tests of stores that refer to rows as objects of an entity to which they do not belong.
@Suite("Rows with wrong entity numbers")
struct ForeignEntityTests {
    private static func context(_ damage: String...) throws -> (NSManagedObjectContext, SampleStore) {
        let sample = try SampleStore()
        for statement in damage { try sample.damage(statement) }
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: try NSManagedObjectModel(SampleModel.document))
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: sample.url,
            options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return (context, sample)
    }

    private static func objects(
        _ entity: String, in context: NSManagedObjectContext,
        _ change: (NSFetchRequest<NSManagedObject>) -> Void = { _ in }
    ) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        if entity == "Author" || entity == "Tag" { request.sortDescriptors = nil }
        change(request)
        return try context.fetch(request)
    }

    @Test(
        "Rows with the number of an entity of another table appear in no result or relationship",
        arguments: [0, 1])
    func strangers(batchSize: Int) throws {
        let (context, sample) = try Self.context("UPDATE ZTAG SET Z_ENT = 1")
        try context.performAndWait {
            let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Tag")
            ids.resultType = .managedObjectIDResultType
            #expect(try context.fetch(ids).isEmpty)
            #expect(try Self.objects("Tag", in: context) { $0.fetchBatchSize = batchSize }.isEmpty)
            let books = try Self.objects("Book", in: context) {
                $0.fetchBatchSize = batchSize
                $0.relationshipKeyPathsForPrefetching = batchSize == 0 ? [] : ["tags"]
            }
            #expect(books.count == 2)
            for book in books { #expect((book.value(forKey: "tags") as? NSSet)?.count == 0) }
        }
        _ = consume sample
    }

    @Test(
        "A relationship gives objects of its destination's entities, whatever number a row holds")
    func numberBesideReference() throws {
        let (context, sample) = try Self.context("UPDATE ZCHAPTER SET Z2_BOOK = 5")
        try context.performAndWait {
            for chapter in try Self.objects("Chapter", in: context) {
                let book = try #require(chapter.value(forKey: "book") as? NSManagedObject)
                #expect(book.entity.name == "Book")
                #expect(book.value(forKey: "title") as? String == "The Dispossessed")
            }
            let request = NSFetchRequest<NSDictionary>(entityName: "Chapter")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["book"]
            let books = try context.fetch(request).compactMap { $0["book"] as? NSManagedObjectID }
            #expect(books.map(\.entity.name) == ["Book", "Book"])
        }
        _ = consume sample
    }

    @Test(
        "A reference to a row of another entity gives an empty object, not the object of that row",
        arguments: [false, true])
    func misdirectedReference(readsRowFirst: Bool) throws {
        let (context, sample) = try Self.context(
            "UPDATE ZAUTHOR SET ZMASTERPIECE = (SELECT Z_PK FROM ZBOOK WHERE Z_ENT = 2)")
        try context.performAndWait {
            var books = readsRowFirst ? try Self.objects("Book", in: context) : []
            for book in books { _ = book.value(forKey: "title") }
            let author = try #require(try Self.objects("Author", in: context).first)
            let masterpiece = try #require(author.value(forKey: "masterpiece") as? NSManagedObject)
            #expect(masterpiece.entity.name == "Novel")
            books = try Self.objects("Book", in: context)
            #expect(books.map(\.entity.name) == ["Novel", "Book"])
            #expect(
                books.map { $0.value(forKey: "title") as? String } == [
                    "The Dispossessed", "The Lathe of Heaven",
                ])
            // It stands for a row that is not there.
            #expect(masterpiece.value(forKey: "genre") == nil)
            #expect(masterpiece.value(forKey: "title") == nil)
            #expect(try Self.objects("Book", in: context).elementsEqual(books, by: ===))
        }
        _ = consume sample
    }

    @Test("Batches change and report only rows of the entity that they name")
    func batches() throws {
        let (context, sample) = try Self.context("UPDATE ZTAG SET Z_ENT = 1 WHERE Z_PK = 1")
        try context.performAndWait {
            let update = NSBatchUpdateRequest(entityName: "Tag")
            update.resultType = .updatedObjectIDsResultType
            update.propertiesToUpdate = ["word": NSExpression(forKeyPath: "word")]
            let updated = try context.execute(update) as? NSBatchUpdateResult
            #expect((updated?.result as? [NSManagedObjectID])?.map(\.entity.name) == ["Tag"])
            let delete = NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Tag"))
            delete.resultType = .resultTypeObjectIDs
            let deleted = try context.execute(delete) as? NSBatchDeleteResult
            #expect((deleted?.result as? [NSManagedObjectID])?.map(\.entity.name) == ["Tag"])
        }
        _ = consume sample
    }
}

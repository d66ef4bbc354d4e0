import CoreData
import CoreDataPostgreSQL
import Foundation
import Testing

@MainActor @Suite("Full-text search in PostgreSQL stores", .needsServer)
struct SearchTests {
    private static func model(isIndexed: Bool = true, and other: String? = nil) -> NSManagedObjectModel {
        let texts = ["title", "body"].map { name in
            let attribute = ItemStore.attribute(name, .stringAttributeType)
            attribute.isFullTextIndexed = isIndexed
            return attribute
        }
        let others = other.map { [ItemStore.attribute($0, .stringAttributeType)] } ?? []
        return ItemStore.model([ItemStore.attribute("n", .integer64AttributeType)] + texts + others)
    }

    private static func fill(_ store: ItemStore) throws {
        let texts: [(String?, String?)] = [
            ("The quick brown fox", "jumps over"), ("Ünïcode straße", "the lazy dog"), (nil, "Quick dogs"),
            (nil, nil), ("brown quick", ""), ("it's a \\ 'quote' & more | less !", "x:*"),
        ]
        for (number, (title, body)) in texts.enumerated() {
            let item = store.insert(["n": number])
            item.setValue(title, forKey: "title")
            item.setValue(body, forKey: "body")
        }
        try store.context.save()
    }

    private static let queries = [
        "quick", "QUICK brown", "bro*", "quick NOT brown", "fox OR unicode", "\"quick brown\"",
        "\"brown quick\"",
        "strasse", "straße", "it's", "quote more", "x", "dog*", "NOT quick", "", "less OR lazy NOT dog",
        "quick \"brown f\"*",
    ]

    /// Expects that a search finds in the store what it finds in memory.
    private static func expectAgreement(_ store: ItemStore) throws {
        let all = try store.context.fetch(store.request())
        for format in ["title matchesFullText: %@", "{title, body} matchesFullText: %@"] {
            for query in queries {
                let predicate = NSPredicate(format: format, argumentArray: [query])
                let expected = all.filter(predicate.evaluate).map { $0.value(forKey: "n") as? Int ?? -1 }
                #expect(try store.numbers(format, query) == expected.sorted(), "\(format) \(query)")
            }
        }
    }

    @Test("A search finds what it finds in memory, also after objects have changed and gone")
    func saves() throws {
        let store = try ItemStore(Self.model())
        try Self.fill(store)
        try Self.expectAgreement(store)
        #expect(try store.numbers("title matchesFullText: 'quick'") == [0, 4])
        let items = try store.context.fetch(store.request("n IN {0, 3, 4}"))
        for item in items {
            switch item.value(forKey: "n") as? Int {
            case 0: item.setValue("slow", forKey: "title")
            case 3: item.setValue("quick", forKey: "title")
            default: store.context.delete(item)
            }
        }
        try store.context.save()
        #expect(try store.numbers("title matchesFullText: 'quick'") == [3])
        #expect(try store.numbers("title matchesFullText: 'slow'") == [0])
        try Self.expectAgreement(store)
    }

    @Test("Batches keep the index")
    func batches() throws {
        let store = try ItemStore(Self.model())
        try Self.fill(store)
        try store.context.execute(
            NSBatchInsertRequest(
                entityName: "Item", objects: (10..<1300).map { ["n": $0, "title": "many\($0) quick"] }))
        #expect(try store.numbers("title matchesFullText: 'many777'") == [777])
        #expect(try store.numbers("title matchesFullText: 'quick'").count == 1292)
        let update = NSBatchUpdateRequest(entityName: "Item")
        update.predicate = NSPredicate(format: "n > 20")
        update.propertiesToUpdate = ["title": "few"]
        try store.context.execute(update)
        #expect(try store.numbers("title matchesFullText: 'many*'").count == 11)
        try store.context.execute(NSBatchDeleteRequest(fetchRequest: store.idRequest("n < 1000")))
        #expect(try store.numbers("title matchesFullText: 'few'").count == 300)
    }

    @Test("An index is made when a store without it is opened, and dropped when the model has it no longer")
    func opening() throws {
        let url = try Place.new()
        let first = try ItemStore(Self.model(isIndexed: false), at: url)
        try Self.fill(first)
        for round in 0..<2 {
            let store = try ItemStore(Self.model(), at: url)
            try Self.expectAgreement(store)
            let other = try ItemStore(Self.model(isIndexed: false), at: url)
            other.insert(["n": 100 + round, "title": "quick"])
            try other.context.save()
        }
        #expect(
            try ItemStore(Self.model(), at: url).numbers("title matchesFullText: 'quick'") == [
                0, 4, 100, 101,
            ])
    }

    @Test("A migrated store has the index again when it is opened")
    func migration() throws {
        let url = try Place.new()
        try Self.fill(ItemStore(Self.model(), at: url))
        let model = Self.model(and: "other")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let automatic = NSNumber(value: true)
        let migrated = try coordinator.addPersistentStore(
            type: .postgreSQL, at: url,
            options: [
                NSMigratePersistentStoresAutomaticallyOption: automatic,
                NSInferMappingModelAutomaticallyOption: automatic,
            ])
        try coordinator.remove(migrated)
        try Self.expectAgreement(ItemStore(model, at: url))
    }

    @Test("Texts and words of any length are saved and searched")
    func long() throws {
        let store = try ItemStore(Self.model())
        let word = String(repeating: "ab", count: 4000)
        let words = (0..<200_000).map { "w\($0)x" }.joined(separator: " ")
        store.insert(["n": 0, "title": word, "body": words])
        store.insert(["n": 1, "title": word + "c"])
        try store.context.save()
        #expect(try store.numbers("title matchesFullText: %@", word) == [0])
        #expect(try store.numbers("title matchesFullText: 'abab*'") == [0, 1])
        #expect(try store.numbers("body matchesFullText: 'w777x'") == [0])
    }
}

import Foundation
import Testing

@testable import CoreData

private typealias NSComparisonPredicate = CoreData.NSComparisonPredicate
private typealias NSExpression = CoreData.NSExpression

@Suite("Full-text search")
@MainActor
struct FullTextSearchTests {
    private func stack(_ type: NSPersistentStore.StoreType = .tested) throws -> TestStack {
        let stack = try TestStack(SearchFixtures.model(), type: type)
        SearchFixtures.fill(stack.context)
        try stack.context.save()
        return stack
    }

    private func titles(_ stack: TestStack, _ entity: String, _ predicate: NSPredicate) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = predicate
        request.sortDescriptors = [
            NSSortDescriptor(key: entity == "Person" ? "name" : "pages", ascending: true)
        ]
        let key = entity == "Person" ? "name" : "title"
        let found = try stack.context.fetch(request).map { $0.value(forKey: key) as? String ?? "nil" }
        #expect(try stack.context.count(for: request) == found.count)
        return found
    }

    private func titles(_ stack: TestStack, _ entity: String, _ format: String) throws -> [String] {
        try titles(stack, entity, NSPredicate(format: format))
    }

    // MARK: Finding

    nonisolated private static let searches: [(entity: String, format: String, titles: [String])] = [
        ("Note", "title matchesFullText: 'QUICK'", ["Quick foxes"]),
        ("Note", "{title, body} matchesFullText: 'quick*'", ["Quick foxes", "Lazy dogs"]),
        ("Note", "body matchesFullText: '\"brown fox\" OR \"lazy dog\"'", ["Quick foxes", "Lazy dogs"]),
        ("Note", "{title, body} matchesFullText: 'brulee sugar NOT fox'", ["Crème brûlée"]),
        ("Note", "title matchesFullText: 'x*' OR pages == 4", ["Nothing"]),
        ("Note", "body matchesFullText: 'jumps' AND pages > 1", ["Lazy dogs"]),
        ("Note", "NOT body matchesFullText: 'jumps'", ["Crème brûlée", "Nothing", "Invitation"]),
        ("Note", "author.name matchesFullText: 'lowe'", ["Quick foxes", "Lazy dogs"]),
        ("Note", "NOT author.name matchesFullText: 'ada'", ["Crème brûlée", "Nothing", "Invitation"]),
        ("Note", "{title, author.name} matchesFullText: 'ada dogs'", ["Lazy dogs"]),
        ("Note", "title matchesFullText: ''", []),
        ("Note", "title matchesFullText: '\" AND ( * '", []),
        ("Note", "CAST(SELF, 'Letter').address matchesFullText: 'london'", ["Invitation"]),
        ("Letter", "{address, title} matchesFullText: 'fox invitation'", ["Invitation"]),
        ("Letter", "title matchesFullText: 'quick'", []),
        ("Person", "ANY notes.title matchesFullText: 'dogs'", ["Ada Löwe"]),
        ("Person", "ALL notes.body matchesFullText: 'brown'", ["Bo"]),
        ("Person", "NONE notes.body matchesFullText: 'jumps'", ["Bo"]),
        (
            "Person",
            "SUBQUERY(notes, $n, {$n.title, $n.body} matchesFullText: 'quick' AND $n.pages < 2).@count == 1",
            ["Ada Löwe"]
        ),
    ]

    @Test("Every store finds the same objects", arguments: NSPersistentStore.StoreType.all)
    func found(_ type: NSPersistentStore.StoreType) throws {
        let stack = try stack(type)
        for search in Self.searches {
            #expect(try titles(stack, search.entity, search.format) == search.titles, "\(search.format)")
        }
    }

    @Test("Unsaved changes are searched, too", arguments: NSPersistentStore.StoreType.all)
    func pending(_ type: NSPersistentStore.StoreType) throws {
        let stack = try stack(type)
        let note = try #require(try stack.fetch("Note", "pages == 1").first)
        note.setValue("Slow foxes", forKey: "title")
        stack.insert("Note", ["title": "A quick one", "pages": 9])
        stack.context.delete(try #require(try stack.fetch("Note", "pages == 3").first))
        #expect(try titles(stack, "Note", "title matchesFullText: 'quick'") == ["A quick one"])
        #expect(try titles(stack, "Note", "title matchesFullText: 'foxes OR brulee'") == ["Slow foxes"])
        stack.context.rollback()
        #expect(try titles(stack, "Note", "title matchesFullText: 'quick OR brulee'").count == 2)
    }

    @Test("A nested context also searches its ancestors' unsaved changes")
    func nested() throws {
        let stack = try stack()
        stack.insert("Note", ["title": "A quick one", "pages": 9])
        try #require(try stack.fetch("Note", "pages == 1").first).setValue("Slow", forKey: "title")
        let child = NSManagedObjectContext(.mainQueue)
        child.parent = stack.context
        try #require(try child.fetch("Note", "pages == 4", [], sortedBy: nil).first).setValue(
            "quick", forKey: "body")
        let found = try child.fetch(
            "Note", "{title, body} matchesFullText: 'quick NOT fox'", [], sortedBy: "pages")
        #expect(found.map { $0.value(forKey: "pages") as? Int } == [4, 9])
    }

    @Test("Texts derived by the store are indexed", arguments: NSPersistentStore.StoreType.all)
    func derived(_ type: NSPersistentStore.StoreType) throws {
        let model = SearchFixtures.model()
        let note = try #require(model.entitiesByName["Note"])
        for (name, expression) in [("authorName", "author.name"), ("shout", "uppercase:(title)")] {
            let attribute = NSDerivedAttributeDescription()
            attribute.name = name
            attribute.attributeType = .stringAttributeType
            attribute.isOptional = true
            attribute.derivationExpression = NSExpression(format: expression)
            attribute.isFullTextIndexed = true
            note.properties.append(attribute)
        }
        let stack = try TestStack(model, type: type)
        SearchFixtures.fill(stack.context)
        try stack.context.save()
        stack.context.reset()
        let format = "{authorName, shout} matchesFullText: 'ada dogs'"
        #expect(try titles(stack, "Note", format) == ["Lazy dogs"])
        try #require(try stack.fetch("Person", "name BEGINSWITH 'Ada'").first).setValue("Eve", forKey: "name")
        try #require(try stack.fetch("Note", "pages == 4").first).setValue("Hot dogs", forKey: "title")
        try stack.context.save()
        stack.context.reset()
        #expect(try titles(stack, "Note", format) == [])
        #expect(
            try titles(stack, "Note", "authorName matchesFullText: 'eve'") == ["Quick foxes", "Lazy dogs"])
        #expect(try titles(stack, "Note", "shout matchesFullText: 'dogs'") == ["Lazy dogs", "Hot dogs"])
        guard type == .sqlite || type == .postgreSQL else { return }
        let update = NSBatchUpdateRequest(entityName: "Person")
        update.predicate = NSPredicate(format: "name == 'Eve'")
        update.propertiesToUpdate = ["name": "Zoe"]
        try stack.context.execute(update)
        #expect(try titles(stack, "Note", "authorName matchesFullText: 'eve'") == [])
        #expect(
            try titles(stack, "Note", "authorName matchesFullText: 'zoe'") == ["Quick foxes", "Lazy dogs"])
    }

    @Test("A history records the rows and nothing of the index")
    func history() throws {
        let folder = try ScratchFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: SearchFixtures.model())
        _ = try coordinator.addPersistentStore(
            type: .tested, at: folder.place(.tested), options: [NSPersistentHistoryTrackingKey: true])
        let context = coordinator.context(.mainQueue)
        SearchFixtures.fill(context)
        try context.save()
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
        let result = try context.execute(request) as? NSPersistentHistoryResult
        let transactions = result?.result as? [NSPersistentHistoryTransaction]
        #expect(transactions?.count == 1)
        #expect(transactions?.first?.changes?.count == 7)
        #expect(try context.fetch("Note", "title matchesFullText: 'quick'", [], sortedBy: nil).count == 1)
    }

    @Test("The initializer equals the format, and both print, archive and evaluate")
    func predicates() throws {
        let one = NSPredicate(fullText: "a \"b\"", in: ["title"])
        #expect(one == NSPredicate(format: "title matchesFullText: %@", "a \"b\""))
        let two = NSPredicate(fullText: "fox london", in: ["author.name", "address"])
        #expect(two.description == "{author.name, address} matchesFullText: \"fox london\"")
        #expect(NSPredicate(format: two.description) == two)
        let data = try NSKeyedArchiver.archivedData(withRootObject: two, requiringSecureCoding: true)
        #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data) == two)
        #expect((two as? NSComparisonPredicate)?.customSelector == Selector("matchesFullText:"))
        #expect(two.evaluate(with: ["address": "London", "author": ["name": "Fox"]]))
        #expect(!two.evaluate(with: ["address": "London"]))
        let template = NSPredicate(format: "title matchesFullText: $words")
        #expect(template.withSubstitutionVariables(["words": "a \"b\""]) == one)
        #expect(["x a, b", "c a"].filter { one.evaluate(with: ["title": $0]) } == ["x a, b"])
    }

    @Test("Dictionaries, object IDs and live results are searched in the same way")
    func otherResults() throws {
        let stack = try stack()
        let request = NSFetchRequest<NSDictionary>(entityName: "Note")
        request.predicate = NSPredicate(fullText: "brown", in: ["body"])
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["title"]
        request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: true)]
        #expect(try stack.context.fetch(request) == [["title": "Quick foxes"], ["title": "Crème brûlée"]])
        let live = NSFetchRequest<NSManagedObject>(entityName: "Note")
        live.predicate = NSPredicate(fullText: "brown", in: ["body"])
        live.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: true)]
        let controller = NSFetchedResultsController(
            fetchRequest: live, managedObjectContext: stack.context, sectionNameKeyPath: nil, cacheName: nil)
        try controller.performFetch()
        let other = SearchDelegate()
        controller.delegate = other
        try #require(controller.fetchedObjects?.first).setValue("Red", forKey: "body")
        stack.insert("Note", ["body": "Brown bread", "pages": 0])
        stack.context.processPendingChanges()
        #expect(controller.fetchedObjects?.map { $0.value(forKey: "pages") as? Int } == [0, 3])
    }

    // MARK: SQL

    @Test(
        "A search is one statement that goes from the index to the rows",
        .ofSQLite("The text of statements and plans"))
    func plan() throws {
        let stack = try stack()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
        request.predicate = NSPredicate(fullText: "quick", in: ["title", "body"])
        let statements = try stack.selects { _ = try stack.context.fetch(request) }
        let statement = try #require(statements.first)
        #expect(statements.count == 1)
        #expect(
            statement.hasSuffix(
                "WHERE t0.Z_PK IN (SELECT rowid FROM FULLTEXT_ZNOTE WHERE FULLTEXT_ZNOTE MATCH ?)"))
        let steps = try PlainDatabase(stack.folder.file()).rows("EXPLAIN QUERY PLAN \(statement)")
        let plan = steps.map { "\($0[3])" }.joined(separator: "\n")
        #expect(plan.contains("SEARCH t0 USING INTEGER PRIMARY KEY (rowid=?)"), "\(plan)")
        #expect(plan.contains("SCAN FULLTEXT_ZNOTE VIRTUAL TABLE INDEX"), "\(plan)")
    }

    @Test("Batches can search, and keep the index up to date")
    func batches() throws {
        let stack = try stack()
        let update = NSBatchUpdateRequest(entityName: "Note")
        update.predicate = NSPredicate(fullText: "quick", in: ["title", "body"])
        update.propertiesToUpdate = ["title": "Swift"]
        update.resultType = .updatedObjectsCountResultType
        let updated = try stack.context.execute(update) as? NSBatchUpdateResult
        #expect(updated?.result as? Int == 1)
        stack.context.reset()
        #expect(try titles(stack, "Note", "title matchesFullText: 'swift'") == ["Swift"])
        #expect(try titles(stack, "Note", "title matchesFullText: 'quick'") == [])

        let rows: [[String: Any]] = (10..<40).map { ["title": "Row \($0)", "pages": $0] }
        try stack.context.execute(NSBatchInsertRequest(entityName: "Note", objects: rows))
        #expect(try titles(stack, "Note", "title matchesFullText: 'row NOT 10'").count == 29)

        let delete = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
        delete.predicate = NSPredicate(fullText: "row", in: ["title"])
        try stack.context.execute(NSBatchDeleteRequest(fetchRequest: delete))
        #expect(try titles(stack, "Note", "title matchesFullText: 'row'") == [])
        guard NSPersistentStore.StoreType.tested == .sqlite else { return }
        let index = try PlainDatabase(stack.storeURL)
        #expect(
            try index.integer("SELECT COUNT(*) FROM FULLTEXT_ZNOTE WHERE FULLTEXT_ZNOTE MATCH 'row'") == 0)
        try index.execute("INSERT INTO FULLTEXT_ZNOTE (FULLTEXT_ZNOTE) VALUES ('integrity-check')")
    }

    @Test("The index's triggers do not mark a save's own objects as derived")
    func quietTriggers() throws {
        let stack = try stack()
        let note = try #require(try stack.fetch("Note", "pages == 1").first)
        note.setValue("Slow", forKey: "title")
        try stack.context.save()
        #expect(!note.isFault)
        #expect(try titles(stack, "Note", "title matchesFullText: 'slow'") == ["Slow"])
    }

    // MARK: Errors

    @Test(
        "Searching an attribute without an index is an error that names it, in every store",
        arguments: NSPersistentStore.StoreType.all)
    func errors(_ type: NSPersistentStore.StoreType) throws {
        let stack = try stack(type)
        let expected = [
            ("Person", "town matchesFullText: 'a'", "Person.town has no full-text index"),
            ("Note", "author.town matchesFullText: 'a'", "Person.town has no full-text index"),
            (
                "Note", "pages matchesFullText: 'a'",
                "Note.pages cannot be searched for words: it is no string"
            ),
            (
                "Note", "draft matchesFullText: 'a'",
                "Note.draft cannot be searched for words: it is transient"
            ),
            ("Note", "{title, author} matchesFullText: 'a'", "Note.author cannot be searched for words"),
            ("Note", "nothing matchesFullText: 'a'", "keypath nothing not found in entity Note"),
            ("Note", "title matchesFullText: 7", "needs a string on its right"),
            ("Person", "notes.title matchesFullText: 'a'", "to-many key not allowed here"),
        ]
        for (entity, format, message) in expected {
            let error = #expect(throws: CocoaError.self) { try stack.fetch(entity, format) }
            let text = "\(error?.userInfo ?? [:])"
            #expect(text.contains(message), "\(format): \(text)")
        }
    }

    @Test("A full-text index of an attribute that is not a string keeps the store from opening")
    func wrongAttribute() throws {
        let model = SearchFixtures.model()
        let pages = try #require(model.entitiesByName["Note"]?.attributesByName["pages"])
        pages.userInfo = ["FullTextIndex": true]
        #expect(pages.isFullTextIndexed)
        let error = #expect(throws: CocoaError.self) { try TestStack(model) }
        let text = "\(error?.userInfo ?? [:])"
        #expect(text.contains("Note.pages cannot be searched for words"))
    }

    // MARK: Stores that exist

    @Test("A store is indexed when a model asks for it, and stays compatible with other models")
    func evolution() throws {
        let folder = try ScratchFolder()
        let plain = try TestStack(SearchFixtures.model(isIndexed: false), in: folder)
        SearchFixtures.fill(plain.context)
        try plain.context.save()
        #expect(throws: CocoaError.self) { try plain.fetch("Note", "title matchesFullText: 'quick'") }
        let indexed = try TestStack(SearchFixtures.model(), in: folder)
        for search in Self.searches {
            #expect(try titles(indexed, search.entity, search.format) == search.titles, "\(search.format)")
        }
        let isFile = NSPersistentStore.StoreType.tested == .sqlite
        if isFile { #expect(try PlainDatabase(folder.file()).triggers().contains("FULLTEXT_ZNOTE")) }
        _ = try TestStack(SearchFixtures.model(isIndexed: false), in: folder)
        guard isFile else { return }
        #expect(try !PlainDatabase(folder.file()).triggers().contains("FULLTEXT"))
        #expect(try !PlainDatabase(folder.file()).has(table: "FULLTEXT_ZNOTE"))
    }

    @Test("A read-only store without the index finds the same by reading rows")
    func readOnly() throws {
        let folder = try ScratchFolder()
        let plain = try TestStack(SearchFixtures.model(isIndexed: false), in: folder)
        SearchFixtures.fill(plain.context)
        try plain.context.save()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: SearchFixtures.model())
        _ = try coordinator.addPersistentStore(
            type: .tested, at: folder.place(.tested), options: [NSReadOnlyPersistentStoreOption: true])
        let context = coordinator.context(.mainQueue)
        for search in Self.searches {
            let found = try context.fetch(
                search.entity, search.format, [], sortedBy: search.entity == "Person" ? "name" : "pages")
            let key = search.entity == "Person" ? "name" : "title"
            #expect(found.map { $0.value(forKey: key) as? String } == search.titles, "\(search.format)")
        }
        guard NSPersistentStore.StoreType.tested == .sqlite else { return }
        #expect(try !PlainDatabase(folder.file()).has(table: "FULLTEXT_ZNOTE"))
    }

    @Test("A store has its index after every kind of move", arguments: NSPersistentStore.StoreType.all)
    func moving(_ type: NSPersistentStore.StoreType) throws {
        let stack = try stack(type)
        let store = try #require(stack.coordinator.persistentStores.first)
        let moved = stack.folder.file("moved")
        _ = try stack.coordinator.migratePersistentStore(store, to: moved, type: .sqlite)
        #expect(try titles(stack, "Note", "title matchesFullText: 'quick'") == ["Quick foxes"])
        let replaced = stack.folder.file("replaced")
        try stack.coordinator.replacePersistentStore(
            at: replaced, withPersistentStoreFrom: moved, type: .sqlite)
        for url in [moved, replaced] {
            let found = try PlainDatabase(url).integer(
                "SELECT COUNT(*) FROM FULLTEXT_ZNOTE WHERE FULLTEXT_ZNOTE MATCH 'quick'")
            #expect(found == 1)
        }
    }

    // MARK: Models

    @Test("The option is part of the model's files, but not of its hashes")
    func modelFiles() throws {
        let model = SearchFixtures.model()
        let plain = SearchFixtures.model(isIndexed: false)
        #expect(model.entityVersionHashesByName == plain.entityVersionHashesByName)
        let stack = try TestStack(model)
        let copy = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(
            at: stack.storeURL)
        let attributes = try #require(copy.entitiesByName["Note"]?.attributesByName)
        #expect(attributes["title"]?.isFullTextIndexed == true)
        #expect(attributes["pages"]?.isFullTextIndexed == false)
        let title = try #require(plain.entitiesByName["Note"]?.attributesByName["title"])
        title.userInfo = ["FullTextIndex": "yes", "other": "x"]
        #expect(title.isFullTextIndexed)
        title.isFullTextIndexed = false
        #expect(title.userInfo as? [String: String] == ["other": "x"])
    }
}

private final class SearchDelegate: NSObject, NSFetchedResultsControllerDelegate {}

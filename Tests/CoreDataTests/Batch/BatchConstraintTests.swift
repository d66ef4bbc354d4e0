import CoreData
import Foundation
import Testing

@Suite("Unique values in batch insertions")
@MainActor
struct BatchConstraintTests {
    /// Returns a store with an author from Portland, aged 40, whose book is a shelf's favourite.
    private func stack(_ policy: NSMergePolicy) throws -> TestStack {
        let stack = try CatalogStack(policy: policy)
        let author = stack.insert("Author", ["name": "Ursula", "town": "Portland", "age": 40])
        stack.insert("Book", ["name": "first", "author": author])
        try stack.context.save()
        return stack
    }

    private static let rows: [[String: Any]] = [
        ["name": "Italo", "age": 30], ["name": "Ursula", "age": 41],
        ["name": "Jorge", "town": "Buenos Aires"],
    ]

    private func insert(_ stack: TestStack, _ rows: [[String: Any]] = rows) throws -> [NSManagedObjectID] {
        let request = NSBatchInsertRequest(entityName: "Author", objects: rows)
        request.resultType = .objectIDs
        let result = try #require(try stack.context.execute(request) as? NSBatchInsertResult)
        return try #require(result.result as? [NSManagedObjectID])
    }

    private func check(_ stack: TestStack, age: Int?, town: String?) throws {
        let other = try stack.reopened()
        let authors = try other.fetch("Author")
        #expect(authors.map { $0.value(forKey: "name") as? String } == ["Italo", "Jorge", "Ursula"])
        let ursula = try #require(authors.last)
        #expect(ursula.value(forKey: "age") as? Int == age)
        #expect(ursula.value(forKey: "town") as? String == town)
        #expect(ursula.objectID.uriRepresentation().lastPathComponent == "p1")
        #expect(try other.fetch("Book", "author == %@", ursula).count == 1)
    }

    @Test("The error policy fails with 133021, names entity and values, and nothing is written")
    func error() throws {
        let stack = try stack(.error)
        let error = #expect(throws: NSError.self) { try insert(stack) }
        #expect(error?.code == NSManagedObjectConstraintMergeError)
        #expect(
            error?.localizedFailureReason?.contains("Author with the unique values name = Ursula") == true)
        #expect(try stack.fetch("Author").count == 1)
    }

    @Test("Object trump updates the given values and leaves the rest, and the row keeps its ID")
    func objectTrump() throws {
        let stack = try stack(.mergeByPropertyObjectTrump)
        let ids = try insert(stack)
        #expect(Set(ids.map { $0.uriRepresentation().lastPathComponent }).contains("p1"))
        #expect(ids.count == 3)
        try check(stack, age: 41, town: "Portland")
    }

    @Test("Store trump fills only values that the stored row lacks")
    func storeTrump() throws {
        let stack = try stack(.mergeByPropertyStoreTrump)
        #expect(try insert(stack).count == 2)
        try check(stack, age: 40, town: "Portland")
        let author = try #require(try stack.fetch("Author", "name == %@", "Italo").first)
        #expect(author.value(forKey: "town") == nil)
        let ids = try insert(stack, [["name": "Italo", "town": "Turin", "age": 99]])
        #expect(ids == [author.objectID])
        stack.context.refresh(author, mergeChanges: false)
        #expect(author.value(forKey: "town") as? String == "Turin")
        #expect(author.value(forKey: "age") as? Int == 30)
    }

    @Test("Overwrite replaces every attribute and leaves relationships")
    func overwrite() throws {
        let stack = try stack(.overwrite)
        #expect(try insert(stack).count == 3)
        try check(stack, age: 41, town: nil)
    }

    @Test("Rollback keeps the stored row")
    func rollback() throws {
        let stack = try stack(.rollback)
        #expect(try insert(stack).count == 2)
        try check(stack, age: 40, town: "Portland")
    }

    @Test("Rows of one batch conflict with each other as they do with rows of the store")
    func amongThemselves() throws {
        let stack = try CatalogStack(policy: .mergeByPropertyObjectTrump)
        _ = try insert(
            stack, [["name": "A", "age": 1], ["name": "A", "town": "X"], ["name": "A", "age": 2]])
        let authors = try stack.fetch("Author")
        #expect(authors.count == 1)
        #expect(authors.first?.value(forKey: "age") as? Int == 2)
        #expect(authors.first?.value(forKey: "town") as? String == "X")
        let failing = try CatalogStack()
        let error = #expect(throws: NSError.self) { try insert(failing, [["name": "A"], ["name": "A"]]) }
        #expect(error?.code == NSManagedObjectConstraintMergeError)
        #expect(try failing.fetch("Author").isEmpty)
    }

    @Test("Null is never a duplicate, and a constraint over two values compares both")
    func nulls() throws {
        let stack = try CatalogStack(policy: .mergeByPropertyObjectTrump)
        let request = NSBatchInsertRequest(
            entityName: "Book",
            objects: [
                ["isbn": "1", "edition": 1, "name": "a"], ["isbn": "1", "edition": 2, "name": "b"],
                ["isbn": "1", "name": "c"], ["isbn": "1", "name": "d"],
                ["isbn": "1", "edition": 2, "name": "e"],
            ])
        try stack.context.execute(request)
        #expect(try stack.stored("Book", "name", as: String.self) == ["a", "c", "d", "e"])
    }

    @Test("An updated row has a new version, so a context with the old one meets a conflict")
    func version() throws {
        let stack = try stack(.mergeByPropertyObjectTrump)
        let ursula = try #require(try stack.fetch("Author").first)
        _ = ursula.value(forKey: "age")
        _ = try insert(stack)
        stack.context.mergePolicy = NSMergePolicy.error
        ursula.setValue("Berkeley", forKey: "town")
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == NSManagedObjectMergeError)
    }

    @Test("Constraints hold between the rows of a superentity and its subentities")
    func subentity() throws {
        let stack = try CatalogStack(policy: .mergeByPropertyObjectTrump)
        stack.insert("Editor", ["name": "Ed", "level": 3])
        try stack.context.save()
        let ids = try insert(stack, [["name": "Ed", "age": 5]])
        #expect(ids.first?.entity.name == "Editor")
        stack.context.refreshAllObjects()
        let editor = try #require(try stack.fetch("Editor").first)
        #expect(editor.value(forKey: "age") as? Int == 5)
        #expect(editor.value(forKey: "level") as? Int == 3)
    }
}

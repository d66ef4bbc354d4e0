import CoreData
import CoreDataSQL
import CoreDataStore
import Foundation
import Testing

@Suite("Fetching", .serialized)
@MainActor
struct FetchingTests {
    func people(_ stack: TestStack) throws {
        for (index, name) in ["Ann", "Bob", "Cid", "Dan"].enumerated() {
            let department = stack.insert("Department", ["name": "D\(index % 2)", "floor": index])
            stack.insert("Employee", ["name": name, "salary": index * 10, "department": department])
        }
        stack.insert("Manager", ["name": "Eve", "salary": 5])
        try stack.context.save()
    }

    /// Returns the SELECT statements that a store runs during the body.
    func selects<Value>(_ url: URL, _ body: () throws -> Value) rethrows -> (Value, Int) {
        let place = ScratchFolder.logged(url)
        let counter = StatementCounter()
        let listener = SQLLog.listen(.statements) { entry in
            if entry.path.hasSuffix(place), entry.sql.hasPrefix("SELECT") { counter.increment() }
        }
        defer { listener.stop() }
        let value = try body()
        return (value, counter.count)
    }

    @Test("A batched fetch reads keys, and then one statement for each batch used")
    func batches() throws {
        let stack = try CompanyStack()
        for index in 0..<50 { stack.insert("Project", ["name": String(format: "%02d", index)]) }
        try stack.context.save()
        let other = try stack.reopened()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Project")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        request.fetchBatchSize = 20
        let (projects, first) = try selects(stack.storeURL) { try other.context.fetch(request) }
        #expect(projects.count == 50)
        #expect(first == 1)
        let (_, second) = selects(stack.storeURL) { projects[0..<20].map { $0.value(forKey: "name") } }
        #expect(second == 1)
        let (_, third) = selects(stack.storeURL) { projects.map { $0.value(forKey: "name") as? String } }
        #expect(third == 2)
    }

    @Test("After reset() the faults of an earlier batched fetch are read one by one")
    func forgottenBatches() throws {
        let stack = try CompanyStack()
        for index in 0..<20 { stack.insert("Project", ["name": String(format: "%02d", index)]) }
        try stack.context.save()
        let other = try stack.reopened()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Project")
        request.fetchBatchSize = 20
        let ids = try other.context.fetch(request).map(\.objectID)
        other.context.reset()
        let projects = ids.map(other.context.object(with:))
        let (_, statements) = selects(stack.storeURL) { projects.prefix(2).map { $0.value(forKey: "name") } }
        #expect(statements == 2)
    }

    @Test("Prefetching reads the rows of relationships in advance")
    func prefetching() throws {
        let stack = try CompanyStack()
        try people(stack)
        let other = try stack.reopened()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
        request.relationshipKeyPathsForPrefetching = ["department"]
        let found = try other.context.fetch(request)
        let (names, reads) = selects(stack.storeURL) {
            found.compactMap { $0.value(forKeyPath: "department.name") as? String }
        }
        #expect(names.sorted() == ["D0", "D0", "D1", "D1"])
        #expect(reads == 0)
    }

    @Test("A fetch without property values gives faults, one without faults gives full objects")
    func faults() throws {
        let stack = try CompanyStack()
        try people(stack)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
        request.includesPropertyValues = false
        var other = try stack.reopened()
        let empty = try other.context.fetch(request)
        let (_, reads) = selects(stack.storeURL) { empty.map { $0.value(forKey: "name") } }
        #expect(reads == empty.count)
        request.includesPropertyValues = true
        other = try stack.reopened()
        let lazy = try other.context.fetch(request)
        #expect(lazy.allSatisfy { $0.isFault })
        let (_, none) = selects(stack.storeURL) { lazy.map { $0.value(forKey: "name") } }
        #expect(none == 0)
        #expect(lazy.allSatisfy { !$0.isFault })
        request.returnsObjectsAsFaults = false
        other = try stack.reopened()
        #expect(try other.context.fetch(request).allSatisfy { !$0.isFault })
    }

    @Test("A fetch keeps an object's values, unless shouldRefreshRefetchedObjects is set")
    func refetching() throws {
        let stack = try CompanyStack()
        try people(stack)
        let ann = try #require(try stack.fetch("Employee", "name == 'Ann'").first)
        _ = ann.value(forKey: "salary")
        let other = try stack.reopened()
        try #require(try other.fetch("Employee", "name == 'Ann'").first).setValue(77, forKey: "salary")
        try other.context.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
        #expect(try stack.context.fetch(request).contains(ann))
        #expect(ann.value(forKey: "salary") as? Int == 0)
        request.shouldRefreshRefetchedObjects = true
        _ = try stack.context.fetch(request)
        #expect(ann.value(forKey: "salary") as? Int == 77)
    }

    @Test("Unsaved relationships, deletions and insertions count in fetches, counts and IDs")
    func pending() throws {
        let stack = try CompanyStack()
        try people(stack)
        let bob = try stack.fetch("Employee", "name == 'Bob'")[0]
        bob.setValue(nil, forKey: "department")
        stack.context.delete(try stack.fetch("Employee", "name == 'Ann'")[0])
        stack.insert("Employee", ["name": "Fay"])
        let format = "department == nil"
        #expect(try stack.names("Employee", format) == ["Bob", "Eve", "Fay"])
        let request = NSFetchRequest<NSManagedObjectID>(entityName: "Employee")
        request.predicate = NSPredicate(format: format)
        request.resultType = .managedObjectIDResultType
        #expect(try stack.context.fetch(request).count == 3)
        #expect(try stack.context.count(for: request) == 3)
        request.includesPendingChanges = false
        #expect(try stack.context.count(for: request) == 1)
        #expect(try stack.context.fetch(request).count == 1)
        request.includesPendingChanges = true
        request.includesSubentities = false
        #expect(try stack.context.count(for: request) == 2)
    }

    @Test("Unsaved objects can be used in predicates")
    func unsavedArguments() throws {
        let stack = try CompanyStack()
        try people(stack)
        let department = stack.insert("Department", ["name": "new"])
        let fay = stack.insert("Employee", ["name": "Fay", "department": department])
        let ann = try stack.fetch("Employee", "name == 'Ann'")[0]
        #expect(try stack.names("Employee", "department == %@", department) == ["Fay"])
        #expect(try stack.names("Employee", "SELF IN %@", [fay, ann]) == ["Ann", "Fay"])
        #expect(try stack.names("Employee", "SELF == %@ OR SELF == %@", fay.objectID, ann) == ["Ann", "Fay"])
        #expect(try stack.names("Department", "ANY employees == %@", fay) == ["new"])
        #expect(try stack.names("Department", "%@ IN employees", fay) == ["new"])
        ann.setValue(department, forKey: "department")
        #expect(try stack.names("Employee", "department == %@", department) == ["Ann", "Fay"])
        #expect(try stack.names("Department", "employees.@count == 2") == ["new"])
    }

    @Test("Dictionary results come from the store alone, without unsaved changes")
    func dictionariesOfStored() throws {
        let stack = try CompanyStack()
        try people(stack)
        try stack.fetch("Employee", "name == 'Ann'")[0].setValue("Zoe", forKey: "name")
        let request = NSFetchRequest<NSDictionary>(entityName: "Employee")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["name"]
        request.predicate = NSPredicate(format: "name == 'Ann'")
        #expect(try stack.context.fetch(request).count == 1)
    }

    @Test("Several sort keys apply, descending and across to-one relationships, nil first")
    func sorting() throws {
        let stack = try CompanyStack()
        try people(stack)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
        request.sortDescriptors = [
            NSSortDescriptor(key: "department.name", ascending: true),
            NSSortDescriptor(key: "salary", ascending: false),
        ]
        func names() throws -> [String] {
            try stack.context.fetch(request).compactMap { $0.value(forKey: "name") as? String }
        }
        let expected = ["Eve", "Cid", "Ann", "Dan", "Bob"]
        #expect(try names() == expected)
        // Unsaved changes have the order made in memory, and it is equal.
        try stack.fetch("Employee", "name == 'Ann'")[0].setValue(1, forKey: "rank")
        #expect(try names() == expected)
        request.fetchOffset = 1
        request.fetchLimit = 3
        #expect(try names() == ["Cid", "Ann", "Dan"])
        request.fetchOffset = 9
        #expect(try names().isEmpty)
        #expect(try stack.context.count(for: request) == 0)
    }

    @Test("Dictionaries have the chosen properties, typed, distinct on demand, without keys for nil")
    func dictionaries() throws {
        let stack = try CompanyStack()
        try people(stack)
        let request = NSFetchRequest<NSDictionary>(entityName: "Employee")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["name", "born", "department.name"]
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        var rows = try stack.context.fetch(request)
        try #require(rows.count == 5)
        #expect(rows[0]["name"] as? String == "Ann")
        #expect(rows[0]["born"] == nil)
        #expect(rows[1]["department.name"] as? String == "D1")
        #expect(rows[4]["department.name"] == nil)
        request.propertiesToFetch = ["department.name"]
        request.sortDescriptors = []
        request.returnsDistinctResults = true
        rows = try stack.context.fetch(request)
        #expect(rows.count == 3)
        let id = NSExpressionDescription()
        id.name = "id"
        id.expression = NSExpression.expressionForEvaluatedObject()
        id.expressionResultType = .objectIDAttributeType
        request.returnsDistinctResults = false
        request.propertiesToFetch = [id, "salary"]
        request.predicate = NSPredicate(format: "name == 'Bob'")
        rows = try stack.context.fetch(request)
        let bob = try stack.fetch("Employee", "name == 'Bob'")[0]
        #expect(rows.first?["id"] as? NSManagedObjectID == bob.objectID)
        #expect(rows.first?["salary"] is NSNumber)
        request.predicate = nil
        request.propertiesToFetch = [id, "department", "name"]
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
        let names = try stack.context.fetch(request).compactMap { $0["name"] as? String }
        #expect(names.count == 5)
        #expect(names == names.sorted(by: >))
    }

    @Test("A count of dictionaries equals the number fetched, with groups, distinct and limits")
    func countedDictionaries() throws {
        let stack = try CompanyStack()
        try people(stack)
        let heads = NSExpressionDescription()
        heads.name = "heads"
        heads.expression = NSExpression(format: "count:(name)")
        heads.expressionResultType = .integer64AttributeType
        let request = NSFetchRequest<NSDictionary>(entityName: "Employee")
        request.resultType = .dictionaryResultType
        func expect(_ count: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
            #expect(try stack.context.count(for: request) == count, sourceLocation: sourceLocation)
            #expect(try stack.context.fetch(request).count == count, sourceLocation: sourceLocation)
        }
        request.propertiesToFetch = ["department.floor", heads]
        request.propertiesToGroupBy = ["department.floor"]
        try expect(5)
        request.havingPredicate = NSPredicate(format: "department.floor > 1")
        try expect(2)
        request.havingPredicate = nil
        (request.fetchLimit, request.fetchOffset) = (4, 2)
        try expect(3)
        (request.fetchLimit, request.fetchOffset) = (0, 0)
        request.propertiesToGroupBy = nil
        request.propertiesToFetch = [heads]
        try expect(1)
        request.propertiesToFetch = ["department.name"]
        try expect(5)
        request.returnsDistinctResults = true
        try expect(3)
        // Conditions evaluated in memory count alike, and unsaved objects are no dictionaries.
        stack.insert("Employee", ["name": "Fay"])
        request.predicate = NSPredicate(block: { object, _ in
            ((object as? NSManagedObject)?.value(forKey: "salary") as? Int ?? 0) > 5
        })
        try expect(2)
        // The count is the same inside another predicate.
        request.predicate = nil
        let departments = NSFetchRequest<NSManagedObject>(entityName: "Department")
        departments.predicate = NSComparisonPredicate(
            leftExpression: NSFetchRequestExpression.expression(
                forFetch: NSExpression(forConstantValue: request),
                context: NSExpression(forConstantValue: stack.context), countOnly: true),
            rightExpression: NSExpression(forConstantValue: 3), modifier: .direct, type: .equalTo)
        #expect(try stack.context.count(for: departments) == 4)
    }

    @Test("An invalid request is an error that names the mistake")
    func badRequests() throws {
        let stack = try CompanyStack()
        for format in ["nosuch == 1", "department.nosuch == 1", "mood == 'x'"] {
            let error = #expect(throws: NSError.self, "\(format)") { try stack.fetch("Employee", format) }
            let text = error.map { "\($0.userInfo)" } ?? ""
            #expect(text.contains("nosuch") || text.contains("mood"), "\(text)")
        }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
        request.sortDescriptors = [NSSortDescriptor(key: "nosuch", ascending: true)]
        #expect(throws: NSError.self) { try stack.context.fetch(request) }
    }
}

private final class StatementCounter: @unchecked Sendable {
    private let lock = NSLock()
    private var value = 0
    var count: Int { lock.withLock { value } }
    func increment() { lock.withLock { value += 1 } }
}

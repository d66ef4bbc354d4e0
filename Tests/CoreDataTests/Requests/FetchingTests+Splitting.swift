import CoreData
import Foundation
import Testing

/// Fetches of which a part is evaluated in memory.
extension FetchingTests {
    private func projects(_ stack: TestStack, _ count: Int = 30) throws {
        for index in 0..<count {
            let project = stack.insert("Project", ["name": String(format: "%02d", index)])
            stack.insert("Task", ["name": "T\(index % 3)", "project": project])
        }
        try stack.context.save()
    }

    private func request(_ predicate: NSPredicate?) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Project")
        request.predicate = predicate
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return request
    }

    private func names(_ objects: [NSManagedObject]) -> [String] {
        objects.compactMap { $0.value(forKey: "name") as? String }
    }

    /// `name >= "10"` for SQL, an even number for memory.
    private var evenFromTen: NSPredicate {
        let isEven = NSPredicate { object, _ in
            let name = (object as? NSManagedObject)?.value(forKey: "name") as? String
            return name.flatMap(Int.init).map { $0 % 2 == 0 } ?? false
        }
        return NSCompoundPredicate(
            andPredicateWithSubpredicates: [NSPredicate(format: "name >= '10'"), isEven])
    }

    @Test("A block is tested on the rows that SQL found, and limit and offset apply at the end")
    func blocks() throws {
        let stack = try CompanyStack()
        try projects(stack)
        let request = request(evenFromTen)
        let all = ["10", "12", "14", "16", "18", "20", "22", "24", "26", "28"]
        let (found, statements) = try selects(stack.storeURL) { try stack.context.fetch(request) }
        #expect(names(found) == all)
        #expect(statements == 1)
        request.fetchLimit = 3
        request.fetchOffset = 2
        #expect(names(try stack.context.fetch(request)) == ["14", "16", "18"])
        #expect(try stack.context.count(for: request) == 3)
        request.fetchLimit = 0
        #expect(try stack.context.count(for: request) == 8)
        // Again with unsaved changes.
        stack.context.delete(found[0])
        found[1].setValue("13", forKey: "name")
        stack.insert("Project", ["name": "40"])
        request.fetchOffset = 0
        request.fetchLimit = 4
        #expect(names(try stack.context.fetch(request)) == ["14", "16", "18", "20"])
        request.fetchOffset = 5
        #expect(names(try stack.context.fetch(request)) == ["24", "26", "28", "40"])
        #expect(try stack.context.count(for: request) == 4)
        request.includesPendingChanges = false
        (request.fetchOffset, request.fetchLimit) = (0, 0)
        #expect(try stack.context.fetch(request).count == 10)
        #expect(try stack.context.count(for: request) == 10)
    }

    @Test("IDs and dictionaries of objects tested in memory are sorted and grouped by the store")
    func splitShapes() throws {
        let stack = try CompanyStack()
        try projects(stack)
        let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Project")
        ids.predicate = evenFromTen
        ids.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
        ids.resultType = .managedObjectIDResultType
        ids.fetchLimit = 2
        #expect(try stack.context.fetch(ids).map { stack.context.object(with: $0) }.count == 2)
        #expect(names(try stack.context.fetch(ids).map { stack.context.object(with: $0) }) == ["28", "26"])
        let rows = NSFetchRequest<NSDictionary>(entityName: "Task")
        rows.resultType = .dictionaryResultType
        let count = NSExpressionDescription()
        count.name = "heads"
        count.expression = NSExpression(format: "count:(project)")
        count.expressionResultType = .integer64AttributeType
        rows.propertiesToFetch = ["name", count]
        rows.propertiesToGroupBy = ["name"]
        rows.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        rows.predicate = NSPredicate { object, _ in
            ((object as? NSManagedObject)?.value(forKeyPath: "project.name") as? String ?? "") < "04"
        }
        // Stored values count, not unsaved ones.
        try stack.fetch("Project", "name == '00'")[0].setValue("99", forKey: "name")
        func found() throws -> [String] {
            try stack.context.fetch(rows).map { "\($0["name"] ?? "-") \($0["heads"] ?? "-")" }
        }
        #expect(try found() == ["T0 2", "T1 1", "T2 1"])
        rows.fetchLimit = 2
        #expect(try found() == ["T0 2", "T1 1"])
        rows.sortDescriptors = [
            NSSortDescriptor(key: "heads", ascending: true) { left, right in
                (left as? NSNumber ?? 0).compare(right as? NSNumber ?? 0)
            },
            NSSortDescriptor(key: "name", ascending: false),
        ]
        #expect(try found() == ["T2 1", "T1 1"])
        rows.sortDescriptors = [
            NSSortDescriptor(key: "project.name", ascending: true) { _, _ in .orderedSame }
        ]
        let error = #expect(throws: NSError.self) { try stack.context.fetch(rows) }
        #expect(error?.localizedFailureReason?.contains("project.name") == true)
    }

    @Test("A predicate tested in memory reads batch by batch, up to the limit")
    func splitBatches() throws {
        let stack = try CompanyStack()
        try projects(stack)
        let other = try stack.reopened()
        let request = request(evenFromTen)
        request.fetchBatchSize = 5
        let (found, statements) = try selects(stack.storeURL) { try other.context.fetch(request) }
        #expect(names(found).count == 10)
        #expect(statements == 1 + 4)
        request.fetchLimit = 2
        let third = try stack.reopened()
        let (few, less) = try selects(stack.storeURL) { try third.context.fetch(request) }
        #expect(names(few) == ["10", "12"])
        #expect(less == 1 + 1)
    }

    @Test("A comparator sorts in memory before limit and offset apply, nil first")
    func comparators() throws {
        let stack = try CompanyStack()
        try projects(stack, 6)
        stack.insert("Project")
        try stack.context.save()
        let request = request(NSPredicate(format: "name != '03'"))
        let byLastDigitDown = NSSortDescriptor(key: "name", ascending: true) { left, right in
            let (left, right) = (left as? String ?? "", right as? String ?? "")
            return left == right ? .orderedSame : left > right ? .orderedAscending : .orderedDescending
        }
        request.sortDescriptors = [byLastDigitDown]
        #expect(names(try stack.context.fetch(request)) == ["05", "04", "02", "01", "00"])
        #expect(try stack.context.fetch(request).first?.value(forKey: "name") == nil)
        request.fetchLimit = 2
        request.fetchOffset = 2
        #expect(names(try stack.context.fetch(request)) == ["04", "02"])
        stack.insert("Project", ["name": "045"])
        #expect(names(try stack.context.fetch(request)) == ["045", "04"])
    }

    @Test("A comparator also sorts numbers")
    func numberComparators() throws {
        let stack = try CompanyStack()
        for salary in 1...5 { stack.insert("Employee", ["salary": salary]) }
        try stack.context.save()
        let request = NSFetchRequest<Employee>(entityName: "Employee")
        request.sortDescriptors = [
            NSSortDescriptor(key: "salary", ascending: true) { left, right in
                let distances = [left, right].map { abs(($0 as? Int ?? 0) - 4) * 2 + ($0 as? Int ?? 0) % 2 }
                return (distances[0] as NSNumber).compare(distances[1] as NSNumber)
            }
        ]
        #expect(try stack.context.fetch(request).map(\.salary) == [4, 3, 5, 2, 1])
        request.fetchLimit = 1
        #expect(try stack.context.fetch(request).map(\.salary) == [4])
    }

    @Test("Relationships in a predicate tested in memory are read at once")
    func splitPrefetches() throws {
        let stack = try CompanyStack()
        try projects(stack)
        let other = try stack.reopened()
        let never = NSPredicate { _, _ in false }
        let byTask = NSPredicate(format: "ANY tasks.name == 'T1'")
        let either = NSCompoundPredicate(orPredicateWithSubpredicates: [byTask, never])
        let (found, statements) = try selects(stack.storeURL) { try other.context.fetch(request(either)) }
        #expect(found.count == 10)
        #expect(statements == 2)
    }

    @Test("Transient properties are refused with their names, in memory as in SQL")
    func transients() throws {
        let stack = try CompanyStack()
        try people(stack)
        for format in ["mood == 'x'", "FUNCTION(mood, 'length') == 1", "desk.owner.mood == 'x'"] {
            let error = #expect(throws: NSError.self, "\(format)") { try stack.fetch("Employee", format) }
            #expect(error?.localizedFailureReason?.contains("Employee.mood") == true, "\(format)")
        }
    }

    private func inMemoryContext() throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CompanyStack.model())
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let context = coordinator.context(.mainQueue)
        return context
    }

    @Test("In-memory stores can test and sort by transient properties")
    func inMemoryTransients() throws {
        let context = try inMemoryContext()
        // Their values live as long as the objects do.
        let people = ["good", "bad", "good", "fair"].enumerated().map { index, mood in
            context.insert("Employee", ["name": "\(index)", "mood": mood, "salary": index])
        }
        defer { withExtendedLifetime(people) {} }
        try context.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
        request.predicate = NSPredicate(format: "mood != 'bad' AND salary > 0")
        request.sortDescriptors = [
            NSSortDescriptor(key: "mood", ascending: true), NSSortDescriptor(key: "name", ascending: true),
        ]
        #expect(names(try context.fetch(request)) == ["3", "2"])
        request.fetchLimit = 1
        #expect(names(try context.fetch(request)) == ["3"])
        #expect(try context.count(for: request) == 1)
        // Among unsaved objects, and behind a relationship.
        let late = context.insert("Employee", ["name": "4", "mood": "able", "salary": 9])
        request.fetchLimit = 0
        #expect(names(try context.fetch(request)) == ["4", "3", "2"])
        late.setValue(context.insert("Desk", ["name": "D"]), forKey: "desk")
        try context.save()
        let desks = NSFetchRequest<NSManagedObject>(entityName: "Desk")
        desks.predicate = NSPredicate(format: "owner.mood == 'able'")
        #expect(names(try context.fetch(desks)) == ["D"])
        request.predicate = NSPredicate(format: "moods == 'bad'")
        #expect(throws: NSError.self) { try context.fetch(request) }
    }

    @Test("In-memory stores can test blocks")
    func inMemoryBlocks() throws {
        let context = try inMemoryContext()
        for name in ["a", "bb", "ccc"] { _ = context.insert("Project", ["name": name]) }
        try context.save()
        let request = request(
            NSPredicate { object, _ in
                ((object as? NSManagedObject)?.value(forKey: "name") as? String)?.count ?? 0 > 1
            })
        #expect(names(try context.fetch(request)) == ["bb", "ccc"])
    }
}

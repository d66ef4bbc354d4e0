import CoreData
import Foundation
import Testing

@Suite("Batch insertion")
@MainActor
struct BatchInsertTests {
    private func insert(
        _ request: NSBatchInsertRequest, _ type: NSBatchInsertRequestResultType = .count,
        in context: NSManagedObjectContext
    ) throws -> NSBatchInsertResult {
        request.resultType = type
        return try #require(try context.execute(request) as? NSBatchInsertResult)
    }

    // MARK: Where rows come from

    @Test("Dictionaries become rows, and missing keys take their defaults")
    func dictionaries() throws {
        let stack = try CompanyStack()
        let badge = UUID()
        let request = NSBatchInsertRequest(
            entityName: "Employee",
            objects: [
                [
                    "name": "Ada", "salary": 7, "badge": badge, "score": 1.5, "active": true,
                    "rank": Int16(3),
                    "bonus": NSDecimalNumber(string: "12.34"), "home": URL(string: "https://a.example")!,
                    "photo": Data([1, 2, 3]), "born": Date(timeIntervalSinceReferenceDate: 60),
                    "tags": ["x", "y"] as NSArray,
                ],
                ["name": "Bob", "score": NSNull()],
            ])
        let result = try insert(request, in: stack.context)
        #expect(result.result as? Int == 2)
        #expect(result.resultType == .count)
        #expect(request.entity?.name == "Employee")
        let rows = try stack.fetch("Employee")
        try #require(rows.count == 2)
        let (ada, bob) = (rows[0], rows[1])
        #expect(ada.value(forKey: "salary") as? Int == 7)
        #expect(ada.value(forKey: "badge") as? UUID == badge)
        #expect(ada.value(forKey: "score") as? Double == 1.5)
        #expect(ada.value(forKey: "active") as? Bool == true)
        #expect(ada.value(forKey: "bonus") as? NSDecimalNumber == NSDecimalNumber(string: "12.34"))
        #expect((ada.value(forKey: "home") as? URL)?.host == "a.example")
        #expect(ada.value(forKey: "photo") as? Data == Data([1, 2, 3]))
        #expect((ada.value(forKey: "born") as? Date)?.timeIntervalSinceReferenceDate == 60)
        #expect(ada.value(forKey: "tags") as? [String] == ["x", "y"])
        #expect(bob.value(forKey: "salary") as? Int == 10)
        #expect(bob.value(forKey: "score") == nil)
        #expect(ada.value(forKeyPath: "department.name") == nil)
    }

    @Test("A dictionary handler is called until it returns true, which adds no row")
    func dictionaryHandler() throws {
        let stack = try CatalogStack()
        var calls = 0
        let request = NSBatchInsertRequest(entityName: "Shelf") { (row: NSMutableDictionary) in
            calls += 1
            row["name"] = "shelf \(calls)"
            return calls > 1200
        }
        let result = try insert(request, in: stack.context)
        #expect(calls == 1201)
        #expect(result.result as? Int == 1200)
        #expect(try stack.fetch("Shelf").count == 1200)
        #expect(try stack.fetch("Shelf", "name == %@", "shelf 1201").isEmpty)
    }

    @Test("A handler's dictionary can be read, changed and copied while it is filled")
    func handlersDictionary() throws {
        let stack = try CompanyStack()
        var copies: [NSDictionary] = []
        let request = NSBatchInsertRequest(entityName: "Employee") { (row: NSMutableDictionary) in
            if copies.count == 1 { return true }
            row.addEntries(from: ["name": "Ann", "salary": 1, "rank": 7])
            row["salary"] = (row["salary"] as? Int ?? 0) + 4
            row.setObject(NSNull(), forKey: "rank" as NSString)
            row["score"] = 2.5
            row.removeObject(forKey: "score")
            row["born"] = nil
            #expect(row.count == 3)
            #expect(Set(row.allKeys.compactMap { $0 as? String }) == ["name", "salary", "rank"])
            copies.append(row.copy() as! NSDictionary)
            return false
        }
        _ = try stack.context.execute(request)
        #expect(copies == [["name": "Ann", "salary": 5, "rank": NSNull()]])
        let employee = try #require(try stack.fetch("Employee").first)
        #expect(employee.value(forKey: "name") as? String == "Ann")
        #expect(employee.value(forKey: "salary") as? Int == 5)
        #expect(employee.value(forKey: "rank") == nil)
        #expect(employee.value(forKey: "score") == nil)
    }

    @Test("An object handler gets a new object with defaults, which is in no context")
    func objectHandler() throws {
        let stack = try CompanyStack()
        var kept: [NSManagedObject] = []
        let request = NSBatchInsertRequest(entityName: "Manager") { (object: NSManagedObject) in
            guard kept.count < 3 else { return true }
            #expect(object.entity.name == "Manager")
            #expect(object.managedObjectContext == nil)
            object.setValue("m\(kept.count)", forKey: "name")
            object.setValue(kept.count, forKey: "level")
            kept.append(object)
            return false
        }
        #expect(try insert(request, in: stack.context).result as? Int == 3)
        kept[0].setValue("changed later", forKey: "name")
        #expect(try stack.names("Manager") == ["m0", "m1", "m2"])
        #expect(try stack.fetch("Manager").map { $0.value(forKey: "level") as? Int } == [0, 1, 2])
        #expect(try stack.fetch("Manager").allSatisfy { $0.value(forKey: "salary") as? Int == 10 })
    }

    @Test("An object kept by its handler can change later without changing any row")
    func keptObjects() throws {
        let stack = try CatalogStack()
        var kept: [NSManagedObject] = []
        var calls = 0
        let request = NSBatchInsertRequest(entityName: "Shelf") { (object: NSManagedObject) in
            calls += 1
            guard calls <= 3 else { return true }
            object.setValue("shelf \(calls)", forKey: "name")
            if calls != 2 { kept.append(object) }
            kept.first?.setValue("the app's own \(calls)", forKey: "name")
            return false
        }
        _ = try insert(request, in: stack.context)
        #expect(kept.map { $0.value(forKey: "name") as? String } == ["the app's own 3", "shelf 3"])
        #expect(
            Set(try stack.fetch("Shelf").compactMap { $0.value(forKey: "name") as? String })
                == ["the app's own 1", "shelf 2", "shelf 3"])
    }

    @Test("The typed object handler of a class can use the class's own properties")
    func typedHandler() throws {
        let stack = try CompanyStack()
        let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Employee"])
        var count = 0
        let request = NSBatchInsertRequest(entity: entity) { (object: NSManagedObject) in
            guard count < 2, let employee = object as? Employee else { return true }
            employee.name = "e\(count)"
            employee.salary = Int64(count)
            count += 1
            return false
        }
        _ = try insert(request, in: stack.context)
        #expect(try stack.fetch("Employee").map { ($0 as? Employee)?.salary } == [0, 1])
    }

    @Test("A handler may read from the store being written, but not save to it")
    func nestedSave() throws {
        let stack = try CatalogStack()
        stack.insert("Shelf", ["name": "before"])
        try stack.context.save()
        let other = stack.sibling()
        var failure: NSError?
        var seen = -1
        let request = NSBatchInsertRequest(entityName: "Shelf") { (row: NSMutableDictionary) in
            guard seen < 0 else { return true }
            seen = (try? other.count(for: NSFetchRequest<NSManagedObject>(entityName: "Shelf"))) ?? 0
            NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: other)
            do { try other.save() } catch { failure = error as NSError }
            row["name"] = "from the batch"
            return false
        }
        #expect(try insert(request, in: stack.context).result as? Int == 1)
        #expect(seen == 1)
        #expect(failure?.localizedFailureReason?.contains("must not save") == true)
        try other.save()
        #expect(try stack.fetch("Shelf").count == 3)
    }

    // MARK: Results

    @Test("A batch insertion returns true, the new object IDs, or their number")
    func results() throws {
        let stack = try CatalogStack()
        let objects: [[String: Any]] = [["name": "a"], ["name": "b"]]
        func run(_ type: NSBatchInsertRequestResultType) throws -> Any? {
            try insert(NSBatchInsertRequest(entityName: "Shelf", objects: objects), type, in: stack.context)
                .result
        }
        #expect(try run(.statusOnly) as? Bool == true)
        #expect(try run(.count) as? Int == 2)
        let ids = try #require(try run(.objectIDs) as? [NSManagedObjectID])
        #expect(ids.map { stack.context.object(with: $0).value(forKey: "name") as? String } == ["a", "b"])
        #expect(ids.allSatisfy { !$0.isTemporaryID && $0.entity.name == "Shelf" })
        #expect(try stack.fetch("Shelf").count == 6)
    }

    @Test("A batch without rows is no error")
    func nothing() throws {
        let stack = try CatalogStack()
        let request = NSBatchInsertRequest(entityName: "Shelf", objects: [])
        #expect(try insert(request, in: stack.context).result as? Int == 0)
    }

    @Test("Batches and saves number their rows in one sequence")
    func keys() throws {
        let stack = try CatalogStack()
        stack.insert("Shelf", ["name": "first"])
        try stack.context.save()
        let request = NSBatchInsertRequest(
            entityName: "Shelf", objects: [["name": "second"], ["name": "third"]])
        _ = try insert(request, in: stack.context)
        stack.insert("Shelf", ["name": "z last"])
        try stack.context.save()
        #expect(
            try stack.fetch("Shelf").map { $0.objectID.uriRepresentation().lastPathComponent }
                == ["p1", "p2", "p3", "p4"])
    }

    // MARK: What cannot be inserted

    @Test(
        "A bad row ends the batch with an error that names entity and key, and nothing is written",
        arguments: [
            (["nonsense": 1], "Author has no attribute \"nonsense\""),
            (["age": "old"], "property = \"age\"; desired type = NSNumber; given type = String"),
            (["books": ["b"]], "Author.books is no attribute"),
        ] as [([String: any Sendable], String)])
    func badRows(_ row: [String: any Sendable], _ message: String) throws {
        let stack = try CatalogStack()
        let request = NSBatchInsertRequest(entityName: "Author", objects: [["name": "good"], row])
        let error = #expect(throws: NSError.self) { try stack.context.execute(request) }
        #expect(error?.code == NSCoreDataError)
        #expect(error?.localizedFailureReason?.contains(message) == true, "\(error as Any)")
        #expect(try stack.fetch("Author").isEmpty)
    }

    @Test("Setting a relationship in an object handler is an error")
    func relationship() throws {
        let stack = try CatalogStack()
        let author = stack.insert("Author", ["name": "a"])
        try stack.context.save()
        let request = NSBatchInsertRequest(entityName: "Book") { (book: NSManagedObject) in
            book.setPrimitiveValue(author, forKey: "author")
            return false
        }
        let error = #expect(throws: NSError.self) { try stack.context.execute(request) }
        #expect(error?.localizedFailureReason?.contains("Book.author is no attribute") == true)
    }

    @Test("Abstract and unknown entities are errors")
    func entities() throws {
        let stack = try CompanyStack()
        for (name, message) in [("Person", "abstract entity Person"), ("Nobody", "'Nobody'")] {
            let request = NSBatchInsertRequest(entityName: name, objects: [["name": "x"]])
            let error = #expect(throws: NSError.self) { try stack.context.execute(request) }
            #expect(error?.localizedFailureReason?.contains(message) == true)
        }
    }

    @Test("A batch insertion runs no validation, so a mandatory property may stay empty")
    func validation() throws {
        let stack = try CompanyStack()
        let request = NSBatchInsertRequest(entityName: "Department", objects: [["floor": 1]])
        #expect(try insert(request, in: stack.context).result as? Int == 1)
        #expect(try stack.fetch("Department").first?.value(forKey: "name") == nil)
    }

    @Test("Values of transient attributes are ignored")
    func transient() throws {
        let stack = try CompanyStack()
        let request = NSBatchInsertRequest(entityName: "Employee", objects: [["name": "a", "mood": "good"]])
        #expect(try insert(request, in: stack.context).result as? Int == 1)
    }
}

import CoreData
import Foundation
import Testing

@Suite("Contexts", .serialized)
@MainActor
struct ContextTests {
    @Test("Hooks run in Apple's order")
    func hooks() throws {
        let stack = try CompanyStack()
        let log = CallLog(in: stack.context)
        let employee = Employee(context: stack.context)
        employee.name = "Ann"
        try stack.context.save()
        #expect(log.take() == ["awakeFromInsert", "willSave", "validateForInsert", "didSave"])
        stack.context.refresh(employee, mergeChanges: false)
        #expect(employee.isFault)
        _ = employee.name
        #expect(log.take() == ["willTurnIntoFault", "awakeFromFetch"])
        stack.context.delete(employee)
        try stack.context.save()
        #expect(log.take() == ["prepareForDeletion", "willSave", "didSave"])
    }

    @Test("A row has one object in each context")
    func uniquing() throws {
        let stack = try CompanyStack()
        let ann = stack.insert("Employee", ["name": "Ann"])
        try stack.context.save()
        #expect(try stack.fetch("Employee").first === ann)
        let other = stack.sibling(.privateQueue)
        other.performAndWait {
            let twin = other.object(with: ann.objectID)
            #expect(twin !== ann)
            #expect(twin.isFault)
            #expect(twin.objectID == ann.objectID)
            #expect(twin.value(forKey: "name") as? String == "Ann")
            #expect(!twin.isFault)
        }
    }

    @Test("New objects are found by their IDs, in whatever order these become permanent")
    func findsRenamed() throws {
        let stack = try CompanyStack()
        let projects = (0..<4).map { stack.insert("Project", ["name": "\($0)"]) }
        func areFound() -> Bool {
            projects.allSatisfy { stack.context.registeredObject(for: $0.objectID) === $0 }
        }
        // Some of the objects, one of them twice.
        try stack.context.obtainPermanentIDs(for: [projects[0], projects[0], projects[2], projects[2]])
        #expect(projects.map(\.objectID.isTemporaryID) == [false, true, false, true])
        #expect(areFound())
        try stack.context.save()
        #expect(projects.allSatisfy { !$0.objectID.isTemporaryID })
        #expect(areFound())
        let late = stack.insert("Project", ["name": "4"])
        #expect(stack.context.registeredObject(for: late.objectID) === late)
        #expect(areFound())
        try stack.context.save()
        #expect(stack.context.registeredObject(for: late.objectID) === late)
        #expect(areFound())
    }

    @Test("A fetch includes unsaved inserts, updates and deletes, and keeps its order and limit")
    func pendingChanges() throws {
        let stack = try CompanyStack()
        for name in ["b", "d", "f"] { stack.insert("Project", ["name": name]) }
        try stack.context.save()
        stack.insert("Project", ["name": "a"])
        try stack.fetch("Project", "name == 'd'")[0].setValue("e", forKey: "name")
        stack.context.delete(try stack.fetch("Project", "name == 'f'")[0])
        #expect(try stack.names("Project") == ["a", "b", "e"])
        #expect(try stack.names("Project", "name > 'a'") == ["b", "e"])
        let request = NSFetchRequest<NSManagedObject>(entityName: "Project")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        request.fetchOffset = 1
        request.fetchLimit = 1
        #expect(try stack.context.fetch(request).map { $0.value(forKey: "name") as? String } == ["b"])
        #expect(try stack.context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Project")) == 3)
        request.includesPendingChanges = false
        #expect(try stack.context.fetch(request).count == 1)
    }

    @Test("Rollback restores values, relationships and deleted objects, and forgets inserted ones")
    func rollback() throws {
        let stack = try CompanyStack()
        let department = stack.insert("Department", ["name": "A"])
        let ann = stack.insert("Employee", ["name": "Ann", "department": department])
        try stack.context.save()
        ann.setValue("Eve", forKey: "name")
        ann.setValue(nil, forKey: "department")
        stack.context.delete(department)
        let bob = stack.insert("Employee", ["name": "Bob"])
        stack.context.rollback()
        #expect(!stack.context.hasChanges)
        #expect(ann.value(forKey: "name") as? String == "Ann")
        #expect(ann.value(forKey: "department") as? NSManagedObject === department)
        #expect(!department.isDeleted)
        #expect(bob.managedObjectContext == nil)
        #expect(try stack.names("Employee") == ["Ann"])
        let cid = stack.insert("Employee", ["name": "Cid"])
        try stack.context.obtainPermanentIDs(for: [cid])
        stack.context.rollback()
        #expect(cid.managedObjectContext == nil)
        #expect(!cid.objectID.isTemporaryID)
        #expect(!stack.context.registeredObjects.contains(cid))
    }

    @Test("Notifications contain the changed objects and the saved objects")
    func notifications() throws {
        let stack = try CompanyStack()
        let ann = stack.insert("Employee", ["name": "Ann"])
        let bob = stack.insert("Employee", ["name": "Bob"])
        try stack.context.save()
        nonisolated(unsafe) var seen: [String] = []
        nonisolated(unsafe) var saved: [AnyHashable: Any] = [:]
        let center = NotificationCenter.default
        let names: [NSNotification.Name] = [
            .NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextWillSave,
            .NSManagedObjectContextDidSave,
        ]
        let tokens = names.map { name in
            center.addObserver(forName: name, object: stack.context, queue: nil) { notification in
                seen.append(name.rawValue)
                if name == .NSManagedObjectContextDidSave { saved = notification.userInfo ?? [:] }
            }
        }
        defer { tokens.forEach(center.removeObserver) }
        ann.setValue("Eve", forKey: "name")
        stack.context.delete(bob)
        let cid = stack.insert("Employee", ["name": "Cid"])
        try stack.context.save()
        #expect(seen == names.map(\.rawValue))
        #expect(saved[NSInsertedObjectsKey] as? Set<NSManagedObject> == [cid])
        #expect(saved[NSUpdatedObjectsKey] as? Set<NSManagedObject> == [ann])
        #expect(saved[NSDeletedObjectsKey] as? Set<NSManagedObject> == [bob])
    }

    @Test("Validation reports one error as itself and several as 1560, and nothing is saved")
    func validation() throws {
        let stack = try CompanyStack()
        let department = stack.insert("Department")
        var error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == NSValidationMissingMandatoryPropertyError)
        #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "name")
        #expect(error?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === department)
        stack.insert("Employee", ["salary": -1])
        error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == NSValidationMultipleErrorsError)
        #expect((error?.userInfo[NSDetailedErrorsKey] as? [NSError])?.count == 2)
        #expect(stack.context.insertedObjects.count == 2)
        #expect(try stack.reopened().fetch("Department").isEmpty)
    }

    @Test("A row changed by another context is a conflict, resolved property by property")
    func conflicts() throws {
        let stack = try CompanyStack()
        let ann = Employee(context: stack.context)
        ann.name = "Ann"
        try stack.context.save()
        func interfere(_ salary: Int64) throws {
            let other = try stack.reopened()
            let twin = try #require(try other.fetch("Employee").first as? Employee)
            twin.salary = salary
            try other.context.save()
        }
        try interfere(50)
        ann.name = "Eve"
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == NSManagedObjectMergeError)
        let conflict = try #require((error?.userInfo["conflictList"] as? [NSMergeConflict])?.first)
        #expect(conflict.sourceObject === ann)
        #expect(conflict.oldVersionNumber == 1)
        #expect(conflict.newVersionNumber == 2)
        #expect(conflict.persistedSnapshot?["salary"] as? Int == 50)
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try stack.context.save()
        #expect(ann.name == "Eve")
        #expect(ann.salary == 50)
        try interfere(60)
        ann.salary = 1
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        try stack.context.save()
        #expect(ann.salary == 60)
    }

    @Test("A duplicate of a unique value fails the save with error 133021")
    func uniqueness() throws {
        let stack = try CompanyStack()
        stack.insert("Desk", ["name": "1"])
        try stack.context.save()
        let second = stack.insert("Desk", ["name": "1"])
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == NSManagedObjectConstraintMergeError)
        let conflict = try #require((error?.userInfo["conflictList"] as? [NSConstraintConflict])?.first)
        #expect(conflict.constraint == ["name"])
        #expect(conflict.conflictingObjects == [second])
        second.setValue("2", forKey: "name")
        try stack.context.save()
    }

    @Test("An object whose row no longer exists counts as deleted after it is used")
    func inaccessible() throws {
        let stack = try CompanyStack()
        let ann = stack.insert("Project", ["name": "red"])
        try stack.context.save()
        stack.context.refresh(ann, mergeChanges: false)
        let other = try stack.reopened()
        other.context.delete(try other.fetch("Project")[0])
        try other.context.save()
        #expect(ann.value(forKey: "name") == nil)
        #expect(ann.isDeleted)
        #expect(throws: NSError.self) { try stack.context.existingObject(with: ann.objectID) }
    }

    @Test("A fault that was never read saves changes of its relationships")
    func unreadObject() throws {
        let stack = try CompanyStack()
        let department = stack.insert("Department", ["name": "A"])
        let ann = stack.insert("Employee", ["name": "Ann", "department": department])
        stack.insert("Project", ["name": "red"])
        try stack.context.save()
        let other = try stack.reopened()
        other.context.delete(try #require(try other.fetch("Employee").first))
        try other.context.save()
        let third = try stack.reopened()
        let red = try #require(try third.fetch("Project").first)
        third.insert(
            "Employee", ["name": "Bob", "department": try #require(try third.fetch("Department").first)])
        try third.context.save()
        let fourth = try stack.reopened()
        let bob = try #require(try fourth.fetch("Employee").first)
        #expect(bob.isFault)
        bob.mutableSetValue(forKey: "favourites").add(try #require(try fourth.fetch("Project").first))
        try fourth.context.save()
        let fifth = try stack.reopened()
        #expect(try fifth.fetch("Employee")[0].value(forKeyPath: "favourites.@count") as? Int == 1)
        #expect(red.objectID.uriRepresentation().lastPathComponent == "p1")
        #expect(ann.objectID.isTemporaryID == false)
    }

    @Test("Subentities are fetched with their parent, or left out")
    func subentities() throws {
        let stack = try CompanyStack()
        stack.insert("Employee", ["name": "Ann"])
        let boss = stack.insert("Manager", ["name": "Bo", "level": 3])
        try stack.context.save()
        let other = try stack.reopened()
        #expect(try other.names("Person") == ["Ann", "Bo"])
        let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
        request.includesSubentities = false
        #expect(try other.context.fetch(request).count == 1)
        let read = try #require(try other.fetch("Person", "name == 'Bo'").first)
        #expect(read.entity.name == "Manager")
        #expect(read.value(forKey: "level") as? Int == 3)
        #expect(read.objectID.uriRepresentation() == boss.objectID.uriRepresentation())
    }

    @Test("A request returns dictionaries, IDs or counts according to its result type")
    func shapes() throws {
        let stack = try CompanyStack()
        let department = stack.insert("Department", ["name": "A"])
        for salary in [10, 20, 30] { stack.insert("Employee", ["salary": salary, "department": department]) }
        try stack.context.save()
        let sum = NSExpressionDescription()
        sum.name = "total"
        sum.expression = NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "salary")])
        sum.expressionResultType = .integer64AttributeType
        let request = NSFetchRequest<NSDictionary>(entityName: "Employee")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["department.name", sum]
        request.propertiesToGroupBy = ["department.name"]
        let rows = try stack.context.fetch(request)
        try #require(rows.count == 1)
        #expect(rows[0]["total"] as? Int == 60)
        #expect(rows[0]["department.name"] as? String == "A")
        let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Employee")
        ids.resultType = .managedObjectIDResultType
        #expect(try stack.context.fetch(ids).count == 3)
        let count = NSFetchRequest<NSNumber>(entityName: "Employee")
        count.resultType = .countResultType
        #expect(try stack.context.fetch(count) == [3])
    }

    @Test("A batched fetch reads its rows when they are used")
    func batches() throws {
        let stack = try CompanyStack()
        for index in 0..<25 { stack.insert("Project", ["name": String(format: "%02d", index)]) }
        try stack.context.save()
        let other = try stack.reopened()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Project")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        request.fetchBatchSize = 10
        let projects = try other.context.fetch(request)
        #expect(projects.count == 25)
        #expect(projects.allSatisfy { $0.isFault })
        #expect(
            projects.map { $0.value(forKey: "name") as! String }
                == (0..<25).map { String(format: "%02d", $0) })
    }

    @Test("A context that merges automatically sees what another context saved")
    func automaticMerging() async throws {
        let stack = try CompanyStack()
        let background = stack.sibling(.privateQueue)
        background.automaticallyMergesChangesFromParent = true
        let ann = Employee(context: stack.context)
        ann.name = "Ann"
        try stack.context.save()
        let id = ann.objectID
        let before = await background.perform { background.object(with: id).value(forKey: "name") as? String }
        #expect(before == "Ann")
        ann.name = "Eve"
        try stack.context.save()
        let after = await background.perform { background.object(with: id).value(forKey: "name") as? String }
        #expect(after == "Eve")
    }

    @Test("perform returns values and throws errors of its block")
    func perform() async throws {
        let stack = try CompanyStack()
        let context = stack.sibling(.privateQueue)
        let count = try await context.perform {
            NSEntityDescription.insertNewObject(forEntityName: "Project", into: context)
            try context.save()
            return try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Project"))
        }
        #expect(count == 1)
        await #expect(throws: CocoaError.self) {
            try await context.perform { throw CocoaError(.coreData) }
        }
        let seven = context.performAndWait { 7 }
        #expect(seven == 7)
        let coordinator = stack.coordinator
        let stores = coordinator.performAndWait { coordinator.persistentStores.count }
        #expect(stores == 1)
    }

    @Test("An object without references is freed")
    func memory() throws {
        let stack = try CompanyStack()
        for index in 0..<10 { stack.insert("Project", ["name": "\(index)"]) }
        try stack.context.save()
        #expect(stack.context.registeredObjects.isEmpty)
        weak var leaked: NSManagedObject?
        try {
            let project = try stack.fetch("Project")[0]
            _ = project.value(forKey: "name")
            leaked = project
        }()
        #expect(leaked == nil)
    }
}

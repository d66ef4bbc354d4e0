import CoreData
import Foundation
import Testing

@Suite("Batch updating")
@MainActor
struct BatchUpdateTests {
    private let stack: TestStack
    private let departments: [NSManagedObject]

    init() throws {
        stack = try CompanyStack()
        departments = ["North", "South"].map { [stack] in
            stack.insert("Department", ["name": $0, "floor": 1])
        }
        for (index, name) in ["Ada", "Bob", "Cyd", "Dan"].enumerated() {
            stack.insert(
                index == 3 ? "Manager" : "Employee",
                [
                    "name": name, "salary": 100 * (index + 1), "score": Double(index) + 0.5,
                    "department": departments[index % 2],
                ])
        }
        try stack.context.save()
    }

    private func update(
        _ entity: String = "Employee", _ properties: [AnyHashable: Any], where format: String? = nil,
        _ arguments: Any..., includesSubentities: Bool = true,
        type: NSBatchUpdateRequestResultType = .updatedObjectsCountResultType
    ) throws -> Any? {
        let request = NSBatchUpdateRequest(entityName: entity)
        request.propertiesToUpdate = properties
        request.predicate = format.map { NSPredicate(format: $0, argumentArray: arguments) }
        request.includesSubentities = includesSubentities
        request.resultType = type
        let result = try #require(try stack.context.execute(request) as? NSBatchUpdateResult)
        #expect(request.entity.name == entity)
        #expect(result.resultType == type)
        return result.result
    }

    /// The values as another stack reads them, by name.
    private func stored(_ key: String) throws -> [AnyHashable?] {
        let other = try stack.reopened()
        return try withExtendedLifetime(other) {
            try other.fetch("Employee").map { $0.value(forKeyPath: key) as? AnyHashable }
        }
    }

    private func reason(_ properties: [AnyHashable: Any], _ entity: String = "Employee") -> String {
        let error = #expect(throws: NSError.self) { try update(entity, properties) }
        return error?.localizedFailureReason ?? ""
    }

    // MARK: Values

    @Test("Constants of every type are stored")
    func constants() throws {
        let (badge, born) = (UUID(), Date(timeIntervalSinceReferenceDate: 1.25))
        let count = try update(
            "Employee",
            [
                "salary": 5, "score": 2, "badge": badge, "born": born, "active": true, "rank": 7,
                "bonus": Decimal(string: "1.5")!, "home": URL(string: "file:///x")!, "photo": Data([9]),
                "ratio": Float(0.5), "tags": ["t"] as NSArray, "name": "same",
            ])
        #expect(count as? Int == 4)
        let other = try stack.reopened()
        for employee in try other.fetch("Employee") {
            func value<Value>(_ key: String) -> Value? { employee.value(forKey: key) as? Value }
            #expect(value("salary") == 5)
            #expect(value("score") == 2.0)
            #expect(value("badge") == badge)
            #expect(value("born") == born)
            #expect(value("active") == true)
            #expect(value("rank") == 7)
            #expect(value("bonus") == NSDecimalNumber(string: "1.5"))
            #expect(value("ratio") == Float(0.5))
            #expect(value("home") == URL(string: "file:///x")!)
            #expect(value("photo") == Data([9]))
            #expect(value("tags") == ["t"])
            #expect(value("name") == "same")
        }
        #expect(
            try update("Employee", ["score": NSNull(), "name": NSExpression(forConstantValue: nil)]) as? Int
                == 4)
        #expect(try stored("score") == [nil, nil, nil, nil])
        #expect(try stored("name") == [nil, nil, nil, nil])
    }

    @Test("Expressions are computed from each row's values before the update")
    func expressions() throws {
        _ = try update(
            "Employee",
            [
                "salary": NSExpression(format: "salary + 1"), "score": NSExpression(format: "salary * 2"),
                "name": NSExpression(format: "uppercase:(name)"),
            ])
        #expect(try stored("salary") == [101, 201, 301, 401])
        #expect(try stored("score") == [200.0, 400.0, 600.0, 800.0])
        #expect(try stored("name") == ["ADA", "BOB", "CYD", "DAN"])
        _ = try update("Employee", ["salary": NSExpression(forConstantValue: 3)])
        #expect(try stored("salary") == [3, 3, 3, 3])
        _ = try update("Employee", ["salary": NSExpression(format: "score / 3")])
        #expect(try stored("salary") == [66, 133, 200, 266])
        #expect(try stack.fetch("Employee", "salary == 66").count == 1)
    }

    @Test("Property descriptions can be keys, like names")
    func descriptions() throws {
        let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Employee"])
        let salary = try #require(entity.attributesByName["salary"])
        #expect(try update("Employee", [salary: 9]) as? Int == 4)
        #expect(try stored("salary") == [9, 9, 9, 9])
    }

    // MARK: Which rows

    @Test("A predicate selects the rows, and may use relationships")
    func predicates() throws {
        #expect(try update("Employee", ["rank": 1], where: "salary > 150 AND name != %@", "Dan") as? Int == 2)
        #expect(try update("Employee", ["rank": 2], where: "department.name == %@", "North") as? Int == 2)
        #expect(try stored("rank") == [2, 1, 2, nil])
        #expect(try update("Department", ["floor": 9], where: "ANY employees.salary > 350") as? Int == 1)
        #expect(try update("Employee", ["rank": 2], where: "FALSEPREDICATE") as? Int == 0)
    }

    @Test("A predicate that SQL cannot express is evaluated in memory first")
    func closures() throws {
        let ada = try #require(try stack.fetch("Employee", "name == 'Ada'").first)
        ada.setValue("Zoe", forKey: "name")
        let request = NSBatchUpdateRequest(entityName: "Employee")
        request.predicate = NSPredicate { object, _ in
            ((object as? NSManagedObject)?.value(forKey: "name") as? String ?? "") < "C"
        }
        request.propertiesToUpdate = ["rank": 4]
        request.resultType = .updatedObjectsCountResultType
        #expect((try stack.context.execute(request) as? NSBatchUpdateResult)?.result as? Int == 2)
        #expect(try stored("rank") == [4, 4, nil, nil])
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Employee")
        fetch.predicate = request.predicate
        let deletion = NSBatchDeleteRequest(fetchRequest: fetch)
        deletion.resultType = .resultTypeCount
        #expect((try stack.context.execute(deletion) as? NSBatchDeleteResult)?.result as? Int == 2)
        #expect(try stored("name") == ["Cyd", "Dan"])
    }

    @Test("Subentities are included unless the request says otherwise")
    func subentities() throws {
        #expect(try update("Employee", ["rank": 1], includesSubentities: false) as? Int == 3)
        #expect(try update("Manager", ["rank": 2]) as? Int == 1)
        #expect(try stored("rank") == [1, 1, 1, 2])
        #expect(try update("Person", ["name": "x"]) as? Int == 4)
    }

    @Test("A batch update returns true, or the IDs of the rows with their own entities")
    func results() throws {
        #expect(try update("Employee", ["rank": 1], type: .statusOnlyResultType) as? Bool == true)
        let ids = try #require(
            try update("Employee", ["rank": 1], where: "salary >= 300", type: .updatedObjectIDsResultType)
                as? [NSManagedObjectID])
        #expect(Set(ids.map { $0.entity.name }) == ["Employee", "Manager"])
        #expect(Set(ids) == Set(try stack.fetch("Employee", "salary >= 300").map(\.objectID)))
    }

    // MARK: Relationships

    @Test("A to-one relationship is set to an object, an ID or nil")
    func relationships() throws {
        let south = departments[1]
        #expect(try update("Employee", ["department": south.objectID], where: "name == 'Ada'") as? Int == 1)
        #expect(try update("Employee", ["department": south], where: "name == 'Cyd'") as? Int == 1)
        #expect(try stored("department.name") == ["South", "South", "South", "South"])
        #expect(try update("Employee", ["department": NSNull()], where: "name == 'Bob'") as? Int == 1)
        #expect(try stored("department.name") == ["South", nil, "South", "South"])
        let byExpression = NSExpression(forConstantValue: departments[0].objectID)
        #expect(try update("Employee", ["department": byExpression], where: "name == 'Bob'") as? Int == 1)
        #expect(try stored("department.name") == ["South", "North", "South", "South"])
    }

    @Test("A one-to-one relationship can be set to nil from either side, but not to an object")
    func oneToOne() throws {
        let ada = try #require(try stack.fetch("Employee", "name == 'Ada'").first)
        let desk = stack.insert("Desk", ["name": "d", "owner": ada])
        try stack.context.save()
        #expect(reason(["desk": desk.objectID]).contains("Employee.desk is one-to-one"))
        #expect(try update("Employee", ["desk": NSNull()]) as? Int == 4)
        let other = try stack.reopened()
        #expect(try other.fetch("Desk").first?.value(forKey: "owner") == nil)
        #expect(try other.fetch("Employee", "desk != nil").isEmpty)
    }

    @Test("A row added to an ordered relationship goes to its end")
    func ordered() throws {
        let project = stack.insert("Project", ["name": "p"])
        for name in ["a", "b"] { stack.insert("Task", ["name": name, "project": project]) }
        for name in ["c", "d"] { stack.insert("Task", ["name": name]) }
        try stack.context.save()
        #expect(try update("Task", ["project": project.objectID], where: "project == nil") as? Int == 2)
        let other = try stack.reopened()
        let tasks = try #require(try other.fetch("Project").first?.value(forKey: "tasks") as? NSOrderedSet)
        #expect(
            tasks.map { ($0 as? NSManagedObject)?.value(forKey: "name") as? String } == ["a", "b", "c", "d"])
    }

    // MARK: Contexts and versions

    @Test("Objects keep their values until they are refreshed, and saving one meets a conflict")
    func versions() throws {
        let ada = try #require(try stack.fetch("Employee", "name == 'Ada'").first)
        #expect(ada.value(forKey: "salary") as? Int == 100)
        _ = try update("Employee", ["salary": 1])
        #expect(ada.value(forKey: "salary") as? Int == 100)
        ada.setValue("Ida", forKey: "name")
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == NSManagedObjectMergeError)
        stack.context.rollback()
        stack.context.refresh(ada, mergeChanges: false)
        #expect(ada.value(forKey: "salary") as? Int == 1)
    }

    @Test("A fault in another context reads the updated row")
    func otherContext() throws {
        let ada = try #require(try stack.fetch("Employee", "name == 'Ada'").first)
        _ = ada.value(forKey: "salary")
        let other = stack.sibling()
        let fault = other.object(with: ada.objectID)
        _ = try update("Employee", ["salary": 1])
        #expect(fault.value(forKey: "salary") as? Int == 1)
    }

    // MARK: What cannot be updated

    @Test("Errors name the entity, the property and the mistake")
    func errors() throws {
        #expect(reason([:]).contains("no propertiesToUpdate"))
        #expect(reason(["nonsense": 1]).contains("\"nonsense\", which is no property of Employee"))
        #expect(reason(["salary": "much"]).contains("property = \"salary\"; desired type = NSNumber"))
        #expect(reason(["projects": NSNull()]).contains("Employee.projects is a to-many relationship"))
        #expect(reason(["mood": "good"]).contains("Employee.mood is not stored"))
        #expect(reason(["department": 7]).contains("Employee.department is a relationship"))
        let desk = stack.insert("Desk", ["name": "d"])
        #expect(reason(["department": desk]).contains("not saved yet"))
        try stack.context.save()
        #expect(reason(["department": desk]).contains("leads to Department, not to Desk"))
        #expect(
            reason(["name": NSExpression(format: "department.name")])
                .contains("the value of Employee.name"))
        #expect(reason(["salary": NSExpression(format: "nonsense + 1")]).contains("nonsense"))
        #expect(reason(["salary": 1], "Nobody").contains("'Nobody'"))
        #expect(try stored("salary") == [100, 200, 300, 400])
    }

    @Test("Unique values stay unique, and a failed update changes nothing")
    func constraints() throws {
        for name in ["x", "y"] { stack.insert("Desk", ["name": name]) }
        try stack.context.save()
        let error = #expect(throws: NSError.self) { try update("Desk", ["name": "z"]) }
        #expect(error?.code == NSManagedObjectConstraintMergeError)
        #expect(try stack.names("Desk") == ["x", "y"])
    }
}

import CoreData
import Foundation
import Testing

@Suite("Batch deletion")
@MainActor
struct BatchDeleteTests {
    private let stack: TestStack

    /// A department with three employees, one a manager, and one employee without; two projects with tasks.
    init() throws {
        stack = try CompanyStack()
        let company = stack.insert("Company", ["name": "C"])
        let department = stack.insert("Department", ["name": "North", "company": company])
        let projects = ["p", "q"].map { [stack] in stack.insert("Project", ["name": $0]) }
        for name in ["t", "u"] { stack.insert("Task", ["name": name, "project": projects[0]]) }
        var people: [NSManagedObject] = []
        for (index, name) in ["Ada", "Bob", "Cyd", "Dan"].enumerated() {
            let person = stack.insert(
                index == 2 ? "Manager" : "Employee", ["name": name, "salary": index * 100])
            if index < 3 { person.setValue(department, forKey: "department") }
            person.mutableSetValue(forKey: "projects").addObjects(from: projects)
            person.mutableSetValue(forKey: "favourites").add(projects[0])
            person.mutableSetValue(forKey: "friends").addObjects(from: people)
            people.append(person)
        }
        stack.insert("Desk", ["name": "d", "owner": people[0]])
        try stack.context.save()
    }

    private func delete(
        _ entity: String, _ format: String? = nil, _ type: NSBatchDeleteRequestResultType = .resultTypeCount,
        _ change: (NSFetchRequest<any NSFetchRequestResult>) -> Void = { _ in }
    ) throws -> Any? {
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: entity)
        fetch.predicate = format.map { NSPredicate(format: $0) }
        change(fetch)
        return try execute(NSBatchDeleteRequest(fetchRequest: fetch), type)
    }

    private func execute(_ request: NSBatchDeleteRequest, _ type: NSBatchDeleteRequestResultType) throws
        -> Any?
    {
        request.resultType = type
        let result = try #require(try stack.context.execute(request) as? NSBatchDeleteResult)
        #expect(result.resultType == type)
        return result.result
    }

    private func names(_ entity: String, _ keyPath: String = "name") throws -> [String?] {
        let other = try stack.reopened()
        return try withExtendedLifetime(other) {
            try other.fetch(entity).map { $0.value(forKeyPath: keyPath) as? String }
        }
    }

    // MARK: Which rows

    @Test("A predicate selects the rows, with or without subentities")
    func predicates() throws {
        #expect(try delete("Employee", "salary > 150") { $0.includesSubentities = false } as? Int == 1)
        #expect(try names("Employee") == ["Ada", "Bob", "Cyd"])
        #expect(try delete("Employee", "department.name == 'North' AND name != 'Ada'") as? Int == 2)
        #expect(try names("Employee") == ["Ada"])
        #expect(try delete("Employee", "FALSEPREDICATE") as? Int == 0)
    }

    @Test("The fetch request's order, limit and offset apply")
    func window() throws {
        let count = try delete("Employee") {
            $0.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
            ($0.fetchLimit, $0.fetchOffset) = (2, 1)
        }
        #expect(count as? Int == 2)
        #expect(try names("Employee") == ["Ada", "Dan"])
    }

    @Test("Rows are deleted by their object IDs, which must be of one inheritance tree")
    func ids() throws {
        let ids = try stack.fetch("Employee", "name IN {'Ada', 'Cyd'}").map(\.objectID)
        #expect(try execute(NSBatchDeleteRequest(objectIDs: ids), .resultTypeCount) as? Int == 2)
        #expect(try names("Employee") == ["Bob", "Dan"])
        #expect(try execute(NSBatchDeleteRequest(objectIDs: ids), .resultTypeCount) as? Int == 0)
    }

    @Test("A batch deletion returns true, or the IDs of all deleted rows")
    func results() throws {
        #expect(try delete("Task", "name == 't'", .resultTypeStatusOnly) as? Bool == true)
        let task = try #require(try stack.fetch("Task").first).objectID
        let project = try #require(try stack.fetch("Project", "name == 'p'").first).objectID
        let ids = try delete("Project", "name == 'p'", .resultTypeObjectIDs) as? [NSManagedObjectID]
        #expect(Set(ids ?? []) == [project, task])
    }

    // MARK: Delete rules

    @Test("Cascade deletes the destinations, including those of other entities in their tree")
    func cascade() throws {
        let company = try #require(try stack.fetch("Company").first)
        let department = try #require(try stack.fetch("Department").first)
        department.setValue(nil, forKey: "company")
        try stack.context.save()
        #expect(try delete("Department") as? Int == 4)
        #expect(try names("Employee") == ["Dan"])
        #expect(try names("Department").isEmpty)
        #expect(try names("Desk", "owner.name") == [nil])
        #expect(try delete("Project") as? Int == 4)
        #expect(try names("Task").isEmpty)
        _ = company
    }

    @Test("Nullify clears references to the row: to-one, many-to-many, reflexive, without inverse")
    func nullify() throws {
        #expect(try delete("Employee", "name == 'Ada'") as? Int == 1)
        let other = try stack.reopened()
        #expect(try other.fetch("Desk", "owner != nil").isEmpty)
        let bob = try #require(try other.fetch("Employee", "name == 'Bob'").first)
        let friends = bob.value(forKey: "friends") as? Set<NSManagedObject>
        #expect(Set(friends?.compactMap { $0.value(forKey: "name") as? String } ?? []) == ["Cyd", "Dan"])
        let project = try #require(try other.fetch("Project", "name == 'p'").first)
        #expect((project.value(forKey: "members") as? Set<NSManagedObject>)?.count == 3)
        #expect(try delete("Project", "name == 'p'") as? Int == 3)
        let last = try stack.reopened()
        let dan = try #require(try last.fetch("Employee", "name == 'Dan'").first)
        #expect((dan.value(forKey: "projects") as? Set<NSManagedObject>)?.count == 1)
        #expect((dan.value(forKey: "favourites") as? Set<NSManagedObject>)?.isEmpty == true)
        let links = try stack.tables().tables()
        #expect(!links.contains { $0.uppercased() == "Z_BATCH" })
    }

    @Test("Deny keeps the row, unless all of its destinations are deleted with it")
    func deny() throws {
        let error = #expect(throws: NSError.self) { try delete("Company") }
        #expect(error?.code == NSValidationRelationshipDeniedDeleteError)
        #expect(error?.localizedFailureReason?.contains("Company.departments") == true)
        #expect(try names("Company") == ["C"])
        #expect(try delete("Department") as? Int == 4)
        #expect(try delete("Company") as? Int == 1)
    }

    @Test("A row to which a mandatory inverse refers is not deleted")
    func mandatory() throws {
        let stack = try TestStack(
            """
            Owner
              name string
              pets ->> Pet.owner
            Pet
              name string
              owner -> Owner.pets!
            """)
        stack.insert("Pet", ["owner": stack.insert("Owner", ["name": "kept"])])
        stack.insert("Owner", ["name": "free"])
        try stack.context.save()
        func delete(_ name: String) throws {
            let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Owner")
            fetch.predicate = NSPredicate(format: "name == %@", name)
            try stack.context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
        }
        try delete("free")
        let error = #expect(throws: NSError.self) { try delete("kept") }
        #expect(error?.localizedFailureReason?.contains("mandatory MTO nullify inverse on Pet/owner") == true)
        #expect(try stack.reopened().fetch("Owner").count == 1)
    }

    @Test("Cascade deletes a tree down to its leaves")
    func tree() throws {
        let (stack, _) = try TestStack.witnesses()
        var parent = stack.insert("Node", ["name": "root"])
        let root = parent
        for depth in 0..<40 {
            let child = stack.insert("Node", ["name": "\(depth)", "parent": parent])
            stack.insert("Node", ["name": "leaf", "parent": parent])
            parent = child
        }
        stack.insert("Node", ["name": "other"])
        try stack.context.save()
        let request = NSBatchDeleteRequest(objectIDs: [root.objectID])
        request.resultType = .resultTypeCount
        #expect((try stack.context.execute(request) as? NSBatchDeleteResult)?.result as? Int == 81)
        #expect(try stack.stored("Node", "name") as? [String] == ["other"])
    }

    // MARK: Files

    @Test("A cascade follows a relationship that is its own inverse")
    func cascadeOfFriends() throws {
        let stack = try TestStack(
            """
            Node
              name string
              friends ->> Node.friends cascade
            """)
        let nodes = ["a", "b", "c", "d"].map { stack.insert("Node", ["name": $0]) }
        nodes[0].setValue([nodes[1]] as NSSet, forKey: "friends")
        nodes[2].setValue([nodes[1]] as NSSet, forKey: "friends")
        try stack.context.save()
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Node")
        request.predicate = NSPredicate(format: "name == 'a'")
        try stack.context.execute(NSBatchDeleteRequest(fetchRequest: request))
        #expect(try stack.stored("Node", "name") as? [String] == ["d"])
    }

    @Test(
        "External files are deleted with their rows, and stay if the deletion fails",
        .ofSQLite("Values in files"))
    func externalFiles() throws {
        let stack = try TestStack(
            """
            Owner
              name string
              photo external
            """)
        let insertion = NSBatchInsertRequest(
            entityName: "Owner",
            objects: (0..<3).map { ["name": "\($0)", "photo": Data(count: 200_000 + $0)] })
        try stack.context.execute(insertion)
        let folder = stack.folder.file(".store_SUPPORT/_EXTERNAL_DATA").path
        func files() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: folder).count }
        #expect(try files() == 3)
        let update = NSBatchUpdateRequest(entityName: "Owner")
        update.predicate = NSPredicate(format: "name == '2'")
        update.propertiesToUpdate = ["photo": Data([1])]
        try stack.context.execute(update)
        #expect(try files() == 2)
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Owner")
        fetch.predicate = NSPredicate(format: "name == '0'")
        try stack.context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
        #expect(try files() == 1)
        let sizes = try stack.stored("Owner", "photo").map { ($0 as? Data)?.count }
        #expect(sizes == [200_001, 1])
        // A long value gets a file for each row, which is deleted with the row.
        update.predicate = nil
        update.propertiesToUpdate = ["photo": Data(count: 150_000)]
        try stack.context.execute(update)
        #expect(try files() == 2)
        #expect(try stack.stored("Owner", "photo").map { ($0 as? Data)?.count } == [150_000, 150_000])
        fetch.predicate = NSPredicate(format: "name == '1'")
        try stack.context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
        #expect(try files() == 1)
        #expect(try stack.stored("Owner", "photo").map { ($0 as? Data)?.count } == [150_000])
    }
}

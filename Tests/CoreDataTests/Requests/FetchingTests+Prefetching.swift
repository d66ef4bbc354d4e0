import CoreData
import Foundation
import Testing

/// Prefetching, and its number of statements.
extension FetchingTests {
    /// 6 departments with 3 employees each, one desk each; every employee works at two of 4 projects with 2
    /// tasks each.
    private func company() throws -> TestStack {
        let stack = try CompanyStack()
        let projects = (0..<4).map { stack.insert("Project", ["name": "P\($0)"]) }
        for project in projects {
            for index in [1, 0] { stack.insert("Task", ["name": "T\(index)", "project": project]) }
        }
        for number in 0..<6 {
            let department = stack.insert("Department", ["name": "D\(number)", "floor": number])
            for index in 0..<3 {
                let desk = stack.insert("Desk", ["name": "\(number)-\(index)"])
                let employee = stack.insert(
                    index == 0 ? "Manager" : "Employee",
                    ["name": "E\(number)\(index)", "department": department, "desk": desk])
                employee.mutableSetValue(forKey: "projects").addObjects(
                    from: [projects[index], projects[(number + index + 1) % 4]])
            }
        }
        try stack.context.save()
        return stack
    }

    @Test(
        "Prefetching takes one statement per relationship, whatever the number of objects",
        arguments: [
            ("Employee", ["department"], 2), ("Employee", ["department", "desk"], 3),
            ("Department", ["employees"], 2), ("Department", ["employees.desk"], 3),
            ("Department", ["employees.projects"], 3), ("Department", ["employees.projects.tasks"], 4),
            ("Project", ["tasks", "members.department"], 4),
        ])
    func prefetchCost(_ entity: String, _ keyPaths: [String], _ expected: Int) throws {
        let stack = try company()
        let other = try stack.reopened()
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.relationshipKeyPathsForPrefetching = keyPaths
        let (found, statements) = try selects(stack.storeURL) { try other.context.fetch(request) }
        #expect(statements == expected)
        let (_, later) = selects(stack.storeURL) {
            for object in found { for path in keyPaths { _ = object.value(forKeyPath: path + ".name") } }
        }
        #expect(later == 0)
    }

    @Test("Prefetched objects equal those read one by one, order included")
    func prefetchedMembers() throws {
        let stack = try company()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Project")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let plain = try stack.reopened()
        let expected = try plain.context.fetch(request).map(members)
        request.relationshipKeyPathsForPrefetching = ["tasks", "members"]
        let other = try stack.reopened()
        #expect(try other.context.fetch(request).map(members) == expected)
        #expect(expected[0].first?.hasPrefix("T1") == true)
    }

    private func members(_ project: NSManagedObject) -> [String] {
        let tasks = (project.value(forKey: "tasks") as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
        let members = (project.value(forKey: "members") as? NSSet)?.allObjects as? [NSManagedObject] ?? []
        func names(_ objects: [NSManagedObject]) -> [String] {
            objects.compactMap { $0.value(forKey: "name") as? String }
        }
        return names(tasks) + names(members).sorted()
    }

    @Test("A many-to-many relationship that is its own inverse is prefetched from both ends")
    func prefetchedFriends() throws {
        let stack = try CompanyStack()
        let people = ["Ann", "Bob", "Cid"].map { stack.insert("Employee", ["name": $0]) }
        people[0].mutableSetValue(forKey: "friends").addObjects(from: [people[1], people[2]])
        try stack.context.save()
        let other = try stack.reopened()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        request.relationshipKeyPathsForPrefetching = ["friends"]
        let (found, statements) = try selects(stack.storeURL) { try other.context.fetch(request) }
        #expect(statements == 2)
        let (counts, none) = selects(stack.storeURL) { found.map { $0.value(forKeyPath: "friends.@count") } }
        #expect(counts as? [Int] == [2, 1, 1])
        #expect(none == 0)
    }

    @Test("Walking from owner to owner reads the next owner's members with their rows")
    func walkedMembers() throws {
        let other = try company().reopened()
        let departments = try other.fetch("Department")
        func walk(_ department: NSManagedObject, reads count: Int) -> Int {
            let members = department.value(forKey: "employees") as? Set<NSManagedObject> ?? []
            for member in members.prefix(count) { _ = member.value(forKey: "name") }
            return members.count
        }
        let (_, first) = selects(other.storeURL) { walk(departments[0], reads: 3) }
        #expect(first == 1 + 3)
        let (_, second) = selects(other.storeURL) { walk(departments[1], reads: 3) }
        #expect(second == 1)
        let (_, third) = selects(other.storeURL) { walk(departments[2], reads: 0) }
        #expect(third == 1)
        // The walk read no members any more, so they are not prefetched.
        let (_, fourth) = selects(other.storeURL) { walk(departments[3], reads: 1) }
        #expect(fourth == 1 + 1)
    }

    @Test(
        "Members read together with their rows are correct, whatever changed meanwhile",
        arguments: 1...20)
    func walkedChanges(_ seed: UInt64) throws {
        let stack = try company()
        func members(
            isSettled: Bool = true, _ prepare: (TestStack, [NSManagedObject]) throws -> Void
        ) throws -> [[String]] {
            var random = SeededGenerator(seed: seed)
            let other = try stack.reopened()
            let departments = try other.fetch("Department").sorted { name($0) < name($1) }
            let projects = try other.fetch("Project").sorted { name($0) < name($1) }
            // Unchanged objects stay faults.
            for number in 0..<18 where random.chance(60) {
                let found = try other.fetch("Employee", "name == 'E\(number / 3)\(number % 3)'")
                let employee = try #require(found.first)
                switch random.number(0...4) {
                case 0: employee.setValue(random.pick(departments), forKey: "department")
                case 1: employee.setValue(nil, forKey: "department")
                case 2: other.context.delete(employee)
                case 3: employee.mutableSetValue(forKey: "projects").add(random.pick(projects))
                default: random.pick(projects).mutableSetValue(forKey: "members").remove(employee)
                }
            }
            other.insert("Employee", ["name": "new", "department": random.pick(departments)])
            if isSettled { other.context.processPendingChanges() }
            try prepare(other, departments + projects)
            return (departments.map { ($0, "employees") } + projects.map { ($0, "members") }).map {
                let members = $0.value(forKey: $1) as? Set<NSManagedObject> ?? []
                return members.map(name).sorted()
            }
        }
        let prefetched = try members { other, _ in
            for (entity, key) in [("Department", "employees"), ("Project", "members")] {
                let request = NSFetchRequest<NSManagedObject>(entityName: entity)
                request.relationshipKeyPathsForPrefetching = [key]
                _ = try other.context.fetch(request)
            }
        }
        func loaded(_: TestStack, _ owners: [NSManagedObject]) {
            for owner in owners {
                let key = owner.entity.name == "Project" ? "members" : "employees"
                _ = (owner.value(forKey: key) as? NSSet)?.count
            }
        }
        #expect(try prefetched == members(loaded))
        for isSettled in [true, false] {
            let walked = try members(isSettled: isSettled) { _, _ in }
            #expect(try walked == members(isSettled: isSettled, loaded))
        }
    }

    private func name(_ object: NSManagedObject) -> String { object.value(forKey: "name") as? String ?? "" }

    @Test("Prefetching keeps unsaved members in place")
    func prefetchedChanges() throws {
        let stack = try company()
        let other = try stack.reopened()
        let department = try #require(try other.fetch("Department", "name == 'D0'").first)
        let fay = other.insert("Employee", ["name": "Fay", "department": department])
        let request = NSFetchRequest<NSManagedObject>(entityName: "Department")
        request.relationshipKeyPathsForPrefetching = ["employees"]
        _ = try other.context.fetch(request)
        let members = department.value(forKey: "employees") as? NSSet
        #expect(members?.count == 4)
        #expect(members?.contains(fay) == true)
    }

    @Test("A batch prefetches its relationships when it is read")
    func batchPrefetch() throws {
        let stack = try company()
        let other = try stack.reopened()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
        request.relationshipKeyPathsForPrefetching = ["department"]
        request.fetchBatchSize = 9
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let (found, first) = try selects(stack.storeURL) { try other.context.fetch(request) }
        #expect(first == 1)
        let (_, second) = selects(stack.storeURL) {
            found[..<9].map { $0.value(forKeyPath: "department.name") }
        }
        #expect(second == 2)
    }

    @Test("Unsaved objects are sorted in without reading every batch")
    func batchesWithChanges() throws {
        let stack = try CompanyStack()
        for index in 0..<64 { stack.insert("Project", ["name": String(format: "%02d", index)]) }
        try stack.context.save()
        let other = try stack.reopened()
        other.insert("Project", ["name": "205"])
        let request = NSFetchRequest<NSManagedObject>(entityName: "Project")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        request.fetchBatchSize = 4
        let (found, statements) = try selects(stack.storeURL) { try other.context.fetch(request) }
        #expect(statements <= 1 + 7)
        try #require(found.count == 65)
        #expect(found[21].value(forKey: "name") as? String == "205")
        request.fetchOffset = 20
        request.fetchLimit = 3
        let names = try other.context.fetch(request).map { $0.value(forKey: "name") as? String }
        #expect(names == ["20", "205", "21"])
    }

    @Test("A limit also limits reads when there are unsaved changes")
    func limitedReads() throws {
        let stack = try CompanyStack()
        for index in 0..<40 { stack.insert("Project", ["name": String(format: "%02d", index)]) }
        try stack.context.save()
        let other = try stack.reopened()
        let first = try #require(try other.fetch("Project", "name == '00'").first)
        other.context.delete(first)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Project")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        request.fetchLimit = 2
        let names = try other.context.fetch(request).map { $0.value(forKey: "name") as? String }
        #expect(names == ["01", "02"])
        #expect(other.context.registeredObjects.count < 10)
    }

    @Test("Refetched objects are refreshed in batches too, and keep their changes")
    func refreshedBatches() throws {
        let stack = try company()
        let e00 = try #require(try stack.fetch("Employee", "name == 'E00'").first)
        let e01 = try #require(try stack.fetch("Employee", "name == 'E01'").first)
        _ = e00.value(forKey: "salary")
        e01.setValue(5, forKey: "rank")
        let other = try stack.reopened()
        for name in ["E00", "E01"] {
            try #require(try other.fetch("Employee", "name == '\(name)'").first).setValue(
                77, forKey: "salary")
        }
        try other.context.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
        request.fetchBatchSize = 4
        request.shouldRefreshRefetchedObjects = true
        _ = try stack.context.fetch(request)
        #expect(e00.value(forKey: "salary") as? Int == 77)
        #expect(e01.value(forKey: "salary") as? Int == 77)
        #expect(e01.value(forKey: "rank") as? Int == 5)
        try stack.context.save()
        #expect(try stack.reopened().names("Employee", "salary == 77 AND rank == 5") == ["E01"])
    }
}

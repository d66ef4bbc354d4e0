import CoreData
import CoreDataPostgreSQL
import Foundation
import PostgreSQLTestSupport
import Testing

@Suite("Derived attributes in two databases", .needsServer)
@MainActor
struct DerivedAgreementTests {
    /// Two stores with the same objects, which are known by their numbers.
    private struct Pair {
        let stacks: [TestStack]
        var next = 0

        init() throws {
            stacks = try [.sqlite, .postgreSQL].map { try TestStack(Self.sketch, type: $0) }
        }

        private static let sketch = """
            Firm
              number int64
              departments ->> Department.firm
              payroll double derived departments.@sum.payroll
              size int32 derived departments.@sum.headcount
            Department
              number int64
              name string
              floor int16
              plainName string derived canonical:(name)
              firm -> Firm.departments
              people ->> Person.department
              headcount int64 derived people.@count
              payroll double derived people.@sum.salary
              weight decimal derived people.@sum.weight
            Person
              number int64
              name string
              salary int32
              weight double
              department -> Department.people
              departmentName string derived department.name
              departmentFloor int64 derived department.floor
              departmentPlain string derived department.plainName
              mentor -> Person.pupils
              pupils ->> Person.mentor
              pupilCount int16 derived pupils.@count
              mentorName string derived mentor.name
              friends ->> Person.friends
              friendCount int64 derived friends.@count
              friendSalary int64 derived friends.@sum.salary
              projects ->> Project.members
              cost int32 derived projects.@sum.cost
              copy string derived name
            Manager: Person
              level int32
              rooms ->> Room.manager
              area double derived rooms.@sum.area
            Room
              number int64
              area double
              manager -> Manager.rooms
            Project
              number int64
              cost int32
              members ->> Person.projects
              memberCount int64 derived members.@count
              staffWeight double derived members.@sum.weight
            Shelf
              number int64
              things ->> Thing
              thingCount int64 derived things.@count
              thingSize int64 derived things.@sum.size
            Thing
              number int64
              size int32
            """

        /// Does the same to both stores.
        func each(_ body: (TestStack) throws -> Void) rethrows { try stacks.forEach(body) }

        func save() throws {
            try each { stack in
                try stack.context.save()
                stack.context.refreshAllObjects()
            }
        }

        /// Returns the values of all derived attributes, by entity and number.
        func derived(_ stack: TestStack) throws -> [String: [String: AnyHashable]] {
            var result: [String: [String: AnyHashable]] = [:]
            for entity in stack.coordinator.managedObjectModel.entities where entity.superentity == nil {
                for object in try stack.fetch(try #require(entity.name)) {
                    let number = try #require(object.value(forKey: "number") as? Int)
                    for (name, attribute) in object.entity.attributesByName
                    where attribute is NSDerivedAttributeDescription {
                        result["\(entity.name ?? "") \(number)", default: [:]][name] =
                            object.value(forKey: name) as? AnyHashable
                    }
                }
            }
            return result
        }

        /// Compares the derived attributes as the contexts have them, and as a new coordinator reads them.
        func compare(_ comment: String) throws {
            let (sqlite, postgreSQL) = (try derived(stacks[0]), try derived(stacks[1]))
            let fresh = try TestStack(
                stacks[1].coordinator.managedObjectModel, in: stacks[1].folder, type: .postgreSQL)
            let stored = try derived(fresh)
            try #require(sqlite.keys == postgreSQL.keys)
            for (object, values) in sqlite {
                for (name, value) in values {
                    #expect(postgreSQL[object]?[name] == value, "\(object).\(name) after \(comment)")
                    #expect(stored[object]?[name] == value, "\(object).\(name) is stored after \(comment)")
                }
                #expect(postgreSQL[object]?.count == values.count, "\(object) after \(comment)")
            }
        }

        func object(_ entity: String, _ number: Int, in stack: TestStack) throws -> NSManagedObject? {
            try stack.fetch(entity, "number == %d", number).first
        }

        // MARK: Changes

        mutating func insert(_ entity: String, _ values: [String: Any]) {
            next += 1
            each { stack in
                stack.insert(entity, values.merging(["number": next]) { $1 })
            }
        }

        func set(_ entity: String, _ number: Int, _ key: String, _ value: Any?) throws {
            try each { try object(entity, number, in: $0)?.setValue(value, forKey: key) }
        }

        func relate(
            _ entity: String, _ number: Int, _ key: String, to other: String, _ otherNumber: Int?
        ) throws {
            try each { stack in
                let target = try otherNumber.flatMap { try object(other, $0, in: stack) }
                try object(entity, number, in: stack)?.setValue(target, forKey: key)
            }
        }

        /// Adds a member to a relationship, or removes it.
        func toggle(_ entity: String, _ number: Int, _ key: String, _ other: String, _ member: Int) throws {
            try each { stack in
                guard let owner = try object(entity, number, in: stack),
                    let member = try object(other, member, in: stack)
                else { return }
                let members = owner.mutableSetValue(forKey: key)
                if members.contains(member) { members.remove(member) } else { members.add(member) }
            }
        }

        func delete(_ entity: String, _ number: Int) throws {
            try each { stack in
                guard let object = try object(entity, number, in: stack) else { return }
                stack.context.delete(object)
            }
        }

        func execute(_ request: (TestStack) throws -> NSPersistentStoreRequest?) throws {
            try each { stack in
                if let request = try request(stack) { try stack.context.execute(request) }
                stack.context.refreshAllObjects()
            }
        }
    }

    /// Random numbers of objects of an entity, most of which exist.
    private struct Numbers {
        var ofEntity: [String: [Int]] = [:]

        mutating func insert(_ entity: String, _ number: Int) {
            ofEntity[entity, default: []].append(number)
            if entity == "Manager" { ofEntity["Person", default: []].append(number) }
        }

        func pick(_ entity: String, _ dice: inout SeededGenerator) -> Int {
            ofEntity[entity].map { dice.pick($0) } ?? 0
        }
    }

    @Test(
        "SQLite's triggers and the saves and batches of a PostgreSQL store derive the same values",
        arguments: 1...6)
    func agreement(_ seed: UInt64) throws {
        var (pair, dice, numbers) = (try Pair(), SeededGenerator(seed: seed), Numbers())
        func insert(_ entity: String) {
            var values: [String: Any] = [:]
            switch entity {
            case "Department": values = ["name": "Dé\(dice.number(0...9))", "floor": dice.number(0...5)]
            case "Person", "Manager":
                values = ["name": "P\(dice.number(0...9))", "salary": dice.number(0...99)]
                if dice.chance(80) { values["weight"] = Double(dice.number(0...99)) / 2 }
            case "Room": values = ["area": Double(dice.number(0...99)) / 4]
            case "Project": values = ["cost": dice.number(0...99)]
            case "Thing": values = ["size": dice.number(0...99)]
            default: break
            }
            pair.insert(entity, values)
            numbers.insert(entity, pair.next)
        }
        let kinds = ["Firm", "Department", "Person", "Manager", "Room", "Project", "Shelf", "Thing"]
        for kind in kinds { for _ in 0..<3 { insert(kind) } }
        try pair.save()
        try pair.compare("the first save")

        /// The to-one relationships, and the to-many relationships with columns or pairs of their own.
        let toOne = [
            ("Department", "firm", "Firm"), ("Person", "department", "Department"),
            ("Person", "mentor", "Person"), ("Room", "manager", "Manager"),
        ]
        let toMany = [
            ("Person", "friends", "Person"), ("Person", "projects", "Project"), ("Shelf", "things", "Thing"),
            ("Department", "people", "Person"),
        ]
        func change() throws {
            switch dice.number(0...6) {
            case 0: insert(dice.pick(kinds))
            case 1, 2:
                let (entity, key, other) = dice.pick(toOne)
                let target = dice.chance(80) ? numbers.pick(other, &dice) : nil
                try pair.relate(entity, numbers.pick(entity, &dice), key, to: other, target)
            case 3, 4:
                let (entity, key, other) = dice.pick(toMany)
                try pair.toggle(
                    entity, numbers.pick(entity, &dice), key, other, numbers.pick(other, &dice))
            case 5:
                let (entity, key, value): (String, String, Any?) = dice.pick([
                    ("Person", "salary", dice.number(0...99)), ("Person", "weight", nil),
                    ("Project", "cost", dice.number(0...99)), ("Thing", "size", dice.number(0...99)),
                    ("Department", "name", "Ä\(dice.number(0...9))"), ("Room", "area", 2.5),
                    ("Department", "floor", nil), ("Person", "name", "N\(dice.number(0...9))"),
                ])
                try pair.set(entity, numbers.pick(entity, &dice), key, value)
            default:
                let entity = dice.pick(kinds)
                try pair.delete(entity, numbers.pick(entity, &dice))
            }
        }
        func batch() throws -> String {
            switch dice.number(0...5) {
            case 0:
                let salaries = (0..<3).map { _ in dice.number(0...99) }
                let first = pair.next + 1
                for _ in salaries {
                    pair.next += 1
                    numbers.insert("Person", pair.next)
                }
                try pair.execute { _ in
                    NSBatchInsertRequest(
                        entityName: "Person",
                        objects: salaries.enumerated().map { ["number": first + $0, "salary": $1] })
                }
                return "a batch insertion"
            case 1:
                let (limit, salary) = (dice.number(0...99), dice.number(0...99))
                try pair.execute { _ in
                    let request = NSBatchUpdateRequest(entityName: "Person")
                    request.predicate = NSPredicate(format: "salary < %d", limit)
                    request.propertiesToUpdate = ["salary": salary]
                    return request
                }
                return "a batch update of values"
            case 2:
                let (limit, target) = (dice.number(0...99), numbers.pick("Department", &dice))
                let isNil = dice.chance(30)
                try pair.execute { stack in
                    guard let department = try pair.object("Department", target, in: stack) else {
                        return nil
                    }
                    let request = NSBatchUpdateRequest(entityName: "Person")
                    request.predicate = NSPredicate(format: "salary > %d OR department.floor == 1", limit)
                    request.propertiesToUpdate = ["department": isNil ? NSNull() : department.objectID]
                    return request
                }
                return "a batch update of a relationship"
            case 3:
                let (name, floor) = ("Ö\(dice.number(0...9))", dice.number(0...5))
                try pair.execute { _ in
                    let request = NSBatchUpdateRequest(entityName: "Department")
                    request.predicate = NSPredicate(format: "floor != %d", floor)
                    request.propertiesToUpdate = ["name": name, "floor": floor]
                    return request
                }
                return "a batch update of copied values"
            default:
                let entity = dice.pick(["Person", "Department", "Project", "Thing", "Manager", "Shelf"])
                let (one, other) = (numbers.pick(entity, &dice), numbers.pick(entity, &dice))
                try pair.execute { _ in
                    let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: entity)
                    fetch.predicate = NSPredicate(format: "number IN %@", [one, other] as NSArray)
                    return NSBatchDeleteRequest(fetchRequest: fetch)
                }
                return "a batch deletion of \(entity)"
            }
        }
        for round in 1...25 {
            if dice.chance(30) {
                try pair.compare("\(try batch()) in round \(round)")
            } else {
                for _ in 0..<dice.number(1...6) { try change() }
                try pair.save()
                try pair.compare("save \(round)")
            }
        }
    }
}

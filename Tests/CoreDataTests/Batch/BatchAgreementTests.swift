import CoreData
import Foundation
import Testing

@Suite("Batches have the same result as changes object by object")
@MainActor
struct BatchAgreementTests {
    /// Pseudo-random numbers, equal for equal seeds.
    private struct Dice {
        var state: UInt64

        mutating func roll(_ sides: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % sides
        }
    }

    private static let bookkeeping: Set = ["Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY", "Z_SAVES"]

    /// Returns every table of entities and pairs, without row versions: a batch does not increment those of
    /// rows whose to-many relationships lose a member.
    private func contents(_ stack: TestStack) throws -> [String: Set<[PlainDatabase.Cell]>] {
        let database = try stack.tables()
        var result: [String: Set<[PlainDatabase.Cell]>] = [:]
        for table in try database.tables()
        where !Self.bookkeeping.contains(table.uppercased()) && !table.hasPrefix("sqlite_") {
            let columns = try database.columns(of: table).filter { $0.uppercased() != "Z_OPT" }.sorted()
            result[table] = Set(
                try database.rows("SELECT \(columns.joined(separator: ", ")) FROM \(table)"))
        }
        return result
    }

    /// Returns two stores with one random company.
    private func pair(_ seed: Int) throws -> (TestStack, TestStack) {
        func fill(_ stack: TestStack) throws {
            var dice = Dice(state: UInt64(seed))
            let departments = (0..<3).map { stack.insert("Department", ["name": "d\($0)", "floor": $0]) }
            let projects = (0..<3).map { stack.insert("Project", ["name": "p\($0)"]) }
            for number in 0..<6 {
                let project = projects[dice.roll(3)]
                project.mutableOrderedSetValue(forKey: "tasks").add(
                    stack.insert("Task", ["name": "t\(number)"]))
            }
            try stack.context.save()
            var people: [NSManagedObject] = []
            for number in 0..<12 {
                let person = stack.insert(
                    dice.roll(3) == 0 ? "Manager" : "Employee",
                    ["name": "e\(number)", "salary": dice.roll(100), "rank": dice.roll(5)])
                // One object a save, so that keys do not hang on the order of a set.
                try stack.context.save()
                if dice.roll(4) > 0 { person.setValue(departments[dice.roll(3)], forKey: "department") }
                person.mutableSetValue(forKey: "projects").add(projects[dice.roll(3)])
                person.mutableSetValue(forKey: "favourites").add(projects[dice.roll(3)])
                if let friend = people.last { person.mutableSetValue(forKey: "friends").add(friend) }
                try stack.context.save()
                if dice.roll(2) == 0 {
                    stack.insert("Desk", ["name": "desk \(number)", "owner": person])
                    try stack.context.save()
                }
                people.append(person)
            }
        }
        let (one, other) = (try CompanyStack(), try CompanyStack())
        try fill(one)
        try fill(other)
        return (one, other)
    }

    @Test("Batch insertions have the same result as inserted objects", arguments: 1...5)
    func insertions(_ seed: Int) throws {
        let (batch, saved) = (try CompanyStack(), try CompanyStack())
        var dice = Dice(state: UInt64(seed))
        let rows: [[String: Any]] = (0..<30).map { number in
            var row: [String: Any] = ["name": "e\(number)"]
            if dice.roll(2) == 0 { row["salary"] = dice.roll(1000) }
            if dice.roll(2) == 0 { row["score"] = Double(dice.roll(1000)) / 8 }
            if dice.roll(2) == 0 { row["bonus"] = NSDecimalNumber(value: dice.roll(1000)) }
            if dice.roll(2) == 0 { row["active"] = dice.roll(2) == 0 }
            if dice.roll(2) == 0 {
                row["born"] = Date(timeIntervalSinceReferenceDate: Double(dice.roll(99)) / 4)
            }
            if dice.roll(2) == 0 { row["photo"] = Data(repeating: 7, count: dice.roll(40)) }
            if dice.roll(2) == 0 { row["home"] = URL(string: "https://\(number).example") }
            return row
        }
        try batch.context.execute(NSBatchInsertRequest(entityName: "Employee", objects: rows))
        for row in rows {
            saved.insert("Employee", row)
            try saved.context.save()
        }
        #expect(try contents(batch) == contents(saved))
    }

    @Test("Batch updates have the same result as changed objects", arguments: 1...5)
    func updates(_ seed: Int) throws {
        let (batch, saved) = try pair(seed)
        let format = "salary > 40 AND (department.floor < 2 OR ANY projects.name == 'p1')"
        let request = NSBatchUpdateRequest(entityName: "Employee")
        request.predicate = NSPredicate(format: format)
        request.propertiesToUpdate = [
            "salary": NSExpression(format: "salary * 2 + rank"),
            "name": NSExpression(format: "uppercase:(name)"),
            "department": NSNull(), "active": true,
        ]
        try batch.context.execute(request)
        for person in try saved.fetch("Employee", format) {
            let (salary, rank) = (
                person.value(forKey: "salary") as? Int, person.value(forKey: "rank") as? Int
            )
            person.setValue((salary ?? 0) * 2 + (rank ?? 0), forKey: "salary")
            person.setValue((person.value(forKey: "name") as? String)?.uppercased(), forKey: "name")
            person.setValue(nil, forKey: "department")
            person.setValue(true, forKey: "active")
        }
        try saved.context.save()
        #expect(try contents(batch) == contents(saved))
    }

    @Test("Batch deletions have the same result as deleted objects", arguments: 1...5)
    func deletions(_ seed: Int) throws {
        let (batch, saved) = try pair(seed)
        for (entity, format) in [
            ("Employee", "salary < 30"), ("Project", "name != 'p0'"), ("Department", "floor == 1"),
        ] {
            let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: entity)
            fetch.predicate = NSPredicate(format: format)
            try batch.context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
            for object in try saved.fetch(entity, format) { saved.context.delete(object) }
            try saved.context.save()
            #expect(try contents(batch) == contents(saved), "\(entity) where \(format)")
        }
    }
}

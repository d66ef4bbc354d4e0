import CoreData
import Foundation

extension StoreConformance {
    /// Inserts people in two departments, to be queried.
    static func populate(_ context: NSManagedObjectContext) throws {
        let departments = ["Sales", "Research", "Empty"].enumerated().map { index, name in
            context.insert("Department", ["name": name, "floor": index])
        }
        let tags = ["red", "green", "Blue"].map { context.insert("Tag", ["name": $0]) }
        let boss = context.insert("Manager", ["name": "Zoë", "age": 60, "salary": 100.0, "title": "Chief"])
        let names = ["Ann", "bob", "Çelik", "Dora", "ann", "Émile", "Gus", "Hal", "ida", "Jo"]
        for (index, name) in names.enumerated() {
            let person = context.insert("Employee", ["name": name, "age": 20 + index * 3 % 7])
            if index % 4 != 3 { person.setValue(Double(index * 10) + 0.5, forKey: "salary") }
            if index % 3 != 2 { person.setValue(departments[index % 2], forKey: "department") }
            if index % 2 == 0 { person.setValue(boss, forKey: "boss") }
            person.setValue(NSSet(array: Array(tags.prefix(index % 4))), forKey: "tags")
            for step in 0..<(index % 3) {
                context.insert("Step", ["name": "\(name)\(step)", "employee": person])
            }
        }
        try context.save()
    }

    private static func request(_ entity: String = "Employee") -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return request
    }

    static let fetching: [Rule] = [
        Rule("Subentities are found with their parents, unless they are not wanted") { stage in
            try populate(stage.context)
            let people = request("Person")
            try expect(try stage.context.fetch(people).count, is: 11, "the number of people")
            try expect(try stage.context.count(for: request("Manager")), is: 1, "the number of managers")
            people.includesSubentities = false
            try expect(try stage.context.count(for: people), is: 0, "the number of bare people")
        },
        Rule("Limit and offset cut the ordered list") { stage in
            try populate(stage.context)
            let all = try stage.context.fetch(request()).compactMap(\.name)
            let window = request()
            (window.fetchOffset, window.fetchLimit) = (3, 4)
            try expect(
                try stage.context.fetch(window).compactMap(\.name), is: Array(all[3..<7]), "the window")
            try expect(try stage.context.count(for: window), is: 4, "the count")
        },
        Rule("Object IDs, counts and dictionaries") { stage in
            try populate(stage.context)
            let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Employee")
            ids.resultType = .managedObjectIDResultType
            ids.predicate = NSPredicate(format: "name == 'Ann'")
            let ann = try stage.first("Employee", "name == 'Ann'")
            try expect(try stage.context.fetch(ids), is: [ann.objectID], "the IDs")
            let rows = NSFetchRequest<NSDictionary>(entityName: "Employee")
            rows.resultType = .dictionaryResultType
            rows.propertiesToFetch = ["name", "age"]
            rows.predicate = NSPredicate(format: "name == 'Ann'")
            let found = try stage.context.fetch(rows)
            try expect(found, is: [["name": "Ann", "age": 20]], "the dictionaries")
        },
        Rule("Totals and groups", needs: .totals) { stage in
            try populate(stage.context)
            let rows = NSFetchRequest<NSDictionary>(entityName: "Employee")
            rows.resultType = .dictionaryResultType
            let total = NSExpressionDescription()
            (total.name, total.expressionResultType) = ("total", .doubleAttributeType)
            total.expression = NSExpression(format: "sum:(salary)")
            rows.propertiesToFetch = ["department", total]
            rows.propertiesToGroupBy = ["department"]
            rows.predicate = NSPredicate(format: "department != nil")
            let totals = try stage.context.fetch(rows).compactMap { $0["total"] as? Double }
            let reference = try stage.reference()
            try populate(reference)
            let expected = try reference.fetch(rows).compactMap { $0["total"] as? Double }
            try expect(totals.sorted(), is: expected.sorted(), "the totals")
        },
        Rule("Unsaved changes count in a fetch") { stage in
            try populate(stage.context)
            let ann = try stage.first("Employee", "name == 'Ann'")
            ann.setValue(99, forKey: "age")
            stage.insert("Employee", ["name": "New", "age": 99])
            let gus = try stage.first("Employee", "name == 'Gus'")
            stage.context.delete(gus)
            let old = request()
            old.predicate = NSPredicate(format: "age == 99 OR name == 'Gus'")
            try expect(try stage.context.fetch(old).compactMap(\.name), is: ["Ann", "New"], "what is found")
            old.includesPendingChanges = false
            try expect(try stage.context.fetch(old).compactMap(\.name), is: ["Gus"], "what is stored")
        },
        Rule("A wrong key is an error that names it") { stage in
            try populate(stage.context)
            for format in ["nosuch == 1", "department.nosuch == 1", "ANY tags.nosuch == 1"] {
                let problem = try error("\(format)") { _ = try stage.fetch("Employee", format) }
                try expect(
                    "\(problem.userInfo)".contains("nosuch"), "The error does not name the key: \(problem).")
            }
        },
        Rule("Closures, transient and transformed values in predicates", needs: .objectPredicates) { stage in
            try populate(stage.context)
            let long = request()
            long.predicate = NSPredicate { object, _ in ((object as? NSManagedObject)?.name?.count ?? 0) > 4 }
            try expect(
                Set(try stage.context.fetch(long).compactMap(\.name)), is: ["Çelik", "Émile"], "long names")
            stage.insert("Sample", ["name": "s", "list": ["x"], "note": "n"])
            let kept = try stage.context.objects("Sample")
            try stage.context.save()
            let noted = try stage.fetch("Sample", "note == 'n' AND list != nil")
            try expect(noted, is: kept, "the sample with a note")
        },
    ]

    // MARK: Differential

    /// Predicates whose results have to equal those of the SQLite store.
    private static let formats = [
        "name == 'Ann'", "name ==[c] 'ann'", "name ==[cd] 'emile'", "name != 'Ann'", "name BEGINSWITH 'A'",
        "name BEGINSWITH[c] 'a'", "name ENDSWITH 'o'", "name CONTAINS[cd] 'e'", "name LIKE '*a*'",
        "name LIKE[c] '?n*'", "name MATCHES '[A-H].*'", "name IN {'Ann', 'Jo', 'nobody'}", "age > 22",
        "age BETWEEN {21, 24}", "age + 1 == 24", "salary == nil", "salary != nil", "salary > 30",
        "salary > 30 OR age < 22", "salary > 30 AND NOT name CONTAINS 'a'", "age == 20.0",
        "department == nil", "department.name == 'Sales'", "department.floor == 1", "boss.name == 'Zoë'",
        "boss != nil AND department != nil", "ANY tags.name == 'red'", "ANY tags.name BEGINSWITH[c] 'b'",
        "NONE tags.name == 'green'", "tags.@count == 2", "tags.@count > 0 AND age > 21", "steps.@count == 0",
        "SUBQUERY(tags, $t, $t.name CONTAINS 'e').@count == 2", "department.employees.@count > 3",
        "boss.reports.@count >= 5", "entity.name == 'Manager'", "lowercase:(name) == 'ann'", "TRUEPREDICATE",
        "FALSEPREDICATE", "department.employees.@max.age > 22", "department.employees.@sum.salary > 100",
        "boss.age > 50", "name > 'M'", "name <= 'D'", "age IN {20, 23}", "ANY steps.name ENDSWITH '1'",
        "TERNARY(age > 22, salary, age) > 21", "CAST(age, 'NSString') == '20'",
    ]

    static let questions: [Rule] = [
        Rule("Predicates select what they select in SQLite's store", needs: .totals) { stage in
            let reference = try stage.reference()
            for context in [stage.context, reference] { try populate(context) }
            for format in formats {
                for context in [stage.context, reference] { context.reset() }
                let predicate = NSPredicate(format: format)
                let found = try stage.context.objects("Employee", predicate).compactMap(\.name).sorted()
                let expected = try reference.objects("Employee", predicate).compactMap(\.name).sorted()
                try expect(found, is: expected, "what \(format) finds")
            }
        },
        Rule("Sort descriptors order as in SQLite's store") { stage in
            let reference = try stage.reference()
            for context in [stage.context, reference] { try populate(context) }
            let selectors: [(String, Selector?)] = [
                ("name", nil), ("name", .caseInsensitiveCompare), ("age", nil), ("salary", nil),
                ("department.name", nil), ("boss.name", nil), ("name", .localizedStandardCompare),
            ]
            for (key, selector) in selectors {
                for ascending in [true, false] {
                    func order(_ context: NSManagedObjectContext) throws -> [String] {
                        context.reset()
                        let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
                        let first =
                            selector.map { NSSortDescriptor(key: key, ascending: ascending, selector: $0) }
                            ?? NSSortDescriptor(key: key, ascending: ascending)
                        request.sortDescriptors = [first, NSSortDescriptor(key: "name", ascending: true)]
                        return try context.fetch(request).compactMap(\.name)
                    }
                    try expect(try order(stage.context), is: try order(reference), "the order by \(key)")
                }
            }
        },
    ]
}

extension Selector {
    fileprivate static let caseInsensitiveCompare = Selector("caseInsensitiveCompare:")
    fileprivate static let localizedStandardCompare = Selector("localizedStandardCompare:")
}

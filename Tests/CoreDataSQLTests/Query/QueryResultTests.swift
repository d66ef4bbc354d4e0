import CoreDataPredicates
import CoreDataSQL
import CoreDataStore
import CoreDataValues
import Testing

/// Statements that SQLite runs on random rows find the same rows as filters written in Swift.
@Suite("Results of queries")
struct QueryResultTests {
    private static let seeds: [UInt64] = [1, 2, 3, 4, 5]

    private func open(_ company: Company) throws -> QueryDatabase {
        let database = try QueryDatabase(CompanyModel.definitions)
        for statement in company.statements { try database.rows(statement) }
        return database
    }

    private func keys(_ database: QueryDatabase, _ entity: String, _ predicate: PredicateNode) throws
        -> [Int64]
    {
        let query = FetchQuery(
            entity: CompanyModel.index(entity), predicate: predicate, sort: [SortKey(keys: ["self"])],
            shape: .references)
        return try database.keys(CompanyModel.compiler.compile(query).select)
    }

    private func integer(_ value: Int64) -> ExpressionNode { constant(.integer(value)) }

    @Test("Conditions on attributes select the same people in SQL and in memory", arguments: seeds)
    func people(_ seed: UInt64) throws {
        let company = Company(seed: seed)
        let database = try open(company)
        let name = key("name")
        let age = key("age")
        let ada = constant(.string("Ada"))
        let cases: [(PredicateNode, (Company.Person) -> Bool)] = [
            (compare(name, .equalTo, ada), { $0.name == "Ada" }),
            (compare(name, .notEqualTo, ada), { $0.name != "Ada" }),
            (compare(name, .equalTo, constant(.null)), { $0.name == nil }),
            (compare(name, .beginsWith, constant(.string("Ad"))), { $0.name?.hasPrefix("Ad") ?? false }),
            (compare(name, .contains, constant(.string("o"))), { $0.name?.contains("o") ?? false }),
            (compare(name, .contains, constant(.string(""))), { _ in false }),
            (
                compare(age, .between, constants([.integer(20), .integer(25)])),
                { $0.age.map { (20...25).contains($0) } ?? false }
            ),
            (
                compare(age, .in, constants((20...29).map { .integer($0) })),
                { $0.age.map { (20...29).contains($0) } ?? false }
            ),
            (compare(name, .in, constants([.string("Bo"), .null])), { $0.name == "Bo" || $0.name == nil }),
            (
                compare(key("friends"), .contains, constant(.reference(CompanyModel.reference("Person", 3)))),
                { $0.friends.contains(3) }
            ),
            (compare(key("friends.@count"), .greaterThan, integer(2)), { $0.friends.count > 2 }),
            (
                compare(key("friends.age"), .greaterThan, integer(25), .any),
                { $0.friends.contains { (company.person($0)?.age ?? 0) > 25 } }
            ),
            (
                compare(key("friends.age"), .greaterThan, integer(20), .all),
                { $0.friends.allSatisfy { (company.person($0)?.age ?? 0) > 20 } }
            ),
            (compare(key("entity"), .equalTo, constant(.string("Manager"))), { $0.number == 4 }),
        ]
        for (predicate, test) in cases {
            let expected = company.people.filter(test).map(\.key)
            #expect(try keys(database, "Person", predicate) == expected, "\(predicate)")
        }
    }

    @Test("Conditions on relationships select the same employees in SQL and in memory", arguments: seeds)
    func employees(_ seed: UInt64) throws {
        let company = Company(seed: seed)
        let database = try open(company)
        let manager = constant(.string("Manager"))
        let bo = constant(.string("Bo"))
        let cases: [(PredicateNode, (Company.Person) -> Bool)] = [
            (
                compare(key("department.name"), .equalTo, bo),
                { company.department($0.department)?.name == "Bo" }
            ),
            (
                compare(key("department.name"), .notEqualTo, bo),
                { company.department($0.department)?.name != "Bo" }
            ),
            (
                compare(key("department.name"), .equalTo, key("name")),
                { company.department($0.department)?.name == $0.name }
            ),
            (compare(key("boss"), .equalTo, constant(.null)), { $0.boss == nil }),
            (
                compare(key("boss.boss"), .notEqualTo, constant(.null)),
                { company.person($0.boss)?.boss != nil }
            ),
            (compare(key("boss.entity"), .equalTo, manager), { company.person($0.boss)?.number == 4 }),
            (
                compare(key("boss.age"), .greaterThan, key("age")),
                {
                    guard let boss = company.person($0.boss)?.age, let age = $0.age else { return false }
                    return boss > age
                }
            ),
            (
                compare(key("projects.title"), .equalTo, bo, .any),
                { company.projects(of: $0).contains { $0.title == "Bo" } }
            ),
            (
                compare(key("projects.tags.label"), .equalTo, bo, .any),
                { company.projects(of: $0).contains { $0.tags.contains("Bo") } }
            ),
            (compare(key("projects.@count"), .equalTo, integer(0)), { $0.projects.isEmpty }),
            (
                compare(key("reports.@sum.salary"), .greaterThan, integer(5)),
                { company.reports(of: $0.key).reduce(0) { $0 + ($1.salary ?? 0) } > 5 }
            ),
            (
                compare(key("reports.@sum.salary"), .equalTo, integer(0)),
                { company.reports(of: $0.key).reduce(0) { $0 + ($1.salary ?? 0) } == 0 }
            ),
            (
                compare(key("department.employees.@max.age"), .equalTo, key("age")),
                { person in
                    let oldest = person.department.flatMap {
                        company.employees(of: $0).compactMap(\.age).max()
                    }
                    return oldest == person.age
                }
            ),
            (compare(.evaluatedObject, .in, key("boss.reports")), { $0.boss != nil }),
        ]
        for (predicate, test) in cases {
            let expected = company.people.filter { $0.number > 2 && test($0) }.map(\.key)
            #expect(try keys(database, "Employee", predicate) == expected, "\(predicate)")
        }
    }

    @Test("Sub-queries select the same departments and projects in SQL and in memory", arguments: seeds)
    func subqueries(_ seed: UInt64) throws {
        let company = Company(seed: seed)
        let database = try open(company)
        func count(_ path: ExpressionNode, _ variable: String, _ predicate: PredicateNode) -> ExpressionNode {
            .keyPath(
                operand: .subquery(collection: path, variable: variable, predicate: predicate),
                keys: ["@count"])
        }
        let old = compare(key("e", "age"), .greaterThan, integer(24))
        #expect(
            try keys(
                database, "Department", compare(count(key("employees"), "e", old), .greaterThan, integer(1)))
                == company.departments.filter { department in
                    company.employees(of: department.key).count { ($0.age ?? 0) > 24 } > 1
                }.map(\.key))
        let tagged = compare(
            count(key("e", "projects"), "p", compare(key("p", "tags.@count"), .greaterThan, integer(1))),
            .greaterThan, integer(0))
        #expect(
            try keys(
                database, "Department", compare(count(key("employees"), "e", tagged), .equalTo, integer(1)))
                == company.departments.filter { department in
                    company.employees(of: department.key).count { person in
                        company.projects(of: person).contains { $0.tags.count > 1 }
                    } == 1
                }.map(\.key))
        let bosses = compare(key("members.boss"), .equalTo, constant(.null), .all)
        #expect(
            try keys(database, "Project", bosses)
                == company.projects.filter { project in
                    company.members(of: project.key).allSatisfy { $0.boss == nil }
                }.map(\.key))
        #expect(
            try keys(database, "Project", compare(key("tags"), .equalTo, constant(.null)))
                == company.projects.filter(\.tags.isEmpty).map(\.key))
    }

    @Test("Groups, windows and counts are the same in SQL and in memory", arguments: seeds)
    func shapes(_ seed: UInt64) throws {
        let company = Company(seed: seed)
        let database = try open(company)
        let count = ExpressionNode.function(operand: nil, name: "count:", arguments: [key("self")])
        let shape = DictionaryShape(
            columns: [
                .init(name: "age", expression: key("age"), type: .integer32),
                .init(name: "heads", expression: count, type: .integer32),
            ],
            groupBy: [key("age")],
            having: compare(.variable("heads"), .greaterThan, integer(1)))
        var query = FetchQuery(
            entity: CompanyModel.index("Person"),
            predicate: compare(key("age"), .notEqualTo, constant(.null)),
            sort: [SortKey(keys: ["age"])], shape: .dictionaries(shape))
        let groups = Dictionary(grouping: company.people.compactMap(\.age), by: { $0 })
            .filter { $0.value.count > 1 }.sorted { $0.key < $1.key }
            .map { [SQLValue.integer($0.key), .integer(Int64($0.value.count))] }
        #expect(try database.rows(CompanyModel.compiler.compile(query).select) == groups)

        query = FetchQuery(
            entity: CompanyModel.index("Person"), sort: [SortKey(keys: ["self"], isAscending: false)],
            limit: 4, offset: 3, shape: .references)
        let keys = company.people.map(\.key).reversed().dropFirst(3).prefix(4)
        #expect(try database.keys(CompanyModel.compiler.compile(query).select) == Array(keys))
        query.shape = .count
        #expect(try database.keys(CompanyModel.compiler.compile(query).select) == [4])
    }

    @Test("The members of a relationship and rows by key are the same in SQL and in memory", arguments: seeds)
    func members(_ seed: UInt64) throws {
        let company = Company(seed: seed)
        let database = try open(company)
        for person in company.people {
            let friends = CompanyModel.slot("friends", of: "Person")
            let found = try database.keys(
                CompanyModel.compiler.related(friends, of: CompanyModel.reference("Person", person.key)))
            #expect(Set(found) == person.friends)
            #expect(found.count == person.friends.count)
        }
        for project in company.projects {
            let members = CompanyModel.slot("members", of: "Project")
            let found = try database.keys(
                CompanyModel.compiler.related(members, of: CompanyModel.reference("Project", project.key)))
            #expect(found.sorted() == company.members(of: project.key).map(\.key))
        }
        let wanted = [9, 2, 77].map { CompanyModel.reference("Person", $0) }
        var select = try CompanyModel.compiler.rows(of: CompanyModel.index("Person")).select
        select = SQLFragment(select.sql, bindings: [SelectCompiler.keys(wanted)])
        #expect(try database.keys(select) == [2, 9])
    }
}

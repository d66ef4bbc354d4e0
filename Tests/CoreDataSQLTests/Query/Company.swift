import CoreDataSQL

/// Random people, departments, projects and tags: as objects to reason about and as rows of a database.
struct Company {
    struct Person {
        var key: Int64
        var number: Int64
        var name: String?
        var age: Int64?
        var salary: Double?
        var boss: Int64?
        var department: Int64?
        var friends: Set<Int64> = []
        var projects: Set<Int64> = []
    }

    struct Department {
        var key: Int64
        var name: String?
    }

    struct Project {
        var key: Int64
        var title: String?
        var tags: [String?] = []
    }

    private(set) var people: [Person] = []
    private(set) var departments: [Department] = []
    private(set) var projects: [Project] = []

    init(seed: UInt64) {
        var random = SeededGenerator(state: seed)
        let names = ["Ada", "Bo", "Cy", "Ad", "Zoë", "Bob"]
        func name() -> String? {
            Int.random(in: 0..<4, using: &random) == 0 ? nil : names.randomElement(using: &random)
        }
        func maybe<Value>(_ value: Value?) -> Value? {
            Bool.random(using: &random) ? value : nil
        }
        departments = (1...4).map { Department(key: $0, name: name()) }
        for key in Int64(1)...6 {
            var project = Project(key: key, title: name())
            for _ in 0..<Int.random(in: 0..<3, using: &random) { project.tags.append(name()) }
            projects.append(project)
        }
        for key in Int64(1)...30 {
            var person = Person(key: key, number: Int64.random(in: 2...4, using: &random))
            person.name = name()
            person.age = maybe(Int64.random(in: 18...30, using: &random))
            if person.number > 2 {
                person.salary = maybe(Double(Int.random(in: 1...9, using: &random)))
                person.boss = maybe(people.filter { $0.number > 2 }.randomElement(using: &random)?.key)
                person.department = maybe(departments.randomElement(using: &random)?.key)
                person.projects = Set(projects.map(\.key).filter { _ in maybe(true) != nil })
            }
            people.append(person)
        }
        for index in people.indices {
            let other = people.indices.randomElement(using: &random) ?? index
            people[index].friends.insert(people[other].key)
            people[other].friends.insert(people[index].key)
        }
    }

    // MARK: Reading

    func person(_ key: Int64?) -> Person? { people.first { $0.key == key } }
    func department(_ key: Int64?) -> Department? { departments.first { $0.key == key } }
    func employees(of department: Int64) -> [Person] { people.filter { $0.department == department } }
    func reports(of boss: Int64) -> [Person] { people.filter { $0.boss == boss } }
    func members(of project: Int64) -> [Person] { people.filter { $0.projects.contains(project) } }
    func projects(of person: Person) -> [Project] { projects.filter { person.projects.contains($0.key) } }

    // MARK: Rows

    var statements: [SQLFragment] {
        var statements = departments.map { department -> SQLFragment in
            """
            INSERT INTO ZDEPARTMENT (Z_PK, Z_ENT, Z_OPT, ZNAME) \
            VALUES (\(bind: .integer(department.key)), 1, 1, \(bind: text(department.name)))
            """
        }
        for project in projects {
            statements.append(
                "INSERT INTO ZPROJECT VALUES (\(bind: .integer(project.key)), 5, 1, \(bind: text(project.title)))"
            )
            for tag in project.tags {
                statements.append(
                    """
                    INSERT INTO ZTAG (Z_ENT, Z_OPT, Z5TAGS, ZLABEL) \
                    VALUES (6, 1, \(bind: .integer(project.key)), \(bind: text(tag)))
                    """)
            }
        }
        for person in people { statements += rows(of: person) }
        return statements
    }

    private func rows(of person: Person) -> [SQLFragment] {
        let key = SQLValue.integer(person.key)
        var rows: [SQLFragment] = [
            """
            INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME, ZAGE, ZSALARY, ZBOSS, Z3_BOSS, ZDEPARTMENT) VALUES \
            (\(bind: key), \(bind: .integer(person.number)), 1, \(bind: text(person.name)), \
            \(bind: integer(person.age)), \(bind: person.salary.map(SQLValue.double) ?? .null), \
            \(bind: integer(person.boss)), \(bind: integer(self.person(person.boss)?.number)), \
            \(bind: integer(person.department)))
            """
        ]
        for project in person.projects.sorted() {
            rows.append("INSERT INTO Z_3PROJECTS VALUES (\(bind: key), \(bind: .integer(project)), 0)")
        }
        // One row for each pair, and both directions for some, as in upgraded stores.
        for friend in person.friends.sorted() where friend >= person.key || friend % 3 == 0 {
            rows.append("INSERT INTO Z_2FRIENDS VALUES (\(bind: key), \(bind: .integer(friend)))")
        }
        return rows
    }

    private func text(_ value: String?) -> SQLValue { value.map(SQLValue.text) ?? .null }
    private func integer(_ value: Int64?) -> SQLValue { value.map(SQLValue.integer) ?? .null }
}

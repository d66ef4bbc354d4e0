import CoreDataPredicates
import CoreDataSQL
import CoreDataStore
import CoreDataValues
import Testing

@Suite("Rows, references and counts")
struct RowQueryTests {
    private func sql(_ entity: String, _ change: (inout FetchQuery) -> Void = { _ in }) throws -> SQLFragment
    {
        var query = FetchQuery(entity: CompanyModel.index(entity))
        change(&query)
        return try CompanyModel.compiler.compile(query).select
    }

    @Test("A fetch selects the system columns and every column of the entity")
    func rows() throws {
        #expect(
            try sql("Department").sql
                == "SELECT t0.Z_PK, t0.Z_ENT, t0.Z_OPT, t0.ZBUDGET, t0.ZNAME FROM ZDEPARTMENT t0")
    }

    @Test("The columns of subentities are selected with the entity's own")
    func family() throws {
        let query = FetchQuery(entity: CompanyModel.index("Person"))
        let compiled = try CompanyModel.compiler.compile(query)
        #expect(
            compiled.select.sql.string == """
                SELECT t0.Z_PK, t0.Z_ENT, t0.Z_OPT, t0.ZAGE, t0.ZBIRTHDAY, t0.ZISACTIVE, t0.ZNAME, t0.ZPHOTO, \
                t0.ZSITE, t0.ZTOKEN, t0.ZBOSS, t0.Z3_BOSS, t0.ZDEPARTMENT, t0.ZSALARY, t0.ZBONUS \
                FROM ZPERSON t0
                """)
        let plan = try #require(compiled.plan)
        #expect(plan.entity(numbered: 2)?.sources == [3, 4, 5, 6, 7, 8, 9])
        #expect(plan.entity(numbered: 3)?.sources == [3, 4, 5, 6, 7, 8, 9, 10, 12, 13])
        #expect(
            plan.entity(numbered: 3)?.destinations.map { $0?.entitySource }
                == [nil, nil, nil, nil, nil, nil, nil, 11, -1, nil])
        #expect(plan.entity(numbered: 4)?.sources == [3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14])
        #expect(plan.entity(numbered: 1) == nil)
        #expect(plan.entityIndexByNumber == [-1, 0, 1, 2, 3, 4, 5])
    }

    @Test("Rows of a shared table are told apart by Z_ENT")
    func entityFilter() throws {
        let references = { (query: inout FetchQuery) in query.shape = .references }
        #expect(try sql("Person", references).sql.string == "SELECT t0.Z_PK, t0.Z_ENT FROM ZPERSON t0")
        let employees = try sql("Employee", references)
        #expect(employees.sql.string == "SELECT t0.Z_PK, t0.Z_ENT FROM ZPERSON t0 WHERE t0.Z_ENT IN (?, ?)")
        #expect(employees.bindings == [.integer(3), .integer(4)])
        let managers = try sql("Manager", references)
        #expect(managers.sql.string == "SELECT t0.Z_PK, t0.Z_ENT FROM ZPERSON t0 WHERE t0.Z_ENT = ?")
        #expect(managers.bindings == [.integer(4)])
        let people = try sql("Person") { query in
            query.shape = .references
            query.includesSubentities = false
        }
        #expect(people.sql.string == "SELECT t0.Z_PK, t0.Z_ENT FROM ZPERSON t0 WHERE t0.Z_ENT = ?")
        #expect(people.bindings == [.integer(2)])
    }

    @Test("Without subentities only the entity's own rows can be decoded")
    func planWithoutSubentities() throws {
        let query = FetchQuery(entity: CompanyModel.index("Person"), includesSubentities: false)
        let plan = try #require(try CompanyModel.compiler.compile(query).plan)
        #expect(
            (0..<7).map { plan.entity(numbered: $0) != nil } == [
                false, false, true, false, false, false, false,
            ])
    }

    @Test("A count drops the order, and counts a window through a sub-select")
    func count() throws {
        let byName = [SortKey(keys: ["name"])]
        let all = try sql("Department") { query in
            query.shape = .count
            query.sort = byName
        }
        #expect(all.sql.string == "SELECT COUNT(*) FROM ZDEPARTMENT t0")
        let window = try sql("Department") { query in
            query.shape = .count
            query.limit = 3
        }
        #expect(
            window.sql.string == "SELECT COUNT(*) FROM (SELECT t0.Z_PK FROM ZDEPARTMENT t0 LIMIT ?) r")
        #expect(window.bindings == [.integer(3)])
    }

    @Test("Limit and offset are bound")
    func window() throws {
        let both = try sql("Tag") { query in
            query.shape = .references
            query.limit = 10
            query.offset = 20
        }
        #expect(both.sql.string == "SELECT t0.Z_PK, t0.Z_ENT FROM ZTAG t0 LIMIT ? OFFSET ?")
        #expect(both.bindings == [.integer(10), .integer(20)])
        let offset = try sql("Tag") { query in
            query.shape = .references
            query.offset = 20
        }
        #expect(offset.sql.string == "SELECT t0.Z_PK, t0.Z_ENT FROM ZTAG t0 LIMIT -1 OFFSET ?")
    }

    @Test("Sort keys cross to-one relationships by outer joins that they share")
    func sort() throws {
        let sorted = try sql("Employee") { query in
            query.shape = .references
            query.sort = [
                SortKey(keys: ["department", "name"], collation: .localizedStandard),
                SortKey(keys: ["department", "budget"], isAscending: false),
                SortKey(keys: ["age"], collation: .caseInsensitive),
                SortKey(keys: ["department"]),
            ]
        }
        #expect(
            sorted.sql.string == """
                SELECT t0.Z_PK, t0.Z_ENT FROM ZPERSON t0 \
                LEFT OUTER JOIN ZDEPARTMENT t1 ON t0.ZDEPARTMENT = t1.Z_PK WHERE t0.Z_ENT IN (?, ?) \
                ORDER BY t1.ZNAME COLLATE NSCollateFinderlike, t1.ZBUDGET DESC, t0.ZAGE, t0.ZDEPARTMENT
                """)
    }

    @Test(
        "Each way to compare strings has a collation of its own",
        arguments: [
            (SortKey.Collation.standard, ""), (.caseInsensitive, " COLLATE NSCollateNoCase"),
            (.localized, " COLLATE NSCollateLocaleSensitive"),
            (.localizedCaseInsensitive, " COLLATE NSCollateLocaleSensitiveNoCase"),
            (.localizedStandard, " COLLATE NSCollateFinderlike"),
        ])
    func collation(_ collation: SortKey.Collation, _ clause: String) throws {
        let sorted = try sql("Tag") { query in
            query.shape = .references
            query.sort = [SortKey(keys: ["label"], isAscending: false, collation: collation)]
        }
        #expect(sorted.sql.string == "SELECT t0.Z_PK, t0.Z_ENT FROM ZTAG t0 ORDER BY t0.ZLABEL\(clause) DESC")
    }

    @Test("Rows are read by key, one or many")
    func faults() throws {
        let columns = "t0.Z_PK, t0.Z_ENT, t0.Z_OPT, t0.ZLABEL"
        let compiler = CompanyModel.compiler
        let one = try compiler.row(of: CompanyModel.index("Tag"))
        #expect(one.select.sql.string == "SELECT \(columns) FROM ZTAG t0 WHERE t0.Z_PK = ?")
        #expect(one.plan?.entity(numbered: 6)?.sources == [3])
        let many = try compiler.rows(of: CompanyModel.index("Tag"))
        #expect(
            many.select.sql.string == """
                SELECT \(columns) FROM (SELECT value FROM json_each(?)) k \
                CROSS JOIN ZTAG t0 ON t0.Z_PK = k.value
                """)
        let references = [3, 1, 2].map { CompanyModel.reference("Tag", $0) }
        #expect(SelectCompiler.keys(references) == .integers([1, 2, 3]))
    }

    @Test("The members of a to-many are selected by the table that stores the relationship")
    func related() throws {
        func sql(_ relationship: String, of entity: String) throws -> SQLFragment {
            try CompanyModel.compiler.related(
                CompanyModel.slot(relationship, of: entity), of: CompanyModel.reference(entity, 7))
        }
        let employees = try sql("employees", of: "Department")
        #expect(employees.sql.string == "SELECT t0.Z_PK, t0.Z_ENT FROM ZPERSON t0 WHERE t0.ZDEPARTMENT = ?")
        #expect(employees.bindings == [.integer(7)])
        #expect(
            try sql("tags", of: "Project").sql
                == "SELECT t0.Z_PK, 6 FROM ZTAG t0 WHERE t0.Z5TAGS = ?")
        #expect(
            try sql("members", of: "Project").sql.string == """
                SELECT t1.Z_PK, t1.Z_ENT FROM Z_3PROJECTS t0 JOIN ZPERSON t1 ON t0.Z_3MEMBERS = t1.Z_PK \
                WHERE t0.Z_5PROJECTS = ? ORDER BY t0.Z_FOK_3MEMBERS
                """)
        let friends = try sql("friends", of: "Manager")
        #expect(
            friends.sql.string == """
                SELECT t0.Z_PK, t0.Z_ENT FROM ZPERSON t0 WHERE t0.Z_PK IN \
                (SELECT REFLEXIVE FROM Z_2FRIENDS WHERE Z_2FRIENDS = ? \
                UNION SELECT Z_2FRIENDS FROM Z_2FRIENDS WHERE REFLEXIVE = ?)
                """)
        #expect(friends.bindings == [.integer(7), .integer(7)])
    }
}

extension RowQueryTests {
    @Test("Members come with their rows, each owner's together")
    func relatedRows() throws {
        func sql(_ relationship: String, of entity: String, _ keys: [Int64]) throws -> SQLFragment? {
            try CompanyModel.compiler.relatedRows(
                CompanyModel.slot(relationship, of: entity),
                ofEach: keys.map { CompanyModel.reference(entity, $0) })?.select
        }
        let columns = "t0.Z_PK, t0.Z_ENT, t0.Z_OPT, t0.ZLABEL"
        let tags = try #require(try sql("tags", of: "Project", [7, 3]))
        #expect(
            tags.sql.string == """
                SELECT \(columns), t0.Z5TAGS FROM (SELECT value FROM json_each(?)) k \
                CROSS JOIN ZTAG t0 ON t0.Z5TAGS = k.value
                """)
        #expect(tags.bindings == [.integers([3, 7])])
        let one = try #require(try sql("tags", of: "Project", [7]))
        #expect(
            one.sql.string == """
                SELECT \(columns), t0.Z5TAGS FROM (SELECT ? AS value) k CROSS JOIN ZTAG t0 ON t0.Z5TAGS = k.value
                """)
        #expect(one.bindings == [.integer(7)])
        let members = try #require(try sql("members", of: "Project", [7]))
        #expect(
            members.sql.string.hasSuffix(
                """
                , j.Z_5PROJECTS FROM (SELECT ? AS value) k CROSS JOIN Z_3PROJECTS j ON j.Z_5PROJECTS = k.value \
                JOIN ZPERSON t0 ON j.Z_3MEMBERS = t0.Z_PK ORDER BY j.Z_5PROJECTS, j.Z_FOK_3MEMBERS
                """))
        #expect(try sql("friends", of: "Manager", [7]) == nil)
    }
}

extension ResultPlan.EntityPlan {
    /// The columns of the statement by row column.
    fileprivate var sources: [Int32] {
        (scalars + lengthy).sorted { $0.column < $1.column }.map(\.source)
    }
}

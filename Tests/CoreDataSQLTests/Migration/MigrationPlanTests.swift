import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Testing

@testable import CoreDataSQL

@Suite("Plans of migrations in place")
struct MigrationPlanTests {
    private static func attribute(
        _ name: String, _ type: AttributeType = .string, was former: String? = nil,
        default value: AttributeValue = .null
    ) -> AttributeElement {
        AttributeElement(
            name: name, type: type, isOptional: true, defaultValue: value, renamingIdentifier: former)
    }

    private static func toMany(_ name: String, _ destination: String, _ inverse: String)
        -> RelationshipElement
    {
        RelationshipElement(
            name: name, destinationName: destination, inverseName: inverse, inverseEntityName: destination,
            isOptional: true, maximumCount: 0)
    }

    /// Returns the statements between two versions of a model, for a store made with the first.
    private func statements(_ old: [EntityElement], _ new: [EntityElement]) throws -> [String] {
        try plan(old, new).statements.map(\.description).filter { !$0.contains("Z_PRIMARYKEY") }
    }

    /// Returns the plan between two versions of a model. Checks that each of its steps touches the tables that
    /// its statement names.
    private func plan(_ old: [EntityElement], _ new: [EntityElement]) throws -> MigrationPlan {
        let evolution = ModelEvolution(
            from: try ModelCompiler(ModelDocument(entities: old)).compile(),
            to: try ModelCompiler(ModelDocument(entities: new)).compile())
        let former = try SchemaCompiler(evolution.source, dialect: SQLiteDialect()).compile()
        var tables: [SQLIdentifier: [SQLIdentifier: String]] = [:]
        for table in former.tables {
            tables[table.name] = Dictionary(
                uniqueKeysWithValues: table.columns.map {
                    ($0.name, SQLiteDialect().type(of: $0.type).string)
                })
        }
        for join in former.schema.joinTables {
            let columns = [join.firstColumn, join.secondColumn] + join.orderColumns
            tables[join.name] = Dictionary(uniqueKeysWithValues: columns.map { ($0, "INTEGER") })
        }
        let plan = try MigrationPlanner(
            evolution, from: former.schema,
            to: try SchemaCompiler(evolution.destination, dialect: SQLiteDialect()).compile(),
            catalog: StoreCatalog(tables: tables, entityNumbers: [:]), details: MigrationCatalog()
        ).planned()
        for step in plan.steps { #expect(step.touches == touch(of: step.statement)) }
        return plan
    }

    /// Returns the tables that determine how many rows a statement writes, as its text names them.
    private func touch(of statement: SQLFragment) -> MigrationPlan.Touch {
        let words = statement.sql.string.split { " ()\n".contains($0) }.map(String.init)
        func name(after keywords: String...) -> SQLIdentifier? {
            var rest = words[...]
            for keyword in keywords {
                guard let index = rest.firstIndex(of: keyword) else { return nil }
                rest = rest[(index + 1)...]
            }
            return rest.first.map { SQLIdentifier($0) }
        }
        switch words[0] {
        case "UPDATE": return .scans(SQLIdentifier(words[1]))
        case "DELETE": return .scans(SQLIdentifier(words[2]))
        case "INSERT":
            guard let table = name(after: "INTO"), let source = words.lastIndex(of: "FROM") else {
                return .inserts
            }
            return .copies(from: SQLIdentifier(words[source + 1]), to: table)
        case "CREATE":
            if words[1] == "TABLE" { return .creates(SQLIdentifier(words[2])) }
            return name(after: "INDEX", "ON").map { .scans($0) } ?? .definition
        case "ALTER":
            let table = SQLIdentifier(words[2])
            if words[3] == "DROP" { return .scans(table) }
            return words[3...4] == ["RENAME", "TO"]
                ? .renames(from: table, to: SQLIdentifier(words[5])) : .definition
        default: return .definition
        }
    }

    @Test("Broken rules are counted by queries that work before and after the migration")
    func prechecks() throws {
        var pages = Self.attribute("pages", .integer64)
        let old = [EntityElement(name: "Book", attributes: [pages, Self.attribute("title")])]
        pages.type = .integer16
        var title = Self.attribute("name", was: "title")
        title.isOptional = false
        let new = [
            EntityElement(name: "Author"),
            EntityElement(name: "Book", attributes: [pages, title], uniquenessConstraints: [["name"]]),
        ]
        let plan = try plan(old, new)
        #expect(
            plan.prechecks.map { "\($0.violation.name): \($0.count)" } == [
                "Book.name: SELECT COUNT(*) FROM ZBOOK WHERE Z_ENT = 1 AND (ZTITLE IS NULL)",
                "Book.pages: SELECT COUNT(*) FROM ZBOOK WHERE Z_ENT = 1 AND (ZPAGES NOT BETWEEN -32768 AND 32767)",
                """
                Book.name: SELECT COALESCE(SUM(n), 0) FROM (SELECT COUNT(*) AS n FROM \
                (SELECT ZTITLE AS v0 FROM ZBOOK WHERE Z_ENT = 1) WHERE v0 IS NOT NULL GROUP BY v0 HAVING COUNT(*) > 1)
                """,
            ])
        #expect(plan.statements.contains("SELECT COUNT(*) FROM ZBOOK WHERE ZNAME IS NULL"))
    }

    @Test("Adding, removing and renaming attributes takes one statement each")
    func attributes() throws {
        let old = [
            EntityElement(
                name: "Book", attributes: [Self.attribute("pages", .integer16), Self.attribute("title")])
        ]
        let new = [
            EntityElement(
                name: "Book",
                attributes: [
                    Self.attribute("name", was: "title"),
                    Self.attribute("rating", .double, default: .double(0.5)),
                ])
        ]
        #expect(
            try statements(old, new) == [
                "ALTER TABLE ZBOOK RENAME COLUMN ZTITLE TO ZNAME",
                "ALTER TABLE ZBOOK ADD COLUMN ZRATING FLOAT",
                "UPDATE ZBOOK SET ZRATING = ? -- 0.5",
                "ALTER TABLE ZBOOK DROP COLUMN ZPAGES",
            ])
    }

    @Test("Attributes that exchange their names are renamed by way of a third name")
    func exchangedNames() throws {
        let old = [EntityElement(name: "Book", attributes: [Self.attribute("a"), Self.attribute("b")])]
        let new = [
            EntityElement(
                name: "Book", attributes: [Self.attribute("a", was: "b"), Self.attribute("b", was: "a")])
        ]
        #expect(
            try statements(old, new) == [
                "ALTER TABLE ZBOOK RENAME COLUMN ZA TO Z__OLD_ZA",
                "ALTER TABLE ZBOOK RENAME COLUMN ZB TO ZA",
                "ALTER TABLE ZBOOK RENAME COLUMN Z__OLD_ZA TO ZB",
            ])
    }

    @Test(
        "An entity inserted before others renumbers entities and join tables, but not their rows"
    )
    func numbers() throws {
        let old = [
            EntityElement(name: "Book", relationships: [Self.toMany("tags", "Tag", "books")]),
            EntityElement(name: "Tag", relationships: [Self.toMany("books", "Book", "tags")]),
        ]
        #expect(
            try statements(old, [EntityElement(name: "Author")] + old) == [
                "UPDATE ZBOOK SET Z_ENT = CASE Z_ENT WHEN 1 THEN 2 END WHERE Z_ENT = 1",
                "UPDATE ZTAG SET Z_ENT = CASE Z_ENT WHEN 2 THEN 3 END WHERE Z_ENT = 2",
                "ALTER TABLE Z_1TAGS RENAME TO Z_2TAGS",
                "CREATE TABLE ZAUTHOR ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )",
                "ALTER TABLE Z_2TAGS RENAME COLUMN Z_1BOOKS TO Z_2BOOKS",
                "ALTER TABLE Z_2TAGS RENAME COLUMN Z_2TAGS TO Z_3TAGS",
                "CREATE INDEX Z_2TAGS_Z_3TAGS_INDEX ON Z_2TAGS (Z_3TAGS, Z_2BOOKS)",
            ])
    }

    @Test("Two equal versions need no statement")
    func nothing() throws {
        let entities = [
            EntityElement(
                name: "Book", attributes: [Self.attribute("title")],
                relationships: [Self.toMany("tags", "Tag", "books")], uniquenessConstraints: [["title"]]),
            EntityElement(name: "Tag", relationships: [Self.toMany("books", "Book", "tags")]),
        ]
        // The indexes are not in the catalog of this test.
        #expect(try statements(entities, entities).filter { !$0.contains(" INDEX ") }.isEmpty)
    }
}

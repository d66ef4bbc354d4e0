import CoreDataModelFormat
import CoreDataPredicates
import CoreDataSQL
import CoreDataStore
import CoreDataValues
import Testing

@Suite("Schemas read from existing stores")
struct SchemaProbeTests {
    private static let system: [SQLIdentifier: String] = [
        "Z_PK": "INTEGER", "Z_ENT": "INTEGER", "Z_OPT": "INTEGER",
    ]

    private func model(_ entities: EntityElement...) throws -> CompiledModel {
        try ModelCompiler(ModelDocument(entities: entities), parseExpression: { .keyPath($0) }).compile()
    }

    private func table(_ columns: SQLIdentifier...) -> [SQLIdentifier: String] {
        Self.system.merging(columns.map { ($0, "INTEGER") }) { $1 }
    }

    private func toMany(_ name: String, _ destination: String, _ inverse: String) -> RelationshipElement {
        RelationshipElement(name: name, destinationName: destination, inverseName: inverse, maximumCount: 0)
    }

    @Test("Entity numbers come from the file and determine the column names")
    func numbers() throws {
        let model = try model(
            EntityElement(name: "A", relationships: [RelationshipElement(name: "b", destinationName: "B")]),
            EntityElement(name: "B"), EntityElement(name: "C", parentName: "B"))
        let catalog = StoreCatalog(
            tables: ["ZA": table("ZB", "Z7_B"), "ZB": table()], entityNumbers: ["A": 3, "B": 7, "C": 8])
        let schema = try SchemaProbe(model, catalog: catalog, dialect: SQLiteDialect()).schema()
        #expect(schema[0]?.number == 3)
        #expect(schema[0]?.columns.first?.entityColumn == "Z7_B")
        #expect(schema.entity(numbered: 8) == 2)
    }

    @Test(
        "A join table is found under either side's name and with suffixed columns",
        arguments: ["Z_1BS", "Z_2AS"] as [SQLIdentifier])
    func joinTables(name: SQLIdentifier) throws {
        let model = try model(
            EntityElement(name: "A", relationships: [toMany("bs", "B", "as")]),
            EntityElement(name: "B", relationships: [toMany("as", "A", "bs")]))
        let catalog = StoreCatalog(
            tables: ["ZA": table(), "ZB": table(), name: ["Z_1AS": "INTEGER", "Z_2BS1": "INTEGER"]],
            entityNumbers: ["A": 1, "B": 2])
        let schema = try SchemaProbe(model, catalog: catalog, dialect: SQLiteDialect()).schema()
        #expect(
            schema[0]?.toMany[0]
                == .join(
                    table: name, ownerColumn: "Z_1AS", memberColumn: "Z_2BS1", orderColumn: nil,
                    isReflexive: false))
        #expect(
            schema[1]?.toMany[0]
                == .join(
                    table: name, ownerColumn: "Z_2BS1", memberColumn: "Z_1AS", orderColumn: nil,
                    isReflexive: false))
    }

    @Test("A join table between two relationships of one entity is found under either name")
    func selfJoin() throws {
        let model = try model(
            EntityElement(
                name: "A",
                relationships: [toMany("trusted", "A", "trusting"), toMany("trusting", "A", "trusted")]))
        let catalog = StoreCatalog(
            tables: ["ZA": table(), "Z_1TRUSTED": ["Z_1TRUSTED": "INTEGER", "Z_1TRUSTING": "INTEGER"]],
            entityNumbers: ["A": 1])
        let schema = try SchemaProbe(model, catalog: catalog, dialect: SQLiteDialect()).schema()
        let trusted = try #require(model[0].slotByName["trusted"])
        #expect(
            schema[0]?.toMany[trusted]
                == .join(
                    table: "Z_1TRUSTED", ownerColumn: "Z_1TRUSTING", memberColumn: "Z_1TRUSTED",
                    orderColumn: nil, isReflexive: false))
    }

    @Test("A missing entity, column or join table is an error that names it")
    func missing() throws {
        let model = try model(
            EntityElement(
                name: "A", attributes: [AttributeElement(name: "x", type: .string)],
                relationships: [toMany("bs", "B", "as")]),
            EntityElement(name: "B", relationships: [toMany("as", "A", "bs")]))
        let catalogs = [
            (StoreCatalog(tables: ["ZA": table("ZX")], entityNumbers: ["A": 1]), "B"),
            (StoreCatalog(tables: ["ZA": table(), "ZB": table()], entityNumbers: ["A": 1, "B": 2]), "A.x"),
            (
                StoreCatalog(tables: ["ZA": table("ZX"), "ZB": table()], entityNumbers: ["A": 1, "B": 2]),
                "A.bs"
            ),
            (
                StoreCatalog(
                    tables: ["ZA": table("ZX"), "ZB": ["Z_PK": "INTEGER", "Z_OPT": "INTEGER"]],
                    entityNumbers: ["A": 1, "B": 2]), "B has no column Z_ENT in ZB"
            ),
        ]
        for (catalog, name) in catalogs {
            do throws(StoreError) {
                _ = try SchemaProbe(model, catalog: catalog, dialect: SQLiteDialect()).schema()
                Issue.record("\(name) is missing")
            } catch {
                #expect(error.message.contains(name))
            }
        }
    }
}

import CoreDataModelFormat
import CoreDataPredicates
import CoreDataSQL
import CoreDataStore
import CoreDataValues
import Testing

@Suite("The schema of a new store")
struct SchemaCompilerTests {
    private func compile(_ entities: EntityElement...) throws -> NewStoreSchema {
        let document = ModelDocument(entities: entities)
        let model = try ModelCompiler(document, parseExpression: { .keyPath($0) }).compile()
        return try SchemaCompiler(model, dialect: SQLiteDialect()).compile()
    }

    private func tables(_ new: NewStoreSchema) -> [String] {
        new.statements.map(\.sql.string).filter {
            $0.hasPrefix("CREATE TABLE") && !$0.contains("Z_ENT INTEGER PRIMARY")
        }
        .filter { !$0.contains("Z_METADATA") && !$0.contains("Z_MODELCACHE") }
    }

    private func toMany(_ name: String, _ destination: String, _ inverse: String?, ordered: Bool = false)
        -> RelationshipElement
    {
        RelationshipElement(
            name: name, destinationName: destination, inverseName: inverse, isOrdered: ordered,
            maximumCount: 0)
    }

    @Test("Columns come by type: integers, to-ones, positions, numbers, decimals, texts, blobs")
    func columnOrder() throws {
        let new = try compile(
            EntityElement(
                name: "Item",
                attributes: [
                    AttributeElement(name: "z", type: .integer16),
                    AttributeElement(name: "b", type: .boolean),
                    AttributeElement(name: "when", type: .date),
                    AttributeElement(name: "cost", type: .decimal),
                    AttributeElement(name: "area", type: .float),
                    AttributeElement(name: "text", type: .string),
                    AttributeElement(name: "raw", type: .binary), AttributeElement(name: "id", type: .uuid),
                    AttributeElement(name: "any", type: .transformable),
                    AttributeElement(name: "link", type: .uri),
                    AttributeElement(name: "unsaved", type: .string, isTransient: true),
                ],
                relationships: [
                    RelationshipElement(name: "box", destinationName: "Box", inverseName: "items"),
                    RelationshipElement(name: "alike", destinationName: "Box"),
                ]),
            EntityElement(name: "Box", relationships: [toMany("items", "Item", "box", ordered: true)]))
        #expect(
            tables(new) == [
                "CREATE TABLE ZBOX ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )",
                """
                CREATE TABLE ZITEM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZB INTEGER, \
                ZZ INTEGER, ZALIKE INTEGER, ZBOX INTEGER, Z_FOK_BOX INTEGER, ZAREA FLOAT, ZWHEN TIMESTAMP, \
                ZCOST DECIMAL, ZTEXT VARCHAR, ZLINK VARCHAR, ZID BLOB, ZANY BLOB, ZRAW BLOB )
                """,
            ])
    }

    @Test(
        "An inheritance tree shares a table, and entities are numbered by name ignoring case"
    )
    func inheritance() throws {
        let text = AttributeElement(name: "text", type: .string)
        let new = try compile(
            EntityElement(name: "Sync"),
            EntityElement(name: "NWNote", parentName: "Note", attributes: [text]),
            EntityElement(name: "Note", isAbstract: true),
            EntityElement(name: "NetNote", parentName: "Note", attributes: [text]),
            EntityElement(
                name: "SYLock", relationships: [RelationshipElement(name: "note", destinationName: "Note")]))
        #expect(
            tables(new) == [
                """
                CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTEXT VARCHAR, \
                ZTEXT1 VARCHAR )
                """,
                """
                CREATE TABLE ZSYLOCK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNOTE INTEGER, \
                Z1_NOTE INTEGER )
                """,
                "CREATE TABLE ZSYNC ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )",
            ])
        let model = new.schema.model
        #expect(new.schema[model.indexByName["NetNote"]!]?.columns.first?.name == "ZTEXT")
        #expect(new.schema[model.indexByName["NWNote"]!]?.columns.first?.name == "ZTEXT1")
        #expect(new.statements.map(\.sql.string).contains("CREATE INDEX ZNOTE_Z_ENT_INDEX ON ZNOTE (Z_ENT)"))
    }

    @Test("A join table has the master's number and name, with position columns after the keys")
    func joinTables() throws {
        let new = try compile(
            EntityElement(name: "Album", relationships: [toMany("assets", "Asset", "albums", ordered: true)]),
            EntityElement(
                name: "Asset",
                relationships: [
                    toMany("albums", "Album", "assets"), toMany("twins", "Asset", "twins"),
                    toMany("above", "Asset", "below"), toMany("below", "Asset", "above"),
                ]))
        #expect(
            tables(new).filter { $0.contains("PRIMARY KEY (") } == [
                """
                CREATE TABLE Z_1ASSETS ( Z_1ALBUMS INTEGER, Z_2ASSETS INTEGER, Z_FOK_2ASSETS INTEGER, \
                PRIMARY KEY (Z_1ALBUMS, Z_2ASSETS) )
                """,
                """
                CREATE TABLE Z_2BELOW ( Z_2ABOVE INTEGER, Z_2BELOW INTEGER, PRIMARY KEY (Z_2ABOVE, Z_2BELOW) )
                """,
                """
                CREATE TABLE Z_2TWINS ( Z_2TWINS INTEGER, REFLEXIVE INTEGER, PRIMARY KEY (Z_2TWINS, REFLEXIVE) )
                """,
            ])
        #expect(
            new.statements.map(\.sql.string).contains(
                "CREATE INDEX Z_1ASSETS_Z_2ASSETS_INDEX ON Z_1ASSETS (Z_2ASSETS, Z_1ALBUMS)"))
    }

    @Test("The side with subentities is the master of a join table, whatever its number")
    func masterWithSubentities() throws {
        let new = try compile(
            EntityElement(name: "A", relationships: [toMany("bs", "B", "as")]),
            EntityElement(name: "B", relationships: [toMany("as", "A", "bs")]),
            EntityElement(name: "C", parentName: "B"))
        #expect(new.schema.joinTables.map(\.name) == ["Z_2AS"])
    }

    @Test("Two relationships with equal inverse names get numbered columns")
    func joinSuffixes() throws {
        let new = try compile(
            EntityElement(
                name: "Asset",
                relationships: [
                    toMany("albums", "Album", "keys"), toMany("suggestions", "Suggestion", "keys"),
                ]),
            EntityElement(name: "Album", relationships: [toMany("keys", "Asset", "albums")]),
            EntityElement(name: "Suggestion", relationships: [toMany("keys", "Asset", "suggestions")]))
        let names = new.schema.joinTables.flatMap { [$0.firstColumn, $0.secondColumn] }
        #expect(names.count == Set(names).count)
        #expect(names.contains("Z_2KEYS"))
        #expect(names.contains("Z_2KEYS1"))
    }

    @Test("A to-many without inverse is a column of the destination, with an index")
    func oneSided() throws {
        let new = try compile(
            EntityElement(name: "Log", relationships: [toMany("lines", "Text", nil)]),
            EntityElement(name: "Text"))
        #expect(
            tables(new).last
                == "CREATE TABLE ZTEXT ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, Z1LINES INTEGER )"
        )
        #expect(
            new.statements.map(\.sql.string).contains("CREATE INDEX ZTEXT_Z1LINES_INDEX ON ZTEXT (Z1LINES)"))
    }

    @Test("Fetch indexes, indexed attributes, compound indexes and constraints become indexes")
    func indexes() throws {
        let new = try compile(
            EntityElement(
                name: "Item",
                attributes: [
                    AttributeElement(name: "a", type: .string, isIndexed: true),
                    AttributeElement(name: "b", type: .integer16),
                    AttributeElement(name: "c", type: .string, isIndexed: true),
                ],
                relationships: [RelationshipElement(name: "next", destinationName: "Item")],
                fetchIndexes: [
                    FetchIndexElement(
                        name: "byBoth",
                        elements: [
                            .init(propertyName: "a"), .init(propertyName: "b", isAscending: false),
                            .init(propertyName: nil, expression: "SELF"),
                        ], partialPredicate: "a != nil"),
                    FetchIndexElement(name: "byNext", elements: [.init(propertyName: "next")]),
                ],
                compoundIndexes: [["a", "b"]], uniquenessConstraints: [["a", "b"]]))
        #expect(
            new.indexes.map(\.statement.sql.string) == [
                "CREATE INDEX ZITEM_ZNEXT_INDEX ON ZITEM (ZNEXT)",
                """
                CREATE INDEX Z_Item_byBoth ON ZITEM (ZA COLLATE BINARY ASC, ZB COLLATE BINARY DESC, \
                Z_PK COLLATE BINARY ASC) WHERE ZA IS NOT NULL
                """,
                "CREATE INDEX Z_Item_c ON ZITEM (ZC COLLATE BINARY ASC)",
                "CREATE INDEX ZITEM_ZA_ZB ON ZITEM (ZA, ZB)",
                """
                CREATE UNIQUE INDEX Z_Item_UNIQUE_a_b ON ZITEM (ZA COLLATE BINARY ASC, ZB COLLATE BINARY ASC)
                """,
            ])
    }

    @Test("A configuration's store holds its entities and their ancestors only")
    func configuration() throws {
        let document = ModelDocument(entities: [
            EntityElement(name: "Base"), EntityElement(name: "Other"),
            EntityElement(name: "Leaf", parentName: "Base"),
        ])
        let model = try ModelCompiler(document, parseExpression: { .keyPath($0) }).compile()
        let leaf = try #require(model.indexByName["Leaf"])
        let new = try SchemaCompiler(model, subset: [leaf], dialect: SQLiteDialect()).compile()
        #expect(new.schema.entities.map { $0?.number } == [1, 2, nil])
    }

    @Test("Each element of a composite attribute has a column of its own type")
    func composite() throws {
        let document = ModelDocument(
            entities: [
                EntityElement(
                    name: "Item",
                    attributes: [
                        AttributeElement(name: "place", type: .composite, compositeName: "Place"),
                        AttributeElement(name: "x", type: .string),
                    ])
            ],
            composites: [
                CompositeElement(
                    name: "Place",
                    attributes: [
                        AttributeElement(name: "x", type: .double),
                        AttributeElement(name: "visits", type: .integer32),
                        AttributeElement(name: "owner", type: .composite, compositeName: "Owner"),
                    ]),
                CompositeElement(name: "Owner", attributes: [AttributeElement(name: "id", type: .uuid)]),
            ])
        let model = try ModelCompiler(document, parseExpression: { .keyPath($0) }).compile()
        let new = try SchemaCompiler(model, dialect: SQLiteDialect()).compile()
        #expect(
            new.statements.map(\.sql.string).contains {
                $0.contains(
                    "CREATE TABLE ZITEM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZVISITS INTEGER, "
                        + "ZX FLOAT, ZX1 VARCHAR, ZID BLOB )")
            }, "\(new.statements.map(\.sql.string))")
    }
}

import CoreDataLibpq
import CoreDataModelFormat
import CoreDataPredicates
import CoreDataSQL
import CoreDataStore
import CoreDataValues
import Foundation
import PostgreSQLTestSupport
import Testing

@testable import CoreDataPostgreSQL

@Suite("The definitions of a store in PostgreSQL")
struct StoreDefinitionTests {
    private static let dialect = PostgreSQLDialect()

    private static func compile(_ document: ModelDocument) throws -> NewStoreSchema {
        let model = try ModelCompiler(document).compile()
        return try SchemaCompiler(model, dialect: dialect).compile()
    }

    private static func toMany(
        _ name: String, _ destination: String, _ inverse: String, isOrdered: Bool = false
    ) -> RelationshipElement {
        RelationshipElement(
            name: name, destinationName: destination, inverseName: inverse, isOrdered: isOrdered,
            maximumCount: 0)
    }

    /// A model with attributes of every type, and relationships of every kind.
    private static let document = ModelDocument(
        entities: [
            EntityElement(
                name: "Album",
                attributes: [
                    AttributeElement(name: "title", type: .string),
                    AttributeElement(name: "place", type: .composite, compositeName: "Place"),
                ],
                relationships: [
                    toMany("photos", "Photo", "albums", isOrdered: true),
                    RelationshipElement(name: "cover", destinationName: "Item"),
                ],
                uniquenessConstraints: [["title"]]),
            EntityElement(
                name: "Item",
                attributes: AttributeType.allStored.map { AttributeElement(name: "\($0)", type: $0) },
                relationships: [
                    RelationshipElement(name: "owner", destinationName: "Person", inverseName: "items")
                ],
                fetchIndexes: [
                    FetchIndexElement(
                        name: "byDate",
                        elements: [
                            .init(propertyName: "date", isAscending: false), .init(propertyName: "string"),
                            .init(propertyName: nil, expression: "SELF"),
                        ], partialPredicate: "string != nil")
                ]),
            EntityElement(
                name: "Person",
                relationships: [toMany("items", "Item", "owner", isOrdered: true)]),
            EntityElement(
                name: "Photo", parentName: "Item",
                relationships: [toMany("albums", "Album", "photos"), toMany("similar", "Photo", "similar")]),
        ],
        composites: [
            CompositeElement(
                name: "Place",
                attributes: [
                    AttributeElement(name: "city", type: .string),
                    AttributeElement(name: "height", type: .float),
                ])
        ])

    /// Makes the tables of a new store in a schema of its own, and passes them with a session to a closure.
    private static func make(
        _ document: ModelDocument, _ body: (NewStoreSchema, Session) throws -> Void
    ) throws {
        let new = try compile(document)
        let session = try session()
        let schema = SQLIdentifier("definitions-\(UUID().uuidString)")
        try session.execute("CREATE SCHEMA \(schema)")
        try session.execute("SET search_path TO \(schema)")
        defer { try? session.execute("DROP SCHEMA \(schema) CASCADE") }
        for statement in new.statements { try session.run(statement) }
        try body(new, session)
    }

    private static func session() throws -> Session {
        try Session(PostgreSQLConnection(ConnectionOptions(TestServer.shared().url)))
    }

    @Test("Every column has a type of its own, and every inheritance tree a sequence of keys")
    func texts() throws {
        let statements = try Self.compile(Self.document).statements.filter { $0.bindings.isEmpty }
        #expect(
            statements.map(\.sql.string) == [
                """
                CREATE TABLE ZALBUM ( Z_PK bigint PRIMARY KEY, Z_ENT bigint, Z_OPT bigint, ZCOVER bigint, \
                Z2_COVER bigint, ZHEIGHT double precision, ZCITY text COLLATE "C", ZTITLE text COLLATE "C" )
                """,
                """
                CREATE TABLE Z_1PHOTOS ( Z_1ALBUMS bigint, Z_3PHOTOS bigint, Z_FOK_3PHOTOS bigint, \
                PRIMARY KEY (Z_1ALBUMS, Z_3PHOTOS) )
                """,
                """
                CREATE TABLE ZITEM ( Z_PK bigint PRIMARY KEY, Z_ENT bigint, Z_OPT bigint, \
                ZBOOLEAN smallint, ZINTEGER16 bigint, ZINTEGER32 bigint, ZINTEGER64 bigint, ZOWNER bigint, \
                Z_FOK_OWNER bigint, ZDATE double precision, ZDOUBLE double precision, \
                ZFLOAT double precision, ZDECIMAL numeric, ZSTRING text COLLATE "C", \
                ZURI text COLLATE "C", ZUUID uuid, ZTRANSFORMABLE bytea, ZBINARY bytea )
                """,
                """
                CREATE TABLE Z_3SIMILAR ( Z_3SIMILAR bigint, REFLEXIVE bigint, \
                PRIMARY KEY (Z_3SIMILAR, REFLEXIVE) )
                """,
                "CREATE TABLE ZPERSON ( Z_PK bigint PRIMARY KEY, Z_ENT bigint, Z_OPT bigint )",
                "CREATE INDEX ZALBUM_ZCOVER_INDEX ON ZALBUM (ZCOVER)",
                "CREATE INDEX Z_1PHOTOS_Z_3PHOTOS_INDEX ON Z_1PHOTOS (Z_3PHOTOS, Z_1ALBUMS)",
                """
                CREATE UNIQUE INDEX Z_Album_UNIQUE_title ON ZALBUM \
                (substr(ZTITLE, 1, 200) NULLS FIRST, substr(md5(ZTITLE), 1, length(ZTITLE) / 201 * 32))
                """,
                "CREATE INDEX ZITEM_ZOWNER_INDEX ON ZITEM (ZOWNER)",
                "CREATE INDEX Z_3SIMILAR_REFLEXIVE_INDEX ON Z_3SIMILAR (REFLEXIVE, Z_3SIMILAR)",
                "CREATE INDEX ZITEM_Z_ENT_INDEX ON ZITEM (Z_ENT)",
                """
                CREATE INDEX Z_Item_byDate ON ZITEM \
                (ZDATE DESC NULLS LAST, substr(ZSTRING, 1, 200) NULLS FIRST, Z_PK) \
                WHERE ZSTRING IS NOT NULL
                """,
                """
                CREATE TABLE Z_PRIMARYKEY (Z_ENT bigint PRIMARY KEY, Z_NAME text COLLATE "C", \
                Z_SUPER bigint, Z_MAX bigint)
                """,
                """
                CREATE TABLE Z_METADATA (Z_VERSION bigint PRIMARY KEY, Z_UUID text COLLATE "C", \
                Z_PLIST bytea)
                """,
                "CREATE TABLE Z_MODELCACHE (Z_CONTENT bytea)",
                "CREATE SEQUENCE KEYS_ZALBUM INCREMENT BY 64 OWNED BY ZALBUM.Z_PK",
                "CREATE SEQUENCE KEYS_ZITEM INCREMENT BY 64 OWNED BY ZITEM.Z_PK",
                "CREATE SEQUENCE KEYS_ZPERSON INCREMENT BY 64 OWNED BY ZPERSON.Z_PK",
            ])
    }

    @Test("The catalog has the tables, columns and indexes of a new store", .needsServer)
    func catalog() throws {
        try Self.make(Self.document) { new, session in
            let catalog = try Self.dialect.catalog(on: session)
            for table in new.tables {
                let columns = table.columns.map { column in
                    (
                        column.name,
                        Self.dialect.type(of: column.type).string.replacing(" PRIMARY KEY", with: "")
                    )
                }
                #expect(catalog.tables[table.name] == Dictionary(uniqueKeysWithValues: columns))
            }
            try expectSameSchema(new, catalog)
            let indexes = try Self.dialect.definitions(on: session).indexes
            #expect(
                Set(indexes.map { $0.sql.string.uppercased() })
                    == Set(new.indexes.map { $0.statement.sql.string.uppercased() }))
        }
    }

    private func expectSameSchema(
        _ new: NewStoreSchema, _ catalog: StoreCatalog, location: SourceLocation = #_sourceLocation
    ) throws {
        let found = try SchemaProbe(new.schema.model, catalog: catalog, dialect: Self.dialect).schema()
        #expect(
            found.entities.map { $0?.columns } == new.schema.entities.map { $0?.columns },
            sourceLocation: location)
        #expect(
            found.entities.map { $0?.toMany } == new.schema.entities.map { $0?.toMany },
            sourceLocation: location)
        #expect(found.joinTables == new.schema.joinTables, sourceLocation: location)
        #expect(!found.keepsExternalFiles, sourceLocation: location)
    }

    @Test("Keys come in blocks that all sessions of a process share", .needsServer)
    func keys() throws {
        func taken(_ count: Int, _ keys: KeySequences, _ session: Session) throws -> [Int64] {
            var keys = try keys.keys(count, of: 0, on: session)
            return (0..<keys.count).map { _ in keys.next() }
        }
        try Self.make(Self.document) { new, session throws in
            let keys = KeySequences(new.schema)
            #expect(try taken(10, keys, session) == Array(1...10))
            #expect(try taken(100, keys, session) == Array(11...110))
            #expect(try taken(1, KeySequences(new.schema), session) == [129])
            #expect(try taken(20, keys, session) == Array(111...128) + [193, 194])
        }
    }

    @Test("Queries about an indexed text use the index, whose texts are cut", .needsServer)
    func plans() throws {
        let code = AttributeElement(name: "code", type: .string, isIndexed: true)
        let document = ModelDocument(entities: [EntityElement(name: "Item", attributes: [code])])
        try Self.make(document) { new, session in
            try session.execute("SET enable_seqscan TO off")
            try session.execute("INSERT INTO ZITEM SELECT i, 1, 1, i FROM generate_series(1, 5000) i")
            try session.execute("ANALYZE ZITEM")
            let compiler = SelectCompiler(
                schema: new.schema, layouts: RowLayouts(new.schema.model), dialect: Self.dialect)
            func plan(_ predicate: PredicateNode?, _ change: (inout FetchQuery) -> Void = { _ in }) throws
                -> String
            {
                var query = FetchQuery(entity: 0, predicate: predicate, shape: .references)
                change(&query)
                let select = try compiler.compile(query).select
                let parameters = ParameterList(select.bindings, for: select.sql)
                return session.plan(of: select.sql, parameters).joined(separator: "\n")
            }
            let long = String(repeating: "x", count: 300)
            let texts = (0..<20).map { "\($0)" }
            for format in [
                "code == '17'", "code == '\(long)'", "code BEGINSWITH '17'", "code > '4990'",
                "code IN {'1', '2'}", "code IN {\(texts.map { "'\($0)'" }.joined(separator: ", "))}",
            ] {
                let found = try plan(FormatParser.predicate(format))
                #expect(found.contains("Index Cond: "), "\(format)\n\(found)")
                #expect(found.contains("substr(zcode, 1, 200)"), "\(format)\n\(found)")
            }
            let sorted = try plan(nil) { query in
                query.sort = [SortKey(keys: ["code"])]
                query.limit = 10
            }
            #expect(sorted.contains("Presorted Key: (substr(zcode, 1, 200))"), "\(sorted)")
        }
    }

    @Test("Names of any length are shortened to different ones, the same each time", .needsServer)
    func longNames() throws {
        let long = String(repeating: "ä_long_name_", count: 8)
        let document = ModelDocument(entities: [
            EntityElement(
                name: long + "A",
                attributes: [
                    AttributeElement(name: long + "x", type: .string, isIndexed: true),
                    AttributeElement(name: long + "y", type: .string, isIndexed: true),
                ],
                relationships: [Self.toMany(long + "bs", long + "B", long + "as", isOrdered: true)]),
            EntityElement(
                name: long + "B",
                relationships: [Self.toMany(long + "as", long + "A", long + "bs", isOrdered: true)]),
        ])
        try Self.make(document) { new, session in
            try expectSameSchema(new, Self.dialect.catalog(on: session))
            let indexes = try Self.dialect.definitions(on: session).indexes
            #expect(Set(indexes.map(\.name)) == Set(new.indexes.map(\.name)))
        }
    }

    @Test("A table may have the name that the database gives to the primary key of another")
    func primaryKeyNames() throws {
        let new = try Self.compile(
            ModelDocument(entities: [EntityElement(name: "Person"), EntityElement(name: "Person_pkey")]))
        #expect(new.tables.map(\.name) == ["ZPERSON", "ZPERSON_PKEY1"].map(SQLIdentifier.init))
    }

    @Test("A derived attribute that cannot have the other attribute's values is refused with its name")
    func derivations() throws {
        func compile(_ expression: String) throws -> NewStoreSchema {
            try Self.compile(
                ModelDocument(entities: [
                    EntityElement(
                        name: "Person",
                        attributes: [
                            AttributeElement(name: "name", type: .string),
                            AttributeElement(name: "d", type: .string, derivationExpression: expression),
                        ], relationships: [Self.toMany("friends", "Person", "friends")])
                ]))
        }
        for expression in ["now()", "name", "lowercase:(name)", "canonical:(name)", "friends.@count"] {
            #expect(try compile(expression).triggers.isEmpty)
        }
        let error = #expect(throws: StoreError.self) { try compile("friends.name.@sum") }
        #expect(error?.message.hasPrefix("Person.d: ") == true)
    }
}

extension AttributeType {
    fileprivate static let allStored: [AttributeType] = [
        .integer16, .integer32, .integer64, .boolean, .double, .float, .decimal, .date, .string, .uri, .uuid,
        .binary, .transformable,
    ]
}

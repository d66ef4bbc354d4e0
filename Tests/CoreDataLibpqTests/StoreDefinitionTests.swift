import CoreDataLibpq
import CoreDataModelFormat
import CoreDataSQL
import CoreDataStore
import CoreDataValues
import Foundation
import PostgreSQLTestSupport
import Testing

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
                "CREATE UNIQUE INDEX Z_Album_UNIQUE_title ON ZALBUM (ZTITLE NULLS FIRST)",
                "CREATE INDEX ZITEM_ZOWNER_INDEX ON ZITEM (ZOWNER)",
                "CREATE INDEX Z_3SIMILAR_REFLEXIVE_INDEX ON Z_3SIMILAR (REFLEXIVE, Z_3SIMILAR)",
                "CREATE INDEX ZITEM_Z_ENT_INDEX ON ZITEM (Z_ENT)",
                """
                CREATE INDEX Z_Item_byDate ON ZITEM (ZDATE DESC NULLS LAST, ZSTRING NULLS FIRST, Z_PK) \
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

    @Test("The server accepts the definitions of a new store", .needsServer)
    func roundTrip() throws {
        let new = try Self.compile(Self.document)
        let connection = try Database.connect()
        try connection.execute("CREATE SCHEMA definitions; SET search_path TO definitions")
        defer { try? connection.execute("DROP SCHEMA definitions CASCADE") }
        for statement in new.statements { try connection.run(statement) }
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
        let new = try Self.compile(document)
        let connection = try Database.connect()
        try connection.execute("CREATE SCHEMA long_names; SET search_path TO long_names")
        defer { try? connection.execute("DROP SCHEMA long_names CASCADE") }
        for statement in new.statements { try connection.run(statement) }
    }

    @Test("A table may have the name that the database gives to the primary key of another")
    func primaryKeyNames() throws {
        let new = try Self.compile(
            ModelDocument(entities: [EntityElement(name: "Person"), EntityElement(name: "Person_pkey")]))
        #expect(new.tables.map(\.name) == ["ZPERSON", "ZPERSON_PKEY1"].map(SQLIdentifier.init))
    }

    @Test("A derived attribute that needs other rows is refused with its name")
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
        for expression in ["now()", "name", "lowercase:(name)", "canonical:(name)"] {
            #expect(try compile(expression).triggers.isEmpty)
        }
        let error = #expect(throws: StoreError.self) { try compile("friends.@count") }
        #expect(error?.message.hasPrefix("Person.d: ") == true)
    }
}

extension AttributeType {
    fileprivate static let allStored: [AttributeType] = [
        .integer16, .integer32, .integer64, .boolean, .double, .float, .decimal, .date, .string, .uri, .uuid,
        .binary, .transformable,
    ]
}

extension PostgreSQLConnection {
    /// Runs a statement whose values are numbers and texts.
    fileprivate func run(_ fragment: SQLFragment) throws {
        var parameters = ParameterList()
        for value in fragment.bindings {
            switch value {
            case .integer(let number): parameters.append(number)
            case .text(let text): parameters.append(text)
            default: Issue.record("\(value)")
            }
        }
        try run(fragment.sql, parameters)
    }
}

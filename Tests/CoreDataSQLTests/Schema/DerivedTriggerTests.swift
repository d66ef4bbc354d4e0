import CoreDataModelFormat
import CoreDataSQL
import CoreDataStore
import CoreDataValues
import Testing

@Suite("Triggers of new stores")
struct DerivedTriggerTests {
    private static func derived(_ name: String, _ expression: String) -> AttributeElement {
        AttributeElement(name: name, type: .integer64, derivationExpression: expression)
    }

    private static func statements(
        _ attributes: [AttributeElement], indexes: [FetchIndexElement] = []
    ) throws -> [String] {
        let book = EntityElement(
            name: "Book", attributes: attributes,
            relationships: [
                RelationshipElement(
                    name: "pages", destinationName: "Page", inverseName: "book", maximumCount: 0),
                RelationshipElement(
                    name: "tags", destinationName: "Tag", inverseName: "books", maximumCount: 0),
                RelationshipElement(name: "author", destinationName: "Author", inverseName: "books"),
            ], fetchIndexes: indexes)
        let author = EntityElement(
            name: "Author", attributes: [AttributeElement(name: "age", type: .integer16)],
            relationships: [
                RelationshipElement(
                    name: "books", destinationName: "Book", inverseName: "author", maximumCount: 0)
            ])
        let page = EntityElement(
            name: "Page", attributes: [AttributeElement(name: "words", type: .integer32)],
            relationships: [RelationshipElement(name: "book", destinationName: "Book", inverseName: "pages")])
        let tag = EntityElement(
            name: "Tag", attributes: [AttributeElement(name: "weight", type: .double)],
            relationships: [
                RelationshipElement(
                    name: "books", destinationName: "Book", inverseName: "tags", maximumCount: 0)
            ])
        let model = try ModelCompiler(ModelDocument(entities: [author, book, page, tag])).compile()
        return try SchemaCompiler(model, dialect: SQLiteDialect()).compile().triggers.map(\.sql.string)
    }

    @Test("A count is kept by five triggers with the same SQL as Apple's")
    func count() throws {
        let triggers = try Self.statements([Self.derived("pagesCount", "pages.@count")])
        #expect(triggers.count == 5)
        #expect(
            triggers[0] == """
                CREATE TRIGGER Z_DA_ZPAGE_Book_pagesCount_PARAMETER_INSERT AFTER INSERT ON ZPAGE FOR EACH ROW \
                WHEN (NEW.ZBOOK NOT NULL) BEGIN UPDATE ZBOOK SET ZPAGESCOUNT = IFNULL(ZPAGESCOUNT, 0) + 1 \
                WHERE Z_PK = NEW.ZBOOK; SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZBOOK', Z_ENT, \
                Z_PK, 'pagesCount', ZPAGESCOUNT) FROM ZBOOK WHERE Z_PK = NEW.ZBOOK; END
                """)
        #expect(
            triggers[4] == """
                CREATE TRIGGER Z_DA_ZBOOK_Book_pagesCount_SOURCE_INSERT AFTER INSERT ON ZBOOK FOR EACH ROW \
                BEGIN UPDATE ZBOOK SET ZPAGESCOUNT = (SELECT IFNULL(COUNT(ZBOOK), 0) FROM ZPAGE \
                WHERE ZBOOK = NEW.Z_PK) WHERE Z_PK = NEW.Z_PK; \
                SELECT NSCoreDataDATriggerInsertUpdatedAffectedObjectValue('ZBOOK', Z_ENT, Z_PK, 'pagesCount', \
                ZPAGESCOUNT) FROM ZBOOK WHERE Z_PK = NEW.Z_PK; END
                """)
    }

    @Test(
        "Every derivation of other rows has triggers, derivations of text have none",
        arguments: [
            ("now()", 2), ("author.age", 4), ("pages.words.@sum", 5), ("tags.@count", 5),
            ("tags.weight.@sum", 6),
            ("canonical:(title)", 0), ("uppercase:(title)", 0),
        ])
    func kinds(expression: String, count: Int) throws {
        let title = AttributeElement(name: "title", type: .string)
        #expect(try Self.statements([title, Self.derived("value", expression)]).count == count)
    }

    @Test(
        "An unsupported derivation is refused with the attribute's name",
        arguments: ["author.books.@count", "pages.words.@max", "1 + 1"])
    func unsupported(expression: String) throws {
        let error = try #require(throws: StoreError.self) {
            try Self.statements([Self.derived("value", expression)])
        }
        guard case .unsupported = error.kind else { throw error }
        #expect(error.message.contains("Book.value"))
    }

    @Test("A spatial index is an R-tree with three triggers; its attributes keep their columns")
    func spatialIndex() throws {
        let attributes = ["x", "y"].map { AttributeElement(name: $0, type: .double) }
        let index = FetchIndexElement(
            name: "byPlace", elements: ["x", "y"].map { .init(propertyName: $0, kind: .rTree) })
        let statements = try Self.statements(attributes, indexes: [index])
        #expect(
            statements.first == """
                CREATE VIRTUAL TABLE Z_RT_Book_byPlace USING RTREE (Z_PK INTEGER PRIMARY KEY, ZX_MIN FLOAT, \
                ZX_MAX FLOAT, ZY_MIN FLOAT, ZY_MAX FLOAT)
                """)
        #expect(statements.count == 4)
    }
}

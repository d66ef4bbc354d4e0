import CoreDataModelFormat
import CoreDataPredicates
import CoreDataSQL
import CoreDataStore
import CoreDataValues
import Testing

@Suite("Full-text searches as SQL")
struct FullTextSQLTests {
    // MARK: The model

    /// A model of people and their notes, some of which are letters. People and notes have indexes.
    private static let model: CompiledModel = {
        func text(_ name: String, _ isIndexed: Bool = true) -> AttributeElement {
            AttributeElement(
                name: name, type: .string,
                userInfo: isIndexed ? [UserInfoEntry(key: "FullTextIndex", value: "YES")] : [])
        }
        let document = ModelDocument(entities: [
            EntityElement(
                name: "Person",
                attributes: [text("name"), text("town", false)],
                relationships: [
                    RelationshipElement(
                        name: "notes", destinationName: "Note", inverseName: "author", maximumCount: 0)
                ]),
            EntityElement(
                name: "Note",
                attributes: [
                    text("title"), text("body"), AttributeElement(name: "size", type: .integer32),
                    AttributeElement(name: "draft", type: .string, isTransient: true),
                ],
                relationships: [
                    RelationshipElement(name: "author", destinationName: "Person", inverseName: "notes")
                ]),
            EntityElement(name: "Letter", parentName: "Note", attributes: [text("address")]),
        ])
        do {
            return try ModelCompiler(document, parseExpression: { .keyPath($0) }).compile()
        } catch {
            preconditionFailure("the model of the tests does not compile: \(error)")
        }
    }()

    private func new() throws -> NewStoreSchema {
        try SchemaCompiler(Self.model, dialect: SQLiteDialect()).compile()
    }

    private func sql(_ entity: String, _ format: String) throws -> SQLFragment {
        let query = FetchQuery(
            entity: try #require(Self.model.indexByName[entity]),
            predicate: try FormatParser.predicate(format),
            shape: .count)
        let compiler = SelectCompiler(
            schema: try new().schema, layouts: RowLayouts(Self.model), dialect: SQLiteDialect())
        return try compiler.compile(query).select
    }

    private func condition(_ entity: String, _ format: String) throws -> String {
        let sql = "\(try sql(entity, format))"
        return try String(#require(sql.firstRange(of: "WHERE ").map { sql[$0.upperBound...] }))
    }

    // MARK: SQL

    @Test("A search is one lookup in the index, limited to the columns that it names")
    func one() throws {
        #expect(
            try condition("Person", "name matchesFullText: 'ada OR bo*'")
                == """
                t0.Z_PK IN (SELECT rowid FROM FULLTEXT_ZPERSON WHERE FULLTEXT_ZPERSON MATCH ?) \
                -- '"ada" OR "bo" *'
                """)
        let two = try condition("Letter", "{body, title} matchesFullText: '\"a \\'b\\'\" (c NOT d)'")
        #expect(
            two == """
                t0.Z_ENT = ? AND t0.Z_PK IN (SELECT rowid FROM FULLTEXT_ZNOTE WHERE FULLTEXT_ZNOTE MATCH ?) \
                -- 2, '{"ZBODY" "ZTITLE"} : ("a b" AND ("c" NOT "d"))'
                """)
        #expect(try condition("Person", "name matchesFullText: '!'") == "1 = 0")
        #expect(try condition("Person", "name matchesFullText: nil") == "1 = 0")
    }

    @Test("Paths lead to the index of the other table, with no join of the table itself")
    func paths() throws {
        let people = "SELECT rowid FROM FULLTEXT_ZPERSON WHERE FULLTEXT_ZPERSON MATCH ?"
        #expect(
            try condition("Note", "author.name matchesFullText: 'ada'")
                == "t0.ZAUTHOR IS NOT NULL AND t0.ZAUTHOR IN (\(people)) -- '\"ada\"'")
        let notes =
            "SELECT 1 FROM ZNOTE t1 WHERE t1.ZAUTHOR = t0.Z_PK AND t1.Z_PK IN "
            + "(SELECT rowid FROM FULLTEXT_ZNOTE WHERE FULLTEXT_ZNOTE MATCH ?)"
        #expect(
            try condition("Person", "ANY notes.title matchesFullText: 'a'")
                == "EXISTS (\(notes)) -- '{\"ZTITLE\"} : (\"a\")'")
        let both = "SUBQUERY(notes, $n, {$n.title, $n.body} matchesFullText: 'a').@count > 0"
        #expect(
            try condition("Person", both) == "EXISTS (\(notes)) -- '{\"ZBODY\" \"ZTITLE\"} : (\"a\")'")
    }

    // MARK: Errors

    private func failure(_ entity: String, _ format: String) -> StoreError? {
        do {
            _ = try sql(entity, format)
            return nil
        } catch {
            return error as? StoreError
        }
    }

    @Test("Searching a property without an index is an error that names entity and attribute")
    func errors() {
        let expected = [
            ("Person", "town matchesFullText: 'a'", "Person.town has no full-text index"),
            ("Note", "author.town matchesFullText: 'a'", "Person.town has no full-text index"),
            ("Note", "size matchesFullText: 'a'", "Note.size cannot be searched for words: it is no string"),
            (
                "Note", "draft matchesFullText: 'a'",
                "Note.draft cannot be searched for words: it is transient"
            ),
            (
                "Note", "author matchesFullText: 'a'",
                "Note.author cannot be searched for words: it is no attribute"
            ),
            ("Note", "{title, town} matchesFullText: 'a'", "keypath town not found in entity Note"),
            ("Note", "author.size matchesFullText: 'a'", "keypath author.size not found in entity Note"),
            ("Note", "title matchesFullText: 3", "matchesFullText: needs a string on its right"),
            ("Person", "notes.title matchesFullText: 'a'", "to-many key not allowed here"),
        ]
        for (entity, format, message) in expected {
            let error = failure(entity, format)
            #expect(error?.message.hasPrefix(message) == true, "\(format): \(error?.message ?? "no error")")
            guard case .unsupported = error?.kind else {
                Issue.record("\(format): \(String(describing: error?.kind))")
                continue
            }
        }
    }

    @Test("A search that one index cannot answer is left to memory")
    func inexpressible() {
        for format in [
            "{title, author.name} matchesFullText: 'a'", "title matchesFullText: body",
            "'constant' matchesFullText: 'a'",
        ] {
            guard case .inexpressible = failure("Note", format)?.kind else {
                Issue.record("\(format) is no case for memory")
                continue
            }
        }
    }

    // MARK: Tables

    @Test("Each table has one index for all indexed attributes of its entities")
    func tables() throws {
        let tables = try new().schema.searchTables
        #expect(tables["ZNOTE"]?.columns == ["ZBODY", "ZTITLE", "ZADDRESS"])
        #expect(tables["ZPERSON"]?.columns == ["ZNAME"])
        #expect(tables.count == 2)
        let statements = try new().statements.map(\.sql.string).filter { $0.contains("FULLTEXT_ZPERSON") }
        #expect(
            statements == [
                "CREATE VIRTUAL TABLE FULLTEXT_ZPERSON USING fts5(ZNAME, tokenize = 'unicode61 remove_diacritics 2')",
                """
                CREATE TRIGGER FULLTEXT_ZPERSON_INSERT AFTER INSERT ON ZPERSON FOR EACH ROW \
                BEGIN DELETE FROM FULLTEXT_ZPERSON WHERE rowid = NEW.Z_PK; \
                INSERT OR REPLACE INTO FULLTEXT_ZPERSON (rowid, ZNAME) \
                SELECT Z_PK, ZNAME FROM ZPERSON WHERE Z_PK = NEW.Z_PK AND (ZNAME NOT NULL); END
                """,
                """
                CREATE TRIGGER FULLTEXT_ZPERSON_UPDATE AFTER UPDATE OF Z_PK, ZNAME ON ZPERSON FOR EACH ROW \
                WHEN (NEW.Z_PK IS NOT OLD.Z_PK OR NEW.ZNAME IS NOT OLD.ZNAME) \
                BEGIN DELETE FROM FULLTEXT_ZPERSON WHERE rowid = OLD.Z_PK; \
                INSERT OR REPLACE INTO FULLTEXT_ZPERSON (rowid, ZNAME) \
                SELECT Z_PK, ZNAME FROM ZPERSON WHERE Z_PK = NEW.Z_PK AND (ZNAME NOT NULL); END
                """,
                """
                CREATE TRIGGER FULLTEXT_ZPERSON_DELETE AFTER DELETE ON ZPERSON FOR EACH ROW \
                BEGIN DELETE FROM FULLTEXT_ZPERSON WHERE rowid = OLD.Z_PK; END
                """,
            ])
    }

    @Test("An attribute that cannot be searched cannot have a full-text index")
    func wrongAttributes() throws {
        let entry = [UserInfoEntry(key: "FullTextIndex", value: "1")]
        for attribute in [
            AttributeElement(name: "size", type: .integer32, userInfo: entry),
            AttributeElement(name: "draft", type: .string, isTransient: true, userInfo: entry),
        ] {
            let document = ModelDocument(entities: [EntityElement(name: "Note", attributes: [attribute])])
            let model = try ModelCompiler(document, parseExpression: { .keyPath($0) }).compile()
            let error = #expect(throws: StoreError.self) {
                try SchemaCompiler(model, dialect: SQLiteDialect()).compile()
            }
            #expect(error?.message.contains("Note.\(attribute.name) cannot be searched") == true)
        }
    }
}

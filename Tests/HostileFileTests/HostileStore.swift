import CoreDataSQLite
import CoreDataTool
import Foundation
import Testing

/// A store made to do harm: the change to a sound store, and the messages that its readers must give.
struct HostileStore: Sendable, CustomTestStringConvertible {
    let name: String
    /// The messages that the commands give, together; none if they read the store like any other.
    let complaints: [String]
    let harm: @Sendable (SampleStore) throws -> Void

    init(
        _ name: String, says complaints: String..., harm: @escaping @Sendable (SampleStore) throws -> Void
    ) {
        (self.name, self.complaints, self.harm) = (name, complaints, harm)
    }

    /// Makes a store that is changed by statements that any SQLite runs.
    init(_ name: String, says complaints: String..., sql: String...) {
        (self.name, self.complaints) = (name, complaints)
        harm = { sample in for statement in sql { try sample.damage(statement) } }
    }

    var testDescription: String { name }

    func make() throws -> SampleStore {
        let sample = try SampleStore()
        try harm(sample)
        return sample
    }

    static let all = impostors + endless + numbers + entities + texts + records + files + pages

    // MARK: Imitations of tables

    /// Rows without end.
    private static let forever =
        "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT i AS Z_PK, i AS Z_ENT, i AS Z_OPT FROM n"

    private static func view(_ table: String) -> HostileStore {
        HostileStore(
            "a view without end in the place of \(table)",
            says: "\(table) is a view, where a store has a table",
            sql: "DROP TABLE \(table)", "CREATE VIEW \(table) AS \(forever)")
    }

    private static let impostors =
        ["ZTAG", "Z_2TAGS", "Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE", "ATRANSACTION"].map(view) + [
            HostileStore(
                "a virtual table in the place of a table",
                says: "ZTAG is a virtual table, where a store has a table",
                sql: "DROP TABLE ZTAG", "CREATE VIRTUAL TABLE ZTAG USING fts5(Z_PK, Z_ENT, Z_OPT, ZWORD)"),
            HostileStore(
                "a virtual table whose statement hides it",
                says: "ZTAG is a virtual table, where a store has a table",
                sql: "DROP TABLE ZTAG", "CREATE VIRTUAL TABLE ZTAG USING fts5(Z_PK, Z_ENT, Z_OPT, ZWORD)",
                "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'CREATE ', 'CREATE/**/') "
                    + "WHERE name = 'ZTAG'"),
            HostileStore(
                "views of views of views, each with the next one twice",
                harm: { sample in
                    try sample.damage("CREATE VIEW V0 AS SELECT 1 AS a")
                    for level in 1...40 {
                        try sample.damage(
                            "CREATE VIEW V\(level) AS SELECT a.a FROM V\(level - 1) a, V\(level - 1) b")
                    }
                }),
            HostileStore(
                "a column that is computed from nothing, and large",
                says: "Tag.word has no column ZWORD in ZTAG",
                sql: "DROP TABLE ZTAG",
                "CREATE TABLE ZTAG ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
                    + "ZWORD VARCHAR GENERATED ALWAYS AS (hex(zeroblob(400000000))) )",
                "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 5, 1)"),
        ]

    // MARK: Work without end

    private static let endless = [
        HostileStore(
            "triggers that call themselves, and go on for ever",
            sql: "PRAGMA recursive_triggers = ON",
            "CREATE TRIGGER T1 AFTER UPDATE ON ZBOOK BEGIN UPDATE ZBOOK SET Z_OPT = Z_OPT + 1; END",
            "CREATE TRIGGER T2 AFTER INSERT ON ZBOOK BEGIN INSERT INTO ZTAG (Z_PK) \(forever.replacingOccurrences(of: ", i AS Z_ENT, i AS Z_OPT", with: "")); END"
        ),
        HostileStore(
            "a constraint that takes more memory with each row than the file has",
            harm: { sample in
                try sample.damage(
                    "CREATE TABLE X (a CHECK (length(hex(zeroblob(450000000))) > 0))",
                    "PRAGMA ignore_check_constraints = ON; INSERT INTO X "
                        + "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 2000) SELECT i FROM n"
                )
            }),
        HostileStore(
            "an index of what takes more memory with each row than the file has",
            harm: { sample in
                try sample.damage(
                    "CREATE TABLE X (a)", "CREATE INDEX XI ON X (a)",
                    "INSERT INTO X WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 2000) "
                        + "SELECT i FROM n",
                    "PRAGMA writable_schema = ON; UPDATE sqlite_master "
                        + "SET sql = 'CREATE INDEX XI ON X (length(hex(zeroblob(450000000 + a))))' WHERE name = 'XI'"
                )
            }),
    ]

    // MARK: Numbers

    private static let numbers = [
        HostileStore(
            "no highest key", says: "the highest key of Book is recorded as 0",
            sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = NULL"),
        HostileStore("the highest key there is", sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807"),
        HostileStore(
            "negative highest keys", says: "the highest key of Book is recorded as -1",
            sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = -1"),
        HostileStore(
            "highest keys that are texts", says: "the highest key of Book is recorded as 0",
            sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = 'many'"),
        HostileStore(
            "entity numbers that are negative", says: "the store gives",
            sql: "UPDATE Z_PRIMARYKEY SET Z_ENT = -Z_ENT"),
        HostileStore(
            "entity numbers beyond all others", says: "the store gives",
            sql: "UPDATE Z_PRIMARYKEY SET Z_ENT = Z_ENT + 9223372036854700000 WHERE Z_ENT < 6"),
        HostileStore(
            "two entities of one name", says: "the store has no",
            sql: "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Book' WHERE Z_ENT < 6"),
        HostileStore(
            "entities that are above each other",
            sql: "UPDATE Z_PRIMARYKEY SET Z_SUPER = 1 + Z_ENT % 5 WHERE Z_ENT < 6"),
        HostileStore(
            "entities that are above themselves", sql: "UPDATE Z_PRIMARYKEY SET Z_SUPER = Z_ENT"),
        HostileStore(
            "rows with keys below 1", says: "1 row of ZBOOK with a key below 1",
            sql: "UPDATE ZBOOK SET Z_PK = -1 WHERE Z_PK = 1", "UPDATE ZTAG SET Z_PK = 1 - Z_PK",
            "UPDATE ZCHAPTER SET ZBOOK = -1", "UPDATE ZAUTHOR SET ZMASTERPIECE = -9223372036854775808"),
        HostileStore(
            "members with keys below 1", says: "that lead to nothing on one side",
            sql: "INSERT INTO Z_2TAGS VALUES (-1, -2, 5), (1, 0, NULL), (0, 1, 9223372036854775807)"),
        HostileStore(
            "a row that refers to itself from everywhere", says: "Book.author",
            sql: "UPDATE ZBOOK SET ZAUTHOR = Z_PK + 5", "UPDATE ZCHAPTER SET ZBOOK = Z_PK",
            "UPDATE ZAUTHOR SET ZMASTERPIECE = Z_PK"),
        HostileStore(
            "dates and numbers without end",
            sql: "UPDATE ZAUTHOR SET ZBORN = 9e999, ZSCORE = -9e999, ZROYALTY = 1e300",
            "UPDATE ZBOOK SET ZPUBLISHED = 1e308, ZWEIGHT = -1e308, ZPAGES = 9223372036854775807",
            "UPDATE ATRANSACTION SET ZTIMESTAMP = 9e999"),
        HostileStore(
            "dates that are far away",
            sql: "UPDATE ZAUTHOR SET ZBORN = -1e15", "UPDATE ZBOOK SET ZPUBLISHED = 9.2e18",
            "UPDATE ATRANSACTION SET ZTIMESTAMP = -1e300"),
        HostileStore(
            "versions of rows that are as high as can be",
            sql: "UPDATE ZBOOK SET Z_OPT = 9223372036854775807",
            "UPDATE ZTAG SET Z_OPT = -9223372036854775808"),
        HostileStore(
            "a history of what there is not",
            sql: "UPDATE ACHANGE SET ZENTITY = 9223372036854775807, ZENTITYPK = -1 WHERE Z_PK % 3 = 0",
            "UPDATE ACHANGE SET ZCHANGETYPE = 77 WHERE Z_PK % 3 = 1",
            "UPDATE ACHANGE SET ZCHANGETYPE = 1, ZCOLUMNS = zeroblob(100000) WHERE Z_PK % 3 = 2"),
    ]

    // MARK: Entities

    private static let entities = [
        HostileStore(
            "members that are of an entity of another table",
            says: "of ZTAG with the number 1, which is no entity of that table",
            sql: "UPDATE ZTAG SET Z_ENT = 1"),
        HostileStore(
            "owners that are of an entity of another table",
            says: "of ZBOOK with the number 5, which is no entity of that table", "Author.masterpiece",
            sql: "UPDATE ZBOOK SET Z_ENT = 5"),
        HostileStore(
            "rows of every table that are of the same entity",
            says: "of ZAUTHOR with the number 4, which is no entity of that table",
            "Chapter.book leads to an object of another entity than it may",
            sql: "UPDATE ZAUTHOR SET Z_ENT = 4", "UPDATE ZBOOK SET Z_ENT = 4", "UPDATE ZTAG SET Z_ENT = 4"),
        HostileStore(
            "members of an ordered relationship that are of an entity of another table",
            says: "of ZCHAPTER with the number 5, which is no entity of that table",
            sql: "UPDATE ZCHAPTER SET Z_ENT = 5"),
        HostileStore(
            "a reference with the number of another entity beside it",
            says: "Chapter.book has the right key and the wrong",
            sql: "UPDATE ZCHAPTER SET Z2_BOOK = 5"),
        HostileStore(
            "a reference to a row of the entity above",
            says: "Author.masterpiece leads to an object of another entity",
            sql: "UPDATE ZAUTHOR SET ZMASTERPIECE = (SELECT Z_PK FROM ZBOOK WHERE Z_ENT = 2)"),
        HostileStore(
            "a history of rows of other entities",
            sql: "UPDATE ACHANGE SET ZENTITY = 1 + ZENTITY % 5"),
    ]

    // MARK: Texts and bytes

    private static let texts = [
        HostileStore(
            "texts where numbers are expected",
            sql: "UPDATE ZBOOK SET ZPAGES = 'many', ZWEIGHT = 'heavy', ZPUBLISHED = 'once', Z_OPT = 'first'",
            "UPDATE ZAUTHOR SET ZISALIVE = 'no', ZSCORE = '', ZROYALTY = 'NaN', ZBORN = x'00'",
            "UPDATE ATRANSACTION SET ZTIMESTAMP = 'now'"),
        HostileStore(
            "texts where keys are expected", says: "Book.author",
            sql: "UPDATE ZBOOK SET ZAUTHOR = 'somebody'",
            "UPDATE ZCHAPTER SET ZBOOK = x'ff', Z_FOK_BOOK = 'last'"),
        HostileStore(
            "numbers where texts and bytes are expected",
            sql: "UPDATE ZBOOK SET ZTITLE = x'00ff00', ZCOVER = 12", "UPDATE ZTAG SET ZWORD = 1.5",
            "UPDATE ZAUTHOR SET ZTOKEN = 5, ZSITE = 7, ZNOTES = 'text', ZNAME = zeroblob(9)"),
        HostileStore(
            "texts that are no texts",
            sql: "UPDATE ZBOOK SET ZTITLE = CAST(x'fffe80c0af' AS TEXT)",
            "UPDATE ZTAG SET ZWORD = CAST(x'610062' AS TEXT) WHERE Z_PK = 1",
            "UPDATE ZAUTHOR SET ZNAME = CAST(x'eda080' AS TEXT), ZSITE = CAST(x'68747470' AS TEXT)",
            "UPDATE ATRANSACTION SET ZPROCESSID = CAST(x'ff' AS TEXT)"),
        HostileStore(
            "addresses that are none",
            sql: "UPDATE ZAUTHOR SET ZSITE = 'http://[::::' WHERE Z_PK = 1", "UPDATE ZAUTHOR SET ZSITE = ''"),
        HostileStore(
            "an entity whose name is no text", says: "the store has no",
            sql: "UPDATE Z_PRIMARYKEY SET Z_NAME = CAST(x'ff' AS TEXT)"),
        HostileStore(
            "values that are commands to a terminal",
            sql: "UPDATE ZBOOK SET ZTITLE = char(27) || ']0;gone' || char(7) || char(10)"),
    ]

    // MARK: Records about the store

    /// Makes a store in which the content of one column is replaced. The content is computed when the store
    /// is made, since some of it takes a while.
    private static func replacing(
        _ table: String, _ column: String, _ name: String, says complaint: String,
        with content: @escaping @Sendable () -> Data
    ) -> HostileStore {
        HostileStore(name, says: complaint) { sample in
            let hex = content().map { String(format: "%02x", $0) }.joined()
            try sample.damage("UPDATE \(table) SET \(column) = x'\(hex)'")
        }
    }

    private static func metadata(
        _ name: String, _ plist: @autoclosure @escaping @Sendable () -> Data
    ) -> HostileStore {
        replacing("Z_METADATA", "Z_PLIST", name, says: "the metadata in the store is damaged", with: plist)
    }

    private static func model(
        _ name: String, says complaint: String = "the model in the store is damaged",
        _ content: @autoclosure @escaping @Sendable () -> Data
    ) -> HostileStore {
        replacing("Z_MODELCACHE", "Z_CONTENT", name, says: complaint, with: content)
    }

    private static func packed(_ data: Data) -> Data { Deflate.compress(data) ?? Data() }

    private static let records = [
        HostileStore(
            "no metadata", says: "the metadata in the store is damaged: it is missing",
            sql: "UPDATE Z_METADATA SET Z_PLIST = NULL"),
        HostileStore(
            "metadata that are a number", says: "the metadata in the store is damaged",
            sql: "UPDATE Z_METADATA SET Z_PLIST = 5"),
        HostileStore(
            "a table of metadata without a row", says: "the metadata in the store is damaged: it is missing",
            sql: "DELETE FROM Z_METADATA"),
        metadata("metadata that double at each level", HostileBytes.doublingList(levels: 60)),
        metadata("metadata whose parts overlap", HostileBytes.overlappingList(objects: 20_000)),
        metadata("metadata that contain themselves", HostileBytes.circularList),
        metadata(
            "metadata in XML, as deep as a well", HostileBytes.deepXMLList(levels: 200_000)),
        metadata("metadata in the old form, as deep as a well", HostileBytes.deepOldList(levels: 200_000)),
        metadata("metadata with entities that grow", HostileBytes.entityList),
        HostileStore(
            "a UUID that is none", sql: "UPDATE Z_METADATA SET Z_UUID = '../../a?b#c%00 d'"),
        HostileStore("no UUID", sql: "UPDATE Z_METADATA SET Z_UUID = NULL"),
        HostileStore(
            "no row in the model cache", says: "carries no model", sql: "DELETE FROM Z_MODELCACHE"),
        HostileStore(
            "a model cache that is NULL", says: "the model in the store is damaged",
            sql: "UPDATE Z_MODELCACHE SET Z_CONTENT = NULL"),
        HostileStore(
            "a model cache that ends early", says: "the model in the store is damaged",
            sql: "UPDATE Z_MODELCACHE SET Z_CONTENT = substr(Z_CONTENT, 1, length(Z_CONTENT) / 2)"),
        model(
            "a model cache that unpacks to a thousand times its size",
            packed(Data(count: Deflate.largestSize + 1))),
        model("a model cache of something else", packed(Data("something else".utf8))),
        model("a model cache with circles", packed(HostileBytes.circularModel)),
        model(
            "a model cache of one line of descent", says: "levels of entities",
            packed(HostileBytes.lineOfDescent(entities: 2_000))),
        model(
            "a model cache whose entities inherit too much", says: "properties",
            packed(HostileBytes.broadDescent(properties: 1_000, entities: 2_000))),
        model(
            "a model cache whose entity is its own ancestor", says: "its own ancestor",
            packed(HostileBytes.ownAncestor)),
        model(
            "a model cache whose composites contain each other", says: "two elements have this name",
            packed(HostileBytes.circularComposites)),
    ]

    // MARK: Files

    /// Makes a store in which `make` replaces the external file of its only large value.
    private static func file(
        _ name: String, says complaint: String, _ make: @escaping @Sendable (_ path: String) throws -> Void
    ) -> HostileStore {
        HostileStore(name, says: complaint) { sample in
            let folder = sample.externalFolder
            let file = folder.path + "/" + folder.names()[0]
            try FileManager.default.removeItem(atPath: file)
            try make(file)
        }
    }

    private static let files = [
        file("a file of a value that is a link", says: "It is a link") {
            try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: "/etc/passwd")
        },
        file("a file of a value that is a pipe", says: "It is no plain file") { mkfifo($0, 0o644) },
        file("a file of a value that is a folder", says: "Is a directory") {
            try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: false)
        },
        file("a file of a value that is a hole", says: "Cannot allocate memory") {
            try Data().write(to: URL(fileURLWithPath: $0))
            truncate($0, 1 << 42)
        },
        HostileStore(
            "a value that names a file elsewhere", says: "the stored bytes are neither a value nor the name",
            sql:
                "UPDATE ZBOOK SET ZCOVER = x'02' || CAST('../../../../../../../../../etc/passwd' AS BLOB) || x'00'"
        ),
        HostileStore("a folder of values that is a link", says: "is a link or not a folder") { sample in
            let path = sample.externalFolder.path
            let other = sample.folder.appendingPathComponent("Elsewhere").path
            try FileManager.default.moveItem(atPath: path, toPath: other)
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other)
        },
        HostileStore("a folder beside the store that is a link", says: "is a link or not a folder") {
            sample in
            let path = StoreFiles(sample.url).support.path
            let other = sample.folder.appendingPathComponent("Elsewhere").path
            try FileManager.default.moveItem(atPath: path, toPath: other)
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other)
        },
        HostileStore("a log of something else") { sample in
            try Data(repeating: 7, count: 100_000).write(to: StoreFiles(sample.url).log)
        },
        HostileStore("an index of something else") { sample in
            try Data(repeating: 7, count: 100_000).write(to: URL(fileURLWithPath: sample.url.path + "-shm"))
        },
        HostileStore("a journal of something else") { sample in
            let header = Data([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7])
            try (header + Data(repeating: 7, count: 100_000))
                .write(to: URL(fileURLWithPath: sample.url.path + "-journal"))
        },
    ]

    // MARK: Pages

    private static let pages = [
        HostileStore("a table whose pages lead to the same page", says: "2nd reference to page") { sample in
            try HostileBytes.shareChildren(of: "ZTAG", in: sample.url, levels: 12, children: 100)
        },
        HostileStore("a header that says the file is larger") { sample in
            try sample.edit { $0.replaceSubrange(28..<32, with: [0x7f, 0xff, 0xff, 0xff]) }
        },
        HostileStore("a file that ends in its middle", says: "database disk image is malformed") { sample in
            try sample.edit { $0.removeLast($0.count / 2) }
        },
        HostileStore("a file that is its header", says: "database disk image is malformed") { sample in
            try sample.edit { $0 = $0.prefix(100) }
        },
        HostileStore("a list of free pages without end", says: "SQLite finds the database damaged") {
            sample in
            try sample.edit { $0.replaceSubrange(32..<40, with: [0, 0, 0, 2, 0x7f, 0xff, 0xff, 0xff]) }
        },
    ]
}

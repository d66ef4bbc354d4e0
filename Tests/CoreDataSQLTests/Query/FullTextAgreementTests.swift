import CoreDataPredicates
import CoreDataSQL
import CoreDataValues
import Foundation
import Testing

/// SQLite's index is the reference: memory has to find the same.
@Suite("Full-text searches in SQL and memory")
struct FullTextAgreementTests {
    private static let table = SearchTable(source: "ZNOTE", columns: ["ZTITLE", "ZBODY"])

    private func database() throws -> QueryDatabase {
        try QueryDatabase(
            ["CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, ZTITLE VARCHAR, ZBODY VARCHAR)"]
                + SQLiteDialect().definitions(of: Self.table).map(\.statement))
    }

    private func text(_ value: String?) -> SQLValue { value.map { .text($0) } ?? .null }

    @Test("Every character of Unicode's first two planes is split into words as SQLite's index does")
    func characters() throws {
        let database = try database()
        let last = 0x1FFFF
        try database.rows(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(last)) \
            INSERT INTO ZNOTE (Z_PK, ZTITLE) SELECT i, 'x' || char(i) || 'y ' || char(i) FROM n \
            WHERE i NOT BETWEEN 0xD800 AND 0xDFFF
            """)
        try database.rows("CREATE VIRTUAL TABLE words USING fts5vocab(FULLTEXT_ZNOTE, 'instance')")
        let words = try database.rows(
            "SELECT doc, group_concat(term, ' ') FROM (SELECT doc, term FROM words ORDER BY doc, offset) GROUP BY doc"
        )
        #expect(words.count == last - 0x800)
        var differences: [String] = []
        for row in words {
            guard case .integer(let number) = row[0], case .text(let indexed) = row[1],
                let scalar = Unicode.Scalar(UInt32(number))
            else { continue }
            let own = FullTextWords("x\(scalar)y \(scalar)").text
            if !own.unicodeScalars.elementsEqual(indexed.unicodeScalars) {
                differences.append("U+\(String(number, radix: 16)): \(own), indexed as \(indexed)")
            } else if FullTextWords(own).text != own {
                differences.append("U+\(String(number, radix: 16)): \(own) is not its own form")
            }
        }
        #expect(differences == [])
    }

    // MARK: Random texts and queries

    private static let vocabulary = [
        "a", "ab", "abc", "Éa", "e\u{301}a", "ÉA", "ß", "ss", "don't", "b-c", "1.5", "Ω", "ω", "日本", "日",
        "x_y", "µ",
        "\u{301}", "AND", "not", "İ", "i", "ſ", "—",
    ]

    private func randomText(_ random: inout SeededGenerator) -> String? {
        guard Int.random(in: 0..<8, using: &random) > 0 else { return nil }
        return (0..<Int.random(in: 0..<6, using: &random)).map { _ in
            let word = Self.vocabulary.randomElement(using: &random)!
            return word + [" ", " ", ", ", "", "\n", "(", "\""].randomElement(using: &random)!
        }.joined()
    }

    private func randomQuery(_ random: inout SeededGenerator) -> String {
        let signs = [
            "(", ")", " AND ", " OR ", " NOT ", "\"", "*", " ", " ", " ", ":", "^", "{", "+", "-", "\\", ";",
        ]
        return (0..<Int.random(in: 1..<9, using: &random)).map { _ in
            let isWord = Bool.random(using: &random)
            return isWord
                ? Self.vocabulary.randomElement(using: &random)! + " " : signs.randomElement(using: &random)!
        }.joined()
    }

    @Test("Memory and SQL find the same in random texts, after inserts, updates and deletions")
    func random() throws {
        let seed = UInt64(ProcessInfo.processInfo.environment["CORE_DATA_TEST_SEED"] ?? "") ?? 1
        let cases = Int(ProcessInfo.processInfo.environment["CORE_DATA_TEST_CASES"] ?? "") ?? 6
        for seed in seed..<seed + UInt64(cases) {
            var random = SeededGenerator(state: seed)
            let database = try database()
            var notes: [Int64: (title: String?, body: String?)] = [:]
            for _ in 0..<120 {
                let key = Int64.random(in: 1...60, using: &random)
                let note = (title: randomText(&random), body: randomText(&random))
                let (title, body) = (text(note.title), text(note.body))
                let row: SQLFragment = "\(bind: .integer(key))"
                switch (Int.random(in: 0..<6, using: &random), notes[key] != nil) {
                case (0, true):
                    try database.rows("DELETE FROM ZNOTE WHERE Z_PK = \(row)")
                    notes[key] = nil
                case (1...3, true):
                    try database.rows(
                        "UPDATE ZNOTE SET ZTITLE = \(bind: title), ZBODY = \(bind: body) WHERE Z_PK = \(row)")
                    notes[key] = note
                default:
                    try database.rows(
                        "INSERT OR REPLACE INTO ZNOTE VALUES (\(row), \(bind: title), \(bind: body))")
                    notes[key] = note
                }
            }
            for _ in 0..<150 {
                let text = randomQuery(&random)
                let query = FullTextQuery(text)
                for columns in [["ZTITLE"], ["ZTITLE", "ZBODY"]] as [[SQLIdentifier]] {
                    let expected = notes.filter { _, note in
                        query.matches(
                            (columns.count == 1 ? [note.title] : [note.title, note.body]).compactMap { $0 })
                    }
                    let found = try found(query, columns, database)
                    #expect(found == expected.keys.sorted(), "seed \(seed), \(columns), query \(text)")
                }
            }
        }
    }

    private func found(
        _ query: FullTextQuery, _ columns: [SQLIdentifier], _ database: QueryDatabase
    ) throws -> [Int64] {
        guard let root = query.root else { return [] }
        let select = SQLiteDialect().search(Self.table, in: columns, for: root)
        return try database.keys("SELECT Z_PK FROM ZNOTE WHERE Z_PK IN (\(select)) ORDER BY Z_PK")
    }

    @Test("SQLite accepts the largest queries that are generated")
    func large() throws {
        let database = try database()
        try database.rows("INSERT INTO ZNOTE VALUES (1, 'a', 'w7'), (2, 'b', 'z')")
        let nested = (0..<10).reduce("z") { inner, _ in
            "q OR (b AND z AND (b NOT (q)) NOT (q AND (\(inner)))) NOT (q)"
        }
        let expected: [(String, [Int64])] = [
            ((0..<3000).map { "w\($0)" }.joined(separator: " OR "), [1]),
            ((0..<3000).map { "w\($0)" }.joined(separator: " "), []),
            ("b" + (0..<3000).map { " NOT w\($0)" }.joined(), [2]),
            ("\"" + String(repeating: "b ", count: 3000) + "\"", []),
            (String(repeating: "x", count: 100_000) + "* OR b", [2]),
            (String(repeating: "(a OR (c ", count: 500), [1]),
            (nested, [2]),
        ]
        for (text, keys) in expected {
            let query = FullTextQuery(text)
            #expect(try found(query, ["ZTITLE", "ZBODY"], database) == keys, "\(text.prefix(80))")
            #expect(try found(query, ["ZTITLE"], database).count <= keys.count)
            #expect(query.matches(["b", "z"]) == keys.contains(2), "\(text.prefix(80))")
        }
    }
}

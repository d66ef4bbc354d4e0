import CoreDataSQL
import Testing

@testable import CoreDataSQL

/// The compiler checks that no other strings get into a text: there is no interpolation of a `String`.
@Suite("Names and constants in SQL")
struct SQLTextTests {
    @Test(
        "A generated SQL name stands without quotes, any other name is quoted",
        arguments: [
            ("ZBOOK", "ZBOOK"), ("Z_1TAGS", "Z_1TAGS"), ("Z_Book_byTitle", "Z_Book_byTitle"),
            ("REFLEXIVE", "REFLEXIVE"), ("ACHANGE", "ACHANGE"), ("FULLTEXT_ZBOOK", "FULLTEXT_ZBOOK"),
            ("", "\"\""), ("order", "\"order\""), ("1", "\"1\""), ("ZÉ", "\"ZÉ\""), ("Z A", "\"Z A\""),
            ("Z\"A", "\"Z\"\"A\""), ("\"", "\"\"\"\""), ("Z'A", "\"Z'A\""), ("ZA;", "\"ZA;\""),
            ("ZX VARCHAR ); DROP TABLE ZB; --", "\"ZX VARCHAR ); DROP TABLE ZB; --\""),
        ])
    func names(_ name: String, _ sql: String) {
        #expect(("\(SQLIdentifier(name))" as SQLText).string == sql)
        #expect(SQLIdentifier(name).name == name)
        #expect(("SELECT \(SQLIdentifier(name)) FROM t" as SQLFragment).sql.string == "SELECT \(sql) FROM t")
    }

    @Test("Names are equal if SQLite treats them as equal")
    func equality() {
        #expect(SQLIdentifier("Zab") == SQLIdentifier("ZAB"))
        #expect(SQLIdentifier("Zab").hashValue == SQLIdentifier("ZAB").hashValue)
        #expect(SQLIdentifier("zab") == SQLIdentifier("ZAB"))
        #expect(SQLIdentifier("ORDER") == SQLIdentifier("order"))
        #expect(SQLIdentifier("zé") != SQLIdentifier("zÉ"))
        // One letter, composed and decomposed.
        #expect(SQLIdentifier("Z\u{C9}") != SQLIdentifier("ZE\u{301}"))
    }

    @Test("Constants of statements without values are quoted")
    func constants() {
        #expect(("x = \(quoting: "it's")" as SQLText).string == "x = 'it''s'")
        #expect(("\(7), \(Int64.min)" as SQLText).string == "7, -9223372036854775808")
    }

    @Test("A statement's words do not depend on spacing, quoting style or comments")
    func words() {
        let plain = SQLWords("CREATE INDEX ZX ON ZA (ZB COLLATE BINARY ASC) WHERE ZC = 'a b'")
        #expect(
            plain
                == SQLWords(
                    "CREATE  INDEX \"ZX\"\n ON [ZA] ( `zb` COLLATE BINARY ASC ) -- it's\n/* x */WHERE ZC='a b'"
                ))
        #expect(plain != SQLWords("CREATE INDEX ZX ON ZA (ZB COLLATE BINARY ASC) WHERE ZC = 'a  b'"))
        #expect(plain.contains("ZB"))
        #expect(plain.contains("zc"))
        #expect(!plain.contains("a"))
        #expect(!plain.contains("Z"))
        let strange = SQLWords("UPDATE \"Z A\" SET \"ZB\"\"(\" = ''''")
        #expect(strange.contains("Z A"))
        #expect(strange.contains("ZB\"("))
        #expect(!strange.contains("A"))
        for text in ["'", "\"", "[", "`", "/*", "--", "'a''", ""] as [SQLText] { _ = SQLWords(text) }
    }
}

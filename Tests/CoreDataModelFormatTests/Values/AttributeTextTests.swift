import CoreDataValues
import Foundation
import Testing

@Suite("Values as text")
struct AttributeTextTests {
    static let parsed: [(String, AttributeType, AttributeValue?)] = [
        ("42", .integer16, .integer(42)), ("0.0", .integer32, .integer(0)), ("NO", .integer64, .integer(0)),
        ("-9", .integer64, .integer(-9)),
        ("32768", .integer16, nil), ("2147483648", .integer32, nil), ("9223372036854775808", .integer64, nil),
        ("YES", .integer16, .integer(1)),
        ("1.5", .integer32, nil), ("", .integer32, nil), ("x", .double, nil),
        ("0", .double, .double(0)), ("1e3", .double, .double(1000)), ("0.5", .float, .double(0.5)),
        ("0.10", .decimal, .decimal(Decimal(string: "0.1")!)), ("12abc", .decimal, nil), ("", .decimal, nil),
        ("YES", .boolean, .boolean(true)), ("NO", .boolean, .boolean(false)), ("1", .boolean, .boolean(true)),
        ("0.0", .boolean, .boolean(false)), ("1.0", .boolean, .boolean(true)), ("maybe", .boolean, nil),
        ("YES", .double, .double(1)), ("NO", .float, .double(0)), ("YES", .decimal, .decimal(1)),
        ("nan", .boolean, nil),
        ("", .string, .string("")), ("NO", .string, .string("NO")),
        ("2001-01-01 00:00:10 +0000", .date, .date(Date(timeIntervalSinceReferenceDate: 10))),
        ("2001-01-01 01:00:00 +0100", .date, .date(Date(timeIntervalSinceReferenceDate: 0))),
        ("2001-01-02", .date, .date(Date(timeIntervalSinceReferenceDate: 86_400))),
        ("2001-01-01 00:01", .date, .date(Date(timeIntervalSinceReferenceDate: 60))),
        ("2001-02-30", .date, nil), ("today", .date, nil),
        ("AQID", .binary, .data(Data([1, 2, 3]))), ("?", .binary, nil),
        ("not-a-uuid", .uuid, nil), ("x", .transformable, nil), ("x", .undefined, nil),
    ]

    @Test("A text is parsed as a value of the attribute's type, or as nil", arguments: parsed)
    func parsing(text: String, type: AttributeType, value: AttributeValue?) {
        #expect(AttributeValue(text: text, type: type) == value)
    }

    static let written: [(AttributeType, AttributeValue, String)] = [
        (.integer64, .integer(.min), "-9223372036854775808"), (.boolean, .boolean(true), "YES"),
        (.double, .double(0), "0.0"), (.float, .double(Double(Float(0.1))), "0.1"),
        (.decimal, .decimal(Decimal(string: "1.25")!), "1.25"), (.string, .string("a"), "a"),
        (.date, .date(Date(timeIntervalSinceReferenceDate: 388_411_200)), "2013-04-23 12:00:00 +0000"),
        (.uri, .uri(URL(string: "https://example.org/")!), "https://example.org/"),
        (.binary, .data(Data([255])), "/w=="),
    ]

    @Test("A value is written as the editor writes it and read back", arguments: written)
    func writing(type: AttributeType, value: AttributeValue, text: String) {
        #expect(value.text(as: type) == text)
        #expect(AttributeValue(text: text, type: type) == value)
    }
}

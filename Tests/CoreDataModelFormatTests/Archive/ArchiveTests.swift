import CoreDataValues
import Foundation
import Testing

@testable import CoreDataModelFormat

@Suite("Keyed archives")
struct ArchiveTests {
    static let values: [PropertyList] = [
        .boolean(true), .boolean(false), .integer(0), .integer(255), .integer(256), .integer(65_536),
        .integer(4_294_967_296), .integer(-1), .integer(.min), .integer(.max), .real(1.5), .real(-0.0),
        .string(""), .string("plain"), .string("Grüße 🎵"), .string(String(repeating: "x", count: 300)),
        .date(Date(timeIntervalSinceReferenceDate: 12.5)), .data(Data((0..<20).map { UInt8($0) })),
        .uid(7), .uid(70_000), .array([]), .dictionary([:]), .null,
    ]

    @Test("Every kind of value survives a binary property list", arguments: values)
    func roundTrip(_ value: PropertyList) throws {
        let list = PropertyList.dictionary(["a": .array([value, value]), "b": .dictionary(["c": value])])
        #expect(try BinaryPropertyListReader.read(BinaryPropertyListWriter.write(list)) == list)
    }

    @Test("Foundation reads a written property list, except for its object references")
    func foundation() throws {
        let list = PropertyList.dictionary([
            "text": .string("Grüße"), "number": .integer(-5), "real": .real(2.5),
            "many": .array((0..<300).map { .integer($0) }),
        ])
        let data = BinaryPropertyListWriter.write(list)
        let read = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        #expect(read?["text"] as? String == "Grüße")
        #expect(read?["number"] as? Int == -5)
        #expect(read?["real"] as? Double == 2.5)
        #expect(read?["many"] as? [Int] == Array(0..<300))
    }

    @Test("A property list written by Foundation is read")
    func fromFoundation() throws {
        let value: [String: Any] = ["date": Date(timeIntervalSinceReferenceDate: 3), "list": ["é", "b"]]
        let data = try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)
        let list = try BinaryPropertyListReader.read(data)
        #expect(list["date"] == .date(Date(timeIntervalSinceReferenceDate: 3)))
        #expect(list["list"] == .array([.string("é"), .string("b")]))
    }

    /// Returns an entity whose parts are read by following references: a limit, a predicate, a derivation, a
    /// date.
    private static func archive() throws -> [UInt8] {
        var title = AttributeElement(name: "title", type: .string, minimum: .integer(3))
        title.validationRules = [
            ValidationRule(predicate: "SELF != 'a' AND SELF.length > 2", warning: .message("no"))
        ]
        let date = AttributeElement(
            name: "date", type: .date, defaultValue: .date(Date(timeIntervalSince1970: 0)))
        let document = ModelDocument(entities: [EntityElement(name: "Song", attributes: [title, date])])
        return [UInt8](try CompiledModelWriter(document).mom())
    }

    @Test("Damaged bytes are refused or misread, but never crash the program")
    func damage() throws {
        let sound = try Self.archive()
        for position in sound.indices {
            for value in [0, 0xFF, sound[position] ^ 1] {
                var damaged = sound
                damaged[position] = value
                _ = try? CompiledModelReader().read(Data(damaged))
            }
        }
        for length in sound.indices { _ = try? CompiledModelReader().read(Data(sound[..<length])) }
        #expect(try CompiledModelReader().read(Data(sound)).document.entities.map(\.name) == ["Song"])
    }

    @Test("Cyclic references are left out")
    func circles() throws {
        let sound = try Self.archive()
        let count = try #require(BinaryPropertyListReader.read(Data(sound))["$objects"]?.array?.count)
        try #require(count < 256)
        // A reference is the marker 0x80 and a number.
        for position in sound.indices.dropLast(33) where sound[position] == 0x80 {
            for target in 0..<count {
                var damaged = sound
                damaged[position + 1] = UInt8(target)
                _ = try? CompiledModelReader().read(Data(damaged))
            }
        }
    }

    @Test("A property list that contains itself is refused")
    func cycle() throws {
        // An array whose only element is itself.
        var bytes = Array("bplist00".utf8) + [0xA1, 0x00, 8]
        bytes += [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 8)
        bytes += [0, 0, 0, 0, 0, 0, 0, 10]
        #expect(throws: ModelFileError.self) { try BinaryPropertyListReader.read(Data(bytes)) }
    }

    static let defaults: [(AttributeType, AttributeValue)] = [
        (.integer16, .integer(-3)), (.integer64, .integer(.max)), (.boolean, .boolean(true)),
        (.double, .double(0.1)), (.float, .double(1.5)), (.string, .string("")), (.string, .string("é")),
        (.date, .date(Date(timeIntervalSinceReferenceDate: -0.5))), (.binary, .data(Data([1, 2, 3]))),
        (.uuid, .uuid(UUID())), (.uri, .uri(URL(string: "https://example.org/a?b")!)),
        (.decimal, .decimal(Decimal(string: "123456789012345678901234567.125")!)),
        (.decimal, .decimal(Decimal(string: "-0.5")!)), (.decimal, .decimal(0)),
        (.decimal, .decimal(Decimal(string: "1e40")!)),
    ]

    @Test("A default of every type survives compiling", arguments: defaults)
    func defaultValue(type: AttributeType, value: AttributeValue) throws {
        let attribute = AttributeElement(name: "a", type: type, defaultValue: value)
        let document = ModelDocument(entities: [EntityElement(name: "E", attributes: [attribute])])
        let again = try CompiledModelReader().read(CompiledModelWriter(document).mom()).document
        #expect(again.entities.first?.attributes == [attribute])
    }
}

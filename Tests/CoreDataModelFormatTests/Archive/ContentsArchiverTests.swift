import Foundation
import Testing

@testable import CoreDataModelFormat

@Suite("Archives of values and collections")
struct ContentsArchiverTests {
    // MARK: Against Foundation

    /// Nested values of every kind, with many equal ones among them.
    private struct Values {
        var random: Seeded

        mutating func value(depth: Int) -> Any {
            switch Int.random(in: 0..<(depth > 0 ? 14 : 10), using: &random) {
            case 0, 1: text()
            case 2: NSNumber(value: Int.random(in: -300...70_000, using: &random))
            case 3: Int.random(in: .min ... .max, using: &random)
            case 4: Double.random(in: -1...1, using: &random)
            case 5: Bool.random(using: &random)
            case 6: Date(timeIntervalSinceReferenceDate: Double(Int.random(in: 0..<4, using: &random)) / 4)
            case 7: Data(repeating: 7, count: Int.random(in: 0..<300, using: &random))
            case 8: UUID()
            case 9:
                Bool.random(using: &random) ? URL(string: "https://example.com/\(depth)")! as Any : NSNull()
            case 10, 11: NSArray(array: values(depth: depth - 1))
            case 12: values(depth: depth - 1)
            default: dictionary(depth: depth - 1)
            }
        }

        private mutating func text() -> String {
            let texts = ["", "a", "Grüße 🎵", "NSArray", String(repeating: "long ", count: 60)]
            return texts.randomElement(using: &random)!
        }

        mutating func values(depth: Int) -> [Any] {
            (0..<Int.random(in: 0..<5, using: &random)).map { _ in value(depth: depth) }
        }

        mutating func dictionary(depth: Int) -> [String: Any] {
            var result: [String: Any] = [:]
            for number in 0..<Int.random(in: 0..<5, using: &random) {
                result["key \(number)"] = value(depth: depth)
            }
            return result
        }
    }

    private struct Seeded: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    static let classes: [AnyClass] = [
        NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSNumber.self, NSDate.self, NSData.self,
        NSURL.self, NSUUID.self, NSNull.self,
    ]

    @Test(
        "Both readers read the same random values from the output of both archivers",
        arguments: 1...40 as ClosedRange<UInt64>)
    func random(seed: UInt64) throws {
        var values = Values(random: Seeded(state: seed))
        for _ in 0..<10 {
            let root = NSArray(array: values.values(depth: 3))
            let data = try #require(ContentsArchiver.data(for: root))
            let foundations = try NSKeyedArchiver.archivedData(
                withRootObject: root, requiringSecureCoding: true)
            #expect(try ArchivedContents(data).object as? NSArray == root)
            #expect(try ArchivedContents(foundations).object as? NSArray == root)
            let read = try NSKeyedUnarchiver.unarchivedObject(ofClasses: Self.classes, from: data)
            #expect(read as? NSArray == root)
        }
    }

    @Test("An archive differs from Foundation's only in the numbering of its objects")
    func foundation() throws {
        let values: [NSObject] = [
            ["a", "b", "a"] as NSArray, ["a": 1, "b": 2.5] as NSDictionary, [] as NSArray, "text" as NSString,
            NSMutableArray(array: ["a", Data([1]), Date(timeIntervalSince1970: 0)]),
            ["a", ["b", ["c", NSNull()] as [Any]] as [Any]] as NSArray, NSSet(array: ["a"]),
            NSUUID(), NSURL(string: "https://example.com")!, NSNumber(value: 7), NSNumber(value: true),
        ]
        for value in values {
            let data = try #require(ContentsArchiver.data(for: value))
            let foundations = try NSKeyedArchiver.archivedData(
                withRootObject: value, requiringSecureCoding: true)
            #expect(try ArchiveTree.tree(of: data) == ArchiveTree.tree(of: foundations))
            let counts = try [data, foundations].map {
                try BinaryPropertyListReader.read($0)["$objects"]?.array?.count
            }
            #expect(counts[0] == counts[1])
        }
    }

    // MARK: Against Apple

    /// Apple's archive of a place's name, from a photo library.
    private static let applesArray = """
        YnBsaXN0MDDUAQIDBAUGBwpYJHZlcnNpb25ZJGFyY2hpdmVyVCR0b3BYJG9iamVjdHMSAAGGoF8QD05TS2V5ZWRBcmNoaXZl\
        ctEICVRyb290gAGkCwwSE1UkbnVsbNINDg8RWk5TLm9iamVjdHNWJGNsYXNzoRCAAoADVkxvbWl0YdIUFRYXWiRjbGFzc25h\
        bWVYJGNsYXNzZXNXTlNBcnJheaIWGFhOU09iamVjdAgRGiQpMjdJTFFTWF5jbnV3eXuCh5Kbo6YAAAAAAAABAQAAAAAAAAAZ\
        AAAAAAAAAAAAAAAAAAAArw==
        """

    /// Apple's archive of an album's properties, from a photo library.
    private static let applesDictionary = """
        YnBsaXN0MDDUAQIDBAUGBwpYJHZlcnNpb25ZJGFyY2hpdmVyVCR0b3BYJG9iamVjdHMSAAGGoF8QD05TS2V5ZWRBcmNoaXZl\
        ctEICVRyb290gAGsCwwbHB0eHyMpKissVSRudWxs0w0ODxAVGldOUy5rZXlzWk5TLm9iamVjdHNWJGNsYXNzpBESExSAAoAD\
        gASABaQWFxgZgAaACIAJgAqAC1xjcmVhdGlvbkRhdGVYaXNwdWJsaWNUbmFtZV8QEmFsbG93Y29udHJpYnV0aW9uc9IgDyEi\
        V05TLnRpbWUjQcHa3lKAAACAB9IkJSYnWiRjbGFzc25hbWVYJGNsYXNzZXNWTlNEYXRloiYoWE5TT2JqZWN0UTBZb3N4cGhv\
        dG9zUTHSJCUtLlxOU0RpY3Rpb25hcnmiLSgACAARABoAJAApADIANwBJAEwAUQBTAGAAZgBtAHUAgACHAIwAjgCQAJIAlACZ\
        AJsAnQCfAKEAowCwALkAvgDTANgA4ADpAOsA8AD7AQQBCwEOARcBGQEjASUBKgE3AAAAAAAAAgEAAAAAAAAALwAAAAAAAAAA\
        AAAAAAAAATo=
        """

    @Test("An archive has the same objects in the same order as Apple's")
    func apple() throws {
        let list = try #require(Data(base64Encoded: Self.applesArray))
        let ours = try #require(ContentsArchiver.data(for: ["Lomita"]))
        #expect(try BinaryPropertyListReader.read(ours) == BinaryPropertyListReader.read(list))
        #expect(ours.count == list.count)
        let album = try #require(Data(base64Encoded: Self.applesDictionary))
        let contents = try #require(try ArchivedContents(album).object as? NSDictionary)
        let again = try #require(ContentsArchiver.data(for: contents))
        #expect(try ArchiveTree.tree(of: again) == ArchiveTree.tree(of: album))
        #expect(again.count == album.count)
    }

    // MARK: Kinds

    @Test("Numbers keep their type, and decimal numbers their digits")
    func numbers() throws {
        let digits = Decimal(string: "12345678901234567890.123456789")!
        let root: [Any] = [
            NSNumber(value: true), NSNumber(value: 1), NSNumber(value: 1.0), -0.0, 1 as UInt8, Float(1.5),
            digits, NSDecimalNumber(decimal: -digits), UInt64(Int64.max),
        ]
        let data = try #require(ContentsArchiver.data(for: root))
        let read = try #require(try ArchivedContents(data).object as? NSArray)
        #expect(read[0] as? Bool == true)
        #expect(read[0] is Bool)
        #expect((read.object(at: 1) as? NSNumber)?.objCType.pointee == NSNumber(value: 1).objCType.pointee)
        #expect((read.object(at: 2) as? NSNumber)?.objCType.pointee == NSNumber(value: 1.0).objCType.pointee)
        #expect((read[3] as? NSNumber)?.doubleValue.sign == .minus)
        #expect((read[4] as? NSNumber)?.intValue == 1)
        #expect((read[5] as? NSNumber)?.floatValue == 1.5)
        #expect((read[6] as? NSDecimalNumber)?.decimalValue == digits)
        #expect((read[7] as? NSDecimalNumber)?.decimalValue == -digits)
        #expect((read[8] as? NSNumber)?.int64Value == .max)
    }

    @Test("Strings keep their Unicode normalization")
    func spelling() throws {
        let texts = ["e\u{301}", "\u{E9}", "e\u{301}"]
        let data = try #require(ContentsArchiver.data(for: texts))
        let read = try #require(try ArchivedContents(data).object as? NSArray)
        #expect(
            read.map { Array(($0 as? String ?? "").unicodeScalars) } == texts.map { Array($0.unicodeScalars) }
        )
    }

    @Test("Collections of Swift are archived as Foundation's collections")
    func swiftCollections() throws {
        let root: [Any] = [["a": 1], Set(["x"]), [1, 2], [1: "one"], [["a"], ["b"]]]
        let data = try #require(ContentsArchiver.data(for: root))
        let expected: [Any] = [
            NSDictionary(dictionary: ["a": 1]), NSSet(array: ["x"]), NSArray(array: [1, 2]),
            NSDictionary(dictionary: [1: "one"]),
            NSArray(array: [NSArray(object: "a"), NSArray(object: "b")]),
        ]
        #expect(try ArchivedContents(data).object as? NSArray == NSArray(array: expected))
    }

    @Test(
        "The archiver refuses other classes, subclasses of collections and the largest integers"
    )
    func others() {
        final class Own: NSArray {
            override var count: Int { 0 }
        }
        for value in [NSObject(), [NSObject()], Own(), ["a": Own()], UInt64.max, NSNumber(value: UInt64.max)]
            as [Any]
        {
            #expect(ContentsArchiver.data(for: value) == nil)
        }
    }
}

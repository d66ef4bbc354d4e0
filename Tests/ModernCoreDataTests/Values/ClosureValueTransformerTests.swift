import CoreData
import ModernCoreData
import Testing

@Suite("Value transformers made of closures")
@MainActor
struct ClosureValueTransformerTests {
    @Test("Attribute values pass through the closures into the store and back")
    func attribute() throws {
        let stack = try NotesStack()
        stack.insert("a")[0].tags = ["red", "blue"]
        stack.insert("b")
        try stack.context.save()
        let tags = stack.stored { context in
            Note.fetch(in: context) { $0.sortDescriptors = Note.defaultSortDescriptors }.map(\.tags)
        }
        #expect(tags == [["red", "blue"], nil])
    }

    @Test("Closures over Foundation's classes accept Swift values, and the reverse")
    func bridging() throws {
        let name = "ModernCoreDataTests.Reversed"
        ClosureValueTransformer.registerTransformer(
            withName: name,
            transform: { (text: NSString?) -> NSData? in
                text.map { NSData(data: Data(String(describing: $0).utf8.reversed())) }
            },
            reverseTransform: { (data: NSData?) -> NSString? in
                data.map {
                    NSString(string: String(decoding: Data(referencing: $0).reversed(), as: UTF8.self))
                }
            })
        let transformer = try #require(ValueTransformer(forName: NSValueTransformerName(name)))
        #expect(transformer.transformedValue("abc") as? Data == Data("cba".utf8))
        #expect(transformer.transformedValue(NSString(string: "abc")) as? Data == Data("cba".utf8))
        #expect(transformer.reverseTransformedValue(Data("cba".utf8)) as? String == "abc")
        #expect(type(of: transformer).transformedValueClass() == NSData.self)
        #expect(type(of: transformer).allowsReverseTransformation())

        let list = ClosureValueTransformer<NSArray, NSData>(
            transform: { $0.map { NSData(data: Data("\($0.count)".utf8)) } },
            reverseTransform: { _ in NSArray() })
        #expect(list.transformedValue(["a", "b"]) as? Data == Data("2".utf8))
        #expect(list.reverseTransformedValue(Data()) as? [String] == [])

        let swift = ClosureValueTransformer<String, Data>(
            transform: { $0.map { Data($0.utf8) } },
            reverseTransform: { $0.map { String(decoding: $0, as: UTF8.self) } })
        #expect(swift.transformedValue(NSString(string: "abc")) as? Data == Data("abc".utf8))
        #expect(swift.reverseTransformedValue(NSData(data: Data("abc".utf8))) as? String == "abc")
    }

    @Test("Nil, and values of another type, are passed to closures as nil")
    func otherTypes() {
        let transformer = ClosureValueTransformer<String, Data>(
            transform: { Data(($0 ?? "none").utf8) }, reverseTransform: { _ in "none" })
        #expect(transformer.transformedValue(nil) as? Data == Data("none".utf8))
        #expect(transformer.transformedValue(Date()) as? Data == Data("none".utf8))
        #expect(transformer.reverseTransformedValue(nil) as? String == "none")
    }
}

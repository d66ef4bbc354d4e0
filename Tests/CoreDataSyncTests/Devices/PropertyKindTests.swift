import CoreData
import CoreDataSync
import CoreDataSyncCore
import Foundation
import Testing

/// A point that only its own class can archive.
final class Point: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let name: String
    let number: Int

    init(_ name: String, _ number: Int) {
        self.name = name
        self.number = number
    }

    init?(coder: NSCoder) {
        guard let name = coder.decodeObject(of: NSString.self, forKey: "name") as String? else { return nil }
        self.name = name
        number = coder.decodeInteger(forKey: "number")
    }

    func encode(with coder: NSCoder) {
        coder.encode(name as NSString, forKey: "name")
        coder.encode(number, forKey: "number")
    }

    override func isEqual(_ object: Any?) -> Bool {
        (object as? Point).map { $0.name == name && $0.number == number } ?? false
    }

    override var hash: Int { number }
}

/// The transformer of points into archives.
final class PointTransformer: NSSecureUnarchiveFromDataTransformer {
    override class var allowedTopLevelClasses: [AnyClass] { [Point.self, NSString.self] }
}

/// The transformer of texts into their bytes.
final class TextTransformer: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? { (value as? String).map { Data($0.utf8) } }
    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).map { String(decoding: $0, as: UTF8.self) }
    }
}

@Suite("Transformable and composite attributes on two devices")
struct PropertyKindTests {
    private func transformable(_ name: String, _ transformer: String? = nil) -> NSAttributeDescription {
        let attribute = LibraryModel.attribute(name, .transformableAttributeType)
        attribute.valueTransformerName = transformer
        return attribute
    }

    /// Makes devices whose books have more attributes.
    private func pair(_ attributes: [NSAttributeDescription]) throws -> Pair {
        try Pair(model: LibraryModel.make { $0["Book"]!.properties += attributes })
    }

    @Test("Collections of Foundation's values arrive as they are, and equal ones are no edits")
    func collections() async throws {
        let pair = try pair([transformable("extra")])
        let extra: [String: Any] = [
            "list": ["a", 1, 2.5, true, Data([1])] as [Any], "date": Date(timeIntervalSinceReferenceDate: 7),
            "set": Set(["x", "y", "z"]), "inner": ["k": "v", "l": "w"],
        ]
        try pair.devices[0].edit { _ = $0.insert("Book", ["title": "a", "extra": extra as NSDictionary]) }
        try await pair.sync()
        let received = try pair.devices[1].edit { try $0.all("Book")[0].value(forKey: "extra") }
        #expect(received as? NSDictionary == extra as NSDictionary)
        let number = pair.server.storage.header.sequence
        try pair.devices[1].edit { context in
            try context.all("Book")[0].setValue(extra as NSDictionary, forKey: "extra")
        }
        try await pair.sync()
        #expect(pair.server.storage.header.sequence == number)
        try pair.devices[1].edit { context in
            try context.all("Book")[0].setValue(["b"] as NSArray, forKey: "extra")
        }
        try await pair.sync()
        let changed = try pair.devices[0].edit { try $0.all("Book")[0].value(forKey: "extra") }
        #expect(changed as? NSArray == ["b"] as NSArray)
    }

    @Test("Objects of the app's own transformers arrive as they are")
    func transformers() async throws {
        ValueTransformer.setValueTransformer(PointTransformer(), forName: "SyncTestPoint")
        ValueTransformer.setValueTransformer(TextTransformer(), forName: "SyncTestText")
        let pair = try pair([transformable("point", "SyncTestPoint"), transformable("text", "SyncTestText")])
        try pair.devices[0].edit { context in
            let book = context.insert("Book", ["point": Point("p", 3)])
            book.setValue("t" as NSString, forKey: "text")
        }
        try await pair.sync()
        try pair.devices[1].edit { context in
            let book = try context.all("Book")[0]
            #expect(book.value(forKey: "point") as? Point == Point("p", 3))
            #expect(book.value(forKey: "text") as? String == "t")
        }
    }

    @Test("A composite attribute is one value: of two edits one wins as a whole")
    func composite() async throws {
        let place = NSCompositeAttributeDescription()
        place.name = "spot"
        place.isOptional = true
        place.elements = [
            LibraryModel.attribute("city", .stringAttributeType),
            LibraryModel.attribute("number", .integer32AttributeType),
        ]
        let pair = try pair([place])
        func set(_ values: [String: Any]?, on device: Device) throws {
            try device.edit { try $0.all("Book")[0].setValue(values, forKey: "spot") }
        }
        func places() throws -> [NSDictionary?] {
            try pair.devices.map { device in
                try device.edit { try $0.all("Book")[0].value(forKey: "spot") as? NSDictionary }
            }
        }
        let spot: [String: Any] = ["city": "a", "number": 1]
        try pair.devices[0].edit { _ = $0.insert("Book", ["spot": spot]) }
        try await pair.sync()
        #expect(try places() == [["city": "a", "number": 1], ["city": "a", "number": 1]])
        try set(["city": "b", "number": 2], on: pair.devices[0])
        try set(["city": "c", "number": 3], on: pair.devices[1])
        try await pair.sync()
        let result = try places()
        #expect(result[0] == result[1])
        #expect(result[0] == ["city": "b", "number": 2] || result[0] == ["city": "c", "number": 3])
        try set(nil, on: pair.devices[0])
        try await pair.sync()
        #expect(try places().allSatisfy { ($0?.allValues ?? []).allSatisfy { $0 is NSNull } })
    }
}

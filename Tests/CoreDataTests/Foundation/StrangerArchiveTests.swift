import CoreData
import Foundation
import Synchronization
import Testing

/// A class of which an archive must not create an instance.
final class Intruder: NSObject, NSSecureCoding {
    static let made = Atomic(0)
    static var supportsSecureCoding: Bool { true }

    override init() { super.init() }

    init?(coder: NSCoder) {
        Self.made.add(1, ordering: .relaxed)
        super.init()
    }

    func encode(with coder: NSCoder) { coder.encode("x" as NSString, forKey: "x") }
}

/// Archives itself under another class's name, with an intruder at each key.
final class Disguise: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    private let keys: [String]
    private let values: NSObject

    init(_ keys: [String], _ values: NSObject) {
        (self.keys, self.values) = (keys, values)
    }

    init?(coder: NSCoder) { nil }

    func encode(with coder: NSCoder) {
        for key in Set(keys) { coder.encode(values, forKey: key) }
    }
}

@Suite("Untrusted archives and URIs", .serialized)
struct StrangerArchiveTests {
    /// Returns the keys in valid archives of a class.
    private static func keys(_ object: NSObject) throws -> [String] {
        let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        let list = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        let objects = list?["$objects"] as? [Any] ?? []
        return objects.compactMap { $0 as? [String: Any] }.flatMap(\.keys).filter { !$0.hasPrefix("$") }
    }

    /// Returns the archive of a disguise under the name of the class.
    private static func forgery(_ sound: NSObject, _ values: NSObject) throws -> Data {
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: Disguise(try keys(sound), values), requiringSecureCoding: true)
        var format = PropertyListSerialization.PropertyListFormat.binary
        let list = try PropertyListSerialization.propertyList(from: data, format: &format)
        var archive = try #require(list as? [String: Any])
        let objects = try #require(archive["$objects"] as? [Any])
        archive["$objects"] = objects.map { object -> Any in
            guard var described = object as? [String: Any],
                (described["$classname"] as? String)?.hasSuffix("Disguise") == true
            else { return object }
            let name = NSStringFromClass(type(of: sound))
            (described["$classname"], described["$classes"]) = (name, [name, "NSObject"])
            return described
        }
        return try PropertyListSerialization.data(fromPropertyList: archive, format: format, options: 0)
    }

    @Test("Forged archives of tokens, predicates and sort descriptors create no other object")
    func forgeries() throws {
        let stack = try HistoryStack()
        try stack.saveCar()
        let token = try #require(stack.token)
        let predicate = NSPredicate(format: "a == 1 AND b IN {2}")
        let descriptor = NSSortDescriptor(key: "a", ascending: true)
        let before = Intruder.made.load(ordering: .relaxed)
        let fillings = [
            Intruder(), NSArray(object: Intruder()), NSDictionary(dictionary: ["a": Intruder()]),
        ]
        for values in fillings {
            let forged = try [token, predicate, descriptor].map { try Self.forgery($0, values) }
            let read = (
                try? NSKeyedUnarchiver.unarchivedObject(
                    ofClass: NSPersistentHistoryToken.self, from: forged[0]),
                try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: forged[1]),
                try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSSortDescriptor.self, from: forged[2])
            )
            #expect(read.0 != token)
            #expect(read.1 != predicate)
            #expect(read.2 != descriptor)
        }
        #expect(Intruder.made.load(ordering: .relaxed) == before)
    }

    @Test("A transformable value's bytes create only objects of the transformer's allowed classes")
    @MainActor
    func transformables() throws {
        let stack = try TestStack("Item\n  tags transformable")
        let item = stack.insert("Item", ["tags": ["a"] as NSArray])
        try stack.context.save()
        let before = Intruder.made.load(ordering: .relaxed)
        let sound = try NSKeyedArchiver.archivedData(
            withRootObject: ["a", ["b": 1]] as NSArray, requiringSecureCoding: true)
        var forged = try [
            Intruder(), NSArray(object: Intruder()),
            NSDictionary(object: Intruder(), forKey: "a" as NSString),
        ]
        .map { try NSKeyedArchiver.archivedData(withRootObject: $0, requiringSecureCoding: true) }
        for position in stride(from: 0, to: sound.count, by: 3) {
            forged.append(sound[..<position])
            var damaged = sound
            damaged[position] ^= 0x1F
            forged.append(damaged)
        }
        let tables = try stack.tables()
        for data in forged {
            try tables.execute("UPDATE ZITEM SET ZTAGS = \(tables.bytes(data))")
            stack.context.refresh(item, mergeChanges: false)
            let fresh = try stack.reopened()
            let value = try fresh.fetch("Item")[0].value(forKey: "tags")
            #expect(value == nil || data.count == sound.count)
        }
        #expect(Intruder.made.load(ordering: .relaxed) == before)
    }

    @Test("An invalid object URI leads to no object")
    @MainActor
    func addresses() throws {
        let stack = try TestStack("Item\n  name string")
        stack.insert("Item")
        try stack.context.save()
        let uuid = try #require(stack.coordinator.persistentStores[0].identifier)
        let tails = [
            "", "/", "/Item", "/Item/", "/Item/p", "/Item/p0", "/Item/p-1", "/Item/p99999999999999999999",
            "/Item/q1", "/Item/t1", "/Item/1", "/Item/p1x", "/item/p1", "/Item/p1/p1", "//p1", "/Item/p%31",
            "/Item'; DROP TABLE ZITEM; --/p1", "/NSObject/p1", "/../Item/p1",
        ]
        for tail in tails {
            guard let url = URL(string: "x-coredata://\(uuid)\(tail)") else { continue }
            let id = stack.coordinator.managedObjectID(forURIRepresentation: url)
            #expect(id == nil || id?.entity.name == "Item", "\(tail)")
        }
        for scheme in ["file", "http", "x-coredata2"] {
            let url = try #require(URL(string: "\(scheme)://\(uuid)/Item/p1"))
            #expect(stack.coordinator.managedObjectID(forURIRepresentation: url) == nil)
        }
        #expect(try stack.stored("Item", "name").count == 1)
    }
}

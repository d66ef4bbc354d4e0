import CoreData
import Testing

@Suite("Key-value coding of Foundation's types")
struct KeyValueCodingTests {
    @Test("Dictionaries and collections support key paths")
    func keyPaths() {
        let rows: NSArray = [["n": 1, "t": "x"] as NSDictionary, ["n": 3, "t": "y"] as NSDictionary]
        #expect(rows.value(forKeyPath: "@sum.n") as? Int == 4)
        #expect(rows.value(forKey: "t") as? [String] == ["x", "y"])
        let dictionary: NSMutableDictionary = ["a": 1]
        dictionary.setValue(2, forKeyPath: "a")
        #expect(dictionary.value(forKey: "a") as? Int == 2)
        dictionary.setValue(nil, forKey: "a")
        #expect(dictionary.dictionaryWithValues(forKeys: ["a"])["a"] is NSNull)
    }

    @Test("A key may contain dots, and a key path goes through dictionaries")
    func dots() throws {
        let suite = "CoreDataTests.\(UUID().uuidString)"
        let defaults = try #require(UserDefaults(suiteName: suite))
        defer { defaults.removePersistentDomain(forName: suite) }
        defaults.setValue(3, forKey: "a.b")
        defaults.setValue(["c": 4], forKey: "d")
        #expect(defaults.integer(forKey: "a.b") == 3)
        #expect(defaults.value(forKey: "a.b") as? Int == 3)
        #expect(defaults.value(forKeyPath: "d.c") as? Int == 4)
        #expect(defaults.value(forKey: "x") == nil)
        defaults.setValue(nil, forKey: "a.b")
        #expect(defaults.object(forKey: "a.b") == nil)

        let dictionary: NSDictionary = ["a.b": 1, "a": ["b": 2] as NSDictionary]
        #expect(dictionary.value(forKey: "a.b") as? Int == 1)
        #expect(dictionary.value(forKeyPath: "a.b") as? Int == 2)
        #expect(dictionary.value(forKey: "c") == nil)
        // A variable of the type `NSDictionary` has Foundation's own method, which traps at "@".
        let object: NSObject = dictionary
        #expect(object.value(forKey: "@count") as? Int == 2)
        #expect(object.value(forKey: "a.b") as? Int == 1)
        #expect((object.value(forKey: "@allKeys") as? [String])?.sorted() == ["a", "a.b"])
        #expect(NSArray(array: [dictionary]).value(forKey: "a.b") as? [Int] == [1])
    }

    @Test("Foundation's objects have values for their properties' Objective-C names")
    func foundation() throws {
        let url = try #require(NSURL(string: "http://host:80/a/b.c?q#f"))
        #expect(url.value(forKey: "host") as? String == "host")
        #expect(url.value(forKey: "port") as? Int == 80)
        #expect(url.value(forKey: "pathExtension") as? String == "c")
        #expect(url.value(forKey: "user") == nil)
        #expect(NSString(string: "12").value(forKey: "integerValue") as? Int == 12)
        #expect(NSNumber(value: 1.5).value(forKey: "stringValue") as? String == "1.5")
        #expect(NSDate(timeIntervalSince1970: 1).value(forKey: "timeIntervalSince1970") as? Double == 1)
        #expect(NSData(data: Data([1, 2])).value(forKey: "length") as? Int == 2)
        #expect(NSError(domain: "D", code: 3).value(forKey: "code") as? Int == 3)
        let note = NSNotification(name: .init("N"), object: nil, userInfo: ["a": 1])
        #expect(note.value(forKey: "name") as? String == "N")
        #expect(note.value(forKeyPath: "userInfo.a") as? Int == 1)
        #expect(Progress(totalUnitCount: 5).value(forKey: "totalUnitCount") as? Int == 5)
        #expect(NSString(string: "a").value(forKey: "description") as? String == "a")
        let names: NSArray = ["abc", "d"]
        let isLong = NSPredicate(format: "length > 1 AND uppercaseString == 'ABC'")
        #expect(names.filtered(using: isLong) as? [String] == ["abc"])
    }

    @Test("Sets have literals, and index paths have sections")
    func literals() {
        let set: NSSet = [1, 2, 2]
        #expect(set.count == 2)
        var path = IndexPath(row: 3, section: 1)
        #expect(path == IndexPath(item: 3, section: 1))
        #expect(path.row == 3)
        #expect(path.section == 1)
        path.item = 4
        #expect(path == [1, 4])
    }

    @Test("Transformers are found by name, and archives decode only allowed classes")
    func transformers() throws {
        let name = NSValueTransformerName.secureUnarchiveFromDataTransformerName
        let transformer = try #require(ValueTransformer(forName: name))
        let data = try #require(transformer.reverseTransformedValue(["a", "b"]) as? Data)
        #expect(transformer.transformedValue(data) as? [String] == ["a", "b"])
        #expect(transformer.transformedValue(Data([1, 2, 3])) == nil)
        #expect(ValueTransformer(forName: "NoSuchTransformer") == nil)
    }
}

import CoreData
import Testing

@Suite("What Foundation on Linux lacks")
struct KeyValueCodingTests {
    @Test("Dictionaries and collections answer for key paths")
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

    @Test("Sets have literals, index paths have sections")
    func literals() {
        let set: NSSet = [1, 2, 2]
        #expect(set.count == 2)
        var path = IndexPath(row: 3, section: 1)
        #expect(path == IndexPath(item: 3, section: 1) && path.row == 3 && path.section == 1)
        path.item = 4
        #expect(path == [1, 4])
    }

    @Test("Transformers are found by name, archives give back only allowed classes")
    func transformers() throws {
        let name = NSValueTransformerName.secureUnarchiveFromDataTransformerName
        let transformer = try #require(ValueTransformer(forName: name))
        let data = try #require(transformer.reverseTransformedValue(["a", "b"]) as? Data)
        #expect(transformer.transformedValue(data) as? [String] == ["a", "b"])
        #expect(transformer.transformedValue(Data([1, 2, 3])) == nil)
        #expect(ValueTransformer(forName: "NoSuchTransformer") == nil)
    }
}

import CoreData
import Testing

@Suite("Sort descriptors by key")
struct SortDescriptorTests {
    private let rows: NSArray = [
        ["name": "b", "age": 1] as NSDictionary, ["name": "C", "age": 2] as NSDictionary,
        ["name": "a", "age": 1] as NSDictionary,
    ]

    private func names(_ descriptors: NSSortDescriptor...) -> [String] {
        rows.sortedArray(using: descriptors).compactMap { ($0 as? NSDictionary)?["name"] as? String }
    }

    @Test("Keys, directions and comparisons order collections")
    func order() {
        #expect(names(NSSortDescriptor(key: "name", ascending: true)) == ["C", "a", "b"])
        #expect(
            names(
                NSSortDescriptor(key: "name", ascending: false, selector: Selector("caseInsensitiveCompare:"))
            )
                == ["C", "b", "a"])
        #expect(
            names(
                NSSortDescriptor(key: "age", ascending: false), NSSortDescriptor(key: "name", ascending: true)
            )
                == ["C", "a", "b"])
        let byLength = NSSortDescriptor(key: "name", ascending: true) { left, right in
            (right as! String).compare(left as! String)
        }
        #expect(names(byLength) == ["b", "a", "C"])
        #expect(names(byLength.reversedSortDescriptor as! NSSortDescriptor) == ["C", "a", "b"])
    }

    @Test("Key paths to optional properties lead to their names")
    func optionalKeyPath() {
        ManagedClasses.register(keyPath: \Employee.name, name: "name")
        let descriptor = NSSortDescriptor(keyPath: \Employee.name, ascending: false)
        #expect(descriptor == NSSortDescriptor(key: "name", ascending: false))
    }

    @Test("A descriptor tells its key and comparison")
    func parts() {
        let descriptor = NSSortDescriptor(key: "a.b", ascending: true, selector: "localizedStandardCompare:")
        #expect(descriptor.key == "a.b" && descriptor.ascending)
        #expect(descriptor.selector == Selector("localizedStandardCompare:"))
        #expect(
            descriptor == NSSortDescriptor(key: "a.b", ascending: true, selector: "localizedStandardCompare:")
        )
        #expect(descriptor != NSSortDescriptor(key: "a.b", ascending: true))
    }
}

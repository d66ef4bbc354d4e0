import CoreData
import Testing

@Suite("Sort descriptors by key")
@MainActor
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

    @Test("Key paths to optional properties have their names")
    func optionalKeyPath() {
        ManagedClasses.register(keyPath: \Employee.name, name: "name")
        let descriptor = NSSortDescriptor(keyPath: \Employee.name, ascending: false)
        #expect(descriptor == NSSortDescriptor(key: "name", ascending: false))
    }

    @Test("A descriptor has its key and comparison")
    func parts() {
        let descriptor = NSSortDescriptor(key: "a.b", ascending: true, selector: "localizedStandardCompare:")
        #expect(descriptor.key == "a.b")
        #expect(descriptor.ascending)
        #expect(descriptor.selector == Selector("localizedStandardCompare:"))
        #expect(
            descriptor == NSSortDescriptor(key: "a.b", ascending: true, selector: "localizedStandardCompare:")
        )
        #expect(descriptor != NSSortDescriptor(key: "a.b", ascending: true))
    }

    @Test("A Swift sort descriptor is made from one by key, if Swift can express it")
    func swiftDescriptors() throws {
        for (keyPath, name) in [(\Employee.name as AnyKeyPath, "name"), (\Employee.salary, "salary")] {
            ManagedClasses.register(keyPath: keyPath, name: name)
        }
        let byName = SortDescriptor(NSSortDescriptor(key: "name", ascending: false), comparing: Employee.self)
        #expect(byName?.order == .reverse)
        #expect(byName?.keyPath == \Employee.name)
        let bySalary = try #require(
            SortDescriptor(NSSortDescriptor(key: "salary", ascending: true), comparing: Employee.self))
        #expect(NSSortDescriptor(bySalary) == NSSortDescriptor(key: "salary", ascending: true))
        func general<Root: NSObjectProtocol>(_ descriptor: SortDescriptor<Root>) -> NSSortDescriptor {
            NSSortDescriptor(descriptor)
        }
        #expect(general(bySalary) == NSSortDescriptor(bySalary))
        let stack = try CompanyStack()
        let employees = [3, 1, 2].map { stack.insert("Employee", ["salary": $0]) as! Employee }
        #expect(employees.sorted(using: bySalary).map(\.salary) == [1, 2, 3])
        let others = [
            NSSortDescriptor(key: "name", ascending: true, selector: .localizedStandardCompare),
            NSSortDescriptor(key: "salary", ascending: true) { _, _ in .orderedSame },
            NSSortDescriptor(key: "department.name", ascending: true),
            NSSortDescriptor(key: "x", ascending: true),
        ]
        for other in others { #expect(SortDescriptor(other, comparing: Employee.self) == nil) }
    }
}

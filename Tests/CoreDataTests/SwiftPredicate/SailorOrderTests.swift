import CoreData
import Foundation
import Testing

/// Orders that SQL, memory and Swift agree on.
@Suite("Sort descriptors over stored objects")
@MainActor
struct SailorOrderTests {
    private let fleet: Fleet
    private let byNumber = NSSortDescriptor(key: "number", ascending: true)

    init() throws { fleet = try Fleet(seed: 30) }

    private func stored(_ descriptors: [NSSortDescriptor]) throws -> [Int64] {
        let request = NSFetchRequest<Sailor>(entityName: "Sailor")
        request.sortDescriptors = descriptors + [byNumber]
        return try fleet.stack.context.fetch(request).map(\.number)
    }

    private func inMemory(_ descriptors: [NSSortDescriptor]) -> [Int64] {
        let sorted = NSArray(array: fleet.sailors).sortedArray(using: descriptors + [byNumber])
        return sorted.compactMap { ($0 as? Sailor)?.number }
    }

    @Test(
        "Every string comparison sorts the same in SQL and in memory, nil first",
        arguments: [
            .compare, .caseInsensitiveCompare, .localizedCompare, .localizedCaseInsensitiveCompare,
            .localizedStandardCompare,
        ] as [Selector])
    func comparisons(_ selector: Selector) throws {
        for key in ["name", "nick", "ship.title", "mentor.name"] {
            let ascending = NSSortDescriptor(key: key, ascending: true, selector: selector)
            let order = try stored([ascending])
            #expect(order == inMemory([ascending]), "\(key)")
            let descending = try #require(ascending.reversedSortDescriptor as? NSSortDescriptor)
            #expect(descending.key == key)
            #expect(!descending.ascending)
            #expect(descending.selector == selector)
            #expect(try stored([descending]) == inMemory([descending]), "\(key)")
            if key == "nick" {
                let unnamed = fleet.sailors.filter { $0.nick == nil }.map(\.number)
                #expect(!unnamed.isEmpty)
                #expect(Array(order.prefix(unnamed.count)) == unnamed)
                #expect(try Array(stored([descending]).suffix(unnamed.count)) == unnamed)
            }
        }
    }

    @Test("Swift's sort descriptors convert to Foundation's")
    func swiftDescriptors() throws {
        let order = [
            SortDescriptor(\Sailor.age, order: .reverse), SortDescriptor(\Sailor.nick),
            SortDescriptor(\Sailor.name, comparator: .lexical, order: .reverse),
            SortDescriptor(\Sailor.number),
        ]
        let descriptors = order.map(NSSortDescriptor.init)
        #expect(descriptors == [NSSortDescriptor](order))
        #expect(descriptors.map(\.key) == ["age", "nick", "name", "number"])
        #expect(descriptors.map(\.ascending) == [false, true, false, true])
        let expected = fleet.sailors.sorted(using: order).map(\.number)
        #expect(try stored(descriptors) == expected)
        #expect(inMemory(descriptors) == expected)
    }

    @Test("Key paths over several properties have names")
    func paths() throws {
        let byFlag = NSSortDescriptor(keyPath: \Sailor.mentor?.ship?.flag, ascending: true)
        #expect(byFlag.key == "mentor.ship.flag")
        #expect(try stored([byFlag]) == inMemory([byFlag]))
        #expect(NSSortDescriptor(keyPath: \Sailor.ship!.title, ascending: true).key == "ship.title")
        #expect(CoreData.NSExpression(forKeyPath: \Sailor.ship?.title).keyPath == "ship.title")
    }

    @Test("Descriptors by key path, Foundation's and the framework's, sort a fetch")
    func keyPaths() throws {
        let byAge = NSSortDescriptor(keyPath: \Sailor.age, ascending: false)
        let byNick = NSSortDescriptor(keyPath: \Sailor.nick, ascending: true)
        #expect(byAge.key == "age")
        #expect(byNick.key == "nick")
        #expect(try stored([byAge, byNick]) == inMemory([byAge, byNick]))
        byAge.allowEvaluation()
        #expect(byAge.compare(fleet.sailors[0], to: fleet.sailors[0]) == .orderedSame)
        #expect(byNick.isEqual(byNick.copy()))
        #expect(byNick.hash == (byNick.copy() as? NSSortDescriptor)?.hash)
    }

    @Test("A comparator sorts the results of a fetch")
    func comparator() throws {
        let byLength = NSSortDescriptor(key: "name", ascending: true) { left, right in
            let (first, second) = ((left as? String ?? "").count, (right as? String ?? "").count)
            return first < second ? .orderedAscending : first > second ? .orderedDescending : .orderedSame
        }
        #expect(byLength.selector == nil)
        let order = try stored([byLength])
        #expect(order == inMemory([byLength]))
        #expect(order != (try stored([])))
    }

    @Test("Foundation's collections can be sorted and filtered")
    func collections() throws {
        let byAge = NSSortDescriptor(key: "age", ascending: true)
        let order = inMemory([byAge])
        let grown = NSPredicate(format: "age > 3")
        let expected = Set(fleet.sailors.filter { $0.age > 3 })

        func numbers(_ objects: [Any]) -> [Int64] { objects.compactMap { ($0 as? Sailor)?.number } }
        let sort = [byAge, byNumber]
        #expect(numbers(NSSet(array: fleet.sailors).sortedArray(using: sort)) == order)
        #expect(numbers(NSOrderedSet(array: fleet.sailors).sortedArray(using: sort)) == order)
        let array = NSMutableArray(array: fleet.sailors)
        array.sort(using: sort)
        #expect(numbers(array.map { $0 }) == order)
        let orderedSet = NSMutableOrderedSet(array: fleet.sailors)
        orderedSet.sort(using: sort)
        #expect(numbers(orderedSet.map { $0 }) == order)

        #expect(!expected.isEmpty)
        #expect(expected.count < fleet.sailors.count)
        #expect(Set(fleet.sailors.filtered(using: grown)) == expected)
        #expect(Set(fleet.sailors).filtered(using: grown) == expected)
        #expect(NSArray(array: fleet.sailors).filtered(using: grown).count == expected.count)
        #expect(NSSet(array: fleet.sailors).filtered(using: grown).count == expected.count)
        #expect(NSOrderedSet(array: fleet.sailors).filtered(using: grown).count == expected.count)
        array.filter(using: grown)
        orderedSet.filter(using: grown)
        let set = NSMutableSet(array: fleet.sailors)
        set.filter(using: grown)
        #expect([array.count, orderedSet.count, set.count] == Array(repeating: expected.count, count: 3))
        #expect(try fleet.sailors.filter(#Predicate<Sailor> { $0.age > 3 }).count == expected.count)
    }
}

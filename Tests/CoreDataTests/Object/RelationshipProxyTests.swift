import CoreData
import Foundation
import Testing

@Suite("Relationships as mutable sets")
@MainActor
struct RelationshipProxyTests {
    private func stack(_ arrow: String) throws -> (TestStack, NSManagedObject, [NSManagedObject]) {
        let stack = try TestStack(
            """
            List
              name string
              items \(arrow) Item.list
            Item
              name string
              list -> List.items
            """)
        return (stack, stack.insert("List"), "abcde".map { stack.insert("Item", ["name": String($0)]) })
    }

    private func order(_ list: NSManagedObject) -> String {
        let set = list.value(forKey: "items") as? NSOrderedSet
        return (set?.array as? [NSManagedObject] ?? []).compactMap { $0.value(forKey: "name") as? String }
            .joined()
    }

    @Test("A mutable set proxy contains the members, but a cast to a Swift set is empty")
    func cast() throws {
        let (_, list, items) = try stack("->>")
        let set = list.mutableSetValue(forKey: "items")
        set.addObjects(from: items)
        #expect(Set(set.allObjects as? [NSManagedObject] ?? []) == Set(items))
        #expect(list.value(forKey: "items") as? Set<NSManagedObject> == Set(items))
        #expect(set as? Set<NSManagedObject> == [])
    }

    @Test("Every mutation of an ordered set updates the relationship and its inverse")
    func ordered() throws {
        let (stack, list, items) = try stack("->>>")
        let set = list.mutableOrderedSetValue(forKey: "items")
        set.addObjects(from: Array(items[0...2]))
        #expect(order(list) == "abc")
        #expect(items[1].value(forKey: "list") as? NSManagedObject === list)
        set.insert(items[3], at: 1)
        #expect(order(list) == "adbc")
        set.exchangeObject(at: 0, withObjectAt: 3)
        #expect(order(list) == "cdba")
        set.moveObjects(at: IndexSet([0, 1]), to: 2)
        #expect(order(list) == "bacd")
        set.removeObject(at: 0)
        #expect(order(list) == "acd")
        #expect(items[1].value(forKey: "list") == nil)
        set.replaceObject(at: 1, with: items[4])
        #expect(order(list) == "aed")
        #expect(items[2].value(forKey: "list") == nil)
        set.insert([items[1], items[2]], at: IndexSet([0, 2]))
        #expect(order(list) == "baced")
        set.removeObjects(at: IndexSet([0, 4]))
        #expect(order(list) == "ace")
        set.remove(items[2])
        #expect(order(list) == "ae")
        set.sort { first, second in
            let names = [first, second].map { ($0 as! NSManagedObject).value(forKey: "name") as! String }
            return names[0] > names[1] ? .orderedAscending : .orderedDescending
        }
        #expect(order(list) == "ea")
        set.union(NSOrderedSet(array: [items[0], items[3]]))
        #expect(order(list) == "ead")
        set.minus(NSOrderedSet(array: [items[0]]))
        #expect(order(list) == "ed")
        set.intersect(NSOrderedSet(array: [items[3]]))
        #expect(order(list) == "d")
        #expect(set.count == 1)
        #expect(set.contains(items[3]))
        set.setObject(items[0], at: 1)
        #expect(order(list) == "da")
        try stack.context.save()
        let other = try stack.reopened()
        #expect(order(try #require(try other.fetch("List").first)) == "da")
        set.removeAllObjects()
        #expect(order(list) == "")
        #expect(items[0].value(forKey: "list") == nil)
        #expect(set.array.isEmpty)
        #expect(list.hasChanges)
    }

    @Test("Every mutation of a set updates the relationship and its inverse")
    func unordered() throws {
        let (stack, list, items) = try stack("->>")
        let set = list.mutableSetValue(forKey: "items")
        func now() -> Set<NSManagedObject> { list.value(forKey: "items") as? Set<NSManagedObject> ?? [] }
        set.addObjects(from: Array(items[0...2]))
        #expect(now() == Set(items[0...2]))
        #expect(items[2].value(forKey: "list") as? NSManagedObject === list)
        set.remove(items[0])
        #expect(now() == Set(items[1...2]))
        #expect(items[0].value(forKey: "list") == nil)
        set.union([items[3], items[1]])
        #expect(now() == Set(items[1...3]))
        set.minus([items[1]])
        #expect(now() == Set(items[2...3]))
        set.intersect([items[3], items[4]])
        #expect(now() == [items[3]])
        set.setSet([items[4]])
        #expect(now() == [items[4]])
        #expect(set.anyObject() as? NSManagedObject === items[4])
        #expect(set.count == 1)
        #expect(set.contains(items[4]))
        #expect(!set.contains(items[0]))
        let before = list.value(forKey: "items") as? NSSet
        set.add(items[0])
        #expect(before?.count == 1)
        #expect(now().count == 2)
        set.removeAllObjects()
        #expect(now().isEmpty)
        #expect(items[4].value(forKey: "list") == nil)
        withExtendedLifetime(stack) {}
    }

    @Test("Moving a member through the to-one side keeps the order of the rest")
    func moving() throws {
        let (stack, list, items) = try stack("->>>")
        list.setValue(NSOrderedSet(array: items), forKey: "items")
        try stack.context.save()
        let second = stack.insert("List")
        items[1].setValue(second, forKey: "list")
        #expect(order(list) == "acde")
        #expect(order(second) == "b")
        try stack.context.save()
        let other = try stack.reopened()
        let read = try other.fetch("List", "items.@count == 4")
        try #require(read.count == 1)
        #expect(order(read[0]) == "acde")
    }
}

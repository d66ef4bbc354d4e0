import CoreData
import Foundation
import Testing

/// A predicate means the same whether SQLite, a context with unsaved changes or memory answers it.
@Suite("Predicates and orders agree in SQL and in memory")
@MainActor
struct PredicateAgreementTests {
    private static let people = 24
    private static let predicates = 700

    private func ids(_ objects: [NSManagedObject]) -> [Int] {
        objects.compactMap { $0.value(forKey: "id") as? Int }.sorted()
    }

    @Test("What SQL finds is what evaluation finds", arguments: [1, 2, 3, 4] as [UInt64])
    func stored(_ seed: UInt64) throws {
        let stack = try RandomGraph.stack(seed: seed, people: Self.people)
        stack.context.reset()
        let everybody = try stack.fetch("Person")
        var formats = RandomPredicates(seed: seed)
        var found = 0
        for _ in 0..<Self.predicates {
            let format = formats.next()
            let predicate = NSPredicate(format: format)
            let expected = ids(everybody.filter { predicate.evaluate(with: $0) })
            #expect(ids(try stack.fetch("Person", format)) == expected, "\(format)")
            found += expected.isEmpty || expected.count == Self.people ? 0 : 1
        }
        // Predicates that find nobody or everybody prove little.
        #expect(found > Self.predicates / 3)
    }

    @Test(
        "A fetch over unsaved changes finds what it finds when they are saved", arguments: [5, 6] as [UInt64])
    func pending(_ seed: UInt64) throws {
        let stack = try RandomGraph.stack(seed: seed, people: Self.people)
        var random = SeededGenerator(seed: seed)
        let people = try stack.fetch("Person")
        for person in people.shuffled(using: &random).prefix(6) {
            RandomGraph.change(person, among: people, &random)
        }
        for person in people.shuffled(using: &random).prefix(3) { stack.context.delete(person) }
        let rest = people.filter { !$0.isDeleted }
        for id in 100..<104 {
            RandomGraph.change(stack.insert("Person", ["id": id]), among: rest, &random)
        }
        var generator = RandomPredicates(seed: seed)
        // A path through another object is answered by SQL for objects without changes of their own: like Apple's,
        // a fetch sees the changes of the objects it fetches, not those of objects that they lead to.
        let formats = (0..<Self.predicates).map { _ in generator.next() }.filter { !$0.contains(".") }
        let before = try formats.map { ids(try stack.fetch("Person", $0)) }
        try stack.context.save()
        for (format, found) in zip(formats, before) {
            #expect(ids(try stack.fetch("Person", format)) == found, "\(format)")
        }
    }

    @Test(
        "Orders by several keys, through relationships and nulls, are the same",
        arguments: [7, 8] as [UInt64])
    func orders(_ seed: UInt64) throws {
        let stack = try RandomGraph.stack(seed: seed, people: Self.people)
        let everybody = try stack.fetch("Person").sorted {
            ($0.value(forKey: "id") as? Int ?? 0) < ($1.value(forKey: "id") as? Int ?? 0)
        }
        var random = SeededGenerator(seed: seed)
        let keys = [
            "age", "weight", "name", "nick", "born", "isActive", "boss.age", "boss.name", "boss.boss.id",
        ]
        for _ in 0..<150 {
            var sort = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                let key = keys.randomElement(using: &random) ?? "id"
                let isAscending = Bool.random(using: &random)
                return key.hasSuffix("name") && Bool.random(using: &random)
                    ? NSSortDescriptor(
                        key: key, ascending: isAscending, selector: Selector("caseInsensitiveCompare:"))
                    : NSSortDescriptor(key: key, ascending: isAscending)
            }
            sort.append(NSSortDescriptor(key: "id", ascending: true))
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.sortDescriptors = sort
            let stored = try stack.context.fetch(request).map { $0.value(forKey: "id") as? Int }
            // A change that touches no key has the order made in memory.
            everybody[0].setValue(everybody[0].value(forKey: "id"), forKey: "id")
            let pending = try stack.context.fetch(request).map { $0.value(forKey: "id") as? Int }
            let text = sort.map { "\($0.key ?? "") \($0.ascending)" }.joined(separator: ", ")
            #expect(stored == pending, "\(text)")
            let sorted = NSArray(array: everybody).sortedArray(using: sort) as? [NSManagedObject] ?? []
            #expect(sorted.map { $0.value(forKey: "id") as? Int } == stored, "\(text)")
            stack.context.rollback()
        }
    }

    @Test("Where SQL and memory differ, each answers as Apple's does")
    func knownDifferences() throws {
        let node = ModelFixtures.entity(
            "Node",
            [
                ModelFixtures.attribute("name", .stringAttributeType),
                ModelFixtures.attribute("age", .integer64AttributeType),
            ])
        ModelFixtures.link(
            node, ModelFixtures.relationship("children", .many, to: node),
            ModelFixtures.relationship("parent", .one, to: node))
        let stack = try ModelStack([node])
        stack.insert("Node", ["name": "x"])
        let unnamed = stack.insert("Node")
        try stack.context.save()
        func differs(_ format: String, sql: Int, memory: Int) throws {
            let predicate = NSPredicate(format: format)
            #expect(try stack.fetch("Node", format).count == sql, "\(format)")
            #expect(
                try stack.fetch("Node").filter { predicate.evaluate(with: $0) }.count == memory, "\(format)")
        }
        try differs("NOT (name == 'x')", sql: 0, memory: 1)
        try differs("name != 'x'", sql: 1, memory: 1)
        try differs("NOT (name BEGINSWITH 'x')", sql: 0, memory: 1)
        try differs("children.@avg.age == 0", sql: 0, memory: 2)
        try differs("children.@sum.age == 0", sql: 2, memory: 2)
        try differs("children.@max.age == nil", sql: 2, memory: 2)
        let parent = stack.insert("Node", ["name": "p"])
        stack.insert("Node", ["name": "c", "parent": parent])
        try stack.context.save()
        try differs("name == 'p' AND ALL children.age > 0", sql: 0, memory: 1)
        try differs("ANY children.age != 1", sql: 1, memory: 0)
        withExtendedLifetime(unnamed) {}
    }
}

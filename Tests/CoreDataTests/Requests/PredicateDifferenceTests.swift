import CoreData
import Foundation
import Testing

/// The predicates that random ones (`RandomAgreementTests`) leave out.
@Suite("Differences between SQL and memory")
@MainActor
struct PredicateDifferenceTests {
    /// A stack for nodes with a name, an age, a parent and children.
    private static func nodes() throws -> TestStack {
        try TestStack(
            """
            Node
              name string
              age int64
              children ->> Node.parent
              parent -> Node.children
            """)
    }

    @Test("Where SQL and memory differ, both have Apple's results")
    func knownDifferences() throws {
        let stack = try Self.nodes()
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

    @Test("Nil equals nil, whether or not case is ignored")
    func nothing() throws {
        let stack = try TestStack(
            """
            Pair
              left string
              right string
            """)
        stack.insert("Pair")
        stack.insert("Pair", ["left": "a"])
        stack.insert("Pair", ["left": "a", "right": "A"])
        try stack.context.save()
        let everything = try stack.fetch("Pair")
        for (format, count) in [
            ("left == right", 1), ("left ==[c] right", 2), ("left !=[c] right", 1), ("left != right", 2),
        ] {
            #expect(try stack.fetch("Pair", format).count == count, "\(format)")
            let predicate = NSPredicate(format: format)
            #expect(everything.filter { predicate.evaluate(with: $0) }.count == count, "\(format)")
        }
    }

    @Test("Lengths count UTF-16 units, and sums without values are zero, in SQL and memory")
    func lengthsAndSums() throws {
        let stack = try Self.nodes()
        stack.insert("Node", ["name": "😀é"])
        try stack.context.save()
        for format in ["length:(name) == 3", "parent.children.@sum.age == 0", "parent.children.@count == 0"] {
            #expect(try stack.fetch("Node", format).count == 1, "\(format)")
            let predicate = NSPredicate(format: format)
            #expect(try stack.fetch("Node").allSatisfy { predicate.evaluate(with: $0) }, "\(format)")
        }
    }
}

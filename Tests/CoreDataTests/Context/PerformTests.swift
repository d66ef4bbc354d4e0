import CoreData
import Foundation
import Testing

@Suite("Contexts and their queues")
struct PerformTests {
    private func context(_ stack: TestStack) -> NSManagedObjectContext {
        let context = stack.sibling(.privateQueue)
        return context
    }

    private func insert(_ name: String, into context: NSManagedObjectContext) {
        NSEntityDescription.insertNewObject(forEntityName: "Node", into: context)
            .setValue(name, forKey: "name")
    }

    @Test("Blocks run one after another in order, including those of performAndWait")
    func order() throws {
        let context = context(try TestStack.witnesses().0)
        nonisolated(unsafe) var order: [Int] = []
        for index in 0..<50 { context.perform { order.append(index) } }
        context.performAndWait { order.append(50) }
        #expect(order == Array(0...50))
    }

    @Test("performAndWait within a block of the same context runs at once, and throws its errors")
    func nested() throws {
        let context = context(try TestStack.witnesses().0)
        let answer = context.performAndWait { context.performAndWait { 7 } + 1 }
        #expect(answer == 8)
        #expect(throws: CocoaError.self) {
            try context.performAndWait { try context.performAndWait { throw CocoaError(.coreData) } }
        }
    }

    @Test("The end of a block is the end of an event, whose changes are reported")
    func events() async throws {
        let (stack, _) = try TestStack.witnesses()
        let context = context(stack)
        nonisolated(unsafe) var reports = 0
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
        ) { _ in reports += 1 }
        defer { NotificationCenter.default.removeObserver(token) }
        context.performAndWait {
            insert("a", into: context)
            insert("b", into: context)
        }
        #expect(reports == 1)
        await context.perform { insert("c", into: context) }
        #expect(context.performAndWait { reports } == 2)
    }

    @Test("Contexts with queues of their own save to one store at the same time")
    @MainActor
    func concurrently() async throws {
        let (stack, _) = try TestStack.witnesses()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                let context = context(stack)
                group.addTask {
                    for round in 0..<10 {
                        try await context.perform {
                            NSEntityDescription.insertNewObject(forEntityName: "Node", into: context)
                                .setValue("\(task).\(round)", forKey: "name")
                            try context.save()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let names = try stack.stored("Node", "name").compactMap { $0 as? String }
        #expect(names.count == 40)
        #expect(Set(names).count == 40)
    }

    @Test("A context frees unchanged objects, unless it retains its registered objects")
    @MainActor
    func retaining() throws {
        let (stack, _) = try TestStack.witnesses()
        insert("a", into: stack.context)
        try stack.context.save()
        #expect(stack.context.registeredObjects.isEmpty)
        stack.context.retainsRegisteredObjects = true
        _ = try stack.fetch("Node")
        #expect(stack.context.registeredObjects.count == 1)
        stack.context.retainsRegisteredObjects = false
        #expect(stack.context.registeredObjects.isEmpty)
    }

    @Test("detectConflicts checks a row even if its object has no changes")
    @MainActor
    func detectingConflicts() throws {
        let (stack, _) = try TestStack.witnesses()
        let node = stack.insert("Node", ["name": "a"])
        try stack.context.save()
        let other = try stack.reopened()
        try other.fetch("Node")[0].setValue("b", forKey: "name")
        try other.context.save()
        stack.insert("Node", ["name": "c"])
        stack.context.detectConflicts(for: node)
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == NSManagedObjectMergeError)
        #expect(try stack.stored("Node", "name") as? [String] == ["b"])
    }
}

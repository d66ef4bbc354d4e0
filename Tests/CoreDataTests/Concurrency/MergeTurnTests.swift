import Foundation
import Synchronization
import Testing

@testable import CoreData

/// Counts its merges, which may wait. The waiting is configured before anything is notified.
private final class Merger: NSManagedObjectContext, @unchecked Sendable {
    let merges = Atomic(0)
    var whenMerging: @Sendable () -> Void = {}

    override func mergeChanges(fromContextDidSave notification: Notification) {
        merges.add(1, ordering: .relaxed)
        whenMerging()
        super.mergeChanges(fromContextDidSave: notification)
    }

    var count: Int { merges.load(ordering: .relaxed) }

    /// Waits until the blocks on the queue have run, without giving the context a block of its owner's.
    func settle() { queue.sync {} }
}

@Suite("Automatic merging in turns")
struct MergeTurnTests {
    private let stack: TestStack
    private let turns: MergeTurns
    private let merging: MergingContexts

    private init(turns count: Int) throws {
        stack = try TestStack.witnesses().0
        turns = MergeTurns(count: count)
        merging = MergingContexts(turns: turns)
    }

    init() throws { try self.init(turns: 1) }

    private func merger() -> Merger {
        let context = Merger(.privateQueue)
        context.persistentStoreCoordinator = stack.coordinator
        merging.set(true, for: context)
        return context
    }

    @Test("A released context is freed at once and merges nothing more")
    @MainActor
    func released() throws {
        let test = try Self(turns: 0)
        let merges = Atomic(0)
        var context: Merger? = test.merger()
        context?.whenMerging = { merges.add(1, ordering: .relaxed) }
        let (queue, link) = (context?.queue, context?.link)
        test.merging.notify([:], from: test.stack.context)
        context = nil
        #expect(link?.target == nil)
        test.turns.giveBack()
        queue?.sync {}
        #expect(merges.load(ordering: .relaxed) == 0)
    }

    @Test("A saved context is not kept alive until other contexts have merged its save")
    @MainActor
    func savers() throws {
        let test = try Self(turns: 0)
        let context = test.merger()
        var saver: NSManagedObjectContext? = test.stack.sibling()
        let link = saver?.link
        test.merging.notify([:], from: saver!)
        saver = nil
        #expect(link?.target == nil)
        test.turns.giveBack()
        context.settle()
        #expect(context.count == 1)
    }

    @Test("No more contexts merge at once than there are turns, and the others merge afterwards")
    @MainActor
    func bounded() throws {
        let test = try Self(turns: 2)
        let contexts = (0..<6).map { _ in test.merger() }
        let (arrived, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        for context in contexts.prefix(2) {
            context.whenMerging = {
                arrived.signal()
                mayGoOn.wait()
            }
        }
        test.merging.notify([:], from: test.stack.context)
        for _ in 0..<2 { arrived.wait() }
        for context in contexts.dropFirst(2) { context.settle() }
        #expect(contexts.map(\.count) == [1, 1, 0, 0, 0, 0])
        for _ in 0..<2 { mayGoOn.signal() }
        // The end of a merge schedules the next one.
        for context in contexts { context.settle() }
        #expect(contexts.allSatisfy { $0.count == 1 })
    }

    @Test("A block sees what was saved before it was scheduled, even if its context had no turn yet")
    @MainActor
    func blocks() async throws {
        let test = try Self(turns: 0)
        let node = test.stack.insert("Node", ["name": "old"])
        try test.stack.context.save()
        let context = test.merger()
        let id = node.objectID
        // The context is only used in its own blocks.
        nonisolated(unsafe) var copy: NSManagedObject?
        context.performAndWait { copy = context.object(with: id) }
        #expect(context.performAndWait { copy?.value(forKey: "name") as? String } == "old")
        for (value, block) in [("new", false), ("newest", true)] {
            node.setValue(value, forKey: "name")
            try test.stack.context.save()
            test.merging.notify([NSUpdatedObjectIDsKey: Set([id])], from: test.stack.context)
            let found =
                if block {
                    await context.perform { copy?.value(forKey: "name") as? String }
                } else {
                    context.performAndWait { copy?.value(forKey: "name") as? String }
                }
            #expect(found == value)
        }
        #expect(context.count == 2)
    }

    @Test("A busy context takes no turn from others, and merges when its block ends")
    @MainActor
    func atWork() throws {
        let test = try Self(turns: 1)
        let (busy, idle) = (test.merger(), test.merger())
        busy.performAndWait {
            test.merging.notify([:], from: test.stack.context)
            idle.settle()
            #expect(idle.count == 1)
            #expect(busy.count == 0)
        }
        busy.settle()
        #expect(busy.count == 1)
    }

    @Test("A context that stops merging still merges saves made before, and none made later")
    @MainActor
    func stopping() throws {
        let test = try Self(turns: 0)
        let context = test.merger()
        test.merging.notify([:], from: test.stack.context)
        test.merging.set(false, for: context)
        test.merging.notify([:], from: test.stack.context)
        test.turns.giveBack()
        context.settle()
        #expect(context.count == 1)
    }
}

import CoreData
import Foundation
import Synchronization
import Testing

/// Everything at once, on one thread a part: the program that Thread Sanitizer checks
/// (`Scripts/test-threads`).
@Suite("Many threads work on one store", .serialized)
struct StressTests {
    /// Two coordinators on one file with history, and a counter incremented by all threads. The contexts of
    /// the stacks are used before the threads start.
    private struct Workshop: @unchecked Sendable {
        let first: HistoryStack
        let second: HistoryStack
        let counter: URL

        init() throws {
            first = try HistoryStack()
            second = try first.sibling()
            let car = first.insert("SportCar", ["plate": "counter", "top": 0])
            car.setValue(first.insert("Owner", ["name": "Ada"]), forKey: "owner")
            try first.context.save()
            counter = car.objectID.uriRepresentation()
        }

        func context(_ number: Int) -> NSManagedObjectContext {
            let context = (number % 2 == 0 ? first : second).coordinator.context(.privateQueue)
            context.name = "worker \(number)"
            return context
        }

        func counter(in context: NSManagedObjectContext) throws -> NSManagedObject {
            let id = try #require(
                context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: counter))
            return try context.existingObject(with: id)
        }
    }

    /// Runs each part on a thread until all are done.
    private func together(_ parts: [@Sendable () throws -> Void]) {
        let group = DispatchGroup()
        for part in parts {
            group.enter()
            let thread = Thread {
                do { try part() } catch { Issue.record(error) }
                group.leave()
            }
            thread.stackSize = 1 << 21
            thread.start()
        }
        group.wait()
    }

    private static func add(_ number: Int, in context: NSManagedObjectContext, _ shop: Workshop) throws {
        while true {
            do {
                return try context.performAndWait {
                    let counter = try shop.counter(in: context)
                    context.refresh(counter, mergeChanges: false)
                    counter.setValue((counter.value(forKey: "top") as? Int ?? 0) + 1, forKey: "top")
                    let car = context.insert("Car", ["plate": "\(context.name ?? "") \(number)"])
                    car.setValue(counter.value(forKey: "owner"), forKey: "owner")
                    try context.save()
                }
            } catch let error as NSError where error.code == NSManagedObjectMergeError {
                context.performAndWait { context.rollback() }
            }
        }
    }

    @Test("Writers, readers, mergers, nested contexts and watchers do not disturb each other")
    func everything() throws {
        let shop = try Workshop()
        let rounds = 25
        let isDone = Atomic<Bool>(false)
        let writers: [@Sendable () throws -> Void] = (0..<4).map { number in
            {
                let context = shop.context(number)
                for round in 0..<rounds { try Self.add(round, in: context, shop) }
            }
        }
        let nested: @Sendable () throws -> Void = {
            let parent = shop.context(4)
            let child = NSManagedObjectContext(.privateQueue)
            child.parent = parent
            for round in 0..<rounds {
                try child.performAndWait {
                    _ = child.insert("Car", ["plate": "nested \(round)"])
                    try child.save()
                }
                try parent.performAndWait { try parent.save() }
            }
        }
        let merger: @Sendable () throws -> Void = {
            let context = shop.context(0)
            context.automaticallyMergesChangesFromParent = true
            while !isDone.load(ordering: .acquiring) {
                try context.performAndWait {
                    for car in try context.fetch("Car", nil, [], sortedBy: "plate") {
                        _ = car.value(forKeyPath: "owner.name")
                    }
                    context.refreshAllObjects()
                }
            }
        }
        let pinned: @Sendable () throws -> Void = {
            let context = shop.context(1)
            while !isDone.load(ordering: .acquiring) {
                try context.performAndWait {
                    context.reset()
                    try context.setQueryGenerationFrom(.current)
                    let request = NSFetchRequest<NSManagedObject>(entityName: "Car")
                    let count = try context.count(for: request)
                    #expect(try context.fetch(request).count == count)
                }
            }
        }
        let follower: @Sendable () throws -> Void = {
            let context = shop.context(0)
            var token: NSPersistentHistoryToken?
            while !isDone.load(ordering: .acquiring) {
                try context.performAndWait {
                    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
                    let result = try context.execute(request) as? NSPersistentHistoryResult
                    for transaction in result?.result as? [NSPersistentHistoryTransaction] ?? [] {
                        context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
                        token = transaction.token
                    }
                }
            }
        }
        let left = Atomic<Int>(writers.count + 1)
        let busy = (writers + [nested]).map { part -> @Sendable () throws -> Void in
            {
                defer {
                    if left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
                        isDone.store(true, ordering: .releasing)
                    }
                }
                try part()
            }
        }
        together(busy + [merger, pinned, follower])

        let reader = shop.context(0)
        try reader.performAndWait {
            let top = try shop.counter(in: reader).value(forKey: "top") as? Int
            #expect(top == writers.count * rounds)
            let cars = try reader.count(for: NSFetchRequest<NSManagedObject>(entityName: "Car"))
            #expect(cars == 1 + writers.count * rounds + rounds)
        }
    }

    @Test("Contexts that wait for each other on the main queue and other threads do not deadlock")
    func waiting() throws {
        let shop = try Workshop()
        let contexts = (0..<4).map(shop.context)
        // Each context waits for those after it, and within that for itself.
        together(
            contexts.indices.map { index in
                {
                    for _ in 0..<50 {
                        try contexts[index].performAndWait {
                            guard index + 1 < contexts.count else { return }
                            try contexts[index + 1].performAndWait {
                                _ = try shop.counter(in: contexts[index + 1])
                                try contexts[index].performAndWait {
                                    _ = try shop.counter(in: contexts[index])
                                }
                            }
                        }
                    }
                }
            })
    }
}

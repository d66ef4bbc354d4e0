import CoreData
import CoreDataStore
import Foundation
import Testing

@Suite("Asynchronous fetches")
struct AsynchronousFetchTests {
    /// A store with numbered items and a context with a queue of its own.
    private struct Items {
        let stack: TestStack
        let context = NSManagedObjectContext(.privateQueue)

        init(_ count: Int) throws {
            stack = try TestStack("Item\n  n int64")
            context.persistentStoreCoordinator = stack.coordinator
            let request = NSBatchInsertRequest(entityName: "Item", objects: (0..<count).map { ["n": $0] })
            try context.performAndWait { _ = try context.execute(request) }
        }

        func request(_ format: String? = nil) -> NSFetchRequest<NSManagedObject> {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            request.predicate = format.map { NSPredicate(format: $0) }
            return request
        }
    }

    /// Waits for all work on the queue.
    private func finish(_ context: NSManagedObjectContext) { context.performAndWait {} }

    @Test("execute returns an empty result, and the completion block gets it filled, on the queue")
    func completion() throws {
        let items = try Items(250)
        nonisolated(unsafe) var calls: [Int?] = []
        nonisolated(unsafe) var isOnQueue = false
        let request = NSAsynchronousFetchRequest(fetchRequest: items.request("n < 240")) { result in
            calls.append(result.finalResult?.count)
            // A deadlock on any other thread, since the queue is busy with this block.
            items.context.performAndWait { isOnQueue = true }
        }
        request.estimatedResultCount = 300
        let result: NSAsynchronousFetchResult<NSManagedObject> = try items.context.performAndWait {
            let result = try items.context.execute(request)
            let typed = try #require(result as? NSAsynchronousFetchResult<NSManagedObject>)
            #expect(typed.finalResult == nil)
            #expect(typed.operationError == nil)
            #expect(calls.isEmpty)
            #expect(typed.progress?.totalUnitCount == 300)
            #expect(typed.progress?.completedUnitCount == 0)
            return typed
        }
        finish(items.context)
        #expect(calls == [240])
        #expect(isOnQueue)
        #expect(result.finalResult?.count == 240)
        #expect(result.fetchRequest === request)
        #expect(result.managedObjectContext === items.context)
        #expect(result.progress?.totalUnitCount == 240)
        #expect(result.progress?.isFinished == true)
    }

    @Test("The fetch includes unsaved changes, and ignores later changes of the request")
    func unsaved() throws {
        let items = try Items(3)
        let fetch = items.request()
        let result = try items.context.performAndWait {
            NSEntityDescription.insertNewObject(forEntityName: "Item", into: items.context)
            let result = try items.context.execute(NSAsynchronousFetchRequest(fetchRequest: fetch))
            fetch.predicate = NSPredicate(value: false)
            return result as? NSAsynchronousFetchResult<NSManagedObject>
        }
        finish(items.context)
        #expect(result?.finalResult?.count == 4)
    }

    @Test("The fetch's progress is a child of the current progress, and complete at the end")
    func progress() throws {
        let items = try Items(450)
        let parent = Progress(totalUnitCount: 1)
        let request = NSAsynchronousFetchRequest(fetchRequest: items.request())
        request.estimatedResultCount = 450
        let progress = try items.context.performAndWait {
            parent.becomeCurrent(withPendingUnitCount: 1)
            let result = try items.context.execute(request) as? NSPersistentStoreAsynchronousResult
            parent.resignCurrent()
            return try #require(result?.progress)
        }
        finish(items.context)
        #expect(parent.fractionCompleted == 1)
        #expect(progress.completedUnitCount == 450)
    }

    @Test("A fetch cancelled before it begins ends with an error and no objects")
    func cancelledBefore() throws {
        let items = try Items(3)
        nonisolated(unsafe) var errors: [Int?] = []
        let request = NSAsynchronousFetchRequest(fetchRequest: items.request()) { result in
            errors.append((result.operationError as NSError?)?.code)
        }
        let result = try items.context.performAndWait {
            let result = try items.context.execute(request) as? NSAsynchronousFetchResult<NSManagedObject>
            result?.cancel()
            return result
        }
        finish(items.context)
        #expect(errors == [CocoaError.Code.userCancelled.rawValue])
        #expect(result?.finalResult == nil)
        #expect(result?.progress?.isCancelled == true)
    }

    @Test("A running statement is interrupted by a cancellation")
    func cancelledWhileRunning() throws {
        let stack = try TestStack(
            """
            Node
              n int64
              peers ->> Node.peers
            """)
        let context = stack.sibling(.privateQueue)
        // Every node is every other's peer, so that each step of the path below has sixty times as many rows.
        try context.performAndWait {
            let nodes = (0..<60).map { number in
                let node = NSEntityDescription.insertNewObject(forEntityName: "Node", into: context)
                node.setValue(number, forKey: "n")
                return node
            }
            for (index, node) in nodes.enumerated() {
                node.mutableSetValue(forKey: "peers").addObjects(from: Array(nodes[(index + 1)...]))
            }
            try context.save()
        }
        let fetch = NSFetchRequest<NSManagedObject>(entityName: "Node")
        fetch.predicate = NSPredicate(format: "ANY peers.peers.peers.peers.peers.n < 0")
        nonisolated(unsafe) var code: Int?
        let request = NSAsynchronousFetchRequest(fetchRequest: fetch) { result in
            code = (result.operationError as NSError?)?.code
        }
        let result = try context.performAndWait {
            try context.execute(request) as? NSPersistentStoreAsynchronousResult
        }
        Thread.sleep(forTimeInterval: 0.2)
        #expect(code == nil)
        result?.cancel()
        finish(context)
        #expect(code == CocoaError.Code.userCancelled.rawValue)
        let count = try context.performAndWait {
            try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Node"))
        }
        #expect(count == 60)
    }

    @Test("A cancellation ends the testing of objects in memory")
    func cancelledInMemory() throws {
        let items = try Items(3)
        let watch = FetchWatch { _ in }
        nonisolated(unsafe) var tested = 0
        let fetch = items.request()
        fetch.predicate = NSPredicate { _, _ in
            tested += 1
            watch.cancel()
            return true
        }
        let error = #expect(throws: NSError.self) {
            try items.context.performAndWait {
                _ = try FetchWatch.$current.withValue(watch) { try items.context.fetch(fetch) }
            }
        }
        #expect(tested == 1)
        #expect(error?.code == CocoaError.Code.userCancelled.rawValue)
    }

    @Test("A fetch that fails ends with its error")
    func failure() throws {
        let items = try Items(1)
        let request = NSAsynchronousFetchRequest(fetchRequest: items.request("nonsense == 1"))
        let result = try items.context.performAndWait { try items.context.execute(request) }
        finish(items.context)
        let error = (result as? NSPersistentStoreAsynchronousResult)?.operationError as NSError?
        #expect(error?.localizedFailureReason?.contains("nonsense") == true)
    }

    @Test("A context without a queue refuses asynchronous fetches")
    func confinement() throws {
        let items = try Items(1)
        let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        context.persistentStoreCoordinator = items.stack.coordinator
        let error = #expect(throws: NSError.self) {
            try context.execute(NSAsynchronousFetchRequest(fetchRequest: items.request()))
        }
        #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
    }

    @Test("fetchAsynchronously returns the results, or throws the error or the cancellation")
    func awaiting() async throws {
        let items = try Items(10)
        let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Item")
        ids.resultType = .managedObjectIDResultType
        #expect(try await items.context.fetchAsynchronously(ids).count == 10)
        let bad = items.request("nonsense == 1")
        await #expect(throws: NSError.self) { _ = try await items.context.fetchAsynchronously(bad) }
        nonisolated(unsafe) let request = ids
        let context = items.context
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await context.fetchAsynchronously(request).count
        }
        let error = await #expect(throws: NSError.self) { try await task.value }
        #expect(error?.code == CocoaError.Code.userCancelled.rawValue)
    }

    @Test("A plain fetch works in asynchronous code")
    func plainFetch() async throws {
        let items = try Items(2)
        let context = items.context
        let count = try await context.perform {
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item")).count
        }
        #expect(count == 2)
    }
}

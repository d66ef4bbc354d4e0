import CoreData
import Foundation
import Testing

/// Closures with nested closures, which Swift 6 mode checks: it attributes them to the actor in whose code
/// they are written.
@Suite("Closures that an actor hands to the framework") @MainActor
struct CallerIsolationTests {
    private static func container() throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Company", managedObjectModel: CompanyStack.model())
        container.persistentStoreDescriptions = [
            NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))
        ]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        return container
    }

    @Test("Blocks of a context, a container and a coordinator run outside of the caller's actor")
    func blocks() async throws {
        let container = try Self.container()
        let context = container.newBackgroundContext()
        #expect(await context.perform { [1, 2].map { $0 + 1 } } == [2, 3])
        #expect(context.performAndWait { [1, 2].map { $0 + 1 } } == [2, 3])
        #expect(await container.performBackgroundTask { _ in [1, 2].map { $0 + 1 } } == [2, 3])
        #expect(
            await container.persistentStoreCoordinator.perform { [1, 2].map { $0 + 1 } } == [2, 3])
        #expect(await Set(elements(of: later(in: container, context))) == [2, 3])
    }

    @MainActor @Test("perform runs a block at once if already on the context's queue, unless it is enqueued")
    func schedule() async throws {
        let stack = try CompanyStack()
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context
        var order: [String] = []
        DispatchQueue.main.async { MainActor.assumeIsolated { order.append("earlier") } }
        await context.perform { order.append("immediate") }
        #expect(order == ["immediate"])
        await context.perform(schedule: .enqueued) { order.append("enqueued") }
        #expect(order == ["immediate", "earlier", "enqueued"])
    }

    private func elements<Element>(of lists: AsyncStream<[Element]>) async -> [Element] {
        var elements: [Element] = []
        for await list in lists { elements += list }
        return elements
    }

    private func later(
        in container: NSPersistentContainer, _ context: NSManagedObjectContext
    ) -> AsyncStream<[Int]> {
        let (numbers, continuation) = AsyncStream.makeStream(of: [Int].self)
        context.perform { continuation.yield([1].map { $0 + 1 }) }
        container.performBackgroundTask { _ in
            // A block passed on by a block has the same isolation.
            context.perform {
                continuation.yield([2].map { $0 + 1 })
                continuation.finish()
            }
        }
        return numbers
    }

    private actor Importer {
        let context: NSManagedObjectContext
        init(_ context: NSManagedObjectContext) { self.context = context }

        func names(_ count: Int) async -> [String] {
            await context.perform {
                for number in (0..<count).map({ $0 }) { Employee(context: self.context).name = "\(number)" }
                return self.context.insertedObjects.compactMap { ($0 as? Employee)?.name }.sorted { $0 < $1 }
            }
        }
    }

    @Test("A block may use state of its actor and call closures")
    func otherActors() async throws {
        let stack = try CompanyStack()
        defer { withExtendedLifetime(stack) {} }
        let importer = Importer(stack.sibling(.privateQueue))
        #expect(await importer.names(2) == ["0", "1"])
    }

    @Test("Handlers run on the queue that calls them, whatever actor their code belongs to")
    func handlers() async throws {
        let stack = try CompanyStack()
        defer { withExtendedLifetime(stack) {} }
        let context = stack.sibling(.privateQueue)
        var names = ["b", "a"]
        let insertion = NSBatchInsertRequest(entityName: "Employee") { (row: NSMutableDictionary) in
            row["name"] = names.popLast().map { $0 + $0 }
            return row.count == 0
        }
        let (fetched, continuation) = AsyncStream.makeStream(of: [String].self)
        let fetch = NSAsynchronousFetchRequest(
            fetchRequest: NSFetchRequest<Employee>(entityName: "Employee")
        ) { result in
            let failures = [result.operationError].compactMap { $0.map { "\($0)" } }
            continuation.yield(failures + (result.finalResult ?? []).compactMap { $0.name.map { $0 + "" } })
            continuation.finish()
        }
        let order = NSSortDescriptor(key: "name", ascending: false) { left, right in
            let texts = [left, right].map { $0 as! String }
            return texts[0].compare(texts[1])
        }
        fetch.fetchRequest.sortDescriptors = [order]
        try await execute([insertion, fetch], in: context)
        let found = await elements(of: fetched)
        #expect(found == ["bb", "aa"])
    }

    /// Executes requests in code that is nonisolated, as far as the blocks can tell.
    private nonisolated(nonsending) func execute(
        _ requests: [NSPersistentStoreRequest], in context: NSManagedObjectContext
    ) async throws {
        // Only the task uses them until it has been awaited.
        nonisolated(unsafe) let requests = requests
        try await Task.detached {
            try await context.perform {
                for request in requests { _ = try context.execute(request) }
            }
        }.value
    }

    @Test("An observed object's handler runs on the context's queue")
    func observers() async throws {
        let stack = try CompanyStack()
        defer { withExtendedLifetime(stack) {} }
        let context = stack.sibling(.privateQueue)
        let seen = await context.perform {
            let employee = Employee(context: context)
            var seen: [String] = []
            let observation = employee.observe(\.name, options: [.new]) { _, change in
                seen += [change.newValue ?? nil].compactMap { $0 }.map { $0 + "!" }
            }
            employee.name = "Ann"
            observation.invalidate()
            return seen
        }
        #expect(seen == ["Ann!"])
    }

    @Test("A notification observer that assumes the main actor on another queue ends the program")
    func assumptions() async {
        await #expect(processExitsWith: .failure) { @MainActor in
            // An error thrown would be a failure, too.
            guard let container = try? Self.container() else { return }
            let token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextDidSave, object: nil, queue: nil
            ) { _ in
                MainActor.assumeIsolated {}
            }
            try? await container.performBackgroundTask { context in
                _ = [1].map { $0 }
                Employee(context: context).name = "Ann"
                try context.save()
            }
            withExtendedLifetime(token) {}
        }
    }

    @Test("Assuming an actor in a block of nonisolated code ends the program")
    func blocksOfNobody() async {
        await #expect(processExitsWith: .failure) {
            // An error thrown would be a failure, too.
            guard let stack = try? CompanyStack() else { return }
            defer { withExtendedLifetime(stack) {} }
            let context = stack.sibling(.privateQueue)
            await context.perform { MainActor.assumeIsolated {} }
        }
    }
}

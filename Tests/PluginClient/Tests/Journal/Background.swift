import CoreData

/// The layer that apps write around the framework below a user interface: it passes on blocks, objects and
/// completion handlers.
nonisolated class Background {
    let context: NSManagedObjectContext

    init(_ container: NSPersistentContainer) { context = container.newBackgroundContext() }

    func run(_ block: @escaping () -> Void) { context.perform(block) }

    func value<T: Sendable>(_ block: @escaping @Sendable (NSManagedObjectContext) throws -> T) async throws
        -> T
    {
        let context = self.context
        return try await context.perform { try block(context) }
    }

    func titles(_ completion: @escaping (Result<[String], any Error>) -> Void) {
        context.perform {
            completion(Result { try self.context.fetch(Page.byTitle()).compactMap { self.title(of: $0) } })
        }
    }

    func rename(_ page: Page, to title: String) async {
        await page.managedObjectContext?.perform { page.title = title }
    }

    func title(of page: Page) -> String? { page.title.map { $0.uppercased() } }
}

/// A client's own view of a context.
nonisolated protocol Performing {
    func perform(_ block: @escaping () -> Void)
}

extension NSManagedObjectContext: Performing {}

/// A context that counts its blocks.
nonisolated final class CountingContext: NSManagedObjectContext, @unchecked Sendable {
    private(set) var blocks = 0

    override func perform(_ block: @escaping () -> Void) {
        super.perform {
            self.blocks += 1
            block()
        }
    }
}

import CoreData
import Observation

/// The content of a list of pages: bound to the main actor, following a controller of the view context.
@MainActor @Observable final class PagesViewModel: NSObject {
    private(set) var titles: [String] = []
    private(set) var progress = ""
    @ObservationIgnored private let container: NSPersistentContainer
    @ObservationIgnored private let controller: NSFetchedResultsController<Page>

    init(_ container: NSPersistentContainer) throws {
        self.container = container
        controller = NSFetchedResultsController(
            fetchRequest: Page.byTitle(), managedObjectContext: container.viewContext,
            sectionNameKeyPath: nil, cacheName: nil)
        super.init()
        controller.delegate = self
        try controller.performFetch()
        show()
    }

    private func show() { titles = (controller.fetchedObjects ?? []).compactMap(\.title) }

    // MARK: Elsewhere

    /// Adds pages in a block that awaits nothing and has closures of its own.
    func add(_ titles: [String]) async throws -> [String] {
        try await container.performBackgroundTask { context in
            let pages = titles.map { title in
                let page = Page(context: context)
                page.title = title
                return page
            }
            try context.save()
            return pages.compactMap(\.title).sorted { $0 < $1 }
        }
    }

    /// Adds pages in such a block, and calls a handler when they are saved.
    func add(_ titles: [String], completion: @escaping @MainActor (Int) -> Void) {
        container.performBackgroundTask { context in
            let pages = titles.map { title in
                let page = Page(context: context)
                page.title = title
                return page
            }
            let count = pages.filter { $0.title != nil }.count
            do { try context.save() } catch { preconditionFailure("\(error)") }
            Task { @MainActor in completion(count) }
        }
    }

    func attach(_ sizes: [String: Int64], to id: NSManagedObjectID) async throws -> Int64 {
        let context = container.newBackgroundContext()
        return try await context.perform {
            let page = try context.existingObject(with: id) as? Page
            for (name, size) in sizes.sorted(by: { $0.key < $1.key }) {
                let attachment = Attachment(context: context)
                attachment.name = name
                attachment.size = size
                attachment.page = page
            }
            try context.save()
            return page.map { $0.attachments.reduce(0) { $0 + $1.size } } ?? 0
        }
    }

    // MARK: On the main queue

    /// Renames a page in a block of the view context, which may use what belongs to the main actor.
    func rename(_ page: Page, to title: String) async {
        await container.viewContext.perform {
            page.title = title
            self.progress = [title, "renamed"].map { $0.uppercased() }.joined(separator: " ")
        }
    }

    func renameLater(_ page: Page, to title: String) {
        container.viewContext.perform {
            page.title = title
            self.progress = [title, "later"].map { $0.uppercased() }.joined(separator: " ")
        }
    }

    func count() throws -> Int {
        try container.viewContext.performAndWait {
            progress = "counted"
            return try container.viewContext.count(for: Page.byTitle())
        }
    }

    /// Counts the pages in a context with a queue of its own, and waits for it.
    func countElsewhere() throws -> Int {
        let context = container.newBackgroundContext()
        return try context.performAndWait {
            try context.fetch(Page.byTitle()).filter { $0.title != nil }.count
        }
    }
}

extension PagesViewModel: @preconcurrency NSFetchedResultsControllerDelegate {
    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        show()
    }
}

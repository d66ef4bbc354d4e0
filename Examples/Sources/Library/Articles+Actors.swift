import CoreData
import Observation

@MainActor @Observable final class NotesViewModel: NSObject {
    private(set) var titles: [String] = []
    @ObservationIgnored let container: NSPersistentContainer
    @ObservationIgnored let controller: NSFetchedResultsController<Note>

    init(_ container: NSPersistentContainer) {
        let request = Note.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        self.container = container
        controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: container.viewContext, sectionNameKeyPath: nil,
            cacheName: nil)
        super.init()
        controller.delegate = self
    }

    func rename(_ note: Note, to title: String) async {
        await container.viewContext.perform {
            note.title = title
            self.titles = (self.controller.fetchedObjects ?? []).compactMap(\.title)
        }
    }
}

extension NotesViewModel: @preconcurrency NSFetchedResultsControllerDelegate {
    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        titles = (self.controller.fetchedObjects ?? []).compactMap(\.title)
    }
}

actor Importer {
    let context: NSManagedObjectContext
    init(_ container: NSPersistentContainer) { context = container.newBackgroundContext() }

    func add(_ titles: [String]) async throws -> [NSManagedObjectID] {
        try await context.perform {
            let notes = titles.map { title in
                let note = Note(context: self.context)
                note.title = title
                return note
            }
            try self.context.save()
            return notes.map(\.objectID)
        }
    }
}

final class ContextExecutor: SerialExecutor {
    let context: NSManagedObjectContext
    init(_ context: NSManagedObjectContext) { self.context = context }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        context.perform { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

actor AuthorList {
    nonisolated let executor: ContextExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private var authors: [Author] = []

    init(_ container: NSPersistentContainer) { executor = ContextExecutor(container.newBackgroundContext()) }

    func load() throws { authors = try executor.context.fetch(Author.fetchRequest()) }

    func counts() -> [Int] { authors.map { $0.books?.count ?? 0 } }
}

extension Articles {
    @MainActor
    static func capitalize(_ container: NSPersistentContainer) async throws {
        // On the main actor.
        try await container.performBackgroundTask { context in
            for book in try context.fetch(Book.fetchRequest()) {
                book.title = book.title?.split(separator: " ").map { $0.capitalized }.joined(separator: " ")
            }
            try context.save()
        }
    }

    @MainActor
    static func save(_ container: NSPersistentContainer) async throws {
        try await container.performBackgroundTask { @Sendable context in try context.save() }
    }
}

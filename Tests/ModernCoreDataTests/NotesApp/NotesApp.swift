import CoreData
import ModernCoreData

/// The tests' app: notes that the user writes and deletes, and a service that has them as well.
@MainActor
final class NotesApp {
    let stack: NotesStack
    let service = NoteService()
    let uploader: NoteUploader
    let sync: SyncCoordinator
    var viewContext: NSManagedObjectContext { stack.context }

    /// - Parameter downloads: Whether the app downloads other clients' changes.
    init(downloads: Bool = false) throws {
        stack = try NotesStack()
        uploader = NoteUploader(service: service)
        let remover = NoteRemover(service: service, elementsInProgress: uploader.elementsInProgress)
        let downloaders = downloads ? [NoteDownloader(service: service)] : []
        sync = SyncCoordinator(
            container: stack.container, changeProcessors: [uploader, remover] + downloaders)
        sync.backoff = Backoff(first: .milliseconds(5), factor: 2, limit: .milliseconds(20))
    }

    // MARK: What the user does

    @discardableResult
    func write(_ titles: String...) throws -> [Note] {
        let notes = titles.map { title in
            let note: Note = viewContext.insertObject()
            note.title = title
            return note
        }
        try viewContext.save()
        return notes
    }

    func delete(_ notes: [Note]) throws {
        notes.forEach { $0.markForRemoteDeletion() }
        try viewContext.save()
    }

    var list: [String] {
        get throws { try viewContext.fetch(Note.sortedFetchRequest).map { $0.title ?? "" } }
    }

    // MARK: What a test asks

    /// The titles and remote identifiers in the store.
    var stored: [String: RemoteRecordID?] {
        stack.stored { context in
            let notes = Note.fetch(in: context).map { ($0.title ?? "", $0.remoteIdentifier) }
            return Dictionary(notes) { first, _ in first }
        }
    }

    /// Returns whether every note of the store that is not to be deleted is at the service, under its
    /// identifier.
    func isInStep() async -> Bool {
        let records = await service.records.map { ($0.title, Optional($0.id)) }
        let wanted: [String: RemoteRecordID?] = stack.stored { context in
            let notes = Note.fetch(in: context) { $0.predicate = Note.defaultPredicate }
            return Dictionary(uniqueKeysWithValues: notes.map { ($0.title ?? "", $0.remoteIdentifier) })
        }
        return Dictionary(records) { first, _ in first } == wanted && records.count == wanted.count
    }

    /// Waits for all work that is on the queues now.
    func settle() async {
        for _ in 0..<3 {
            await sync.context.perform {}
            await viewContext.perform {}
            await Task.yield()
        }
    }
}

/// Returns whether a condition becomes true before long: counted in turns of the thread pool, which other
/// tests may keep busy for minutes.
@MainActor
func eventually(_ condition: () async throws -> Bool) async rethrows -> Bool {
    for _ in 0..<5000 {
        if try await condition() { return true }
        try? await Task.sleep(for: .milliseconds(2))
        await Task.detached {}.value
    }
    return false
}

import CoreData
import ModernCoreData

// The code of the article on syncing: an app whose notes a service has as well.

extension Note: Managed, RemoteObject, DelayedDeletable, RemoteDeletable {
    public static var defaultPredicate: NSPredicate { notMarkedForDeletionPredicate }
}

/// Takes in notes, and says what they are called from now on.
protocol NoteService: Sendable {
    func upload(_ titles: [String]) async throws -> [RemoteRecordID]
    func remove(_ ids: [RemoteRecordID]) async throws
}

final class NoteUploader: ElementChangeProcessor {
    let elementsInProgress: InProgressTracker<Note>
    private let service: any NoteService

    init(_ service: any NoteService, _ elementsInProgress: InProgressTracker<Note>) {
        self.service = service
        self.elementsInProgress = elementsInProgress
    }

    var predicateForLocallyTrackedElements: NSPredicate { Note.waitingForUploadPredicate }

    func processChangedLocalElements(_ notes: [Note], in context: any ChangeProcessorContext) {
        let titles = notes.map { $0.title ?? "" }
        context.request { [service] in
            try await service.upload(titles)
        } then: { [self] result in
            guard case .success(let ids) = result else { return didFail(notes, in: context) }
            for (note, id) in zip(notes, ids) { note.remoteIdentifier = id }
            context.delayedSaveOrRollback()
            didComplete(notes, in: context)
        }
    }
}

final class NoteRemover: ElementChangeProcessor {
    let elementsInProgress: InProgressTracker<Note>
    private let service: any NoteService

    init(_ service: any NoteService, _ elementsInProgress: InProgressTracker<Note>) {
        self.service = service
        self.elementsInProgress = elementsInProgress
    }

    var predicateForLocallyTrackedElements: NSPredicate { Note.waitingForRemoteDeletionPredicate }

    func processChangedLocalElements(_ notes: [Note], in context: any ChangeProcessorContext) {
        let ids = notes.compactMap(\.remoteIdentifier)
        context.request { [service] in
            try await service.remove(ids)
        } then: { [self] result in
            guard case .success = result else { return didFail(notes, in: context) }
            notes.forEach { $0.markForLocalDeletion() }
            context.delayedSaveOrRollback()
            didComplete(notes, in: context)
        }
    }
}

enum Syncing {
    static func start(_ container: NSPersistentContainer, _ service: any NoteService) -> SyncCoordinator {
        let inProgress = InProgressTracker<Note>()
        let sync = SyncCoordinator(
            container: container,
            changeProcessors: [NoteUploader(service, inProgress), NoteRemover(service, inProgress)])
        sync.onError = { error in print("syncing: \(error)") }
        sync.start()
        return sync
    }

    @MainActor
    static func delete(_ note: Note, in context: NSManagedObjectContext) {
        note.markForRemoteDeletion()
        context.saveOrRollback()
    }

    static func receive(_ title: String, _ id: RemoteRecordID, _ sync: SyncCoordinator) async throws {
        try await sync.processRemoteChanges([.insert([id: title])])
    }
}

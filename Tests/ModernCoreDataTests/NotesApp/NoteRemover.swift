import CoreData
import ModernCoreData

/// Deletes the notes that the user deleted, first at the service and then in this store.
///
/// It shares the objects in progress with the uploader: a note on its way to the service is deleted there
/// after its arrival.
final class NoteRemover: ElementChangeProcessor {
    let elementsInProgress: InProgressTracker<Note>
    let backoff = Backoff(first: .milliseconds(5), factor: 2, limit: .milliseconds(20))
    private let service: NoteService

    init(service: NoteService, elementsInProgress: InProgressTracker<Note>) {
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

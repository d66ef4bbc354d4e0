import CoreData
import ModernCoreData

/// Sends new notes to the service.
final class NoteUploader: ElementChangeProcessor {
    let elementsInProgress: InProgressTracker<Note>
    let backoff = Backoff(first: .milliseconds(5), factor: 2, limit: .milliseconds(20))
    private let service: NoteService
    /// Called with the service's records before they are saved.
    var beforeSave: ([Note]) -> Void = { _ in }

    init(service: NoteService, elementsInProgress: InProgressTracker<Note> = InProgressTracker()) {
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
            beforeSave(notes)
            context.delayedSaveOrRollback()
            didComplete(notes, in: context)
        }
    }
}

import CoreData
import ModernCoreData

/// Saves changes that other clients made at the service.
final class NoteDownloader: ChangeProcessor {
    private let service: NoteService

    init(service: NoteService) {
        self.service = service
    }

    func processRemoteChanges<Record: Sendable>(
        _ changes: [RemoteRecordChange<Record>], in context: any ChangeProcessorContext
    ) {
        guard let changes = changes as? [RemoteRecordChange<NoteService.Record>] else { return }
        for change in changes {
            switch change {
            case .insert(let record), .update(let record): take(record, in: context.context)
            case .delete(let id): note(id, in: context.context)?.markForLocalDeletion()
            }
        }
    }

    func fetchLatestRemoteRecords(in context: any ChangeProcessorContext) {
        context.request { [service] in
            await service.records
        } then: { [self] result in
            guard case .success(let records) = result else { return }
            for record in records { take(record, in: context.context) }
            context.delayedSaveOrRollback()
        }
    }

    private func take(_ record: NoteService.Record, in context: NSManagedObjectContext) {
        let predicate = Note.predicateForRemoteIdentifiers([record.id])
        let note = Note.findOrCreate(in: context, matching: predicate) { $0.remoteIdentifier = record.id }
        note.title = record.title
    }

    private func note(_ id: RemoteRecordID, in context: NSManagedObjectContext) -> Note? {
        Note.findOrFetch(in: context, matching: Note.predicateForRemoteIdentifiers([id]))
    }
}

import CoreData
import ModernCoreData
import Testing

@Suite("Sync coordinators")
@MainActor
struct SyncCoordinatorTests {
    @Test("Remote changes are saved, shown to the user and not sent back")
    func remoteChanges() async throws {
        let app = try NotesApp(downloads: true)
        let first = await app.service.add("a")
        app.sync.start()
        #expect(try await eventually { try app.list == ["a"] })
        try await app.sync.processRemoteChanges([
            .insert(NoteService.Record(id: "x", title: "b")), .update(.init(id: first.id, title: "A")),
        ])
        #expect(app.stored == ["A": first.id, "b": "x"])
        #expect(try await eventually { try app.list == ["A", "b"] })
        try await app.sync.processRemoteChanges([RemoteRecordChange<NoteService.Record>.delete("x")])
        #expect(try await eventually { try app.list == ["A"] })
        await app.settle()
        #expect(await app.service.uploads == [])
        app.sync.stop()
    }

    @Test("Remote changes that the store refuses throw, and roll back nothing else")
    func refusedChanges() async throws {
        let app = try NotesApp()
        let refuser = NotebookWriter()
        let context = app.stack.container.newBackgroundContext()
        let sync = SyncCoordinator(context: context, changeProcessors: [refuser])
        let errors = Counter()
        sync.onError = { _ in errors.increment() }
        await context.perform {
            let note: Note = context.insertObject()
            note.title = "a"
        }
        await #expect(throws: NSError.self) { try await sync.processRemoteChanges([.insert("")]) }
        #expect(errors.value == 1)
        #expect(app.stored.keys.sorted() == ["a"])
        try await sync.processRemoteChanges([.insert("Inbox"), .insert("Work")])
        #expect(app.stack.stored { Notebook.count(in: $0) } == 2)
    }

    @Test("The app can fetch the service's latest records at any time")
    func latestRecords() async throws {
        let app = try NotesApp(downloads: true)
        app.sync.start()
        await app.settle()
        await app.service.add("a")
        app.sync.fetchLatestRemoteRecords()
        #expect(try await eventually { try app.list == ["a"] })
        app.sync.stop()
    }

    @Test("Objects marked for deletion long ago are deleted at the start, others wait")
    func deletionAtStart() async throws {
        let app = try NotesApp()
        let notes = try app.write("old", "new", "kept")
        for note in notes { note.remoteIdentifier = note.title }
        for note in notes.prefix(2) { note.markForLocalDeletion() }
        notes[0].markedForDeletionDate = Date(timeIntervalSinceNow: -600)
        try app.viewContext.save()
        app.sync.start()
        #expect(await eventually { app.stored.keys.sorted() == ["kept", "new"] })
        #expect(try app.list == ["kept"])
        app.sync.stop()
    }

    @Test("A stopped coordinator records finished uploads but sends nothing until restarted")
    func stopping() async throws {
        let app = try NotesApp()
        await app.service.pause()
        app.sync.start()
        try app.write("a")
        #expect(await eventually { await app.service.uploads == [["a"]] })
        app.sync.stop()
        try app.write("b")
        await app.service.resume()
        #expect(await eventually { app.stored["a"] == "note-1" })
        await app.settle()
        #expect(await app.service.uploads == [["a"]])
        app.sync.start()
        app.sync.start()
        #expect(await eventually { await app.isInStep() })
        #expect(await app.service.uploads == [["a"], ["b"]])
        app.sync.stop()
    }

    @Test("An upload that fails after stopping is not sent again until restarted")
    func failingAfterStop() async throws {
        let app = try NotesApp()
        await app.service.pause()
        await app.service.fail(times: 1)
        app.sync.start()
        try app.write("a")
        #expect(await eventually { await app.service.uploads == [["a"]] })
        app.sync.stop()
        await app.service.resume()
        let tracker = app.uploader.elementsInProgress
        #expect(await eventually { await app.sync.context.perform { tracker.isEmpty } })
        await app.settle()
        #expect(await app.service.uploads == [["a"]])
        app.sync.start()
        #expect(await eventually { await app.isInStep() })
        app.sync.stop()
    }

    @Test("Changes made while syncing is stopped are noticed, even to objects in progress")
    func changedWhileStopped() async throws {
        let app = try NotesApp()
        await app.service.pause()
        app.sync.start()
        let note = try app.write("a")[0]
        #expect(await eventually { await app.service.uploads == [["a"]] })
        app.sync.stop()
        try app.delete([note])
        app.sync.start()
        await app.settle()
        let id = note.objectID
        let isMarked = await app.sync.context.perform {
            (app.sync.context.object(with: id) as? Note)?.markedForRemoteDeletion
        }
        #expect(isMarked == true)
        await app.service.resume()
        #expect(await eventually { await app.service.removals == [["note-1"]] })
        #expect(await eventually { note.markedForDeletionDate != nil })
        app.sync.stop()
    }

    @Test("A failed save is rolled back and reported, and its uploads are sent again")
    func failingSave() async throws {
        let app = try NotesApp()
        let (errors, saves) = (Counter(), Counter())
        app.sync.onError = { _ in errors.increment() }
        app.uploader.beforeSave = { _ in
            saves.increment()
            if saves.value == 1 { let _: Notebook = app.sync.context.insertObject() }
        }
        app.sync.start()
        try app.write("a")
        #expect(await eventually { app.stored["a"] == "note-2" })
        #expect(errors.value == 1)
        #expect(saves.value == 2)
        #expect(app.stack.stored { Notebook.count(in: $0) } == 0)
        app.sync.stop()
    }

    @Test("Consecutive failed saves wait longer each time")
    func failingSaves() async throws {
        let app = try NotesApp()
        app.sync.backoff = Backoff(first: .milliseconds(20), factor: 4, limit: .seconds(1))
        let saves = Counter()
        app.uploader.beforeSave = { _ in
            saves.increment()
            if saves.value <= 3 { let _: Notebook = app.sync.context.insertObject() }
        }
        app.sync.start()
        // If it began while the note is written, it would be offered the note twice, and not wait between.
        await app.sync.context.perform {}
        let start = ContinuousClock.now
        try app.write("a")
        #expect(await eventually { app.stored["a"] == "note-4" })
        #expect(ContinuousClock.now - start >= .milliseconds(20 + 80 + 320))
        app.sync.stop()
    }

    @Test("Several requests for a delayed save make one save")
    func delayedSave() async throws {
        let app = try NotesApp()
        let context = app.sync.context
        let saves = Counter()
        let token = context.addContextDidSaveNotificationObserver { _ in saves.increment() }
        defer { NotificationCenter.default.removeObserver(token) }
        await context.perform {
            for title in ["a", "b", "c"] {
                let note: Note = context.insertObject()
                note.title = title
                app.sync.delayedSaveOrRollback()
            }
            #expect(saves.value == 0)
        }
        await context.perform {}
        #expect(saves.value == 1)
        #expect(app.stored.count == 3)
    }

    @Test("A completion handler delivers its arguments on the context's queue")
    func completionHandlers() async throws {
        let app = try NotesApp()
        let note = try app.write("a")[0].objectID
        let finished = Counter()
        await app.sync.context.perform {
            let object = app.sync.context.object(with: note) as? Note
            let handler: @Sendable ([RemoteRecordID], (any Error)?) -> Void = app.sync.perform { ids, error in
                #expect(error == nil)
                object?.remoteIdentifier = ids.first
                finished.increment()
            }
            Task.detached { handler(["x"], nil) }
        }
        #expect(await eventually { finished.value == 1 })
        let identifier = await app.sync.context.perform {
            (app.sync.context.object(with: note) as? Note)?.remoteIdentifier
        }
        #expect(identifier == "x")
    }

    @Test("A coordinator is freed with its last user, and makes no more calls")
    func released() async throws {
        let stack = try NotesStack()
        weak var released: SyncCoordinator?
        let offered = Counter()
        func run() async {
            let sync = SyncCoordinator(
                container: stack.container, changeProcessors: [OfferCounter(offered)])
            released = sync
            sync.start()
            await sync.context.perform {}
        }
        await run()
        #expect(await eventually { released == nil })
        stack.insert("a")
        try stack.context.save()
        #expect(offered.value == 0)
    }

    @Test("Processors also receive objects of entities that they do not track")
    func everything() async throws {
        let stack = try NotesStack()
        let offered = Counter()
        let sync = SyncCoordinator(container: stack.container, changeProcessors: [OfferCounter(offered)])
        sync.start()
        await sync.context.perform {}
        let notebook: Notebook = stack.context.insertObject()
        notebook.name = "x"
        try stack.context.save()
        #expect(await eventually { offered.value == 1 })
        sync.stop()
    }
}

/// Saves remote notebooks by their names; without a name they cannot be saved.
private final class NotebookWriter: ChangeProcessor {
    func processRemoteChanges<Record: Sendable>(
        _ changes: [RemoteRecordChange<Record>], in context: any ChangeProcessorContext
    ) {
        for case .insert(let name as String) in changes {
            let notebook: Notebook = context.context.insertObject()
            notebook.name = name.isEmpty ? nil : name
        }
    }
}

/// Counts the objects offered to it.
private final class OfferCounter: ChangeProcessor {
    private let offered: Counter

    init(_ offered: Counter) {
        self.offered = offered
    }

    func processChangedLocalObjects(_ objects: [NSManagedObject], in context: any ChangeProcessorContext) {
        for _ in objects { offered.increment() }
    }
}

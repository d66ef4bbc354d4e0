import CoreData
import ModernCoreData
import Testing

@Suite("Syncing with a service")
@MainActor
struct SyncTests {
    @Test("A user's note reaches the service, and its identifier reaches the user's context")
    func upload() async throws {
        let app = try NotesApp()
        app.sync.start()
        let notes = try app.write("a", "b")
        #expect(await eventually { await app.isInStep() })
        #expect(await eventually { notes.allSatisfy { $0.remoteIdentifier != nil } })
        #expect(await app.service.uploads.flatMap(\.self).sorted() == ["a", "b"])
        app.sync.stop()
    }

    @Test("Notes written while syncing is stopped are sent when it starts")
    func pendingAtStart() async throws {
        let app = try NotesApp()
        try app.write("a", "b")
        await app.settle()
        #expect(await app.service.uploads == [])
        app.sync.start()
        #expect(await eventually { await app.isInStep() })
        #expect(await app.service.uploads.map { $0.sorted() } == [["a", "b"]])
        app.sync.stop()
    }

    @Test("An upload in progress is not sent again, whatever is saved meanwhile")
    func nothingTwice() async throws {
        let app = try NotesApp()
        await app.service.pause()
        app.sync.start()
        let note = try app.write("a")[0]
        #expect(await eventually { await app.service.uploads == [["a"]] })
        note.created = Date()
        try app.viewContext.save()
        app.sync.fetchLocallyTrackedObjects()
        try app.write("b")
        #expect(await eventually { await app.service.uploads == [["a"], ["b"]] })
        await app.settle()
        await app.service.resume()
        #expect(await eventually { await app.isInStep() })
        await app.settle()
        #expect(await app.service.uploads == [["a"], ["b"]])
        app.sync.stop()
    }

    @Test("A failed upload is repeated until it succeeds, and not afterwards")
    func failures() async throws {
        let app = try NotesApp()
        await app.service.fail(times: 3)
        app.sync.start()
        try app.write("a")
        #expect(await eventually { await app.isInStep() })
        #expect(await app.service.uploads == [["a"], ["a"], ["a"], ["a"]])
        #expect(await app.service.records.count == 1)
        #expect(
            await eventually { await app.sync.context.perform { app.uploader.elementsInProgress.isEmpty } })
        app.sync.stop()
    }

    @Test("Saves of any context are noticed, even of rows that are new to the syncing context")
    func otherContexts() async throws {
        let app = try NotesApp()
        let background = app.stack.container.newBackgroundContext()
        let id = try await background.performChanges {
            let note: Note = background.insertObject()
            (note.title, note.remoteIdentifier) = ("a", "lost")
            try background.obtainPermanentIDs(for: [note])
            return note.objectID
        }
        app.sync.start()
        await app.settle()
        #expect(await app.service.uploads == [])
        try await background.performChanges { (background.object(with: id) as? Note)?.remoteIdentifier = nil }
        #expect(await eventually { await app.service.uploads == [["a"]] })
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = app.viewContext
        try await child.performChanges {
            let note: Note = child.insertObject()
            note.title = "b"
        }
        await app.settle()
        #expect(await app.service.uploads == [["a"]])
        #expect(await app.sync.context.perform { !app.sync.context.hasChanges })
        try app.viewContext.save()
        #expect(await eventually { await app.service.uploads == [["a"], ["b"]] })
        let synced = app.sync.context
        try await synced.performChanges {
            let note: Note = synced.insertObject()
            note.title = "c"
        }
        #expect(await eventually { await app.service.uploads == [["a"], ["b"], ["c"]] })
        app.sync.stop()
    }

    @Test("Changes merged from another coordinator are noticed")
    func merged() async throws {
        let app = try NotesApp()
        app.sync.start()
        await app.settle()
        let other = NSPersistentContainer(name: "Notes", managedObjectModel: NotesStack.model())
        other.persistentStoreDescriptions = [NSPersistentStoreDescription(url: app.stack.storeURL)]
        other.loadPersistentStores { #expect($1 == nil, "\($0)") }
        let context = other.newBackgroundContext()
        let uri = try await context.performChanges {
            let note: Note = context.insertObject()
            note.title = "a"
            try context.obtainPermanentIDs(for: [note])
            return note.objectID.uriRepresentation()
        }
        await app.settle()
        #expect(await app.service.uploads == [])
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSInsertedObjectIDsKey: [uri]], into: [app.sync.context])
        #expect(await eventually { await app.isInStep() })
        app.sync.stop()
    }

    @Test("A deleted note leaves the list, then the service, and later the store")
    func deletion() async throws {
        let app = try NotesApp()
        app.sync.start()
        let notes = try app.write("a", "b")
        #expect(await eventually { await app.isInStep() })
        #expect(await eventually { notes[0].remoteIdentifier != nil })
        await app.service.fail(times: 2)
        try app.delete([notes[0]])
        #expect(try app.list == ["b"])
        #expect(await eventually { await app.service.records.map(\.title) == ["b"] })
        #expect(await eventually { notes[0].markedForDeletionDate != nil })
        let id = try #require(notes[0].remoteIdentifier)
        #expect(await app.service.removals == [[id], [id], [id]])
        #expect(app.stored.count == 2)
        try await app.sync.context.perform {
            _ = try app.sync.context.batchDeleteObjectsMarkedForLocalDeletion(olderThan: .zero)
        }
        #expect(app.stored.keys.sorted() == ["b"])
        app.sync.stop()
    }

    @Test("A note deleted before the service answers is also deleted there")
    func deletionDuringUpload() async throws {
        let app = try NotesApp()
        await app.service.pause()
        app.sync.start()
        let notes = try app.write("a")
        #expect(await eventually { await app.service.uploads == [["a"]] })
        try app.delete(notes)
        await app.settle()
        #expect(await app.service.removals == [])
        await app.service.resume()
        #expect(await eventually { await app.service.removals == [["note-1"]] })
        #expect(await eventually { notes[0].markedForDeletionDate != nil })
        #expect(await app.service.records == [])
        app.sync.stop()
    }

    @Test("A note that the service never had is deleted without an upload")
    func deletionBeforeUpload() async throws {
        let app = try NotesApp()
        let notes = try app.write("a")
        try app.delete(notes)
        app.sync.start()
        #expect(await eventually { notes[0].markedForDeletionDate != nil })
        #expect(await app.service.uploads == [])
        app.sync.stop()
    }
}

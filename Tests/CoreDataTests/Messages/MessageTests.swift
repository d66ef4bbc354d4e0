#if compiler(>=6.2)
import CoreData
import Foundation
import Testing

@Suite("Notifications as typed messages")
@MainActor
struct MessageTests {
    private let center = NotificationCenter.default

    @Test("A save posts will-save and did-save messages before it returns")
    func saving() throws {
        let stack = try CompanyStack()
        let other = try CompanyStack()
        var calls: [String] = []
        var saved: NSManagedObjectContext.DidSaveMessage?
        let tokens = [
            center.addObserver(of: stack.context, for: .willSave) { message in
                calls.append("will \(message.context === stack.context)")
            },
            center.addObserver(of: stack.context, for: .didSave) { message in
                calls.append("did")
                saved = message
            },
            center.addObserver(of: stack.context, for: .didSaveObjectIDs) { message in
                calls.append("did \(message.insertedIDs.count) \(message.updatedIDs.count)")
            },
        ]
        let ann = stack.insert("Employee", ["name": "Ann"])
        other.insert("Employee", ["name": "Bo"])
        try other.context.save()
        try stack.context.save()
        #expect(calls == ["will true", "did", "did 1 0"])
        #expect(saved?.context === stack.context)
        #expect(saved?.inserted == [ann])
        #expect(saved?.updated.isEmpty == true)
        #expect(saved?.deleted.isEmpty == true)
        #expect(saved?.historyToken == nil)
        #expect(saved?.queryGeneration == nil)
        tokens.forEach(center.removeObserver)
        ann.setValue("Eve", forKey: "name")
        try stack.context.save()
        #expect(calls.count == 3)
    }

    @Test("Observers of every context receive events and resets")
    func events() throws {
        let stack = try CompanyStack()
        var seen: [NSManagedObjectContext.ObjectsDidChangeMessage] = []
        let token = center.addObserver(of: NSManagedObjectContext.self, for: .objectsDidChange) {
            message in
            if message.context === stack.context { seen.append(message) }
        }
        defer { center.removeObserver(token) }
        let ann = stack.insert("Employee", ["name": "Ann"])
        stack.context.processPendingChanges()
        try stack.context.save()
        stack.context.refresh(ann, mergeChanges: false)
        stack.context.processPendingChanges()
        stack.context.reset()
        #expect(seen.map(\.inserted) == [[ann], [], []])
        #expect(seen.map(\.refreshed) == [[], [ann], []])
        #expect(seen.map(\.invalidatedAll) == [nil, nil, true])
    }

    @Test("Saves and merges of contexts on private queues arrive as asynchronous messages")
    func privateQueue() async throws {
        let stack = try HistoryStack()
        let writer = NSManagedObjectContext(.privateQueue)
        let reader = NSManagedObjectContext(.privateQueue)
        for context in [writer, reader] { context.persistentStoreCoordinator = stack.coordinator }
        reader.automaticallyMergesChangesFromParent = true
        var saves = center.messages(of: writer, for: .didSaveObjectIDsAsync).makeAsyncIterator()
        var merges = center.messages(of: reader, for: .didMergeChangesAsync).makeAsyncIterator()
        let (events, continuation) = AsyncStream.makeStream(of: Set<NSManagedObjectID>.self)
        let token = center.addObserver(of: writer, for: .didSaveObjectIDsAsync) { message in
            continuation.yield(message.insertedIDs)
        }
        defer { center.removeObserver(token) }
        let id = try await writer.perform {
            let owner = writer.insert("Owner", ["name": "Ada"])
            try writer.save()
            return owner.objectID
        }
        let message = try #require(await saves.next())
        #expect(message.context === writer)
        #expect(message.insertedIDs == [id])
        #expect(message.historyToken != nil)
        var iterator = events.makeAsyncIterator()
        #expect(await iterator.next() == [id])
        let merge = try await merges.next()
        #expect(merge?.insertedIDs == [id])
    }

    @Test("A save of a pinned context names its query generation")
    func queryGeneration() throws {
        let stack = try HistoryStack()
        try stack.context.setQueryGenerationFrom(.current)
        _ = try stack.context.fetch("Owner", nil, [], sortedBy: nil)
        var generation: NSQueryGenerationToken?
        let token = center.addObserver(of: stack.context, for: .didSave) { message in
            generation = message.queryGeneration
        }
        defer { center.removeObserver(token) }
        stack.insert("Owner", ["name": "Ada"])
        try stack.context.save()
        #expect(generation == .current)
        #expect(stack.context.queryGenerationToken == .current)
    }

    @Test("Changes of a coordinator's stores, and commits by others, post messages, too")
    func stores() async throws {
        let option = [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true as NSNumber]
        let stack = try HistoryStack(options: option)
        let writer = try stack.sibling()
        var remote = center.messages(of: stack.coordinator, for: .remoteChange).makeAsyncIterator()
        writer.insert("Owner", ["name": "Ada"])
        try writer.context.save()
        let message = try #require(await remote.next())
        let store = try #require(stack.coordinator.persistentStores.first)
        #expect(message.storeUUID == store.identifier)
        #expect(message.storeURL == store.url)
        #expect(message.historyToken != nil)
        #expect(message.persistentStoreCoordinator === stack.coordinator)

        var changes: [NSPersistentStoreCoordinator.StoresDidChangeMessage] = []
        let token = center.addObserver(of: stack.coordinator, for: .storesDidChange) { message in
            changes.append(message)
        }
        defer { center.removeObserver(token) }
        try stack.coordinator.remove(store)
        #expect(changes.map(\.removedStores) == [[store]])
        #expect(changes.first?.addedStores.isEmpty == true)
        #expect(changes.first?.uuidChangedStores == nil)
    }

    @Test("A message converts to its notification and back")
    func roundTrip() throws {
        let stack = try CompanyStack()
        let ann = stack.insert("Employee", ["name": "Ann"])
        let notification = Notification(
            name: .NSManagedObjectContextDidSave, object: stack.context,
            userInfo: [NSInsertedObjectsKey: Set([ann])])
        typealias DidSave = NSManagedObjectContext.DidSaveMessage
        let message = try #require(DidSave.makeMessage(notification))
        let again = DidSave.makeNotification(message)
        #expect(again.name == notification.name)
        #expect(again.object as AnyObject === stack.context)
        #expect(again.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> == [ann])
        #expect(NSManagedObjectContext.WillSaveMessage.makeMessage(notification) == nil)
        #expect(NSPersistentStoreCoordinator.RemoteChangeMessage.makeMessage(notification) == nil)
    }
}
#endif

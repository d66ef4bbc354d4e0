import CoreData
import Foundation
import Testing

/// Notifications of one context, as they arrive.
private final class Listener: @unchecked Sendable {
    private(set) var seen: [(name: NSNotification.Name, info: [AnyHashable: Any])] = []
    private var tokens: [any NSObjectProtocol] = []

    init(_ context: NSManagedObjectContext, _ also: @escaping (NSNotification.Name) -> Void = { _ in }) {
        let names: [NSNotification.Name] = [
            .NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextWillSave,
            .NSManagedObjectContextDidSave, .NSManagedObjectContextDidSaveObjectIDs,
            .NSManagedObjectContextDidMergeChangesObjectIDs,
        ]
        nonisolated(unsafe) let also = also
        tokens = names.map { name in
            NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) {
                [unowned self] notification in
                seen.append((name, notification.userInfo ?? [:]))
                also(name)
            }
        }
    }

    deinit { tokens.forEach(NotificationCenter.default.removeObserver) }

    func take(_ name: NSNotification.Name) -> [[AnyHashable: Any]] {
        let infos = seen.filter { $0.name == name }.map(\.info)
        seen.removeAll { $0.name == name }
        return infos
    }
}

@Suite("Notifications of contexts")
@MainActor
struct NotificationTests {
    @Test("Objects-did-change reports each event once, with only the keys that have objects")
    func objectsDidChange() throws {
        let (stack, _) = try TestStack.witnesses()
        let listener = Listener(stack.context)
        let name = NSNotification.Name.NSManagedObjectContextObjectsDidChange
        let first = stack.insert("Node", ["name": "a"])
        #expect(listener.take(name).isEmpty)
        stack.context.processPendingChanges()
        stack.context.processPendingChanges()
        var infos = listener.take(name)
        try #require(infos.map(\.count) == [1])
        #expect(infos[0][NSInsertedObjectsKey] as? Set<NSManagedObject> == [first])
        first.setValue("b", forKey: "name")
        stack.context.processPendingChanges()
        infos = listener.take(name)
        try #require(infos.map(\.count) == [1])
        #expect(infos[0][NSUpdatedObjectsKey] as? Set<NSManagedObject> == [first])
        stack.context.delete(first)
        stack.context.processPendingChanges()
        infos = listener.take(name)
        #expect(infos[0][NSDeletedObjectsKey] as? Set<NSManagedObject> == [first])
        #expect(infos[0].count == 1)
        let brief = stack.insert("Node")
        stack.context.delete(brief)
        stack.context.processPendingChanges()
        infos = listener.take(name)
        try #require(infos.map(\.count) == [1])
        #expect(brief.managedObjectContext == nil)
        #expect(infos[0][NSDeletedObjectsKey] as? Set<NSManagedObject> == [brief])
    }

    @Test("Each event reports only the objects changed in it")
    func eventsApart() throws {
        let (stack, _) = try TestStack.witnesses()
        let listener = Listener(stack.context)
        func event(_ keys: [String]) -> [Set<NSManagedObject>] {
            stack.context.processPendingChanges()
            let infos = listener.take(.NSManagedObjectContextObjectsDidChange)
            #expect(infos.map(\.count) == [keys.count])
            return keys.map { infos.first?[$0] as? Set<NSManagedObject> ?? [] }
        }
        let early = ["a", "b", "c"].map { stack.insert("Node", ["name": $0]) }
        #expect(event([NSInsertedObjectsKey]) == [Set(early)])
        let next = ["d", "e"].map { stack.insert("Node", ["name": $0]) }
        #expect(event([NSInsertedObjectsKey]) == [Set(next)])
        early[1].setValue("f", forKey: "name")
        let last = [stack.insert("Node", ["name": "g"]), stack.insert("Node", ["name": "h"])]
        early[0].setValue("i", forKey: "name")
        #expect(event([NSInsertedObjectsKey, NSUpdatedObjectsKey]) == [Set(last), Set(early[..<2])])
        let kept = stack.insert("Node", ["name": "j"])
        stack.context.delete(early[2])
        let brief = stack.insert("Node", ["name": "k"])
        stack.context.delete(brief)
        early[1].setValue("l", forKey: "name")
        #expect(
            event([NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey])
                == [[kept], [early[1]], [early[2], brief]])
        let final = stack.insert("Node", ["name": "m"])
        #expect(event([NSInsertedObjectsKey]) == [[final]])
        try stack.context.save()
        let saved = listener.take(.NSManagedObjectContextDidSave)
        let all = Set(early[..<2] + next + last + [kept, final])
        try #require(saved.count == 1)
        #expect(saved[0][NSInsertedObjectsKey] as? Set<NSManagedObject> == all)
    }

    @Test("Inverse sides of changed relationships and cascaded deletions are reported")
    func sideEffects() throws {
        let (stack, _) = try TestStack.witnesses()
        let root = stack.insert("Node", ["name": "root"])
        let leaf = stack.insert("Node", ["name": "leaf"])
        try stack.context.save()
        let listener = Listener(stack.context)
        let name = NSNotification.Name.NSManagedObjectContextObjectsDidChange
        leaf.setValue(root, forKey: "parent")
        stack.context.processPendingChanges()
        #expect(listener.take(name).first?[NSUpdatedObjectsKey] as? Set<NSManagedObject> == [root, leaf])
        stack.context.delete(root)
        stack.context.processPendingChanges()
        #expect(listener.take(name).first?[NSDeletedObjectsKey] as? Set<NSManagedObject> == [root, leaf])
    }

    @Test("changedValuesForCurrentEvent has the old values, even while the event is reported")
    func currentEvent() throws {
        let (stack, _) = try TestStack.witnesses()
        let node = stack.insert("Node", ["name": "a"])
        let child = stack.insert("Node", ["name": "c"])
        try stack.context.save()
        nonisolated(unsafe) var reported: [String: Any] = [:]
        let listener = Listener(stack.context) { name in
            guard name == .NSManagedObjectContextObjectsDidChange else { return }
            reported = node.changedValuesForCurrentEvent()
        }
        node.setValue("b", forKey: "name")
        node.setValue("c", forKey: "name")
        node.mutableSetValue(forKey: "children").add(child)
        #expect(node.changedValuesForCurrentEvent()["name"] as? String == "a")
        #expect(node.changedValuesForCurrentEvent()["children"] as? NSSet == [])
        #expect(child.changedValuesForCurrentEvent()["parent"] is NSNull)
        stack.context.processPendingChanges()
        #expect(reported["name"] as? String == "a")
        #expect(reported.count == 2)
        #expect(node.changedValuesForCurrentEvent().isEmpty)
        #expect(node.changedValues()["name"] as? String == "c")
        node.setValue("d", forKey: "name")
        #expect(node.changedValuesForCurrentEvent() as? [String: String] == ["name": "c"])
        withExtendedLifetime(listener) {}
    }

    @Test("A save posts will-save before it collects changes, then did-save with objects and IDs")
    func save() throws {
        let (stack, _) = try TestStack.witnesses()
        let kept = stack.insert("Node", ["name": "kept"])
        let gone = stack.insert("Node", ["name": "gone"])
        try stack.context.save()
        kept.setValue("changed", forKey: "name")
        stack.context.delete(gone)
        let goneID = gone.objectID
        let context = stack.context
        nonisolated(unsafe) var late: NSManagedObject?
        let listener = Listener(context) { name in
            guard name == .NSManagedObjectContextWillSave, late == nil else { return }
            late = NSEntityDescription.insertNewObject(forEntityName: "Node", into: context)
        }
        try context.save()
        let inserted = try #require(late)
        #expect(listener.take(.NSManagedObjectContextWillSave).count == 1)
        let info = try #require(listener.take(.NSManagedObjectContextDidSave).first)
        #expect(info[NSInsertedObjectsKey] as? Set<NSManagedObject> == [inserted])
        #expect(info[NSUpdatedObjectsKey] as? Set<NSManagedObject> == [kept])
        #expect(info[NSDeletedObjectsKey] as? Set<NSManagedObject> == [gone])
        let ids = try #require(listener.take(.NSManagedObjectContextDidSaveObjectIDs).first)
        #expect(ids[NSInsertedObjectIDsKey] as? Set<NSManagedObjectID> == [inserted.objectID])
        #expect(ids[NSUpdatedObjectIDsKey] as? Set<NSManagedObjectID> == [kept.objectID])
        #expect(ids[NSDeletedObjectIDsKey] as? Set<NSManagedObjectID> == [goneID])
        #expect(!inserted.objectID.isTemporaryID)
    }

    @Test("A save without changes posts empty notifications, and merging contexts get none")
    func emptySave() throws {
        let (stack, witness) = try TestStack.witnesses()
        let node = stack.insert("Node", ["name": "a"])
        try stack.context.save()
        let other = stack.sibling()
        other.automaticallyMergesChangesFromParent = true
        let (listener, elsewhere) = (Listener(stack.context), Listener(other))
        stack.context.reset()
        _ = listener.take(.NSManagedObjectContextObjectsDidChange)
        try stack.context.save()
        #expect(listener.take(.NSManagedObjectContextWillSave).count == 1)
        let saved = listener.take(.NSManagedObjectContextDidSave)
        #expect(saved.map(\.count) == [0])
        #expect(listener.take(.NSManagedObjectContextDidSaveObjectIDs).map(\.isEmpty) == [true])
        other.mergeChanges(
            fromContextDidSave: Notification(name: .NSManagedObjectContextDidSave, object: stack.context))
        RunLoop.main.run(until: Date())
        #expect(listener.seen.isEmpty)
        #expect(elsewhere.seen.isEmpty)
        withExtendedLifetime((node, witness)) {}
    }

    @Test("Changes that an observer of will-save makes are saved, even if there were none before")
    func changeBeforeEmptySave() throws {
        let (stack, _) = try TestStack.witnesses()
        let context = stack.context
        nonisolated(unsafe) var late: NSManagedObject?
        let listener = Listener(context) { name in
            guard name == .NSManagedObjectContextWillSave else { return }
            late = NSEntityDescription.insertNewObject(forEntityName: "Node", into: context)
        }
        try context.save()
        #expect(late?.objectID.isTemporaryID == false)
        #expect(listener.take(.NSManagedObjectContextDidSave).map(\.count) == [1])
    }

    @Test("Changes that an observer makes during a save's event are saved and reported")
    func changeWhileTold() throws {
        let (stack, _) = try TestStack.witnesses()
        let nodes = (0..<3).map { stack.insert("Node", ["name": "node \($0)"]) }
        let context = stack.context
        nonisolated(unsafe) var later: [NSManagedObject] = []
        let listener = Listener(context) { name in
            guard name == .NSManagedObjectContextObjectsDidChange, later.isEmpty else { return }
            later = [NSEntityDescription.insertNewObject(forEntityName: "Node", into: context)]
            context.delete(nodes[1])
        }
        try context.save()
        let first = try #require(listener.take(.NSManagedObjectContextObjectsDidChange).first)
        #expect(first[NSInsertedObjectsKey] as? Set<NSManagedObject> == Set(nodes))
        let saved = try #require(listener.take(.NSManagedObjectContextDidSave).first)
        let present = [nodes[0], nodes[2]] + later
        #expect(saved[NSInsertedObjectsKey] as? Set<NSManagedObject> == Set(present))
        let ids = try #require(listener.take(.NSManagedObjectContextDidSaveObjectIDs).first)
        #expect(ids[NSInsertedObjectIDsKey] as? Set<NSManagedObjectID> == Set(present.map(\.objectID)))
        #expect(saved[NSDeletedObjectsKey] == nil)
        #expect(ids[NSDeletedObjectIDsKey] == nil)
    }

    @Test("A failed save posts no did-save and keeps every change")
    func failedSave() throws {
        let stack = try CompanyStack()
        let listener = Listener(stack.context)
        let department = stack.insert("Department")
        #expect(throws: NSError.self) { try stack.context.save() }
        #expect(listener.take(.NSManagedObjectContextDidSave).isEmpty)
        #expect(department.isInserted)
        #expect(department.objectID.isTemporaryID)
        #expect(stack.context.hasChanges)
    }

    @Test("Reset reports all objects as invalidated; refresh and rollback report refreshed objects")
    func invalidation() throws {
        let (stack, _) = try TestStack.witnesses()
        let node = stack.insert("Node", ["name": "a"])
        try stack.context.save()
        let listener = Listener(stack.context)
        let name = NSNotification.Name.NSManagedObjectContextObjectsDidChange
        stack.context.refresh(node, mergeChanges: false)
        stack.context.processPendingChanges()
        #expect(listener.take(name).first?[NSRefreshedObjectsKey] as? Set<NSManagedObject> == [node])
        node.setValue("b", forKey: "name")
        stack.context.processPendingChanges()
        _ = listener.take(name)
        stack.context.rollback()
        #expect(listener.take(name).last?[NSRefreshedObjectsKey] as? Set<NSManagedObject> == [node])
        stack.context.reset()
        let info = try #require(listener.take(name).first)
        #expect(info[NSInvalidatedAllObjectsKey] != nil)
        #expect(info.count == 1)
    }

    @Test("Merging reports inserted, refreshed and deleted objects")
    func merging() throws {
        let (stack, _) = try TestStack.witnesses()
        let kept = stack.insert("Node", ["name": "kept"])
        let gone = stack.insert("Node", ["name": "gone"])
        try stack.context.save()
        let other = stack.sibling()
        let (twin, lost) = (other.object(with: kept.objectID), other.object(with: gone.objectID))
        _ = (twin.value(forKey: "name"), lost.value(forKey: "name"))
        kept.setValue("changed", forKey: "name")
        let new = stack.insert("Node", ["name": "new"])
        stack.context.delete(gone)
        nonisolated(unsafe) var saved: Notification?
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: stack.context, queue: nil
        ) { saved = $0 }
        defer { NotificationCenter.default.removeObserver(token) }
        try stack.context.save()
        let listener = Listener(other)
        other.mergeChanges(fromContextDidSave: try #require(saved))
        let infos = listener.take(.NSManagedObjectContextObjectsDidChange)
        func objects(_ key: String) -> Set<NSManagedObject> {
            infos.reduce(into: []) { $0.formUnion($1[key] as? Set<NSManagedObject> ?? []) }
        }
        #expect(Set(objects(NSInsertedObjectsKey).map(\.objectID)) == [new.objectID])
        #expect(objects(NSRefreshedObjectsKey) == [twin])
        #expect(objects(NSDeletedObjectsKey) == [lost])
        let ids = try #require(listener.take(.NSManagedObjectContextDidMergeChangesObjectIDs).first)
        #expect(ids[NSInsertedObjectIDsKey] as? Set<NSManagedObjectID> == [new.objectID])
        for key in [NSUpdatedObjectIDsKey, NSRefreshedObjectIDsKey] {
            #expect(ids[key] as? Set<NSManagedObjectID> == [twin.objectID])
        }
        #expect(twin.value(forKey: "name") as? String == "changed")
        #expect(other.deletedObjects == [lost])
        #expect(other.updatedObjects.isEmpty)
    }
}

internal import CoreData
internal import Foundation
internal import Synchronization

extension SelfTestProbe {
    /// Probes of objects and contexts, by which imports are written.
    static let objectProbes = [
        SelfTestProbe("an object's URI leads to it, also once the store was opened again") { store in
            let uri = try store.add("Team", "a").uriRepresentation()
            for _ in 0..<2 {
                guard let id = store.coordinator.managedObjectID(forURIRepresentation: uri) else {
                    throw SelfTestProblem(description: "it leads nowhere")
                }
                let name = try store.change {
                    try $0.existingObject(with: id).value(forKey: "name") as? String
                }
                try require(name == "a", "it leads to another object")
                try store.reopen()
            }
        },
        SelfTestProbe("what is noted in a store's metadata is there once an object was saved, and stays") {
            store in
            var metadata = store.coordinator.metadata(for: store.store)
            metadata["SyncSelfTest"] = Data([1, 2, 3])
            store.coordinator.setMetadata(metadata, for: store.store)
            try store.add("Team", "a")
            try store.reopen()
            let found = store.coordinator.metadata(for: store.store)["SyncSelfTest"] as? Data
            try require(found == Data([1, 2, 3]), "it is gone")
        },
        SelfTestProbe("an owner without members takes none along when it is deleted") { store in
            let (team, person) = (try store.add("Team", "a"), try store.add("Person", "b"))
            try store.change {
                try $0.existingObject(with: person).setValue(
                    try $0.existingObject(with: team), forKey: "team")
            }
            try store.change { context in
                let owner = try context.existingObject(with: team)
                owner.setValue(NSSet(), forKey: "persons")
                context.delete(owner)
            }
            try require(try store.count("Person") == 1, "the member is gone")
            try require(try store.count("Team") == 0, "the owner is there")
        },
        SelfTestProbe("an object that was saved meanwhile is a conflict, and nothing is saved") { store in
            let id = try store.add("Team", "a")
            let context = store.context(author: "OpenCoreData.sync")
            try context.performAndWait {
                let object = try context.existingObject(with: id)
                object.setValue("import", forKey: "name")
                try store.change { try $0.existingObject(with: id).setValue("edit", forKey: "name") }
                do {
                    try context.save()
                    throw SelfTestProblem(description: "it was saved over")
                } catch let error as NSError where error.code == NSManagedObjectMergeError {}
            }
            let name = try store.change { try $0.existingObject(with: id).value(forKey: "name") as? String }
            try require(name == "edit", "the object has \(name ?? "nothing")")
        },
        SelfTestProbe("a context that was reset reads what is in the store now") { store in
            let id = try store.add("Team", "a")
            let context = store.context()
            try context.performAndWait {
                _ = try context.existingObject(with: id).value(forKey: "name")
                try store.change { try $0.existingObject(with: id).setValue("b", forKey: "name") }
                context.reset()
                let request = NSFetchRequest<NSManagedObject>(entityName: "Team")
                request.returnsObjectsAsFaults = false
                let name = try context.fetch(request).first?.value(forKey: "name") as? String
                try require(name == "b", "it reads \(name ?? "nothing")")
            }
        },
        SelfTestProbe("a batch update changes single objects by their IDs") { store in
            let ids = [try store.add("Team", "a"), try store.add("Team", "b")]
            try store.change { context in
                let update = NSBatchUpdateRequest(entityName: "Team")
                update.predicate = NSPredicate(format: "SELF IN %@", [ids[0]])
                update.propertiesToUpdate = ["name": "c"]
                update.affectedStores = [store.store]
                _ = try context.execute(update)
            }
            let names = try store.change { context in
                try ids.map { try context.existingObject(with: $0).value(forKey: "name") as? String }
            }
            try require(names == ["c", "b"], "they are \(names)")
        },
        SelfTestProbe("objects are found by their IDs, with related ones fetched along") { store in
            let (team, person) = (try store.add("Team", "a"), try store.add("Person", "b"))
            try store.change {
                try $0.existingObject(with: person).setValue(
                    try $0.existingObject(with: team), forKey: "team")
            }
            let context = store.context()
            try context.performAndWait {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
                request.predicate = NSPredicate(format: "SELF IN %@", [person])
                request.relationshipKeyPathsForPrefetching = ["team", "badges"]
                request.affectedStores = [store.store]
                let found = try context.fetch(request).first?.value(forKeyPath: "team.name") as? String
                try require(found == "a", "\(found ?? "nothing") is found")
            }
        },
        SelfTestProbe("a context that is pinned sees nothing of later saves") { store in
            try store.add("Team", "a")
            let context = store.context()
            try context.performAndWait {
                try context.setQueryGenerationFrom(.current)
                let request = NSFetchRequest<NSManagedObject>(entityName: "Team")
                _ = try context.count(for: request)
                try store.add("Team", "b")
                let count = try context.count(for: request)
                try require(count == 1, "it sees \(count) objects")
            }
        },
        SelfTestProbe("a save is announced with its context, whose author is known") { store in
            let authors = Noted()
            let observer = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextDidSave, object: nil, queue: nil
            ) { note in
                guard let context = note.object as? NSManagedObjectContext else { return }
                authors.add(context.transactionAuthor ?? "nil")
            }
            defer { NotificationCenter.default.removeObserver(observer) }
            try store.change(author: "SyncSelfTest.author") { context in
                _ = NSEntityDescription.insertNewObject(forEntityName: "Team", into: context)
            }
            try require(authors.all.contains("SyncSelfTest.author"), "it is not")
        },
        SelfTestProbe("a second store with another model is opened beside the first, read-only too") {
            store in
            try store.add("Team", "a")
            let url = store.folder.appendingPathComponent("Probe.sync.sqlite")
            for isReadOnly in [false, true] {
                let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LedgerModel.make())
                let ledger = try coordinator.addPersistentStore(
                    ofType: NSSQLiteStoreType, configurationName: nil, at: url,
                    options: [NSReadOnlyPersistentStoreOption: NSNumber(value: isReadOnly)])
                try coordinator.remove(ledger)
            }
            try require(try store.count("Team") == 1, "the first one has changed")
        },
    ]
}

/// Texts that a notification's block notes, which may run on any thread.
private final class Noted: Sendable {
    private let texts = Mutex<[String]>([])
    var all: [String] { texts.withLock { $0 } }
    func add(_ text: String) { texts.withLock { $0.append(text) } }
}

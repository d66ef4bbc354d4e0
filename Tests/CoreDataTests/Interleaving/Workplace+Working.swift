import Foundation

@testable import CoreData

extension Workplace {
    /// An operation in a block on a context's queue. Numbers select among the existing objects, modulo their
    /// count.
    enum Operation: Sendable {
        case insert
        case rename(Int)
        case regroup(Int, to: Int)
        case delete(Int)
        case save(WorkReference.Policy)
        case fetch(Fetch)
        /// Asks on the context's queue, and goes on.
        case fetchLater
        case members(of: Int)
        case lookUp(Int)
        case obtainIDs
        case refresh(Int, keepsChanges: Bool)
        case refreshAll
        case rollBack
        case reset
        case merge
    }

    enum Fetch: Sendable {
        case objects, ofGroup(Int), filled, batched, refreshed, prefetched, ids, count, dictionaries
    }

    /// The operations of a thread on one context's queue, waiting for it or not.
    struct Block: Sendable, CustomStringConvertible {
        let worker: Int
        var waits = true
        let operations: [Operation]

        init(_ worker: Int, waits: Bool = true, _ operations: Operation...) {
            self.init(worker, waits: waits, operations)
        }

        init(_ worker: Int, waits: Bool, _ operations: [Operation]) {
            (self.worker, self.waits, self.operations) = (worker, waits, operations)
        }

        var description: String {
            "\(worker)\(waits ? "" : " later"): \(operations.map { "\($0)" }.joined(separator: ", "))"
        }
    }

    /// Has one thread for each list of blocks, and hands back what went wrong.
    ///
    /// - Parameter before: What is done before the threads begin.
    func run(_ program: [[Block]], after before: [Block] = [], _ plan: any InterleavingPlan) -> String? {
        run([{ [unowned self] in before.forEach(start) }], DecidedPlan([]))
        run(program.map { blocks in { [unowned self] in blocks.forEach(start) } }, plan)
        // Saves everything unsaved, and reads it in all contexts.
        run([{ [unowned self] in saveAll() }], DecidedPlan([]))
        run([{ [unowned self] in readAll() }], DecidedPlan([]))
        if faults.isEmpty { readStore() }
        return faults.first.map {
            "\($0) after\n\(story)".replacing(/CoreDataTests\.\w+\.\w+\./, with: "")
        }
    }

    private func run(_ threads: [() -> Void], _ plan: any InterleavingPlan) {
        guard faults.isEmpty else { return }
        for (number, body) in threads.enumerated() { interleaving.add("thread \(number)", body) }
        interleaving.run(plan)
        if let deadlock = interleaving.deadlock { fail("nobody can go on: \(deadlock)") }
    }

    private func start(_ block: Block) {
        let context = workers[block.worker].context
        let work = { [unowned self] in
            for operation in block.operations where faults.isEmpty { attempt(operation, block.worker) }
        }
        if block.waits {
            context.performAndWait(work)
        } else {
            context.perform(as: Task(block.worker, start: now), work)
        }
    }

    private func saveAll() {
        for index in workers.indices.reversed() {
            workers[index].context.performAndWait { attempt(.save(.objectTrump), index) }
        }
    }

    private func readAll() {
        for (index, worker) in workers.enumerated() {
            worker.context.performAndWait {
                if worker.pinnedSince != nil { attempt(.reset, index) }
                attempt(.refreshAll, index)
                attempt(.fetch(.objects), index)
                if worker.context.tracker.tracked.contains(where: { $0.isDirty && !$0.isGone }) {
                    fail("\(index) has changes after all")
                }
                for (key, row) in reference.source(of: index)
                where reference.views[index].mine[key] != row.item {
                    fail("\(index) has not read \(key) as it is")
                }
            }
        }
    }

    private func readStore() {
        let reader = coordinator.context(.privateQueue)
        reader.performAndWait {
            for object in (try? reader.fetch("Item", nil, [], sortedBy: nil)) ?? [] {
                let key = object.value(forKey: "key") as? Key ?? -1
                let item = Item(
                    name: object.value(forKey: "name") as? Int ?? -1,
                    number: object.value(forKey: "number") as? Int,
                    group: object.value(forKeyPath: "group.name") as? Int)
                if reference.rows[key]?.item != item { fail("the store has \(item) as \(key)") }
            }
            if (try? reader.count(for: NSFetchRequest<NSManagedObject>(entityName: "Item")))
                != reference.rows.count
            {
                fail("the store has other items than \(reference.rows.keys.sorted())")
            }
        }
    }

    // MARK: Operations

    private func attempt(_ operation: Operation, _ index: Int) {
        task = Task(index, start: now)
        say("\(index): \(operation)")
        do {
            try perform(operation, index)
        } catch {
            fail("\(operation) of \(index) failed: \(error)")
        }
        if let task { look(at: index, since: task.start) }
        workers[index].unsettled = [:]
    }

    private func perform(_ operation: Operation, _ index: Int) throws {
        let worker = workers[index]
        let context = worker.context
        switch operation {
        case .insert: insert(in: index)
        case .rename(let number):
            guard let (key, object) = item(number, in: index) else { return }
            let value = nextValue()
            object.setValue(value, forKey: "name")
            change { $0.views[index].mine[key]?.name = value }
        case .regroup(let number, let group):
            guard let (key, object) = item(number, in: index) else { return }
            let value = nextValue()
            object.setValue(value, forKey: "number")
            object.setValue(group < 0 ? nil : worker.groups[group % 2], forKey: "group")
            change {
                $0.views[index].mine[key]?.number = value
                $0.views[index].mine[key]?.group = group < 0 ? nil : group % 2
            }
        case .delete(let number):
            guard let (key, object) = item(number, in: index) else { return }
            context.delete(object)
            change { reference in
                if reference.views[index].base[key] == nil {
                    reference.views[index].forget(key)
                } else {
                    reference.views[index].deleted.insert(key)
                }
            }
        case .save(let policy): try save(index, policy)
        case .fetch(let fetch): try find(fetch, in: index)
        case .fetchLater: try findLater(in: index)
        case .members(let number):
            let members = worker.groups[number % 2].value(forKey: "items") as? Set<NSManagedObject> ?? []
            for member in members { meet(member, in: index) }
        case .lookUp(let number): lookUp(number, in: index)
        case .obtainIDs:
            let inserted = Array(context.insertedObjects)
            try context.obtainPermanentIDs(for: inserted)
            if inserted.contains(where: \.objectID.isTemporaryID) { fail("\(index) has got no permanent ID") }
        case .refresh(let number, let keepsChanges):
            guard let (key, object) = item(number, in: index), !object.isInserted else { return }
            let view = reference.views[index]
            // The other side would go on with what the object does not know any more.
            guard keepsChanges || view.mine[key]?.group == view.base[key]?.item.group else { return }
            if keepsChanges, let task {
                worker.unsettled[key] = task.start
            } else {
                change { $0.views[index].mine[key] = $0.views[index].base[key]?.item }
            }
            context.refresh(object, mergeChanges: keepsChanges)
        case .refreshAll:
            expectAnything(in: index)
            context.refreshAllObjects()
        case .rollBack:
            context.rollback()
            change { $0.views[index].rollBack() }
        case .reset:
            guard worker.results == nil else { return }
            context.reset()
            change {
                $0.views[index].mine = [:]; $0.views[index].base = [:]; $0.views[index].deleted = []
            }
            worker.items = [:]
            if worker.pinnedSince != nil { worker.pinnedSince = now }
            worker.groups = try context.fetch("Group", nil, [], sortedBy: "name")
        case .merge:
            if worker.unseen.isEmpty { return }
            context.mergeChanges(fromContextDidSave: worker.unseen.removeFirst())
        }
    }

    /// Everything that the context has read may be read anew.
    private func expectAnything(in index: Int) {
        guard let task else { return }
        for key in reference.views[index].mine.keys { workers[index].unsettled[key] = task.start }
    }

    /// One of the items that the context has, and its key, with values.
    private func item(_ number: Int, in index: Int) -> (Key, NSManagedObject)? {
        let worker = workers[index]
        let present = worker.items.filter { $1.managedObjectContext === worker.context && !$1.isDeleted }
        guard !present.isEmpty else { return nil }
        let key = present.keys.sorted()[number % present.count]
        guard let object = present[key], meet(object, in: index) != nil, !object.isDeleted else { return nil }
        return (key, object)
    }

    @discardableResult
    private func meet(_ object: NSManagedObject, in index: Int) -> Key? {
        _ = object.value(forKey: "key")
        let key = meet(object, in: index, since: task?.start ?? now)
        if let key, !object.isDeleted { workers[index].items[key] = object }
        return key
    }

    private func insert(in index: Int) {
        let (key, value) = (nextKey(), nextValue())
        let object = workers[index].context.insert("Item", ["key": key, "name": value])
        change { $0.views[index].mine[key] = Item(name: value) }
        workers[index].items[key] = object
        // One context alone does not remember what temporary IDs became.
        guard shape.parents.contains(root(of: index)) else { return }
        keys[object.objectID] = key
        homes[object.objectID] = root(of: index)
    }

    private func save(_ index: Int, _ policy: WorkReference.Policy) throws {
        let context = workers[index].context
        context.mergePolicy =
            switch policy {
            case .error: NSMergePolicy.error
            case .objectTrump: NSMergePolicy.mergeByPropertyObjectTrump
            case .storeTrump: NSMergePolicy.mergeByPropertyStoreTrump
            case .overwrite: NSMergePolicy.overwrite
            case .rollback: NSMergePolicy.rollback
            }
        task?.save = Task.Save(policy: policy)
        try context.save()
        // Nothing may be left to be written once conflicts are resolved.
        if let task, let save = task.save, save.content == nil, !save.conflicts.isEmpty { noteSave(of: task) }
        if let commit = task?.save?.commit, let place = unfinishedCommits.firstIndex(of: commit) {
            unfinishedCommits.remove(at: place)
        }
        if workers[index].pinnedSince != nil { workers[index].pinnedSince = now }
    }

    // MARK: Reading

    private func find(_ fetch: Fetch, in index: Int) throws {
        let worker = workers[index]
        guard let start = task?.start else { return }
        var isWanted: (Item) -> Bool = { _ in true }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        switch fetch {
        case .ids:
            let request = NSFetchRequest<NSManagedObjectID>(entityName: "Item")
            request.resultType = .managedObjectIDResultType
            let ids = try worker.context.fetch(request)
            let objects = ids.map(worker.context.object)
            for (id, object) in zip(ids, objects) where object.objectID != id {
                fail("\(index) was answered \(id) for \(object.objectID)")
            }
            compare(ids.count, "IDs", in: index, since: start)
            return look(at: index, since: start)
        case .count:
            return compare(try worker.context.count(for: request), "a count", in: index, since: start)
        case .dictionaries:
            let request = NSFetchRequest<NSDictionary>(entityName: "Item")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["key"]
            let found = Set(try worker.context.fetch(request).compactMap { $0["key"] as? Key })
            let stored = past[min(start, worker.pinnedSince ?? start)...].map { Set($0.rows.keys) }
            if !stored.contains(found) { fail("\(index) was answered dictionaries of \(found)") }
            return
        case .prefetched:
            let request = NSFetchRequest<NSManagedObject>(entityName: "Group")
            request.relationshipKeyPathsForPrefetching = ["items"]
            for group in try worker.context.fetch(request) {
                if worker.index(of: group) == nil { fail("\(index) has a second object of a group") }
                for member in group.value(forKey: "items") as? Set<NSManagedObject> ?? [] {
                    meet(member, in: index)
                }
            }
            return
        case .objects: break
        case .ofGroup(let number):
            request.predicate = NSPredicate(format: "group == %@", argumentArray: [worker.groups[number % 2]])
            isWanted = { $0.group == number % 2 }
        case .filled: request.returnsObjectsAsFaults = false
        case .batched: request.fetchBatchSize = 1
        case .refreshed:
            expectAnything(in: index)
            request.shouldRefreshRefetchedObjects = true
        }
        let found = try worker.context.fetch(request)
        let keys = found.map { meet($0, in: index) }
        let sets = matches(for: index, since: start, where: isWanted)
        let known = Set(keys.compactMap { $0 })
        let isRight = keys.contains(nil) ? sets.contains { known.isSubset(of: $0) } : sets.contains(known)
        if !isRight || known.count != keys.compactMap({ $0 }).count {
            fail("\(index) found \(keys.map { $0 ?? 0 }) instead of \(sets)")
        }
    }

    private func compare(_ count: Int, _ what: String, in index: Int, since start: Int) {
        let sets = matches(for: index, since: start) { _ in true }
        if !sets.contains(where: { $0.count == count }) {
            fail("\(index) was answered \(what) of \(count) instead of \(sets)")
        }
    }

    private func findLater(in index: Int) throws {
        let request = NSAsynchronousFetchRequest(
            fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Item")
        ) { [unowned self] result in
            if let error = result.operationError { fail("\(index) found nothing later: \(error)") }
            for object in result.finalResult ?? [] { meet(object, in: index) }
        }
        try workers[index].context.execute(request)
    }

    /// Looks up an ID that a context of the tree has seen, perhaps before it was replaced.
    private func lookUp(_ number: Int, in index: Int) {
        let context = workers[index].context
        let known = keys.filter { homes[$0.key].map { $0 == root(of: index) } ?? true }
            .sorted { ($0.value, $0.key.isTemporaryID ? 0 : 1) < ($1.value, $1.key.isTemporaryID ? 0 : 1) }
        guard !known.isEmpty else { return }
        let (id, key) = known[number % known.count]
        let object = context.object(with: id)
        if context.registeredObject(for: id) !== object {
            fail("\(index) does not find what it has made of \(id)")
        }
        if let item = workers[index].items[key], item.managedObjectContext === context, !item.isDeleted,
            item !== object
        {
            fail("\(index) has another object of \(id) than \(item.objectID)")
        }
        look(at: index, since: task?.start ?? now)
        guard let existing = try? context.existingObject(with: id) else { return }
        if existing !== object { fail("\(index) has two objects of \(id)") }
        meet(existing, in: index)
    }

    private func root(of index: Int) -> Int { shape.parents[index].map(root) ?? index }
}

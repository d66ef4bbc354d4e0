import Foundation

@testable import CoreData

extension Workplace {
    /// Compares what a context has with what it ought to, without reading anything.
    ///
    /// - Parameter start: When what it has read since may have been read at the earliest.
    func look(at index: Int, since start: Int) {
        let worker = workers[index]
        let objects = worker.context.registry.objects
        var places: [NSManagedObjectID: NSManagedObject] = [:]
        var (seen, gone): (Set<Key>, Set<Key>) = ([], [])
        let known = Dictionary(uniqueKeysWithValues: worker.items.map { (ObjectIdentifier($1), $0) })
        for object in objects {
            let id = object.objectID
            if places.updateValue(object, forKey: id) != nil { fail("\(index) has two objects of \(id)") }
            if worker.context.registeredObject(for: id) !== object {
                fail("\(index) does not find \(id) by its ID")
            }
            guard object.entity.name == "Item" else { continue }
            if object.isDeleted {
                guard let key = known[ObjectIdentifier(object)] ?? keys[id] else { continue }
                seen.insert(key)
                if object.isGone {
                    gone.insert(key)
                    noteGone(key, in: index, since: start)
                } else if !object.isFault {
                    settleBase(of: key, object, in: index, since: start)
                }
            } else if !object.isFault, let key = meet(object, in: index, since: start) {
                seen.insert(key)
            }
        }
        let view = reference.views[index]
        for key in view.mine.keys where !seen.contains(key) {
            let isClean = view.base[key]?.item == view.mine[key] && !view.deleted.contains(key)
            guard isClean || wasAway(key, for: index, since: worker.unsettled[key] ?? start) else {
                fail("the changes that \(index) has of \(key) are lost")
                continue
            }
            correct(index) { $0.forget(key) }
        }
        correct(index) { $0.gone = gone }
        lookAtGroups(of: index)
    }

    /// An object of a context's, which has values.
    @discardableResult
    func meet(_ object: NSManagedObject, in index: Int, since start: Int) -> Key? {
        let worker = workers[index]
        guard let key = object.value(forKey: "key") as? Key else {
            // Its row is gone.
            if !object.isDeleted { fail("\(object.objectID) in \(index) has no values") }
            return nil
        }
        if !object.objectID.isTemporaryID { keys[object.objectID] = key }
        if let known = worker.items[key], known !== object {
            if known.managedObjectContext === worker.context, !known.isDeleted {
                fail("\(key) has a second object in \(index): \(object.objectID) beside \(known.objectID)")
            }
            worker.items[key] = object
        }
        if object.isDeleted { return key }
        let item = item(of: object.dictionaryWithValues(forKeys: ["name", "number", "group"]), in: index)
        if object.isInserted {
            if reference.views[index].mine[key] != item {
                fail(
                    "\(key), new in \(index), is \(item) instead of \(text(reference.views[index].mine[key]))"
                )
            }
            return key
        }
        settle(key, item, committedItem(of: object, in: index), in: index, since: start)
        return key
    }

    private func committedItem(of object: NSManagedObject, in index: Int) -> Item {
        item(of: object.committedValues(forKeys: ["name", "number", "group"]), in: index)
    }

    /// An object whose row was looked for and not found.
    private func noteGone(_ key: Key, in index: Int, since start: Int) {
        guard !reference.views[index].gone.contains(key) else { return }
        if !wasAway(key, for: index, since: workers[index].unsettled[key] ?? start) {
            return fail("\(index) does not find the row of \(key)")
        }
        correct(index) { $0.forget(key) }
    }

    /// A deleted object may have been read anew.
    private func settleBase(of key: Key, _ object: NSManagedObject, in index: Int, since start: Int) {
        let committed = committedItem(of: object, in: index)
        guard let base = reference.views[index].base[key], base.item != committed,
            let since = workers[index].unsettled[key],
            let row = rows(of: key, for: index, since: since).first(where: { $0.item == committed })
        else { return }
        correct(index) { $0.base[key] = row }
    }

    private func item(of values: [String: Any], in index: Int) -> Item {
        Item(
            name: values["name"] as? Int ?? -1, number: values["number"] as? Int,
            group: (values["group"] as? NSManagedObject).map { workers[index].index(of: $0) ?? -1 })
    }

    private func text(_ item: Item?) -> String { item.map { "\($0)" } ?? "nothing" }

    /// - Parameter committed: What the context takes the row to be.
    private func settle(_ key: Key, _ item: Item, _ committed: Item, in index: Int, since start: Int) {
        let view = reference.views[index]
        let (base, mine) = (view.base[key]?.item, view.mine[key])
        if view.deleted.contains(key) { return fail("\(key) is there in \(index), which has deleted it") }
        if committed == base, item == mine { return }
        let since = workers[index].unsettled[key] ?? start
        guard mine == nil || workers[index].unsettled[key] != nil else {
            return fail(
                "\(key) in \(index) is \(item) on \(committed) instead of \(text(mine)) on \(text(base))")
        }
        guard let row = rows(of: key, for: index, since: since).first(where: { $0.item == committed }) else {
            return fail("\(key) in \(index) was read as \(committed), which it never was since \(since)")
        }
        if let mine, let base {
            let merged = mine.merged(with: committed, base: base)
            if item != merged, item != committed {
                return fail("\(key) in \(index) is \(item) instead of \(merged), read anew")
            }
        } else if item != committed {
            return fail("\(key) in \(index) is \(item) on \(committed), which it did not change")
        }
        correct(index) { view in
            view.base[key] = row
            view.mine[key] = item
        }
    }

    private func moments(for index: Int, since start: Int) -> ArraySlice<WorkReference> {
        past[min(start, workers[index].pinnedSince ?? start, unfinishedCommits.min() ?? start)...]
    }

    private func rows(of key: Key, for index: Int, since start: Int) -> [WorkReference.Row] {
        moments(for: index, since: start).reversed().compactMap { $0.source(of: index)[key] }
    }

    /// Whether there was no such item for a context to read, at some moment.
    func wasAway(_ key: Key, for index: Int, since start: Int) -> Bool {
        moments(for: index, since: start).contains { $0.source(of: index)[key] == nil }
    }

    /// Returns the items that a context can have found, at each moment.
    func matches(
        for index: Int, since start: Int, where isWanted: @escaping (Item) -> Bool
    ) -> Set<Set<Key>> {
        // The context's own view is what it is now.
        let view = reference.views[index]
        return Set(
            moments(for: index, since: start).map { moment in
                var moment = moment
                moment.views[index] = view
                return moment.matches(of: index, where: isWanted)
            })
    }

    // MARK: Relationships, results

    /// Members are read when they are needed and may be newer than the items; but both sides know of each
    /// change.
    private func lookAtGroups(of index: Int) {
        let worker = workers[index]
        let view = reference.views[index]
        for (number, group) in worker.groups.enumerated() {
            guard !group.hasFault(forRelationshipNamed: "items") else { continue }
            let members = group.value(forKey: "items") as? Set<NSManagedObject> ?? []
            for member in members where !member.isDeleted && member.managedObjectContext != nil {
                if worker.context.registeredObject(for: member.objectID) !== member {
                    fail(
                        "a member of group \(number) in \(index) is not the object of its ID, \(member.objectID)"
                    )
                }
            }
            for (key, item) in view.visible where item.group != view.base[key]?.item.group {
                guard let object = worker.items[key], !object.isFault else { continue }
                let wasThere = view.base[key]?.item.group == number
                if members.contains(object) ? wasThere : item.group == number {
                    fail("group \(number) in \(index) does not know of \(key)")
                }
            }
        }
    }

    /// Between events: results follow at the end of each.
    func lookAtResults(of index: Int) {
        let worker = workers[index]
        guard !worker.context.tracker.hasPending, let found = worker.results?.fetchedObjects else { return }
        if Set(found).count != found.count { fail("a result of \(index) is there twice") }
        for object in found {
            if object.isDeleted || object.managedObjectContext == nil {
                fail("a result of \(index) is deleted")
            } else if worker.context.registeredObject(for: object.objectID) !== object {
                fail("a result of \(index) is not the object of its ID")
            }
        }
        let keys = found.filter { !$0.isFault }.compactMap { $0.value(forKey: "key") as? Key }
        if keys != keys.sorted() { fail("the results of \(index) are in no order: \(keys)") }
    }
}

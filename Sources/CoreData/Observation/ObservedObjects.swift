/// An observer that checks an object after it changed.
protocol ObjectWatcher: AnyObject {
    func look(at object: NSManagedObject)
}

/// The objects of a context that are observed.
///
/// An object's `observed` flag says that it is in the table, so that other objects are not looked up. Used on
/// the context's queue; neither objects nor watchers are kept alive.
final class ObservedObjects {
    private struct Entry {
        weak var object: NSManagedObject?
        var watchers: [Watcher] = []
        var readTracker: ReadTracker?
    }

    private struct Watcher {
        weak var watcher: (any ObjectWatcher)?
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    private let properties: ReadProperties
    /// The tracker of the object whose read will be observed next.
    private var spareTracker: ReadTracker
    /// The number of entries at which the table is searched for objects that were freed.
    private var limit = 64

    init() {
        properties = ReadProperties()
        spareTracker = ReadTracker(properties)
    }

    func add(_ watcher: any ObjectWatcher, of object: NSManagedObject) {
        change(object) { entry in
            entry.watchers.removeAll { $0.watcher == nil }
            entry.watchers.append(Watcher(watcher: watcher))
        }
    }

    /// Notes that a property of an object was read; returns whether anybody observes.
    ///
    /// An object gets a tracker with its first read that is observed: the spare one, which has asked for it until then.
    func noteRead(of object: NSManagedObject, _ key: String) -> Bool {
        let known = readTracker(of: object)
        let tracker = known ?? spareTracker
        guard tracker.isObserved(reading: key) else { return false }
        if known == nil {
            change(object) { $0.readTracker = tracker }
            spareTracker = ReadTracker(properties)
        }
        tracker.keepValue(of: key, of: object)
        return true
    }

    private func readTracker(of object: NSManagedObject) -> ReadTracker? {
        guard object.flags.contains(.observed), let entry = entries[ObjectIdentifier(object)],
            entry.object === object
        else { return nil }
        return entry.readTracker
    }

    private func change(_ object: NSManagedObject, _ body: (inout Entry) -> Void) {
        var entry = entries[ObjectIdentifier(object)] ?? Entry()
        // The entry may be of a freed object that had the same address.
        if entry.object !== object { entry = Entry(object: object) }
        body(&entry)
        entries[ObjectIdentifier(object)] = entry
        object.flags.insert(.observed)
        guard entries.count > limit else { return }
        entries = entries.filter { $0.value.object != nil }
        limit = max(64, entries.count * 2)
    }

    /// Has the watchers of an object check it.
    ///
    /// They may change it, and be added and removed meanwhile.
    func look(at object: NSManagedObject) {
        let id = ObjectIdentifier(object)
        guard let entry = entries[id], entry.object === object else { return }
        let watchers = entry.watchers.compactMap(\.watcher)
        if watchers.isEmpty, entry.readTracker == nil {
            entries[id] = nil
            object.flags.remove(.observed)
        }
        entry.readTracker?.look(at: object)
        for watcher in watchers { watcher.look(at: object) }
    }
}

import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Observation
import Synchronization

extension NSManagedObject {
    /// The layout ID of objects whose reads are tracked, which no entity has.
    ///
    /// No property remembers an offset for it, so that accessors of these objects take their slow path, and
    /// accessors of other objects need no test.
    static let trackedLayoutID = UInt32.max

    /// Checks that a property may be read, and reports the read to observation, if the object's context
    /// requires either; without a context, to a `ReadRecorder`.
    package final func noteRead(_ key: String) {
        guard layoutID == Self.trackedLayoutID else { return }
        guard let context = registry?.context else {
            ReadRecorder.current?.note(key, of: self)
            return
        }
        context.checkQueue("a read of \(runtime.name).\(key)")
        if context.tracksObservation { context.changeFeed.noteRead(of: self, key) }
    }

    package final func trackReads(_ tracks: Bool) {
        layoutID = tracks ? Self.trackedLayoutID : runtime.layout.id
    }
}

/// A tracker that reports reads of an object's properties to Swift's observation, and properties that changed
/// since they were first read.
///
/// Observation sees the tracker instead of the object, since an app's own class may be `Observable` itself.
final class ReadTracker: ObjectWatcher, Observable {
    private let registrar = ObservationRegistrar()
    private let properties: ReadProperties
    private var last: [String: AnyHashable] = [:]

    init(_ properties: ReadProperties) { self.properties = properties }

    /// Reports a read to observation, and returns whether anybody observes.
    func isObserved(reading key: String) -> Bool {
        guard properties.isAsked(by: { registrar.access(self, keyPath: $0) }) else { return false }
        registrar.access(self, keyPath: properties.path(to: key))
        return true
    }

    /// Keeps the value of a property whose read was observed, unless it has one already.
    func keepValue(of key: String, of object: NSManagedObject) {
        guard last[key] == nil, let slot = object.runtime.slot(named: key) else { return }
        last[key] = Self.value(at: slot, of: object)
    }

    /// A member that stands for a property, since observation needs a key path.
    fileprivate subscript(property property: ReadProperties.Property) -> Void { () }

    func look(at object: NSManagedObject) {
        for (key, old) in last {
            guard let slot = object.runtime.slot(named: key) else { continue }
            let new = Self.value(at: slot, of: object)
            guard new != old else { continue }
            last[key] = new
            registrar.withMutation(of: self, keyPath: properties.path(to: key)) {}
        }
    }

    /// Returns a value that is equal to another only if the property is; relationships are compared by their
    /// destinations.
    private static func value(at slot: PropertySlot, of object: NSManagedObject) -> AnyHashable {
        object.fireIfNeeded()
        if slot.isToMany {
            let ids = object.toMany(at: slot).array.map { ObjectIdentifier($0) }
            return slot.relationship?.isOrdered == true ? ids : Set(ids)
        }
        if slot.isToOne { return object.toOne(at: slot).map { ObjectIdentifier($0) } }
        if let column = slot.column, let row = object.row, slot.attribute?.type != .transformable {
            return row.value(column)
        }
        return object.primitive(at: slot) as? AnyHashable ?? AnyHashable(ObjectIdentifier(object))
    }
}

/// The properties of a context's objects as key paths of trackers.
///
/// Observation does not say whether anybody observes. But it keeps the key paths of what is read in a set,
/// which asks each for its hash, and does so for observers only. Most reads have none, and cost no more than
/// to report a path that stands for no property.
final class ReadProperties {
    private var paths: [String: KeyPath<ReadTracker, Void>] = [:]
    private let hashing: Hashing
    /// The path that stands for no property.
    private let question: KeyPath<ReadTracker, Void>

    init() {
        hashing = Hashing()
        question = \ReadTracker[property: Property(name: "", hashing: hashing)]
    }

    /// Whether a path was asked for its hash; observers may end on any thread, which asks for hashes, too.
    fileprivate final class Hashing: Sendable {
        let isNoted = Atomic(false)
    }

    /// A property, equal to any other of its name.
    struct Property: Hashable {
        let name: String
        fileprivate let hashing: Hashing

        static func == (left: Self, right: Self) -> Bool { left.name == right.name }

        func hash(into hasher: inout Hasher) {
            hashing.isNoted.store(true, ordering: .relaxed)
            hasher.combine(name)
        }
    }

    func path(to key: String) -> KeyPath<ReadTracker, Void> {
        if let path = paths[key] { return path }
        let path = \ReadTracker[property: Property(name: key, hashing: hashing)]
        paths[key] = path
        return path
    }

    /// Returns whether a block asks the path that it is given for its hash; rarely true though it does not.
    @inline(__always)
    fileprivate func isAsked(by block: (KeyPath<ReadTracker, Void>) -> Void) -> Bool {
        hashing.isNoted.store(false, ordering: .relaxed)
        block(question)
        return hashing.isNoted.load(ordering: .relaxed)
    }
}

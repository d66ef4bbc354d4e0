import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Observation

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
    private var last: [String: AnyHashable] = [:]

    func noteRead(_ key: String, of object: NSManagedObject) {
        guard let slot = object.runtime.slot(named: key) else { return }
        if last[key] == nil { last[key] = Self.value(at: slot, of: object) }
        registrar.access(self, keyPath: \ReadTracker[property: key])
    }

    /// A member that stands for a property, since observation needs a key path.
    private subscript(property name: String) -> Void { () }

    func look(at object: NSManagedObject) {
        for (key, old) in last {
            guard let slot = object.runtime.slot(named: key) else { continue }
            let new = Self.value(at: slot, of: object)
            guard new != old else { continue }
            last[key] = new
            registrar.withMutation(of: self, keyPath: \ReadTracker[property: key]) {}
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

import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// Access to objects for a product whose models are other classes, with a managed object behind each.
extension NSManagedObject {
    /// Whether the object is registered with a context.
    package final var isRegistered: Bool { registry != nil }

    /// The place of the object among others of its entity: rows by their keys, then new objects in the order
    /// in which they were made.
    package final var orderInEntity: UInt64 {
        reference.isTemporary ? UInt64.max / 2 + UInt64(-reference.key) : UInt64(reference.key)
    }

    /// Inserts an object that is in no context.
    ///
    /// It gets another temporary ID, since new objects are ordered by theirs: by when they were inserted, not by
    /// when they were made.
    package final func enter(_ context: NSManagedObjectContext) {
        become(TemporaryKeys.next(for: runtime.index), storeIndex: -1)
        row?.key = reference.key
        context.insert(self)
    }

    /// Gives a new object the values that another one has for attributes of the same name and type.
    ///
    /// - Parameter other: An object of the same or another model; a fault is filled, or if its row is gone,
    ///   stands for the values that were fetched last.
    package final func adoptValues(of other: NSManagedObject) {
        if !other.isGone { other.fireIfNeeded() }
        guard let source = other.row ?? other.committed else { return }
        let own = ownRow()
        let pairs = registry?.attributePairs(of: runtime, and: other.runtime)
        for pair in pairs ?? runtime.attributePairs(with: other.runtime) {
            own.copyColumn(pair.own, from: source, column: pair.other)
        }
        for slot in other.runtime.transientAttributes {
            guard runtime.slot(named: slot.name)?.isTransient == true else { continue }
            baseSetPrimitiveValue(other.basePrimitiveValue(forKey: slot.name), forKey: slot.name)
        }
    }
}

extension EntityRuntime {
    /// Returns the columns of attributes that another entity has by the same name and of the same type.
    func attributePairs(with other: EntityRuntime) -> [(own: Int, other: Int)] {
        other.columns.enumerated().compactMap { column, slot in
            guard slot.attribute != nil, let own = self.slot(named: slot.name)?.column,
                layout.columns[own].type == other.layout.columns[column].type
            else { return nil }
            return (own, column)
        }
    }
}

extension NSPersistentStoreCoordinator {
    /// Returns whether an ID is of a store of the coordinator, or of an object of its model that is in no
    /// store yet.
    package final func hasHome(of id: NSManagedObjectID) -> Bool {
        if id.isTemporaryID { return id.runtime.modelLink === frozen.link }
        return id.persistentStore.map { index(of: $0) != nil } ?? false
    }
}

/// An entity of which objects without a context are made, on any thread.
package struct ObjectTemplate: Sendable {
    private let runtime: EntityRuntime
    /// The model of the entity; nil for a template that does not keep it.
    private let kept: FrozenModel?

    /// Makes the template of the first entity of a model, which the template keeps.
    package init(_ model: NSManagedObjectModel) {
        runtime = model.entities[0].runtime
        kept = runtime.model
    }

    /// Makes the template of the entity of an object, whose model is not kept.
    package init(entityOf object: NSManagedObject) {
        runtime = object.runtime
        kept = nil
    }

    /// The entity for `NSManagedObject.init(entity:insertInto:)`.
    package var entity: NSEntityDescription { runtime.entity }

    /// The model of the entity, which whoever makes objects without a context has to keep alive; nil if it is gone.
    package var model: AnyObject? { kept ?? runtime.modelLink.target }
}

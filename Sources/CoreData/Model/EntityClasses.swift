import Foundation
import Synchronization

/// A namespace for the look-up of classes by entity, and of entities by class.
enum EntityClasses {
    /// Returns the class of an entity's objects.
    ///
    /// Costs a lock and two look-ups: keep the answer.
    static func objectClass(for entity: NSEntityDescription) -> NSManagedObject.Type {
        if let model = entity.model?.frozenModel, let index = model.index(of: entity) {
            return model.objectClass(index)
        }
        return ClassFinder(source: entity.model?.sourceURL).find(entity.managedObjectClassName)
            ?? NSManagedObject.self
    }

    /// Returns the entity whose objects are of a class, in the models in use. If several models have it, the
    /// coordinator that was made or opened a store last decides.
    ///
    /// Traps if no model has one.
    static func entity(for objectClass: NSManagedObject.Type) -> NSEntityDescription {
        if let entity = knownEntity(for: objectClass) { return entity }
        programmerError(
            unmatched(objectClass)
                + " Load a model whose entity has the class \"\(String(reflecting: objectClass))\" into a persistent "
                + "store coordinator first.")
    }

    static func unmatched(_ objectClass: NSManagedObject.Type) -> String {
        "+[\(objectClass) entity] Failed to find a unique match for an NSEntityDescription to a managed object subclass."
    }

    /// Returns the entity whose objects are of a class, as `entity(for:)` does; nil if no model in use has
    /// one.
    static func knownEntity(for objectClass: NSManagedObject.Type) -> NSEntityDescription? {
        for model in LiveModels.all {
            if let entity = unique(model.entities(of: objectClass), objectClass) { return entity }
        }
        return nil
    }

    /// Returns a class of objects, and its entity in the model that a context works with.
    ///
    /// - Parameter type: The type of a class of objects.
    static func entity(
        for type: Any.Type, in context: NSManagedObjectContext
    ) -> (objectClass: NSManagedObject.Type, entity: NSEntityDescription) {
        if let known = context.registry.entity(of: type) { return known }
        let objectClass = type as! NSManagedObject.Type
        return (objectClass, entity(for: objectClass))
    }

    static func unique(
        _ entities: [NSEntityDescription], _ objectClass: NSManagedObject.Type
    ) -> NSEntityDescription? {
        if entities.count > 1, reported.withLock({ $0.insert(ObjectIdentifier(objectClass)).inserted }) {
            let names = entities.compactMap(\.name).joined(separator: ", ")
            FrameworkLog.warning(
                "Multiple NSEntityDescriptions claim the NSManagedObject subclass '\(objectClass)' (\(names)) "
                    + "so +entity is unable to disambiguate.")
        }
        return entities.first
    }

    /// Classes that several entities claim and that the log has named already.
    private static let reported = Mutex<Set<ObjectIdentifier>>([])
}

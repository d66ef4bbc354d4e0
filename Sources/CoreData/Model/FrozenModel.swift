import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// A model in use: compiled once, never changed again.
///
/// Everything below the coordinator uses the indexes of `compiled`; this type maps them to the descriptions
/// and back. Safe to share between threads: its descriptions trap on every change except of their user info,
/// which a lock guards.
final class FrozenModel: @unchecked Sendable {
    let link = Backlink<FrozenModel>()
    let compiled: CompiledModel
    let layouts: RowLayouts
    /// The entities by `EntityIndex`.
    let entities: [NSEntityDescription]
    /// The properties by `EntityIndex` and slot.
    ///
    /// An inherited property is the same object in every subentity.
    let properties: [[NSPropertyDescription]]
    /// The data that the objects of each entity use on hot paths, by `EntityIndex`.
    private var runtimes: [EntityRuntime] = []
    private let indexByIdentity: [ObjectIdentifier: EntityIndex]
    let classes: ClassTable

    init(_ model: NSManagedObjectModel, compiled: CompiledModel) {
        let byName = model.entitiesByName
        let entities = compiled.entities.map { byName[$0.name]! }
        self.compiled = compiled
        self.entities = entities
        layouts = RowLayouts(compiled)
        properties = zip(compiled.entities, entities).map { compiled, entity in
            let byName = entity.propertiesByName
            return compiled.slots.map { byName[$0.name]! }
        }
        indexByIdentity = Dictionary(
            uniqueKeysWithValues: zip(entities.map(ObjectIdentifier.init), compiled.entities.map(\.index)))
        classes = ClassTable(compiled, source: model.sourceURL)
        runtimes = compiled.entities.map {
            EntityRuntime($0, entity: self.entity($0.index), layout: layouts[$0.index], in: self)
        }
        link.lead(to: self)
    }

    func runtime(_ index: EntityIndex) -> EntityRuntime { runtimes[Int(index)] }

    func entity(_ index: EntityIndex) -> NSEntityDescription { entities[Int(index)] }

    /// Returns the index of an entity: of the description itself, or of the one with the same name.
    func index(of entity: NSEntityDescription) -> EntityIndex? {
        indexByIdentity[ObjectIdentifier(entity)] ?? entity.name.flatMap { compiled.indexByName[$0] }
    }

    /// Returns the class of an entity's objects.
    ///
    /// Costs one atomic load once the class is known.
    func objectClass(_ index: EntityIndex) -> NSManagedObject.Type { classes[index] }

    /// Returns the entities whose objects are of exactly this class.
    func entities(of objectClass: NSManagedObject.Type) -> [NSEntityDescription] {
        classes.indexes(of: objectClass).map(entity)
    }
}

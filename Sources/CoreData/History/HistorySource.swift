import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// The store from which transactions and changes were read, with the frozen model that turns them into
/// objects.
final class HistorySource {
    let storeID: String
    private let frozen: FrozenModel
    private let store: Backlink<NSPersistentStore>

    init(_ store: NSPersistentStore, _ frozen: FrozenModel) {
        storeID = store.identifier
        self.store = store.link
        self.frozen = frozen
    }

    func objectID(_ row: ObjectReference) -> NSManagedObjectID {
        NSManagedObjectID(row, runtime: frozen.runtime(row.entity), store: store.target)
    }

    func property(_ slot: Int, of entity: EntityIndex) -> NSPropertyDescription {
        frozen.properties[Int(entity)][slot]
    }

    /// Returns the name and the value of a property, as the object itself would have returned it.
    func value(
        _ value: AttributeValue, at index: Int, of entity: EntityIndex
    ) -> (name: String, object: Any?) {
        let runtime = frozen.runtime(entity)
        let slot = runtime.slot(at: index)
        return (slot.name, runtime.box(slot)?.object(value))
    }

    /// Returns the description of one of the history's own entities.
    static func entity(named name: String) -> NSEntityDescription? {
        let model = NSManagedObjectModel()
        do {
            try model.thaw(HistoryModel.document)
        } catch {
            preconditionFailure("the model of the history is faulty: \(error)")
        }
        return model.entitiesByName[name]
    }
}

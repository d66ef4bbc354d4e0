import CoreDataMemory
import CoreDataModelFormat
import CoreDataStore
import Foundation

/// The writer of objects' values into the nodes of an atomic store.
struct CacheNodeWriter {
    let store: NSAtomicStore

    func fill(_ node: NSAtomicStoreCacheNode, from object: NSManagedObject) {
        for slot in object.runtime.slots where !slot.isTransient {
            switch slot.kind {
            case .attribute: node.setValue(object.primitiveValue(forKey: slot.name), forKey: slot.name)
            case .relationship(let relationship):
                node.setValue(destination(of: slot, relationship, object), forKey: slot.name)
            case .fetchedProperty: break
            }
        }
    }

    /// Copies derived values from the rows: objects have them only after a refresh.
    func fillDerived(_ node: NSAtomicStoreCacheNode, from tables: MemoryTables) {
        let runtime = node.objectID.runtime
        for slot in runtime.columns where slot.attribute?.derivation != nil {
            guard let column = slot.column, let row = tables.row(node.objectID.reference) else { continue }
            node.setValue(ValueBox.load(row, column: column, of: runtime, slot: slot), forKey: slot.name)
        }
    }

    func values(of node: NSAtomicStoreCacheNode) -> [String: Any] {
        let names = node.objectID.runtime.slots.filter { !$0.isTransient }.map(\.name)
        return Dictionary(
            uniqueKeysWithValues: names.compactMap { name in
                node.value(forKey: name).map { (name, $0) }
            })
    }

    func set(_ values: [String: Any], of node: NSAtomicStoreCacheNode) {
        for slot in node.objectID.runtime.slots where !slot.isTransient {
            node.setValue(values[slot.name], forKey: slot.name)
        }
    }

    private func destination(
        of slot: PropertySlot, _ relationship: RelationshipSlot, _ object: NSManagedObject
    ) -> Any? {
        guard relationship.isToMany else { return object.toOne(at: slot).flatMap(node) }
        let nodes = object.toMany(at: slot).array.compactMap(node)
        return relationship.isOrdered ? NSOrderedSet(array: nodes) : NSSet(array: nodes)
    }

    /// Returns the node of an object, which the save makes when it is first needed if the object is new.
    private func node(of object: NSManagedObject) -> NSAtomicStoreCacheNode? {
        store.cacheNode(for: object.objectID)
    }
}

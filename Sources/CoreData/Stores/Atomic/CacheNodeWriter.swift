import CoreDataModelFormat
import Foundation

/// Takes the values of objects over into nodes.
struct CacheNodeWriter {
    let store: NSAtomicStore

    func fill(_ node: NSAtomicStoreCacheNode, from object: NSManagedObject) {
        for slot in object.runtime.compiled.slots where !slot.isTransient {
            switch slot.kind {
            case .attribute: node.setValue(object.primitiveValue(forKey: slot.name), forKey: slot.name)
            case .relationship(let relationship):
                node.setValue(destination(of: slot, relationship, object), forKey: slot.name)
            case .fetchedProperty: break
            }
        }
    }

    private func destination(
        of slot: PropertySlot, _ relationship: RelationshipSlot, _ object: NSManagedObject
    ) -> Any? {
        guard relationship.isToMany else { return object.toOne(at: slot).flatMap(node) }
        let nodes = object.toMany(at: slot).array.compactMap(node)
        return relationship.isOrdered ? NSOrderedSet(array: nodes) : NSSet(array: nodes)
    }

    /// The node of an object that is new, too, is made when it is first needed.
    private func node(of object: NSManagedObject) -> NSAtomicStoreCacheNode? {
        store.cacheNode(for: object.objectID)
    }
}

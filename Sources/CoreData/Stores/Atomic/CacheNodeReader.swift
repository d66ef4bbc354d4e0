import CoreDataMemory
import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// The reader of an atomic store's nodes as rows.
struct CacheNodeReader {
    private let model: FrozenModel

    init(_ model: FrozenModel) {
        self.model = model
    }

    func tables(of nodes: Set<NSAtomicStoreCacheNode>) throws(StoreError) -> MemoryTables {
        var tables = MemoryTables(model.compiled)
        for node in nodes { tables.load(try row(of: node)) }
        for node in nodes {
            let owner = node.objectID.reference
            for slot in node.objectID.runtime.slots where slot.isToMany && !slot.isTransient {
                tables.setMembers(try members(of: slot, in: node), of: owner, slot)
            }
        }
        return tables
    }

    private func row(of node: NSAtomicStoreCacheNode) throws(StoreError) -> Snapshot {
        let runtime = node.objectID.runtime
        let row = Snapshot.make(runtime.layout, key: node.objectID.reference.key, version: 1)
        for slot in runtime.columns {
            guard let column = slot.column, let value = node.value(forKey: slot.name) else { continue }
            if slot.isToOne {
                if let reference = try reference(value, slot, of: node) { row.setToOne(column, reference) }
                continue
            }
            do throws(UnacceptableValue) {
                try ValueBox.write(value, to: row, column: column, of: runtime, slot: slot)
            } catch {
                throw StoreError(.invalidValue, error.message)
            }
        }
        return row
    }

    private func members(
        of slot: PropertySlot, in node: NSAtomicStoreCacheNode
    ) throws(StoreError) -> [ObjectReference] {
        let members: [Any] =
            switch node.value(forKey: slot.name) {
            case nil: []
            case let set as NSSet: set.allObjects
            case let set as NSOrderedSet: set.array
            case let set as Set<NSAtomicStoreCacheNode>: Array(set)
            case let array as [Any]: array
            case let other?: [other]
            }
        var references: [ObjectReference] = []
        for member in members {
            if let reference = try reference(member, slot, of: node) { references.append(reference) }
        }
        return references
    }

    private func reference(
        _ value: Any, _ slot: PropertySlot, of node: NSAtomicStoreCacheNode
    ) throws(StoreError) -> ObjectReference? {
        switch value {
        case is NSNull: return nil
        case let node as NSAtomicStoreCacheNode: return node.objectID.reference
        case let id as NSManagedObjectID: return id.reference
        default:
            throw StoreError(
                .invalidValue,
                "the node of \(node.objectID.uriRepresentation()) has \(type(of: value)) for the relationship "
                    + "\"\(slot.name)\", which takes nodes")
        }
    }
}

package import CoreDataModelFormat
package import CoreDataValues

/// The values of Z_ENT of a store's entities: counted from 1 in a new store, read from Z_PRIMARYKEY in an
/// existing one.
package struct EntityNumbers: Sendable {
    private let byIndex: [EntityIndex: Int64]
    /// The entities of the store by number.
    package let ordered: [EntityIndex]

    package init(_ byIndex: [EntityIndex: Int64]) {
        self.byIndex = byIndex
        ordered = byIndex.keys.sorted { byIndex[$0]! < byIndex[$1]! }
    }

    /// Numbers a model's entities, or those of `subset` with the ancestors whose tables they need
    /// (sqlite-store §3).
    package init(counting model: CompiledModel, subset: Set<EntityIndex>? = nil) {
        var wanted = subset ?? Set(model.entities.map(\.index))
        for entity in subset ?? [] {
            var ancestor = model[entity].superentity
            while let index = ancestor {
                wanted.insert(index)
                ancestor = model[index].superentity
            }
        }
        var result: [EntityIndex: Int64] = [:]
        for (position, entity) in wanted.sorted().enumerated() { result[entity] = Int64(position + 1) }
        self.init(result)
    }

    package subscript(_ entity: EntityIndex) -> Int64? { byIndex[entity] }
}

extension CompiledModel {
    /// Returns whether a relationship has an inverse that is stored.
    func hasStoredInverse(_ relationship: RelationshipSlot) -> Bool {
        inverse(of: relationship).map { !$0.isTransient } ?? false
    }
}

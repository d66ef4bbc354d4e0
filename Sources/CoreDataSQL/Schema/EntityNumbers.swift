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
        ordered = byIndex.keys.sorted { byIndex[$0]! }
    }

    /// Numbers a model's entities, or those of `subset` with the ancestors whose tables they need
    /// (sqlite-store §3).
    package init(counting model: CompiledModel, subset: Set<EntityIndex>? = nil) {
        var result: [EntityIndex: Int64] = [:]
        for (position, entity) in Self.held(of: model, subset).sorted().enumerated() {
            result[entity] = Int64(position + 1)
        }
        self.init(result)
    }

    /// Numbers the entities of the newer model so that those which the store has keep their numbers. New ones
    /// get higher numbers, which no program with the older model knows.
    package init(continuing store: StoreSchema, _ evolution: ModelEvolution, subset: Set<EntityIndex>?) {
        let wanted = Self.held(of: evolution.destination, subset)
        var result: [EntityIndex: Int64] = [:]
        for entity in wanted { result[entity] = evolution[entity].flatMap { store[$0.entity]?.number } }
        var last = store.entities.compactMap { $0?.number }.max() ?? 0
        for entity in wanted.sorted() where result[entity] == nil {
            last += 1
            result[entity] = last
        }
        self.init(result)
    }

    /// Returns the entities of a configuration with their ancestors; nil stands for all entities.
    private static func held(of model: CompiledModel, _ subset: Set<EntityIndex>?) -> Set<EntityIndex> {
        var result = subset ?? Set(model.entities.map(\.index))
        for entity in subset ?? [] {
            var ancestor = model[entity].superentity
            while let index = ancestor {
                result.insert(index)
                ancestor = model[index].superentity
            }
        }
        return result
    }

    package subscript(_ entity: EntityIndex) -> Int64? { byIndex[entity] }
}

extension CompiledModel {
    /// Returns whether a relationship has an inverse that is stored.
    func hasStoredInverse(_ relationship: RelationshipSlot) -> Bool {
        inverse(of: relationship).map { !$0.isTransient } ?? false
    }
}

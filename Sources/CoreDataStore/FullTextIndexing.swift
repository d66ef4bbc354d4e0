package import CoreDataModelFormat
package import CoreDataValues

/// Questions about full-text indexes that every store answers alike, from the model.
extension CompiledModel {
    /// Returns the attributes of an inheritance tree that have a full-text index, each from the entity that
    /// declares it. Throws if one of them cannot have such an index.
    package func fullTextIndexed(inTreeOf root: EntityIndex) throws(StoreError) -> [PropertySlot] {
        var result: [PropertySlot] = []
        for entity in self[root].family {
            for slot in self[entity].slots
            where slot.declaringEntity == entity && asksForFullTextIndex(slot) {
                try requireText(slot, of: self[entity])
                result.append(slot)
            }
        }
        return result
    }

    /// Throws unless a full-text search may name the property.
    package func requireFullTextIndex(
        _ slot: PropertySlot, of entity: CompiledEntity
    ) throws(StoreError) {
        try requireText(slot, of: entity)
        guard !asksForFullTextIndex(slot) else { return }
        throw StoreError(
            .unsupported,
            "\(entity.name).\(slot.name) has no full-text index: set \(AttributeElement.fullTextIndexKey) to YES "
                + "in the user info of the attribute")
    }

    private func asksForFullTextIndex(_ slot: PropertySlot) -> Bool {
        guard slot.attribute != nil else { return false }
        let declared = self[slot.declaringEntity].element.attributes.first { $0.name == slot.name }
        return declared?.isFullTextIndexed ?? false
    }

    private func requireText(_ slot: PropertySlot, of entity: CompiledEntity) throws(StoreError) {
        let reason: String
        switch slot.attribute?.type {
        case _ where slot.isTransient: reason = "it is transient"
        case .string: return
        case nil: reason = "it is no attribute"
        default: reason = "it is no string"
        }
        throw StoreError(
            .unsupported, "\(entity.name).\(slot.name) cannot be searched for words: \(reason)")
    }
}

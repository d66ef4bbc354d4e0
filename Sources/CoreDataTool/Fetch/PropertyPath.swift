package import CoreDataModelFormat
package import CoreDataValues

/// A key path that the user typed, resolved in the model: `name`, `author.name`, `books.@count`, `objectID`.
package struct PropertyPath {
    package enum End {
        case attribute(AttributeType)
        case toOne
        case toMany
        case objectID
        /// The result of an `@` operator on a collection.
        case folded
    }

    package let text: String
    package let end: End

    package init(_ text: String, of entity: CompiledEntity, in model: StoreModel) throws(ToolError) {
        self.text = text
        var current: CompiledEntity? = entity
        var end = End.objectID
        var isMany = false
        let keys = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        for (position, key) in keys.enumerated() {
            if key.hasPrefix("@") {
                guard isMany else {
                    throw ToolError("\(text): \(key) needs a to-many relationship before it")
                }
                (end, isMany) = (.folded, false)
                if key == "@count", position < keys.count - 1 { throw Self.leadsNowhere(text, after: key) }
                continue
            }
            guard let owner = current else { throw Self.leadsNowhere(text, after: keys[position - 1]) }
            if key == "objectID" || key == "self" {
                (end, current) = (.objectID, nil)
                continue
            }
            guard let slot = owner.slot(named: key) else {
                throw ToolError("\(owner.name) has no property \"\(key)\"; it has \(Self.names(owner))")
            }
            (end, current) = try Self.step(slot, after: end, in: model)
            if slot.isToMany { isMany = true }
        }
        self.end = isMany ? .toMany : end
    }

    private static func step(
        _ slot: PropertySlot, after previous: End, in model: StoreModel
    ) throws(ToolError) -> (End, CompiledEntity?) {
        let isFolded = if case .folded = previous { true } else { false }
        if let attribute = slot.attribute { return (isFolded ? .folded : .attribute(attribute.type), nil) }
        guard let relationship = slot.relationship else {
            throw ToolError("\(slot.name) is a fetched property, which has no value of its own")
        }
        return (
            isFolded ? .folded : slot.isToMany ? .toMany : .toOne, model.compiled[relationship.destination]
        )
    }

    package var isToMany: Bool {
        if case .toMany = end { true } else { false }
    }

    private static func names(_ entity: CompiledEntity) -> String {
        entity.slots.map(\.name).sorted().joined(separator: ", ")
    }

    private static func leadsNowhere(_ text: String, after key: String) -> ToolError {
        ToolError("\(text): \(key) is a value, and has no properties")
    }
}

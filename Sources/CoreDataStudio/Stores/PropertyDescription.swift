import CoreDataJSON
import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// Entities and their properties as the pages of a store need them.
enum PropertyDescription {
    static func json(_ entity: CompiledEntity, in model: CompiledModel) -> JSONValue {
        .object([
            .init("name", .string(entity.name)),
            .init("parent", entity.superentity.map { .string(model[$0].name) } ?? .null),
            .init("isAbstract", .boolean(entity.isAbstract)),
            .init("title", TitleAttribute.slot(of: entity).map { .string($0.name) } ?? .null),
            .init("properties", .array(entity.slots.map { json($0, in: model) })),
            .init(
                "constraints",
                .array(
                    entity.uniquenessConstraints.map { slots in
                        .array(slots.map { .string(entity.slots[$0].name) })
                    })),
        ])
    }

    static func json(_ slot: PropertySlot, in model: CompiledModel) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("name", .string(slot.name)), .init("isOptional", .boolean(slot.isOptional)),
        ]
        switch slot.kind {
        case .attribute(let attribute):
            members += Self.members(attribute)
            members += [
                .init("isDerived", .boolean(attribute.derivation != nil)),
                .init("isTransient", .boolean(slot.isTransient)),
                .init("default", StoreCell.json(attribute.defaultValue)),
            ]
        case .relationship(let relationship):
            members += [
                .init("kind", .string(relationship.isToMany ? "toMany" : "toOne")),
                .init("destination", .string(model[relationship.destination].name)),
                .init("isOrdered", .boolean(relationship.isOrdered)),
                .init("inverse", model.inverse(of: relationship).map { .string($0.name) } ?? .null),
                .init("deleteRule", .string("\(relationship.deleteRule)")),
            ]
        case .fetchedProperty:
            members.append(.init("kind", .string("fetchedProperty")))
        }
        return .object(members)
    }

    /// Returns what attributes and the elements of composites have in common.
    private static func members(_ attribute: AttributeSlot) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = [
            .init("kind", .string("attribute")), .init("type", .string("\(attribute.type)")),
        ]
        if !attribute.elements.isEmpty {
            let elements = attribute.elements.map { element in
                JSONValue.object(
                    [
                        .init("name", .string(element.name)),
                        .init("isOptional", .boolean(element.isOptional)),
                    ] + Self.members(element.attribute))
            }
            members.append(.init("elements", .array(elements)))
        }
        return members
    }
}

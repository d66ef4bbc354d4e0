import CoreDataJSON
import CoreDataModelFormat

extension ModelDocument {
    /// Returns what the editor sets of a new element: a generated class for an entity, properties that are
    /// optional.
    func defaults(_ kind: ElementKind, _ name: String) -> [JSONValue.Member] {
        switch kind {
        case .entity:
            [
                .init("class", .string(name)), .init("codegen", .string("class")),
                .init("syncable", .boolean(true)),
            ]
        case .attribute, .relationship, .fetchedProperty:
            [.init("optional", .boolean(true))]
                + (marksSyncable(kind) ? [.init("syncable", .boolean(true))] : [])
        case .model, .index, .configuration, .composite, .fetchRequest: []
        }
    }

    /// Returns whether properties are marked as syncable, as only older editors do.
    private func marksSyncable(_ kind: ElementKind) -> Bool {
        entities.contains { entity in
            switch kind {
            case .attribute: entity.attributes.first?.editorAttributes["syncable"] == "YES"
            case .relationship: entity.relationships.first?.editorAttributes["syncable"] == "YES"
            default: entity.fetchedProperties.first?.editorAttributes["syncable"] == "YES"
            }
        }
    }
}

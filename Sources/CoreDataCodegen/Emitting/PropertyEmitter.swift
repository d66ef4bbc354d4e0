import CoreDataModelFormat

/// The writer of the properties of a generated class: computed properties that call the framework's typed
/// accessors.
struct PropertyEmitter {
    let document: ModelDocument
    let entity: EntityElement
    let owner: EntityClass
    let catalog: ManagedClassCatalog

    func emit(into writer: inout SourceWriter, tokens: inout PropertyTokens) {
        for property in properties {
            writer.line()
            emit(property, tokens.token(property.name, of: owner.path), into: &writer)
        }
        for property in entity.fetchedProperties {
            let destination =
                property.fetchRequest.map { className(of: $0.entityName) } ?? "NSManagedObject"
            writer.line()
            let token = tokens.token(property.name, of: owner.path)
            let access = catalog.modifier(mentioning: destination)
            let head = "\(access)var \(NameEscaping.escaped(property.name)): [\(destination)]?"
            writer.line("\(head) { ManagedAccess.read(self, \(token)) }")
        }
    }

    private struct Property {
        var name: String
        var type: String
        var access = "public "
    }

    /// Every property of the entity in the model, sorted by name.
    private var properties: [Property] {
        let attributes = entity.attributes.map { Property(name: $0.name, type: SwiftTypeName.type(of: $0)) }
        let relationships = entity.relationships.map { relationship in
            let collection = relationship.isOrdered ? "NSOrderedSet?" : "NSSet?"
            guard !relationship.isToMany else { return Property(name: relationship.name, type: collection) }
            let destination = className(of: relationship.destinationName)
            return Property(
                name: relationship.name, type: destination + "?",
                access: catalog.modifier(mentioning: destination))
        }
        return (attributes + relationships).sorted { $0.name < $1.name }
    }

    private func className(of entity: String) -> String {
        document.className(ofEntity: entity, module: catalog.index.name)
    }

    private func emit(_ property: Property, _ token: String, into writer: inout SourceWriter) {
        let head = "\(property.access)var \(NameEscaping.escaped(property.name)): \(property.type)"
        writer.block(head) { writer in
            writer.line("get { ManagedAccess.read(self, \(token)) }")
            writer.line("set { ManagedAccess.write(self, \(token), newValue) }")
        }
    }
}

import CoreDataModelFormat

/// Writes the properties of a generated class: computed ones over the framework's typed accessors.
struct PropertyEmitter {
    let document: ModelDocument
    let entity: EntityElement
    let owner: EntityClass
    let module: String

    func emit(into writer: inout SourceWriter, tokens: inout PropertyTokens) {
        for (name, type) in properties {
            writer.line()
            emit(name, type, tokens.token(name, of: owner.path), into: &writer)
        }
        for property in entity.fetchedProperties {
            let destination = property.fetchRequest.map {
                document.className(ofEntity: $0.entityName, module: module)
            }
            writer.line()
            let token = tokens.token(property.name, of: owner.path)
            let head =
                "public var \(NameEscaping.escaped(property.name)): [\(destination ?? "NSManagedObject")]?"
            writer.line("\(head) { ManagedAccess.read(self, \(token)) }")
        }
    }

    /// Every modelled property and its type, by name.
    var properties: [(name: String, type: String)] {
        let attributes = entity.attributes.map { ($0.name, SwiftTypeName.type(of: $0)) }
        let relationships = entity.relationships.map { relationship in
            let destination = document.className(ofEntity: relationship.destinationName, module: module)
            let collection = relationship.isOrdered ? "NSOrderedSet?" : "NSSet?"
            return (relationship.name, relationship.isToMany ? collection : destination + "?")
        }
        return (attributes + relationships).sorted { $0.0 < $1.0 }
    }

    private func emit(_ name: String, _ type: String, _ token: String, into writer: inout SourceWriter) {
        writer.block("public var \(NameEscaping.escaped(name)): \(type)") { writer in
            writer.line("get { ManagedAccess.read(self, \(token)) }")
            writer.line("set { ManagedAccess.write(self, \(token), newValue) }")
        }
    }
}

import CoreDataModelFormat

/// Writes the methods that add to and remove from a to-many relationship.
struct RelationshipEmitter {
    let document: ModelDocument
    let entity: EntityElement
    let owner: EntityClass
    let module: String

    func emit(into writer: inout SourceWriter, tokens: inout PropertyTokens) {
        for relationship in entity.relationships.sorted(by: { $0.name < $1.name }) where relationship.isToMany
        {
            let token = tokens.token(relationship.name, of: owner.path)
            writer.line()
            if relationship.isOrdered { emitOrdered(relationship, token, into: &writer) }
            emitUnordered(relationship, token, into: &writer)
        }
    }

    private func emitUnordered(
        _ relationship: RelationshipElement, _ token: String, into writer: inout SourceWriter
    ) {
        let (name, destination) = names(relationship)
        let collection = relationship.isOrdered ? "NSOrderedSet" : "NSSet"
        method("addTo\(name)(_ value: \(destination))", "add(self, \(token), value)", into: &writer)
        method("removeFrom\(name)(_ value: \(destination))", "remove(self, \(token), value)", into: &writer)
        method("addTo\(name)(_ values: \(collection))", "add(self, \(token), members: values)", into: &writer)
        method(
            "removeFrom\(name)(_ values: \(collection))", "remove(self, \(token), members: values)",
            into: &writer)
    }

    private func emitOrdered(
        _ relationship: RelationshipElement, _ token: String, into writer: inout SourceWriter
    ) {
        let (name, destination) = names(relationship)
        method(
            "insertInto\(name)(_ value: \(destination), at idx: Int)",
            "insert(self, \(token), value, at: idx)", into: &writer)
        method("removeFrom\(name)(at idx: Int)", "remove(self, \(token), at: idx)", into: &writer)
        method(
            "insertInto\(name)(_ values: [\(destination)], at indexes: NSIndexSet)",
            "insert(self, \(token), values, at: indexes)", into: &writer)
        method(
            "removeFrom\(name)(at indexes: NSIndexSet)", "remove(self, \(token), at: indexes)", into: &writer)
        method(
            "replace\(name)(at idx: Int, with value: \(destination))",
            "replace(self, \(token), at: idx, with: value)", into: &writer)
        method(
            "replace\(name)(at indexes: NSIndexSet, with values: [\(destination)])",
            "replace(self, \(token), at: indexes, with: values)", into: &writer)
    }

    private func method(_ signature: String, _ call: String, into writer: inout SourceWriter) {
        writer.line("public func \(signature) { ManagedAccess.\(call) }")
    }

    private func names(_ relationship: RelationshipElement) -> (name: String, destination: String) {
        (
            NameEscaping.capitalized(relationship.name),
            document.className(ofEntity: relationship.destinationName, module: module)
        )
    }
}

import CoreDataModelFormat

/// The writer of the methods that add to and remove from a to-many relationship.
struct RelationshipEmitter {
    let document: ModelDocument
    let entity: EntityElement
    let owner: EntityClass
    let catalog: ManagedClassCatalog

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
        let (name, destination, access) = names(relationship)
        let collection = relationship.isOrdered ? "NSOrderedSet" : "NSSet"
        method(access, "addTo\(name)(_ value: \(destination))", "add(self, \(token), value)", into: &writer)
        method(
            access, "removeFrom\(name)(_ value: \(destination))", "remove(self, \(token), value)",
            into: &writer)
        method(
            access, "addTo\(name)(_ values: \(collection))", "add(self, \(token), members: values)",
            into: &writer)
        method(
            access, "removeFrom\(name)(_ values: \(collection))", "remove(self, \(token), members: values)",
            into: &writer)
    }

    private func emitOrdered(
        _ relationship: RelationshipElement, _ token: String, into writer: inout SourceWriter
    ) {
        let (name, destination, access) = names(relationship)
        method(
            access, "insertInto\(name)(_ value: \(destination), at idx: Int)",
            "insert(self, \(token), value, at: idx)", into: &writer)
        method(access, "removeFrom\(name)(at idx: Int)", "remove(self, \(token), at: idx)", into: &writer)
        method(
            access, "insertInto\(name)(_ values: [\(destination)], at indexes: NSIndexSet)",
            "insert(self, \(token), values, at: indexes)", into: &writer)
        method(
            access, "removeFrom\(name)(at indexes: NSIndexSet)", "remove(self, \(token), at: indexes)",
            into: &writer)
        method(
            access, "replace\(name)(at idx: Int, with value: \(destination))",
            "replace(self, \(token), at: idx, with: value)", into: &writer)
        method(
            access, "replace\(name)(at indexes: NSIndexSet, with values: [\(destination)])",
            "replace(self, \(token), at: indexes, with: values)", into: &writer)
    }

    private func method(
        _ modifier: String, _ signature: String, _ call: String, into writer: inout SourceWriter
    ) {
        writer.line("\(modifier)func \(signature) { ManagedAccess.\(call) }")
    }

    private func names(
        _ relationship: RelationshipElement
    ) -> (name: String, destination: String, access: String) {
        let destination = document.className(
            ofEntity: relationship.destinationName, module: catalog.index.name)
        let access = catalog.modifier(mentioning: destination)
        return (NameEscaping.capitalized(relationship.name), destination, access)
    }
}

import CoreDataModelFormat
import CoreDataPredicates
import CoreDataValues

/// The document reduced to what compiling keeps: no editor attributes, layout or code generation; everything
/// named in order of name; predicates in their printed form.
func meaning(of document: ModelDocument) -> ModelDocument {
    var result = ModelDocument(versionIdentifiers: document.versionIdentifiers)
    result.entities = document.entities.map(meaning).sorted { $0.name < $1.name }
    result.fetchRequests = document.fetchRequests.map(meaning).sorted { $0.name < $1.name }
    result.configurations = document.configurations
        .map { ConfigurationElement(name: $0.name, entityNames: $0.entityNames.sorted()) }
        .sorted { $0.name < $1.name }
    let used = Set(document.entities.flatMap(\.attributes).compactMap(\.compositeName))
    result.composites = document.composites.filter { used.contains($0.name) }
        .map { CompositeElement(name: $0.name, attributes: $0.attributes.map(meaning)) }
        .sorted { $0.name < $1.name }
    return result
}

private func meaning(_ entity: EntityElement) -> EntityElement {
    var result = entity
    result.className =
        entity.className.flatMap { $0.hasPrefix(".") ? String($0.dropFirst()) : $0 }
    result.codeGeneration = .manual
    result.renamingIdentifier = entity.renamingIdentifier == entity.name ? nil : entity.renamingIdentifier
    result.userInfo = sorted(entity.userInfo)
    result.attributes = entity.attributes.map(meaning).sorted { $0.name < $1.name }
    for position in result.attributes.indices where isIndexedAlone(result.attributes[position].name, entity) {
        result.attributes[position].isIndexed = true
    }
    result.relationships = entity.relationships.map(meaning).sorted { $0.name < $1.name }
    result.fetchedProperties = entity.fetchedProperties.map(meaning).sorted { $0.name < $1.name }
    result.fetchIndexes = entity.fetchIndexes.map(meaning)
    result.editorAttributes = [:]
    return result
}

/// An index over one attribute compiles to the flag of the attribute as well.
private func isIndexedAlone(_ name: String, _ entity: EntityElement) -> Bool {
    entity.fetchIndexes.contains { index in
        index.elements.map(\.propertyName) == [name]
            && index.elements.allSatisfy { $0.kind == .binary && $0.isAscending }
    }
}

private func meaning(_ attribute: AttributeElement) -> AttributeElement {
    var result = attribute
    result.usesScalarType = false
    result.renamingIdentifier =
        attribute.renamingIdentifier == attribute.name ? nil : attribute.renamingIdentifier
    result.userInfo = sorted(attribute.userInfo)
    result.editorAttributes = [:]
    if attribute.type != .transformable { result.customClassName = nil }
    result.derivationExpression = attribute.derivationExpression.map { text in
        (try? DerivationExpression.parse(text)).map { NodePrinter.format($0) } ?? text
    }
    return result
}

private func meaning(_ relationship: RelationshipElement) -> RelationshipElement {
    var result = relationship
    result.renamingIdentifier =
        relationship.renamingIdentifier == relationship.name ? nil : relationship.renamingIdentifier
    result.userInfo = sorted(relationship.userInfo)
    result.editorAttributes = [:]
    return result
}

private func meaning(_ property: FetchedPropertyElement) -> FetchedPropertyElement {
    var result = property
    result.isOptional = true
    result.fetchRequest = property.fetchRequest.map(meaning)
    result.userInfo = sorted(property.userInfo)
    result.editorAttributes = [:]
    return result
}

private func meaning(_ request: FetchRequestElement) -> FetchRequestElement {
    var result = request
    result.predicate = request.predicate.map { text in
        (try? FormatParser.predicate(text)).map { NodePrinter.format($0) } ?? text
    }
    result.editorAttributes = [:]
    return result
}

private func meaning(_ index: FetchIndexElement) -> FetchIndexElement {
    var result = index
    result.editorAttributes = [:]
    return result
}

private func sorted(_ userInfo: [UserInfoEntry]) -> [UserInfoEntry] {
    userInfo.sorted { $0.key < $1.key }
}

/// Returns the differences by element path, since a comparison of whole documents is too long to read.
func differences(_ left: ModelDocument, _ right: ModelDocument) -> [String] {
    var paths: [String] = []
    if left.entities.map(\.name) != right.entities.map(\.name) { paths.append("entities") }
    for (one, other) in zip(left.entities, right.entities) where one != other {
        let attributes = zip(one.attributes, other.attributes).filter { $0 != $1 }.map {
            "\(one.name).\($0.name): \($0) != \($1)"
        }
        let relationships = zip(one.relationships, other.relationships).filter { $0 != $1 }.map {
            "\(one.name).\($0.name): \($0) != \($1)"
        }
        let indexes = zip(one.fetchIndexes, other.fetchIndexes).filter { $0 != $1 }.map {
            "\(one.name).\($0.name): \($0) != \($1)"
        }
        let rest = attributes + relationships + indexes
        paths += rest.isEmpty ? ["\(one) != \(other)"] : rest
    }
    if left.fetchRequests != right.fetchRequests { paths.append("fetch requests") }
    if left.configurations != right.configurations { paths.append("configurations") }
    if left.composites != right.composites { paths.append("composites") }
    if left.versionIdentifiers != right.versionIdentifiers { paths.append("version identifiers") }
    return paths
}

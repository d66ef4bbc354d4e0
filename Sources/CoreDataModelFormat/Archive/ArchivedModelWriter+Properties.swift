import CoreDataPredicates
import CoreDataValues

extension ArchivedModelWriter {
    mutating func write(
        _ attribute: AttributeElement, of entity: String, declaredBy owner: EntityElement
    ) throws {
        guard let reference = properties[entity]?[attribute.name] else { return }
        let path = "\(owner.name).\(attribute.name)"
        var (className, fields) = try archived(attribute, at: path)
        fields["NSEntity"] = entities[entity]!
        if attribute.isIndexed || owner.hasIndex(ofOnly: attribute) { fields["NSIsIndexed"] = .boolean(true) }
        archive.fill(reference, className, fields)
    }

    /// Returns the class name and the fields of an attribute of an entity or of a composite.
    private mutating func archived(
        _ attribute: AttributeElement, at path: String, inside composites: [String] = []
    ) throws -> (String, [String: PropertyList]) {
        var className = "NSAttributeDescription"
        var common = PropertyFields(
            name: attribute.name, isOptional: attribute.isOptional, isTransient: attribute.isTransient,
            isIndexedBySpotlight: attribute.isIndexedBySpotlight,
            renamingIdentifier: attribute.renamingIdentifier,
            versionHashModifier: attribute.versionHashModifier, userInfo: attribute.userInfo)
        common.allowsCloudEncryption = attribute.allowsCloudEncryption
        common.rules = try rules(of: attribute, at: path)
        var fields = attributeFields(attribute)
        if let text = attribute.derivationExpression {
            className = "NSDerivedAttributeDescription"
            common.isReadOnly = true
            fields["NSDerivationExpression"] = try derivation(text, at: path)
            fields["NSFilteringPredicate"] = ArchiveBuilder.null
        } else if attribute.type == .composite {
            className = "NSCompositeAttributeDescription"
            fields["NSCompositeName"] = archive.string(attribute.compositeName)
            fields["NSElements"] = try compositeElements(of: attribute, at: path, inside: composites)
        }
        return (className, fields.merging(try self.fields(common)) { $1 })
    }

    private mutating func attributeFields(_ attribute: AttributeElement) -> [String: PropertyList] {
        let valueClass =
            attribute.type == .transformable ? attribute.customClassName : attribute.type.valueClassName
        var flags = 0
        if attribute.allowsExternalStorage { flags |= AttributeFlags.allowsExternalStorage }
        if attribute.preservesValueOnDeletion { flags |= AttributeFlags.preservesValueOnDeletion }
        var fields: [String: PropertyList] = [
            "NSAttributeType": .integer(Int64(attribute.type.rawValue)),
            "NSAttributeValueClassName": archive.string(valueClass),
            "NSDefaultValue": archive.value(attribute.defaultValue),
            "NSValueTransformerName": archive.string(attribute.valueTransformerName),
            "NSFlagsKey": .integer(Int64(flags)),
        ]
        if attribute.isStoredInExternalRecord { fields["NSStoredInExternalRecord"] = .boolean(true) }
        return fields
    }

    private mutating func derivation(_ text: String, at path: String) throws -> PropertyList {
        do {
            return try archive.expression(DerivationExpression.parse(text))
        } catch let error as ModelFileError {
            throw error
        } catch {
            throw ModelFileError("", .inexpressible("\(path): derivation expression \"\(text)\": \(error)"))
        }
    }

    private mutating func compositeElements(
        of attribute: AttributeElement, at path: String, inside composites: [String]
    ) throws -> PropertyList {
        guard let composite = document.composites.first(where: { $0.name == attribute.compositeName }) else {
            throw ModelFileError(
                "", .inexpressible("\(path): unknown composite \"\(attribute.compositeName ?? "")\""))
        }
        guard !composites.contains(composite.name) else {
            throw ModelFileError("", .inexpressible("\(path): the composite contains itself"))
        }
        let elements = try composite.attributes.map { element in
            let (className, fields) = try archived(
                element, at: "\(path).\(element.name)", inside: composites + [composite.name])
            return archive.object(className, fields)
        }
        return archive.collection(elements)
    }

    private func rules(
        of attribute: AttributeElement, at path: String
    ) throws -> [(PredicateNode, ValidationRule.Warning)] {
        let limits = attribute.limits.map { limit in
            (
                limit.predicate(for: attribute.type),
                ValidationRule.Warning.code(limit.errorCode(for: attribute.type))
            )
        }
        return limits + (try rules(attribute.validationRules, at: path))
    }

    private func rules(
        _ rules: [ValidationRule], at path: String
    ) throws -> [(PredicateNode, ValidationRule.Warning)] {
        try rules.map { (try PredicateText.predicate($0.predicate, at: path), $0.warning) }
    }

    mutating func write(_ relationship: RelationshipElement, of entity: String) throws {
        guard let reference = properties[entity]?[relationship.name] else { return }
        let destination = relationship.destinationName
        var common = PropertyFields(
            name: relationship.name, isOptional: relationship.isOptional,
            isTransient: relationship.isTransient, isIndexedBySpotlight: relationship.isIndexedBySpotlight,
            renamingIdentifier: relationship.renamingIdentifier,
            versionHashModifier: relationship.versionHashModifier, userInfo: relationship.userInfo)
        common.isOrdered = relationship.isOrdered
        common.rules = try rules(relationship.validationRules, at: "\(entity).\(relationship.name)")
        var fields = try self.fields(common)
        fields["NSEntity"] = entities[entity]!
        fields["NSDestinationEntity"] = entities[destination] ?? ArchiveBuilder.null
        fields["_NSDestinationEntityName"] = archive.string(destination)
        let inverse = relationship.inverseName.flatMap { property($0, of: destination) }
        fields["NSInverseRelationship"] = inverse ?? ArchiveBuilder.null
        fields["_NSInverseRelationshipName"] = archive.string(relationship.inverseName)
        fields["NSMinCount"] = .integer(Int64(relationship.minimumCount))
        let maximum = relationship.maximumCount == Int.max ? -1 : relationship.maximumCount
        fields["NSMaxCount"] = .integer(Int64(maximum))
        fields["NSDeleteRule"] = .integer(Int64(relationship.deleteRule.rawValue))
        if relationship.isOrdered { fields["NSIsOrdered"] = .boolean(true) }
        archive.fill(reference, "NSRelationshipDescription", fields)
    }

    mutating func write(_ property: FetchedPropertyElement, of entity: String) throws {
        guard let reference = properties[entity]?[property.name] else { return }
        var common = PropertyFields(
            name: property.name, isOptional: true, isTransient: true, isIndexedBySpotlight: false,
            renamingIdentifier: property.renamingIdentifier, versionHashModifier: nil,
            userInfo: property.userInfo)
        common.isReadOnly = true
        var fields = try self.fields(common)
        fields["NSEntity"] = entities[entity]!
        let path = "\(entity).\(property.name)"
        fields["NSFetchRequest"] =
            try property.fetchRequest.map { try fetchRequest($0, at: path) } ?? ArchiveBuilder.null
        fields["_NSFetchRequestEntityName"] = archive.string(property.fetchRequest?.entityName)
        archive.fill(reference, "NSFetchedPropertyDescription", fields)
    }
}

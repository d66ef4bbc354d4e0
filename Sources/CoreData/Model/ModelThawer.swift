import CoreDataModelFormat
import CoreDataPredicates
import CoreDataValues
import Foundation

extension NSManagedObjectModel {
    /// Fills an empty model from a document.
    ///
    /// - Throws: An error that names the text of the document that cannot be understood.
    func thaw(_ document: ModelDocument) throws {
        // Checked before the entities are linked: linking a cycle traps, but a cycle in a file has to be an
        // error.
        let faults = document.ownAncestors.map { "\($0): the entity is its own ancestor" }
        guard faults.isEmpty else { throw CoreDataError.invalidModel(faults) }
        let thawer = ModelThawer(composites: document.composites)
        var byName: [String: NSEntityDescription] = [:]
        for element in document.entities { byName[element.name] = try thawer.entity(element) }
        for element in document.entities {
            guard let parentName = element.parentName, let child = byName[element.name] else { continue }
            byName[parentName]?.subentities.append(child)
        }
        entities = document.entities.compactMap { byName[$0.name] }
        for element in document.entities {
            try byName[element.name].map { try thawer.addIndexes(of: element, to: $0) }
        }
        for configuration in document.configurations {
            setEntities(
                configuration.entityNames.compactMap { byName[$0] }, forConfigurationName: configuration.name)
        }
        for element in document.fetchRequests {
            let storage = try thawer.request(element)
            storage.entity = byName[element.entityName]
            setFetchRequestTemplate(NSFetchRequest(sharing: storage), forName: element.name)
        }
        for case let fetched as NSFetchedPropertyDescription in byName.values.flatMap(\.ownProperties) {
            guard let storage = fetched.fetchRequest?.storage else { continue }
            storage.entity = storage.entityName.flatMap { byName[$0] }
        }
        versionIdentifiers = Set(document.versionIdentifiers)
    }
}

/// A converter of a document's elements into descriptions.
private struct ModelThawer {
    let composites: [CompositeElement]

    // MARK: Entities

    func entity(_ element: EntityElement) throws -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = element.name
        entity.managedObjectClassName = element.className
        entity.isAbstract = element.isAbstract
        entity.ownRenamingIdentifier = element.renamingIdentifier
        entity.versionHashModifier = element.versionHashModifier
        entity.userInfo = element.userInfo.dictionary
        entity.uniquenessConstraints = element.uniquenessConstraints
        entity.nameIndexes = element.compoundIndexes
        entity.displayNameExpression = try element.spotlightDisplayNameExpression.map(ModelText.expression)
        entity.properties =
            try element.attributes.map { try attribute($0) }
            + element.relationships.map(relationship)
            + element.fetchedProperties.map(fetchedProperty)
        return entity
    }

    /// Adds the indexes of an entity.
    ///
    /// They name inherited properties, too, so this is called after parents are linked.
    func addIndexes(of element: EntityElement, to entity: NSEntityDescription) throws {
        let properties = entity.propertiesByName
        entity.indexes = try element.fetchIndexes.map { index in
            let description = NSFetchIndexDescription(
                name: index.name,
                elements: try index.elements.compactMap { try indexElement($0, properties) })
            description.partialIndexPredicate = try index.partialPredicate.map(ModelText.predicate)
            return description
        }
    }

    private func indexElement(
        _ element: FetchIndexElement.Element, _ properties: [String: NSPropertyDescription]
    ) throws -> NSFetchIndexElementDescription? {
        guard
            let property = try element.expression.map({ try computed($0, element.expressionType) })
                ?? element.propertyName.flatMap({ properties[$0] })
        else { return nil }
        let description = NSFetchIndexElementDescription(
            property: property,
            collationType: NSFetchIndexElementType(rawValue: UInt(element.kind.rawValue)) ?? .binary)
        description.isAscending = element.isAscending
        return description
    }

    private func computed(_ text: String, _ type: AttributeType) throws -> NSPropertyDescription {
        let description = NSExpressionDescription()
        description.name = text
        description.expression = try ModelText.expression(text)
        description.expressionResultType = NSAttributeType(type)
        return description
    }

    // MARK: Properties

    private func attribute(_ element: AttributeElement, depth: Int = 0) throws -> NSAttributeDescription {
        let attribute: NSAttributeDescription
        if let text = element.derivationExpression {
            let derived = NSDerivedAttributeDescription()
            derived.derivationExpression = try ModelText.expression(text)
            attribute = derived
        } else if element.type == .composite {
            attribute = try composite(named: element.compositeName, depth: depth)
        } else {
            attribute = NSAttributeDescription()
        }
        attribute.name = element.name
        attribute.attributeType = NSAttributeType(element.type)
        attribute.isOptional = element.isOptional
        attribute.isTransient = element.isTransient
        attribute.defaultValue = defaultValue(of: element)
        attribute.ownValueClassName = element.customClassName
        attribute.valueTransformerName = element.valueTransformerName
        attribute.allowsExternalBinaryDataStorage = element.allowsExternalStorage
        attribute.preservesValueInHistoryOnDeletion = element.preservesValueOnDeletion
        attribute.allowsCloudEncryption = element.allowsCloudEncryption
        attribute.isIndexedBySpotlight = element.isIndexedBySpotlight
        attribute.inExternalRecord = element.isStoredInExternalRecord
        attribute.hasIndex = element.isIndexed
        attribute.ownRenamingIdentifier = element.renamingIdentifier
        attribute.versionHashModifier = element.versionHashModifier
        attribute.userInfo = element.userInfo.dictionary
        try addRules(element.limitRules + element.validationRules, to: attribute)
        return attribute
    }

    /// Returns a composite attribute with its elements, which may be composites.
    ///
    /// Endless nesting in a damaged model is cut off.
    private func composite(named name: String?, depth: Int) throws -> NSCompositeAttributeDescription {
        let description = NSCompositeAttributeDescription()
        description.compositeName = name
        guard depth < composites.count, let composite = composites.first(where: { $0.name == name }) else {
            return description
        }
        description.elements = try composite.attributes.map { try attribute($0, depth: depth + 1) }
        return description
    }

    /// Returns the default value as an object.
    ///
    /// The default of a transformable attribute is an archive. Only Foundation's value classes are decoded
    /// from it, since the file may come from anywhere.
    private func defaultValue(of element: AttributeElement) -> Any? {
        guard element.type == .transformable, case .data(let archive) = element.defaultValue else {
            return element.defaultValue.object
        }
        return NSSecureUnarchiveFromDataTransformer().transformedValue(archive)
    }

    private func relationship(_ element: RelationshipElement) throws -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = element.name
        relationship.destinationName = element.destinationName
        relationship.inverseName = element.inverseName
        relationship.isOptional = element.isOptional
        relationship.isTransient = element.isTransient
        relationship.isOrdered = element.isOrdered
        relationship.minCount = element.minimumCount
        relationship.maxCount = element.maximumCount
        relationship.deleteRule =
            NSDeleteRule(rawValue: UInt(element.deleteRule.rawValue)) ?? .nullifyDeleteRule
        relationship.isIndexedBySpotlight = element.isIndexedBySpotlight
        relationship.ownRenamingIdentifier = element.renamingIdentifier
        relationship.versionHashModifier = element.versionHashModifier
        relationship.userInfo = element.userInfo.dictionary
        try addRules(element.validationRules, to: relationship)
        return relationship
    }

    private func fetchedProperty(_ element: FetchedPropertyElement) throws -> NSFetchedPropertyDescription {
        let fetched = NSFetchedPropertyDescription()
        fetched.name = element.name
        fetched.isOptional = element.isOptional
        fetched.isTransient = true
        fetched.ownRenamingIdentifier = element.renamingIdentifier
        fetched.userInfo = element.userInfo.dictionary
        fetched.fetchRequest = try element.fetchRequest.map { NSFetchRequest(sharing: try request($0)) }
        return fetched
    }

    private func addRules(_ rules: [ValidationRule], to property: NSPropertyDescription) throws {
        let warnings = rules.map { rule -> Any in
            switch rule.warning {
            case .code(let code): NSNumber(value: code)
            case .message(let message): message
            }
        }
        property.setValidationRules(
            try rules.map { try ModelText.predicate($0.predicate) }, warnings: warnings)
    }

    // MARK: Others

    func request(_ element: FetchRequestElement) throws -> FetchRequestStorage {
        let request = FetchRequestStorage()
        request.entityName = element.entityName
        request.predicate = try element.predicate.map(ModelText.predicate)
        request.sortDescriptors =
            element.sort.isEmpty
            ? nil
            : element.sort.map {
                ModelText.sortDescriptor($0.keyPath, ascending: $0.isAscending, selector: $0.selector)
            }
        request.fetchLimit = element.fetchLimit
        request.fetchOffset = element.fetchOffset
        request.fetchBatchSize = element.fetchBatchSize
        request.resultType = NSFetchRequestResultType(rawValue: UInt(element.resultType))
        request.includesSubentities = element.includesSubentities
        request.includesPropertyValues = element.includesPropertyValues
        request.includesPendingChanges = element.includesPendingChanges
        request.returnsObjectsAsFaults = element.returnsObjectsAsFaults
        request.returnsDistinctResults = element.returnsDistinctResults
        request.relationshipKeyPathsForPrefetching =
            element.prefetchedKeyPaths.isEmpty ? nil : element.prefetchedKeyPaths
        return request
    }
}

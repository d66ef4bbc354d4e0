import CoreDataModelFormat
import CoreDataPredicates
import CoreDataValues
import Foundation
import Synchronization

extension NSManagedObjectModel {
    /// Returns the compiled model.
    ///
    /// The first call checks and compiles the model and makes every description immutable; later ones return
    /// the same object. May be called from any thread.
    ///
    /// - Throws: An error that names every fault of a model that cannot be used. The model stays editable
    ///   then.
    func freeze() throws -> FrozenModel {
        try frozen.withLock { existing in
            if let existing { return existing }
            let made = FrozenModel(self, compiled: try compiled())
            seal(made)
            existing = made
            LiveModels.noteUse(of: made)
            return made
        }
    }

    /// The frozen model, if the model is in use already.
    var frozenModel: FrozenModel? { frozen.withLock { $0 } }

    /// Throws for a model that no coordinator would take, naming every fault.
    ///
    /// For models from files, which may have been damaged.
    func requireUsable() throws { _ = try compiled() }

    private func compiled() throws -> CompiledModel {
        var freezer = ModelFreezer()
        let document = freezer.document(of: self)
        do {
            let compiled = try ModelCompiler(document).compile()
            guard freezer.faults.isEmpty else { throw CoreDataError.invalidModel(freezer.faults) }
            return compiled
        } catch let failure as ModelCompiler.Failure {
            throw CoreDataError.invalidModel(freezer.faults + failure.faults)
        }
    }

    /// Makes every description immutable, and stores values that descriptions no longer have to compute.
    private func seal(_ frozen: FrozenModel) {
        for (entity, properties) in zip(frozen.entities, frozen.properties) {
            entity.flattened = FlattenedProperties(properties)
            entity.runtimeLink = frozen.index(of: entity).map { frozen.runtime($0).link }
            for property in properties { property.seal() }
            for index in entity.indexes { index.freeze() }
        }
        for template in templates.values { template.storage.isFrozen = true }
        frozenEntitiesByName = entitiesByName
    }
}

extension NSPropertyDescription {
    fileprivate func seal() {
        isFrozen = true
        if let composite = self as? NSCompositeAttributeDescription {
            for element in composite.elements { element.seal() }
        }
        if let request = (self as? NSFetchedPropertyDescription)?.fetchRequest {
            request.storage.isFrozen = true
        }
    }
}

/// A converter of descriptions into a document.
///
/// It collects the faults: what a document cannot hold.
struct ModelFreezer {
    private(set) var faults: [String] = []
    private var composites: [String: CompositeElement] = [:]

    mutating func document(of model: NSManagedObjectModel) -> ModelDocument {
        var document = document(of: model.entities)
        document.versionIdentifiers = model.versionIdentifiers.map { "\($0)" }.sorted()
        document.fetchRequests = model.templates.sorted(by: \.key).map { name, request in
            element(of: request.storage, name: name)
        }
        document.configurations = model.configurations.map { name in
            ConfigurationElement(
                name: name,
                entityNames: (model.entities(forConfigurationName: name) ?? []).map { $0.name ?? "" })
        }
        return document
    }

    /// Returns a document of entities and their composites, without anything else.
    mutating func document(of entities: [NSEntityDescription]) -> ModelDocument {
        var document = ModelDocument()
        document.entities = entities.map { element(of: $0) }
        document.composites = sortedComposites
        return document
    }

    /// The composites found so far.
    var sortedComposites: [CompositeElement] { composites.values.sorted(by: \.name) }

    // MARK: Entities

    private mutating func element(of entity: NSEntityDescription) -> EntityElement {
        let name = entity.name ?? ""
        if name.isEmpty { faults.append("an entity has no name") }
        var element = EntityElement(name: name)
        element.className = entity.managedObjectClassName
        element.parentName = entity.superentity?.name
        element.isAbstract = entity.isAbstract
        element.renamingIdentifier = entity.ownRenamingIdentifier
        element.versionHashModifier = entity.versionHashModifier
        element.spotlightDisplayNameExpression = entity.displayNameExpression.map(ModelText.text)
        element.userInfo = UserInfoEntry.entries(of: entity.userInfo)
        element.uniquenessConstraints = entity.constraintNames
        element.compoundIndexes = entity.nameIndexes.map {
            $0.map { "\(NSEntityDescription.nameOfProperty($0))" }
        }
        element.fetchIndexes = entity.indexes.map(Self.element)
        for property in entity.ownProperties {
            add(property, to: &element)
        }
        return element
    }

    private mutating func add(_ property: NSPropertyDescription, to element: inout EntityElement) {
        let path = "\(element.name).\(property.name)"
        if property.name.isEmpty { faults.append("\(element.name): a property has no name") }
        switch property {
        case let attribute as NSAttributeDescription:
            element.attributes.append(self.element(of: attribute, at: path))
        case let relationship as NSRelationshipDescription:
            element.relationships.append(self.element(of: relationship, at: path))
        case let fetched as NSFetchedPropertyDescription:
            element.fetchedProperties.append(self.element(of: fetched, at: path))
        default:
            faults.append(
                "\(path): \(type(of: property)) cannot be a property of an entity; use an attribute, a "
                    + "relationship or a fetched property")
        }
    }

    // MARK: Properties

    mutating func element(of attribute: NSAttributeDescription, at path: String) -> AttributeElement {
        var element = AttributeElement(name: attribute.name, type: attribute.attributeType.value)
        element.isOptional = attribute.isOptional
        element.isTransient = attribute.isTransient
        element.defaultValue = defaultValue(of: attribute, at: path)
        element.valueTransformerName = attribute.valueTransformerName
        element.customClassName = attribute.ownValueClassName
        element.allowsExternalStorage = attribute.allowsExternalBinaryDataStorage
        element.preservesValueOnDeletion = attribute.preservesValueInHistoryOnDeletion
        element.allowsCloudEncryption = attribute.allowsCloudEncryption
        element.isIndexedBySpotlight = attribute.isIndexedBySpotlight
        element.isStoredInExternalRecord = attribute.inExternalRecord
        element.isIndexed = attribute.hasIndex
        element.renamingIdentifier = attribute.ownRenamingIdentifier
        element.versionHashModifier = attribute.versionHashModifier
        element.userInfo = UserInfoEntry.entries(of: attribute.userInfo)
        element.validationRules = rules(of: attribute)
        if let derived = attribute as? NSDerivedAttributeDescription {
            if let expression = derived.derivationExpression {
                element.derivationExpression = ModelText.text(expression)
            } else {
                faults.append("\(path): the derived attribute has no derivation expression")
            }
        }
        if let composite = attribute as? NSCompositeAttributeDescription {
            element.compositeName = register(composite, at: path)
        }
        return element
    }

    private mutating func register(_ composite: NSCompositeAttributeDescription, at path: String) -> String {
        let elements = composite.elements.map { element(of: $0, at: "\(path).\($0.name)") }
        let name = composite.compositeName ?? path
        let known = composites[name]
        let key = known == nil || known?.attributes == elements ? name : path
        composites[key] = CompositeElement(name: key, attributes: elements)
        return key
    }

    private mutating func defaultValue(of attribute: NSAttributeDescription, at path: String)
        -> AttributeValue
    {
        guard let object = attribute.defaultValue else { return .null }
        if let value = AttributeValue(object, type: attribute.attributeType) { return value }
        faults.append(
            "\(path): unacceptable type of value for the default: desired type = "
                + "\(attribute.attributeValueClassName ?? "any"); given type = \(type(of: object)); value = \(object)"
        )
        return .null
    }

    mutating func element(
        of relationship: NSRelationshipDescription, at path: String
    ) -> RelationshipElement {
        if relationship.currentDestinationName == nil {
            faults.append("\(path): the relationship has no destination entity")
        }
        var element = RelationshipElement(
            name: relationship.name, destinationName: relationship.currentDestinationName ?? "")
        element.inverseName = relationship.currentInverseName
        element.inverseEntityName = relationship.inverseRelationship.flatMap { $0.owner?.name }
        element.isOptional = relationship.isOptional
        element.isTransient = relationship.isTransient
        element.isOrdered = relationship.isOrdered
        element.minimumCount = relationship.minCount
        element.maximumCount = relationship.maxCount
        element.deleteRule = RelationshipElement.DeleteRule(rawValue: Int(relationship.deleteRule.rawValue))!
        element.isIndexedBySpotlight = relationship.isIndexedBySpotlight
        element.renamingIdentifier = relationship.ownRenamingIdentifier
        element.versionHashModifier = relationship.versionHashModifier
        element.userInfo = UserInfoEntry.entries(of: relationship.userInfo)
        element.validationRules = rules(of: relationship)
        return element
    }

    private mutating func element(
        of fetched: NSFetchedPropertyDescription, at path: String
    ) -> FetchedPropertyElement {
        if fetched.fetchRequest == nil { faults.append("\(path): the fetched property has no fetch request") }
        return FetchedPropertyElement(
            name: fetched.name, isOptional: fetched.isOptional,
            fetchRequest: fetched.fetchRequest.map {
                element(of: $0.storage, name: "fetchedPropertyFetchRequest")
            },
            renamingIdentifier: fetched.ownRenamingIdentifier,
            userInfo: UserInfoEntry.entries(of: fetched.userInfo))
    }

    private func rules(of property: NSPropertyDescription) -> [ValidationRule] {
        zip(property.validationPredicates, property.validationWarnings).map { predicate, warning in
            ValidationRule(
                predicate: ModelText.text(predicate),
                warning: (warning as? NSNumber).map { .code($0.intValue) } ?? .message("\(warning)"))
        }
    }

    // MARK: Others

    private static func element(of index: NSFetchIndexDescription) -> FetchIndexElement {
        FetchIndexElement(
            name: index.name,
            elements: index.elements.map { element in
                let expression = element.property as? NSExpressionDescription
                return FetchIndexElement.Element(
                    propertyName: expression == nil ? element.propertyName : nil,
                    expression: (expression?.expression).map(ModelText.text),
                    expressionType: expression?.expressionResultType.value ?? .undefined,
                    kind: FetchIndexElement.Kind(rawValue: Int(element.collationType.rawValue))!,
                    isAscending: element.isAscending)
            },
            partialPredicate: index.partialIndexPredicate.map(ModelText.text))
    }

    private func element(of request: FetchRequestStorage, name: String) -> FetchRequestElement {
        FetchRequestElement(
            name: name, entityName: request.resolvedEntityName ?? "",
            predicate: request.predicate.map(ModelText.text),
            sort: (request.sortDescriptors ?? []).compactMap { descriptor in
                ModelText.keyPath(descriptor).map {
                    FetchRequestElement.Sort(
                        keyPath: $0, isAscending: descriptor.ascending,
                        selector: ModelText.selector(descriptor))
                }
            },
            fetchLimit: request.fetchLimit, fetchOffset: request.fetchOffset,
            fetchBatchSize: request.fetchBatchSize, resultType: Int(request.resultType.rawValue),
            includesSubentities: request.includesSubentities,
            includesPropertyValues: request.includesPropertyValues,
            includesPendingChanges: request.includesPendingChanges,
            returnsObjectsAsFaults: request.returnsObjectsAsFaults,
            returnsDistinctResults: request.returnsDistinctResults,
            prefetchedKeyPaths: request.relationshipKeyPathsForPrefetching ?? [])
    }
}

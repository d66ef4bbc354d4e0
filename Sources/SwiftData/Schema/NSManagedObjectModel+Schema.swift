public import CoreData

extension NSManagedObjectModel {
    /// Returns the model of a store for a schema, as a container makes it.
    ///
    /// - Throws: `SwiftDataError` that names a property whose type cannot be stored, or a relationship to a
    ///   model that is not in the schema.
    ///
    /// Unlike Apple's: it throws where Apple's framework traps.
    public static func makeManagedObjectModel(for schema: Schema) throws -> NSManagedObjectModel {
        for type in schema.types {
            guard let superclass = Schema.superclass(of: type), !superclass.isExpanded else { continue }
            throw SwiftDataError(
                .loadIssueModelContainer,
                "\(type) is a subclass of \(superclass), which conforms to PersistentModel by hand: make both "
                    + "models by @Model.")
        }
        let made = schema.entities.map { entity in
            let description = NSEntityDescription()
            description.name = entity.name
            description.managedObjectClassName = entity.name
            description.renamingIdentifier = entity.name
            return description
        }
        let model = NSManagedObjectModel()
        let byName = Dictionary(
            zip(schema.entities, made).map { ($0.name, $1) }, uniquingKeysWith: { first, _ in first })
        guard byName.count == made.count else {
            throw SwiftDataError(
                .loadIssueModelContainer,
                "Two models of the schema have the same name: entities are named after "
                    + "their class, without the types around it.")
        }
        for (entity, description) in zip(schema.entities, made) {
            description.properties = try entity.properties.map { property in
                if let attribute = property as? Schema.Attribute {
                    return try attribute.description(in: entity)
                }
                return try (property as! Schema.Relationship).description(in: entity, byName)
            }
        }
        for (entity, description) in zip(schema.entities, made) {
            if let superentity = entity.superentityName {
                guard let parent = byName[superentity] else {
                    throw SwiftDataError(
                        .loadIssueModelContainer,
                        "\(entity.name) is a subclass of \(superentity), which is no model of the schema.")
                }
                parent.subentities.append(description)
            }
        }
        for (entity, description) in zip(schema.entities, made) {
            try entity.connectInverses(of: description, byName, in: schema)
            description.uniquenessConstraints = entity.uniquenessConstraints
            description.indexes = try entity.indexes.map { try entity.index($0, in: description) }
        }
        model.entities = made
        model.setEntities(made, forConfigurationName: "default")
        model.versionIdentifiers = [schema.version.description]
        return model
    }
}

extension NSManagedObjectModel {
    /// Returns the model of a store for model classes and those that their relationships lead to, merged with
    /// other models; nil, with a message in the log, if there is none.
    ///
    /// An entity's class is the one with its name, so that a program can have managed objects for the models.
    public static func makeManagedObjectModel(
        for types: [any PersistentModel.Type], mergedWith models: [NSManagedObjectModel]? = nil
    ) -> NSManagedObjectModel? {
        do {
            let own = try makeManagedObjectModel(for: Schema(types))
            guard let models, !models.isEmpty else { return own }
            let merged = NSManagedObjectModel(byMerging: [own] + models)
            if merged == nil { FrameworkLog.error("The model of \(types) cannot be merged with \(models).") }
            return merged
        } catch {
            FrameworkLog.error("No model can be made of \(types): \(error)")
            return nil
        }
    }
}

extension Schema.Relationship {
    fileprivate func description(
        in entity: Schema.Entity, _ entities: [String: NSEntityDescription]
    ) throws(SwiftDataError) -> NSRelationshipDescription {
        guard let other = entities[destination] else {
            throw SwiftDataError(
                .loadIssueModelContainer,
                "\(entity.name).\(name) leads to \(destination), which is no model of the schema.")
        }
        let description = NSRelationshipDescription()
        description.name = name
        description.renamingIdentifier = originalName
        description.isOptional = isToOneRelationship || ValueType(valueType).isOptional
        description.destinationEntity = other
        description.maxCount = isToOneRelationship ? 1 : maximumModelCount ?? 0
        description.minCount = isToOneRelationship ? 0 : minimumModelCount ?? 0
        description.versionHashModifier = hashModifier
        description.deleteRule =
            switch deleteRule {
            case .cascade: .cascadeDeleteRule
            case .deny: .denyDeleteRule
            case .noAction: .noActionDeleteRule
            case .nullify: .nullifyDeleteRule
            }
        return description
    }
}

extension Schema.Entity {
    fileprivate func connectInverses(
        of description: NSEntityDescription, _ entities: [String: NSEntityDescription], in schema: Schema
    ) throws(SwiftDataError) {
        for relationship in orderedRelationships {
            guard let inverse = relationship.inverseName else { continue }
            guard
                let other = entities[relationship.destination]?.relationshipsByName[inverse],
                other.destinationEntity === description
            else {
                throw SwiftDataError(
                    .loadIssueModelContainer,
                    "\(name).\(relationship.name) has the inverse \(relationship.destination).\(inverse), "
                        + "which does not lead back to \(name).")
            }
            let declared = schema.entitiesByName[relationship.destination]?.relationshipsByName[inverse]
            if let back = declared?.inverseName, back != relationship.name {
                throw SwiftDataError(
                    .loadIssueModelContainer,
                    "\(name).\(relationship.name) has the inverse \(relationship.destination).\(inverse), "
                        + "whose own inverse is \(name).\(back): a relationship has one inverse.")
            }
            description.relationshipsByName[relationship.name]?.inverseRelationship = other
        }
    }

    fileprivate func index(
        _ index: Index, in description: NSEntityDescription
    ) throws(SwiftDataError) -> NSFetchIndexDescription {
        var elements: [NSFetchIndexElementDescription] = []
        for property in index.names {
            guard let found = description.propertiesByName[property] else {
                throw SwiftDataError(
                    .loadIssueModelContainer,
                    "An index of \(name) names \(property), which is no stored property.")
            }
            elements.append(
                NSFetchIndexElementDescription(
                    property: found, collationType: index.isSpatial ? .rTree : .binary))
        }
        let kind = index.isSpatial ? "Rtree" : "Binary"
        return NSFetchIndexDescription(
            name: "SwiftDataIndexOn\(kind)" + index.names.joined(), elements: elements)
    }
}

import CoreData

extension Schema.Attribute {
    /// Returns the attribute for the model of a store.
    ///
    /// - Throws: `SwiftDataError` that names the property, and the type that cannot be stored.
    func description(in entity: Schema.Entity) throws(SwiftDataError) -> NSAttributeDescription {
        let description = try made(in: entity)
        description.name = name
        description.renamingIdentifier = originalName
        description.isOptional = description.isOptional || ValueType(valueType).isOptional
        description.versionHashModifier = hashModifier
        description.allowsExternalBinaryDataStorage = options.contains(.externalStorage)
        description.preservesValueInHistoryOnDeletion = options.contains(.preserveValueOnDeletion)
        description.allowsCloudEncryption = options.contains(.allowsCloudEncryption)
        description.isIndexedBySpotlight = options.contains(.spotlight)
        description.isTransient = options.contains(.ephemeral)
        return description
    }

    /// Returns an attribute of the type's layout, with the default value.
    private func made(in entity: Schema.Entity) throws(SwiftDataError) -> NSAttributeDescription {
        let type = ValueType(valueType).wrapped
        if let transformerName {
            let value = (defaultValue as? any OptionalType).map(\.content) ?? defaultValue
            let description = Self.attribute(.transformableAttributeType, value)
            description.valueTransformerName = transformerName
            return description
        }
        let isWhole = options.contains(.codable)
        if !isWhole, let stored = StoredType(of: type) {
            return Self.attribute(stored.attributeType, defaultValue.flatMap(stored.boxed))
        }
        guard let coded = type as? any Codable.Type else { throw refusal(of: type, at: [], in: entity) }
        let value = (defaultValue as? any OptionalType).map(\.content) ?? defaultValue
        do {
            return try isWhole
                ? description(of: .bytes, coded, value as? any Codable)
                : description(of: ValueLayout.of(coded), coded, value as? any Codable)
        } catch let obstacle as ValueLayout.Obstacle {
            throw refusal(of: obstacle.type, at: obstacle.path, in: entity)
        } catch {
            throw SwiftDataError(
                .loadIssueModelContainer,
                "The value in the declaration of \(entity.name).\(name) cannot be stored: \(error)")
        }
    }

    private func description(
        of layout: ValueLayout, _ type: any Codable.Type, _ value: (any Codable)?
    ) throws -> NSAttributeDescription {
        switch layout {
        case .column(let stored):
            return Self.attribute(
                stored.attributeType, try value.flatMap { try StoredValue.object(of: $0) })
        case .elements(let elements):
            let description = NSCompositeAttributeDescription()
            let values = try value.flatMap { try StoredValue.object(of: $0) } as? [String: Any]
            description.elements = elements.map { $0.description(values?[$0.name]) }
            description.isOptional = layout.mayBeEmpty
            return description
        case .bytes:
            let description = Self.attribute(
                isCollection(type) ? .transformableAttributeType : .binaryDataAttributeType,
                try value.flatMap { try StoredValue.bytes(of: $0) })
            if isCollection(type) {
                BytesTransformer.register
                description.valueTransformerName = BytesTransformer.name
                description.attributeValueClassName = "\(type)"
            }
            return description
        }
    }

    /// Returns a mandatory attribute of a type.
    fileprivate static func attribute(_ type: NSAttributeType, _ value: Any?) -> NSAttributeDescription {
        let description = NSAttributeDescription()
        description.attributeType = type
        description.defaultValue = value
        description.isOptional = false
        return description
    }

    /// Returns whether Apple's framework keeps a type as transformable values.
    private func isCollection(_ type: Any.Type) -> Bool {
        type is any Collection.Type || options.contains(.codable)
    }

    private func refusal(of type: Any.Type, at path: [String], in entity: Schema.Entity) -> SwiftDataError {
        let place = ([entity.name, name] + path).joined(separator: ".")
        let reason =
            type is AnyClass
            ? "\(place) has the type \(type), a class, whose objects a store cannot keep: make it a "
                + "struct, declare the property @Transient, or a relationship if it is a model."
            : "\(place) has the type \(type), which a store cannot keep: let it conform to Codable, or "
                + "declare the property @Transient."
        return SwiftDataError(.loadIssueModelContainer, reason)
    }
}

extension ValueLayout.Element {
    /// Returns the element of a composite attribute, with its default value.
    fileprivate func description(_ value: Any?) -> NSAttributeDescription {
        let description: NSAttributeDescription
        switch layout {
        case .column(let stored):
            description = Schema.Attribute.attribute(stored.attributeType, value)
        case .elements(let elements):
            let composite = NSCompositeAttributeDescription()
            let values = value as? [String: Any]
            composite.elements = elements.map { $0.description(values?[$0.name]) }
            description = composite
        case .bytes:
            description = Schema.Attribute.attribute(.binaryDataAttributeType, value)
        }
        description.name = name
        description.renamingIdentifier = name
        description.isOptional = mayBeMissing
        return description
    }
}

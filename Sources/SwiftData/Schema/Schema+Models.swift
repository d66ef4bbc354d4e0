import CoreData

extension Schema {
    /// One stored property of a model class, as `@Model` finds it.
    public struct PropertyMetadata {
        let name: String
        let keypath: AnyKeyPath
        let defaultValue: Any?
        let metadata: (any SchemaProperty)?

        /// Makes the description of a property.
        ///
        /// - Parameters:
        ///   - name: The name of the property.
        ///   - keypath: The key path to it, whose type says what is stored.
        ///   - defaultValue: The value in its declaration; nil for none.
        ///   - metadata: What `@Attribute` or `@Relationship` says; nil without one.
        public init(
            name: String, keypath: AnyKeyPath, defaultValue: Any? = nil, metadata: (any SchemaProperty)? = nil
        ) {
            self.name = name
            self.keypath = keypath
            self.defaultValue = defaultValue
            self.metadata = metadata
        }

        /// Whether the value is no part of a row.
        var isEphemeral: Bool { (metadata as? Attribute)?.options.contains(.ephemeral) ?? false }

        /// Returns the property for an entity.
        fileprivate var property: any SchemaProperty {
            let type = Swift.type(of: keypath).valueType
            guard let destination = ValueType(type).element as? any PersistentModel.Type else {
                let attribute = metadata as? Attribute ?? Attribute()
                attribute.take(name, type, defaultValue)
                return CompositeAttribute(of: attribute) ?? attribute
            }
            let relationship = metadata as? Relationship ?? Relationship()
            relationship.isAnnotated = metadata != nil
            relationship.keypath = keypath
            relationship.take(name, type, Schema.entityName(for: destination))
            return relationship
        }
    }

    /// Makes a schema of model classes and those that their relationships lead to.
    public convenience init(_ types: [any PersistentModel.Type], version: Version = Version(1, 0, 0)) {
        var found: [any PersistentModel.Type] = []
        var open = types
        while let type = open.popLast() {
            if found.contains(where: { $0 == type }) { continue }
            found.append(type)
            if let superclass = Self.superclass(of: type) { open.append(superclass) }
            open += type.schemaMetadata.compactMap {
                ValueType(Swift.type(of: $0.keypath).valueType).element as? any PersistentModel.Type
            }
        }
        ModelTypes.note(found)
        self.init(found.map { Entity(of: $0) }, version: version, types: found)
    }

    /// Makes a schema of model classes and those that their relationships lead to.
    public convenience init(_ types: any PersistentModel.Type..., version: Version = Version(1, 0, 0)) {
        self.init(types, version: version)
    }

    /// Returns the name of a class's entity: that of the class, without the types around it.
    public static func entityName(for type: any PersistentModel.Type) -> String {
        _typeName(type, qualified: false)
    }

    /// Returns the model class of which another one is a subclass; nil for none.
    static func superclass(of type: any PersistentModel.Type) -> (any PersistentModel.Type)? {
        _getSuperclass(type) as? any PersistentModel.Type
    }

    /// Returns a class and its superclasses, the outermost first.
    static func lineage(of type: any PersistentModel.Type) -> [any PersistentModel.Type] {
        Array(sequence(first: type, next: superclass)).reversed()
    }

    /// Returns the attributes of a class and its superclasses.
    static func attributes(of type: any PersistentModel.Type) -> [Attribute] {
        lineage(of: type).flatMap { Entity(of: $0).properties.compactMap { $0 as? Attribute } }
    }

    /// Returns the entity of a class; nil if the schema does not have it.
    public func entity(for type: any PersistentModel.Type) -> Entity? {
        types.contains { $0 == type } ? entitiesByName[Self.entityName(for: type)] : nil
    }
}

extension Schema.Entity {
    /// Makes the entity of a class, and notes the names of its key paths.
    convenience init(of type: any PersistentModel.Type) {
        let metadata = type.schemaMetadata
        for property in metadata { ManagedClasses.register(keyPath: property.keypath, name: property.name) }
        func names(_ keyPaths: [AnyKeyPath]) -> [String] {
            keyPaths.map { path in metadata.first { $0.keypath == path }?.name ?? "\(path)" }
        }
        self.init(
            Schema.entityName(for: type), properties: metadata.map(\.property),
            uniquenessConstraints: type._$uniqueness.map(names),
            indexes: type._$indices.map { Index(names: names($0.keyPaths), isSpatial: $0.isSpatial) },
            superentityName: Schema.superclass(of: type).map(Schema.entityName))
        for relationship in orderedRelationships {
            guard let inverse = relationship.inverseKeyPath else { continue }
            let other = Swift.type(of: inverse).rootType as? any PersistentModel.Type
            relationship.inverseName =
                other?.schemaMetadata.first { $0.keypath == inverse }?.name ?? "\(inverse)"
        }
    }
}

extension Schema.Attribute {
    fileprivate func take(_ name: String, _ type: Any.Type, _ value: Any?) {
        self.name = name
        if originalName.isEmpty { originalName = name }
        valueType = type
        defaultValue = defaultValue ?? value
    }
}

extension Schema.Relationship {
    fileprivate func take(_ name: String, _ type: Any.Type, _ destination: String) {
        self.name = name
        if originalName.isEmpty { originalName = name }
        valueType = type
        self.destination = destination
    }
}

extension Schema: Hashable {
    /// Returns whether both have equal entities and the same version.
    ///
    /// Default values do not count: those of two schemas of the same classes may differ, say two UUIDs.
    public static func == (left: Schema, right: Schema) -> Bool {
        left.version == right.version && left.entities == right.entities
    }

    /// Feeds the version and the names of the entities.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(version)
        for entity in entities { hasher.combine(entity) }
    }
}

extension Schema.Entity: Hashable {
    /// Returns whether both have the same name, superentity, constraints and indexes, and equal properties in the
    /// same order.
    public static func == (left: Schema.Entity, right: Schema.Entity) -> Bool {
        left === right
            || left.name == right.name && left.superentityName == right.superentityName
                && left.uniquenessConstraints == right.uniquenessConstraints && left.indexes == right.indexes
                && left.properties.elementsEqual(right.properties, by: isEqual)
    }

    private static func isEqual(_ left: any SchemaProperty, _ right: any SchemaProperty) -> Bool {
        switch (left, right) {
        case (let left as Schema.Attribute, let right as Schema.Attribute): left == right
        case (let left as Schema.Relationship, let right as Schema.Relationship): left == right
        default: left === right
        }
    }

    /// Feeds the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension Schema.Attribute: Hashable {
    /// Returns whether both have the same names, type, options and hash modifier. Default values do not count.
    public static func == (left: Schema.Attribute, right: Schema.Attribute) -> Bool {
        left === right
            || left.name == right.name && left.originalName == right.originalName
                && left.valueType == right.valueType && left.options == right.options
                && left.hashModifier == right.hashModifier
    }

    /// Feeds the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension Schema.Relationship: Hashable {
    /// Returns whether both have the same names, type, options, destination, inverse, delete rule, counts and
    /// hash modifier.
    public static func == (left: Schema.Relationship, right: Schema.Relationship) -> Bool {
        left === right
            || left.name == right.name && left.originalName == right.originalName
                && left.valueType == right.valueType && left.options == right.options
                && left.destination == right.destination && left.inverseName == right.inverseName
                && left.deleteRule == right.deleteRule && left.minimumModelCount == right.minimumModelCount
                && left.maximumModelCount == right.maximumModelCount
                && left.hashModifier == right.hashModifier
    }

    /// Feeds the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

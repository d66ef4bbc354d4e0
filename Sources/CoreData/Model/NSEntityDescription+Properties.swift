import CoreDataValues

/// The properties of an entity, inherited ones first, by kind and by name.
struct FlattenedProperties {
    let properties: [NSPropertyDescription]
    let byName: [String: NSPropertyDescription]
    let attributes: [String: NSAttributeDescription]
    let relationships: [String: NSRelationshipDescription]

    init(_ properties: [NSPropertyDescription]) {
        self.properties = properties
        byName = Dictionary(properties.map { ($0.name, $0) }) { $1 }
        attributes = byName.compactMapValues { $0 as? NSAttributeDescription }
        relationships = byName.compactMapValues { $0 as? NSRelationshipDescription }
    }
}

extension NSEntityDescription {
    private var flat: FlattenedProperties { flattened ?? FlattenedProperties(properties) }

    /// The properties, inherited ones first.
    ///
    /// The setter replaces the entity's own properties and ignores inherited ones in the new value. Traps for
    /// a model in use.
    public var properties: [NSPropertyDescription] {
        get { flattened?.properties ?? (superentity?.properties ?? []) + ownProperties }
        set {
            requireMutable()
            let inherited = Set((superentity?.properties ?? []).map(ObjectIdentifier.init))
            let kept = newValue.filter { !inherited.contains(ObjectIdentifier($0)) }
            for property in kept where property.isFrozen && property.owner !== self { immutableModelError() }
            for property in ownProperties where property.owner === self { property.owner = nil }
            for property in kept { property.owner = self }
            ownProperties = kept
        }
    }

    /// The properties by name, inherited ones included.
    public var propertiesByName: [String: NSPropertyDescription] { flat.byName }
    /// The attributes by name, inherited ones included.
    public var attributesByName: [String: NSAttributeDescription] { flat.attributes }
    /// The relationships by name, inherited ones included.
    public var relationshipsByName: [String: NSRelationshipDescription] { flat.relationships }

    /// Returns the relationships that lead to an entity, by name.
    public func relationships(forDestination entity: NSEntityDescription) -> [NSRelationshipDescription] {
        relationshipsByName.values
            .filter { $0.destinationEntity === entity || $0.destinationEntity == entity }
            .sorted(by: \.name)
    }
}

extension NSEntityDescription: Sequence {
    /// Returns an iterator over the properties, as fast enumeration does on Apple's systems.
    public func makeIterator() -> IndexingIterator<[NSPropertyDescription]> {
        properties.makeIterator()
    }
}

import CoreData

extension NSEntityDescription {
    convenience init(
        _ type: NSManagedObject.Type, _ name: String, _ attributes: KeyValuePairs<String, NSAttributeType>
    ) {
        self.init()
        self.name = name
        managedObjectClassName = NSStringFromClass(type)
        properties = attributes.map { name, type in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            attribute.isOptional = true
            return attribute
        }
    }

    /// Adds a relationship with its inverse.
    func relate(
        _ name: String, to other: NSEntityDescription, isToMany: Bool,
        deleteRule: NSDeleteRule = .nullifyDeleteRule,
        inverse: String, isInverseToMany: Bool
    ) {
        let (there, back) = (NSRelationshipDescription(), NSRelationshipDescription())
        (there.name, there.destinationEntity, there.deleteRule) = (name, other, deleteRule)
        (back.name, back.destinationEntity, back.deleteRule) = (inverse, self, .nullifyDeleteRule)
        there.maxCount = isToMany ? 0 : 1
        back.maxCount = isInverseToMany ? 0 : 1
        (there.isOptional, back.isOptional) = (true, true)
        (there.inverseRelationship, back.inverseRelationship) = (back, there)
        properties.append(there)
        other.properties.append(back)
    }

    func addIndex(on name: String) {
        let element = NSFetchIndexElementDescription(
            property: propertiesByName[name]!, collationType: .binary)
        indexes.append(NSFetchIndexDescription(name: "by_\(name)", elements: [element]))
    }
}

extension NSManagedObjectModel {
    convenience init(_ entities: NSEntityDescription...) {
        self.init()
        self.entities = entities
    }
}

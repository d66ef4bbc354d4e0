import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The escaped names of an entity and its properties in an XML store, where names that differ only in capital
/// and small letters are equal (xml-store §1).
struct XMLStoreNames {
    /// An attribute, or an element of a composite one.
    struct Value {
        let name: String
        /// The keys within a composite; empty for a plain attribute.
        let path: [String]
        let type: AttributeType
        /// The name for error messages: `Person.address.city`.
        let property: String
    }

    /// The property that a name in the file stands for.
    struct Property {
        let slot: PropertySlot
        /// The keys within a composite; empty for any other property.
        let path: [String]
        /// The attribute's type; nil for a relationship, and for a composite as a whole.
        let type: AttributeType?
    }

    let type: String
    /// The names of the properties, by slot.
    private(set) var properties: [String] = []
    private(set) var values: [[Value]] = []
    private var propertiesByName: [String: Property] = [:]

    /// - Throws: An error for names that would be equal in the file.
    init(_ entity: CompiledEntity, among types: XMLStoreTypes) throws(StoreError) {
        type = try types.type(of: entity)
        if let other = types.namesake(of: entity) { throw Self.alike(entity.name, other.name) }
        for slot in entity.slots {
            let leaves = slot.attribute.map { $0.elements.isEmpty ? [([], $0)] : $0.leaves } ?? []
            let own = leaves.first { $0.path.isEmpty }?.attribute.type
            properties.append(try claim(Property(slot: slot, path: [], type: own), of: entity))
            var values: [Value] = []
            for (path, leaf) in leaves {
                let property = Property(slot: slot, path: path, type: leaf.type)
                values.append(
                    Value(
                        name: path.isEmpty ? properties[slot.index] : try claim(property, of: entity),
                        path: path,
                        type: leaf.type, property: property.qualifiedName(in: entity)))
            }
            self.values.append(values)
        }
    }

    private mutating func claim(_ property: Property, of entity: CompiledEntity) throws(StoreError) -> String
    {
        let name = property.name.lowercased()
        if let other = propertiesByName.updateValue(property, forKey: name) {
            throw Self.alike(other.qualifiedName(in: entity), property.qualifiedName(in: entity))
        }
        return try XMLText.escapedName(name, of: property.qualifiedName(in: entity))
    }

    subscript(_ name: String) -> Property? { propertiesByName[name] ?? propertiesByName[name.lowercased()] }

    private static func alike(_ first: String, _ second: String) -> StoreError {
        StoreError(
            .invalidValue,
            "\(first) and \(second) have one name in an XML store, which does not tell capital from small letters: "
                + "use another type of store")
    }
}

extension XMLStoreNames.Property {
    fileprivate var name: String { ([slot.name] + path).joined(separator: ".") }

    fileprivate func qualifiedName(in entity: CompiledEntity) -> String { "\(entity.name).\(name)" }
}

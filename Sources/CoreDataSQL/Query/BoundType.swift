import CoreDataModelFormat
package import CoreDataValues

/// The type of an expression's value, which decides how constants beside it are encoded.
package enum BoundType: Sendable, Hashable {
    case attribute(AttributeType)
    /// A blob column whose inline values start with a marker byte (sqlite-store §6).
    case externalData
    /// The key of a row of this entity.
    case reference(EntityIndex)
    /// A value of Z_ENT.
    case entity
    case unknown

    var isText: Bool { self == .attribute(.string) || self == .attribute(.uri) }
}

extension PropertySlot {
    /// The type of the property's column.
    var columnType: BoundType {
        if let relationship { return .reference(relationship.destination) }
        guard let attribute else { return .unknown }
        return attribute.allowsExternalStorage ? .externalData : .attribute(attribute.type)
    }
}

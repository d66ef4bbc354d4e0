internal import CoreData

/// What it takes to read and write the values of an attribute.
struct AttributeBinding: Sendable {
    /// The stable name.
    let element: String
    /// The present name.
    let property: String
    let type: NSAttributeType
    /// Of a transformable attribute, the name of the app's transformer; nil for the standard ones.
    let transformer: String?
    /// Whether large values lie in files of their own.
    let isExternal: Bool
    /// Of a composite attribute.
    let elements: [AttributeBinding]

    init(_ description: NSAttributeDescription) {
        element = SyncModelReader.stableName(description)
        property = description.name
        type = description.attributeType
        let name = description.valueTransformerName ?? ""
        transformer = Self.standardTransformers.contains(name) ? nil : name
        isExternal = description.allowsExternalBinaryDataStorage
        let composite = description as? NSCompositeAttributeDescription
        elements = composite?.elements.map { AttributeBinding($0) } ?? []
    }

    private static let standardTransformers: Set<String> = [
        "", "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer", "NSKeyedUnarchiveFromData",
        "NSUnarchiveFromData",
    ]
}

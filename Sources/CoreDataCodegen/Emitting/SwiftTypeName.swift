package import CoreDataModelFormat
import CoreDataValues

/// The Swift types of modelled properties, spelled as in the model editor's generated code.
package enum SwiftTypeName {
    package static func type(of attribute: AttributeElement) -> String {
        switch attribute.type {
        case .integer16: attribute.usesScalarType ? "Int16" : "NSNumber?"
        case .integer32: attribute.usesScalarType ? "Int32" : "NSNumber?"
        case .integer64: attribute.usesScalarType ? "Int64" : "NSNumber?"
        case .double: attribute.usesScalarType ? "Double" : "NSNumber?"
        case .float: attribute.usesScalarType ? "Float" : "NSNumber?"
        case .boolean: attribute.usesScalarType ? "Bool" : "NSNumber?"
        case .decimal: "NSDecimalNumber?"
        case .string: "String?"
        case .date: attribute.usesScalarType ? "TimeInterval" : "Date?"
        case .binary: "Data?"
        case .uuid: "UUID?"
        case .uri: "URL?"
        case .transformable: transformable(attribute.customClassName)
        case .objectID: "NSManagedObjectID?"
        case .composite: "[String: Any]?"
        case .undefined: "NSObject?"
        }
    }

    private static func transformable(_ className: String?) -> String {
        guard let className, !className.isEmpty else { return "NSObject?" }
        return className.hasSuffix("?") ? className : className + "?"
    }
}

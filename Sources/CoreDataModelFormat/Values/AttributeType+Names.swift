package import CoreDataValues

/// The names of attribute types in model files (xcdatamodel §2), and the classes of their values in compiled
/// models (mom §3).
extension AttributeType {
    package init?(editorName: String) {
        guard let type = Self.allCases.first(where: { $0.editorName == editorName }) else { return nil }
        self = type
    }

    /// The name in model files; nil for the undefined type, for which the editor writes no name.
    package var editorName: String? {
        switch self {
        case .undefined: nil
        case .integer16: "Integer 16"
        case .integer32: "Integer 32"
        case .integer64: "Integer 64"
        case .decimal: "Decimal"
        case .double: "Double"
        case .float: "Float"
        case .string: "String"
        case .boolean: "Boolean"
        case .date: "Date"
        case .binary: "Binary"
        case .uuid: "UUID"
        case .uri: "URI"
        case .transformable: "Transformable"
        case .objectID: "ObjectID"
        case .composite: "Composite"
        }
    }

    /// The name of the Foundation class of the type's values; nil if the model names the class, or if there
    /// is none.
    package var valueClassName: String? {
        switch self {
        case .integer16, .integer32, .integer64, .double, .float, .boolean: "NSNumber"
        case .decimal: "NSDecimalNumber"
        case .string: "NSString"
        case .date: "NSDate"
        case .binary: "NSData"
        case .uuid: "NSUUID"
        case .uri: "NSURL"
        case .objectID: "NSManagedObjectID"
        case .composite: "NSDictionary"
        case .undefined, .transformable: nil
        }
    }

    package var isNumeric: Bool {
        switch self {
        case .integer16, .integer32, .integer64, .decimal, .double, .float: true
        default: false
        }
    }
}

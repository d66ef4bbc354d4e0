import CoreDataModelFormat
import CoreDataModelSource
import CoreDataValues

/// The types of attributes that a setting means something for.
enum AttributeFacetTypes {
    /// Returns the names of the types; nil for a setting of all attributes.
    static func types(of facet: String) -> [String]? {
        types(facet).map { types in types.compactMap(\.editorName) }
    }

    private static func types(_ facet: String) -> [AttributeType]? {
        switch facet {
        case "default":
            AttributeType.allCases.filter { ![.undefined, .binary, .objectID, .composite].contains($0) }
        case "minimum", "maximum": AttributeType.allCases.filter(\.hasLimits)
        case "regularExpression": [.string]
        case "composite": [.composite]
        case "transformer", "customClass": [.transformable]
        case "externalStorage": [.binary, .transformable]
        case "scalar": [.integer16, .integer32, .integer64, .double, .float, .boolean, .date]
        default: nil
        }
    }
}

import CoreDataValues

/// The groups in which a fresh table lists its attribute columns, in order (sqlite-store §5).
enum ColumnClass: CaseIterable {
    case integer
    case number
    case decimal
    case string
    case uri
    case uuid
    case transformable
    case binary
}

extension AttributeType {
    var columnClass: ColumnClass {
        switch self {
        case .integer16, .integer32, .integer64, .boolean: .integer
        case .date, .double, .float: .number
        case .decimal: .decimal
        case .string, .objectID: .string
        case .uri: .uri
        case .uuid: .uuid
        case .transformable: .transformable
        case .binary, .composite, .undefined: .binary
        }
    }
}

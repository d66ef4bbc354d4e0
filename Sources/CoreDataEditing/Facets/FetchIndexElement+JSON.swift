import CoreDataJSON
import CoreDataModelFormat
import CoreDataValues

/// The parts of an index as JSON: the name of a property, or an object if there is more to say.
extension FetchIndexElement.Element {
    private static let rTree = "RTree"

    var json: JSONValue {
        var members: [JSONValue.Member] = []
        if let propertyName { members.append(.init("property", .string(propertyName))) }
        if let expression {
            members.append(.init("expression", .string(expression)))
            if let type = expressionType.editorName { members.append(.init("type", .string(type))) }
        }
        if kind == .rTree { members.append(.init("kind", .string(Self.rTree))) }
        if !isAscending { members.append(.init("descending", .boolean(true))) }
        if members.count == 1, let propertyName { return .string(propertyName) }
        return .object(members)
    }

    init(_ json: JSONValue) throws(FacetMismatch) {
        let mismatch = FacetMismatch(FacetType.indexElements.expected)
        if let name = json.string, !name.isEmpty {
            self.init(propertyName: name)
            return
        }
        guard case .object(let members) = json else { throw mismatch }
        self.init(propertyName: nil)
        for member in members {
            switch (member.key, member.value) {
            case ("property", .string(let name)) where !name.isEmpty: propertyName = name
            case ("expression", .string(let text)) where !text.isEmpty: expression = text
            case ("type", .string(let name)):
                guard let type = AttributeType(editorName: name) else { throw mismatch }
                expressionType = type
            case ("kind", .string(Self.rTree)): kind = .rTree
            case ("descending", .boolean(let flag)): isAscending = !flag
            default: throw mismatch
            }
        }
        guard (propertyName == nil) != (expression == nil) else { throw mismatch }
        if expression == nil { expressionType = .undefined }
    }
}

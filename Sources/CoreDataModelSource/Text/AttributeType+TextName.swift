import CoreDataModelFormat
import CoreDataValues
import Foundation

/// The names of types in the text form of models.
extension AttributeType {
    init?(textName: String) {
        guard let type = Self.allCases.first(where: { $0.textName == textName }) else { return nil }
        self = type
    }

    package var textName: String {
        switch self {
        case .undefined: "undefined"
        case .integer16: "int16"
        case .integer32: "int32"
        case .integer64: "int64"
        case .decimal: "decimal"
        case .double: "double"
        case .float: "float"
        case .string: "string"
        case .boolean: "bool"
        case .date: "date"
        case .binary: "data"
        case .uuid: "uuid"
        case .uri: "uri"
        case .transformable: "transformable"
        case .objectID: "objectID"
        case .composite: "composite"
        }
    }
}

extension TextLine {
    mutating func attributeType() throws -> AttributeType {
        guard let word = nextWord, let type = AttributeType(textName: word) else {
            let names = AttributeType.allCases.map(\.textName).joined(separator: ", ")
            throw expected("->, ->>, ->>> or => and an entity, or a type (\(names))")
        }
        _ = take(word)
        return type
    }

    /// Takes a value of the type, or one that names its own type: `(data) AAEC`.
    mutating func value(of type: AttributeType) throws -> AttributeValue {
        var type = type
        if take("(") {
            type = try attributeType()
            guard take(")") else { throw expected(")") }
        }
        if type == .composite { return try compositeValue() }
        let start = self
        let text = try text("a value")
        guard let value = AttributeValue(text: text, type: type) else {
            throw start.expected("a value of the type \(type.textName)")
        }
        return value
    }

    /// Takes `{name = (type) value, …}`.
    private mutating func compositeValue() throws -> AttributeValue {
        guard take("{") else { throw expected("{ and the elements of a composite") }
        var elements: [String: AttributeValue] = [:]
        while !take("}") {
            let name = try name("the name of an element, or }")
            guard take("=") else { throw expected("= after \(name)") }
            guard isNext("(") else { throw expected("( and the type of the element") }
            elements[name] = try value(of: .undefined)
            guard take(",") || isNext("}") else { throw expected(", or }") }
        }
        return .composite(elements)
    }
}

extension AttributeValue {
    /// Spells a value of an attribute of the type; nil for null.
    func modelText(as type: AttributeType) -> String? {
        if case .composite(let elements) = self {
            let list = elements.sorted { $0.key < $1.key }.compactMap { name, value in
                value.modelText(as: .undefined).map { "\(TextSpelling.name(name)) = \($0)" }
            }
            return (type == .composite ? "" : "(composite) ") + "{\(list.joined(separator: ", "))}"
        }
        guard let ownType else { return nil }
        if let text = spelled(as: type), AttributeValue(text: text.value, type: type) == self {
            return text.spelling
        }
        return spelled(as: ownType).map { "(\(ownType.textName)) \($0.spelling)" }
    }

    /// The type whose values are of this kind.
    private var ownType: AttributeType? {
        switch self {
        case .null, .reference: nil
        case .boolean: .boolean
        case .integer: .integer64
        case .double: .double
        case .decimal: .decimal
        case .string: .string
        case .date: .date
        case .data: .binary
        case .uuid: .uuid
        case .uri: .uri
        case .composite: .composite
        }
    }

    private func spelled(as type: AttributeType) -> (value: String, spelling: String)? {
        switch self {
        case .boolean(let flag):
            let text = flag ? "true" : "false"
            return (text, text)
        case .date(let date):
            let text = DateText.text(of: date)
            let isExact = AttributeValue(text: text, type: .date) == self
            let value = isExact ? text : date.timeIntervalSinceReferenceDate.description
            return (value, isExact ? TextSpelling.quoted(value) : value)
        case .string(let text): return (text, TextSpelling.quoted(text))
        default: return text(as: type).map { ($0, TextSpelling.text($0)) }
        }
    }
}

import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues
import Foundation

/// The encoding of a predicate's constants in the form in which the column beside them stores its values
/// (sqlite-store §6).
///
/// It is as lenient as Core Data: `"5"` finds 5 in an integer column, and 5 finds `"5"` in a text column.
struct ConstantEncoder {
    let schema: StoreSchema
    /// Whether a database compares a column with values of its own type only.
    let isTyped: Bool

    /// A value that no key and no entity number equals.
    private static let nowhere = SQLValue.integer(.min)

    func encode(_ value: ExpressionValue, as type: BoundType) throws(StoreError) -> SQLValue {
        switch value {
        case .value(let value): return try encode(value, as: type)
        case .object(let object):
            if type == .entity, let name = object.entityName { return try entityNumber(.string(name)) }
            guard let reference = object.rowReference else {
                throw StoreError(
                    .inexpressible, "SQL cannot compare with an object that has no row: \(object)")
            }
            return try encode(.reference(reference), as: type)
        case .collection:
            throw StoreError(.inexpressible, "a collection stands where SQL needs one value")
        case .opaque(let value):
            throw StoreError(
                .inexpressible, "SQL has no value for \(value.base) of type \(Swift.type(of: value.base))")
        }
    }

    func encode(_ value: AttributeValue, as type: BoundType) throws(StoreError) -> SQLValue {
        let encoded = try untyped(value, as: type)
        guard !isTyped || type.includes(encoded) else {
            throw StoreError(.inexpressible, "SQL cannot compare a column with a value of another type")
        }
        return encoded
    }

    private func untyped(_ value: AttributeValue, as type: BoundType) throws(StoreError) -> SQLValue {
        if case .null = value { return .null }
        switch type {
        case .unknown: return try natural(value)
        case .reference(let entity): return try key(value, of: entity)
        case .entity: return try entityNumber(value)
        case .externalData:
            guard case .data(let data) = value else { return try natural(value) }
            // Inline values begin with a marker (sqlite-store §6). Longer ones are in files, which SQL does
            // not compare (`checkBytes`).
            return .blob(Data([1]) + data)
        case .attribute(let type):
            if case .reference(let reference) = value {
                throw StoreError(
                    .unsupported, "an object (key \(reference.key)) stands where SQL needs a value")
            }
            return try encode(value, as: type)
        }
    }

    private func encode(_ value: AttributeValue, as type: AttributeType) throws(StoreError) -> SQLValue {
        switch (type, value) {
        case (.string, .integer(let number)): .text(String(number))
        case (.string, .double(let number)): .text(number.description)
        case (.string, .decimal(let number)): .text(number.description)
        case (.string, .uuid(let uuid)): .text(uuid.uuidString)
        case (.uuid, .string(let text)): UUID(uuidString: text).flatMap { SQLValue(.uuid($0)) } ?? .text(text)
        case (.boolean, .string(let text)): Self.boolean(text)
        case (.integer16, .string(let text)), (.integer32, .string(let text)),
            (.integer64, .string(let text)), (.decimal, .string(let text)), (.double, .string(let text)),
            (.float, .string(let text)):
            Self.number(text)
        default: try natural(value)
        }
    }

    /// Returns the value in the stored form of its own type.
    private func natural(_ value: AttributeValue) throws(StoreError) -> SQLValue {
        guard let natural = SQLValue(value) else {
            throw StoreError(.inexpressible, "SQL cannot compare with a composite value")
        }
        return natural
    }

    private static func boolean(_ text: String) -> SQLValue {
        switch text.lowercased() {
        case "yes", "true", "y", "t": .integer(1)
        case "no", "false", "n", "f": .integer(0)
        default: number(text)
        }
    }

    private static func number(_ text: String) -> SQLValue {
        Int64(text).map(SQLValue.integer) ?? Double(text).map(SQLValue.double) ?? .text(text)
    }

    // MARK: Objects

    /// Returns the key of an object.
    ///
    /// Keys are unique within a root entity, so an object of another tree never matches.
    private func key(_ value: AttributeValue, of entity: EntityIndex) throws(StoreError) -> SQLValue {
        guard case .reference(let reference) = value else {
            throw StoreError(
                .unsupported,
                "SQL compares \(schema.model[entity].name) objects with objects, not with \(value)")
        }
        let entities = schema.model.entities
        guard entities.indices.contains(Int(reference.entity)),
            schema.model[reference.entity].root == schema.model[entity].root
        else { return Self.nowhere }
        return .integer(reference.key)
    }

    private func entityNumber(_ value: AttributeValue) throws(StoreError) -> SQLValue {
        guard case .string(let name) = value else {
            throw StoreError(.unsupported, "SQL compares entities by name, not with \(value)")
        }
        let number = schema.model.entity(named: name).flatMap { schema[$0.index]?.number }
        return number.map(SQLValue.integer) ?? Self.nowhere
    }
}

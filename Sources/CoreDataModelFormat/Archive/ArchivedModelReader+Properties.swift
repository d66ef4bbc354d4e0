import CoreDataPredicates
import CoreDataValues
import Foundation

extension ArchivedModelReader {
    mutating func attribute(
        _ object: ArchivedObject, named name: String, at path: String
    ) -> AttributeElement {
        let number = object.integer("NSAttributeType") ?? 0
        let type = AttributeType(rawValue: number) ?? .undefined
        if AttributeType(rawValue: number) == nil { warn(at: path, "unknown attribute type \(number)") }
        var attribute = AttributeElement(name: name, type: type)
        attribute.isOptional = object.flag("NSIsOptional")
        attribute.isTransient = object.flag("NSIsTransient")
        attribute.defaultValue = object.attributeValue("NSDefaultValue")?.converted(to: type) ?? .null
        attribute.valueTransformerName = object.string("NSValueTransformerName")
        if type == .transformable { attribute.customClassName = object.string("NSAttributeValueClassName") }
        let flags = object.integer("NSFlagsKey") ?? 0
        attribute.allowsExternalStorage = flags & AttributeFlags.allowsExternalStorage != 0
        attribute.preservesValueOnDeletion = flags & AttributeFlags.preservesValueOnDeletion != 0
        attribute.isIndexed = object.flag("NSIsIndexed")
        attribute.isIndexedBySpotlight = object.flag("NSIndexedBySpotlight")
        attribute.isStoredInExternalRecord = object.flag("NSStoredInExternalRecord")
        attribute.allowsCloudEncryption = object.flag("NSAllowsCloudEncryption")
        attribute.derivationExpression = object.object("NSDerivationExpression")
            .flatMap { expressionText($0, at: path) }
        attribute.renamingIdentifier = renamingIdentifier(object, name)
        attribute.versionHashModifier = object.string("NSVersionHashModifier")
        attribute.userInfo = object.userInfo
        if type == .composite { attribute.compositeName = composite(object, named: name, at: path) }
        readValidation(of: object, at: path, into: &attribute)
        return attribute
    }

    /// Records the composite of an attribute and returns its name, which is made from the attribute's path if
    /// the archive has none.
    private mutating func composite(_ object: ArchivedObject, named name: String, at path: String) -> String {
        let attributes = object.objects("NSElements").map { element in
            let elementName = element.string("NSPropertyName") ?? ""
            return attribute(element, named: elementName, at: "\(path).\(elementName)")
        }
        let compositeName = object.string("NSCompositeName") ?? "\(path).composite"
        composites[compositeName] = CompositeElement(name: compositeName, attributes: attributes)
        return compositeName
    }

    private mutating func readValidation(
        of object: ArchivedObject, at path: String, into attribute: inout AttributeElement
    ) {
        for (predicate, warning) in validation(of: object) {
            let limit = predicate.predicateNode.flatMap {
                ValidationLimit($0, warning, type: attribute.type)
            }
            switch limit {
            case .minimum(let value)? where attribute.minimum.isNull:
                attribute.minimum = value.converted(to: attribute.type.limitType) ?? value
            case .maximum(let value)? where attribute.maximum.isNull:
                attribute.maximum = value.converted(to: attribute.type.limitType) ?? value
            case .regularExpression(let pattern)? where attribute.regularExpression == nil:
                attribute.regularExpression = pattern
            default:
                guard let text = predicateText(predicate, at: path) else { continue }
                attribute.validationRules.append(ValidationRule(predicate: text, warning: warning))
            }
        }
    }

    /// Returns the validation predicates, each with its warning from a parallel list.
    ///
    /// A predicate without a warning reports the general validation error, 1550.
    private func validation(of object: ArchivedObject) -> [(ArchivedObject, ValidationRule.Warning)] {
        let warnings = object.values("NSValidationWarnings").map { value -> ValidationRule.Warning in
            switch value {
            case .integer(let code): .code(Int(code))
            case .string(let message): .message(message)
            default: .code(1550)
            }
        }
        return object.objects("NSValidationPredicates").enumerated().map { position, predicate in
            (predicate, warnings.indices.contains(position) ? warnings[position] : .code(1550))
        }
    }

    mutating func relationship(
        _ object: ArchivedObject, named name: String, at path: String
    ) -> RelationshipElement {
        let destination =
            object.string("_NSDestinationEntityName")
            ?? object.object("NSDestinationEntity")?.string("NSEntityName") ?? ""
        var relationship = RelationshipElement(name: name, destinationName: destination)
        let inverse = object.object("NSInverseRelationship")
        relationship.inverseName =
            object.string("_NSInverseRelationshipName") ?? inverse?.string("NSPropertyName")
        if relationship.inverseName != nil { relationship.inverseEntityName = destination }
        relationship.isOptional = object.flag("NSIsOptional")
        relationship.isTransient = object.flag("NSIsTransient")
        relationship.isOrdered = object.flag("NSIsOrdered")
        relationship.minimumCount = object.integer("NSMinCount") ?? 0
        relationship.maximumCount = object.integer("NSMaxCount") ?? 0
        if let rule = object.integer("NSDeleteRule") {
            relationship.deleteRule = RelationshipElement.DeleteRule(rawValue: rule) ?? .nullify
        }
        relationship.isIndexedBySpotlight = object.flag("NSIndexedBySpotlight")
        relationship.renamingIdentifier = renamingIdentifier(object, name)
        relationship.versionHashModifier = object.string("NSVersionHashModifier")
        relationship.userInfo = object.userInfo
        for (predicate, warning) in validation(of: object) {
            guard let text = predicateText(predicate, at: path) else { continue }
            relationship.validationRules.append(ValidationRule(predicate: text, warning: warning))
        }
        return relationship
    }

    mutating func fetchedProperty(
        _ object: ArchivedObject, named name: String, at path: String
    ) -> FetchedPropertyElement {
        FetchedPropertyElement(
            name: name,
            isOptional: object.flag("NSIsOptional"),
            fetchRequest: object.object("NSFetchRequest").map {
                fetchRequest($0, named: "fetchedPropertyFetchRequest", at: path)
            },
            renamingIdentifier: renamingIdentifier(object, name),
            userInfo: object.userInfo)
    }
}

/// The bits of `NSFlagsKey` (mom §2).
enum AttributeFlags {
    static let allowsExternalStorage = 4
    static let preservesValueOnDeletion = 16
}

extension AttributeValue {
    /// Returns an archived value as a value of the attribute's type, since archives contain 0 and 1 for
    /// Booleans, and whole numbers for floating-point types; nil if the number does not fit the type.
    func converted(to type: AttributeType) -> AttributeValue? {
        switch (type, self) {
        case (.boolean, .integer(let value)): .boolean(value != 0)
        case (.integer16, .boolean(let value)), (.integer32, .boolean(let value)),
            (.integer64, .boolean(let value)):
            .integer(value ? 1 : 0)
        case (.integer16, .double(let value)), (.integer32, .double(let value)),
            (.integer64, .double(let value)):
            Int64(exactly: value).map { .integer($0) }
        case (.double, .integer(let value)), (.float, .integer(let value)): .double(Double(value))
        case (.double, .boolean(let value)), (.float, .boolean(let value)): .double(value ? 1 : 0)
        case (.decimal, .integer(let value)): .decimal(Decimal(value))
        case (.decimal, .double(let value)): value.isFinite ? .decimal(Decimal(value)) : nil
        default: self
        }
    }
}

import CoreDataModelFormat
import CoreDataPredicates
package import CoreDataValues
import Foundation

extension LintRules {
    static let undefinedType: AttributeRule = { attribute, entity, _ in
        guard attribute.type == .undefined, !attribute.isTransient else { return [] }
        let path = path(attribute, entity)
        return [
            Diagnostic(.error, at: path, "an attribute that is not transient must have a type", facet: "type")
        ]
    }

    // MARK: Defaults and limits

    /// Reports a default or limit whose text is not a value of the attribute's type. The reader keeps such a
    /// text as an editor attribute.
    static let badDefault: AttributeRule = { attribute, entity, _ in
        let keys = [
            ("default", attribute.defaultValue), ("minimum", attribute.minimum),
            ("maximum", attribute.maximum),
        ]
        let prefixes = ["default", "min", "max"]
        return zip(keys, prefixes).compactMap { key, prefix in
            let text = attribute.editorAttributes["\(prefix)ValueString"] ?? ""
            let isLimit = prefix != "default"
            guard !text.isEmpty, key.1.isNull, !(isLimit && !attribute.type.hasLimits) else { return nil }
            let type = attribute.type.editorName ?? "Undefined"
            return Diagnostic(
                isLimit ? .warning : .error, at: path(attribute, entity),
                "the \(key.0) value \"\(text)\" is no value of type \(type)", facet: key.0)
        } + mistypedDefault(attribute, at: path(attribute, entity))
    }

    private static func mistypedDefault(_ attribute: AttributeElement, at path: String) -> [Diagnostic] {
        guard !attribute.defaultValue.isNull, attribute.type != .transformable,
            let text = attribute.defaultValue.text(as: attribute.type),
            AttributeValue(text: text, type: attribute.type) != attribute.defaultValue
        else { return [] }
        let type = attribute.type.editorName ?? "Undefined"
        return [
            Diagnostic(
                .error, at: path, "the default value \"\(text)\" is no value of type \(type)",
                facet: "default")
        ]
    }

    static let defaultOutsideLimits: AttributeRule = { attribute, entity, _ in
        guard let value = attribute.defaultValue.magnitude(as: attribute.type) else { return [] }
        let isLow = attribute.minimum.magnitude(as: attribute.type.limitType).map { value < $0 } ?? false
        let isHigh = attribute.maximum.magnitude(as: attribute.type.limitType).map { value > $0 } ?? false
        guard isLow || isHigh else { return [] }
        let limit = isLow ? "minimum" : "maximum"
        return [
            Diagnostic(
                .warning, at: path(attribute, entity),
                "the default value is \(isLow ? "below" : "above") the \(limit): new objects are not valid",
                facet: "default")
        ]
    }

    static let limitsInReverse: AttributeRule = { attribute, entity, _ in
        let type = attribute.type.limitType
        guard let low = attribute.minimum.magnitude(as: type),
            let high = attribute.maximum.magnitude(as: type),
            low > high
        else { return [] }
        return [
            Diagnostic(
                .error, at: path(attribute, entity), "the minimum is above the maximum", facet: "minimum")
        ]
    }

    static let badRegularExpression: AttributeRule = { attribute, entity, _ in
        guard let pattern = attribute.regularExpression,
            (try? NSRegularExpression(pattern: pattern)) == nil
        else { return [] }
        return [
            Diagnostic(
                .error, at: path(attribute, entity), "bad regular expression \"\(pattern)\"",
                facet: "regularExpression")
        ]
    }

    // MARK: Kinds of attributes

    /// Reports a transformable attribute without a secure transformer.
    ///
    /// An attribute that names no transformer is unarchived with objects of any class;
    /// `NSSecureUnarchiveFromData` lists the classes that it allows.
    static let insecureTransformer: AttributeRule = { attribute, entity, _ in
        let insecure = ["", "NSKeyedUnarchiveFromData", "NSUnarchiveFromData"]
        guard attribute.type == .transformable, insecure.contains(attribute.valueTransformerName ?? "") else {
            return []
        }
        return [
            Diagnostic(
                .warning, at: path(attribute, entity),
                "the attribute uses a nil or insecure value transformer; name NSSecureUnarchiveFromData or a "
                    + "subclass of NSSecureUnarchiveFromDataTransformer", facet: "transformer")
        ]
    }

    static let unknownComposite: AttributeRule = { attribute, entity, model in
        guard attribute.type == .composite,
            !model.document.composites.contains(where: { $0.name == attribute.compositeName })
        else { return [] }
        let name = attribute.compositeName ?? ""
        return [
            Diagnostic(
                .error, at: path(attribute, entity), "unknown composite \"\(name)\"", facet: "composite")
        ]
    }

    static let badDerivation: AttributeRule = { attribute, entity, model in
        guard let text = attribute.derivationExpression else { return [] }
        let path = path(attribute, entity)
        do {
            let node = try DerivationExpression.parse(text)
            guard
                let key = keyPaths(in: node).lazy.compactMap({ model.brokenKey(of: $0, from: entity) }).first
            else { return [] }
            return [
                Diagnostic(
                    .error, at: path,
                    "the derivation expression \"\(text)\" names the unknown key \"\(key)\"",
                    facet: "derivation"
                )
            ]
        } catch {
            return [
                Diagnostic(
                    .error, at: path, "bad derivation expression \"\(text)\": \(error)", facet: "derivation")
            ]
        }
    }

    private static func keyPaths(in node: ExpressionNode) -> [[String]] {
        switch node {
        case .keyPath(.evaluatedObject, let keys): [keys]
        case .function(_, _, let arguments): arguments.flatMap(keyPaths)
        default: []
        }
    }

    static let externalStorageOfSmallValues: AttributeRule = { attribute, entity, _ in
        guard attribute.allowsExternalStorage, ![.binary, .transformable].contains(attribute.type) else {
            return []
        }
        let message = "external storage is for binary data; the setting has no effect"
        return [Diagnostic(.warning, at: path(attribute, entity), message, facet: "externalStorage")]
    }

    static let fullTextIndexOfOtherValues: AttributeRule = { attribute, entity, _ in
        guard attribute.isFullTextIndexed, attribute.type != .string || attribute.isTransient else {
            return []
        }
        let message = "a full-text index is for strings that are stored"
        return [Diagnostic(.error, at: path(attribute, entity), message, facet: "userInfo")]
    }

    private static func path(_ attribute: AttributeElement, _ entity: EntityElement) -> String {
        "\(entity.name).\(attribute.name)"
    }
}

extension AttributeType {
    /// Whether values of the type can have a minimum and a maximum.
    package var hasLimits: Bool { isNumeric || self == .date || self == .string }
}

extension AttributeValue {
    /// Returns the number that is compared with limits: the value of a number, the seconds since 2001 of a
    /// date, or the length of a string in UTF-16 units; nil for other values.
    fileprivate func magnitude(as type: AttributeType) -> Double? {
        switch self {
        case .string(let text): type == .string ? Double(text.utf16.count) : nil
        case .date(let date): date.timeIntervalSinceReferenceDate
        default: number
        }
    }
}

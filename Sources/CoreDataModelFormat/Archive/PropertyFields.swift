import CoreDataPredicates
import CoreDataValues

/// The fields that properties of all kinds have in an archive (mom §2); false flags and empty parts are left
/// out.
struct PropertyFields {
    var name: String
    var isOptional: Bool
    var isTransient: Bool
    var isReadOnly = false
    var isIndexedBySpotlight: Bool
    var allowsCloudEncryption = false
    var isOrdered = false
    var renamingIdentifier: String?
    var versionHashModifier: String?
    var userInfo: [UserInfoEntry]
    var rules: [(PredicateNode, ValidationRule.Warning)] = []

    init(
        name: String, isOptional: Bool, isTransient: Bool, isIndexedBySpotlight: Bool,
        renamingIdentifier: String?, versionHashModifier: String?, userInfo: [UserInfoEntry]
    ) {
        self.name = name
        self.isOptional = isOptional
        self.isTransient = isTransient
        self.isIndexedBySpotlight = isIndexedBySpotlight
        self.renamingIdentifier = renamingIdentifier
        self.versionHashModifier = versionHashModifier
        self.userInfo = userInfo
    }

    /// The value of `_P`, which repeats the other fields bit by bit.
    var bits: Int64 {
        let flags: [(Bool, Int64)] = [
            (isOptional, 0x002), (isReadOnly, 0x004), (isTransient, 0x008),
            (rules.isEmpty, 0x010), (rules.isEmpty, 0x020),
            (userInfo.isEmpty, 0x040), (versionHashModifier == nil, 0x080),
            (isIndexedBySpotlight, 0x100), (isOrdered, 0x400), (allowsCloudEncryption, 0x800),
        ]
        return flags.reduce(0x001) { $1.0 ? $0 | $1.1 : $0 }
    }
}

extension ArchivedModelWriter {
    mutating func fields(_ property: PropertyFields) throws -> [String: PropertyList] {
        var fields: [String: PropertyList] = [
            "NSPropertyName": archive.string(property.name),
            "NSRenamingIdentifier": archive.string(property.renamingIdentifier ?? property.name),
            "_P": .integer(property.bits),
        ]
        let flags = [
            "NSIsOptional": property.isOptional, "NSIsTransient": property.isTransient,
            "NSIsReadOnly": property.isReadOnly, "NSIndexedBySpotlight": property.isIndexedBySpotlight,
            "NSAllowsCloudEncryption": property.allowsCloudEncryption,
        ]
        for (key, value) in flags where value { fields[key] = .boolean(true) }
        if !property.userInfo.isEmpty { fields["NSUserInfo"] = archive.userInfo(property.userInfo) }
        if let modifier = property.versionHashModifier {
            fields["NSVersionHashModifier"] = archive.string(modifier)
        }
        guard !property.rules.isEmpty else { return fields }
        let predicates = try property.rules.map { try archive.predicate($0.0) }
        fields["NSValidationPredicates"] = archive.collection(predicates)
        let warnings = property.rules.map { rule in
            switch rule.1 {
            case .code(let code): archive.element(.integer(Int64(code)))
            case .message(let message): archive.string(message)
            }
        }
        fields["NSValidationWarnings"] = archive.collection(warnings)
        return fields
    }
}

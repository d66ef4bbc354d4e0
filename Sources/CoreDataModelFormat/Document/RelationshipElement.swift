/// A relationship as its author wrote it.
package struct RelationshipElement: Sendable, Hashable {
    /// The delete rule; raw values are those of `NSDeleteRule`.
    package enum DeleteRule: Int, Sendable, Hashable, CaseIterable {
        case noAction = 0
        case nullify = 1
        case cascade = 2
        case deny = 3
    }

    package var name: String
    package var destinationName: String
    /// The name of the inverse, which is a relationship of `inverseEntityName`. Both are nil if there is no
    /// inverse.
    package var inverseName: String?
    package var inverseEntityName: String?
    package var isOptional: Bool
    package var isTransient: Bool
    package var isOrdered: Bool
    package var minimumCount: Int
    /// 1 for a to-one, 0 for a to-many without a limit.
    package var maximumCount: Int
    package var deleteRule: DeleteRule
    package var isIndexedBySpotlight: Bool
    package var renamingIdentifier: String?
    package var versionHashModifier: String?
    package var userInfo: [UserInfoEntry]
    /// Whether the source has an empty element for user info.
    package var hasEmptyUserInfo = false
    package var validationRules: [ValidationRule]
    package var editorAttributes: [String: String]

    package var isToMany: Bool { maximumCount != 1 }
    package var extras: [SourceExtra] = []

    package init(
        name: String,
        destinationName: String,
        inverseName: String? = nil,
        inverseEntityName: String? = nil,
        isOptional: Bool = false,
        isTransient: Bool = false,
        isOrdered: Bool = false,
        minimumCount: Int = 0,
        maximumCount: Int = 1,
        deleteRule: DeleteRule = .nullify,
        isIndexedBySpotlight: Bool = false,
        renamingIdentifier: String? = nil,
        versionHashModifier: String? = nil,
        userInfo: [UserInfoEntry] = [],
        validationRules: [ValidationRule] = [],
        editorAttributes: [String: String] = [:]
    ) {
        self.name = name
        self.destinationName = destinationName
        self.inverseName = inverseName
        self.inverseEntityName = inverseEntityName
        self.isOptional = isOptional
        self.isTransient = isTransient
        self.isOrdered = isOrdered
        self.minimumCount = minimumCount
        self.maximumCount = maximumCount
        self.deleteRule = deleteRule
        self.isIndexedBySpotlight = isIndexedBySpotlight
        self.renamingIdentifier = renamingIdentifier
        self.versionHashModifier = versionHashModifier
        self.userInfo = userInfo
        self.validationRules = validationRules
        self.editorAttributes = editorAttributes
    }
}

/// An entity as authored.
package struct EntityElement: Sendable, Hashable {
    /// Who writes the class of an entity.
    package enum CodeGeneration: String, Sendable, Hashable {
        /// `Manual/None`: the app does.
        case manual
        /// `Class Definition`: the generator writes the class and its properties.
        case `class`
        /// `Category/Extension`: the app writes the class, the generator its properties.
        case category
    }

    package var name: String
    /// As written in the source: a leading `.` stands for the module being built. Nil or `NSManagedObject`
    /// means the generic class.
    package var className: String?
    package var parentName: String?
    package var isAbstract: Bool
    package var codeGeneration: CodeGeneration
    package var renamingIdentifier: String?
    package var versionHashModifier: String?
    package var spotlightDisplayNameExpression: String?
    package var userInfo: [UserInfoEntry]
    /// Whether the source has an element for user info and nothing in it.
    package var hasEmptyUserInfo = false
    package var attributes: [AttributeElement]
    package var relationships: [RelationshipElement]
    package var fetchedProperties: [FetchedPropertyElement]
    package var fetchIndexes: [FetchIndexElement]
    /// Old-style compound indexes: lists of property names.
    package var compoundIndexes: [[String]]
    package var uniquenessConstraints: [[String]]
    /// Attributes of the element without meaning to the framework (`syncable`, …).
    package var editorAttributes: [String: String]

    package init(
        name: String,
        className: String? = nil,
        parentName: String? = nil,
        isAbstract: Bool = false,
        codeGeneration: CodeGeneration = .manual,
        renamingIdentifier: String? = nil,
        versionHashModifier: String? = nil,
        spotlightDisplayNameExpression: String? = nil,
        userInfo: [UserInfoEntry] = [],
        attributes: [AttributeElement] = [],
        relationships: [RelationshipElement] = [],
        fetchedProperties: [FetchedPropertyElement] = [],
        fetchIndexes: [FetchIndexElement] = [],
        compoundIndexes: [[String]] = [],
        uniquenessConstraints: [[String]] = [],
        editorAttributes: [String: String] = [:]
    ) {
        self.name = name
        self.className = className
        self.parentName = parentName
        self.isAbstract = isAbstract
        self.codeGeneration = codeGeneration
        self.renamingIdentifier = renamingIdentifier
        self.versionHashModifier = versionHashModifier
        self.spotlightDisplayNameExpression = spotlightDisplayNameExpression
        self.userInfo = userInfo
        self.attributes = attributes
        self.relationships = relationships
        self.fetchedProperties = fetchedProperties
        self.fetchIndexes = fetchIndexes
        self.compoundIndexes = compoundIndexes
        self.uniquenessConstraints = uniquenessConstraints
        self.editorAttributes = editorAttributes
    }
}

/// One entry of a `<userInfo>` element, in document order.
package struct UserInfoEntry: Sendable, Hashable {
    package var key: String
    package var value: String

    package init(key: String, value: String) {
        self.key = key
        self.value = value
    }
}

/// An entity as its author wrote it.
package struct EntityElement: Sendable, Hashable {
    /// The division of work between the app and the code generator for the class of an entity.
    package enum CodeGeneration: String, Sendable, Hashable {
        /// `Manual/None`: the app writes the class and its properties.
        case manual
        /// `Class Definition`: the generator writes the class and its properties.
        case `class`
        /// `Category/Extension`: the app writes the class, and the generator writes its properties.
        case category
    }

    package var name: String
    /// The class name as the source spells it. A leading `.` stands for the module being built; nil and
    /// `NSManagedObject` mean the generic class.
    package var className: String?
    package var parentName: String?
    package var isAbstract: Bool
    package var codeGeneration: CodeGeneration
    package var renamingIdentifier: String?
    package var versionHashModifier: String?
    package var spotlightDisplayNameExpression: String?
    package var userInfo: [UserInfoEntry]
    /// Whether the source has an empty element for user info.
    package var hasEmptyUserInfo = false
    package var attributes: [AttributeElement]
    package var relationships: [RelationshipElement]
    package var fetchedProperties: [FetchedPropertyElement]
    package var fetchIndexes: [FetchIndexElement]
    /// The compound indexes of the old form, as lists of property names.
    package var compoundIndexes: [[String]]
    package var uniquenessConstraints: [[String]]
    /// The XML attributes that mean nothing to the framework (`syncable`, …).
    package var editorAttributes: [String: String]
    package var extras: [SourceExtra] = []

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

/// An entry of a `<userInfo>` element; entries keep their document order.
package struct UserInfoEntry: Sendable, Hashable {
    package var key: String
    package var value: String

    package init(key: String, value: String) {
        self.key = key
        self.value = value
    }
}

/// A position in a source file.
package struct SourcePosition: Sendable, Hashable {
    package var file: String
    package var line: Int
    package var column: Int

    package init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }
}

package enum AccessLevel: Int, Sendable, Hashable, Comparable {
    case `private`, `fileprivate`, `internal`, package, `public`, open

    /// Makes the access level of a keyword; nil for any other word.
    package init?(keyword: String) {
        switch keyword {
        case "private": self = .private
        case "fileprivate": self = .fileprivate
        case "internal": self = .internal
        case "package": self = .package
        case "public": self = .public
        case "open": self = .open
        default: return nil
        }
    }

    package static func < (left: AccessLevel, right: AccessLevel) -> Bool { left.rawValue < right.rawValue }
}

/// The declarations of one hand-written file that the code generator uses.
package struct ScannedFile: Sendable, Hashable {
    package var path: String
    package var imports: [ImportDeclaration] = []
    package var types: [TypeDeclaration] = []
    package var members: [MemberDeclaration] = []
    package var properties: [ManagedPropertyDeclaration] = []
    package var methods: [ManagedMethodDeclaration] = []
    package var validators: [ValidatorDeclaration] = []
    package var exposed: [ExposedMember] = []
    /// The types that declare, or may declare, a `fetchRequest()` of their own.
    package var requestOwners: [[String]] = []

    package init(path: String) { self.path = path }
}

/// An import with the `#if` conditions around it.
package struct ImportDeclaration: Sendable, Hashable {
    package var module: String
    /// The import as written, with its attributes and without its access level.
    package var text: String
    package var conditions: [String]

    package init(
        module: String, text: String, conditions: [String]
    ) {
        self.module = module
        self.text = text
        self.conditions = conditions
    }
}

/// A class, struct, enum, protocol, type alias or extension.
package struct TypeDeclaration: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case nominal(NominalType.Kind)
        case alias(TypeExpression)
        /// An extension, which declares no name but adds conformances and members.
        case `extension`
    }

    package var kind: Kind
    /// The names from the outermost to this declaration's own; for an extension, those of the extended type.
    package var path: [String]
    /// Whether the outermost name is that of an extended type, not of a declaration around this one.
    package var isInExtension: Bool
    package var access: AccessLevel
    package var genericParameters: [String]
    package var inherited: [TypeExpression]
    /// The name in `@objc(Name)`, if the source has one.
    package var runtimeName: String?
    package var isMainActor: Bool
    /// Whether the declaration is marked `nonisolated`. In a module with a default actor its extensions have
    /// to be marked too.
    package var isNonisolated: Bool
    /// Whether the class is marked `@objcMembers`.
    package var exposesMembers: Bool
    /// Whether `Name()` makes an instance, judging by the initializers that the class itself declares.
    package var hasPlainInitializer: Bool
    package var conditions: [String]
    package var position: SourcePosition

    package init(
        kind: Kind, path: [String], isInExtension: Bool, access: AccessLevel, genericParameters: [String],
        inherited: [TypeExpression], runtimeName: String? = nil, isMainActor: Bool,
        isNonisolated: Bool = false, exposesMembers: Bool = false, hasPlainInitializer: Bool = false,
        conditions: [String], position: SourcePosition
    ) {
        self.kind = kind
        self.path = path
        self.isInExtension = isInExtension
        self.access = access
        self.genericParameters = genericParameters
        self.inherited = inherited
        self.runtimeName = runtimeName
        self.isMainActor = isMainActor
        self.isNonisolated = isNonisolated
        self.exposesMembers = exposesMembers
        self.hasPlainInitializer = hasPlainInitializer
        self.conditions = conditions
        self.position = position
    }

    package var name: String { path[path.count - 1] }
}

/// The context of a managed member, which its accessors have to repeat.
package struct ManagedMemberContext: Sendable, Hashable {
    /// The path of the class, from the outermost name.
    package var ownerPath: [String]
    package var isInExtension: Bool
    /// The access level of the member, with the default of its extension applied.
    package var access: AccessLevel
    /// The `@available(…)` attributes as written.
    package var availability: [String]
    package var isMainActor: Bool
    package var isNonisolated: Bool
    /// Whether the extension around the member has a `where` clause.
    package var hasConstraints: Bool
    package var conditions: [String]
    package var position: SourcePosition

    package init(
        ownerPath: [String], isInExtension: Bool, access: AccessLevel, availability: [String],
        isMainActor: Bool, isNonisolated: Bool, hasConstraints: Bool, conditions: [String],
        position: SourcePosition
    ) {
        self.ownerPath = ownerPath
        self.isInExtension = isInExtension
        self.access = access
        self.availability = availability
        self.isMainActor = isMainActor
        self.isNonisolated = isNonisolated
        self.hasConstraints = hasConstraints
        self.conditions = conditions
        self.position = position
    }
}

/// One variable of an `@NSManaged var`.
package struct ManagedPropertyDeclaration: Sendable, Hashable {
    package var name: String
    package var type: TypeExpression?
    package var context: ManagedMemberContext

    package init(
        name: String, type: TypeExpression? = nil, context: ManagedMemberContext
    ) {
        self.name = name
        self.type = type
        self.context = context
    }
}

/// A property of a managed or other type that a key path may lead through.
package struct MemberDeclaration: Sendable, Hashable {
    package var ownerPath: [String]
    package var name: String
    /// The name in `@objc(name)`, by which `#keyPath` strings refer to the property.
    package var runtimeName: String?
    /// The text of the type; nil if the type is inferred.
    package var type: TypeExpression?

    package init(
        ownerPath: [String], name: String, runtimeName: String? = nil, type: TypeExpression? = nil
    ) {
        self.ownerPath = ownerPath
        self.name = name
        self.runtimeName = runtimeName
        self.type = type
    }
}

/// An `@NSManaged func`.
package struct ManagedMethodDeclaration: Sendable, Hashable {
    package struct Parameter: Sendable, Hashable {
        package var label: String?
        package var type: TypeExpression

        package init(
            label: String? = nil, type: TypeExpression
        ) {
            self.label = label
            self.type = type
        }
    }

    package var name: String
    package var parameters: [Parameter]
    package var result: TypeExpression?
    /// The selector in `@objc(selector:)`, if the source has one.
    package var selector: String?
    /// The effect or convention that the method has and no accessor method can have: `async`, `throws`,
    /// `generic`.
    package var unsupportedEffect: String?
    package var context: ManagedMemberContext

    package init(
        name: String, parameters: [Parameter], result: TypeExpression? = nil, selector: String? = nil,
        unsupportedEffect: String? = nil, context: ManagedMemberContext
    ) {
        self.name = name
        self.parameters = parameters
        self.result = result
        self.selector = selector
        self.unsupportedEffect = unsupportedEffect
        self.context = context
    }
}

/// A method `validateName(_:)`, which only validation calls, by its name.
package struct ValidatorDeclaration: Sendable, Hashable {
    package var name: String
    package var context: ManagedMemberContext

    package init(
        name: String, context: ManagedMemberContext
    ) {
        self.name = name
        self.context = context
    }

    /// The part of the name that stands for the property.
    package var capitalizedKey: String { String(name.dropFirst("validate".count)) }
}

/// A place in a source file.
package struct SourcePlace: Sendable, Hashable {
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

    /// Nil for a word that is none of these.
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

/// What the code generator has to know of one hand-written file.
package struct ScannedFile: Sendable, Hashable {
    package var path: String
    package var imports: [ImportDeclaration] = []
    package var types: [TypeDeclaration] = []
    package var members: [MemberDeclaration] = []
    package var properties: [ManagedPropertyDeclaration] = []
    package var methods: [ManagedMethodDeclaration] = []
    package var validators: [ValidatorDeclaration] = []
    package var exposed: [ExposedMember] = []
    /// The types that declare a `fetchRequest()` of their own, or may.
    package var requestOwners: [[String]] = []

    package init(path: String) { self.path = path }
}

/// An import and the `#if` conditions around it.
package struct ImportDeclaration: Sendable, Hashable {
    package var module: String
    /// As written, attributes included, access level left out.
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
        /// An extension declares no name; it only adds conformances and members.
        case `extension`
    }

    package var kind: Kind
    /// Names from the outermost to this one; an extension's are those of the extended type.
    package var path: [String]
    /// Whether the outermost name is an extended type's, not a declaration around this one.
    package var isInExtension: Bool
    package var access: AccessLevel
    package var genericParameters: [String]
    package var inherited: [TypeExpression]
    /// `@objc(Name)`, where a source still has it.
    package var runtimeName: String?
    package var isMainActor: Bool
    /// Whether it says so: where everything belongs to an actor by default, its extensions have to say it, too.
    package var isNonisolated: Bool
    /// `@objcMembers`
    package var exposesMembers: Bool
    /// Whether `Name()` makes one, as far as the class's own initializers decide.
    package var hasPlainInitializer: Bool
    package var conditions: [String]
    package var place: SourcePlace

    package init(
        kind: Kind, path: [String], isInExtension: Bool, access: AccessLevel, genericParameters: [String],
        inherited: [TypeExpression], runtimeName: String? = nil, isMainActor: Bool,
        isNonisolated: Bool = false, exposesMembers: Bool = false, hasPlainInitializer: Bool = false,
        conditions: [String], place: SourcePlace
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
        self.place = place
    }

    package var name: String { path[path.count - 1] }
}

/// Where a managed member stands, and what its accessors have to repeat.
package struct ManagedMemberContext: Sendable, Hashable {
    /// The class, from the outermost name.
    package var ownerPath: [String]
    package var isInExtension: Bool
    /// The member's own level, the default of its extension applied.
    package var access: AccessLevel
    /// `@available(…)` attributes, as written.
    package var availability: [String]
    package var isMainActor: Bool
    package var isNonisolated: Bool
    /// A `where` clause of the extension around it.
    package var hasConstraints: Bool
    package var conditions: [String]
    package var place: SourcePlace

    package init(
        ownerPath: [String], isInExtension: Bool, access: AccessLevel, availability: [String],
        isMainActor: Bool, isNonisolated: Bool, hasConstraints: Bool, conditions: [String],
        place: SourcePlace
    ) {
        self.ownerPath = ownerPath
        self.isInExtension = isInExtension
        self.access = access
        self.availability = availability
        self.isMainActor = isMainActor
        self.isNonisolated = isNonisolated
        self.hasConstraints = hasConstraints
        self.conditions = conditions
        self.place = place
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

/// Any property of a type, managed or not: what a key path may lead through.
package struct MemberDeclaration: Sendable, Hashable {
    package var ownerPath: [String]
    package var name: String
    /// `@objc(name)`, which key paths have in the place of the name.
    package var runtimeName: String?
    /// Nil where it is inferred.
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
    /// The selector of `@objc(selector:)`, where a source still has it.
    package var selector: String?
    /// The effect or convention no accessor method has: `async`, `throws`, `generic`.
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

/// A method `validateName(_:)` that validation has to call although nothing in the source does.
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

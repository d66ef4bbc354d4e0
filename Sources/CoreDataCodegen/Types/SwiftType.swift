/// A Swift type with every name resolved. Symbols are mangled, and generated code is spelled, from it.
package indirect enum SwiftType: Sendable, Hashable {
    /// A class, struct or enum, with one list of arguments for each nesting level that is generic.
    case nominal(NominalType, arguments: [[SwiftType]])
    /// `Any`, `AnyObject`, `any P & Q`, or a class constrained by protocols.
    case existential(protocols: [NominalType], superclass: SwiftType?, isClassBound: Bool)
    /// A parameter of the enclosing generic class.
    case parameter(name: String, depth: Int, index: Int)

    package static func optional(_ wrapped: SwiftType) -> SwiftType {
        .nominal(.swift("Optional", .enumeration), arguments: [[wrapped]])
    }

    package static func array(_ element: SwiftType) -> SwiftType {
        .nominal(.swift("Array", .structure), arguments: [[element]])
    }

    package static func dictionary(_ key: SwiftType, _ value: SwiftType) -> SwiftType {
        .nominal(.swift("Dictionary", .structure), arguments: [[key, value]])
    }

    package static let any = SwiftType.existential(protocols: [], superclass: nil, isClassBound: false)
    package static let anyObject = SwiftType.existential(protocols: [], superclass: nil, isClassBound: true)

    package var isGeneric: Bool {
        if case .nominal(_, let arguments) = self { return arguments.contains { !$0.isEmpty } }
        return false
    }
}

/// A type declaration with its location: a module, then one step for each nesting level.
package struct NominalType: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        case `class` = "C"
        case structure = "V"
        case enumeration = "O"
        case `protocol` = "P"
    }

    package struct Step: Sendable, Hashable {
        package var name: String
        package var kind: Kind
        /// The file discriminator of a private or fileprivate declaration.
        package var discriminator: String?
        /// The module of the extension that declares the type, if it is not the module of the extended type.
        package var extendingModule: String?

        package init(
            _ name: String, _ kind: Kind, discriminator: String? = nil, extendingModule: String? = nil
        ) {
            self.name = name
            self.kind = kind
            self.discriminator = discriminator
            self.extendingModule = extendingModule
        }
    }

    package var module: String
    package var steps: [Step]

    package init(module: String, steps: [Step]) {
        self.module = module
        self.steps = steps
    }

    package static func swift(_ name: String, _ kind: Kind) -> NominalType {
        NominalType(module: "Swift", steps: [Step(name, kind)])
    }

    package var name: String { steps[steps.count - 1].name }
    package var path: [String] { steps.map(\.name) }
    package var parent: NominalType? {
        steps.count > 1 ? NominalType(module: module, steps: Array(steps.dropLast())) : nil
    }
}

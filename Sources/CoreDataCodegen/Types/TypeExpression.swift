/// A type as written in a source file, with its names not yet looked up.
package indirect enum TypeExpression: Sendable, Hashable {
    package struct Component: Sendable, Hashable {
        package var name: String
        package var arguments: [TypeExpression]

        package init(_ name: String, arguments: [TypeExpression] = []) {
            self.name = name
            self.arguments = arguments
        }
    }

    /// A name such as `A.B<C>`.
    case named([Component])
    case optional(TypeExpression)
    case array(TypeExpression)
    case dictionary(key: TypeExpression, value: TypeExpression)
    /// A composition such as `A & B`.
    case composition([TypeExpression])
    /// A type for which no accessor can be made, with a description: `a tuple`, `a function`, `an opaque
    /// type`.
    case unsupported(String)

    /// Whether an accessor can be made for a type with this structure.
    package var isSupported: Bool {
        switch self {
        case .named(let components): components.allSatisfy { $0.arguments.allSatisfy(\.isSupported) }
        case .optional(let type), .array(let type): type.isSupported
        case .dictionary(let key, let value): key.isSupported && value.isSupported
        case .composition(let types): types.allSatisfy(\.isSupported)
        case .unsupported: false
        }
    }

    package static func name(_ path: String...) -> TypeExpression {
        .named(path.map { Component($0) })
    }
}

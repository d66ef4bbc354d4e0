#if Overlay
import CoreDataCodegen
package import SwiftSyntax

extension TypeExpression {
    package init(_ syntax: TypeSyntax) {
        switch syntax.as(TypeSyntaxEnum.self) {
        case .identifierType(let type):
            self = .named([Component(type.name, type.genericArgumentClause)])
        case .memberType(let type):
            self = Self.member(of: TypeExpression(type.baseType), type)
        case .optionalType(let type):
            self = .optional(TypeExpression(type.wrappedType))
        case .implicitlyUnwrappedOptionalType(let type):
            self = .optional(TypeExpression(type.wrappedType))
        case .arrayType(let type):
            self = .array(TypeExpression(type.element))
        case .dictionaryType(let type):
            self = .dictionary(key: TypeExpression(type.key), value: TypeExpression(type.value))
        case .compositionType(let type):
            self = .composition(type.elements.map { TypeExpression($0.type) })
        case .tupleType(let type) where type.elements.count == 1:
            self = TypeExpression(type.elements[type.elements.startIndex].type)
        case .someOrAnyType(let type) where type.someOrAnySpecifier.tokenKind == .keyword(.any):
            self = TypeExpression(type.constraint)
        case .attributedType(let type) where type.specifiers.isEmpty:
            self = TypeExpression(type.baseType)
        default:
            self = .unsupported(Self.description(of: syntax))
        }
    }

    private static func member(of base: TypeExpression, _ type: MemberTypeSyntax) -> TypeExpression {
        guard case .named(let components) = base else { return .unsupported("a member type of this form") }
        return .named(components + [Component(type.name, type.genericArgumentClause)])
    }

    private static func description(of syntax: TypeSyntax) -> String {
        switch syntax.as(TypeSyntaxEnum.self) {
        case .tupleType: "a tuple"
        case .functionType: "a function"
        case .someOrAnyType: "an opaque type"
        case .metatypeType: "a metatype"
        case .inlineArrayType: "an inline array"
        case .packExpansionType, .packElementType: "a parameter pack"
        case .suppressedType: "a noncopyable type"
        default: "'\(syntax.trimmedDescription)'"
        }
    }
}

extension TypeExpression.Component {
    fileprivate init(_ name: TokenSyntax, _ arguments: GenericArgumentClauseSyntax?) {
        self.init(
            name.plainText,
            arguments: arguments?.arguments.map { argument in
                switch argument.argument {
                case .type(let type): TypeExpression(type)
                default: .unsupported("a value argument")
                }
            } ?? [])
    }
}

extension TokenSyntax {
    /// The name without backticks.
    package var plainText: String { identifier?.name ?? text }
}
#endif

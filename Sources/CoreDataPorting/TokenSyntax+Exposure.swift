#if Overlay
import CoreDataCodegen
import SwiftSyntax

extension TokenSyntax {
    /// Whether the token is visible to clients of the module: it is in the signature of a public declaration,
    /// not in a body.
    var isShownToClients: Bool {
        for node in sequence(first: Syntax(self), next: \.parent) {
            if node.is(CodeBlockSyntax.self) || node.is(AccessorBlockSyntax.self)
                || node.is(ClosureExprSyntax.self)
            {
                return false
            }
            if let binding = node.as(PatternBindingSyntax.self), let value = binding.initializer,
                binding.typeAnnotation != nil, value.ownBytes.contains(ownBytes.lowerBound)
            {
                return false
            }
            if let declaration = node.as(DeclSyntax.self), !node.is(EnumCaseDeclSyntax.self) {
                return declaration.isShownToClients
            }
        }
        return false
    }
}

extension DeclSyntax {
    /// Whether the declaration is public: by its own modifier, or as a member of a public protocol or
    /// extension.
    fileprivate var isShownToClients: Bool {
        if let level = asProtocol((any WithModifiersSyntax).self)?.modifiers.accessLevel {
            return level >= .public
        }
        let block = sequence(first: Syntax(self), next: \.parent).first { $0.is(MemberBlockSyntax.self) }
        guard let owner = block?.parent?.as(DeclSyntax.self),
            owner.is(ProtocolDeclSyntax.self) || owner.is(ExtensionDeclSyntax.self)
        else { return false }
        return owner.isShownToClients
    }
}
#endif

#if Overlay
import CoreDataCodegen
import SwiftSyntax

extension SourceFileSyntax {
    /// The names of the file's declarations that no other file can see.
    var privateNames: Set<String> {
        let visitor = PrivateNameVisitor(viewMode: .sourceAccurate)
        visitor.walk(self)
        return visitor.names
    }
}

private final class PrivateNameVisitor: SyntaxAnyVisitor {
    private(set) var names: Set<String> = []

    override func visitAny(_ node: Syntax) -> SyntaxVisitorContinueKind {
        guard let declaration = node.asProtocol((any WithModifiersSyntax).self),
            let level = declaration.modifiers.accessLevel, level <= .fileprivate
        else { return .visitChildren }
        if let extended = node.as(ExtensionDeclSyntax.self) {
            for member in extended.memberBlock.members { note(Syntax(member.decl)) }
        } else {
            note(node)
        }
        return .visitChildren
    }

    private func note(_ node: Syntax) {
        if let named = node.asProtocol((any NamedDeclSyntax).self) { names.insert(named.name.plainText) }
        for binding in node.as(VariableDeclSyntax.self)?.bindings ?? [] {
            guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else { continue }
            names.insert(name.plainText)
        }
    }
}
#endif

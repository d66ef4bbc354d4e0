#if SwiftData
import SwiftDiagnostics
import SwiftSyntax

extension ModelDiagnostic {
    /// Returns the message for a place, with the change of a declaration that mends the mistake, if there is an
    /// obvious one.
    func diagnostic(at node: some SyntaxProtocol, of declaration: some SyntaxProtocol) -> Diagnostic {
        Diagnostic(node: node, message: self, fixIts: remedy(in: declaration).map { [$0] } ?? [])
    }

    private func remedy(in declaration: some SyntaxProtocol) -> FixIt? {
        switch self {
        case .notAClass:
            guard let keyword = declaration.as(StructDeclSyntax.self)?.structKeyword else { return nil }
            let replacement = keyword.with(\.tokenKind, .identifier("final class"))
            return change(keyword, to: replacement, "make it a final class")
        case .notAnActor:
            guard let keyword = declaration.as(ClassDeclSyntax.self)?.classKeyword else { return nil }
            return change(keyword, to: keyword.with(\.tokenKind, .keyword(.actor)), "make it an actor")
        case .observers:
            guard let binding = StoredProperty(declaration)?.binding else { return nil }
            let bare = binding.with(\.accessorBlock, nil).with(\.trailingTrivia, [])
            return change(binding, to: bare, "remove the observers")
        case .transientWithoutValue:
            guard let binding = StoredProperty(declaration)?.binding else { return nil }
            let value = InitializerClauseSyntax(
                equal: .equalToken(leadingTrivia: .space, trailingTrivia: .space),
                value: EditorPlaceholderExprSyntax(placeholder: .identifier("<#value#>")))
            return change(binding, to: binding.with(\.initializer, value), "add a default value")
        case .reservedName(let name):
            guard let property = StoredProperty(declaration) else { return nil }
            let new = name == "description" ? "details" : "hash"
            let identifier = property.identifier.with(\.tokenKind, .identifier(new))
            return change(property.identifier, to: identifier, "rename it to '\(new)'")
        case .generic, .severalAtOnce: return nil
        }
    }

    private func change(_ old: some SyntaxProtocol, to new: some SyntaxProtocol, _ message: String) -> FixIt {
        FixIt(
            message: Remedy(message: message),
            changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))])
    }
}

/// What a change of the source does, as the compiler offers it.
private struct Remedy: FixItMessage {
    let message: String

    var fixItID: MessageID { MessageID(domain: "SwiftData", id: message) }
}
#endif

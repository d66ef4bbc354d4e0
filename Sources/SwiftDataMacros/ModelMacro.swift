#if SwiftData
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Model`: what a class needs to stand for rows of a store.
struct ModelMacro {
    /// The properties that a store keeps, in the order of their declaration.
    private static func properties(of declaration: some DeclGroupSyntax) -> [StoredProperty] {
        declaration.memberBlock.members.compactMap { StoredProperty($0.decl) }.filter { !$0.isTransient }
    }

    /// Returns the arguments of `#Unique` or `#Index`.
    private static func arguments(of macro: String, in declaration: some DeclGroupSyntax) -> [String] {
        declaration.memberBlock.members.flatMap { member -> [String] in
            guard let found = member.decl.as(MacroExpansionDeclSyntax.self), found.macroName.text == macro
            else {
                return []
            }
            return found.arguments.map { $0.expression.trimmedDescription }
        }
    }
}

extension ModelMacro: MemberMacro {
    static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) -> [DeclSyntax] {
        guard ModelDiagnostic.of(declaration) == nil, let declared = declaration.as(ClassDeclSyntax.self)
        else { return [] }
        ModelDiagnostic.check(declared, in: context)
        // Only a subclass of a model conforms already.
        let members = ModelMembers(
            declared, isSubclass: protocols.isEmpty, properties: properties(of: declaration))
        return members.row
            + members.schema(
                uniqueness: arguments(of: "Unique", in: declaration),
                indices: arguments(of: "Index", in: declaration))
    }
}

extension ModelMacro: MemberAttributeMacro {
    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingAttributesFor member: some DeclSyntaxProtocol, in context: some MacroExpansionContext
    ) -> [AttributeSyntax] {
        guard let declared = declaration.as(ClassDeclSyntax.self), declared.genericParameterClause == nil,
            let property = StoredProperty(member), !property.isTransient
        else { return [] }
        return ["@SwiftData._PersistedProperty"]
    }
}

extension ModelMacro: ExtensionMacro {
    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        // Here, since of an enumeration without cases nobody may ever ask for the members.
        if let message = ModelDiagnostic.of(declaration) {
            context.diagnose(message.diagnostic(at: node, of: declaration))
            return []
        }
        // The conformances hold on every actor, also in a module whose default isolation is the main actor.
        let list = protocols.map { "nonisolated \($0.trimmedDescription)" }.joined(separator: ", ")
        if list.isEmpty { return [] }
        return [try ExtensionDeclSyntax("extension \(type.trimmed): \(raw: list) {}")]
    }
}

extension DeclModifierListSyntax {
    /// The access level that members need so that their type conforms where it is visible, with a space after
    /// it.
    var accessOfMembers: String {
        for modifier in self {
            switch modifier.name.text {
            case "public", "open": return "public "
            case "package": return "package "
            default: continue
            }
        }
        return ""
    }
}
#endif

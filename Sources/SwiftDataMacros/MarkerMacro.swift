#if SwiftData
import SwiftSyntax
import SwiftSyntaxMacros

/// `@Attribute`, `@Relationship`, `@Transient`, `#Unique` and `#Index`: they expand to nothing, and `@Model`
/// reads them.
struct MarkerMacro: PeerMacro, DeclarationMacro {
    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) -> [DeclSyntax] { [] }

    static func expansion(
        of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) -> [DeclSyntax] { [] }
}
#endif

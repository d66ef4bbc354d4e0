#if SwiftData
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// The accessors of one stored property, which read and write the object that has the values.
struct PersistedPropertyMacro: AccessorMacro, PeerMacro {
    static func expansion(
        of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) -> [AccessorDeclSyntax] {
        guard let property = StoredProperty(declaration) else { return [] }
        let name = property.name
        let form = property.isTransformable ? "Transformed" : ""
        return [
            """
            @storageRestrictions(accesses: _$row, initializes: _$s_\(raw: name))
            init(initialValue) {
                SwiftData.ModelAccess.start\(raw: form)(&_$row, Self._$own, Self._$p_\(raw: name), initialValue)
                _$s_\(raw: name) = SwiftData.ModelAccess.Placeholder()
            }
            """,
            """
            get { SwiftData.ModelAccess.read\(raw: form)(_$object, Self._$p_\(raw: name)) }
            """,
            """
            set { SwiftData.ModelAccess.write\(raw: form)(_$object, Self._$p_\(raw: name), newValue) }
            """,
        ]
    }

    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) -> [DeclSyntax] {
        guard let name = StoredProperty(declaration)?.name else { return [] }
        return [
            "private var _$s_\(raw: name): SwiftData.ModelAccess.Placeholder",
            """
            private static let _$p_\(raw: name) = SwiftData.ModelAccess.property("\(raw: name)")
            """,
        ]
    }
}
#endif

#if SwiftData
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// What `@Model` and `@ModelActor` say of a declaration that it cannot make a model of, or of a property that
/// will not do what it seems to.
enum ModelDiagnostic: DiagnosticMessage {
    case notAClass
    case notAnActor
    case generic
    case observers(String)
    case transientWithoutValue(String)
    case reservedName(String)
    case severalAtOnce

    var message: String {
        switch self {
        case .notAClass: "'@Model' can only be applied to a class"
        case .notAnActor: "'@ModelActor' can only be applied to an actor"
        case .generic: "a generic class cannot be a model: its objects would be rows of many entities"
        case .observers(let name): "the observers of '\(name)' are never called: it is stored by '@Model'"
        case .transientWithoutValue(let name):
            "'\(name)' is @Transient, so that it needs a default value, which fetched objects begin with"
        case .reservedName(let name): "a stored property of a model cannot have the name '\(name)'"
        case .severalAtOnce: "declare each stored property of a model by itself"
        }
    }

    var severity: DiagnosticSeverity {
        if case .observers = self { .warning } else { .error }
    }

    var diagnosticID: MessageID { MessageID(domain: "SwiftData", id: "\(self)") }

    /// Returns why no model can be made of a declaration; nil if it can.
    static func of(_ declaration: some DeclGroupSyntax) -> ModelDiagnostic? {
        guard let declared = declaration.as(ClassDeclSyntax.self) else { return .notAClass }
        return declared.genericParameterClause != nil ? .generic : nil
    }

    /// Reports what is wrong with the members of a class.
    static func check(_ declaration: ClassDeclSyntax, in context: some MacroExpansionContext) {
        for member in declaration.memberBlock.members {
            if let message = message(for: member.decl) {
                context.diagnose(message.diagnostic(at: member.decl, of: member.decl))
            }
        }
    }

    private static func message(for member: DeclSyntax) -> ModelDiagnostic? {
        guard let property = StoredProperty(member) else {
            let storesSeveral = member.as(VariableDeclSyntax.self).map(StoredProperty.areSeveral) ?? false
            return storesSeveral ? .severalAtOnce : nil
        }
        if property.isTransient {
            let isOptional = property.binding.typeAnnotation?.type.is(OptionalTypeSyntax.self) ?? false
            let hasValue = property.binding.initializer != nil || isOptional
            return hasValue ? nil : .transientWithoutValue(property.name)
        }
        if ["description", "hashValue"].contains(property.name) { return .reservedName(property.name) }
        return property.hasObservers ? .observers(property.name) : nil
    }
}
#endif

#if Overlay
import CoreDataCodegen
import SwiftSyntax

extension ExposedMember {
    /// Makes the member of a method; nil for a method that a message cannot call: a type method, a generic,
    /// throwing or asynchronous method, or one that takes functions.
    init?(_ node: FunctionDeclSyntax, _ context: ManagedMemberContext, isMarked: Bool) {
        let signature = node.signature
        guard case .identifier = node.name.tokenKind, node.genericParameterClause == nil,
            signature.effectSpecifiers == nil, Self.isPlain(node)
        else { return nil }
        var parameters: [Parameter] = []
        for parameter in signature.parameterClause.parameters {
            guard parameter.ellipsis == nil, let type = Self.argumentType(parameter.type) else { return nil }
            let label = parameter.firstName.tokenKind == .wildcard ? nil : parameter.firstName.plainText
            parameters.append(Parameter(label: label, type: type))
        }
        let result = signature.returnClause?.type
        let isVoid = result.map { ["Void", "()"].contains($0.trimmedDescription) } ?? true
        self.init(
            name: node.name.plainText, kind: .method(parameters, returns: !isVoid),
            runtimeName: node.attributes.argument(of: "objc"),
            isMarked: isMarked || node.attributes.has("objc"), context: context)
    }

    init?(
        _ node: VariableDeclSyntax, _ binding: PatternBindingSyntax, _ name: String,
        _ context: ManagedMemberContext, isMarked: Bool
    ) {
        guard Self.isPlain(node), !binding.hasEffects else { return nil }
        let isSettable =
            node.bindingSpecifier.tokenKind == .keyword(.var) && binding.isSettable
            && !node.modifiers.contains { modifier in
                modifier.detail != nil
                    && [.keyword(.private), .keyword(.fileprivate)].contains(modifier.name.tokenKind)
            }
        self.init(
            name: name, kind: .property(isSettable: isSettable),
            runtimeName: node.attributes.argument(of: "objc"),
            isMarked: isMarked || node.attributes.has("objc"), context: context)
    }

    private static func isPlain(_ node: some WithAttributesSyntax & WithModifiersSyntax) -> Bool {
        !node.isOfType
            && node.attributes.allSatisfy { element in
                guard case .attribute(let attribute) = element else { return true }
                return plainAttributes.contains(attribute.attributeName.trimmedDescription)
            }
    }

    private static func argumentType(_ type: TypeSyntax) -> String? {
        if let forced = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
            return forced.wrappedType.trimmedDescription + "?"
        }
        if type.is(AttributedTypeSyntax.self) || type.is(FunctionTypeSyntax.self)
            || type.is(SomeOrAnyTypeSyntax.self) && type.trimmedDescription.hasPrefix("some")
        {
            return nil
        }
        return type.trimmedDescription
    }
}

extension PatternBindingSyntax {
    fileprivate var isSettable: Bool {
        switch accessorBlock?.accessors {
        case nil: true
        case .getter: false
        case .accessors(let list):
            !list.contains { $0.accessorSpecifier.tokenKind == .keyword(.get) }
                || list.contains { $0.accessorSpecifier.tokenKind == .keyword(.set) }
        }
    }

    /// Whether the getter is `async` or `throws`.
    fileprivate var hasEffects: Bool {
        guard case .accessors(let list) = accessorBlock?.accessors else { return false }
        return list.contains { $0.effectSpecifiers != nil }
    }
}
#endif

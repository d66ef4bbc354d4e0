#if Overlay
import CoreDataCodegen
import SwiftSyntax

extension AttributeListSyntax {
    private func attributes(named name: String) -> [AttributeSyntax] {
        flatMap { element -> [AttributeSyntax] in
            switch element {
            case .attribute(let attribute):
                attribute.attributeName.trimmedDescription == name ? [attribute] : []
            case .ifConfigDecl(let conditional):
                conditional.attributeLists(holding: name).flatMap { $0.attributes(named: name) }
            }
        }
    }

    func first(named name: String) -> AttributeSyntax? { attributes(named: name).first }

    /// Whether there is an attribute with the spelling of a macro.
    var mayHaveMacros: Bool {
        contains { element in
            guard case .attribute(let attribute) = element else { return true }
            let name = attribute.attributeName.trimmedDescription
            return name.first?.isUppercase == true && name != "MainActor"
        }
    }

    func has(_ name: String) -> Bool { !attributes(named: name).isEmpty }

    func texts(of name: String) -> [String] { attributes(named: name).map(\.trimmedDescription) }

    /// Returns the text in the parentheses of the first attribute with a name.
    func argument(of name: String) -> String? {
        first(named: name)?.arguments?.trimmedDescription
    }
}

extension IfConfigDeclSyntax {
    /// Returns the branches that apply for an attribute. For `@objc` these are all of them: the name that it
    /// gives is used on Linux, although the attribute itself cannot be compiled there.
    fileprivate func attributeLists(holding name: String) -> [AttributeListSyntax] {
        let branches =
            name == "objc"
            ? clauses.compactMap(\.elements) : possibleBranches.map(\.elements)
        return branches.compactMap { $0.as(AttributeListSyntax.self) }
    }
}

extension DeclModifierSyntax {
    /// The access level of the whole declaration; nil if only the setter has one, as in `private(set)`.
    var accessLevel: AccessLevel? { detail == nil ? AccessLevel(keyword: name.text) : nil }
}

extension DeclModifierListSyntax {
    var accessLevel: AccessLevel? { lazy.compactMap(\.accessLevel).first }
}

extension WithModifiersSyntax {
    /// Whether the declaration belongs to the type, not to its instances.
    var isOfType: Bool {
        modifiers.contains { [.keyword(.static), .keyword(.class)].contains($0.name.tokenKind) }
    }
}

extension InheritanceClauseSyntax? {
    /// The inherited types, without the isolation of conformances: `nonisolated Equatable`.
    var expressions: [TypeExpression] {
        self?.inheritedTypes.map { inherited in
            TypeExpression(inherited.type.as(AttributedTypeSyntax.self)?.baseType ?? inherited.type)
        } ?? []
    }
}

extension MemberBlockSyntax {
    /// Whether a class with these members has an initializer without arguments if its superclass has one: it
    /// declares one itself, or declares no designated initializer and so inherits it.
    var leavesPlainInitializer: Bool {
        let initializers = members.compactMap { $0.decl.as(InitializerDeclSyntax.self) }
        let designated = initializers.filter { node in
            !node.modifiers.contains { $0.name.tokenKind == .keyword(.convenience) }
        }
        if designated.isEmpty { return true }
        return initializers.contains { node in
            node.signature.parameterClause.parameters.isEmpty && node.optionalMark == nil
                && node.modifiers.accessLevel ?? .internal > .fileprivate
        }
    }
}

extension AttributeListSyntax {
    /// The name of an attribute that is `MainActor` or is named like an actor.
    var globalActor: String? {
        lazy.compactMap { $0.as(AttributeSyntax.self)?.attributeName.trimmedDescription }
            .first { $0.hasSuffix("Actor") }
    }
}
#endif

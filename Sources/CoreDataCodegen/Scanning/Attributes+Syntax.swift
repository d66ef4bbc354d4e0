import SwiftSyntax

extension AttributeListSyntax {
    private func attributes(named name: String) -> [AttributeSyntax] {
        compactMap { element in
            guard case .attribute(let attribute) = element,
                attribute.attributeName.trimmedDescription == name
            else { return nil }
            return attribute
        }
    }

    func has(_ name: String) -> Bool { !attributes(named: name).isEmpty }

    func texts(of name: String) -> [String] { attributes(named: name).map(\.trimmedDescription) }

    /// What stands in the parentheses of the first attribute of that name.
    func argument(of name: String) -> String? {
        attributes(named: name).first?.arguments?.trimmedDescription
    }
}

extension DeclModifierSyntax {
    /// The level this modifier gives to the whole declaration; `private(set)` gives none.
    var accessLevel: AccessLevel? {
        guard detail == nil else { return nil }
        return switch name.tokenKind {
        case .keyword(.private): .private
        case .keyword(.fileprivate): .fileprivate
        case .keyword(.internal): .internal
        case .keyword(.package): .package
        case .keyword(.public): .public
        case .keyword(.open): .open
        default: nil
        }
    }
}

extension DeclModifierListSyntax {
    var accessLevel: AccessLevel? { lazy.compactMap(\.accessLevel).first }
}

extension InheritanceClauseSyntax? {
    var expressions: [TypeExpression] { self?.inheritedTypes.map { TypeExpression($0.type) } ?? [] }
}

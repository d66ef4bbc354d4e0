import SwiftSyntax

/// A method or property that an extension overrides, which only the Objective-C runtime allows.
///
/// The class overrides it instead, in one line, and calls what the extension has, which is private then and has another
/// name, as long as the old one. Both stand in one file: a private member of another would not be seen.
struct ExtensionOverride {
    /// What replaces `override` and the name, and blanks access levels.
    let rewrites: [Rewrite]
    /// What the class declares.
    let declaration: String

    init?(_ node: FunctionDeclSyntax, in extended: ExtensionDeclSyntax) {
        let parameters = node.signature.parameterClause.parameters
        guard let renaming = Renaming(node.name), parameters.allSatisfy({ $0.ellipsis == nil }) else {
            return nil
        }
        let arguments = parameters.map { parameter in
            let label = parameter.firstName.tokenKind == .wildcard ? "" : parameter.firstName.text + ": "
            let isInout =
                parameter.type.as(AttributedTypeSyntax.self)?.specifiers.trimmedDescription == "inout"
            return label + (isInout ? "&" : "") + (parameter.secondName ?? parameter.firstName).text
        }
        let effects = node.signature.effectSpecifiers
        let marks =
            (effects?.throwsClause == nil ? "" : "try ") + (effects?.asyncSpecifier == nil ? "" : "await ")
        let generics = node.genericParameterClause?.trimmedDescription ?? ""
        let requirements = node.genericWhereClause.map { " " + $0.trimmedDescription } ?? ""
        declaration =
            "\(Self.head(node, node.modifiers, extended))func \(node.name.text)\(generics)"
            + "\(Self.line(node.signature))\(requirements) "
            + "{ \(marks)\(renaming.name)(\(arguments.joined(separator: ", "))) }"
        rewrites = renaming.rewrites(node.modifiers)
    }

    /// Only what is computed and cannot be set.
    init?(_ node: VariableDeclSyntax, in extended: ExtensionDeclSyntax) {
        guard node.bindings.count == 1, let binding = node.bindings.first, binding.isReadOnly,
            let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier,
            let renaming = Renaming(name), let type = binding.typeAnnotation
        else { return nil }
        declaration =
            "\(Self.head(node, node.modifiers, extended))var \(name.text)\(Self.line(type)) { \(renaming.name) }"
        rewrites = renaming.rewrites(node.modifiers)
    }

    /// Attributes and modifiers, the access level that the extension gives included.
    private static func head(
        _ node: some WithAttributesSyntax, _ modifiers: DeclModifierListSyntax,
        _ extended: ExtensionDeclSyntax
    ) -> String {
        let attributes = node.attributes.filter { element in
            guard case .attribute(let attribute) = element else { return false }
            return !ForeignNames.attributes.contains(attribute.attributeName.trimmedDescription)
        }
        let access = modifiers.accessLevel == nil ? extended.modifiers.first { $0.accessLevel != nil } : nil
        let words =
            attributes.map(\.trimmedDescription) + [access?.trimmedDescription].compactMap(\.self)
            + modifiers.map(\.trimmedDescription).filter { $0 != "dynamic" }
        return words.map { $0 + " " }.joined()
    }

    /// In one line, without comments.
    private static func line(_ node: some SyntaxProtocol) -> String {
        let tokens = Array(node.tokens(viewMode: .sourceAccurate))
        return zip(tokens, tokens.dropFirst()).reduce(into: tokens.first?.text ?? "") { text, pair in
            let isApart = !pair.0.trailingTrivia.isEmpty || !pair.1.leadingTrivia.isEmpty
            text += (isApart ? " " : "") + pair.1.text
        }
    }

    private struct Renaming {
        let token: TokenSyntax
        let name: String

        init?(_ token: TokenSyntax) {
            guard case .identifier(let text) = token.tokenKind, text.utf8.count > 1,
                let first = text.utf8.first, first < 0x80, first != UInt8(ascii: "_"),
                first != UInt8(ascii: "`")
            else { return nil }
            self.token = token
            name = "_" + text.dropFirst()
        }

        func rewrites(_ modifiers: DeclModifierListSyntax) -> [Rewrite] {
            modifiers.compactMap { modifier in
                if modifier.name.tokenKind == .keyword(.override) {
                    return Rewrite(range: modifier.ownBytes, kind: .replacement("private"))
                }
                return modifier.accessLevel == nil ? nil : Rewrite(range: modifier.ownBytes, kind: .modifier)
            } + [Rewrite(range: token.ownBytes, kind: .replacement(name))]
        }
    }
}

extension PatternBindingSyntax {
    fileprivate var isReadOnly: Bool {
        switch accessorBlock?.accessors {
        case .getter: true
        case .accessors(let list): list.allSatisfy { $0.accessorSpecifier.tokenKind == .keyword(.get) }
        case nil: false
        }
    }
}

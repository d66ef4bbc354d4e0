#if Overlay
import CoreDataCodegen
import SwiftSyntax

/// An override in an extension, which only the Objective-C runtime allows.
///
/// In the overlay, the class overrides the member instead, in one line that calls the extension's member. The
/// extension's member gets another name of the same length.
struct ExtensionOverride {
    /// The code to which the extension's member has to be visible.
    enum Visibility {
        /// The class in the same file.
        case file
        /// The class in another file. Subclasses may have a member of the same name, so the depth in their
        /// hierarchy is part of the new name.
        case module(depth: Int)
    }

    /// The rewrites that replace `override` and the name and remove access levels, and the declaration to add
    /// to the class.
    struct Forwarding {
        let rewrites: [Rewrite]
        let declaration: String
    }

    let node: DeclSyntax
    let extended: ExtensionDeclSyntax
    /// The path of the class, from the outermost name.
    let owner: [String]
    /// The `#if` conditions with unknown values around the member.
    let conditions: [String]
    let position: SourcePosition

    /// Makes the override of a member; nil for a member that is not an override in an extension.
    init?(
        _ node: some DeclSyntaxProtocol, _ modifiers: DeclModifierListSyntax, of owner: [String],
        under conditions: [String], at position: SourcePosition
    ) {
        guard modifiers.contains(where: { $0.name.tokenKind == .keyword(.override) }),
            let block = node.parent?.parent?.parent, let extended = block.parent?.as(ExtensionDeclSyntax.self)
        else { return nil }
        self.node = DeclSyntax(node)
        self.extended = extended
        self.owner = owner
        self.conditions = conditions
        self.position = position
    }

    /// Whether the member or its extension states its isolation.
    var saysIsolation: Bool {
        let modifiers = node.asProtocol((any WithModifiersSyntax).self)?.modifiers
        let attributes = node.asProtocol((any WithAttributesSyntax).self)?.attributes
        return modifiers?.contains { $0.name.tokenKind == .keyword(.nonisolated) } == true
            || (attributes?.globalActor ?? extended.attributes.globalActor) != nil
    }

    /// The types in the member's signature, which must be visible in the class's file.
    var typeNames: Set<String> {
        let signature: (any SyntaxProtocol)? =
            node.as(FunctionDeclSyntax.self)?.signature ?? node.as(VariableDeclSyntax.self)?.bindings
        let tokens = signature?.tokens(viewMode: .sourceAccurate).compactMap { token -> String? in
            guard case .identifier(let name) = token.tokenKind, name.first?.isUppercase == true else {
                return nil
            }
            return name
        }
        return Set(tokens ?? [])
    }

    /// Returns how the class forwards to the member; nil if one line in the class cannot call the member.
    func forwarding(to visibility: Visibility) -> Forwarding? {
        if let function = node.as(FunctionDeclSyntax.self) {
            Forwarding(function, in: extended, visibility)
        } else if let variable = node.as(VariableDeclSyntax.self) {
            Forwarding(variable, in: extended, visibility)
        } else {
            nil
        }
    }
}

extension ExtensionOverride.Forwarding {
    fileprivate init?(
        _ node: FunctionDeclSyntax, in extended: ExtensionDeclSyntax,
        _ visibility: ExtensionOverride.Visibility
    ) {
        let parameters = node.signature.parameterClause.parameters
        guard let renaming = Renaming(node.name, visibility),
            parameters.allSatisfy({ $0.ellipsis == nil })
        else { return nil }
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

    /// Accepts computed properties only: those computed in the source, and managed ones.
    fileprivate init?(
        _ node: VariableDeclSyntax, in extended: ExtensionDeclSyntax,
        _ visibility: ExtensionOverride.Visibility
    ) {
        let isManaged = node.managedProperty != nil
        guard node.bindings.count == 1, let binding = node.bindings.first,
            let access = isManaged ? .readWrite : binding.computedAccess,
            let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier,
            let renaming = Renaming(name, visibility), let type = binding.typeAnnotation,
            access == .readOnly || node.modifiers.allSatisfy({ $0.detail == nil })
        else { return nil }
        let other = renaming.name
        let body = access == .readOnly ? other : "get { \(other) } set { \(other) = newValue }"
        declaration =
            "\(Self.head(node, node.modifiers, extended))var \(name.text)\(Self.line(type)) { \(body) }"
        rewrites = renaming.rewrites(node.modifiers)
    }

    /// Returns the attributes and modifiers, including the access level and the actor that the extension
    /// gives.
    private static func head(
        _ node: some WithAttributesSyntax, _ modifiers: DeclModifierListSyntax,
        _ extended: ExtensionDeclSyntax
    ) -> String {
        let attributes = (Array(extended.attributes) + Array(node.attributes)).filter { element in
            guard case .attribute(let attribute) = element else { return false }
            let name = attribute.attributeName.trimmedDescription
            return !ForeignNames.attributes.contains(name) && name != "NSManaged"
        }
        let access = modifiers.accessLevel == nil ? extended.modifiers.first { $0.accessLevel != nil } : nil
        let words =
            attributes.map(\.trimmedDescription) + [access?.trimmedDescription].compactMap(\.self)
            + modifiers.map(\.trimmedDescription).filter { $0 != "dynamic" }
        return words.map { $0 + " " }.joined()
    }

    /// Returns the text of a node in one line, without comments.
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
        /// The access level that replaces the word `override`. It is not longer than that word.
        let level: String

        init?(_ token: TokenSyntax, _ visibility: ExtensionOverride.Visibility) {
            let mark: String
            switch visibility {
            case .file: (mark, level) = ("_", "private")
            case .module(let depth): (mark, level) = ("_\(depth)", "internal")
            }
            guard case .identifier(let text) = token.tokenKind, text.utf8.count > mark.utf8.count,
                text.utf8.prefix(mark.utf8.count).allSatisfy({ $0 < 0x80 }), !text.hasPrefix("_"),
                !text.hasPrefix("`")
            else { return nil }
            self.token = token
            name = mark + text.dropFirst(mark.utf8.count)
        }

        func rewrites(_ modifiers: DeclModifierListSyntax) -> [Rewrite] {
            modifiers.compactMap { modifier in
                if modifier.name.tokenKind == .keyword(.override) {
                    return Rewrite(range: modifier.ownBytes, kind: .replacement(level))
                }
                return modifier.accessLevel == nil ? nil : Rewrite(range: modifier.ownBytes, kind: .modifier)
            } + [Rewrite(range: token.ownBytes, kind: .replacement(name))]
        }
    }
}

private enum ComputedAccess { case readOnly, readWrite }

extension PatternBindingSyntax {
    /// The accessors of a computed property; nil for a stored property and for a getter that is `async` or
    /// `throws`.
    fileprivate var computedAccess: ComputedAccess? {
        switch accessorBlock?.accessors {
        case nil: return nil
        case .getter: return .readOnly
        case .accessors(let list):
            let kinds = Set(list.map(\.accessorSpecifier.tokenKind))
            guard list.allSatisfy({ $0.effectSpecifiers == nil }) else { return nil }
            return kinds == [.keyword(.get)]
                ? .readOnly : kinds == [.keyword(.get), .keyword(.set)] ? .readWrite : nil
        }
    }
}

extension VariableDeclSyntax {
    /// The attribute and the name of an `@NSManaged` property if accessors can be added at the end of its
    /// line.
    var managedProperty: (attribute: AttributeSyntax, name: TokenSyntax)? {
        guard let attribute = attributes.first(named: "NSManaged"), bindings.count == 1,
            let binding = bindings.first, let annotation = binding.typeAnnotation,
            TypeExpression(annotation.type).isSupported, binding.accessorBlock == nil,
            let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier, endsLine
        else { return nil }
        return (attribute, name)
    }
}
#endif

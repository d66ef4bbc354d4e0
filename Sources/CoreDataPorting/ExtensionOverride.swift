#if Overlay
import CoreDataCodegen
import SwiftSyntax

/// A member that an extension overrides, which only the Objective-C runtime allows.
///
/// The class overrides it instead, in one line, and calls what the extension has, which has another name then, as long
/// as the old one.
struct ExtensionOverride {
    /// Who is to see what the extension has.
    enum Visibility {
        /// The class, in the same file.
        case file
        /// The class, in another file. Subclasses may have the like, so that the depth in their hierarchy is part of the
        /// name.
        case module(depth: Int)
    }

    /// What replaces `override` and the name, blanks access levels, and what the class declares.
    struct Forwarding {
        let rewrites: [Rewrite]
        let declaration: String
    }

    let node: DeclSyntax
    let extended: ExtensionDeclSyntax
    /// The class, from the outermost name.
    let owner: [String]
    /// The `#if` conditions around it that cannot be told.
    let conditions: [String]
    let place: SourcePlace

    /// Nil for a member that is no method or property, or overrides nothing in an extension.
    init?(
        _ node: some DeclSyntaxProtocol, _ modifiers: DeclModifierListSyntax, of owner: [String],
        under conditions: [String], at place: SourcePlace
    ) {
        guard modifiers.contains(where: { $0.name.tokenKind == .keyword(.override) }),
            let block = node.parent?.parent?.parent, let extended = block.parent?.as(ExtensionDeclSyntax.self)
        else { return nil }
        self.node = DeclSyntax(node)
        self.extended = extended
        self.owner = owner
        self.conditions = conditions
        self.place = place
    }

    /// Whether it says itself what it is bound to.
    var saysIsolation: Bool {
        let modifiers = node.asProtocol((any WithModifiersSyntax).self)?.modifiers
        let attributes = node.asProtocol((any WithAttributesSyntax).self)?.attributes
        return modifiers?.contains { $0.name.tokenKind == .keyword(.nonisolated) } == true
            || (attributes?.globalActor ?? extended.attributes.globalActor) != nil
    }

    /// The types that the class has to know.
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

    /// Nil for what one line of the class cannot call.
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

    /// Only what is computed, by the source or as a managed property.
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

    /// Attributes and modifiers, with the access level and the actor that the extension gives.
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
        /// In the place of `override`: no longer than that.
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
    /// Nil for a stored property, and one whose getter throws or waits.
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
    /// The attribute, the name and the type of an `@NSManaged` property with room behind it for accessors.
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

#if Overlay
package import CoreDataCodegen
import SwiftSyntax

/// A scanner that finds the classes and `@NSManaged` declarations of a hand-written source file, and every
/// type declaration that their types may refer to.
package struct ManagedPropertyScanner {
    package init() {}

    package func scan(_ parsed: ParsedSource) -> ScannedFile {
        let path = parsed.source.path
        let visitor = DeclarationVisitor(
            path: path, converter: SourceLocationConverter(fileName: path, tree: parsed.tree))
        visitor.walk(parsed.tree)
        return visitor.file
    }
}

/// A visitor of the nodes of a file except function bodies, since names declared there are not visible
/// outside.
private final class DeclarationVisitor: SyntaxVisitor, ConditionalVisitor {
    /// An enclosing declaration.
    private struct Scope {
        var path: [String]
        var isInExtension: Bool
        /// The access level of members that do not state one.
        var defaultAccess: AccessLevel
        var hasConstraints: Bool
        var isMainActor: Bool
        /// Whether the members are exposed by `@objc extension`.
        var exposesMembers = false
    }

    private(set) var file: ScannedFile
    private let converter: SourceLocationConverter
    private var scopes: [Scope] = []
    var conditions: [String] = []

    init(path: String, converter: SourceLocationConverter) {
        file = ScannedFile(path: path)
        self.converter = converter
        super.init(viewMode: .sourceAccurate)
    }

    // MARK: Scopes

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
        let visit = enter(node, node.name, .class, node.genericParameterClause, node.inheritanceClause)
        file.types[file.types.count - 1].hasPlainInitializer = node.memberBlock.leavesPlainInitializer
        file.types[file.types.count - 1].exposesMembers = node.attributes.has("objcMembers")
        // A macro may add a `fetchRequest()` to the class.
        if node.attributes.mayHaveMacros { file.requestOwners.append(file.types[file.types.count - 1].path) }
        return visit
    }

    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(node, node.name, .class, node.genericParameterClause, node.inheritanceClause)
    }

    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(node, node.name, .structure, node.genericParameterClause, node.inheritanceClause)
    }

    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(node, node.name, .enumeration, node.genericParameterClause, node.inheritanceClause)
    }

    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(node, node.name, .protocol, nil, node.inheritanceClause)
    }

    override func visitPost(_ node: ClassDeclSyntax) { scopes.removeLast() }
    override func visitPost(_ node: ActorDeclSyntax) { scopes.removeLast() }
    override func visitPost(_ node: StructDeclSyntax) { scopes.removeLast() }
    override func visitPost(_ node: EnumDeclSyntax) { scopes.removeLast() }
    override func visitPost(_ node: ProtocolDeclSyntax) { scopes.removeLast() }
    override func visitPost(_ node: ExtensionDeclSyntax) { scopes.removeLast() }

    private func enter(
        _ node: some DeclSyntaxProtocol & WithAttributesSyntax & WithModifiersSyntax,
        _ name: TokenSyntax,
        _ kind: NominalType.Kind,
        _ parameters: GenericParameterClauseSyntax?,
        _ inheritance: InheritanceClauseSyntax?
    ) -> SyntaxVisitorContinueKind {
        let path = (scopes.last?.path ?? []) + [name.plainText]
        let access = node.modifiers.accessLevel ?? scopes.last?.defaultAccess ?? .internal
        let isMainActor = node.attributes.has("MainActor")
        file.types.append(
            TypeDeclaration(
                kind: .nominal(kind),
                path: path,
                isInExtension: scopes.first?.isInExtension ?? false,
                access: access,
                genericParameters: parameters?.parameters.map(\.name.plainText) ?? [],
                inherited: inheritance.expressions,
                runtimeName: node.attributes.argument(of: "objc"),
                isMainActor: isMainActor,
                isNonisolated: node.modifiers.contains { $0.name.tokenKind == .keyword(.nonisolated) },
                conditions: conditions,
                position: position(of: name)))
        scopes.append(
            Scope(
                path: path,
                isInExtension: scopes.first?.isInExtension ?? false,
                defaultAccess: .internal,
                hasConstraints: scopes.last?.hasConstraints ?? false,
                isMainActor: isMainActor))
        return .visitChildren
    }

    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        var path: [String] = []
        if case .named(let components) = TypeExpression(node.extendedType) { path = components.map(\.name) }
        let access = node.modifiers.accessLevel
        file.types.append(
            TypeDeclaration(
                kind: .extension,
                path: path.isEmpty ? [node.extendedType.trimmedDescription] : path,
                isInExtension: true,
                access: access ?? .internal,
                genericParameters: [],
                inherited: node.inheritanceClause.expressions,
                runtimeName: nil,
                isMainActor: node.attributes.has("MainActor"),
                conditions: conditions,
                position: position(of: node.extendedType)))
        scopes.append(
            Scope(
                path: path,
                isInExtension: true,
                // Members of a private extension are reachable in the whole file.
                defaultAccess: access == .private ? .fileprivate : access ?? .internal,
                hasConstraints: node.genericWhereClause != nil,
                isMainActor: node.attributes.has("MainActor"),
                exposesMembers: node.attributes.has("objc")))
        return .visitChildren
    }

    // MARK: Conditions

    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind { visitBranches(of: node) }

    // MARK: Declarations

    override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
        var plain = node
        plain.modifiers = node.modifiers.filter { $0.accessLevel == nil }
        file.imports.append(
            ImportDeclaration(
                module: node.path.first?.name.plainText ?? "",
                text: plain.trimmedDescription,
                conditions: conditions))
        return .skipChildren
    }

    override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
        file.types.append(
            TypeDeclaration(
                kind: .alias(TypeExpression(node.initializer.value)),
                path: (scopes.last?.path ?? []) + [node.name.plainText],
                isInExtension: scopes.first?.isInExtension ?? false,
                access: node.modifiers.accessLevel ?? scopes.last?.defaultAccess ?? .internal,
                genericParameters: node.genericParameterClause?.parameters.map(\.name.plainText) ?? [],
                inherited: [],
                runtimeName: nil,
                isMainActor: false,
                conditions: conditions,
                position: position(of: node.name)))
        return .skipChildren
    }

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        let isManaged = node.attributes.has("NSManaged")
        // In `var a, b: String` only the last name has the annotation.
        var following: TypeExpression?
        var found: [ManagedPropertyDeclaration] = []
        for binding in node.bindings.reversed() {
            if let annotation = binding.typeAnnotation { following = TypeExpression(annotation.type) }
            guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else { continue }
            if let path = scopes.last?.path {
                file.members.append(
                    MemberDeclaration(
                        ownerPath: path, name: name.plainText,
                        runtimeName: node.attributes.argument(of: "objc"), type: following))
                noteExposed(
                    ExposedMember(
                        node, binding, name.plainText, context(of: node, at: name), isMarked: isExposed))
            }
            guard isManaged else { continue }
            found.append(
                ManagedPropertyDeclaration(
                    name: name.plainText, type: following, context: context(of: node, at: name)))
        }
        file.properties.append(contentsOf: found.reversed())
        return .skipChildren
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        guard node.attributes.has("NSManaged") else {
            if isValidator(node) {
                file.validators.append(
                    ValidatorDeclaration(name: node.name.plainText, context: context(of: node, at: node.name))
                )
            }
            if let path = scopes.last?.path, node.name.plainText == "fetchRequest", node.isOfType {
                file.requestOwners.append(path)
            }
            noteExposed(ExposedMember(node, context(of: node, at: node.name), isMarked: isExposed))
            return .skipChildren
        }
        let signature = node.signature
        var effect = signature.effectSpecifiers?.trimmedDescription
        if node.genericParameterClause != nil { effect = "generic" }
        let parameters = signature.parameterClause.parameters.map { parameter in
            let label = parameter.firstName.tokenKind == .wildcard ? nil : parameter.firstName.plainText
            return ManagedMethodDeclaration.Parameter(
                label: label,
                type: parameter.ellipsis == nil ? TypeExpression(parameter.type) : .unsupported("variadic"))
        }
        file.methods.append(
            ManagedMethodDeclaration(
                name: node.name.plainText,
                parameters: parameters,
                result: signature.returnClause.flatMap { Self.result($0.type) },
                selector: node.attributes.argument(of: "objc"),
                unsupportedEffect: effect,
                context: context(of: node, at: node.name)))
        return .skipChildren
    }

    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: DeinitializerDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
        if case .decl = node.item { .visitChildren } else { .skipChildren }
    }

    private var isExposed: Bool { scopes.last?.exposesMembers ?? false }

    private func noteExposed(_ member: ExposedMember?) {
        guard let member, !scopes.isEmpty else { return }
        file.exposed.append(member)
    }

    /// Returns whether a method has the form `func validateName(_:
    /// AutoreleasingUnsafeMutablePointer<AnyObject?>) throws`.
    private func isValidator(_ node: FunctionDeclSyntax) -> Bool {
        let parameters = node.signature.parameterClause.parameters
        guard !scopes.isEmpty, node.name.text.hasPrefix("validate"), parameters.count == 1,
            let parameter = parameters.first, parameter.firstName.tokenKind == .wildcard
        else { return false }
        return parameter.type.trimmedDescription.hasPrefix("AutoreleasingUnsafeMutablePointer<AnyObject?>")
    }

    private static func result(_ type: TypeSyntax) -> TypeExpression? {
        if let tuple = type.as(TupleTypeSyntax.self), tuple.elements.isEmpty { return nil }
        if type.trimmedDescription == "Void" { return nil }
        return TypeExpression(type)
    }

    private func context(
        of node: some WithAttributesSyntax & WithModifiersSyntax, at name: TokenSyntax
    ) -> ManagedMemberContext {
        let scope = scopes.last
        return ManagedMemberContext(
            ownerPath: scope?.path ?? [],
            isInExtension: scope?.isInExtension ?? false,
            access: node.modifiers.accessLevel ?? scope?.defaultAccess ?? .internal,
            availability: node.attributes.texts(of: "available"),
            isMainActor: node.attributes.has("MainActor") || scope?.isMainActor ?? false,
            isNonisolated: node.modifiers.contains { $0.name.tokenKind == .keyword(.nonisolated) },
            hasConstraints: scope?.hasConstraints ?? false,
            conditions: conditions,
            position: position(of: name))
    }

    private func position(of node: some SyntaxProtocol) -> SourcePosition {
        let location = converter.location(for: node.positionAfterSkippingLeadingTrivia)
        return SourcePosition(file: file.path, line: location.line, column: location.column)
    }
}
#endif

#if Overlay
import CoreDataCodegen
import CoreDataModelFormat
import SwiftSyntax

/// A visitor of the nodes of a file, including function bodies, except branches for other platforms.
final class PortVisitor: SyntaxVisitor, ConditionalVisitor {
    var port: FilePort
    private let catalog: ManagedClassCatalog
    let checker: KeyPathLiteralResolver
    let plainRequests: PlainRequests
    private let library: ModuleLibrary
    private let replacedModules: Set<String>
    let converter: SourceLocationConverter
    var conditions: [String] = []
    /// The paths of the types around the current node, from the outermost name.
    private var scopes: [[String]] = []
    private var imports: Set<String> = []
    /// The imports that are visible to clients of the module.
    private var publicImports: Set<String> = []
    private let importOffset: Int
    private(set) var classes: [PortedFile.Class] = []
    private(set) var overrides: [ExtensionOverride] = []
    /// The names of Foundation that are used in a file that imports only modules whose sources are known.
    private var foundationNames: Set<String> = []
    private var namesFramework = false
    private var showsFramework = false

    init(
        _ parsed: ParsedSource, catalog: ManagedClassCatalog, checker: KeyPathLiteralResolver,
        plainRequests: PlainRequests, library: ModuleLibrary, replacedModules: Set<String>
    ) {
        port = FilePort(of: parsed.source)
        importOffset = parsed.tree.importOffset
        converter = SourceLocationConverter(fileName: parsed.source.path, tree: parsed.tree)
        self.catalog = catalog
        self.checker = checker
        self.plainRequests = plainRequests
        self.library = library
        self.replacedModules = replacedModules
        super.init(viewMode: .sourceAccurate)
    }

    /// Returns the port. It has an import of the framework or of Foundation if the file needs one and lacks
    /// it, as in projects that import headers for all files, or modules that re-export others.
    func finish() -> FilePort {
        let needsFramework = namesFramework || port.rewrites.contains(where: \.namesFramework)
        if needsFramework && !imports.contains("CoreData") || foundationNames.contains(where: isUndeclared) {
            port.missingImport = MissingImport(
                offset: importOffset, isPublic: showsFramework && !publicImports.isEmpty)
        }
        return port
    }

    /// Returns whether neither the module nor one of its dependencies has a type of this name.
    private func isUndeclared(_ name: String) -> Bool {
        !library.target.declares(name)
            && (try? library.dependency(declaring: name, seenFrom: port.source.path)) == nil
    }

    // MARK: Scopes

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
        let visit = enter(node.name)
        classes.append(.init(path: scope, body: node.memberBlock, conditions: conditions))
        return visit
    }

    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name) }
    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name) }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name) }

    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
        if node.attributes.has("objc"), node.inheritanceClause == nil {
            let end = node.name.endPositionBeforeTrailingTrivia.utf8Offset
            port.rewrites.append(Rewrite(range: end..<end, kind: .classBound))
        }
        return enter(node.name)
    }

    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        var path: [String] = []
        if case .named(let components) = TypeExpression(node.extendedType) { path = components.map(\.name) }
        scopes.append(path)
        return .visitChildren
    }

    override func visitPost(_ node: ClassDeclSyntax) { scopes.removeLast() }
    override func visitPost(_ node: ActorDeclSyntax) { scopes.removeLast() }
    override func visitPost(_ node: StructDeclSyntax) { scopes.removeLast() }
    override func visitPost(_ node: EnumDeclSyntax) { scopes.removeLast() }
    override func visitPost(_ node: ProtocolDeclSyntax) { scopes.removeLast() }
    override func visitPost(_ node: ExtensionDeclSyntax) { scopes.removeLast() }

    private func enter(_ name: TokenSyntax) -> SyntaxVisitorContinueKind {
        scopes.append((scopes.last ?? []) + [name.plainText])
        return .visitChildren
    }

    var scope: [String] { catalog.index.unqualified(scopes.last ?? []) }
    var isInGenericType: Bool { catalog.index.isGeneric(scope, from: port.source.path) }

    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind { visitBranches(of: node) }

    // MARK: Declarations

    override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
        guard let module = node.path.first?.name else { return .skipChildren }
        let name = module.plainText
        let isPublic = node.modifiers.contains { $0.name.tokenKind == .keyword(.public) }
        imports.insert(name)
        if isPublic { publicImports.insert(name) }
        if ForeignNames.modulesWithHeaders.contains(name), node.path.count > 1,
            node.importKindSpecifier == nil
        {
            let range = module.ownBytes.upperBound..<node.path.ownBytes.upperBound
            port.rewrites.append(Rewrite(range: range, kind: .submodule))
        }
        guard replacedModules.contains(name), node.path.count == 1, node.importKindSpecifier == nil,
            node.endsLine
        else { return .skipChildren }
        imports.insert("Foundation")
        if isPublic { publicImports.insert("Foundation") }
        port.rewrites.append(Rewrite(range: module.ownBytes, kind: .module("Foundation")))
        return .skipChildren
    }

    override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind {
        guard ForeignNames.attributes.contains(node.attributeName.trimmedDescription) else {
            return .visitChildren
        }
        port.rewrites.append(
            Rewrite(range: node.ownBytes, kind: runtimeName(in: node).map { .runtimeName($0) } ?? .attribute))
        return .skipChildren
    }

    /// Returns the name in a class's `@objc(…)` if the class has another attribute that may be a macro; nil
    /// otherwise.
    private func runtimeName(in node: AttributeSyntax) -> String? {
        guard let list = node.parent?.as(AttributeListSyntax.self),
            list.parent?.is(ClassDeclSyntax.self) == true,
            node.attributeName.trimmedDescription == "objc", node.endsLine
        else { return nil }
        let names = list.compactMap { $0.as(AttributeSyntax.self)?.attributeName.trimmedDescription }
        return names.contains { $0.first?.isUppercase == true } ? node.arguments?.trimmedDescription : nil
    }

    override func visit(_ node: DeclModifierSyntax) -> SyntaxVisitorContinueKind {
        if node.name.tokenKind == .keyword(.optional) {
            refuse(
                node,
                "optional requirements need the Objective-C runtime: leave out 'optional', give the requirement a "
                    + "default in an extension of the protocol, and call it without '?'")
        }
        let attributes = node.parent?.parent?.asProtocol((any WithAttributesSyntax).self)?.attributes
        if node.name.tokenKind == .keyword(.dynamic), attributes?.has("objc") == true {
            port.rewrites.append(Rewrite(range: node.ownBytes, kind: .modifier))
        }
        return .skipChildren
    }

    /// Turns an `@NSManaged` property into a computed one if accessors can be added to its line.
    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        noteOverride(node, node.modifiers)
        guard let (attribute, name) = node.managedProperty else { return .visitChildren }
        let end = node.endPositionBeforeTrailingTrivia.utf8Offset
        let kind = catalog.primitiveKey(of: name.plainText, in: scope) == nil ? "" : "Primitive"
        let token = PropertyTokens.expression(name.plainText, of: scope)
        let accessors =
            "{ get { ManagedAccess.read\(kind)(self, \(token)) } "
            + "set { ManagedAccess.write\(kind)(self, \(token), newValue) } }"
        port.rewrites.append(Rewrite(range: attribute.ownBytes, kind: .modifier))
        port.rewrites.append(Rewrite(range: end..<end, kind: .accessors(accessors)))
        port.computedProperties.insert(position(of: name))
        return .visitChildren
    }

    override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
        keepUntyped(node)
        return .visitChildren
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        noteOverride(node, node.modifiers)
        return .visitChildren
    }

    private func noteOverride(_ node: some DeclSyntaxProtocol, _ modifiers: DeclModifierListSyntax) {
        let override = ExtensionOverride(
            node, modifiers, of: scope, under: conditions, at: position(of: node))
        if let override { overrides.append(override) }
    }

    // MARK: Expressions and types

    override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind { expand(node) }
    override func visit(_ node: MacroExpansionDeclSyntax) -> SyntaxVisitorContinueKind { expand(node) }

    private func expand(_ node: some FreestandingMacroExpansionSyntax) -> SyntaxVisitorContinueKind {
        let names = node.arguments.first?.expression.dottedNames
        switch node.macroName.text {
        case "keyPath": expandKeyPath(node, names)
        case "selector": expandSelector(node, names)
        default: return .visitChildren
        }
        return .skipChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        replaceMember(node)
        callRequirement(node)
        return .visitChildren
    }

    override func visit(_ node: UnresolvedAsExprSyntax) -> SyntaxVisitorContinueKind {
        retype(node)
        return .visitChildren
    }

    override func visit(_ node: MemberTypeSyntax) -> SyntaxVisitorContinueKind {
        unqualify(node.baseType.trimmedDescription, node.baseType, node.name)
        return .visitChildren
    }

    override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
        if let base = node.base { unqualify(base.trimmedDescription, base, node.declName.baseName) }
        return .visitChildren
    }

    override func visit(_ token: TokenSyntax) -> SyntaxVisitorContinueKind {
        guard token.tokenKind.isIdentifier else { return .visitChildren }
        let isExtended = ForeignNames.isExtended(token.text)
        if ForeignNames.isOfFramework(token.text) || isExtended && publicImports.contains("Foundation") {
            namesFramework = true
            showsFramework = showsFramework || token.isShownToClients
        }
        if imports.isSubset(of: library.dependencyNames), ForeignNames.isOfFoundation(token.text) {
            foundationNames.insert(token.text)
            showsFramework = showsFramework || isExtended && token.isShownToClients
        }
        return .visitChildren
    }
}

extension TokenKind {
    fileprivate var isIdentifier: Bool {
        if case .identifier = self { true } else { false }
    }
}
#endif

package import CoreDataModelFormat
import SwiftSyntax

/// Finds what has to be rewritten in a source, and what no rewriting can help.
package struct PortScanner {
    private let catalog: ManagedClassCatalog
    private let checker: KeyPathChecker
    private let replacedModules: Set<String>

    /// - Parameter library: with the classes that are generated from the models.
    package init(catalog: ManagedClassCatalog, library: ModuleLibrary, documents: [ModelDocument]) {
        self.catalog = catalog
        checker = KeyPathChecker(catalog: catalog, library: library, documents: documents)
        replacedModules = ForeignNames.modulesReexportingFoundation(besides: library.dependencyNames)
    }

    package func scan(_ parsed: ParsedSource) -> FilePort {
        let visitor = PortVisitor(
            parsed, catalog: catalog, checker: checker, replacedModules: replacedModules)
        visitor.walk(parsed.tree)
        return visitor.finish()
    }
}

/// One walk over a file, function bodies included, the branches for other platforms left out.
private final class PortVisitor: SyntaxVisitor {
    private var port: FilePort
    private let catalog: ManagedClassCatalog
    private let checker: KeyPathChecker
    private let replacedModules: Set<String>
    private let converter: SourceLocationConverter
    private let evaluator = ConditionEvaluator()
    /// The type around the current node, from the outermost name.
    private var scopes: [[String]] = []
    private var imports: Set<String> = []
    private var namesFoundation = false

    init(
        _ parsed: ParsedSource, catalog: ManagedClassCatalog, checker: KeyPathChecker,
        replacedModules: Set<String>
    ) {
        port = FilePort(of: parsed.source)
        converter = SourceLocationConverter(fileName: parsed.source.path, tree: parsed.tree)
        self.catalog = catalog
        self.checker = checker
        self.replacedModules = replacedModules
        super.init(viewMode: .sourceAccurate)
    }

    /// What the whole file decides: projects whose headers are imported for all files write no import.
    func finish() -> FilePort {
        let importsFoundation = imports.contains { $0 == "CoreData" || $0.hasPrefix("Foundation") }
        if !port.computedProperties.isEmpty, !imports.contains("CoreData") {
            port.additions.append("import CoreData")
        } else if namesFoundation, imports.isEmpty, !importsFoundation {
            port.additions.append("import CoreData")
        }
        return port
    }

    // MARK: Scopes

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name) }
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

    private var scope: [String] { catalog.index.unqualified(scopes.last ?? []) }

    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
        for clause in node.clauses {
            let known = clause.condition.map(evaluator.value(of:)) ?? true
            if known != false, let elements = clause.elements { walk(elements) }
            if known == true { break }
        }
        return .skipChildren
    }

    // MARK: Declarations

    override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
        guard let module = node.path.first?.name else { return .skipChildren }
        let name = module.plainText
        imports.insert(name)
        guard replacedModules.contains(name), node.path.count == 1, node.importKindSpecifier == nil,
            node.endsLine
        else { return .skipChildren }
        imports.insert("Foundation")
        port.rewrites.append(Rewrite(range: module.ownBytes, kind: .module("Foundation")))
        return .skipChildren
    }

    override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind {
        guard ForeignNames.attributes.contains(node.attributeName.trimmedDescription) else {
            return .visitChildren
        }
        port.rewrites.append(Rewrite(range: node.ownBytes, kind: .attribute))
        return .skipChildren
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

    /// An `@NSManaged` property becomes a computed one where the accessors find room behind it.
    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        guard let attribute = node.attributes.first(named: "NSManaged"), node.bindings.count == 1,
            let binding = node.bindings.first, let annotation = binding.typeAnnotation,
            TypeExpression(annotation.type).isSupported, binding.accessorBlock == nil,
            let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier, node.endsLine
        else { return .visitChildren }
        let end = node.endPositionBeforeTrailingTrivia.utf8Offset
        let kind = catalog.primitiveKey(of: name.plainText, in: scope) == nil ? "" : "Primitive"
        let token = PropertyTokens.expression(name.plainText, of: scope)
        let accessors =
            "{ get { ManagedAccess.read\(kind)(self, \(token)) } "
            + "set { ManagedAccess.write\(kind)(self, \(token), newValue) } }"
        port.rewrites.append(Rewrite(range: attribute.ownBytes, kind: .modifier))
        port.rewrites.append(Rewrite(range: end..<end, kind: .accessors(accessors)))
        port.computedProperties.insert(place(of: name))
        return .visitChildren
    }

    // MARK: Expressions and types

    override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind { expand(node) }
    override func visit(_ node: MacroExpansionDeclSyntax) -> SyntaxVisitorContinueKind { expand(node) }

    private func expand(_ node: some FreestandingMacroExpansionSyntax) -> SyntaxVisitorContinueKind {
        let names = node.arguments.first?.expression.dottedNames
        switch node.macroName.text {
        case "keyPath": expandKeyPath(node, names)
        case "selector":
            if let names, let selector = ComparisonSelector.name(of: names) {
                port.rewrites.append(Rewrite(range: node.ownBytes, kind: .selector(selector)))
            } else {
                refuse(
                    node,
                    "a selector finds no method without the Objective-C runtime: pass a closure, such as that of "
                        + "addObserver(forName:object:queue:using:), or put this under #if canImport(ObjectiveC)"
                )
            }
        default: return .visitChildren
        }
        return .skipChildren
    }

    private func expandKeyPath(_ node: some FreestandingMacroExpansionSyntax, _ names: [String]?) {
        guard let names else {
            return refuse(node, "only names separated by dots can stand in a key path: write it as a string")
        }
        switch checker.meaning(of: names, in: scope, of: port.source.path) {
        case .refused(let reason):
            refuse(node, "\(reason): write the key path as a string")
        case .text(let text, let unchecked):
            port.rewrites.append(Rewrite(range: node.ownBytes, kind: .keyPath(text)))
            guard let unchecked else { return }
            // Never called: the compiler checks it, and says what it finds about the line of the key path.
            let place = place(of: node)
            port.additions += [
                "#sourceLocation(file: \"\(place.file)\", line: \(place.line))",
                "private func keyPathCheck\(port.additions.count)(_ root: \(unchecked.type)) { _ = root.\(unchecked.property) }",
                "#sourceLocation()",
            ]
        }
    }

    override func visit(_ node: MemberTypeSyntax) -> SyntaxVisitorContinueKind {
        unqualify(node.baseType.trimmedDescription, node.baseType, node.name)
        return .visitChildren
    }

    override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
        if let base = node.base { unqualify(base.trimmedDescription, base, node.declName.baseName) }
        return .visitChildren
    }

    private func unqualify(_ module: String, _ base: some SyntaxProtocol, _ name: TokenSyntax) {
        guard module == "Foundation", ForeignNames.unqualified.contains(name.text) else { return }
        let range = base.ownBytes.lowerBound..<name.ownBytes.lowerBound
        port.rewrites.append(Rewrite(range: range, kind: .qualifier))
    }

    override func visit(_ token: TokenSyntax) -> SyntaxVisitorContinueKind {
        namesFoundation = namesFoundation || token.tokenKind.isIdentifier && token.text.hasPrefix("NS")
        return .visitChildren
    }

    // MARK: Places

    private func refuse(_ node: some SyntaxProtocol, _ message: String) {
        let place = place(of: node)
        port.refusals.append(
            Diagnostic(.error, message, file: place.file, line: place.line, column: place.column))
    }

    private func place(of node: some SyntaxProtocol) -> SourcePlace {
        let location = converter.location(for: node.positionAfterSkippingLeadingTrivia)
        return SourcePlace(file: port.source.path, line: location.line, column: location.column)
    }
}

extension TokenKind {
    fileprivate var isIdentifier: Bool {
        if case .identifier = self { true } else { false }
    }
}

#if Overlay
import CoreDataCodegen
import SwiftSyntax

/// A line that uses an API of Apple's systems.
package struct ForeignUse: Sendable, Hashable {
    package var topic: ForeignTopic
    /// The name of the API that is used.
    package var name: String
    package var file: String
    package var line: Int

    /// Returns the uses in a source: the first use of each topic in each line. Branches for other platforms
    /// are left out.
    package static func all(in source: ParsedSource) -> [ForeignUse] {
        let visitor = ForeignUseVisitor(source)
        visitor.walk(source.tree)
        return visitor.uses
    }
}

private final class ForeignUseVisitor: SyntaxVisitor, ConditionalVisitor {
    var conditions: [String] = []
    private(set) var uses: [ForeignUse] = []
    private let path: String
    private let converter: SourceLocationConverter

    private static let observers: Set<String> = [
        "addObserver", "observeValue", "removeObserver", "automaticallyNotifiesObservers",
    ]

    init(_ source: ParsedSource) {
        path = source.source.path
        converter = SourceLocationConverter(fileName: path, tree: source.tree)
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind { visitBranches(of: node) }

    override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
        if let name = node.path.first?.name.plainText, let topic = ForeignTopic(module: name) {
            note(topic, name, at: node)
        }
        return .skipChildren
    }

    override func visit(_ token: TokenSyntax) -> SyntaxVisitorContinueKind {
        if case .identifier(let name) = token.tokenKind, let topic = ForeignTopic(name: name) {
            note(topic, name, at: token)
        }
        return .visitChildren
    }

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
        let transforms = node.inheritanceClause.expressions.contains { inherited in
            guard case .named(let components) = inherited, let name = components.last?.name else {
                return false
            }
            return name.hasSuffix("Transformer")
        }
        let names = node.memberBlock.tokens(viewMode: .sourceAccurate).lazy.compactMap { token -> String? in
            guard case .identifier(let name) = token.tokenKind else { return nil }
            return name
        }
        if transforms, names.contains(where: { ForeignTopic(name: $0) == .userInterface }) {
            note(.valueTransformer, node.name.text, at: node.name)
        }
        return .visitChildren
    }

    // MARK: Observing

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        if node.calledExpression.dottedNames == ["Bundle"], node.arguments.first?.label?.text == "for" {
            note(.bundle, "Bundle(for:)", at: node)
        }
        guard let name = node.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName else {
            return .visitChildren
        }
        let labels = node.arguments.map { $0.label?.text }
        let takesKeyPath = node.arguments.first?.expression.is(KeyPathExprSyntax.self) == true
        if name.text == "observe" && takesKeyPath
            || Self.observers.contains(name.text) && labels.contains("forKeyPath")
        {
            note(.keyValueObserving, name.text, at: name)
        }
        if name.text == "publisher", labels.first == "for" { note(.combine, name.text, at: name) }
        return .visitChildren
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        let name = node.name.text
        if name.hasPrefix("keyPathsForValuesAffecting")
            || Self.observers.contains(name) && name != "addObserver"
        {
            note(.keyValueObserving, name, at: node.name)
        }
        return .visitChildren
    }

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        for case let name? in node.bindings.map({ $0.pattern.as(IdentifierPatternSyntax.self)?.identifier })
        where name.text.hasPrefix("keyPathsForValuesAffecting") {
            note(.keyValueObserving, name.text, at: name)
        }
        return .visitChildren
    }

    private func note(_ topic: ForeignTopic, _ name: String, at node: some SyntaxProtocol) {
        let line = converter.location(for: node.positionAfterSkippingLeadingTrivia).line
        guard !uses.contains(where: { $0.topic == topic && $0.line == line }) else { return }
        uses.append(ForeignUse(topic: topic, name: name, file: path, line: line))
    }
}
#endif

#if Overlay
import CoreDataCodegen
import CoreDataModelFormat
import SwiftSyntax

extension PortVisitor {
    func expandKeyPath(_ node: some FreestandingMacroExpansionSyntax, _ names: [String]?) {
        guard let names else {
            return refuse(node, "only names separated by dots can stand in a key path: write it as a string")
        }
        switch checker.meaning(of: names, in: scope, of: port.source.path) {
        case .refused(let reason):
            refuse(node, "\(reason): write the key path as a string")
        case .path(let path):
            port.rewrites.append(Rewrite(range: node.ownBytes, kind: .keyPath(path)))
            check(path, for: node)
        }
    }

    /// Adds a function that makes the compiler check a property that no known source declares. Errors are
    /// reported at the position of the key path.
    private func check(_ path: KeyPathExpansion, for node: some FreestandingMacroExpansionSyntax) {
        guard let unchecked = path.unchecked, let expression = node.arguments.first?.expression else {
            return
        }
        let name = expression.lastToken(viewMode: .sourceAccurate) ?? node.macroName
        let root = expression.firstToken(viewMode: .sourceAccurate) ?? node.macroName
        let function = "private func keyPathCheck\(port.additions.count)(_ root: "
        // The function is never called.
        append(
            line(function, followedBy: "\(unchecked.type)) {", at: position(of: root))
                + line("_ = root", followedBy: ".\(unchecked.property) }", at: position(of: name), indent: -1)
        )
    }

    /// Returns lines that make the compiler treat `text` as if it were at a position of the source; `head` is
    /// on the line before.
    private func line(
        _ head: String, followedBy text: String, at position: SourcePosition, indent: Int = 0
    ) -> [String] {
        guard position.line > 1 else { return [sourceLocation(position, line: 1), head + text] }
        let padding = String(repeating: " ", count: max(0, position.column - 1 + indent))
        return [sourceLocation(position, line: position.line - 1), head, padding + text]
    }

    func expandSelector(_ node: some FreestandingMacroExpansionSyntax, _ names: [String]?) {
        if let names, let selector = ComparisonSelector.name(of: names) {
            port.rewrites.append(Rewrite(range: node.ownBytes, kind: .selector(selector)))
            return
        }
        if let names, let accessor = node.arguments.first?.label?.text {
            return expandAccessor(node, names, isSetter: accessor == "setter")
        }
        guard let argument = node.arguments.first, argument.label == nil,
            let method = MethodReference(argument.expression, in: scope, under: conditions)
        else {
            return refuse(
                node,
                "there is nothing to call by this selector without the Objective-C runtime: name a method of a class "
                    + "with at most one parameter, pass a closure instead, or put this under #if canImport(ObjectiveC)"
            )
        }
        port.selectedMethods.append(method)
        let number = port.selectedMethods.count
        port.rewrites.append(Rewrite(range: node.ownBytes, kind: .selectedMethod(number)))
        let position = position(of: node)
        append(
            [sourceLocation(position, line: position.line)]
                + method.selectorFunction(number: number, isInGeneric: isInGenericType))
    }

    /// Rewrites a selector that refers to a property. It is never called, but is a key for sort descriptors
    /// and predicates.
    private func expandAccessor(
        _ node: some FreestandingMacroExpansionSyntax, _ names: [String], isSetter: Bool
    ) {
        let own = names.count > 1 && names[0] == "self" ? Array(names.dropFirst()) : names
        switch checker.meaning(of: own, in: scope, of: port.source.path) {
        case .path(let path) where path.steps.count == 1:
            let kind: Rewrite.Kind = isSetter ? .selector(SelectorName.setter(path.text)) : .getter(path)
            port.rewrites.append(Rewrite(range: node.ownBytes, kind: kind))
            check(path, for: node)
        case .path: refuse(node, "a selector names one property: write it with its type")
        case .refused(let reason): refuse(node, "\(reason): name the property by a string")
        }
    }

    /// Adds lines after the last line. The compiler reports errors in them at the source positions that they
    /// contain.
    private func append(_ lines: [String]) {
        let located = lines + ["#sourceLocation()"]
        guard !conditions.isEmpty else { return port.additions += located }
        port.additions += ["#if " + conditions.joined(separator: " && ")] + located + ["#endif"]
    }

    private func sourceLocation(_ position: SourcePosition, line: Int) -> String {
        "#sourceLocation(file: \"\(position.file)\", line: \(line))"
    }

    func unqualify(_ module: String, _ base: some SyntaxProtocol, _ name: TokenSyntax) {
        guard module == "Foundation", ForeignNames.unqualified.contains(name.text) else { return }
        let range = base.ownBytes.lowerBound..<name.ownBytes.lowerBound
        port.rewrites.append(Rewrite(range: range, kind: .qualifier))
    }

    /// Rewrites a cast to a type of fetch request. On Apple's systems the cast succeeds for every result
    /// type.
    func retype(_ node: UnresolvedAsExprSyntax) {
        guard let mark = node.questionOrExclamationMark, let elements = node.parent?.as(ExprListSyntax.self),
            let index = elements.index(of: ExprSyntax(node)), index != elements.startIndex,
            let type = elements[elements.index(after: index)].as(TypeExprSyntax.self),
            let result = type.type.fetchRequestResult
        else { return }
        if elements[elements.index(before: index)].is(TypeExprSyntax.self) {
            return refuse(node, "only one cast can be ported: put the first one in parentheses")
        }
        let range = node.ownBytes.lowerBound..<type.ownBytes.upperBound
        if mark.tokenKind == .exclamationMark,
            let owner = elements[elements.index(before: index)].calledRequest?.base?.dottedNames,
            owner.joined(separator: ".") == result.trimmedDescription,
            plainRequests.contain(owner, in: scope) || node.isInScope(ofGenericParameter: owner)
        {
            // The request already has this type on Linux.
            return port.rewrites.append(Rewrite(range: range, kind: .replacement("")))
        }
        let label = mark.tokenKind == .exclamationMark ? "to" : "as"
        let text =
            result.is(SomeOrAnyTypeSyntax.self)
            ? "(\(result.trimmedDescription))" : " \(result.trimmedDescription)"
        port.rewrites.append(Rewrite(range: range, kind: .retyping(".retyped(\(label):\(text).self")))
    }

    /// Preserves the type of `let request = Car.fetchRequest()`. On Apple's systems it is a request for any
    /// result type unless the class declares its own `fetchRequest()`; on Linux it would be a request for
    /// cars.
    func keepUntyped(_ binding: PatternBindingSyntax) {
        guard binding.typeAnnotation == nil, binding.pattern.is(IdentifierPatternSyntax.self),
            let member = binding.initializer?.value.calledRequest, let names = member.base?.dottedNames,
            plainRequests.contain(names, in: scope)
        else { return }
        let type = binding.pattern.ownBytes.upperBound
        port.rewrites.append(
            Rewrite(range: member.declName.baseName.ownBytes, kind: .untypedRequest(type: type)))
    }

    /// Replaces a call of a method that has another result in Foundation on Linux, and of `Bundle(for:)`,
    /// which on Apple's systems finds the bundle with the resources of the class's module.
    func replaceMember(_ call: FunctionCallExprSyntax) {
        let argument = call.arguments.first
        if call.calledExpression.dottedNames == ["Bundle"], call.arguments.count == 1,
            let label = argument?.label, label.text == "for"
        {
            port.rewrites.append(Rewrite(range: label.ownBytes, kind: .member("of")))
        }
        guard let member = call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName,
            let name = ForeignNames.replacement(
                of: member.text, labels: call.arguments.map { $0.label?.text })
        else { return }
        port.rewrites.append(Rewrite(range: member.ownBytes, kind: .member(name)))
    }

    /// Rewrites a call of an optional requirement: `delegate?.controllerDidChangeContent?(controller)`.
    func callRequirement(_ call: FunctionCallExprSyntax) {
        guard let chain = call.calledExpression.as(OptionalChainingExprSyntax.self),
            let member = chain.expression.as(MemberAccessExprSyntax.self)?.declName.baseName.text,
            ForeignNames.isOptionalRequirement(member, labels: call.arguments.map { $0.label?.text })
        else { return }
        port.rewrites.append(Rewrite(range: chain.questionMark.ownBytes, kind: .optionalCall))
        let position = position(of: chain.questionMark)
        port.inPlaceRefusals.append(
            Diagnostic(
                .error,
                "Apple's compiler requires this '?', and the one for Linux refuses it, since the requirement has a default "
                    + "there: write the call twice, under #if canImport(ObjectiveC) and #else",
                file: position.file, line: position.line, column: position.column))
    }

    // MARK: Positions

    /// Adds an error for a node that cannot be ported.
    ///
    /// - Parameter inOverlayAlone: Whether the error applies to the overlay only and the source can be ported
    ///   in place.
    func refuse(_ node: some SyntaxProtocol, _ message: String, inOverlayAlone: Bool = false) {
        let position = position(of: node)
        let refusal = Diagnostic(
            .error, message, file: position.file, line: position.line, column: position.column)
        if inOverlayAlone { port.overlayRefusals.append(refusal) } else { port.refusals.append(refusal) }
    }

    func position(of node: some SyntaxProtocol) -> SourcePosition {
        let location = converter.location(for: node.positionAfterSkippingLeadingTrivia)
        return SourcePosition(file: port.source.path, line: location.line, column: location.column)
    }
}

extension SyntaxProtocol {
    /// Returns whether a declaration around the node has a generic parameter of this name.
    fileprivate func isInScope(ofGenericParameter path: [String]) -> Bool {
        sequence(first: Syntax(self), next: \.parent).contains { node in
            let parameters = node.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause?
                .parameters
            return parameters?.contains { [$0.name.plainText] == path } ?? false
        }
    }
}

extension ExprSyntax {
    /// The member `Car.fetchRequest` of a call `Car.fetchRequest()`; nil for any other expression.
    fileprivate var calledRequest: MemberAccessExprSyntax? {
        guard let call = self.as(FunctionCallExprSyntax.self), call.arguments.isEmpty,
            let member = call.calledExpression.as(MemberAccessExprSyntax.self),
            member.declName.baseName.text == "fetchRequest"
        else { return nil }
        return member
    }
}
#endif

import SwiftSyntax

/// A walk that leaves out the branches of `#if` for other platforms, and knows under which conditions the rest stands.
protocol ConditionalVisitor: SyntaxVisitor {
    /// The `#if` conditions around the current node that cannot be told.
    var conditions: [String] { get set }
}

extension ConditionalVisitor {
    func visitBranches(of node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
        for branch in ConditionEvaluator().branches(of: node) {
            conditions += branch.conditions
            walk(branch.elements)
            conditions.removeLast(branch.conditions.count)
        }
        return .skipChildren
    }
}

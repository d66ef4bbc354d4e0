#if Overlay
import CoreDataCodegen
import SwiftSyntax

/// A walk that leaves out the branches of `#if` for other platforms, and knows under which conditions the rest stands.
protocol ConditionalVisitor: SyntaxVisitor {
    /// The `#if` conditions around the current node that cannot be told.
    var conditions: [String] { get set }
}

extension ConditionalVisitor {
    func visitBranches(of node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
        for branch in node.possibleBranches {
            conditions += branch.conditions
            walk(branch.elements)
            conditions.removeLast(branch.conditions.count)
        }
        return .skipChildren
    }
}

extension IfConfigDeclSyntax {
    /// The branches that may be compiled, each with the conditions for it that cannot be told.
    var possibleBranches: [(conditions: [String], elements: IfConfigClauseSyntax.Elements)] {
        let clauses = Array(clauses)
        return ConditionEvaluator().branches(of: clauses.map { $0.condition?.trimmedDescription })
            .compactMap { branch in clauses[branch.index].elements.map { (branch.conditions, $0) } }
    }
}
#endif

#if Overlay
import CoreDataCodegen
import SwiftSyntax

/// A visitor that skips the `#if` branches for other platforms and knows the conditions around each node.
protocol ConditionalVisitor: SyntaxVisitor {
    /// The `#if` conditions with unknown values around the current node.
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
    /// The branches that may be compiled, each with its conditions whose values are unknown.
    var possibleBranches: [(conditions: [String], elements: IfConfigClauseSyntax.Elements)] {
        let clauses = Array(clauses)
        return ConditionEvaluator().branches(of: clauses.map { $0.condition?.trimmedDescription })
            .compactMap { branch in clauses[branch.index].elements.map { (branch.conditions, $0) } }
    }
}
#endif

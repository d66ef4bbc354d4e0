import SwiftSyntax

/// What a `#if` condition comes to on Linux, as far as it is known without the client's build settings.
///
/// A branch whose condition stays unknown is read, and what is generated for it repeats the condition.
struct ConditionEvaluator {
    private static let presentModules: Set<String> = [
        "Swift", "Foundation", "FoundationEssentials", "FoundationNetworking", "FoundationXML", "CoreData",
        "Dispatch", "Glibc", "Synchronization",
    ]

    private static let absentModules: Set<String> = [
        "UIKit", "AppKit", "Cocoa", "SwiftUI", "Combine", "CloudKit", "CoreSpotlight", "CoreLocation",
        "MapKit",
        "os", "OSLog", "ObjectiveC", "Darwin", "WatchKit", "WidgetKit", "SwiftData", "CoreGraphics",
        "MetricKit",
    ]

    /// The branches that may be compiled, each with the conditions for it that cannot be told.
    func branches(
        of node: IfConfigDeclSyntax
    ) -> [(conditions: [String], elements: IfConfigClauseSyntax.Elements)] {
        var branches: [(conditions: [String], elements: IfConfigClauseSyntax.Elements)] = []
        var earlier: [String] = []
        for clause in node.clauses {
            let known = clause.condition.map(value(of:)) ?? true
            let text = clause.condition?.trimmedDescription
            if known != false, let elements = clause.elements {
                let own = known == nil ? text.map { ["(\($0))"] } ?? [] : []
                branches.append((earlier + own, elements))
            }
            if known == true { break }
            if known == nil, let text { earlier.append("!(\(text))") }
        }
        return branches
    }

    /// Nil when it cannot be told.
    func value(of condition: ExprSyntax) -> Bool? {
        switch condition.as(ExprSyntaxEnum.self) {
        case .booleanLiteralExpr(let literal):
            literal.literal.tokenKind == .keyword(.true)
        case .prefixOperatorExpr(let expression) where expression.operator.text == "!":
            value(of: expression.expression).map { !$0 }
        case .tupleExpr(let tuple) where tuple.elements.count == 1:
            value(of: tuple.elements[tuple.elements.startIndex].expression)
        case .sequenceExpr(let sequence):
            value(of: Array(sequence.elements))
        case .functionCallExpr(let call):
            value(of: call)
        default:
            nil
        }
    }

    /// `&&` binds tighter than `||`: the list is split at the latter first.
    private func value(of elements: [ExprSyntax]) -> Bool? {
        func isOperator(_ element: ExprSyntax, _ text: String) -> Bool {
            element.as(BinaryOperatorExprSyntax.self)?.operator.text == text
        }
        let alternatives = elements.split { isOperator($0, "||") }.map { alternative in
            conjunction(
                alternative.split { isOperator($0, "&&") }.map { $0.count == 1 ? value(of: $0.first!) : nil })
        }
        if alternatives.contains(true) { return true }
        return alternatives.allSatisfy { $0 == false } ? false : nil
    }

    private func conjunction(_ values: [Bool?]) -> Bool? {
        if values.contains(false) { return false }
        return values.allSatisfy { $0 == true } ? true : nil
    }

    private func value(of call: FunctionCallExprSyntax) -> Bool? {
        let argument = call.arguments.first?.expression.trimmedDescription ?? ""
        return switch call.calledExpression.trimmedDescription {
        case "os": argument == "Linux"
        case "targetEnvironment": false
        case "_runtime": argument == "_Native"
        case "canImport" where Self.presentModules.contains(argument): true
        case "canImport" where Self.absentModules.contains(argument): false
        default: nil
        }
    }
}

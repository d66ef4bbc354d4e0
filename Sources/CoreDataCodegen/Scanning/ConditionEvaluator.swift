/// The evaluator of `#if` conditions for Linux. It knows only values that do not depend on the client's build
/// settings.
///
/// A branch whose condition has an unknown value is read, and the code generated for it repeats the
/// condition.
package struct ConditionEvaluator {
    package init() {}

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

    /// Returns the branches that may be compiled, each with its conditions whose values are unknown.
    ///
    /// - Parameter conditions: The text of the condition of `#if` and of each `#elseif`; nil for `#else`.
    package func branches(of conditions: [String?]) -> [(index: Int, conditions: [String])] {
        var branches: [(index: Int, conditions: [String])] = []
        var earlier: [String] = []
        for (index, condition) in conditions.enumerated() {
            let known = condition.map(value(of:)) ?? true
            if known != false {
                branches.append((index, earlier + (known == nil ? condition.map { ["(\($0))"] } ?? [] : [])))
            }
            if known == true { break }
            if known == nil, let condition { earlier.append("!(\(condition))") }
        }
        return branches
    }

    /// Returns the value of a condition; nil if it is unknown.
    package func value(of condition: String) -> Bool? {
        guard var cursor = try? TokenCursor(SourceText(path: "", text: condition)) else { return nil }
        let value = disjunction(&cursor)
        return cursor.isAtEnd ? value : nil
    }

    /// Reads operands of `||`, which binds less tightly than `&&`.
    private func disjunction(_ cursor: inout TokenCursor) -> Bool? {
        let values = operands("||", &cursor, conjunction)
        if values.contains(true) { return true }
        return values.allSatisfy { $0 == false } ? false : nil
    }

    private func conjunction(_ cursor: inout TokenCursor) -> Bool? {
        let values = operands("&&", &cursor, operand)
        if values.contains(false) { return false }
        return values.allSatisfy { $0 == true } ? true : nil
    }

    private func operands(
        _ separator: String, _ cursor: inout TokenCursor, _ read: (inout TokenCursor) -> Bool?
    ) -> [Bool?] {
        var values = [read(&cursor)]
        while cursor.isOperator(separator) {
            cursor.advance(2)
            values.append(read(&cursor))
        }
        return values
    }

    private func operand(_ cursor: inout TokenCursor) -> Bool? {
        var isNegated = false
        while cursor.take("!") { isNegated.toggle() }
        return primary(&cursor).map { $0 != isNegated }
    }

    private func primary(_ cursor: inout TokenCursor) -> Bool? {
        if cursor.take("(") {
            guard (try? cursor.enter()) != nil else { return nil }
            defer { cursor.leave() }
            let value = disjunction(&cursor)
            return cursor.take(")") ? value : nil
        }
        guard let name = cursor.name() else { return nil }
        cursor.advance()
        guard cursor.is("(") else { return name == "true" ? true : name == "false" ? false : nil }
        let argument = cursor.name(at: 1)
        let isSingle = cursor.is(")", at: 2)
        guard (try? cursor.skipBrackets()) != nil else { return nil }
        return isSingle
            ? argument.flatMap { value(of: name, $0) } : name == "canImport" ? canImport(argument) : nil
    }

    private func value(of function: String, _ argument: String) -> Bool? {
        switch function {
        case "os": argument == "Linux"
        case "targetEnvironment": false
        case "_runtime": argument == "_Native"
        case "canImport": canImport(argument)
        default: nil
        }
    }

    /// Returns whether Linux has a module, whatever submodule or version is asked for; nil if that is unknown.
    private func canImport(_ module: String?) -> Bool? {
        guard let module else { return nil }
        if Self.presentModules.contains(module) { return true }
        return Self.absentModules.contains(module) ? false : nil
    }
}

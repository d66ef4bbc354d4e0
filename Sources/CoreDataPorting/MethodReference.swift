#if Overlay
import CoreDataCodegen
import SwiftSyntax

/// The method that `#selector` refers to, found by its class, as the compiler finds it without the
/// Objective-C runtime.
package struct MethodReference: Sendable, Hashable {
    /// The type around the `#selector`.
    private let scope: [String]
    /// The `#if` conditions around the `#selector` whose values are unknown.
    private let conditions: [String]
    /// The class of the method: as written, or the type around the `#selector`.
    private let owner: String
    /// The name of the method, with its labels where they are written: `changed(_:)`.
    private let method: String
    private let name: String
    private let labels: [String]

    /// Reads an expression; nil for one that does not name a method of a class, or names one with more than
    /// one parameter.
    init?(_ expression: ExprSyntax, in scope: [String], under conditions: [String]) {
        self.scope = scope
        self.conditions = conditions
        let reference: DeclReferenceExprSyntax
        if let plain = expression.as(DeclReferenceExprSyntax.self) {
            reference = plain
            owner = Self.spelling(scope)
        } else if let access = expression.as(MemberAccessExprSyntax.self),
            let base = access.base.flatMap(Self.spelling)
        {
            reference = access.declName
            if base == "self" || base == "Self" {
                owner = Self.spelling(scope)
            } else {
                owner = base
            }
        } else {
            return nil
        }
        name = reference.baseName.plainText
        method = reference.trimmedDescription
        labels = reference.argumentNames?.arguments.map(\.name.text) ?? []
        guard !owner.isEmpty, labels.count <= 1 else { return nil }
    }

    /// Returns a function that makes the selector, for the whole file.
    ///
    /// The selector is made in an extension of the type around the `#selector`, which sees the type's private
    /// methods. A function beside the extension is found from instance and type methods alike. Both are
    /// `nonisolated`, since a reference to a method of an actor runs nothing.
    ///
    /// - Parameter isInGeneric: Whether the type around it is generic. A function beside the extension does
    ///   not know the type's parameters, so both functions are members then.
    func selectorFunction(number: Int, isInGeneric: Bool) -> [String] {
        guard !scope.isEmpty else { return ["private func selector\(number)() -> Selector { \(selector) }"] }
        let enclosing = Self.spelling(scope)
        if isInGeneric {
            let function = "func selector\(number)() -> Selector"
            return [
                "extension \(enclosing) { nonisolated fileprivate static \(function) { \(selector) } }",
                "extension \(enclosing) { nonisolated fileprivate \(function) { Self.selector\(number)() } }",
            ]
        }
        return [
            "extension \(enclosing) { nonisolated fileprivate static func selectedMethod\(number)() -> Selector { \(selector) } }",
            "private func selector\(number)() -> Selector { \(enclosing).selectedMethod\(number)() }",
        ]
    }

    /// The name of the property that makes the selector in a source ported in place.
    var selectorProperty: String {
        let type = owner.replacing(/<.*>/, with: "")
        let owner = type == Self.spelling(scope) ? [] : type.split(separator: ".").map(String.init)
        let words = owner + selectorName.split(separator: ":").map(String.init)
        return NameEscaping.lowercased(words[0]) + words.dropFirst().map(NameEscaping.capitalized).joined()
            + "Selector"
    }

    /// The expression for the selector in a source ported in place.
    var selectorReference: String {
        scope.isEmpty ? selectorProperty : "\(Self.spelling(scope)).\(selectorProperty)"
    }

    /// Returns the declaration of the selector property, with a branch for the Objective-C runtime and one
    /// without it.
    func selectorDeclaration() -> [String] {
        let isGlobal = scope.isEmpty
        let head = isGlobal ? "private" : "nonisolated fileprivate static"
        let property = [
            "\(head) var \(selectorProperty): Selector {",
            "    #if canImport(ObjectiveC)",
            "    return #selector(\(owner).\(method))",
            "    #else",
            "    return \(selector)",
            "    #endif",
            "}",
        ]
        let lines =
            isGlobal
            ? property : ["extension \(Self.spelling(scope)) {"] + property.map { "    " + $0 } + ["}"]
        return conditions.isEmpty
            ? lines : ["#if " + conditions.joined(separator: " && ")] + lines + ["#endif"]
    }

    private var selector: String { "Selector(\"\(selectorName)\", \(owner).\(method))" }

    /// The selector as the Objective-C runtime would have it: `changed:`, `handleWithNote:`.
    private var selectorName: String {
        SelectorName.method(name, labels: labels.map { $0 == "_" ? nil : $0 })
    }

    /// Returns the spelling of `A.B<T>`, `self` and `Self`; nil for other variables, which do not tell their
    /// class.
    private static func spelling(_ base: ExprSyntax) -> String? {
        if let type = base.as(GenericSpecializationExprSyntax.self) {
            return spelling(type.expression).map { $0 + type.genericArgumentClause.trimmedDescription }
        }
        if let member = base.as(MemberAccessExprSyntax.self), let outer = member.base {
            let name = member.declName.baseName.plainText
            guard name.first?.isUppercase == true else { return nil }
            return spelling(outer).map { $0 + "." + NameEscaping.escaped(name) }
        }
        guard let name = base.as(DeclReferenceExprSyntax.self)?.baseName.plainText else { return nil }
        if name == "self" || name == "Self" { return name }
        return name.first?.isUppercase == true ? NameEscaping.escaped(name) : nil
    }

    private static func spelling(_ path: [String]) -> String {
        path.map(NameEscaping.escaped).joined(separator: ".")
    }
}
#endif

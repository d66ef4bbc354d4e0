#if Overlay
import CoreDataCodegen
import SwiftSyntax

/// The method that `#selector` refers to. It is looked up in its class, as the compiler does without the
/// Objective-C runtime.
package struct MethodReference: Sendable, Hashable {
    /// The type around the `#selector`.
    private let scope: [String]
    /// The `#if` conditions with unknown values around the `#selector`.
    private let conditions: [String]
    /// The class of the method, as in the source; if it is not named, the type around the `#selector`.
    private let owner: String
    /// The name of the method, with its labels if the source has them: `changed(_:)`.
    private let method: String
    private let name: String
    private let labels: [String]

    /// Reads an expression; nil if it does not name a method of a class, or if the method has more than one
    /// parameter.
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

    /// Returns the code of a function that makes the selector, to be used in the whole file.
    ///
    /// The selector is made in an extension of the type around the `#selector`, which can access the type's
    /// private methods. A function outside of the extension can be called from both instance and type
    /// methods. Both are `nonisolated`, since referring to a method of an actor runs nothing.
    ///
    /// - Parameter isInGeneric: Whether the type around the `#selector` is generic. A function outside of the
    ///   extension cannot use the type's parameters, so both functions are then members.
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

    /// Returns the declaration of the selector property, which has one branch for compilers with the
    /// Objective-C runtime and one for those without.
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

    /// The selector that the Objective-C runtime would give the method: `changed:`, `handleWithNote:`.
    private var selectorName: String {
        SelectorName.method(name, labels: labels.map { $0 == "_" ? nil : $0 })
    }

    /// Returns the text of `A.B<T>`, `self` and `Self`; nil for other variables, from which the class is not
    /// known.
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

#if SwiftData
import SwiftSyntax

/// A stored property of a model class, as its source declares it.
struct StoredProperty {
    let declaration: VariableDeclSyntax
    let identifier: TokenSyntax
    let binding: PatternBindingSyntax

    /// Nil for a declaration that stores nothing in the object, or several properties at once.
    init?(_ declaration: some SyntaxProtocol) {
        guard let variable = declaration.as(VariableDeclSyntax.self), variable.bindings.count == 1,
            let binding = variable.bindings.first,
            let pattern = binding.pattern.as(IdentifierPatternSyntax.self),
            !variable.modifiers.contains(where: { Self.excluded.contains($0.name.text) }),
            Self.isStored(binding)
        else { return nil }
        self.declaration = variable
        self.binding = binding
        identifier = pattern.identifier
    }

    /// Returns whether a declaration stores several properties at once, in a list or a tuple.
    static func areSeveral(_ variable: VariableDeclSyntax) -> Bool {
        let isTuple = variable.bindings.contains { $0.pattern.is(TuplePatternSyntax.self) }
        return (isTuple || variable.bindings.count > 1)
            && !variable.modifiers.contains { excluded.contains($0.name.text) }
            && attribute("Transient", of: variable) == nil
    }

    private static let excluded: Set = ["static", "class", "lazy", "override"]

    private static func isStored(_ binding: PatternBindingSyntax) -> Bool {
        switch binding.accessorBlock?.accessors {
        case nil: true
        case .getter: false
        case .accessors(let accessors):
            accessors.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
        }
    }

    /// The name without backticks.
    var name: String { identifier.text.filter { $0 != "`" } }

    var hasObservers: Bool { binding.accessorBlock != nil }

    var isTransient: Bool { attribute("Transient") != nil }

    /// Whether `@Attribute` names a transformer, which takes values of any type.
    var isTransformable: Bool {
        guard case .argumentList(let arguments) = attribute("Attribute")?.arguments else { return false }
        return arguments.contains {
            let call = $0.expression.as(FunctionCallExprSyntax.self)?.calledExpression
            return call?.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "transformable"
        }
    }

    /// Returns the attribute with a name, also if its module is spelled out.
    func attribute(_ name: String) -> AttributeSyntax? { Self.attribute(name, of: declaration) }

    private static func attribute(_ name: String, of declaration: VariableDeclSyntax) -> AttributeSyntax? {
        for case .attribute(let attribute) in declaration.attributes
        where attribute.attributeName.trimmedDescription.split(separator: ".").last.map(String.init) == name {
            return attribute
        }
        return nil
    }

    /// The expression that describes the property to a schema.
    func metadata(of type: String) -> String {
        let path = "\\\(type).\(identifier.text)"
        var arguments = ["name: \"\(name)\"", "keypath: \(path)"]
        if let value = binding.initializer?.value.trimmedDescription {
            arguments.append("defaultValue: SwiftData.ModelAccess.defaultValue(of: \(path), \(value))")
        }
        for kind in ["Attribute", "Relationship"] {
            guard let attribute = attribute(kind) else { continue }
            let list = attribute.arguments?.trimmedDescription ?? ""
            arguments.append("metadata: SwiftData.Schema.\(kind)(\(list))")
        }
        return "SwiftData.Schema.PropertyMetadata(\(arguments.joined(separator: ", ")))"
    }
}
#endif

/// An instance property or method that the Objective-C runtime would find by its selector if it or its class
/// were marked `@objc`.
package struct ExposedMember: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case property(isSettable: Bool)
        case method([Parameter], returns: Bool)
    }

    package struct Parameter: Sendable, Hashable {
        package var label: String?
        /// The text of the type; for an implicitly unwrapped type, that of the optional.
        package var type: String

        package init(
            label: String? = nil, type: String
        ) {
            self.label = label
            self.type = type
        }
    }

    package var name: String
    package var kind: Kind
    /// The name in `@objc(…)`.
    package var runtimeName: String?
    /// Whether the member itself or its extension is marked `@objc`.
    package var isMarked: Bool
    package var context: ManagedMemberContext

    package init(
        name: String, kind: Kind, runtimeName: String? = nil, isMarked: Bool, context: ManagedMemberContext
    ) {
        self.name = name
        self.kind = kind
        self.runtimeName = runtimeName
        self.isMarked = isMarked
        self.context = context
    }

    /// The selector that reads the property or calls the method.
    var selector: String {
        switch kind {
        case .property: runtimeName ?? name
        case .method(let parameters, _):
            runtimeName ?? SelectorName.method(name, labels: parameters.map(\.label))
        }
    }

    /// Attributes that do not change how a member is called. Any other attribute may give it an actor or
    /// another type.
    package static let plainAttributes: Set<String> = [
        "objc", "MainActor", "discardableResult", "inlinable", "usableFromInline", "inline", "IBInspectable",
    ]
}

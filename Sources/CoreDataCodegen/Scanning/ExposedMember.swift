/// A property or method of an instance that the Objective-C runtime would find by its selector, if it is marked `@objc`
/// or its class is.
package struct ExposedMember: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case property(isSettable: Bool)
        case method([Parameter], returns: Bool)
    }

    package struct Parameter: Sendable, Hashable {
        package var label: String?
        /// As written; an implicitly unwrapped one as an optional.
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
    /// What `@objc(…)` says.
    package var runtimeName: String?
    /// Whether it says `@objc` itself, or its extension.
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

    /// What reads a property or calls a method.
    var selector: String {
        switch kind {
        case .property: runtimeName ?? name
        case .method(let parameters, _):
            runtimeName ?? SelectorName.method(name, labels: parameters.map(\.label))
        }
    }

    /// Attributes that leave a member what it is. Others may give it an actor or another type.
    package static let plainAttributes: Set<String> = [
        "objc", "MainActor", "discardableResult", "inlinable", "usableFromInline", "inline", "IBInspectable",
    ]
}

#if Overlay
import CoreDataCodegen

/// The properties that a `#keyPath` leads through, from the first to the last.
package struct KeyPathExpansion: Sendable, Hashable {
    package struct Step: Sendable, Hashable {
        /// The type that declares the property, or one that inherits it, with a spelling that the source can
        /// use.
        package var type: String
        package var property: String
        /// The key; nil if no known source declares the property, so that only the compiler can tell whether
        /// it exists.
        package var key: String?
    }

    package private(set) var steps: [Step] = []

    init() {}

    init(unchecked property: String, of type: String) { append(property, of: type) }

    mutating func append(_ property: String, of type: String, key: String? = nil) {
        steps.append(Step(type: type, property: property, key: key))
    }

    /// The string for key-value coding.
    package var text: String { steps.map { $0.key ?? $0.property }.joined(separator: ".") }

    /// The last property if only the compiler can check it, otherwise nil.
    var unchecked: Step? { steps.last.flatMap { $0.key == nil ? $0 : nil } }

    /// The string together with key paths that every compiler checks, even if they lead through optionals,
    /// collections and sets without an element type.
    var checkedExpression: String {
        let paths = steps.map { "\\\($0.type).\(NameEscaping.escaped($0.property)), " }
        return "(\(paths.joined())\"\(text)\").\(steps.count)"
    }
}
#endif

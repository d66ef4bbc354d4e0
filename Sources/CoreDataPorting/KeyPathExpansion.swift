#if Overlay
import CoreDataCodegen

/// The properties that a `#keyPath` leads through, from the first to the last.
package struct KeyPathExpansion: Sendable, Hashable {
    package struct Step: Sendable, Hashable {
        /// The type that declares the property, or one that inherits it, as the source may spell it.
        package var type: String
        package var property: String
        /// Nil if no source at hand declares the property, so that only the compiler can tell whether it is there.
        package var key: String?
    }

    package private(set) var steps: [Step] = []

    init() {}

    init(unchecked property: String, of type: String) { append(property, of: type) }

    mutating func append(_ property: String, of type: String, key: String? = nil) {
        steps.append(Step(type: type, property: property, key: key))
    }

    /// What key-value coding takes.
    package var text: String { steps.map { $0.key ?? $0.property }.joined(separator: ".") }

    /// The property left to the compiler: the last one if any.
    var unchecked: Step? { steps.last.flatMap { $0.key == nil ? $0 : nil } }

    /// The text with key paths beside it that any compiler checks, whatever the types lead through: optionals,
    /// collections, sets without a type.
    var checkedExpression: String {
        let paths = steps.map { "\\\($0.type).\(NameEscaping.escaped($0.property)), " }
        return "(\(paths.joined())\"\(text)\").\(steps.count)"
    }
}
#endif

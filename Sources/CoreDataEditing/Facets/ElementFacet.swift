package import CoreDataJSON

/// The description of a setting that all elements of one kind have: its names, the type of its values, how it
/// is read and how it is written. Commands, messages, comparisons and inspectors use this one table.
package struct ElementFacet<Element>: Sendable {
    /// The name in commands, such as `deleteRule`.
    package let name: String
    /// The name in words, such as "on delete".
    package let title: String
    package let type: FacetType
    var shown = FacetPresence.whenSet
    /// Returns the value; null, false or an empty list where the element does not have the setting.
    package let read: @Sendable (Element) -> JSONValue
    /// Sets the value, and throws if it is of another type.
    let write: @Sendable (inout Element, JSONValue) throws(FacetMismatch) -> Void
}

/// When a facet is among what an element is described by.
enum FacetPresence: Sendable {
    case always
    /// If its value is not that of a new element.
    case whenSet
    /// Never, since it matters to the editor alone.
    case never
}

/// The type of the values of a facet, as JSON.
package enum FacetType: Sendable, Hashable {
    case flag
    case number
    case text
    /// One of some words.
    case choice([String])
    /// A text, a number or a flag that the type of the attribute can hold.
    case value
    case names
    /// Lists of names, such as those of uniqueness constraints.
    case lists
    /// An object with text values.
    case entries
    /// A list of names of properties, and of objects for elements of an index that are descending or no property.
    case indexElements

    /// The values of the type in words, for a message.
    package var expected: String {
        switch self {
        case .flag: "true or false"
        case .number: "a whole number"
        case .text: "a text or null"
        case .choice(let words): "one of " + words.joined(separator: ", ")
        case .value: "a text, a number, true, false or null"
        case .names: "a list of names"
        case .lists: "a list of lists of names"
        case .entries: "an object with text values"
        case .indexElements:
            "a list of names of properties, or of objects with property or expression"
        }
    }
}

/// The reason why a facet does not take a value.
struct FacetMismatch: Error {
    let message: String

    init(_ message: String) { self.message = message }
}

extension JSONValue {
    /// Returns the list of names; nil if this is something else.
    var names: [String]? {
        guard case .array(let elements) = self else { return nil }
        let names = elements.compactMap(\.string)
        return names.count == elements.count ? names : nil
    }

    init(names: [String]) { self = .array(names.map { .string($0) }) }

    init(text: String?) { self = text.map { .string($0) } ?? .null }
}

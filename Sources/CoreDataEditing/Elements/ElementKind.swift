/// The kinds of named elements of a model, by their names in commands.
package enum ElementKind: String, Sendable, Hashable, CaseIterable {
    /// The model itself: what belongs to no element.
    case model
    case entity
    case attribute
    case relationship
    case fetchedProperty
    case index
    case configuration
    case composite
    case fetchRequest

    /// The kind in words.
    package var title: String {
        switch self {
        case .fetchedProperty: "fetched property"
        case .fetchRequest: "fetch request"
        default: rawValue
        }
    }

    /// The kinds of elements that an element of this kind contains.
    package var members: [ElementKind] {
        switch self {
        case .model: [.entity, .fetchRequest, .configuration, .composite]
        case .entity: [.attribute, .relationship, .fetchedProperty, .index]
        case .composite: [.attribute]
        default: []
        }
    }

    /// Whether names of this kind are words of the language: names of classes and of their properties.
    package var isIdentifier: Bool {
        switch self {
        case .entity, .attribute, .relationship, .fetchedProperty, .composite: true
        case .model, .index, .configuration, .fetchRequest: false
        }
    }

    /// The kinds whose elements share one set of names within their owner.
    var namesakes: [ElementKind] {
        switch self {
        case .attribute, .relationship, .fetchedProperty: [.attribute, .relationship, .fetchedProperty]
        default: [self]
        }
    }
}

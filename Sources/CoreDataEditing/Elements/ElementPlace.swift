/// The place of an element in a document: its kind, and its position in the list of that kind. It holds until
/// the document changes.
package enum ElementPlace: Sendable, Hashable {
    case model
    /// An element of the model.
    case element(ElementKind, Int)
    /// An element of an entity or a composite.
    case member(ElementKind, Int, of: ElementKind, Int)

    package var kind: ElementKind {
        switch self {
        case .model: .model
        case .element(let kind, _), .member(let kind, _, _, _): kind
        }
    }

    package var index: Int {
        switch self {
        case .model: 0
        case .element(_, let index), .member(_, let index, _, _): index
        }
    }

    /// The place of the element that contains this one.
    package var owner: ElementPlace {
        switch self {
        case .model, .element: .model
        case .member(_, _, let kind, let index): .element(kind, index)
        }
    }

    /// Returns the place of a member of the element at this place; nil if elements of this kind have no such
    /// members.
    package func member(_ kind: ElementKind, _ index: Int) -> ElementPlace? {
        guard self.kind.members.contains(kind) else { return nil }
        switch self {
        case .model: return .element(kind, index)
        case .element(let owner, let position): return .member(kind, index, of: owner, position)
        case .member: return nil
        }
    }
}

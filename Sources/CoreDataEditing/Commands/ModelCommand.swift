package import CoreDataJSON

/// A change of a model: whatever an editor does is one of these. Their form in JSON is described in the
/// article on editing models.
package enum ModelCommand: Sendable, Hashable {
    /// A change of one version, the current one if none is named.
    case edit(DocumentCommand, version: String?)
    /// Adds a version, a copy of another one.
    case addVersion(name: String, from: String?)
    case renameVersion(String, to: String)
    case removeVersion(String)
    case setCurrentVersion(String)

    /// The title of a step of the command, without names that only the document knows.
    package var title: String {
        switch self {
        case .edit(let command, _): command.title
        case .addVersion(let name, _): "Add version \(name)"
        case .renameVersion(let name, _): "Rename version \(name)"
        case .removeVersion(let name): "Remove version \(name)"
        case .setCurrentVersion(let name): "Make version \(name) current"
        }
    }
}

/// A change of one version of a model.
package enum DocumentCommand: Sendable, Hashable {
    /// Adds an element to another one, which is the model itself for entities and the like.
    ///
    /// `at` is its position among those of its kind. Without it, it is where the order of names puts it if
    /// the others are in that order, or else last.
    case add(ElementDraft, to: ElementAddress, at: Int?)
    case remove([ElementAddress])
    /// Renames an element, and all names and key paths that mean it.
    case rename(ElementAddress, to: String)
    /// Copies elements; each copy follows its original.
    case duplicate([ElementAddress])
    /// Moves an element within the list of its kind.
    case move(ElementAddress, to: Int)
    /// Sets the same facets of some elements.
    case set([ElementAddress], [JSONValue.Member])
    /// Adds a relationship at each end, which are inverse to each other.
    case connect(RelationshipEnd, RelationshipEnd)
    /// Makes two relationships inverse to each other, and leaves their former inverses without one. Nil takes
    /// the inverse away.
    case setInverse(ElementAddress, ElementAddress?)
    /// Adds and removes members of a facet that is a list or an object.
    case setMembers(ElementAddress, facet: String, add: [JSONValue], remove: [JSONValue])
    /// Places entities in the diagram.
    case place([EntityPosition])
    /// Adds copied elements. A name that is taken gets a number.
    case paste([ElementDraft], into: ElementAddress)
    /// Puts the contents of another file in place of the whole version. Elements whose paths stay are the
    /// same.
    case replaceText(String)
    /// Carries out the first fix of this name for a problem of an element.
    case applyFix(String, of: ElementAddress)

    package var title: String {
        switch self {
        case .add(let draft, _, _): "Add \(draft.kind.title)" + (draft.name.map { " \($0)" } ?? "")
        case .remove(let addresses): "Remove \(Self.list(addresses))"
        case .rename(let address, _): "Rename \(Self.list([address]))"
        case .duplicate(let addresses): "Duplicate \(Self.list(addresses))"
        case .move(let address, _): "Move \(Self.list([address]))"
        case .set(let addresses, let facets):
            "Set \(facets.map(\.key).joined(separator: ", ")) of \(Self.list(addresses))"
        case .connect(let one, let other):
            "Connect \(Self.list([one.entity])) and \(Self.list([other.entity]))"
        case .setInverse(let address, _): "Set the inverse of \(Self.list([address]))"
        case .setMembers(let address, let facet, _, _): "Change \(facet) of \(Self.list([address]))"
        case .place(let positions): "Move \(Self.list(positions.map(\.entity))) in the diagram"
        case .paste(let drafts, _):
            "Paste \(drafts.count == 1 ? drafts[0].kind.title : "\(drafts.count) elements")"
        case .replaceText: "Replace the text"
        case .applyFix(let name, let address): "Fix \(Self.list([address])): \(name)"
        }
    }

    private static func list(_ addresses: [ElementAddress]) -> String {
        if addresses.count > 1 { return "\(addresses.count) elements" }
        return switch addresses.first {
        case .path(let path): path.isEmpty ? "the model" : path
        case .id, nil: "an element"
        }
    }
}

/// One end of a pair of relationships that is made.
package struct RelationshipEnd: Sendable, Hashable {
    /// The entity that has the relationship.
    package var entity: ElementAddress
    /// The name; nil for one made from that of the other entity.
    package var name: String?
    package var facets: [JSONValue.Member]

    package init(_ entity: ElementAddress, name: String? = nil, _ facets: [JSONValue.Member] = []) {
        self.entity = entity
        self.name = name
        self.facets = facets
    }
}

/// The place of an entity in the diagram, in points, with y pointing down.
package struct EntityPosition: Sendable, Hashable {
    package var entity: ElementAddress
    package var x: Int
    package var y: Int

    package init(_ entity: ElementAddress, x: Int, y: Int) {
        self.entity = entity
        self.x = x
        self.y = y
    }
}

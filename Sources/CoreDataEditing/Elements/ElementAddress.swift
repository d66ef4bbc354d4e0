import CoreDataModelFormat

/// The name of an element in a command: the path that people and diagnostics use, such as `Book.title`, or by
/// the ID that the editor gave it.
package enum ElementAddress: Sendable, Hashable, ExpressibleByStringLiteral {
    /// A path; of several elements with one path it means the first. The empty path is the model.
    case path(String)
    case id(ElementID)

    package init(stringLiteral path: String) { self = .path(path) }

    package var text: String {
        switch self {
        case .path(let path): path.isEmpty ? "the model" : "\"\(path)\""
        case .id(let id): "number \(id.number)"
        }
    }
}

extension ModelDocument {
    /// Returns the path of the element at a place.
    func path(of place: ElementPlace) -> String {
        let name = self[place].name
        switch place {
        case .model: return ""
        case .element(.fetchRequest, _): return ElementPath.fetchRequest(name)
        case .element(.configuration, _): return ElementPath.configuration(name)
        case .element(.composite, _): return ElementPath.composite(name)
        case .element: return name
        case .member(.index, _, _, let owner): return ElementPath.fetchIndex(name, of: entities[owner].name)
        case .member: return "\(path(of: place.owner)).\(name)"
        }
    }

    /// Returns the place of the first element that has the path; nil if there is none.
    func place(at path: String) -> ElementPlace? {
        if path.isEmpty { return .model }
        let roots: [(prefix: String, kind: ElementKind)] = [
            (ElementPath.fetchRequest(""), .fetchRequest), (ElementPath.configuration(""), .configuration),
            (ElementPath.composite(""), .composite), ("", .entity),
        ]
        for (prefix, kind) in roots where path.hasPrefix(prefix) {
            let rest = String(path.dropFirst(prefix.count))
            if let place = place(of: kind, named: rest, in: .model) { return place }
            guard !kind.members.isEmpty, let dot = rest.firstIndex(of: "."),
                let owner = place(of: kind, named: String(rest[..<dot]), in: .model)
            else { continue }
            let name = String(rest[rest.index(after: dot)...])
            return place(ofMember: name, in: owner)
        }
        return nil
    }

    private func place(ofMember name: String, in owner: ElementPlace) -> ElementPlace? {
        for kind in owner.kind.members where kind != .index {
            if let place = place(of: kind, named: name, in: owner) { return place }
        }
        let prefix = "index:"
        guard name.hasPrefix(prefix) else { return nil }
        return place(of: .index, named: String(name.dropFirst(prefix.count)), in: owner)
    }

    func place(of kind: ElementKind, named name: String, in owner: ElementPlace) -> ElementPlace? {
        guard owner.kind.members.contains(kind) else { return nil }
        let index = names(of: kind, in: owner).firstIndex(of: name)
        return index.flatMap { owner.member(kind, $0) }
    }

    /// Returns the names of the members of one kind.
    func names(of kind: ElementKind, in owner: ElementPlace) -> [String] {
        switch (owner, kind) {
        case (.model, .entity): entities.map(\.name)
        case (.model, .fetchRequest): fetchRequests.map(\.name)
        case (.model, .configuration): configurations.map(\.name)
        case (.model, .composite): composites.map(\.name)
        case (.element(.composite, let index), .attribute): composites[index].attributes.map(\.name)
        case (.element(.entity, let index), .attribute): entities[index].attributes.map(\.name)
        case (.element(.entity, let index), .relationship): entities[index].relationships.map(\.name)
        case (.element(.entity, let index), .fetchedProperty): entities[index].fetchedProperties.map(\.name)
        case (.element(.entity, let index), .index): entities[index].fetchIndexes.map(\.name)
        default: []
        }
    }
}

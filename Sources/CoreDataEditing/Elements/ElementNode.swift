/// The ID of an element with the nodes of the elements in it: a tree in the shape of the document, which
/// stays free of IDs.
package struct ElementNode: Sendable, Hashable {
    package let id: ElementID
    /// The nodes of the members, by kind, each in the order of the document.
    package internal(set) var members: [ElementKind: [ElementNode]] = [:]

    /// Makes the nodes of an element.
    ///
    /// - Parameter former: The element that it takes the place of, with its nodes. Members that keep their
    ///   names keep
    ///   their IDs, all others get new ones.
    init(
        _ element: ModelElement, replacing former: (element: ModelElement, node: ElementNode)? = nil,
        _ numbering: inout ElementNumbering
    ) {
        id = former?.node.id ?? numbering.next()
        for kind in element.kind.members {
            var free: [String: (element: ModelElement, node: ElementNode)] = [:]
            if let former {
                let pairs = zip(former.element.members(kind), former.node.members[kind] ?? [])
                free = Dictionary(pairs.map { ($0.name, ($0, $1)) }) { first, _ in first }
            }
            let nodes = element.members(kind).map { member in
                ElementNode(member, replacing: free.removeValue(forKey: member.name), &numbering)
            }
            if !nodes.isEmpty { members[kind] = nodes }
        }
    }

    subscript(place: ElementPlace) -> ElementNode {
        switch place {
        case .model: self
        case .element(let kind, let index): members[kind]![index]
        case .member(let kind, let index, let owner, let ownerIndex):
            members[owner]![ownerIndex].members[kind]![index]
        }
    }

    mutating func insert(_ node: ElementNode, at place: ElementPlace) {
        switch place {
        case .model: return
        case .element(let kind, let index): members[kind, default: []].insert(node, at: index)
        case .member(let kind, let index, let owner, let ownerIndex):
            members[owner]![ownerIndex].members[kind, default: []].insert(node, at: index)
        }
    }

    @discardableResult
    mutating func remove(at place: ElementPlace) -> ElementNode {
        switch place {
        case .model: return self
        case .element(let kind, let index): return members[kind]!.remove(at: index)
        case .member(let kind, let index, let owner, let ownerIndex):
            return members[owner]![ownerIndex].members[kind]!.remove(at: index)
        }
    }

    /// Returns the place of an ID below this node, the node of the model.
    func place(of wanted: ElementID) -> ElementPlace? {
        if id == wanted { return .model }
        for (kind, nodes) in members {
            for (index, node) in nodes.enumerated() {
                if node.id == wanted { return .element(kind, index) }
                for (inner, nodes) in node.members {
                    if let member = nodes.firstIndex(where: { $0.id == wanted }) {
                        return .member(inner, member, of: kind, index)
                    }
                }
            }
        }
        return nil
    }
}

extension NSEntityDescription {
    /// The entity this one inherits from; nil at the top of a hierarchy.
    public var superentity: NSEntityDescription? { parent }

    /// The entities that inherit from this one directly.
    ///
    /// The setter also adds them to the entity's model. It traps for a model in use, and for an entity that
    /// this one inherits from.
    public var subentities: [NSEntityDescription] {
        get { children }
        set {
            requireMutable()
            for child in newValue where child.isFrozen { immutableModelError() }
            for child in children where child.parent === self { child.parent = nil }
            for child in newValue {
                child.requireNoAncestor(self)
                child.parent = self
            }
            children = newValue
            model?.adoptSubentities()
        }
    }

    /// The subentities by name.
    public var subentitiesByName: [String: NSEntityDescription] {
        Dictionary(children.map { ($0.name ?? "", $0) }) { $1 }
    }

    /// Returns whether the entity is another one, or inherits from it.
    ///
    /// An equal entity of another model counts as the same.
    public func isKindOf(entity: NSEntityDescription) -> Bool {
        var candidate: NSEntityDescription? = self
        while let current = candidate {
            if current === entity || (current.name == entity.name && current == entity) { return true }
            candidate = current.superentity
        }
        return false
    }

    /// The top of the hierarchy.
    var root: NSEntityDescription { parent?.root ?? self }

    /// The entity and all below it, parents first.
    var family: [NSEntityDescription] { [self] + children.flatMap(\.family) }

    private func requireNoAncestor(_ entity: NSEntityDescription) {
        var ancestor: NSEntityDescription? = entity
        while let current = ancestor {
            if current === self {
                programmerError(
                    "The entity \"\(name ?? "")\" cannot be a subentity of \"\(entity.name ?? "")\", which "
                        + "inherits from it.")
            }
            ancestor = current.superentity
        }
    }
}

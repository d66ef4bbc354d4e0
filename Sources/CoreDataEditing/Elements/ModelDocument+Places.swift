import CoreDataModelFormat

extension ModelDocument {
    /// The element at a place; a new one must be of the kind of the place.
    subscript(place: ElementPlace) -> ModelElement {
        get {
            switch place {
            case .model: .model(self)
            case .element(.entity, let index): .entity(entities[index])
            case .element(.fetchRequest, let index): .fetchRequest(fetchRequests[index])
            case .element(.configuration, let index): .configuration(configurations[index])
            case .element(.composite, let index): .composite(composites[index])
            case .element(let kind, _): preconditionFailure("a model has no \(kind.title)")
            case .member(let kind, let index, .composite, let owner):
                ModelElement.composite(composites[owner]).member(kind, index)
            case .member(let kind, let index, _, let owner):
                ModelElement.entity(entities[owner]).member(kind, index)
            }
        }
        set {
            switch (place, newValue) {
            case (.model, .model(let model)): self = model
            case (.element(_, let index), .entity(let element)): entities[index] = element
            case (.element(_, let index), .fetchRequest(let element)): fetchRequests[index] = element
            case (.element(_, let index), .configuration(let element)): configurations[index] = element
            case (.element(_, let index), .composite(let element)): composites[index] = element
            case (.member(_, let index, .composite, let owner), .attribute(let element)):
                composites[owner].attributes[index] = element
            case (.member(_, let index, _, let owner), .attribute(let element)):
                entities[owner].attributes[index] = element
            case (.member(_, let index, _, let owner), .relationship(let element)):
                entities[owner].relationships[index] = element
            case (.member(_, let index, _, let owner), .fetchedProperty(let element)):
                entities[owner].fetchedProperties[index] = element
            case (.member(_, let index, _, let owner), .index(let element)):
                entities[owner].fetchIndexes[index] = element
            default: preconditionFailure("an element at the place of another kind")
            }
        }
    }

    mutating func insert(_ element: ModelElement, at place: ElementPlace) {
        let index = place.index
        switch (place.owner, element) {
        case (_, .model): preconditionFailure("a model in a model")
        case (.model, .entity(let element)): entities.insert(element, at: index)
        case (.model, .fetchRequest(let element)): fetchRequests.insert(element, at: index)
        case (.model, .configuration(let element)): configurations.insert(element, at: index)
        case (.model, .composite(let element)): composites.insert(element, at: index)
        case (.element(.composite, let owner), .attribute(let element)):
            composites[owner].attributes.insert(element, at: index)
        case (.element(_, let owner), .attribute(let element)):
            entities[owner].attributes.insert(element, at: index)
        case (.element(_, let owner), .relationship(let element)):
            entities[owner].relationships.insert(element, at: index)
        case (.element(_, let owner), .fetchedProperty(let element)):
            entities[owner].fetchedProperties.insert(element, at: index)
        case (.element(_, let owner), .index(let element)):
            entities[owner].fetchIndexes.insert(element, at: index)
        default: preconditionFailure("an element in an owner of another kind")
        }
    }

    mutating func remove(at place: ElementPlace) {
        switch place {
        case .element(.entity, let index): entities.remove(at: index)
        case .element(.fetchRequest, let index): fetchRequests.remove(at: index)
        case .element(.configuration, let index): configurations.remove(at: index)
        case .element(.composite, let index): composites.remove(at: index)
        case .member(.attribute, let index, .composite, let owner):
            composites[owner].attributes.remove(at: index)
        case .member(.attribute, let index, _, let owner): entities[owner].attributes.remove(at: index)
        case .member(.relationship, let index, _, let owner): entities[owner].relationships.remove(at: index)
        case .member(.fetchedProperty, let index, _, let owner):
            entities[owner].fetchedProperties.remove(at: index)
        case .member(.index, let index, _, let owner): entities[owner].fetchIndexes.remove(at: index)
        case .model, .element, .member: preconditionFailure("no element stands there")
        }
    }

    /// The places of all elements, each behind its owner.
    var places: [ElementPlace] {
        ElementKind.model.members.flatMap { kind in
            ModelElement.model(self).members(kind).enumerated().flatMap { index, element in
                [.element(kind, index)]
                    + kind.members.flatMap { inner in
                        element.members(inner).indices.map { .member(inner, $0, of: kind, index) }
                    }
            }
        }
    }
}

extension ModelElement {
    fileprivate func member(_ kind: ElementKind, _ index: Int) -> ModelElement {
        switch (self, kind) {
        case (.entity(let entity), .attribute): .attribute(entity.attributes[index])
        case (.entity(let entity), .relationship): .relationship(entity.relationships[index])
        case (.entity(let entity), .fetchedProperty): .fetchedProperty(entity.fetchedProperties[index])
        case (.entity(let entity), .index): .index(entity.fetchIndexes[index])
        case (.composite(let composite), .attribute): .attribute(composite.attributes[index])
        default: preconditionFailure("\(self.kind.title) has no \(kind.title)")
        }
    }
}

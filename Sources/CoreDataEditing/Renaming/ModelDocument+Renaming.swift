import CoreDataModelFormat
import CoreDataValues

extension ModelDocument {
    /// Renames an element, and everything in the document that means it.
    ///
    /// If another element in front of it has the same name, then that is what the others mean, and they stay.
    mutating func rename(_ place: ElementPlace, to newName: String) {
        let old = self[place]
        let isMeant = self.place(at: path(of: place)) == place
        let before = self
        self[place] = old.named(newName)
        guard isMeant, old.name != newName else { return }
        renameKeys(of: place, from: old.name, to: newName)
        switch (place, old) {
        case (_, .entity(let entity)): renameEntity(entity, at: place.index, to: newName)
        case (_, .composite): renameComposite(old.name, to: newName)
        case (_, .attribute), (_, .relationship), (_, .fetchedProperty):
            let owner = before[place.owner]
            let meaning = KeyMeaning(
                owner: owner.kind == .composite ? .composite(owner.name) : .entity(owner.name), name: old.name
            )
            rewriteKeys(KeyRenaming(meaning, to: newName, in: before))
        case (_, .index), (_, .configuration), (_, .fetchRequest), (_, .model): break
        }
    }

    /// Keeps comments and other extras of the source where they are: beside the element that is renamed.
    private mutating func renameKeys(of place: ElementPlace, from old: String, to new: String) {
        func rename(_ extras: inout [SourceExtra]) {
            for index in extras.indices { extras[index].rename(place.kind.sourceNames, from: old, to: new) }
        }
        switch place.owner {
        case .element(.composite, let index): rename(&composites[index].extras)
        case .element(_, let index): rename(&entities[index].extras)
        case .model, .member:
            rename(&extras)
            for index in configurations.indices { rename(&configurations[index].extras) }
        }
    }

    // MARK: Entities

    private mutating func renameEntity(_ old: EntityElement, at renamed: Int, to newName: String) {
        func replace(_ name: inout String) {
            if name == old.name { name = newName }
        }
        func replaceOptional(_ name: inout String?) {
            if name == old.name { name = newName }
        }
        for index in entities.indices {
            replaceOptional(&entities[index].parentName)
            for position in entities[index].relationships.indices {
                replace(&entities[index].relationships[position].destinationName)
                replaceOptional(&entities[index].relationships[position].inverseEntityName)
            }
            for position in entities[index].fetchedProperties.indices
            where entities[index].fetchedProperties[position].fetchRequest?.entityName == old.name {
                entities[index].fetchedProperties[position].fetchRequest?.entityName = newName
            }
        }
        // The generator names the class after the entity, unless the author chose another name.
        if old.codeGeneration == .class, let name = old.className,
            name == old.name || name == ".\(old.name)"
        {
            entities[renamed].className = name.hasPrefix(".") ? ".\(newName)" : newName
        }
        for index in fetchRequests.indices { replace(&fetchRequests[index].entityName) }
        for index in configurations.indices {
            for position in configurations[index].entityNames.indices {
                replace(&configurations[index].entityNames[position])
            }
        }
        for index in layout.indices where layout[index].attributes["name"] == old.name {
            layout[index].attributes["name"] = newName
        }
    }

    private mutating func renameComposite(_ old: String, to newName: String) {
        func rename(_ attributes: inout [AttributeElement]) {
            for index in attributes.indices where attributes[index].compositeName == old {
                attributes[index].compositeName = newName
            }
        }
        for index in entities.indices { rename(&entities[index].attributes) }
        for index in composites.indices { rename(&composites[index].attributes) }
    }

    // MARK: Properties

    /// Rewrites everything that names properties.
    private mutating func rewriteKeys(_ renaming: KeyRenaming) {
        for index in entities.indices { rewriteKeys(of: &entities[index], renaming) }
        for index in fetchRequests.indices { Self.rewriteKeys(of: &fetchRequests[index], renaming) }
    }

    private func rewriteKeys(of entity: inout EntityElement, _ renaming: KeyRenaming) {
        let own = KeyOwner.entity(entity.name)
        func rewrite(_ text: inout String?, _ form: KeyRenaming.Form) {
            if let old = text { text = renaming.apply(to: old, form, from: own) }
        }
        func rewrite(_ lists: inout [[String]]) {
            lists = lists.map { $0.map { renaming.apply(to: $0, .path, from: own) } }
        }
        rewrite(&entity.spotlightDisplayNameExpression, .expression)
        rewrite(&entity.uniquenessConstraints)
        rewrite(&entity.compoundIndexes)
        for index in entity.attributes.indices {
            rewrite(&entity.attributes[index].derivationExpression, .expression)
        }
        for index in entity.relationships.indices {
            guard let name = entity.relationships[index].inverseName else { continue }
            let destination = KeyOwner.entity(entity.relationships[index].destinationName)
            entity.relationships[index].inverseName = renaming.apply(to: name, .path, from: destination)
        }
        for index in entity.fetchedProperties.indices {
            if var request = entity.fetchedProperties[index].fetchRequest {
                Self.rewriteKeys(of: &request, renaming, source: own)
                entity.fetchedProperties[index].fetchRequest = request
            }
        }
        for index in entity.fetchIndexes.indices {
            rewrite(&entity.fetchIndexes[index].partialPredicate, .predicate)
            for position in entity.fetchIndexes[index].elements.indices {
                rewrite(&entity.fetchIndexes[index].elements[position].propertyName, .path)
                rewrite(&entity.fetchIndexes[index].elements[position].expression, .expression)
            }
        }
    }

    private static func rewriteKeys(
        of request: inout FetchRequestElement, _ renaming: KeyRenaming, source: KeyOwner? = nil
    ) {
        let fetched = KeyOwner.entity(request.entityName)
        if let predicate = request.predicate {
            request.predicate = renaming.apply(to: predicate, .predicate, from: fetched, source: source)
        }
        for index in request.sort.indices {
            request.sort[index].keyPath = renaming.apply(
                to: request.sort[index].keyPath, .path, from: fetched)
        }
        request.prefetchedKeyPaths = request.prefetchedKeyPaths.map {
            renaming.apply(to: $0, .path, from: fetched)
        }
    }
}

extension ElementKind {
    /// The names of the elements in a file that are told apart by the name of an element of this kind.
    fileprivate var sourceNames: [String] {
        switch self {
        case .entity: [rawValue, "element", "memberEntity"]
        case .attribute, .relationship, .fetchedProperty: [rawValue, "constraint", "index"]
        case .index: ["fetchIndex"]
        case .model, .configuration, .composite, .fetchRequest: [rawValue]
        }
    }
}

extension SourceExtra {
    /// Follows the renaming of elements of the file.
    fileprivate mutating func rename(_ elements: [String], from old: String, to new: String) {
        for element in elements {
            let (old, new) = (SourceKeys.key(element, old), SourceKeys.key(element, new))
            parents = parents.map { $0 == old ? new : $0 }
            if successor == old { successor = new }
        }
    }
}

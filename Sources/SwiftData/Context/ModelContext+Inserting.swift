import CoreData

extension ModelContext {
    /// Inserts a model with all models that its relationships lead to; the next save stores them.
    ///
    /// Does nothing for a model that the context has already, but takes back a deletion that is not saved yet;
    /// what delete rules deleted with the model stays deleted. A model whose deletion was saved, or whose
    /// insertion was taken back, gets a new row with the attributes that it had.
    public func insert<Model: PersistentModel>(_ model: Model) {
        var links = begin(model)
        var next = 0
        // The models of a graph come level by level: a chain of any length takes no stack.
        while next < links.count {
            for model in links[next].models { links += begin(model) }
            next += 1
        }
        for link in links { link.connect() }
    }

    /// Keeps a model, with what it has besides its row, until the next save.
    func hold(_ model: any PersistentModel) {
        held.append(model)
        scheduleSave()
    }

    /// Inserts a model by itself, and returns where its relationships lead.
    private func begin<Model: PersistentModel>(_ model: Model) -> [Link] {
        let begun = model.backing
        if !begun.isBegun, begun.isDeleted, begun.managedObjectContext === context {
            context.insert(begun)
            // One that was never saved leaves the context, and gets another row.
            if begun.isDeleted { context.processPendingChanges() }
        }
        guard begun.isBegun || !begun.isRegistered else {
            if begun.managedObjectContext === context { return [] }
            programmerError(
                "A \(Model.self) of another context cannot be inserted.")
        }
        let entity = entity(of: type(of: model))
        defer { hold(model) }
        if begun.isBegun, begun.entity === entity {
            return links(of: begun, to: begun.enter(context, with: model))
        }
        let rows = model._$rows
        let object = ModelObject(entity: entity, insertInto: context)
        for row in rows { object.adoptValues(of: row) }
        object.serve(model)
        object.isHeld = true
        model._$backing = object
        // Objects of a subclass are begun as several, each with the properties of one class.
        if entity.superentity == nil { type(of: model)._$template.noteHome(of: object) }
        return rows.flatMap { links(of: object, to: $0.destinations ?? [:]) }
    }

    /// Returns the relationships of an inserted object that are to lead to models.
    private func links(of object: ModelObject, to destinations: [String: [any PersistentModel]]) -> [Link] {
        if destinations.isEmpty { return [] }
        return destinations.sorted { $0.key < $1.key }.filter { !$0.value.isEmpty }.map {
            Link(object: object, relationship: $0.key, models: $0.value)
        }
    }

    /// Returns the entity of a class; remembers the last answer, since successive models are mostly of one.
    private func entity(of type: any PersistentModel.Type) -> NSEntityDescription {
        if let lastInserted, lastInserted.type == type { return lastInserted.entity }
        require(type)
        let name = Schema.entityName(for: type)
        guard let entity = context.persistentStoreCoordinator?.managedObjectModel.entitiesByName[name] else {
            programmerError("The stores of the container have no entity \(name).")
        }
        lastInserted = (type, entity)
        return entity
    }

    /// A relationship of an inserted object, which is to lead to models.
    private struct Link {
        let object: ModelObject
        let relationship: String
        let models: [any PersistentModel]

        func connect() {
            let property = ModelAccess.property(relationship)
            guard object.entity.relationshipsByName[relationship]?.isToMany == true else {
                if let model = models.first { ManagedAccess.write(object, property, model.backing) }
                return
            }
            // Members that an inverse has brought already stay.
            for model in models { ManagedAccess.add(object, property, model.backing) }
        }
    }
}

public import CoreData

/// The managed object behind a model: it has the row, while the model has what the app declares.
///
/// All entities of a container have this class. Only code that `@Model` writes uses it.
@_documentation(visibility: internal)
public final class ModelObject: NSManagedObject {
    /// Leads to the model, which the app or the context holds.
    @exclusivity(unchecked) private var modelLink = InlineBacklink()
    /// What lives as long as the model does: the context, so that saved values can be read, or before there is
    /// one, what the entity is part of.
    @exclusivity(unchecked) private var kept: AnyObject?
    /// State that few objects need, made when it is first set.
    @exclusivity(unchecked) private var rest: Rest?
    /// Whether the context holds the model, so that what it has besides its row lives until the save.
    @exclusivity(unchecked) @usableFromInline var isHeld = false
    /// Whether the object is in no context yet, and was made for the values of a model.
    @exclusivity(unchecked) @usableFromInline var isBegun = false

    /// The destinations of a begun object, what a deleted model leaves, and values that were decoded.
    private final class Rest {
        var destinations: [String: [any PersistentModel]] = [:]
        var formerID: NSManagedObjectID?
        var decoded: [DecodedValue] = []
    }

    /// The model, as long as the app or the context holds it.
    var model: (any PersistentModel)? { modelLink.target.map { $0 as! any PersistentModel } }

    /// The destinations of relationships of a begun object, by name; nil for others.
    var destinations: [String: [any PersistentModel]]? {
        get { isBegun ? rest?.destinations ?? [:] : nil }
        set { madeRest.destinations = newValue ?? [:] }
    }

    /// The ID of the row that a deleted model had; nil for others.
    var formerID: NSManagedObjectID? {
        get { rest?.formerID }
        set { madeRest.formerID = newValue }
    }

    /// The values that were decoded from attributes, as long as these have the same bytes.
    var decodedValues: [DecodedValue] {
        get { rest?.decoded ?? [] }
        set { madeRest.decoded = newValue }
    }

    private var madeRest: Rest {
        if let rest { return rest }
        let made = Rest()
        rest = made
        return made
    }

    /// The name that the class has in models.
    static let className = "SwiftData.ModelObject"

    /// Returns the model, made if there is none: of the class, or of a subclass whose entity the object has.
    func model<Model: PersistentModel>(_ type: Model.Type) -> Model {
        if let model = modelLink.target {
            return Swift.type(of: model) == type ? unsafeDowncast(model, to: type) : model as! Model
        }
        if entity.superentity == nil, entity.subentities.isEmpty {
            ModelAccess.give(self, to: type)
            let made = Model(_$backing: self)
            serve(made)
            return made
        }
        let types = managedObjectContext?.modelTypes ?? [:]
        return made(types[entity.name ?? ""]?.type ?? type) as! Model
    }

    /// Returns the model, made by the class that the container has for its entity.
    func anyModel(in container: ModelContainer) -> any PersistentModel {
        if let model { return model }
        guard let type = container.type(named: entity.name ?? "") else {
            programmerError("The container has no class for the entity \(entity.name ?? "").")
        }
        return made(type)
    }

    /// Makes the model of an object that has none.
    func made(_ type: any PersistentModel.Type) -> any PersistentModel {
        ModelAccess.give(self, to: type)
        let made = type.init(_$backing: self)
        serve(made)
        return made
    }

    /// Returns a model without values that stands for one whose row is gone.
    static func gone<Model: PersistentModel>(_ type: Model.Type) -> Model {
        let object = type._$template.makeObject()
        object.formerID = object.objectID
        object.isHeld = false
        let model = type.init(_$backing: object)
        object.serve(model)
        return model
    }

    /// Begins an object of an entity, which is in no context yet; keeps what the entity is part of.
    static func begun(_ entity: NSEntityDescription, keeping model: AnyObject? = nil) -> ModelObject {
        let object = ModelObject(entity: entity, insertInto: nil)
        object.isBegun = true
        object.isHeld = true
        object.kept = model
        return object
    }

    /// Inserts a begun object, and returns the destinations of its relationships.
    func enter(_ context: NSManagedObjectContext, with model: any PersistentModel)
        -> [String: [any PersistentModel]]
    {
        let destinations = rest?.destinations ?? [:]
        rest?.destinations = [:]
        isBegun = false
        enter(context)
        serve(model)
        return destinations
    }

    /// Makes a model that of the object.
    func serve(_ model: any PersistentModel) {
        modelLink.lead(to: model)
        kept = managedObjectContext
    }

    /// Has the context hold the model until the next save; traps if its row is gone.
    @usableFromInline func hold() {
        if formerID != nil {
            programmerError(
                "A \(entity.name ?? "model") was deleted and cannot be changed: insert it again first, or "
                    + "ask for isDeleted before it is changed.")
        }
        isHeld = true
        if let model { managedObjectContext?.owner?.hold(model) }
    }
}

extension NSManagedObjectContext {
    /// The context of models that uses this one.
    var owner: ModelContext? { host as? ModelContext }

    private static let typesKey = "SwiftData.ModelTypes"

    /// The classes of the container by the names of their entities; models may outlive it and its contexts.
    var modelTypes: [String: ModelType] {
        get { userInfo[Self.typesKey] as? [String: ModelType] ?? [:] }
        set { userInfo[Self.typesKey] = newValue }
    }
}

public import CoreData

/// The managed object behind a model: it has the row, while the model has what the app declares.
///
/// All entities of a container have this class. Only code that `@Model` writes uses it.
@_documentation(visibility: internal)
public final class ModelObject: NSManagedObject {
    /// The model, as long as the app or the context holds it.
    weak var model: (any PersistentModel)?
    /// The context, which lives as long as a model of it, so that saved values can be read.
    private var keeper: NSManagedObjectContext?
    /// Whether the context holds the model, so that what it has besides its row lives until the save.
    @usableFromInline var isHeld = false
    /// The destinations of relationships of an object that is in no context yet, by name; nil for others.
    var destinations: [String: [any PersistentModel]]?
    /// The ID of the row that a deleted model had; nil for others.
    var formerID: NSManagedObjectID?

    /// The name that the class has in models.
    static let className = "SwiftData.ModelObject"

    /// Returns the model, made if there is none.
    func model<Model: PersistentModel>(_ type: Model.Type) -> Model {
        if let model { return model as! Model }
        let made = Model(_$backing: self)
        serve(made)
        return made
    }

    /// Makes a model that of the object.
    func serve(_ model: any PersistentModel) {
        self.model = model
        keeper = managedObjectContext
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
}

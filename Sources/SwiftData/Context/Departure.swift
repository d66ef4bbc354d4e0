import CoreData

/// A model whose row goes: it keeps its last values, in an object that is in no context.
struct Departure {
    private let model: any PersistentModel
    private let values: ModelObject

    /// Copies the values; nil for an object without a model, which nobody can read.
    init?(_ object: ModelObject) {
        guard let model = object.model else { return nil }
        self.model = model
        values = Self.template(of: model).makeObject()
        values.adoptValues(of: object)
        values.formerID = object.objectID
        values.isHeld = false
    }

    /// Gives the model the copied values, once its row is gone.
    func end() { model._$backing = values }

    private static func template<Model: PersistentModel>(of model: Model) -> ModelTemplate {
        Model._$template
    }
}

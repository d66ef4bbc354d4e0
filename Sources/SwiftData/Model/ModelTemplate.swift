import CoreData

/// What objects of one model class are made of while they are in no context: an entity of their attributes.
@_documentation(visibility: internal)
public final class ModelTemplate: Sendable {
    private let template: ObjectTemplate

    /// Makes the template of a class, with the attributes of its superclasses.
    ///
    /// Traps if the class has a property that cannot be stored, with a message that names it.
    public convenience init<Model: PersistentModel>(_ type: Model.Type) {
        self.init(Schema.entityName(for: type), Schema.attributes(of: type))
    }

    /// Makes the template of a class, without the attributes of its superclasses.
    public convenience init<Model: PersistentModel>(ownPropertiesOf type: Model.Type) {
        self.init(Schema.entityName(for: type), Array(Schema.Entity(of: type).attributes))
    }

    private init(_ name: String, _ attributes: [Schema.Attribute]) {
        let attributes = Schema([Schema.Entity(name, properties: attributes)])
        do {
            let model = try NSManagedObjectModel.makeManagedObjectModel(for: attributes)
            model.entities[0].managedObjectClassName = ModelObject.className
            template = ObjectTemplate(model)
        } catch {
            programmerError("\(error)")
        }
    }

    /// Returns a new object of the class, without a model yet.
    func makeObject() -> ModelObject {
        let object = ModelObject(entity: template.entity, insertInto: nil)
        object.isBegun = true
        object.isHeld = true
        return object
    }
}

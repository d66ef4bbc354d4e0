import CoreData
import Synchronization

/// What objects of one model class are made of while they are in no context: an entity of their attributes.
@_documentation(visibility: internal)
public final class ModelTemplate: Sendable {
    private let template: ObjectTemplate
    /// The template of the container's entity that the last model of the class was inserted as.
    private let home = Mutex<ObjectTemplate?>(nil)

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
    func makeObject() -> ModelObject { ModelObject.begun(template.entity) }

    /// Returns a new object for a model that an app makes.
    ///
    /// It has the entity that the last such model was inserted as, so that a context of that container takes
    /// the object itself, and has not to make another one.
    func begin() -> ModelObject {
        guard let home = home.withLock({ $0 }), let model = home.model else { return makeObject() }
        return ModelObject.begun(home.entity, keeping: model)
    }

    /// Notes the entity of an inserted object, which has the same attributes as the template.
    func noteHome(of object: ModelObject) { home.withLock { $0 = ObjectTemplate(entityOf: object) } }
}

/// Initializers for `self.init(…)` in a static method of a client's extension.
///
/// Swift asks for a `required` one there, which every subclass with an initializer of its own would have to
/// repeat; a protocol's extension offers one without. It makes the class itself: called on a subclass it
/// traps.
public protocol MetatypeInitializing {}

public protocol CoordinatorInitializing: MetatypeInitializing {}
public protocol ContextInitializing: MetatypeInitializing {}
public protocol ContainerInitializing: MetatypeInitializing {}

extension NSPersistentStoreCoordinator: CoordinatorInitializing {}
extension NSManagedObjectContext: ContextInitializing {}
extension NSPersistentContainer: ContainerInitializing {}

extension CoordinatorInitializing {
    @_disfavoredOverload
    public init(managedObjectModel model: NSManagedObjectModel) {
        self = Self.from(NSPersistentStoreCoordinator(managedObjectModel: model))
    }
}

extension ContextInitializing {
    @_disfavoredOverload
    public init(concurrencyType ct: NSManagedObjectContextConcurrencyType) {
        self = Self.from(NSManagedObjectContext(concurrencyType: ct))
    }
}

extension ContainerInitializing {
    @_disfavoredOverload
    public init(name: String) {
        self = Self.from(NSPersistentContainer(name: name))
    }

    @_disfavoredOverload
    public init(name: String, managedObjectModel model: NSManagedObjectModel) {
        self = Self.from(NSPersistentContainer(name: name, managedObjectModel: model))
    }
}

extension MetatypeInitializing {
    fileprivate static func from(_ object: AnyObject) -> Self {
        guard let object = object as? Self else {
            programmerError(
                "self.init in a static method makes a \(type(of: object)), not the subclass \(Self.self): name the "
                    + "subclass, or declare the initializer in it as required")
        }
        return object
    }
}

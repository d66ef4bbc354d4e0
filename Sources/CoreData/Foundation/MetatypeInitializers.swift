/// A protocol with initializers for `self.init(…)` in a static method of a client's extension.
///
/// Swift asks for a `required` initializer there, which every subclass with an initializer of its own would
/// have to repeat. An initializer in a protocol's extension need not be required. It makes an object of the
/// class itself, and traps when called on a subclass.
@_documentation(visibility: internal)
public protocol MetatypeInitializing {}

/// The initializers of coordinators for static methods of extensions; see `MetatypeInitializing`.
@_documentation(visibility: internal)
public protocol CoordinatorInitializing: MetatypeInitializing {}
/// The initializers of contexts for static methods of extensions; see `MetatypeInitializing`.
@_documentation(visibility: internal)
public protocol ContextInitializing: MetatypeInitializing {}
/// The initializers of containers for static methods of extensions; see `MetatypeInitializing`.
@_documentation(visibility: internal)
public protocol ContainerInitializing: MetatypeInitializing {}

extension NSPersistentStoreCoordinator: CoordinatorInitializing {}
extension NSManagedObjectContext: ContextInitializing {}
extension NSPersistentContainer: ContainerInitializing {}

extension CoordinatorInitializing {
    /// Makes a coordinator.
    ///
    /// Traps when called on a subclass, and for a model that cannot be used.
    @_disfavoredOverload
    public init(managedObjectModel model: NSManagedObjectModel) {
        self = Self.from(NSPersistentStoreCoordinator(managedObjectModel: model))
    }
}

extension ContextInitializing {
    /// Makes a context.
    ///
    /// Traps when called on a subclass.
    @_disfavoredOverload
    public init(concurrencyType ct: NSManagedObjectContextConcurrencyType) {
        self = Self.from(NSManagedObjectContext(concurrencyType: ct))
    }
}

extension ContainerInitializing {
    /// Makes a container with the model of its name.
    ///
    /// Traps when called on a subclass.
    @_disfavoredOverload
    public init(name: String) {
        self = Self.from(NSPersistentContainer(name: name))
    }

    /// Makes a container with a given model.
    ///
    /// Traps when called on a subclass.
    @_disfavoredOverload
    public init(name: String, managedObjectModel model: NSManagedObjectModel) {
        self = Self.from(NSPersistentContainer(name: name, managedObjectModel: model))
    }
}

extension MetatypeInitializing {
    /// Returns the object as one of this type.
    ///
    /// Traps if it is not.
    fileprivate static func from(_ object: AnyObject) -> Self {
        guard let object = object as? Self else {
            programmerError(
                "self.init in a static method makes a \(type(of: object)), not the subclass \(Self.self): name the "
                    + "subclass, or declare the initializer in it as required")
        }
        return object
    }
}

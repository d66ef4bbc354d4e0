import CoreData

/// A class whose objects a container stores: `@Model` makes a class conform.
///
/// An object may be read and written before it is inserted into a context. From then on it stands for one
/// row, and is the only object of its context that does.
///
/// A class conforms by hand with `schemaMetadata`, `persistentBackingData`, which begins as
/// `createBackingData()`, and `init(backingData:)`. The accessors of its properties call `getValue(forKey:)`
/// and `setValue(forKey:to:)`. No model may be a subclass of it.
public protocol PersistentModel: AnyObject, Observable, Hashable, Identifiable, SendableMetatype {
    /// The stored properties of the class without those of its superclass, in the order of their declaration.
    static var schemaMetadata: [Schema.PropertyMetadata] { get }
    /// The values of the object.
    var persistentBackingData: any BackingData<Self> { get set }
    /// Makes the object that has the values.
    init(backingData: any BackingData<Self>)
    /// The key paths of `#Unique`; written by `@Model`.
    static var _$uniqueness: [[AnyKeyPath]] { get }
    /// The key paths of `#Index`; written by `@Model`.
    static var _$indices: [Schema.DeclaredIndex] { get }
    /// What objects without a context are made of; written by `@Model`.
    static var _$template: ModelTemplate { get }
    /// The object that has the values, of a model that was begun; written by `@Model`.
    var _$backing: ModelObject? { get set }
    /// The objects that have the values of each class of the hierarchy, the superclass first: one and the same
    /// unless the model is in no context yet; written by `@Model`.
    var _$rows: [ModelObject] { get }
    /// Makes the model of an object that has the values; written by `@Model`.
    init(_$backing: ModelObject)
}

extension PersistentModel {
    /// The identifier of the object: a temporary one until the object is saved, then that of its row.
    public var persistentModelID: PersistentIdentifier {
        let backing = backing
        return PersistentIdentifier(backing.formerID ?? backing.objectID)
    }

    /// The identifier of the object.
    public var id: PersistentIdentifier { persistentModelID }

    /// The context in which the object is; nil before it is inserted, and after its deletion was saved.
    public var modelContext: ModelContext? {
        backing.managedObjectContext?.owner
    }

    /// Whether a save of the context would write the object.
    public var hasChanges: Bool { backing.isRegistered && backing.hasChanges }

    /// Whether the next save deletes the object, or its row is gone.
    public var isDeleted: Bool { backing.isDeleted || backing.formerID != nil }

    /// Returns whether both are the same object.
    public static func == (left: Self, right: Self) -> Bool { left === right }

    /// Feeds the identity of the object.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Begins the values of a new object of a class.
    public static func createBackingData<Model: PersistentModel>() -> some BackingData<Model> {
        ObjectBackingData(for: Model.self)
    }

    var backing: ModelObject { _$backing ?? _$rows[0] }
}

/// A class that `@Model` makes a model.
@_documentation(visibility: internal)
public protocol ExpandedModel: PersistentModel {}

extension ExpandedModel {
    /// The values of the object.
    public var persistentBackingData: any BackingData<Self> {
        get { ObjectBackingData(backing) }
        set { _$backing = newValue._$object }
    }

    /// Makes the object that has the values.
    public init(backingData: any BackingData<Self>) { self.init(_$backing: backingData._$object) }
}

/// What `@Model` writes, for classes that conform by hand.
extension PersistentModel {
    /// Whether `@Model` makes the class a model.
    static var isExpanded: Bool { self is any ExpandedModel.Type }

    /// No key paths: an attribute of `schemaMetadata` with `.unique` is unique by itself.
    public static var _$uniqueness: [[AnyKeyPath]] { [] }
    /// No key paths.
    public static var _$indices: [Schema.DeclaredIndex] { [] }
    /// What objects without a context are made of, by `schemaMetadata`.
    public static var _$template: ModelTemplate { HandWrittenClass.of(Self.self).template }
    /// The object that has the values.
    public var _$backing: ModelObject? {
        get { persistentBackingData._$object }
        set { if let newValue { persistentBackingData = ObjectBackingData(newValue) } }
    }
    /// The object that has the values, alone.
    public var _$rows: [ModelObject] { [persistentBackingData._$object] }
    /// Makes the model of an object that has the values.
    public init(_$backing: ModelObject) { self.init(backingData: ObjectBackingData(_$backing)) }
}

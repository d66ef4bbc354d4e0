public import Foundation

/// An entity: a kind of object, with a name, a class and properties.
///
/// Can be changed until its model is in use; from then on every setter but that of `userInfo` traps. It
/// refers to its model and its parent without retaining them.
///
/// Properties are in `NSEntityDescription+Properties.swift`, inheritance in `+Inheritance.swift`, finding an
/// entity by name and inserting objects in `+Objects.swift`.
open class NSEntityDescription: NSObject, NSCoding, NSCopying {
    final weak var model: NSManagedObjectModel?
    final var parent: NSEntityDescription? {
        get { parentLink?.target }
        set { parentLink = newValue?.link }
    }
    private final var parentLink: Backlink<NSEntityDescription>?
    final var children: [NSEntityDescription] = []
    final var ownProperties: [NSPropertyDescription] = []
    /// The properties, inherited ones included, from the moment the model freezes.
    final var flattened: FlattenedProperties?
    /// The data that objects of the entity use, once the model is in use.
    @exclusivity(unchecked) final var runtimeLink: Backlink<EntityRuntime>?
    final let link = Backlink<NSEntityDescription>()

    /// Makes an entity without a name and properties, in no model.
    public required override init() {
        super.init()
        link.lead(to: self)
    }

    final var isFrozen: Bool { flattened != nil }

    /// The model the entity belongs to.
    ///
    /// Traps if there is none, or if it was freed.
    public var managedObjectModel: NSManagedObjectModel {
        guard let model else {
            programmerError("The entity \"\(name ?? "")\" belongs to no model, or the model is gone.")
        }
        return model
    }

    /// The name, unique in the model.
    ///
    /// A model with an entity without a name cannot be used.
    ///
    /// Unlike Apple's: a name that is no identifier is quoted in SQL, and the tables of names that differ
    /// only in the case of their letters get a number as suffix. An XML store refuses to write two such
    /// entities.
    public var name: String? { willSet { requireMutable() } }

    /// The class of the objects: `Module.Class`, or a bare class name for one that the model's module
    /// declares.
    ///
    /// `NSManagedObject` unless set.
    ///
    /// Unlike Apple's: the class is found by the table that the plugin generates. Without the plugin on the
    /// class's target the objects are of the nearest ancestor's class that is found, or else
    /// `NSManagedObject`, and the log says so.
    public var managedObjectClassName: String! {
        get { className ?? "NSManagedObject" }
        set {
            requireMutable()
            className = newValue
        }
    }
    final var className: String?

    /// Whether the entity has no objects of its own, only those of its subentities; false by default.
    public var isAbstract = false { willSet { requireMutable() } }
    /// Entries that an app attaches to the entity.
    ///
    /// They may be changed while the model is in use, too, from any thread; no store keeps them.
    ///
    /// Unlike Apple's: a new store has no triggers for the key `NSTriggerKey`.
    public var userInfo: [AnyHashable: Any]? {
        get { notes.withLock { $0 } }
        set { notes.withLock { $0 = newValue } }
    }
    private final let notes = Guarded<[AnyHashable: Any]?>([:])
    /// A text that goes into the version hash, to make a version of the entity differ from an equal one.
    public var versionHashModifier: String? { willSet { requireMutable() } }

    /// The name that identifies the entity in a lightweight migration after its name changed: its former
    /// name.
    ///
    /// The name itself unless set.
    ///
    /// Unlike Apple's: if no identifiers match, an identifier that equals a former name, and then an equal
    /// name, stands for the same entity.
    public var renamingIdentifier: String? {
        get { ownRenamingIdentifier ?? name }
        set {
            requireMutable()
            ownRenamingIdentifier = newValue
        }
    }
    final var ownRenamingIdentifier: String?

    /// The indexes that SQLite stores make for the entity when the store is made.
    ///
    /// An index changes how long queries take, never what they find.
    public var indexes: [NSFetchIndexDescription] = [] {
        willSet { requireMutable() }
        didSet {
            for index in indexes { index.entity = self }
        }
    }

    /// Combinations of attributes or to-one relationships, as names or descriptions, whose values no two
    /// objects share.
    ///
    /// SQLite stores check them at each save, batches included; a violation is error 133021
    /// (`NSManagedObjectConstraintMergeError`), unless the merge policy resolves it.
    ///
    /// Unlike Apple's: a composite attribute cannot be unique.
    public var uniquenessConstraints: [[Any]] = [] { willSet { requireMutable() } }

    /// The indexes in an older form: lists of property names or descriptions, for each of which SQLite stores
    /// make an index.
    @available(*, deprecated, message: "Use NSEntityDescription.indexes instead")
    public var compoundIndexes: [[Any]] {
        get { nameIndexes }
        set {
            requireMutable()
            nameIndexes = newValue
        }
    }
    final var nameIndexes: [[Any]] = []

    /// The expression that gives an object's display name to a search index; the constant nil unless set.
    ///
    /// Kept in model files; nothing on Linux reads it.
    public var coreSpotlightDisplayNameExpression: NSExpression {
        get { displayNameExpression ?? NSExpression(forConstantValue: nil) }
        set {
            requireMutable()
            displayNameExpression = newValue
        }
    }
    final var displayNameExpression: NSExpression?

    final func requireMutable() {
        if isFrozen { immutableModelError() }
    }

    // MARK: Copying, coding, equality

    /// Returns a copy that belongs to no model and can be changed: with its own properties and indexes, and
    /// copies of its subentities.
    ///
    /// Relationships find their destination by name in the model to which the copy is added.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = shallowCopy()
        copy.subentities = children.map { $0.copy() as! NSEntityDescription }
        return copy
    }

    /// Returns a copy without subentities.
    final func shallowCopy() -> NSEntityDescription {
        let copy = type(of: self).init()
        copy.name = name
        copy.className = className
        copy.isAbstract = isAbstract
        copy.userInfo = userInfo
        copy.versionHashModifier = versionHashModifier
        copy.ownRenamingIdentifier = ownRenamingIdentifier
        copy.displayNameExpression = displayNameExpression
        copy.uniquenessConstraints = uniquenessConstraints.map { $0.map(Self.nameOfProperty) }
        copy.nameIndexes = nameIndexes.map { $0.map(Self.nameOfProperty) }
        copy.properties = ownProperties.map { $0.copy() as! NSPropertyDescription }
        let properties = copy.propertiesByName
        copy.indexes = indexes.map { index in
            let elements = index.elements.map { element in
                element.replica(with: element.propertyName.flatMap { properties[$0] } ?? element.property)
            }
            let replica = NSFetchIndexDescription(name: index.name, elements: elements)
            replica.partialIndexPredicate = index.partialIndexPredicate
            return replica
        }
        return copy
    }

    /// Returns the name of a property given by name or description, as constraints and compound indexes
    /// allow.
    static func nameOfProperty(_ property: Any) -> Any {
        (property as? NSPropertyDescription)?.name ?? property
    }

    /// Fails the coder with `CocoaError.coderInvalidValue`: encode the model.
    open func encode(with coder: NSCoder) {
        failToEncodeDescription(self, with: coder)
    }

    /// Fails the coder with `CocoaError.coderReadCorrupt`: decode the model.
    public required init?(coder: NSCoder) {
        super.init()
        failToDecodeDescription(coder)
        return nil
    }

    /// Returns whether another entity has equal contents; relatives are compared by name.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSEntityDescription else { return false }
        if self === other { return true }
        return name == other.name
            && managedObjectClassName == other.managedObjectClassName
            && isAbstract == other.isAbstract
            && versionHashModifier == other.versionHashModifier
            && renamingIdentifier == other.renamingIdentifier
            && superentity?.name == other.superentity?.name
            && Set(children.map(\.name)) == Set(other.children.map(\.name))
            && propertiesByName == other.propertiesByName
            && Set(indexes) == Set(other.indexes)
            && constraintNames == other.constraintNames
            && (userInfo ?? [:]) as NSDictionary == (other.userInfo ?? [:]) as NSDictionary
    }

    /// The uniqueness constraints by property name.
    final var constraintNames: [[String]] {
        uniquenessConstraints.map { $0.map { "\(Self.nameOfProperty($0))" } }
    }

    /// A hash of the name.
    open override var hash: Int { name.hashValue }

    /// The entity's settings and the names of its properties and relatives.
    open override var description: String {
        "(<NSEntityDescription>) name \(name ?? "(null)"), managedObjectClassName "
            + "\(managedObjectClassName ?? "NSManagedObject"), renamingIdentifier "
            + "\(renamingIdentifier ?? "(null)"), isAbstract \(isAbstract), superentity name "
            + "\(superentity?.name ?? "(null)"), properties \(propertiesByName.keys.sorted()), subentities "
            + "\(subentities.compactMap(\.name)), versionHashModifier \(versionHashModifier ?? "(null)")"
    }
}

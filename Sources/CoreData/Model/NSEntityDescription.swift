public import Foundation

/// An entity: a kind of object, with a name, a class and properties.
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
    /// Answers that no longer change, from the moment the model freezes.
    final var flattened: FlattenedProperties?
    /// The entity at work, as soon as the model is.
    @exclusivity(unchecked) final var runtimeLink: Backlink<EntityRuntime>?
    final let link = Backlink<NSEntityDescription>()

    public required override init() {
        super.init()
        link.lead(to: self)
    }

    final var isFrozen: Bool { flattened != nil }

    /// The model the entity belongs to.
    public var managedObjectModel: NSManagedObjectModel {
        guard let model else {
            programmerError("The entity \"\(name ?? "")\" belongs to no model, or the model is gone.")
        }
        return model
    }

    public var name: String? { willSet { requireMutable() } }

    /// The class of the objects: `Module.Class`, or a bare class name for one the model's module declares.
    public var managedObjectClassName: String! {
        get { className ?? "NSManagedObject" }
        set {
            requireMutable()
            className = newValue
        }
    }
    final var className: String?

    /// An abstract entity has no objects of its own, only those of its subentities.
    public var isAbstract = false { willSet { requireMutable() } }
    /// What an app notes of the entity; may be changed while the model is in use, too, from any thread.
    ///
    /// Nothing is stored of it.
    public var userInfo: [AnyHashable: Any]? {
        get { notes.withLock { $0 } }
        set { notes.withLock { $0 = newValue } }
    }
    private final let notes = Guarded<[AnyHashable: Any]?>([:])
    public var versionHashModifier: String? { willSet { requireMutable() } }

    /// What tells the entity in a migration when its name changes; the name unless set.
    public var renamingIdentifier: String? {
        get { ownRenamingIdentifier ?? name }
        set {
            requireMutable()
            ownRenamingIdentifier = newValue
        }
    }
    final var ownRenamingIdentifier: String?

    public var indexes: [NSFetchIndexDescription] = [] {
        willSet { requireMutable() }
        didSet {
            for index in indexes { index.entity = self }
        }
    }

    /// Combinations of attributes or to-one relationships, as names or descriptions, that no two objects share.
    public var uniquenessConstraints: [[Any]] = [] { willSet { requireMutable() } }

    @available(*, deprecated, message: "Use NSEntityDescription.indexes instead")
    public var compoundIndexes: [[Any]] {
        get { nameIndexes }
        set {
            requireMutable()
            nameIndexes = newValue
        }
    }
    final var nameIndexes: [[Any]] = []

    /// The expression that gives an object's display name to a search index.
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

    /// A copy that belongs to no model and can be changed: the entity with its own properties and indexes,
    /// and with copies of its subentities.
    ///
    /// Relationships find their destination by name in the model the copy ends up in.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = shallowCopy()
        copy.subentities = children.map { $0.copy() as! NSEntityDescription }
        return copy
    }

    /// A copy without subentities.
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

    /// The name of a property given by name or description, as constraints and compound indexes allow.
    static func nameOfProperty(_ property: Any) -> Any {
        (property as? NSPropertyDescription)?.name ?? property
    }

    open func encode(with coder: NSCoder) {
        failToEncodeDescription(self, with: coder)
    }

    public required init?(coder: NSCoder) {
        super.init()
        failToDecodeDescription(coder)
        return nil
    }

    /// Equal by content; relatives are compared by name.
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

    open override var hash: Int { name.hashValue }

    open override var description: String {
        "(<NSEntityDescription>) name \(name ?? "(null)"), managedObjectClassName "
            + "\(managedObjectClassName ?? "NSManagedObject"), renamingIdentifier "
            + "\(renamingIdentifier ?? "(null)"), isAbstract \(isAbstract), superentity name "
            + "\(superentity?.name ?? "(null)"), properties \(propertiesByName.keys.sorted()), subentities "
            + "\(subentities.compactMap(\.name)), versionHashModifier \(versionHashModifier ?? "(null)")"
    }
}

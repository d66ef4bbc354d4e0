import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
public import Foundation

/// One row of a store as an object, or one that is to become a row.
///
/// An object is a fault until a property is read; it then shares the packed row with the row cache and every other
/// context, and takes a copy of its own at the first change. It belongs to one context and is used on that
/// context's queue.
///
/// The rest of the class: `+KeyValue` (key-value access, primitive values), `+State` (changes, faulting),
/// `+Observation` (change hooks), `+Validation`, `ManagedAccess` (what generated accessors call).
open class NSManagedObject: NSObject {
    /// The current values, nil while the object is a fault. Points into `row`.
    @exclusivity(unchecked) @usableFromInline final var words: UnsafeMutablePointer<UInt64>?
    @exclusivity(unchecked) @usableFromInline final var layoutID: UInt32
    @exclusivity(unchecked) @usableFromInline final var flags: ObjectFlags = []
    @exclusivity(unchecked) final var storeIndex: Int16 = -1
    @exclusivity(unchecked) final var reference: ObjectReference
    /// What the store has, as far as this context knows; a fault may hold it already.
    @exclusivity(unchecked) final var committed: Snapshot?
    /// The current values: `committed` itself, or a copy with changes.
    @exclusivity(unchecked) final var row: Snapshot?
    /// The values when the present event began, if the object has others since.
    @exclusivity(unchecked) final var eventBase: Snapshot?
    /// By slot, allocated at first use: to-many relationships, destinations of to-one relationships that were
    /// touched, transient values, values of transformable attributes.
    @exclusivity(unchecked) final var side: ContiguousArray<AnyObject?> = []
    @exclusivity(unchecked) final var registry: ContextRegistry?
    final let runtime: EntityRuntime
    @exclusivity(unchecked) private final var identifier: NSManagedObjectID?

    /// Makes an object of the entity and, given a context, inserts it there.
    ///
    /// The object is of the entity's class, as in Apple's framework, where it is `NSManagedObject` that the initializer is
    /// called on. Traps where the class is neither that one nor inherits from it.
    public init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        if let context, let birth = context.birth.take() {
            layoutID = birth.runtime.layout.id
            reference = birth.reference
            storeIndex = birth.storeIndex
            runtime = birth.runtime
            committed = birth.row
            registry = context.registry
            super.init()
            return
        }
        runtime = if let context { context.runtime(of: entity) } else { entity.runtime }
        reference = TemporaryKeys.next(for: runtime.compiled.index)
        layoutID = runtime.layout.id
        super.init()
        begin(in: context)
    }

    /// Not in the initializer, where each use of `self` counts a reference.
    @inline(never)
    private final func begin(in context: NSManagedObjectContext?) {
        if !runtime.isFitting(type(of: self)) { takeClassOfEntity() }
        takeDefaults()
        context?.insert(self)
    }

    /// The one initializer that every class is sure to have: how the framework makes objects of a class it knows
    /// only at run time.
    public required convenience init(_made entity: NSEntityDescription, in context: NSManagedObjectContext?) {
        self.init(entity: entity, insertInto: context)
    }

    deinit {
        if let registry = registry.take() { registry.forget(self) }
    }

    // MARK: Identity

    /// The context the object is registered with; nil once it is deleted and saved, or the context is gone.
    open var managedObjectContext: NSManagedObjectContext? { registry?.context }

    open var entity: NSEntityDescription { runtime.entity }

    open var objectID: NSManagedObjectID {
        // Another context of the tree may have given the object its permanent reference meanwhile.
        if reference.isTemporary {
            let place = currentPlace
            if place.storeIndex >= 0 {
                return NSManagedObjectID(place.reference, at: home(at: place.storeIndex))
            }
        }
        // Nor is the store for ever what it was, which is asked for only where one was exchanged. An object that
        // left its context, or whose store is gone, keeps the ID it had.
        if let identifier {
            guard StoreShelf.hasExchanged, let store = registry?.store(at: storeIndex),
                !identifier.isIn(store)
            else { return identifier }
        }
        return makeID(at: home(at: storeIndex))
    }

    /// Has the object named from here on as it is now, wherever it goes.
    final func keepID() {
        if identifier == nil || StoreShelf.hasExchanged { _ = objectID }
    }

    private final func home(at storeIndex: Int16) -> NSManagedObjectID.Home {
        registry?.home(of: runtime, storeIndex: storeIndex) ?? NSManagedObjectID.Home(runtime, storeLink: nil)
    }

    private final func makeID(at home: NSManagedObjectID.Home) -> NSManagedObjectID {
        let identifier = NSManagedObjectID(reference, at: home)
        self.identifier = identifier
        return identifier
    }

    /// The IDs of many objects of one context, which differ: where they are at home is looked up once for those that follow
    /// one another.
    static func objectIDs(of objects: [NSManagedObject]) -> Set<NSManagedObjectID> {
        guard let first = objects.first else { return [] }
        var (home, storeIndex) = (first.home(at: first.storeIndex), first.storeIndex)
        return Set(
            distinct: objects.mapBorrowed { object in
                guard !object.reference.isTemporary, object.identifier == nil else {
                    return .passRetained(object.objectID)
                }
                if home.runtime !== object.runtime || storeIndex != object.storeIndex {
                    (home, storeIndex) = (object.home(at: object.storeIndex), object.storeIndex)
                }
                return .passRetained(object.makeID(at: home))
            })
    }

    /// Takes on the reference of its row; made IDs stay what they were.
    final func become(_ reference: ObjectReference, storeIndex: Int16) {
        self.reference = reference
        self.storeIndex = storeIndex
        identifier = nil
    }

    /// The entity the class stands for, in the models that coordinators use: one without a name, and a message in the log,
    /// if it stands for none.
    open class func entity() -> NSEntityDescription {
        if let entity = EntityClasses.knownEntity(for: self) { return entity }
        FrameworkLog.warning(EntityClasses.unmatched(self))
        return NSEntityDescription()
    }

    /// A request for the class's entity.
    @_disfavoredOverload
    open class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> {
        NSFetchRequest(of: entity())
    }

    /// Whether `willChangeValue(forKey:)` for a property that is not modelled leaves the object unchanged.
    open class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { true }

    // MARK: State

    open var hasChanges: Bool { isDirty }

    /// Whether saving would write something: unlike `hasChanges`, equal values put back do not count.
    open var hasPersistentChangedValues: Bool { differsFromStore }

    /// 0 for an object with values, otherwise the state of the fault.
    open var faultingState: Int { isFault ? 1 : 0 }

    /// The properties that differ from the store, with their present values; nil values as `NSNull`.
    open func changedValues() -> [String: Any] { differingValues() }

    /// What changed since changes were last processed, with the values before the change.
    open func changedValuesForCurrentEvent() -> [String: Any] { valuesBeforeEvent() }

    /// The values as they were last fetched or saved; nil values as `NSNull`.
    open func committedValues(forKeys keys: [String]?) -> [String: Any] { storedValues(forKeys: keys) }

    /// Whether reading the relationship would go to the store.
    open func hasFault(forRelationshipNamed key: String) -> Bool { isUnread(relationship: key) }

    /// The IDs on the far side, without making objects fire.
    open func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] { destinationIDs(of: key) }

    // MARK: Life cycle

    /// After the object was inserted, once in its life.
    open func awakeFromInsert() {}
    /// After the object's values were read. Changes made here through primitive accessors do not count as changes.
    open func awakeFromFetch() {}
    /// After values were put back by undo, redo, rollback, refresh or a merge policy.
    open func awake(fromSnapshotEvents flags: NSSnapshotEventType) {}
    /// Once the object is marked as deleted; its relationships are still whole.
    open func prepareForDeletion() {}
    /// Before each save; called again until nothing changes any more.
    open func willSave() {}
    /// After a save.
    open func didSave() {}
    open func willTurnIntoFault() {}
    open func didTurnIntoFault() {}

    // MARK: Overridable access

    open func willAccessValue(forKey key: String?) { fireIfNeeded() }
    open func didAccessValue(forKey key: String?) {}
    open func willChangeValue(forKey key: String) { noteWillChange(key) }
    open func didChangeValue(forKey key: String) { noteDidChange(key) }

    open func willChangeValue(
        forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind,
        using inObjects: Set<AnyHashable>
    ) {
        noteWillChange(inKey)
    }

    open func didChangeValue(
        forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind,
        using inObjects: Set<AnyHashable>
    ) {
        noteDidChange(inKey)
    }

    open func value(forKey key: String) -> Any? { keyedValue(forKey: key) }
    open func setValue(_ value: Any?, forKey key: String) { setKeyedValue(value, forKey: key) }
    open func value(forUndefinedKey key: String) -> Any? {
        programmerError(unknownKeyMessage(key))
    }
    open func setValue(_ value: Any?, forUndefinedKey key: String) {
        programmerError(unknownKeyMessage(key))
    }
    open func value(forKeyPath keyPath: String) -> Any? { keyPathValue(keyPath) }
    open func setValue(_ value: Any?, forKeyPath keyPath: String) { setKeyPathValue(value, keyPath) }
    open func primitiveValue(forKey key: String) -> Any? { primitive(forKey: key) }
    open func setPrimitiveValue(_ value: Any?, forKey key: String) { setPrimitive(value, forKey: key) }
    open func setNilValueForKey(_ key: String) {
        programmerError(
            "[<\(type(of: self))> setNilValueForKey]: could not set nil as the value for the key \(key).")
    }
    open func setValuesForKeys(_ keyedValues: [String: Any]) {
        for (key, value) in keyedValues { setValue(value is NSNull ? nil : value, forKey: key) }
    }
    open func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
        Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }) { first, _ in first }
    }
    open func mutableSetValue(forKey key: String) -> NSMutableSet { mutableSet(forKey: key) }
    open func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
        mutableOrderedSet(forKey: key)
    }
    open class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }

    // MARK: Validation

    open func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws
    {
        try validateProperty(value, forKey: key)
    }
    open func validateForInsert() throws { try Validator.validate(self, for: .insert) }
    open func validateForUpdate() throws { try Validator.validate(self, for: .update) }
    open func validateForDelete() throws { try Validator.validate(self, for: .delete) }

    /// Objects are equal if they are the same, and notifications carry sets of them.
    open override var hash: Int { Int(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }
    open override func isEqual(_ object: Any?) -> Bool {
        Self.unboxed(object) === self
    }

    /// Identity and, once they were read, values; never reads the store.
    open override var description: String { printed }
}

extension NSManagedObject {
    /// A new object of a class, inserted.
    /// - Parameter type: That of a class of objects.
    @usableFromInline
    static func made(as type: Any.Type, in context: NSManagedObjectContext) -> NSManagedObject {
        let (objectClass, entity) = EntityClasses.entity(for: type, in: context)
        return objectClass.init(_made: entity, in: context)
    }
}

/// What an object is apart from its values. Whether it is a fault is told by its values being there.
@frozen @usableFromInline
struct ObjectFlags: OptionSet {
    @usableFromInline let rawValue: UInt16

    @inlinable
    init(rawValue: UInt16) { self.rawValue = rawValue }

    static let inserted = ObjectFlags(rawValue: 1 << 0)
    static let updated = ObjectFlags(rawValue: 1 << 1)
    static let deleted = ObjectFlags(rawValue: 1 << 2)
    /// In the change tracker's list.
    static let tracked = ObjectFlags(rawValue: 1 << 3)
    /// Changed since changes were last processed, and how.
    static let pending = ObjectFlags(rawValue: 1 << 4)
    static let pendingInsert = ObjectFlags(rawValue: 1 << 5)
    static let pendingUpdate = ObjectFlags(rawValue: 1 << 6)
    static let pendingDelete = ObjectFlags(rawValue: 1 << 7)
    static let pendingRefresh = ObjectFlags(rawValue: 1 << 8)
    /// The row belongs to this object alone and may be written.
    static let ownsRow = ObjectFlags(rawValue: 1 << 9)
    /// A change hook of the object is running.
    static let awaking = ObjectFlags(rawValue: 1 << 10)
    /// Its row is gone from the store.
    static let inaccessible = ObjectFlags(rawValue: 1 << 11)
    /// Delete rules were applied.
    static let propagated = ObjectFlags(rawValue: 1 << 12)
    /// `willSave` was called in the present save.
    static let prepared = ObjectFlags(rawValue: 1 << 13)
    /// Met by a pass over a list of objects that goes on.
    static let met = ObjectFlags(rawValue: 1 << 14)
    /// Somebody looks at the object whenever it changes.
    static let observed = ObjectFlags(rawValue: 1 << 15)
    static let changed: ObjectFlags = [.inserted, .updated, .deleted]

    // Numbers, since these are part of what every write compiles to.

    @inlinable var ownRow: Bool { rawValue & 1 << 9 != 0 }
    /// Whether another change adds nothing: the object is dirty, the event knows, and nobody looks at each change.
    @inlinable var areNoted: Bool {
        let (noted, observed, changed) = (UInt16(1 << 4 | 1 << 6), UInt16(1 << 15), UInt16(0b111))
        return rawValue & (noted | observed) == noted && rawValue & changed != 0
    }
}

extension [NSManagedObject] {
    /// Each object once, in the order in which they first come. Objects of one context can be marked, which is faster than
    /// to keep a set of them.
    var distinct: [NSManagedObject] {
        let objects = filter { object in
            if object.flags.contains(.met) { return false }
            object.flags.insert(.met)
            return true
        }
        objects.forEachBorrowed { $0.flags.remove(.met) }
        return objects
    }
}

/// Why `awake(fromSnapshotEvents:)` is called.
public struct NSSnapshotEventType: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let undoInsertion = NSSnapshotEventType(rawValue: 1 << 1)
    public static let undoDeletion = NSSnapshotEventType(rawValue: 1 << 2)
    public static let undoUpdate = NSSnapshotEventType(rawValue: 1 << 3)
    public static let rollback = NSSnapshotEventType(rawValue: 1 << 4)
    public static let refresh = NSSnapshotEventType(rawValue: 1 << 5)
    public static let mergePolicy = NSSnapshotEventType(rawValue: 1 << 6)
}

/// Initializers that a class alone cannot offer to every subclass: see source compatibility in the architecture.
public protocol ManagedObjectInitializing {}

extension NSManagedObject: ManagedObjectInitializing {}

extension ManagedObjectInitializing {
    /// Inserts a new object of the class's entity into a context.
    @inlinable
    public init(context moc: NSManagedObjectContext) {
        // Made of the very class: a cast would look types up for every object. Here, since what is generic would count
        // another reference to it.
        self = unsafeBitCast(NSManagedObject.made(as: Self.self, in: moc), to: Self.self)
    }

    @_disfavoredOverload
    public init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        let type = Self.self as! NSManagedObject.Type
        let right = EntityClasses.objectClass(for: entity)
        self = (right is Self.Type ? right : type).init(_made: entity, in: context) as! Self
    }

    /// An object of the class's entity in no context.
    @_disfavoredOverload
    public init() {
        let type = Self.self as! NSManagedObject.Type
        self = type.init(_made: type.entity(), in: nil) as! Self
    }

    /// A request for the class's entity, typed.
    ///
    /// - Note: Differs from Apple: without a type of its own a variable gets this one, not one for any result, which
    ///   `requestOfAny()` is.
    public static func fetchRequest() -> NSFetchRequest<Self> {
        NSFetchRequest(of: (Self.self as! NSManagedObject.Type).entity())
    }
}

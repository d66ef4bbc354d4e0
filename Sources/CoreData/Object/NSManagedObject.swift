import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
public import Foundation

/// One row of a store as an object, or an object that is to become a row.
///
/// An object is *transient* while it is in no context, *inserted* until its first save, then *saved*: a fault
/// until a property is read, loaded afterwards, *updated* once a property changes, *deleted* once it is
/// marked for deletion, and *detached* when it has left its context. Reading any property fills a fault with
/// the whole row. A loaded object shares the packed row with the row cache and with the objects that other
/// contexts have of it, and takes a copy of its own at the first change.
///
/// An object belongs to one context and is used on that context's queue; launch argument
/// `-com.apple.CoreData.ConcurrencyDebug 1` makes the framework trap if it is used off the queue. `objectID`
/// may go to any thread.
///
/// Unlike Apple's: properties are computed ones that the plugin generates, and classes are found by the table
/// that it generates; without the plugin on a class's target, entities have the class `NSManagedObject`, and
/// the log says so.
///
/// The class body has what subclasses override. The work is in the extensions, and in `ManagedAccess`, which
/// generated accessors call.
open class NSManagedObject: NSObject {
    /// The current values, nil while the object is a fault.
    ///
    /// Points into `row`.
    @exclusivity(unchecked) @usableFromInline final var words: UnsafeMutablePointer<UInt64>?
    @exclusivity(unchecked) @usableFromInline final var layoutID: UInt32
    @exclusivity(unchecked) @usableFromInline final var flags: ObjectFlags = []
    @exclusivity(unchecked) final var storeIndex: Int16 = -1
    @exclusivity(unchecked) final var reference: ObjectReference
    /// The committed row, as far as this context knows; a fault may hold one already.
    @exclusivity(unchecked) final var committed: Snapshot?
    /// The current values: `committed` itself, or a copy with changes.
    @exclusivity(unchecked) final var row: Snapshot?
    /// The values when the present event began, if they have changed since.
    @exclusivity(unchecked) final var eventBase: Snapshot?
    /// Values that no column holds, by slot, allocated at first use: to-many relationships, destinations of
    /// to-one relationships that were read or set, transient values, values of transformable attributes.
    @exclusivity(unchecked) final var side: ContiguousArray<AnyObject?> = []
    @exclusivity(unchecked) final var registry: ContextRegistry?
    final let runtime: EntityRuntime
    @exclusivity(unchecked) private final var identifier: NSManagedObjectID?

    /// Makes an object of the entity with the default values of its attributes and, given a context, inserts
    /// it there.
    ///
    /// Without a context the object is transient: it may be read and written, and is inserted later by
    /// `NSManagedObjectContext.insert(_:)`. Called on `NSManagedObject` itself, it makes an object of the
    /// entity's class. Traps if the class that the initializer is called on is neither the entity's nor
    /// inherits from it.
    ///
    /// Unlike Apple's: called on `NSManagedObject`, it does not run an initializer that the entity's class
    /// has, and traps if that class has stored properties. A subclass with a designated initializer of its
    /// own must override this one as well.
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
        reference = TemporaryKeys.next(for: runtime.index)
        layoutID = runtime.layout.id
        super.init()
        begin(in: context)
    }

    /// Finishes the initializer.
    ///
    /// It is a separate function, since each use of `self` in the initializer retains the object.
    @inline(never)
    private final func begin(in context: NSManagedObjectContext?) {
        if !runtime.isFitting(type(of: self)) { takeClassOfEntity() }
        takeDefaults()
        context?.insert(self)
    }

    /// Makes an object of a class that is known only at run time; only the framework calls it.
    @_documentation(visibility: internal)
    public required convenience init(_made entity: NSEntityDescription, in context: NSManagedObjectContext?) {
        self.init(entity: entity, insertInto: context)
    }

    deinit {
        if let registry = registry.take() { registry.forget(self) }
    }

    // MARK: Identity

    /// The context the object is registered with; nil if it is transient or detached, or the context is gone.
    open var managedObjectContext: NSManagedObjectContext? { registry?.context }

    /// The entity of the object, from the model with which the object was made.
    open var entity: NSEntityDescription { runtime.entity }

    /// The ID of the object: a temporary one until it is saved or `obtainPermanentIDs(for:)` is called, then
    /// that of its row.
    ///
    /// IDs that were returned before do not change. A detached object keeps its last ID.
    ///
    /// Unlike Apple's: an object of a nested context has its permanent ID as soon as an ancestor has saved
    /// it.
    open var objectID: NSManagedObjectID {
        // Another context of the tree may have given the object its permanent reference meanwhile.
        if reference.isTemporary {
            let address = currentRowAddress
            if address.storeIndex >= 0 {
                return NSManagedObjectID(address.reference, at: home(at: address.storeIndex))
            }
        }
        // The ID is outdated if its store was exchanged, which is checked only if any store ever was. An
        // object that left its context, or whose store is gone, keeps its ID.
        if let identifier {
            guard StoreShelf.hasExchanged, let store = registry?.store(at: storeIndex),
                !identifier.isIn(store)
            else { return identifier }
        }
        return makeID(at: home(at: storeIndex))
    }

    /// Keeps the present ID of an object that is leaving its context.
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

    /// Returns the IDs of objects of one context; no two are equal.
    ///
    /// The data that the IDs of one entity in one store share is looked up once for successive objects of
    /// that entity and store.
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

    /// Sets the reference of the object's row; IDs that were returned before do not change.
    final func become(_ reference: ObjectReference, storeIndex: Int16) {
        self.reference = reference
        self.storeIndex = storeIndex
        identifier = nil
    }

    /// Returns the entity that the class stands for in the models of the program's coordinators.
    ///
    /// Returns an entity without a name, and logs a warning, if no model in use has one of this class.
    ///
    /// Unlike Apple's: if several models in use have the class, the entity is that of the model whose
    /// coordinator was made, or opened a store, last.
    open class func entity() -> NSEntityDescription {
        if let entity = EntityClasses.knownEntity(for: self) { return entity }
        FrameworkLog.warning(EntityClasses.unmatched(self))
        return NSEntityDescription()
    }

    /// Returns a new request for the class's entity, for results of any type.
    ///
    /// Unlike Apple's: assigned to a variable without a type annotation, the call resolves to the typed
    /// method of the same name.
    @_disfavoredOverload
    open class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> {
        NSFetchRequest(of: entity())
    }

    /// Whether a change that is announced for a key outside the model leaves the object unchanged; true
    /// unless overridden.
    ///
    /// If false, `didChangeValue(forKey:)` with such a key marks the object as updated.
    open class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { true }

    // MARK: State

    /// Whether the object is inserted, updated or deleted, and so part of the next save.
    ///
    /// True as well if every value was set back to what the store has: see `hasPersistentChangedValues`.
    open var hasChanges: Bool { isDirty }

    /// Whether a save would write something for the object.
    ///
    /// True for inserted and deleted objects. An updated one is compared with the row it was read from, so
    /// that equal values that were set do not count.
    open var hasPersistentChangedValues: Bool { differsFromStore }

    /// 1 if the object is a fault, otherwise 0.
    open var faultingState: Int { isFault ? 1 : 0 }

    /// Returns the properties whose values differ from the store's, with the present values; `NSNull` stands
    /// for nil.
    ///
    /// Empty for an object without changes. Costs a comparison of the row with the one it was read from; the
    /// store is not read. Properties that were set by primitive accessors are included only if the object has
    /// another change.
    open func changedValues() -> [String: Any] { baseChangedValues() }

    /// Returns the properties that changed since changes were last processed, with the values from before;
    /// `NSNull` stands for nil.
    open func changedValuesForCurrentEvent() -> [String: Any] { baseChangedValuesForCurrentEvent() }

    /// Returns the values that were last fetched or saved; `NSNull` stands for nil.
    ///
    /// Fills a fault. Empty for an object that was never saved; relationships are read from the store if
    /// their members are not known. Traps if the model has no property of that name.
    ///
    /// - Parameter keys: Names of properties; nil for all.
    open func committedValues(forKeys keys: [String]?) -> [String: Any] { baseCommittedValues(forKeys: keys) }

    /// Returns whether reading the relationship would go to the store.
    ///
    /// Does not fill a fault. Traps if the model has no relationship of that name.
    open func hasFault(forRelationshipNamed key: String) -> Bool { baseHasFault(forRelationshipNamed: key) }

    /// Returns the IDs of the objects on the other side of a relationship.
    ///
    /// Reads the relationship from the store if its members are not known; other objects that it makes are
    /// faults. Traps if the model has no relationship of that name.
    open func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] {
        baseObjectIDs(forRelationshipNamed: key)
    }

    // MARK: Life cycle

    /// Called when the object has been inserted into its context; the place to set first values.
    ///
    /// Values that are set here are part of the insertion. The default implementation does nothing.
    open func awakeFromInsert() {}
    /// Called when the object was filled with values from the store; the place to compute transient values.
    ///
    /// Values that are set here do not count as changes. The default implementation does nothing.
    open func awakeFromFetch() {}
    /// Called after values were put back by undo, redo, rollback, refresh or a merge policy.
    ///
    /// The default implementation does nothing.
    ///
    /// - Parameter flags: The reasons for the change of values.
    open func awake(fromSnapshotEvents flags: NSSnapshotEventType) {}
    /// Called once the object is marked as deleted, before delete rules are applied: its relationships still
    /// have their objects.
    ///
    /// Objects that an override deletes are deleted in the same event. The default implementation does
    /// nothing.
    ///
    /// Unlike Apple's: not called for objects that a merge deletes.
    open func prepareForDeletion() {}
    /// Called for every inserted, updated or deleted object before a save checks and writes it.
    ///
    /// Called again for an object that changes meanwhile, until no object changes any more; after 1000 rounds
    /// the save traps. The default implementation does nothing.
    ///
    /// Unlike Apple's: not called for objects that a merge deleted.
    open func willSave() {}
    /// Called for every object that was inserted, updated or deleted by a save, once the stores have it.
    ///
    /// The default implementation does nothing.
    ///
    /// Unlike Apple's: not called for objects that a merge deleted.
    open func didSave() {}
    /// Called before a loaded object loses its values and becomes a fault, as by a refresh.
    ///
    /// The default implementation does nothing.
    ///
    /// Unlike Apple's: not called when the object is freed, nor when it leaves its context.
    open func willTurnIntoFault() {}
    /// Called after a loaded object has lost its values and become a fault.
    ///
    /// The default implementation does nothing.
    ///
    /// Unlike Apple's: not called when the object is freed, nor when it leaves its context.
    open func didTurnIntoFault() {}

    // MARK: Overridable access

    /// Fills the object if it is a fault; a hand-written accessor calls it before it reads a primitive value.
    ///
    /// - Parameter key: The property to be read; nil for any.
    open func willAccessValue(forKey key: String?) { fireIfNeeded() }
    /// Ends a read that `willAccessValue(forKey:)` began; does nothing here.
    open func didAccessValue(forKey key: String?) {}
    /// Announces a change of a property; a hand-written accessor calls it before it sets a primitive value.
    ///
    /// Fills a fault, and remembers the members of a relationship. Ignores keys that the model does not have.
    open func willChangeValue(forKey key: String) { noteWillChange(key) }
    /// Notes that a property changed: the object is updated from now on.
    ///
    /// For a relationship, the other side is updated to the new primitive value. A key that the model does
    /// not have is ignored, unless `contextShouldIgnoreUnmodeledPropertyChanges` is false.
    open func didChangeValue(forKey key: String) { noteDidChange(key) }

    /// Announces that members of a to-many relationship are about to change.
    ///
    /// Does what `willChangeValue(forKey:)` does, whatever the kind of the change and its objects.
    open func willChangeValue(
        forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind,
        using inObjects: Set<AnyHashable>
    ) {
        noteWillChange(inKey)
    }

    /// Notes that members of a to-many relationship changed.
    ///
    /// Does what `didChangeValue(forKey:)` does: the members from before were remembered then, and are
    /// compared with the present ones.
    open func didChangeValue(
        forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind,
        using inObjects: Set<AnyHashable>
    ) {
        noteDidChange(inKey)
    }

    /// Returns the value of a property as an object: numbers as `NSNumber`, relationships as an object,
    /// `NSSet` or `NSOrderedSet`.
    ///
    /// Fills a fault. For a modelled property it calls the class's own `@objc` accessor, in modules with the
    /// plugin. A key outside the model reads an `@objc` member of the class, or else calls
    /// `value(forUndefinedKey:)`.
    ///
    /// Unlike Apple's: members of the class are reached only if they are marked `@objc` and the plugin is
    /// applied to the module.
    open func value(forKey key: String) -> Any? { baseValue(forKey: key) }
    /// Sets the value of a property, which updates the object and, for a relationship, its other side.
    ///
    /// Fills a fault. `NSNull` and boxed optionals without a value count as nil. For a modelled property it
    /// calls the class's own `@objc` setter, in modules with the plugin. A key outside the model calls an
    /// `@objc` setter of the class, or else `setValue(_:forUndefinedKey:)`. Traps if the value is not of the
    /// property's type, naming the property and both types.
    ///
    /// Unlike Apple's: members of the class are reached only if they are marked `@objc` and the plugin is
    /// applied to the module.
    open func setValue(_ value: Any?, forKey key: String) { baseSetValue(value, forKey: key) }
    /// Returns the value of a key that neither the model nor the class has; traps unless overridden, naming
    /// class and key.
    ///
    /// Unlike Apple's: the override also has to handle members of the class that are not marked `@objc`.
    open func value(forUndefinedKey key: String) -> Any? {
        programmerError(unknownKeyMessage(key))
    }
    /// Sets the value of a key that neither the model nor the class has; traps unless overridden, naming
    /// class and key.
    open func setValue(_ value: Any?, forUndefinedKey key: String) {
        programmerError(unknownKeyMessage(key))
    }
    /// Returns the value at the end of a path of keys joined by dots, collection operators such as `@sum` and
    /// `@count` included.
    ///
    /// Nil if a step on the way is nil. Reads each object on the way, and traps if one has no such key.
    ///
    /// Unlike Apple's: an operator behind two to-many relationships sees the objects of all of them together.
    open func value(forKeyPath keyPath: String) -> Any? { baseValue(forKeyPath: keyPath) }
    /// Sets the value at the end of a path of keys joined by dots.
    ///
    /// Does nothing if a step on the way is nil. Behind a to-many relationship the value is set in every
    /// member. Traps if the path leads through anything but managed objects and sets of them.
    open func setValue(_ value: Any?, forKeyPath keyPath: String) { baseSetValue(value, forKeyPath: keyPath) }
    /// Returns the stored value of a property without calling its accessor or `willAccessValue(forKey:)`.
    ///
    /// Fills a fault. Traps if the model has no such property. A stored value that cannot be read is nil: see
    /// `readingError(forKey:)`.
    open func primitiveValue(forKey key: String) -> Any? { basePrimitiveValue(forKey: key) }
    /// Sets the stored value of a property without marking the object as changed and without touching the
    /// other side of a relationship.
    ///
    /// Fills a fault. A following `didChangeValue(forKey:)` does both. Traps if the model has no such
    /// property, if it is a fetched one, or if the value is of another type.
    open func setPrimitiveValue(_ value: Any?, forKey key: String) {
        baseSetPrimitiveValue(value, forKey: key)
    }
    /// Called when nil is set by key for a setter of the class whose parameter is not optional; traps unless
    /// overridden.
    open func setNilValueForKey(_ key: String) {
        programmerError(
            "[<\(type(of: self))> setNilValueForKey]: could not set nil as the value for the key \(key).")
    }
    /// Sets several properties by `setValue(_:forKey:)`, in no particular order; `NSNull` stands for nil.
    open func setValuesForKeys(_ keyedValues: [String: Any]) {
        for (key, value) in keyedValues { setValue(value is NSNull ? nil : value, forKey: key) }
    }
    /// Returns the values of several properties from `value(forKey:)`; `NSNull` stands for nil.
    open func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
        Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }) { first, _ in first }
    }
    /// Returns a set that shows the members of an unordered to-many relationship and changes the relationship
    /// when it is changed.
    ///
    /// The set keeps the object. Traps if the model has no such relationship, or if it is ordered.
    ///
    /// Unlike Apple's: a cast to a set of Swift (`as? Set<Item>`) is empty; cast `value(forKey:)` or use
    /// `allObjects`.
    open func mutableSetValue(forKey key: String) -> NSMutableSet { baseMutableSetValue(forKey: key) }
    /// Returns an ordered set that shows the members of an ordered to-many relationship and changes the
    /// relationship when it is changed.
    ///
    /// The set keeps the object. Traps if the model has no such relationship, or if it is not ordered.
    open func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
        baseMutableOrderedSetValue(forKey: key)
    }
    /// Returns the key paths on which a computed property depends; the default is none.
    ///
    /// Unlike Apple's: the framework does not call it, since it does not announce changes by key-value
    /// observing.
    open class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }

    // MARK: Validation

    /// Checks a value for a property by the rules of the model, then by the class's own `validateX` method.
    ///
    /// The method may replace the value. Traps if the model has no such property.
    ///
    /// Unlike Apple's: on save, an override is called only for properties that have a rule in the model
    /// (mandatory and empty, a limit, a predicate) or a `validateX` method.
    ///
    /// - Throws: In `NSCocoaErrorDomain`, `NSValidationMissingMandatoryPropertyError` (1570) for a mandatory
    ///   property without a value; for a broken rule of the model the code of the rule (1610-1680), or
    ///   `NSManagedObjectValidationError` (1550) if the rule has none; whatever the `validateX` method
    ///   throws. `userInfo` names the object, the key, the value and the predicate.
    open func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws
    {
        try baseValidateValue(value, forKey: key)
    }
    /// Checks every property of an inserted object before it is saved.
    ///
    /// An override calls `super` and adds its own errors.
    ///
    /// - Throws: In `NSCocoaErrorDomain`, the error of `validateValue(_:forKey:)`,
    ///   `NSValidationRelationshipLacksMinimumCountError` (1580) or
    ///   `NSValidationRelationshipExceedsMaximumCountError` (1590); for several of them
    ///   `NSValidationMultipleErrorsError` (1560) with all in `NSDetailedErrorsKey`.
    open func validateForInsert() throws { try Validator.validate(self, for: .insert) }
    /// Checks every property of an updated object before it is saved; the number of members only of
    /// relationships that changed.
    ///
    /// An override calls `super` and adds its own errors.
    ///
    /// - Throws: In `NSCocoaErrorDomain`, the error of `validateValue(_:forKey:)`,
    ///   `NSValidationRelationshipLacksMinimumCountError` (1580) or
    ///   `NSValidationRelationshipExceedsMaximumCountError` (1590); for several of them
    ///   `NSValidationMultipleErrorsError` (1560) with all in `NSDetailedErrorsKey`.
    open func validateForUpdate() throws { try Validator.validate(self, for: .update) }
    /// Checks that no relationship with the delete rule deny still has members, before a deletion is saved.
    ///
    /// An override calls `super` and adds its own errors.
    ///
    /// - Throws: In `NSCocoaErrorDomain`, `NSValidationRelationshipDeniedDeleteError` (1600); for several of
    ///   them `NSValidationMultipleErrorsError` (1560) with all in `NSDetailedErrorsKey`.
    open func validateForDelete() throws { try Validator.validate(self, for: .delete) }

    /// A hash of the object's address, since notifications have sets of objects.
    open override var hash: Int { Int(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }
    /// Returns whether the other object is identical; never compares values.
    open override func isEqual(_ object: Any?) -> Bool {
        Self.unboxed(object) === self
    }

    /// The object's class, entity and ID and, if it is loaded, its values; never reads the store.
    open override var description: String { printed }
}

extension NSManagedObject {
    /// Makes and inserts a new object of a class.
    ///
    /// - Parameter type: A class of managed objects.
    @usableFromInline
    static func made(as type: Any.Type, in context: NSManagedObjectContext) -> NSManagedObject {
        let (objectClass, entity) = EntityClasses.entity(for: type, in: context)
        return objectClass.init(_made: entity, in: context)
    }
}

/// The state of an object apart from its values: a fault is an object without values, and has no flag.
@frozen @usableFromInline
struct ObjectFlags: OptionSet {
    @usableFromInline let rawValue: UInt16

    @inlinable
    init(rawValue: UInt16) { self.rawValue = rawValue }

    @inlinable static var inserted: Self { Self(rawValue: 1 << 0) }
    @inlinable static var updated: Self { Self(rawValue: 1 << 1) }
    @inlinable static var deleted: Self { Self(rawValue: 1 << 2) }
    /// The object is in the change tracker's list.
    @inlinable static var tracked: Self { Self(rawValue: 1 << 3) }
    /// The object changed since changes were last processed; the next four say how.
    @inlinable static var pending: Self { Self(rawValue: 1 << 4) }
    @inlinable static var pendingInsert: Self { Self(rawValue: 1 << 5) }
    @inlinable static var pendingUpdate: Self { Self(rawValue: 1 << 6) }
    @inlinable static var pendingDelete: Self { Self(rawValue: 1 << 7) }
    @inlinable static var pendingRefresh: Self { Self(rawValue: 1 << 8) }
    /// The row belongs to this object alone and may be written.
    @inlinable static var ownsRow: Self { Self(rawValue: 1 << 9) }
    /// A change hook of the object is running.
    @inlinable static var awaking: Self { Self(rawValue: 1 << 10) }
    /// The object's row is gone from the store.
    @inlinable static var inaccessible: Self { Self(rawValue: 1 << 11) }
    /// The delete rules of the object were applied.
    @inlinable static var propagated: Self { Self(rawValue: 1 << 12) }
    /// `willSave` was called in the present save.
    @inlinable static var prepared: Self { Self(rawValue: 1 << 13) }
    /// A pass over a list that is still running has visited the object.
    @inlinable static var met: Self { Self(rawValue: 1 << 14) }
    /// An observation checks the object whenever it changes.
    @inlinable static var observed: Self { Self(rawValue: 1 << 15) }
    @inlinable static var changed: Self {
        Self(rawValue: inserted.rawValue | updated.rawValue | deleted.rawValue)
    }

    // Tests of bits, since these two properties are inlined into every write.

    @inlinable var ownRow: Bool { rawValue & Self.ownsRow.rawValue != 0 }
    /// Whether another change needs no note: the object is dirty and in the event's list, and no observation
    /// checks each change.
    @inlinable var areNoted: Bool {
        let noted = Self.pending.rawValue | Self.pendingUpdate.rawValue
        return rawValue & (noted | Self.observed.rawValue) == noted && rawValue & Self.changed.rawValue != 0
    }
}

extension [NSManagedObject] {
    /// The objects without repetitions, in the order of first occurrence.
    ///
    /// Objects of one context are marked, which is faster than keeping a set of them.
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

/// The reasons for which `NSManagedObject.awake(fromSnapshotEvents:)` is called.
public struct NSSnapshotEventType: OptionSet, Sendable {
    /// The bits of the set.
    public let rawValue: UInt
    /// Makes a set of reasons from its bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// An object that was inserted is out of the context after undo or redo.
    public static let undoInsertion = NSSnapshotEventType(rawValue: 1 << 1)
    /// A deleted object is back after undo or redo.
    public static let undoDeletion = NSSnapshotEventType(rawValue: 1 << 2)
    /// Former values are back after undo or redo.
    public static let undoUpdate = NSSnapshotEventType(rawValue: 1 << 3)
    /// The context was rolled back.
    public static let rollback = NSSnapshotEventType(rawValue: 1 << 4)
    /// The object was refreshed, keeping its changes.
    public static let refresh = NSSnapshotEventType(rawValue: 1 << 5)
    /// A merge policy resolved a conflict during a save.
    public static let mergePolicy = NSSnapshotEventType(rawValue: 1 << 6)
}

/// A protocol for the initializers that a class alone cannot offer to every subclass with the type of the
/// subclass; only `NSManagedObject` conforms to it.
public protocol ManagedObjectInitializing {}

extension NSManagedObject: ManagedObjectInitializing {}

extension ManagedObjectInitializing {
    /// Makes an object of the class's entity and inserts it into a context.
    ///
    /// The entity is the one of the class in the context's model, or else in the models that coordinators
    /// use; the first of several, with a warning in the log. Traps if there is none.
    @inlinable
    public init(context moc: NSManagedObjectContext) {
        // The object is of this class, and a cast would look up types for every object. Made here, since a
        // generic function would retain it once more.
        self = unsafeBitCast(NSManagedObject.made(as: Self.self, in: moc), to: Self.self)
    }

    /// Makes an object of the entity's class, if that class inherits from this one, and inserts it into a
    /// context if there is one.
    ///
    /// Unlike Apple's: does not run an initializer that the class has. Traps if the class is neither the
    /// entity's nor one that the entity's inherits from.
    @_disfavoredOverload
    public init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        let type = Self.self as! NSManagedObject.Type
        let right = EntityClasses.objectClass(for: entity)
        self = (right is Self.Type ? right : type).init(_made: entity, in: context) as! Self
    }

    /// Makes a transient object of the class's entity, which is in no context.
    ///
    /// Traps if no model in use has an entity of the class.
    @_disfavoredOverload
    public init() {
        let type = Self.self as! NSManagedObject.Type
        self = type.init(_made: type.entity(), in: nil) as! Self
    }

    /// Returns a new request for the class's entity, for results of the class.
    ///
    /// Unlike Apple's: assigned to a variable without a type annotation, the call resolves to this method;
    /// `requestOfAny()` returns a request for results of any type.
    public static func fetchRequest() -> NSFetchRequest<Self> {
        NSFetchRequest(of: (Self.self as! NSManagedObject.Type).entity())
    }
}

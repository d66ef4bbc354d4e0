import CoreDataPredicates
public import Foundation

/// A property of an entity: the base of attributes, relationships, fetched properties and expressions.
///
/// Can be changed until its model is in use; from then on every setter but that of `userInfo` traps.
open class NSPropertyDescription: NSObject, NSCoding, NSCopying {
    final var owner: NSEntityDescription? {
        get { ownerLink?.target }
        set { ownerLink = newValue?.link }
    }
    private final var ownerLink: Backlink<NSEntityDescription>?
    /// Whether the model is in use.
    ///
    /// Set once, when the model freezes.
    final var isFrozen = false

    /// Makes a property without a name, of no entity.
    public required override init() {}

    /// The entity that declares the property.
    ///
    /// Traps if it belongs to none.
    ///
    /// Unlike Apple's: an inherited property is the same object in every subentity, so in a subentity, too,
    /// this is the entity that declares it.
    public var entity: NSEntityDescription {
        guard let owner else { programmerError("The property \"\(name)\" belongs to no entity.") }
        return owner
    }

    /// The name, unique among the entity's properties, inherited ones included.
    ///
    /// Unlike Apple's: a name that is no identifier is quoted in SQL, and the columns of names that differ
    /// only in the case of their letters get a number as suffix. An XML store refuses to write an entity with
    /// two such properties.
    public var name = "" { willSet { requireMutable() } }
    /// Whether an object may be saved without a value; true by default.
    ///
    /// A missing value of a mandatory property is error 1570 (`NSValidationMissingMandatoryPropertyError`).
    public var isOptional = true { willSet { requireMutable() } }
    /// Whether the value stays in memory: it is tracked like any other, but not stored.
    ///
    /// False by default.
    ///
    /// Unlike Apple's: a fetch by a transient property throws an error that names it, except in stores of
    /// type InMemory.
    public var isTransient = false { willSet { requireMutable() } }
    /// Entries that an app attaches to the property.
    ///
    /// They may be changed while the model is in use, too, from any thread; no store keeps them.
    public var userInfo: [AnyHashable: Any]? {
        get { notes.withLock { $0.entries } }
        set {
            notes.withLock { notes in
                notes.entries = newValue
                notes.revision += 1
            }
        }
    }
    /// The number of times the user info was set.
    final var userInfoRevision: Int { notes.withLock { $0.revision } }
    private final let notes = Guarded<(entries: [AnyHashable: Any]?, revision: Int)>(([:], 0))
    /// A text that goes into the version hash, to make a version of the property differ from an equal one.
    public var versionHashModifier: String? { willSet { requireMutable() } }
    /// Whether a search index takes in the property; false by default.
    ///
    /// Kept in model files; nothing on Linux reads it.
    public var isIndexedBySpotlight = false { willSet { requireMutable() } }

    /// The index in an older form: whether SQLite stores make an index for an attribute.
    @available(*, deprecated, message: "Use NSEntityDescription.indexes instead")
    public var isIndexed: Bool {
        get { hasIndex }
        set {
            requireMutable()
            hasIndex = newValue
        }
    }
    final var hasIndex = false

    /// Whether the property is in an external record; false by default.
    ///
    /// Kept in model files; nothing on Linux reads it.
    @available(*, deprecated, message: "Spotlight integration is no longer supported through this flag")
    public var isStoredInExternalRecord: Bool {
        get { inExternalRecord }
        set {
            requireMutable()
            inExternalRecord = newValue
        }
    }
    final var inExternalRecord = false

    /// The name that identifies the property in a lightweight migration after its name changed: its former
    /// name.
    ///
    /// The name itself unless set.
    ///
    /// Unlike Apple's: if no identifiers match, an identifier that equals a former name, and then an equal
    /// name, stands for the same property.
    public var renamingIdentifier: String? {
        get { ownRenamingIdentifier ?? name }
        set {
            requireMutable()
            ownRenamingIdentifier = newValue
        }
    }
    final var ownRenamingIdentifier: String?

    // MARK: Validation

    /// The predicates that a value must satisfy, each evaluated on the value itself.
    public private(set) var validationPredicates: [NSPredicate] = []
    /// For each predicate the error code (`NSNumber`) or the text to report when it fails.
    public private(set) var validationWarnings: [Any] = []

    /// Replaces the validation rules: a value must satisfy every predicate.
    ///
    /// A value that does not is an error of a save: 1550 (`NSManagedObjectValidationError`) with the warning
    /// as its text, or the warning's own code if the warning is a number. Nil is never tested. Traps for a
    /// model in use.
    ///
    /// - Parameters:
    ///   - validationPredicates: The predicates, evaluated on the value itself.
    ///   - validationWarnings: One text for each predicate; lists of different lengths trap.
    public func setValidationPredicates(
        _ validationPredicates: [NSPredicate]?,
        withValidationWarnings validationWarnings: [String]?
    ) {
        setValidationRules(validationPredicates ?? [], warnings: validationWarnings ?? [])
    }

    final func setValidationRules(_ predicates: [NSPredicate], warnings: [Any]) {
        requireMutable()
        guard predicates.count == warnings.count else {
            programmerError(
                "The property \"\(name)\" was given \(predicates.count) validation predicates and "
                    + "\(warnings.count) warnings; pass one warning for each predicate.")
        }
        validationPredicates = predicates
        validationWarnings = warnings
    }

    final func requireMutable() {
        if isFrozen { immutableModelError() }
    }

    // MARK: Copying, coding, equality

    /// Returns a copy that belongs to no entity and can be changed.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = type(of: self).init()
        copy.name = name
        copy.isOptional = isOptional
        copy.isTransient = isTransient
        copy.userInfo = userInfo
        copy.versionHashModifier = versionHashModifier
        copy.isIndexedBySpotlight = isIndexedBySpotlight
        copy.hasIndex = hasIndex
        copy.inExternalRecord = inExternalRecord
        copy.ownRenamingIdentifier = ownRenamingIdentifier
        copy.validationPredicates = validationPredicates
        copy.validationWarnings = validationWarnings
        return copy
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

    /// Returns whether another property has equal contents, whatever entity the two belong to.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPropertyDescription else { return false }
        if self === other { return true }
        return type(of: self) == type(of: other)
            && name == other.name
            && isOptional == other.isOptional
            && isTransient == other.isTransient
            && versionHashModifier == other.versionHashModifier
            && isIndexedBySpotlight == other.isIndexedBySpotlight
            && hasIndex == other.hasIndex
            && inExternalRecord == other.inExternalRecord
            && renamingIdentifier == other.renamingIdentifier
            && (userInfo ?? [:]) as NSDictionary == (other.userInfo ?? [:]) as NSDictionary
            && validationPredicates.map(ModelText.text) == other.validationPredicates.map(ModelText.text)
            && validationWarnings as NSArray == other.validationWarnings as NSArray
    }

    /// A hash of the name.
    open override var hash: Int { name.hashValue }

    /// The property's settings.
    open override var description: String {
        "(<\(type(of: self))>), name \(name), isOptional \(isOptional), isTransient \(isTransient), "
            + "entity \(owner?.name ?? "(none)"), renamingIdentifier \(renamingIdentifier ?? name), "
            + "validation predicates \(validationPredicates), warnings \(validationWarnings), "
            + "versionHashModifier \(versionHashModifier ?? "(null)")"
    }
}

/// The key `userInfo` of `$FETCHED_PROPERTY` in requests.
extension NSPropertyDescription: ComputedKeys {
    package func computedValue(forKey key: String) -> Any? { key == "userInfo" ? userInfo : nil }
}

/// Ends the program, as a change to a model in use does.
func immutableModelError() -> Never {
    programmerError(
        "Can't modify an immutable model. A model is fixed once a persistent store coordinator uses it: change "
            + "it before, or change a copy.")
}

import CoreDataPredicates
public import Foundation

/// A property of an entity: what attributes, relationships, fetched properties and expressions share.
///
/// A description can be changed until its model is in use; from then on every setter but that of `userInfo`
/// traps.
open class NSPropertyDescription: NSObject, NSCoding, NSCopying {
    final var owner: NSEntityDescription? {
        get { ownerLink?.target }
        set { ownerLink = newValue?.link }
    }
    private final var ownerLink: Backlink<NSEntityDescription>?
    /// Set once, when the model freezes.
    final var isFrozen = false

    public required override init() {}

    /// The entity the property belongs to.
    ///
    /// - Note: Differs from Apple: an inherited property is the same object in every subentity, so this is the
    ///   entity that declares it.
    public var entity: NSEntityDescription {
        guard let owner else { programmerError("The property \"\(name)\" belongs to no entity.") }
        return owner
    }

    public var name = "" { willSet { requireMutable() } }
    public var isOptional = true { willSet { requireMutable() } }
    public var isTransient = false { willSet { requireMutable() } }
    /// What an app notes of the property; may be changed while the model is in use, too, from any thread.
    ///
    /// Nothing is stored of it.
    public var userInfo: [AnyHashable: Any]? {
        get { notes.withLock { $0.entries } }
        set {
            notes.withLock { notes in
                notes.entries = newValue
                notes.revision += 1
            }
        }
    }
    /// How often the user info was set.
    final var userInfoRevision: Int { notes.withLock { $0.revision } }
    private final let notes = Guarded<(entries: [AnyHashable: Any]?, revision: Int)>(([:], 0))
    public var versionHashModifier: String? { willSet { requireMutable() } }
    public var isIndexedBySpotlight = false { willSet { requireMutable() } }

    @available(*, deprecated, message: "Use NSEntityDescription.indexes instead")
    public var isIndexed: Bool {
        get { hasIndex }
        set {
            requireMutable()
            hasIndex = newValue
        }
    }
    final var hasIndex = false

    @available(*, deprecated, message: "Spotlight integration is no longer supported through this flag")
    public var isStoredInExternalRecord: Bool {
        get { inExternalRecord }
        set {
            requireMutable()
            inExternalRecord = newValue
        }
    }
    final var inExternalRecord = false

    /// What tells the property in a migration when its name changes; the name unless set.
    public var renamingIdentifier: String? {
        get { ownRenamingIdentifier ?? name }
        set {
            requireMutable()
            ownRenamingIdentifier = newValue
        }
    }
    final var ownRenamingIdentifier: String?

    // MARK: Validation

    public private(set) var validationPredicates: [NSPredicate] = []
    /// For each predicate an error code (`NSNumber`) or a text.
    public private(set) var validationWarnings: [Any] = []

    /// Replaces the validation rules: a value must satisfy every predicate, evaluated on the value itself.
    ///
    /// Each warning is an error code or a text to report when its predicate fails; both lists have one
    /// length.
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

    /// A copy that belongs to no entity and can be changed.
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

    open func encode(with coder: NSCoder) {
        failToEncodeDescription(self, with: coder)
    }

    public required init?(coder: NSCoder) {
        super.init()
        failToDecodeDescription(coder)
        return nil
    }

    /// Equal by content, whatever entity the two belong to.
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

    open override var hash: Int { name.hashValue }

    open override var description: String {
        "(<\(type(of: self))>), name \(name), isOptional \(isOptional), isTransient \(isTransient), "
            + "entity \(owner?.name ?? "(none)"), renamingIdentifier \(renamingIdentifier ?? name), "
            + "validation predicates \(validationPredicates), warnings \(validationWarnings), "
            + "versionHashModifier \(versionHashModifier ?? "(null)")"
    }
}

/// `$FETCHED_PROPERTY.userInfo` in requests.
extension NSPropertyDescription: ComputedKeys {
    package func computedValue(forKey key: String) -> Any? { key == "userInfo" ? userInfo : nil }
}

/// Ends the program as a change to a model in use does.
func immutableModelError() -> Never {
    programmerError(
        "Can't modify an immutable model. A model is fixed once a persistent store coordinator uses it: change "
            + "it before, or change a copy.")
}

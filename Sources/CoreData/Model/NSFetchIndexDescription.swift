public import Foundation

/// An index of an entity: its columns, their order, and the rows that it covers.
///
/// SQLite stores make it when the store is made or migrated.
///
/// Unlike Apple's: an index with an element that is an expression, other than the object itself and its
/// entity, is not made, and neither is one with a partial predicate that is more than comparisons with
/// constants. Queries are slower without it, never wrong.
open class NSFetchIndexDescription: NSObject, NSCoding, NSCopying {
    /// The entity the index belongs to; nil before it is among an entity's indexes.
    public internal(set) weak var entity: NSEntityDescription? {
        get { entityLink?.target }
        set { entityLink = newValue?.link }
    }
    private final var entityLink: Backlink<NSEntityDescription>?
    final var isFrozen = false

    /// The name, unique in the entity.
    public var name: String { willSet { requireMutable() } }

    /// The columns of the index, the most significant first.
    public var elements: [NSFetchIndexElementDescription] {
        willSet { requireMutable() }
        didSet { adoptElements() }
    }

    /// A predicate that limits the index to the rows that satisfy it; nil, the default, for all rows.
    ///
    /// For binary indexes only.
    public var partialIndexPredicate: NSPredicate? { willSet { requireMutable() } }

    /// Makes an index; elements that are nil have to be set later.
    public init(name: String, elements: [NSFetchIndexElementDescription]?) {
        self.name = name
        self.elements = elements ?? []
        super.init()
        adoptElements()
    }

    /// Makes an index without name and elements.
    public convenience override init() {
        self.init(name: "", elements: nil)
    }

    private func adoptElements() {
        for element in elements { element.indexDescription = self }
    }

    final func freeze() {
        isFrozen = true
        for element in elements { element.isFrozen = true }
    }

    private func requireMutable() {
        if isFrozen { immutableModelError() }
    }

    /// Returns a copy that belongs to no entity and can be changed.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSFetchIndexDescription(
            name: name, elements: elements.map { $0.copy() as! NSFetchIndexElementDescription })
        copy.partialIndexPredicate = partialIndexPredicate
        return copy
    }

    /// Fails the coder with `CocoaError.coderInvalidValue`: encode the model.
    open func encode(with coder: NSCoder) {
        failToEncodeDescription(self, with: coder)
    }

    /// Fails the coder with `CocoaError.coderReadCorrupt`: decode the model.
    public required init?(coder: NSCoder) {
        name = ""
        elements = []
        super.init()
        failToDecodeDescription(coder)
        return nil
    }

    /// Returns whether another index has an equal name, elements and predicate.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSFetchIndexDescription else { return false }
        return name == other.name
            && elements == other.elements
            && partialIndexPredicate.map(ModelText.text) == other.partialIndexPredicate.map(ModelText.text)
    }

    /// A hash of the name.
    open override var hash: Int { name.hashValue }

    /// The index with its entity, elements and predicate.
    open override var description: String {
        "<NSFetchIndexDescription: \(entity?.name ?? "(none)").\(name), elements: \(elements), "
            + "predicate: \(partialIndexPredicate.map(ModelText.text) ?? "(null)")>"
    }
}
